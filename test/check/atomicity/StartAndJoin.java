/** What is done before a start cannot be seen by the thread that is started, nor what is done after a join. */
final class StartAndJoin {
    private int count; /*# guarded_by this */

    synchronized void increment() /*# atomic */ {
        count++; // silent
    }

    static void start(Thread thread) /*# atomic */ {
        thread.start(); // silent
    }

    static void startTwo(Thread one, Thread two) /*# atomic */ {
        one.start(); // silent: left movers
        two.start();
    }

    static void joinTwo(Thread one, Thread two) throws InterruptedException /*# atomic */ {
        one.join(); // silent: right movers
        two.join();
    }

    void incrementAndStart(Thread thread) /*# atomic */ {
        increment(); // silent
        thread.start();
    }

    void startAndIncrement(Thread thread) /*# atomic */ {
        thread.start(); // expect: not-atomic; path
        increment(); // path
    }

    void joinAndIncrement(Thread thread) throws InterruptedException /*# atomic */ {
        thread.join(); // silent
        increment();
    }

    void incrementAndJoin(Thread thread) throws InterruptedException /*# atomic */ {
        increment(); // expect: not-atomic
        thread.join();
    }

    static void startAndJoin(Thread thread) throws InterruptedException /*# atomic */ {
        thread.start(); // expect: not-atomic
        thread.join();
    }
}
