import quiet.Threads;

/**
 * Wrong in all methods. A file says that only blocks of one class matter, without making more of them than there are:
 * its private method is none.
 */
public class AtomicOnlyHere {
    //! options: --atomic-methods FOLDER/AtomicOnlyHere.txt
    private static final Object LOCK = new Object();
    private static int value;

    static class Ours {
        public static void twice() {
            step();
            step();
        }

        private static void hidden() {
            step();
            step();
        }

        static void callHidden() {
            hidden();
        }
    }

    static class Theirs {
        public static void twice() {
            step();
            step();
        }
    }

    private static void step() {
        synchronized (LOCK) { //! atomicity predicted AtomicOnlyHere$Ours.twice
            value++; //! atomicity predicted AtomicOnlyHere$Ours.twice
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(Ours::twice, Ours::callHidden, Theirs::twice);
        System.out.println(value == 6 ? "ok" : "lost");
    }
}
