import java.util.concurrent.atomic.AtomicReference;
import quiet.Threads;

/** Right: updateAndGet() is one step for whoever calls it, however often it has to try. */
public class AtomicUpdate {
    private static final AtomicReference<String> text = new AtomicReference<>("");

    public static String append(String more) {
        return text.updateAndGet(before -> before + more);
    }

    public static void main(String[] arguments) {
        Threads.together(() -> append("left"), () -> append("right"));
        System.out.println(text.get().length() == 9 ? "ok" : "lost");
    }
}
