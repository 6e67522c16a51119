import net.jcip.annotations.GuardedBy;
import java.util.List;
import java.util.Map;

/** What a method has made and nobody else can know yet needs no lock, until it is handed out. */
final class FreshObjects {
    @GuardedBy("this") private int value;
    @GuardedBy("this") private FreshObjects next;
    @GuardedBy("FreshObjects.class") private static FreshObjects shared;
    private static final FreshObjects[] SLOTS = new FreshObjects[4];

    @GuardedBy("this")
    void change() {
        value++; // silent
    }

    static FreshObjects factory(int value) {
        FreshObjects made = new FreshObjects();
        made.value = value; // silent
        made.value++; // silent
        int copy = made.value; // silent
        return made;
    }

    static void requires() {
        FreshObjects made = new FreshObjects();
        made.value = 1; // silent
        made.change(); // expect: requires-not-held
    }

    static void storedInStatic() {
        FreshObjects made = new FreshObjects();
        made.value = 1; // silent
        synchronized (FreshObjects.class) {
            shared = made; // silent
        }
        made.value = 2; // expect: guard-not-held
    }

    synchronized void storedInField() {
        FreshObjects made = new FreshObjects();
        made.value = 1; // silent
        next = made; // silent
        made.value = 2; // expect: guard-not-held
        synchronized (made) {
            made.value = 3; // silent
        }
    }

    static void storedInArray() {
        FreshObjects made = new FreshObjects();
        made.value = 1; // silent
        SLOTS[0] = made;
        made.value = 2; // expect: guard-not-held
    }

    static void passed(List<FreshObjects> list, Map<String, FreshObjects> map) {
        FreshObjects first = new FreshObjects();
        FreshObjects second = new FreshObjects();
        first.value = 1; // silent
        list.add(first);
        first.value = 2; // expect: guard-not-held
        second.value = 3; // silent: the other one is still ours
        map.put("key", second);
        second.value++; // expect: guard-not-held
    }

    static Runnable captured() {
        FreshObjects made = new FreshObjects();
        made.value = 1; // silent
        Runnable task = () -> { synchronized (made) { made.value++; } }; // silent
        made.value = 2; // expect: guard-not-held
        return task;
    }

    static void onOnePath(boolean condition, List<FreshObjects> list) {
        FreshObjects made = new FreshObjects();
        if (condition) {
            list.add(made);
        } else {
            made.value = 1; // silent
        }
        made.value = 2; // expect: guard-not-held
    }

    static void freshOrNot(boolean condition, FreshObjects known) {
        FreshObjects object = condition ? new FreshObjects() : known;
        object.value = 1; // expect: guard-not-held
    }

    static void inLoop(List<FreshObjects> list) {
        for (int i = 0; i < 10; i++) {
            FreshObjects made = new FreshObjects();
            made.value = i; // silent: a new one each time
            list.add(made);
        }
    }

    static void handedOutBefore(List<FreshObjects> list) {
        FreshObjects made = new FreshObjects();
        for (int i = 0; i < 10; i++) {
            made.value = i; // expect: guard-not-held; from the second time on it is in the list
            list.add(made);
        }
    }

    void leak(FreshObjects known) {
        synchronized (known) {
            known.next = this; // silent
        }
    }

    static void receiver(FreshObjects known) {
        FreshObjects made = new FreshObjects();
        made.value = 1; // silent
        made.leak(known);
        made.value = 2; // expect: guard-not-held; leak has handed it out
    }

    static FreshObjects returned(boolean condition) {
        FreshObjects made = new FreshObjects();
        if (condition) {
            return made;
        }
        made.value = 5; // silent: on this path it was not returned
        return made;
    }

    static void linked() {
        FreshObjects first = new FreshObjects();
        FreshObjects second = new FreshObjects();
        second.value = 1; // silent
        synchronized (first) {
            second.value = 2; // silent
        }
    }
}
