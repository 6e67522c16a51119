import java.util.concurrent.Callable;

/** Runs beside another agent, test/behaviour/agent/Neighbour.java, and calls on it. */
public class NeighbourProgram {
    static class Changed {
        int field = 1;
        static int shared = 10;
        private int[] array = {1, 2};

        synchronized String say() { return "before " + field++ + shared++ + array[1]++; }
    }

    static class Redefined {
        private long field = 1;
        static int shared = 20;

        String say() { return "before " + field++ + shared++; }
    }

    static class Kept {
        int field = 5;

        int next() { return field++; }
    }

    static void attempt(String what, Callable<?> code) {
        try {
            System.out.println(what + " " + code.call());
        } catch (Throwable thrown) {
            System.out.println(what + " " + thrown);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Changed changed = new Changed();
        Redefined redefined = new Redefined();
        Kept kept = new Kept();
        System.out.println(changed.say() + " " + redefined.say() + " " + kept.next());
        attempt("again", () -> { Neighbour.again(Kept.class, Changed.class, NeighbourProgram.class); return 0; });
        System.out.println(changed.say() + " " + redefined.say() + " " + kept.next() + " " + new Kept().next());
        attempt("same", () -> { Neighbour.define(Redefined.class, false); return 0; });
        System.out.println(redefined.say() + " " + Redefined.class.getDeclaredFields().length);
        attempt("changed", () -> { Neighbour.define(Redefined.class, true); return 0; });
        System.out.println(redefined.say() + " " + redefined.field + " " + new Redefined().say());
        Thread thread = new Thread(() -> System.out.println(changed.say() + redefined.say() + kept.next()));
        thread.start();
        thread.join();
        System.out.println(Neighbour.seen() + " " + changed.field + Changed.class.getDeclaredMethods().length);
    }
}
