package one;

/** Inherits everything, and narrows nothing. */
public class E extends two.D {
    @Override
    public String p() {
        return "one/E";
    }
}
