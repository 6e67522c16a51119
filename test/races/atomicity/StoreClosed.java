import quiet.Threads;

/** Wrong: the store can be closed after it was found open and before the entry is added. */
public class StoreClosed {
    static class Store {
        private boolean closed;
        private int entries;

        public synchronized boolean isClosed() {
            return closed;
        }

        public synchronized void add() {
            entries++; //! atomicity predicted StoreClosed$Store.put
        }

        public void put() {
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
        Threads.inTurn(store::put, store::close);
        System.out.println(store.close() == 1 ? "ok" : "lost");
    }
}
