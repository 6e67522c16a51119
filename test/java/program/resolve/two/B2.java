package two;

/** Beside B: nothing in between overrides one.A.m, so a call of that stays there. */
public class B2 extends one.A {
    public String m() {
        return "two/B2";
    }
}
