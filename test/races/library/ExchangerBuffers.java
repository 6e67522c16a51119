import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Exchanger;

/** Right: one thread fills a buffer, the other empties one, and they exchange them. */
public class ExchangerBuffers {
    static class Buffer {
        final List<Integer> items = new ArrayList<>();
        int fills;
    }

    static final Exchanger<Buffer> exchanger = new Exchanger<>();
    static int sum;

    public static void main(String[] arguments) throws Exception {
        Thread filler = new Thread(() -> {
            try {
                Buffer buffer = new Buffer();
                for (int i = 0; i < 20; i++) {
                    for (int j = 0; j < 5; j++) {
                        buffer.items.add(i);
                    }
                    buffer.fills++;
                    buffer = exchanger.exchange(buffer);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Thread emptier = new Thread(() -> {
            try {
                Buffer buffer = new Buffer();
                for (int i = 0; i < 20; i++) {
                    buffer = exchanger.exchange(buffer);
                    for (int item : buffer.items) {
                        sum += item;
                    }
                    buffer.items.clear();
                    buffer.fills++;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        filler.start();
        emptier.start();
        filler.join();
        emptier.join();
        if (sum != 950) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
