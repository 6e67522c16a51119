import quiet.Threads;

/** Right: the store stays as it was found until the entry is added. */
public class StoreClosedLocked {
    static class Store {
        private boolean closed;
        private int entries;

        public synchronized boolean isClosed() {
            return closed;
        }

        public synchronized void add() {
            entries++;
        }

        public synchronized void put() {
            if (!isClosed()) {
                add();
            }
        }

        public synchronized int close() {
            closed = true;
            return entries;
        }
    }

    public static void main(String[] arguments) {
        Store store = new Store();
        Threads.together(store::put, store::close);
        System.out.println("ok");
    }
}
