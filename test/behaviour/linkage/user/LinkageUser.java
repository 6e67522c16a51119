/** Uses a Target that has changed since: every error comes when it should, where it should, with its message. */
public class LinkageUser {
    static int calls;

    static int call() {
        System.out.print("called ");
        return ++calls;
    }

    static void attempt(String what, Runnable code) {
        for (int i = 0; i < 2; i++) {
            try {
                code.run();
                System.out.println(what + ": good");
            } catch (Throwable thrown) {
                System.out.println(what + ": " + thrown + " at " + thrown.getStackTrace()[0] + " of " + thrown.getStackTrace().length);
            }
        }
    }

    /** The class is not there; nobody minds unless it is used. */
    static int unused(boolean use) {
        Target.Gone gone = null;
        if (use) {
            gone.field = call();
            return gone.field + Target.Gone.shared;
        }
        return 1;
    }

    Target.Gone field;
    static Target.Gone[] shared = null;

    public static void main(String[] arguments) {
        Target target = new Target();
        attempt("removed", () -> System.out.println(target.removed));
        attempt("removed, written", () -> target.removed = call());
        attempt("hidden", () -> System.out.println(target.hiddenNow));
        attempt("hidden, written", () -> target.hiddenNow = call());
        attempt("static now", () -> System.out.println(target.staticNow));
        attempt("static now, written", () -> target.staticNow += call());
        attempt("instance now", () -> System.out.println(Target.instanceNow));
        attempt("instance now, written", () -> Target.instanceNow = call());
        attempt("other type", () -> System.out.println(target.otherType));
        attempt("final now", () -> System.out.println(target.finalNow));
        attempt("final now, written", () -> target.finalNow = call());
        attempt("moved", () -> System.out.println(target.moved++));
        attempt("array of another type", () -> System.out.println(Target.array[call()]));
        attempt("method", () -> System.out.println(target.method()));
        attempt("null and removed", () -> ((Target) null).removed = call());
        attempt("unused", () -> System.out.println(unused(false)));
        attempt("gone", () -> System.out.println(unused(true)));
        attempt("gone, made", () -> System.out.println(new Target.Gone().field));
        attempt("gone, fields", () -> System.out.println(new LinkageUser().field + " " + shared));
        attempt("gone, null", () -> System.out.println(new LinkageUser().field.field));
    }
}
