package one;

/** Overrides one.A.m, as it is in its package, but not two.B.m. */
public class C extends two.B {
    public String m() {
        return "one/C";
    }
}
