import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds what a dump shows against what a JVM did. Wrong is
 *
 * <ul>
 * <li>a method that ran and is not among the targets of its call, or a call that ran and is shown as unresolved,
 * <li>a call that never finds a method, but is shown as one that does,
 * <li>a target that never ran, where all that can run did, in a program without marker interfaces.
 * </ul>
 *
 * With marker interfaces, one program in a hundred may have more targets than ran. The call graph takes each interface of a lambda
 * by itself, which adds methods if one of them has a default method for what another, or the lambda, does.
 */
final class Comparison {
    private static final int ONE_IN_HAS_MORE = 100;
    private static final int RAN_IN_EACH = 5; // calls of a program, on average: with fewer, nothing would be shown
    private static final int ENOUGH = 10; // programs for an average
    private static final int TOLD = 10;
    /* Others are of receivers whose method the JVM finds, but does not run: the dump has it. */
    private static final Set<String> NOTHING_TO_RUN = Set.of("AbstractMethodError");
    private static final Set<String> NO_METHOD = Set.of("NoSuchMethodError");

    private final Dump dump;
    private final List<String> wrong = new ArrayList<>();
    private final List<String> more = new ArrayList<>();
    private final Set<Integer> programs = new HashSet<>();
    private final Set<Integer> withMore = new HashSet<>();
    private int calls;
    private int ran;
    private int exact; // calls of which the JVM has shown all that they can run

    Comparison(Dump dump) {
        this.dump = dump;
    }

    void compare(List<Observation> observations) {
        observations.forEach(this::compare);
    }

    private void compare(Observation observed) {
        programs.add(seed(observed));
        calls++;
        ran += observed.ran().isEmpty() ? 0 : 1;
        Dump.Call shown = dump.call(observed.caller(), observed.name());
        String mistake = mistake(shown, observed);
        if (mistake != null) {
            wrong.add(text(mistake, shown, observed));
        } else if (observed.complete() && !observed.ran().isEmpty() && NOTHING_TO_RUN.containsAll(observed.errors())) {
            exact++;
            if (!observed.ran().containsAll(shown.targets())) {
                addMore(text("shown with targets that never run", shown, observed), seed(observed));
            }
        }
    }

    private static String mistake(Dump.Call shown, Observation observed) {
        if (shown == null) {
            return "not in the dump";
        }
        if (!shown.targets().containsAll(observed.ran())) {
            return "runs what is not shown";
        }
        if (shown.unresolved() && !observed.ran().isEmpty()) {
            return "shown as unresolved, but runs";
        }
        if (!shown.unresolved() && observed.ran().isEmpty() && observed.errors().equals(NO_METHOD)) {
            return "shown as resolved, but there is no method";
        }
        return null;
    }

    private void addMore(String text, int seed) {
        if (new RandomProgram(seed).hasMarkers()) {
            more.add(text);
            withMore.add(seed);
        } else {
            wrong.add(text);
        }
    }

    private static int seed(Observation observed) {
        return RandomProgram.seedOf(observed.caller());
    }

    /** Enough to find the call, to make its program alone, and to see what is wrong. */
    private static String text(String what, Dump.Call shown, Observation observed) {
        Set<String> done = new TreeSet<>(observed.ran());
        done.addAll(observed.errors());
        return "seed " + seed(observed) + ": the call in " + observed.caller() + "." + observed.name()
                + ": " + what + "\n    the JVM:   " + String.join(", ", done)
                + "\n    the dump:  " + (shown == null ? "nothing" : shown.text());
    }

    /** False if something is wrong. */
    boolean tell(PrintStream out) {
        boolean tooMany = withMore.size() > 1 + programs.size() / ONE_IN_HAS_MORE;
        boolean tooFew = programs.isEmpty() || programs.size() >= ENOUGH && ran < programs.size() * RAN_IN_EACH;
        tell(wrong, out);
        if (tooMany) {
            tell(more, out);
        }
        if (tooFew) {
            out.println("there is too little to compare");
        }
        out.println("programs: " + programs.size() + "; calls: " + calls + ", of which " + ran + " ran; wrong: " + wrong.size()
                + "; with more targets than can run: " + more.size() + " of " + exact + ", in programs: " + withMore.size()
                + (tooMany ? ", which is too many" : ""));
        return wrong.isEmpty() && !tooMany && !tooFew;
    }

    private static void tell(List<String> texts, PrintStream out) {
        texts.stream().limit(TOLD).forEach(out::println);
        if (texts.size() > TOLD) {
            out.println("and " + (texts.size() - TOLD) + " more");
        }
    }
}
