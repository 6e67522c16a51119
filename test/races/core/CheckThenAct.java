import quiet.Order;

/** Wrong: the check is under one lock and the act under another. */
public class CheckThenAct {
    static final Object CHECK = new Object();
    static final Object ACT = new Object();
    static int seats = 1;

    static boolean book() {
        synchronized (CHECK) {
            if (seats == 0) { //! race observed CheckThenAct.seats
                return false;
            }
        }
        synchronized (ACT) {
            seats--; //! race observed CheckThenAct.seats
        }
        return true;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            book();
            Order.reach("booked");
        });
        first.start();
        Order.await("booked");
        // The check takes the lock that the other thread released before its act: not ordered after the act.
        book();
        first.join();
        System.out.println("ok");
    }
}
