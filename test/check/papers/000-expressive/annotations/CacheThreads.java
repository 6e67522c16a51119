import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;

/** A thread's own field is guarded by the thread, its place in the list by the cache (section 7). */
final class CacheThreads {
    @Formals("ghost ThreadCache cache")
    static final class CacheThread extends Thread {
        @GuardedBy("this") boolean alive;
        @GuardedBy("cache") @Owners("cache") CacheThread prev;
        @GuardedBy("cache") @Owners("cache") CacheThread next;

        synchronized void terminate() {
            alive = false; // without synchronized 1: guard-not-held
            next = null; // expect: guard-not-held
        }
    }

    static final class ThreadCache {
        @GuardedBy("this") @Owners("this") CacheThread first;

        synchronized void remove(@Owners("this") CacheThread thread) {
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
