package one;

/** Compiled against interfaces that later get the same default method: see changed/. */
public class Conflict {
    public interface P {
    }

    public interface Q {
    }

    public static class Both implements P, Q {
    }

    public static class Super {
    }

    /** Its superclass gets an abstract method which the default does not stand in for. */
    public static class Sub extends Super implements P {
    }
}
