/** Who waits gives the lock up in between. */
final class WaitingMethods {
    private boolean ready; /*# guarded_by this */

    synchronized void set() /*# atomic */ {
        ready = true; // silent
        notifyAll();
    }

    synchronized void take() throws InterruptedException /*# atomic */ {
        while (!ready) { // expect: not-atomic
            wait(); // path
        }
        ready = false;
    }

    synchronized void takeAtOnce() /*# atomic */ {
        ready = false; // silent
    }

    void takeTimed() throws InterruptedException /*# atomic */ {
        synchronized (this) { // expect: not-atomic
            wait(10);
        }
    }

    synchronized void setTwice() /*# atomic */ {
        set(); // silent
        ready = true;
    }
}
