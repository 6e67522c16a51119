import net.jcip.annotations.GuardedBy;
import java.util.List;

/** In a constructor the object is nobody else's; a lambda made there runs when it may be. */
final class CapturedInConstructor {
    @GuardedBy("this") private int count = 1; // silent
    private final Runnable field = () -> count++; // expect: guard-not-held
    private final Runnable right = () -> { synchronized (this) { count++; } }; // silent

    CapturedInConstructor(List<Runnable> tasks) {
        count = 2; // silent
        tasks.add(() -> count = 3); // expect: guard-not-held
        tasks.add(() -> {
            synchronized (this) {
                count = 4; // silent
            }
        });
        count = 5; // silent
    }

    CapturedInConstructor(int start) {
        new Thread(() -> count = start).start(); // expect: guard-not-held
        count = start; // silent
    }
}
