import net.jcip.annotations.GuardedBy;

/** Fields of all types; all kinds of reading and writing in one expression. */
final class GuardTypes {
    @GuardedBy("this") private boolean flag;
    @GuardedBy("this") private byte small;
    @GuardedBy("this") private char letter;
    @GuardedBy("this") private short number;
    @GuardedBy("this") private long wide;
    @GuardedBy("this") private float real;
    @GuardedBy("this") private double precise;
    @GuardedBy("this") private Integer boxed = 0;
    @GuardedBy("this") private String text = "";
    private volatile boolean free;
    private final int fixed = 12;

    void each() {
        flag = !flag; // expect: guard-not-held
        small++; // expect: guard-not-held
        letter = 'a'; // expect: guard-not-held
        number -= 2; // expect: guard-not-held
        wide <<= 1; // expect: guard-not-held
        real = (float) Math.random(); // expect: guard-not-held
        --precise; // expect: guard-not-held
        boxed++; // expect: guard-not-held
        text += "x"; // expect: guard-not-held
        free = true; // silent: volatile, without a guard
        int copy = fixed; // silent: final
    }

    synchronized void eachRight() {
        flag = !flag; // silent
        small++; // silent
        letter = 'a'; // silent
        number -= 2; // silent
        wide <<= 1; // silent
        real = (float) Math.random(); // silent
        --precise; // silent
        boxed++; // silent
        text += "x"; // silent
    }

    long expressions(int[] array) {
        long result = wide++ + 1; // expect: guard-not-held
        array[small] = 1; // expect: guard-not-held; read as an index
        result += flag ? 1 : 2; // expect: guard-not-held
        result = number = 4; // expect: guard-not-held
        return result + text.length(); // expect: guard-not-held
    }

    synchronized long expressionsRight(int[] array) {
        long result = wide++ + 1; // silent
        array[small] = 1; // silent
        result += flag ? 1 : 2; // silent
        result = number = 4; // silent
        return result + text.length(); // silent
    }
}
