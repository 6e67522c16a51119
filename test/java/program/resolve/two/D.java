package two;

/** Overrides two.B.m and one.C.m, and through the latter one.A.m. */
public class D extends one.C {
    public String m() {
        return "two/D";
    }
}
