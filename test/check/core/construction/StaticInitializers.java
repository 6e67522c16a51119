import net.jcip.annotations.GuardedBy;

/** A class's own static fields are free in its static initializer, those of others are not. */
final class StaticInitializers {
    @GuardedBy("StaticInitializers.class") private static int count = 4; // silent
    @GuardedBy("StaticInitializers.class") private static int[] table = {1, 2, 3}; // silent
    private static final Object LOCK = new Object();
    @GuardedBy("LOCK") private static StaticInitializers instance;
    @GuardedBy("this") private int value;

    static {
        count++; // silent
        table[0] = count; // silent
        instance = new StaticInitializers(); // silent
        Other.number = 1; // expect: guard-not-held
        synchronized (Other.class) {
            Other.number = 2; // silent
        }
        for (int i = 0; i < table.length; i++) { // silent
            count += table[i]; // silent
        }
    }

    private static final Runnable TASK = () -> count++; // expect: guard-not-held

    private static final Runnable RIGHT = () -> { synchronized (StaticInitializers.class) { count++; } }; // silent

    static final class Other {
        @GuardedBy("Other.class") private static int number = count(); // silent

        static {
            number++; // silent
            StaticInitializers.count = number; // expect: guard-not-held; another class's
        }

        static int count() {
            return 3;
        }
    }

    static void later() {
        count++; // expect: guard-not-held
        table[1] = 2; // expect: guard-not-held
        synchronized (LOCK) {
            instance = null; // silent
        }
    }
}
