import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** Right: who takes a reference out of a queue comes after who enqueued it. */
public class ReferenceQueueHandOver {
    static final class Box {
        int value;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Box box = new Box();
        WeakReference<Object> reference = new WeakReference<>(new Object(), queue);
        Thread first = new Thread(() -> {
            box.value = 1;
            reference.enqueue();
        });
        first.start();
        Reference<?> got = queue.remove();
        box.value++;
        first.join();
        System.out.println(got == reference ? "ok" : "another");
    }
}
