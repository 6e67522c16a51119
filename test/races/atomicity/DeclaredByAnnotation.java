import quiet.Threads;
import turnstile.annotation.Atomicity;
import turnstile.annotation.Requires;

/**
 * All methods are wrong. Annotations say which should be atomic, for every lock that may be held when they are called;
 * what they say of others counts before the heuristics.
 */
public class DeclaredByAnnotation {
    private static final Object LOCK = new Object();
    private static int value;

    @Atomicity("atomic")
    private static void plain() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredByAnnotation.plain
            value++; //! atomicity predicted DeclaredByAnnotation.plain
        }
    }

    @Atomicity("this ? mover : atomic")
    private void conditional() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredByAnnotation.conditional
            value++; //! atomicity predicted DeclaredByAnnotation.conditional
        }
    }

    @Atomicity("this ? mover")
    private void whenCalled() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredByAnnotation.whenCalled
            value++; //! atomicity predicted DeclaredByAnnotation.whenCalled
        }
    }

    @Requires("this")
    @Atomicity("this ? mover : cmpd")
    private void required() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredByAnnotation.required
            value++; //! atomicity predicted DeclaredByAnnotation.required
        }
    }

    @Atomicity("this ? mover : cmpd")
    public void sometimes() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    @Atomicity("cmpd")
    public static void severalSteps() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    @Atomicity("fast ? please")
    private static void nonsense() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    private static void everything() {
        DeclaredByAnnotation object = new DeclaredByAnnotation();
        plain();
        object.conditional();
        object.whenCalled();
        object.required();
        object.sometimes();
        severalSteps();
        nonsense();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeclaredByAnnotation::everything, DeclaredByAnnotation::everything);
        System.out.println(value == 28 ? "ok" : "lost");
    }
}
