import quiet.Threads;

/** Wrong: what main sets before it starts the threads is one step, but one of the threads sets it again. */
public class VolatileChangedLate {
    static class Settings {
        private volatile int low;
        private volatile int high;

        /** Right: only main is here, before anybody else has the object. */
        public void fill(int low, int high) {
            this.low = low;
            this.high = high;
        }

        public void set(int low, int high) {
            this.low = low;
            this.high = high; //! atomicity predicted VolatileChangedLate$Settings.set
        }

        public int width() {
            int until = high;
            return until - low; //! atomicity predicted VolatileChangedLate$Settings.width
        }
    }

    public static void main(String[] arguments) {
        Settings settings = new Settings();
        settings.fill(1, 10);
        Threads.inTurn(settings::width, () -> settings.set(2, 20));
        System.out.println("ok");
    }
}
