import java.util.concurrent.locks.LockSupport;

/** Right: park() in a loop over a volatile flag; the flag does the ordering. */
public class ParkVolatile {
    static class Mail {
        volatile boolean ready;
        int letter;
    }

    public static void main(String[] arguments) throws Exception {
        Mail mail = new Mail();
        mail.letter = 1;
        Thread reader = new Thread(() -> {
            while (!mail.ready) {
                LockSupport.park(mail);
            }
            if (mail.letter != 42) {
                throw new AssertionError();
            }
        });
        Thread writer = new Thread(() -> {
            mail.letter = 42;
            mail.ready = true;
            LockSupport.unpark(reader);
        });
        reader.start();
        writer.start();
        reader.join();
        writer.join();
        System.out.println("ok");
    }
}
