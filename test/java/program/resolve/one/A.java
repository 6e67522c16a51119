package one;

/** The top of a chain that changes packages: see ResolveOracle. Each method tells who it is. */
public class A {
    String m() {
        return "one/A";
    }

    public String n() {
        return "one/A";
    }

    protected String q() {
        return "one/A";
    }

    private String p() {
        return "one/A";
    }

    static String s() {
        return "one/A";
    }

    public String f = "one/A";
}
