package one;

/** The interfaces and the superclass as they are at run time; the classes stay as they were. */
public class Conflict {
    public interface P {
        default String z() {
            return "one/Conflict$P";
        }
    }

    public interface Q {
        default String z() {
            return "one/Conflict$Q";
        }
    }

    public abstract static class Super {
        public abstract String z();
    }
}
