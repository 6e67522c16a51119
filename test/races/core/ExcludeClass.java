import quiet.Order;

/** The code of an excluded class is not looked at, so its race is not found; that of another class is. */
public class ExcludeClass {
    //! options: --exclude ExcludeClass$Hidden
    static class Hidden {
        private int value;

        void add() {
            value++;
        }
    }

    static class Seen {
        private int value;

        void add() {
            value++; //! race observed ExcludeClass$Seen.value
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Hidden hidden = new Hidden();
        Seen seen = new Seen();
        Thread first = new Thread(() -> {
            hidden.add();
            seen.add();
            Order.reach("added");
        });
        first.start();
        Order.await("added");
        hidden.add();
        seen.add();
        first.join();
        System.out.println("ok");
    }
}
