/** The order in which classes are initialized, and by what. */
public class Initialization {
    static int say(String what) {
        System.out.println(what);
        return what.length();
    }

    static class Parent {
        static int inherited = say("Parent");
        static final int CONSTANT = 5;
        static final Integer BOXED = say("Parent boxed");

        static void method() { say("Parent.method"); }
    }

    static class Child extends Parent {
        static int own = say("Child");
    }

    static class Written {
        static int field = say("Written");
        static long[] array = {say("Written array")};
    }

    interface Quiet {
        int VALUE = say("Quiet");
        int CONSTANT = 3;
    }

    interface Loud {
        int VALUE = say("Loud");

        default void method() { say("Loud.method"); }
    }

    static class Implementation implements Quiet, Loud {
        static int own = say("Implementation");
        int field = say("Implementation field");
    }

    static class Circular {
        static int first = Other.second + 1;
        static int third = say("Circular " + first + Other.second);
    }

    static class Other {
        static int second = Circular.first + 10;
        static int fourth = say("Other " + second + Circular.third);
    }

    static class Broken {
        static int value = 5;
        static int[] array = new int[2];

        static {
            say("Broken");
            value = array[value];
        }
    }

    static class BrokenChild extends Broken {
        int field;

        static int ask() { return say("never"); }
    }

    enum Early {
        ONE, TWO;

        static int count = say("Early count");
        final int made;

        Early() { made = say("Early " + name()); }
    }

    static class Never {
        static {
            say("Never is initialized");
        }

        int field;
        static final String CONSTANT = "constant";
    }

    static class Slow {
        static int value;

        static {
            value = 1;
            Thread current = Thread.currentThread();
            say("Slow in " + current.getName());
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            value = 42;
        }
    }

    static class Lazy {
        private static class Holder {
            static final int[] DATA = {say("Holder")};
        }

        static int[] data() { return Holder.DATA; }
    }

    static void attempt(Runnable code) {
        try {
            code.run();
        } catch (Throwable thrown) {
            System.out.println(thrown + " at " + (thrown.getStackTrace().length > 0 ? thrown.getStackTrace()[0] : "nowhere"));
            for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
                System.out.println("  because of " + cause + " at " + cause.getStackTrace()[0]);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        say("main " + Child.CONSTANT + Quiet.CONSTANT + Never.CONSTANT);
        say("inherited through the child " + Child.inherited);
        Child.inherited = 4;
        Child.method();
        say("own " + Child.own);
        Written.field = say("right side first");
        say("written " + Written.field);
        Written.array[0]++;
        Implementation implementation = new Implementation();
        say("quiet " + Implementation.own + " " + Quiet.VALUE + implementation.field);
        say("circular " + Circular.first + " " + Circular.third + " " + Other.second + " " + Other.fourth);
        attempt(() -> say("broken " + Broken.value));
        attempt(() -> say("broken " + Broken.value));
        attempt(() -> Broken.array[0] = 1);
        attempt(() -> BrokenChild.ask());
        attempt(() -> new BrokenChild().field++);
        say("early");
        say("enum " + Early.TWO.made + Early.count);
        Never[] never = new Never[2];
        attempt(() -> never[0].field = 1);
        say(Never.class.getName() + (((Object) never) instanceof Never[]));
        Class<?> unloaded = Class.forName("Initialization$Lazy", false, Initialization.class.getClassLoader());
        say("lazy " + unloaded.getSimpleName());
        say("data " + Lazy.data()[0]);
        Thread[] threads = new Thread[3];
        int[] seen = new int[3];
        for (int i = 0; i < 3; i++) {
            int index = i;
            threads[i] = new Thread(() -> seen[index] = Slow.value, "any");
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        say("slow " + seen[0] + seen[1] + seen[2]);
    }
}
