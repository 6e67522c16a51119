import quiet.Threads;

/** Right: of the three threads that a cycle needs, two hold the same lock. */
public class DeadlockThreeGate {
    private static final Object GATE = new Object();
    private static final Object A = new Object();
    private static final Object B = new Object();
    private static final Object C = new Object();

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
            }
        }
    }

    static void bothBehindGate(Object first, Object second) {
        synchronized (GATE) {
            both(first, second);
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> bothBehindGate(A, B), () -> bothBehindGate(B, C), () -> both(C, A));
        System.out.println("ok");
    }
}
