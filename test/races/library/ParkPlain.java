import java.util.concurrent.locks.LockSupport;
import quiet.Order;

/** Wrong: the letter itself is the flag, and it is not volatile: the reader looks while the writer writes. */
public class ParkPlain {
    static class Mail {
        Object letter;
    }

    public static void main(String[] arguments) throws Exception {
        Mail mail = new Mail();
        Thread reader = new Thread(() -> {
            boolean empty = mail.letter == null;
            Order.reach("looked");
            while (empty) {
                LockSupport.park(mail);
                empty = mail.letter == null;
            }
        });
        Thread writer = new Thread(() -> {
            Order.await("looked");
            mail.letter = "letter"; //! race observed ParkPlain$Mail.letter
            LockSupport.unpark(reader);
        });
        reader.start();
        writer.start();
        reader.join();
        writer.join();
        System.out.println("ok");
    }
}
