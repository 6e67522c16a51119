import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import quiet.Order;

/** Wrong: what comes after the reference was enqueued is not ordered by that. */
public class ReferenceQueueLate {
    static final class Box {
        int value;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Box box = new Box();
        WeakReference<Object> reference = new WeakReference<>(new Object(), queue);
        Thread first = new Thread(() -> {
            reference.enqueue();
            box.value = 1;
            Order.reach("written");
        });
        first.start();
        Reference<?> got = queue.remove();
        Order.await("written");
        box.value++; //! race observed ReferenceQueueLate$Box.value
        first.join();
        System.out.println(got == reference ? "ok" : "another");
    }
}
