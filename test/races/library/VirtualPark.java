//! needs: 21
import java.util.concurrent.locks.LockSupport;

/** Right: a virtual thread parks until a volatile flag is set. */
public class VirtualPark {
    static class Mail {
        volatile boolean ready;
        int letter;
    }

    public static void main(String[] arguments) throws Exception {
        Mail mail = new Mail();
        mail.letter = 1;
        Thread reader = Thread.startVirtualThread(() -> {
            while (!mail.ready) {
                LockSupport.park();
            }
            if (mail.letter != 42) {
                throw new AssertionError();
            }
        });
        Thread writer = Thread.startVirtualThread(() -> {
            mail.letter = 42;
            mail.ready = true;
            LockSupport.unpark(reader);
        });
        reader.join();
        writer.join();
        System.out.println("ok");
    }
}
