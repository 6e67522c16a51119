// options: --defaults rfj
/** The default rules of Race Free Java for what nobody has declared. */
final class DefaultsRfj {
    static class Shared {
        private int value;
        private static int total;
        private final int fixed = 3;
        private volatile int published;
        private int declared /*# guarded_by Shared.class */;

        Shared() {
            value = 1; // silent
        }

        synchronized void right() {
            value++; // silent
            declared++; // expect: guard-not-held; what is declared counts
        }

        void wrong() {
            value++; // expect: guard-not-held; a shared class's fields are guarded by this
            total++; // expect: guard-not-held; static ones by the class
            published++; // silent
            int copy = fixed; // silent
        }

        static synchronized void rightStatic(Shared one) {
            total++; // silent
            one.declared++; // silent
            one.value++; // expect: guard-not-held
        }
    }

    /** No annotations and no synchronized methods: local to its thread. */
    static class Plain {
        int value;
        static int made;

        void change() {
            value++; // silent
            made++; // expect: guard-not-held; static fields are never local
        }
    }

    /** A class that has an annotation is shared. */
    static class Annotated {
        int guarded /*# guarded_by this */;
        int unguarded;

        void change() {
            guarded++; // expect: guard-not-held
            unguarded++; // expect: guard-not-held
            synchronized (this) {
                unguarded++; // silent
            }
        }
    }

    /** Subclasses of Thread are never local. */
    static class Worker extends Thread {
        private int rounds;

        @Override
        public void run() {
            rounds++; // expect: guard-not-held
            synchronized (this) {
                rounds++; // silent
            }
        }
    }

    static class Classwide /*# guarded_by lock */ {
        private final Object lock = new Object();
        private int one;
        private int two;
        private int own /*# guarded_by this */;

        void use() {
            one++; // expect: guard-not-held
            synchronized (lock) { // silent
                one += two; // silent
                own++; // expect: guard-not-held
            }
            synchronized (this) {
                own++; // silent
                two++; // expect: guard-not-held
            }
        }
    }
}
