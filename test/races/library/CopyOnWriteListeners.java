import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;

/** Right: listeners are added by one thread and called by another; each comes whole out of the list. */
public class CopyOnWriteListeners {
    static class Listener {
        int weight;

        int call() {
            return weight;
        }
    }

    static final List<Listener> listeners = new CopyOnWriteArrayList<>();
    static final CopyOnWriteArraySet<Listener> others = new CopyOnWriteArraySet<>();

    public static void main(String[] arguments) throws Exception {
        Thread adder = new Thread(() -> {
            for (int i = 0; i < 50; i++) {
                Listener listener = new Listener();
                listener.weight = 1;
                listeners.add(listener);
                others.add(listener);
            }
        });
        adder.start();
        for (int round = 0; round < 20; round++) {
            int sum = 0;
            for (Listener listener : listeners) {
                sum += listener.call();
            }
            for (Listener listener : others) {
                sum += listener.call();
            }
            if (!listeners.isEmpty()) {
                sum += listeners.get(0).call();
            }
            if (sum > 101) {
                throw new AssertionError(sum);
            }
        }
        adder.join();
        if (listeners.size() != 50) {
            throw new AssertionError(listeners.size());
        }
        System.out.println("ok");
    }
}
