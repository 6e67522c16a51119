import java.util.concurrent.Exchanger;
import quiet.Order;

/** Wrong: a thread goes on using the buffer that it has given away. */
public class ExchangerKept {
    static class Buffer {
        int size;
    }

    static final Exchanger<Buffer> exchanger = new Exchanger<>();

    static Buffer exchange(Buffer buffer) {
        try {
            return exchanger.exchange(buffer);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            Buffer mine = new Buffer();
            mine.size = 1;
            exchange(mine);
            mine.size = 2;
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Buffer other = exchange(new Buffer());
            Order.await("first wrote");
            other.size = 0; //! race observed ExchangerKept$Buffer.size
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
