import quiet.Threads;

/** Wrong: a volatile read and a volatile write are two steps. */
public class VolatileIncrement {
    private static volatile int counter;

    public static void increment() {
        int before = counter;
        counter = before + 1; //! atomicity predicted VolatileIncrement.increment
    }

    public static void main(String[] arguments) {
        Threads.inTurn(VolatileIncrement::increment, VolatileIncrement::increment);
        System.out.println(counter == 2 ? "ok" : "lost");
    }
}
