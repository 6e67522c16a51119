import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import quiet.Order;

/** Wrong: the list copies references, not the elements: two threads change the same one. */
public class CopyOnWriteElementWritten {
    static class Listener {
        int calls;
    }

    static final List<Listener> listeners = new CopyOnWriteArrayList<>();

    static void callAll() {
        for (Listener listener : listeners) {
            listener.calls++; //! race observed CopyOnWriteElementWritten$Listener.calls
        }
    }

    public static void main(String[] arguments) throws Exception {
        listeners.add(new Listener());
        Thread first = new Thread(() -> {
            callAll();
            Order.reach("first called");
        });
        Thread second = new Thread(() -> {
            Order.await("first called");
            callAll();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
