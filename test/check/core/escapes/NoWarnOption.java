// options: --no-warn guard-not-held
import net.jcip.annotations.GuardedBy;

/** --no-warn on the command line silences a rule everywhere. */
final class NoWarnOption {
    @GuardedBy("this") private int value;

    @GuardedBy("this")
    void change() {
        value++; // silent
    }

    void use() {
        value++; // silent
        change(); // expect: requires-not-held
        value = 3; // silent
    }
}
