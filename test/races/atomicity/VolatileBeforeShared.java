/** Right: main sets everything up before it starts the threads, and they only read. */
public class VolatileBeforeShared {
    static class Settings {
        private volatile int low;
        private volatile int high;

        /** Only main is here, and nobody else has the object yet. */
        public void set(int low, int high) {
            this.low = low;
            this.high = high;
        }

        /** Nobody writes any more. */
        public int width() {
            return high - low;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Settings settings = new Settings();
        settings.set(1, 10);
        settings.set(2, 20);
        Thread first = new Thread(settings::width);
        Thread second = new Thread(settings::width);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
