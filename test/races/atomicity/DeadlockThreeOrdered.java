import quiet.Threads;

/** Right: three locks, two at a time, always in the same order. */
public class DeadlockThreeOrdered {
    private static final Object A = new Object();
    private static final Object B = new Object();
    private static final Object C = new Object();

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.together(() -> both(A, B), () -> both(B, C), () -> both(A, C));
        System.out.println("ok");
    }
}
