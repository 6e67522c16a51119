import quiet.Order;

/** Wrong: an enum constant with a field that two threads change. */
public class EnumState {
    enum Color {
        RED, GREEN {
            @Override
            void use() {
                uses += 2; //! race observed EnumState$Color.uses
            }
        };

        int uses;

        void use() {
            uses++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            Color.GREEN.use();
            Order.reach("used");
        });
        first.start();
        Order.await("used");
        Color.GREEN.use();
        Color.RED.use(); // nobody else uses this one
        first.join();
        System.out.println("ok");
    }
}
