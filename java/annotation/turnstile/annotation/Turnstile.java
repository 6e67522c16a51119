package turnstile.annotation;

/** What code says to the checker in the middle of a method. */
public final class Turnstile {
    private Turnstile() {
    }

    /**
     * From here on, the checker believes that the running thread holds this lock, for the rest of the method or until
     * the lock is released. Nothing happens when this is executed.
     *
     * <p>For code that knows more than the checker does:
     *
     * <pre>{@code
     * if (lock.isHeldByCurrentThread()) {
     *     Turnstile.holds(lock);
     *     balance++;
     * }
     * }</pre>
     *
     * @param lock the lock, written as it is in the guards that it is meant for
     */
    public static void holds(Object lock) {
    }
}
