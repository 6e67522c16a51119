package one;

/** Default methods: diamonds, conflicts with classes, private and static interface methods. */
public class Interfaces {
    public interface I {
        default String m() {
            return "one/Interfaces$I";
        }

        private String p() {
            return "one/Interfaces$I";
        }

        static String s() {
            return "one/Interfaces$I";
        }

        String a();

        String F = "one/Interfaces$I";
    }

    public interface J extends I {
        default String m() {
            return "one/Interfaces$J";
        }
    }

    public interface K extends I {
    }

    /** Takes a default back. */
    public interface L extends I {
        String m();
    }

    public interface M {
        default String m() {
            return "one/Interfaces$M";
        }
    }

    public interface N extends J {
        String F = "one/Interfaces$N";
    }

    public static class Base {
        public String m() {
            return "one/Interfaces$Base";
        }
    }

    /** J is closer than I. */
    public static class Diamond implements K, J {
        public String a() {
            return "one/Interfaces$Diamond";
        }

        @Override
        public String toString() {
            return "one/Interfaces$Diamond";
        }
    }

    /** The class wins over the interface. */
    public static class ClassWins extends Base implements J {
        public String a() {
            return "one/Interfaces$ClassWins";
        }
    }

    /** Two unrelated defaults need a method of its own. */
    public static class Resolved implements J, M {
        public String m() {
            return "one/Interfaces$Resolved";
        }

        public String a() {
            return "one/Interfaces$Resolved";
        }
    }

    public static class Abstracted implements L {
        public String m() {
            return "one/Interfaces$Abstracted";
        }

        public String a() {
            return "one/Interfaces$Abstracted";
        }

        /** No override of the interface's private method. */
        public String p() {
            return "one/Interfaces$Abstracted";
        }
    }

    public abstract static class Partial implements I {
    }

    public static class Complete extends Partial implements J {
        public String a() {
            return "one/Interfaces$Complete";
        }
    }

    /** A field in a superinterface comes before one in the superclass. */
    public static class FieldBase {
        public static String F = "one/Interfaces$FieldBase";
        public static String G = "one/Interfaces$FieldBase";
    }

    public static class FieldSub extends FieldBase implements I {
        public String a() {
            return "one/Interfaces$FieldSub";
        }
    }

    public abstract static class FieldNear implements K, N {
    }
}
