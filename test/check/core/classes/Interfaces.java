import net.jcip.annotations.GuardedBy;

/** Interfaces: constants as locks, default, static and private methods. */
interface Interfaces {
    Object LOCK = new Object();

    @GuardedBy("this")
    default void change() {
    }

    @GuardedBy("Interfaces.LOCK")
    default void changeAll() {
        changeEach(); // silent
        change(); // expect: requires-not-held
    }

    @GuardedBy("LOCK")
    private void changeEach() {
    }

    default void use() {
        change(); // expect: requires-not-held
        synchronized (this) {
            change(); // silent
            changeAll(); // expect: requires-not-held
        }
        synchronized (LOCK) {
            changeAll(); // silent
            changeEach(); // silent
        }
    }

    static void useStatic(Interfaces one) {
        one.change(); // expect: requires-not-held
        synchronized (one) {
            one.change(); // silent
        }
        synchronized (Interfaces.class) {
            one.changeAll(); // expect: requires-not-held
        }
    }

    class Implementation implements Interfaces {
        @GuardedBy("LOCK") private int all;
        @GuardedBy("Interfaces.LOCK") private int every;

        @Override
        public void changeAll() {
            all++; // silent: the clause comes with the method
            every++; // silent
        }

        void own() {
            all++; // expect: guard-not-held
            synchronized (LOCK) {
                all++; // silent
                Interfaces.super.changeAll(); // silent
            }
            Interfaces.super.changeAll(); // expect: requires-not-held
            synchronized (Interfaces.LOCK) {
                every++; // silent
            }
        }
    }
}
