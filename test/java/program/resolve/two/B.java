package two;

/** Not an override of one.A.m: that is package-private, in another package. */
public class B extends one.A {
    String m() {
        return "two/B";
    }

    @Override
    protected String q() {
        return "two/B";
    }

    public String p() {
        return "two/B";
    }
}
