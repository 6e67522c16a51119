import quiet.Order;

/** Wrong: each thread holds ten locks, and none of them in common. */
public class ManyLocksWrong {
    static int value;

    static void addWith(Object[] locks, int next) {
        if (next == locks.length) {
            value++; //! race observed ManyLocksWrong.value
            return;
        }
        synchronized (locks[next]) {
            addWith(locks, next + 1);
        }
    }

    static Object[] locks() {
        Object[] locks = new Object[10];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
        }
        return locks;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            addWith(locks(), 0);
            Order.reach("added");
        });
        first.start();
        Order.await("added");
        addWith(locks(), 0);
        first.join();
        System.out.println("ok");
    }
}
