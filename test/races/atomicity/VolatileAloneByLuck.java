import quiet.Order;

/** Wrong: the other thread came after main was done, but it has the object from the start, and nothing made it wait. */
public class VolatileAloneByLuck {
    static class Settings {
        private volatile int low;
        private volatile int high;

        public void set(int low, int high) {
            this.low = low;
            this.high = high; //! atomicity predicted VolatileAloneByLuck$Settings.set
        }

        public int low() {
            return low;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Settings settings = new Settings();
        Thread other = new Thread(() -> {
            Order.await("set");
            settings.low();
            settings.high = 30;
        });
        other.start();
        settings.set(1, 10);
        Order.reach("set");
        other.join();
        System.out.println("ok");
    }
}
