/** A thread's own field is guarded by the thread, its place in the list by the cache (section 7). */
final class CacheThreads {
    static final class CacheThread/*#<ghost ThreadCache cache>*/ extends Thread {
        boolean alive /*# guarded_by this */;
        CacheThread/*#<cache>*/ prev /*# guarded_by cache */;
        CacheThread/*#<cache>*/ next /*# guarded_by cache */;

        synchronized void terminate() {
            alive = false; // without synchronized 1: guard-not-held
            next = null; // expect: guard-not-held
        }
    }

    static final class ThreadCache {
        CacheThread/*#<this>*/ first /*# guarded_by this */;

        synchronized void remove(CacheThread/*#<this>*/ thread) {
            if (thread.prev == null) { // without synchronized 2: guard-not-held
                first = thread.next; // without synchronized 2: guard-not-held, guard-not-held
            } else {
                thread.prev.next = thread.next; // without synchronized 2: guard-not-held, guard-not-held
            }
            thread.terminate(); // silent
            thread.alive = false; // expect: guard-not-held
        }
    }
}
