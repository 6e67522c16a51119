/** Locks in fields that can change, read once for the block and again for the call. */
class WaitingOnFields {
    Object lock = new Object();
    static Object shared = new Object();
    WaitingOnFields next;
    int tickets;

    void await() throws InterruptedException {
        synchronized (lock) {
            while (tickets == 0) {
                lock.wait(); // silent: it is the same unless somebody has assigned the field
            }
            lock.notifyAll(); // silent
        }
    }

    static void signal() {
        synchronized (shared) {
            shared.notify(); // silent
        }
    }

    void signalAnother() {
        synchronized (lock) {
            next.lock.notify(); // expect: requires-not-held
            shared.notify(); // expect: requires-not-held
        }
    }

    void signalTheNext() {
        synchronized (next.lock) {
            next.lock.notify(); // silent
        }
    }

    void replace() {
        synchronized (lock) {
            lock = new Object();
            lock.notify(); // expect: requires-not-held; that one nobody holds
        }
    }

    void stepOn() {
        synchronized (next.lock) {
            next = next.next;
            next.lock.notify(); // expect: requires-not-held; another next
        }
    }

    void afterwards() {
        synchronized (lock) {
            tickets++;
        }
        lock.notify(); // expect: requires-not-held
    }
}
