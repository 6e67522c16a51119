import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import quiet.Order;

/** Wrong: computeIfAbsent() is atomic, the add() to the plain list that it returns is not. */
public class ConcurrentMapOfLists {
    static class Group {
        final List<String> members = new ArrayList<>();
    }

    static final ConcurrentHashMap<String, Group> groups = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            Group group = groups.computeIfAbsent("a", name -> new Group());
            Order.reach("first has it");
            Order.await("second has it");
            group.members.add("x");
            Order.reach("first added");
        });
        Thread second = new Thread(() -> {
            Order.await("first has it");
            Group group = groups.computeIfAbsent("a", name -> new Group());
            Order.reach("second has it");
            Order.await("first added");
            group.members.add("y"); //! race observed ConcurrentMapOfLists$Group.members
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
