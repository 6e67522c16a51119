import java.util.BitSet;
import quiet.Order;

/** Wrong: two threads set different bits of a BitSet; they share a word of it. */
public class BitSetShared {
    static class Registry {
        final BitSet used = new BitSet(64);
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.used.set(1);
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.used.set(2); //! race observed BitSetShared$Registry.used
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
