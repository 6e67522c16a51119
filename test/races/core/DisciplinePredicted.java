import quiet.Order;

/** With --discipline a race that only a lock's hand-over hides is still the stronger `predicted`. */
public class DisciplinePredicted {
    //! options: --discipline
    static final Object LOCK = new Object();
    static int value;

    static void somethingElse() {
        synchronized (LOCK) {
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        value = 1;
        Thread first = new Thread(() -> {
            value = 2; //! race predicted DisciplinePredicted.value
            somethingElse();
            Order.reach("written");
        });
        Thread second = new Thread(() -> {
            Order.await("written");
            somethingElse();
            value = 3; //! race predicted DisciplinePredicted.value
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
