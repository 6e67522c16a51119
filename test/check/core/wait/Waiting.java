import net.jcip.annotations.GuardedBy;

/** wait gives the lock back and has it again on return; wait and notify need it. */
final class Waiting {
    private final Object lock = new Object();
    @GuardedBy("this") private boolean ready;
    @GuardedBy("lock") private int tickets;

    synchronized void await() throws InterruptedException {
        while (!ready) { // silent
            wait(); // silent
        }
        ready = false; // silent: held again
    }

    synchronized void signal() {
        ready = true; // silent
        notifyAll(); // silent
    }

    void awaitWithout() throws InterruptedException {
        wait(); // expect: requires-not-held
        ready = false; // expect: guard-not-held; it was not held before either
    }

    void notifyWithout() {
        notify(); // expect: requires-not-held
        lock.notifyAll(); // expect: requires-not-held
    }

    void onLock() throws InterruptedException {
        synchronized (lock) {
            while (tickets == 0) { // silent
                lock.wait(100); // silent
            }
            tickets--; // silent
            lock.notify(); // silent
            ready = true; // expect: guard-not-held
        }
        tickets++; // expect: guard-not-held
    }

    synchronized void waitsOnAnother() throws InterruptedException {
        lock.wait(); // expect: requires-not-held; `this` is held
        synchronized (lock) {
            lock.wait(10, 5); // silent
            ready = tickets > 0; // silent: waiting for one keeps the other
            wait(10); // silent
            tickets--; // silent
        }
        tickets = 0; // expect: guard-not-held
    }

    @GuardedBy("lock")
    private void waitForTicket() throws InterruptedException {
        while (tickets == 0) { // silent
            lock.wait(); // silent: our caller holds it
        }
        tickets--; // silent
        notifyAll(); // expect: requires-not-held
    }

    void interrupted() {
        synchronized (lock) {
            try {
                lock.wait();
                tickets++; // silent
            } catch (InterruptedException e) {
                tickets--; // silent: wait throws with the lock held
            }
        }
    }
}
