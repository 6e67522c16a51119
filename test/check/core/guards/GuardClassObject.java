import net.jcip.annotations.GuardedBy;

/** C.class: of the own class, of another one, and of a subclass that it is mistaken for. */
class GuardClassObject {
    @GuardedBy("GuardClassObject.class") private static int created;
    @GuardedBy("GuardClassObject.class") private int instanceField;
    @GuardedBy("Registry.class") private static String label;
    @GuardedBy("GuardClassObject.Registry.class") private static String title;

    static class Registry {
        @GuardedBy("GuardClassObject.class") private static int ofOuter;

        static synchronized void touch() {
            label = "a"; // silent
            title = "b"; // silent
            ofOuter++; // expect: guard-not-held
        }
    }

    static synchronized int next() {
        return ++created; // silent
    }

    static int nextWithout() {
        return ++created; // expect: guard-not-held
    }

    static int nextInBlock() {
        synchronized (GuardClassObject.class) {
            return created++; // silent
        }
    }

    synchronized int instanceMethod() {
        instanceField++; // expect: guard-not-held; the object is held, not the class
        return created; // expect: guard-not-held
    }

    int instanceBlock() {
        synchronized (GuardClassObject.class) {
            instanceField++; // silent
            return created; // silent
        }
    }

    static synchronized void wrongClass() {
        label = "c"; // expect: guard-not-held
        title = "d"; // expect: guard-not-held
        Registry.ofOuter++; // silent
        synchronized (Registry.class) {
            label = "e"; // silent
            title = "f"; // silent
        }
    }

    void dynamicClass() {
        synchronized (getClass()) {
            instanceField++; // expect: guard-not-held; it may be a subclass
        }
    }

    static final class Sub extends GuardClassObject {
        static synchronized void ofSub() {
            GuardClassObject.created++; // expect: guard-not-held; Sub.class is held
        }

        static void ofSuper() {
            synchronized (GuardClassObject.class) {
                GuardClassObject.created++; // silent
            }
        }
    }
}
