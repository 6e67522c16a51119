import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the results of the runs in a plan (made by run.sh: source, label, result folder, ... separated by tabs) with
 * the {@code //!} lines of their programs. One line for each difference, then a count; status 1 if there are any.
 */
public final class CheckExpectations {
    private static final int FOUND = 66;

    /** What is said of a line. */
    enum Kind {
        RACE("race"),
        ATOMICITY("atomicity"),
        ENTERED("atomicity"),
        COMMITS("atomicity"),
        DEADLOCK("deadlock");

        final String rule;

        Kind(String rule) {
            this.rule = rule;
        }

        /** Whether a stack with this role shows the line that is meant. */
        boolean isShownBy(String role) {
            switch (this) {
                case RACE:
                    return !role.startsWith("thread ");
                case ATOMICITY:
                    return role.equals("violated at");
                case ENTERED:
                    return role.equals("entered");
                case COMMITS:
                    return role.equals("commits at");
                default:
                    return role.equals("acquires");
            }
        }
    }

    /**
     * A finding to be expected at a line. Not all parts are there for all kinds: a deadlock has threads only.
     *
     * @param locks how many are held at the line, or their names; of a deadlock the names of its locks; "" for any
     * @param shared how many of them in shared mode, or ANY
     * @param between the name of the lock that kept the accesses apart, or ""
     * @param using the class of the collection that the block uses twice, or ""
     */
    record Expectation(int line, Kind kind, String grade, String type, String member, int threads, String locks,
            int shared, String between, String using) {
        static final int ANY = -1;

        boolean isShownBy(Stack stack, String place) {
            return kind.isShownBy(stack.role) && stack.top.equals(place)
                    && (kind == Kind.DEADLOCK || areMeant(stack.locks)) && (shared == ANY || shared == stack.shared);
        }

        boolean matches(Finding finding) {
            return isFor(finding) && (grade.isEmpty() || grade.equals(finding.grade))
                    && (between.isEmpty() || finding.message.contains("In this run " + between + "@"))
                    && (using.isEmpty() || finding.message.matches(".* uses " + Pattern.quote(using) + "@(\\w+) and "
                            + "before it uses " + Pattern.quote(using) + "@\\1\\..*"))
                    && (kind != Kind.DEADLOCK || areMeant(finding.locks));
        }

        private boolean areMeant(List<String> found) {
            List<String> names = new ArrayList<>(List.of(locks.split(", *")));
            Collections.sort(names);
            return locks.isEmpty() || locks.equals(Integer.toString(found.size())) || names.equals(found);
        }

        boolean isFor(Finding finding) {
            if (!kind.rule.equals(finding.rule)) {
                return false;
            }
            if (kind == Kind.DEADLOCK) {
                return threads == finding.count(kind);
            }
            return type.equals(finding.type) && (member.equals("*") || member.equals(finding.member));
        }

        @Override
        public String toString() {
            String name = kind.name().toLowerCase(Locale.ROOT);
            return kind == Kind.DEADLOCK ? name + " " + grade + " " + threads + (locks.isEmpty() ? "" : " of " + locks)
                    : name + (grade.isEmpty() ? "" : " " + grade) + " " + type + "." + member
                            + (locks.isEmpty() ? "" : " holding " + locks)
                            + (shared == ANY ? "" : " sharing " + shared)
                            + (between.isEmpty() ? "" : " between " + between)
                            + (using.isEmpty() ? "" : " using " + using);
        }
    }

    /** A stack of a finding: the place at its top, the names of the locks held there, and how many of them in shared mode. */
    record Stack(String role, String top, List<String> locks, int shared) {
    }

    /** What the tool found. */
    record Finding(String rule, String grade, String type, String member, String message, List<String> locks,
            List<Stack> stacks) {
        Set<String> tops(Kind kind) {
            Set<String> tops = new TreeSet<>();
            for (Stack stack : stacks) {
                if (kind.isShownBy(stack.role)) {
                    tops.add(stack.top);
                }
            }
            return tops;
        }

        long count(Kind kind) {
            return stacks.stream().filter(stack -> kind.isShownBy(stack.role)).count();
        }

        @Override
        public String toString() {
            List<String> places = new ArrayList<>();
            for (Stack stack : stacks) {
                places.add(stack.role + " " + stack.top + " holding " + stack.locks + " sharing " + stack.shared);
            }
            return rule + " " + grade + " " + type + "." + member + " (" + String.join(", ", places) + ") of "
                    + locks + ": " + message;
        }
    }

    /**
     * A program, and what it expects, by the options that are added; "" for without any.
     *
     * @param types the places where its types begin
     */
    record Program(String name, Map<String, List<Expectation>> expectations, Set<String> types, List<String> mistakes) {
        private static final Pattern TYPE = Pattern.compile(".*\\b(class|interface|enum|record) [A-Z].*");
        private static final Pattern MARK = Pattern.compile("//!\\s*((?:(?!//!).)*)");
        private static final Pattern WITH = Pattern.compile("with (--[^:]+): *(.*)");
        private static final String NAMES = "[\\w.$]+(?:, *[\\w.$]+)*";
        private static final Pattern GRADED = Pattern.compile(
                "(race|atomicity) (observed|predicted|discipline) ([\\w.$]+)\\.([\\w$]+(?:\\[\\])*|\\*)"
                        + "(?: holding (\\d+|" + NAMES + "))?(?: sharing (\\d+))?(?: between ([\\w.$]+))?"
                        + "(?: using ([\\w.$]+))?\\s*");
        private static final Pattern PART = Pattern.compile("(entered|commits) ([\\w.$]+)\\.([\\w$]+)\\s*");
        private static final Pattern DEADLOCK =
                Pattern.compile("deadlock (?:(observed) )?(\\d+)(?: of (" + NAMES + "))?(?: sharing (\\d+))?\\s*");
        private static final Pattern OTHER = Pattern.compile("(options|needs): *\\S.*");

        static Program read(Path source) throws IOException {
            String name = source.getFileName().toString();
            Program program = new Program(name, new HashMap<>(), new TreeSet<>(), new ArrayList<>());
            List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++) {
                if (TYPE.matcher(lines.get(i)).matches()) {
                    program.types.add(name + ":" + (i + 1));
                }
                int line = i;
                while (lines.get(line).strip().startsWith("//!") && line + 1 < lines.size()) {
                    line++;
                }
                Matcher mark = MARK.matcher(lines.get(i));
                while (mark.find()) {
                    program.add(mark.group(1), line + 1);
                }
            }
            return program;
        }

        private void add(String mark, int line) {
            Matcher with = WITH.matcher(mark);
            boolean more = with.matches();
            Expectation expectation = expectation(more ? with.group(2) : mark, line);
            if (expectation != null) {
                expectations.computeIfAbsent(more ? with.group(1) : "", key -> new ArrayList<>()).add(expectation);
            } else if (!OTHER.matcher(mark).matches()) {
                mistakes.add("line " + line + ": this is no expectation: //! " + mark);
            }
        }

        private static int number(String text) {
            return text == null ? Expectation.ANY : Integer.parseInt(text);
        }

        private static Expectation expectation(String text, int line) {
            Matcher graded = GRADED.matcher(text);
            Matcher part = PART.matcher(text);
            Matcher deadlock = DEADLOCK.matcher(text);
            if (graded.matches()) {
                return new Expectation(line, kind(graded), graded.group(2), graded.group(3), graded.group(4), 0,
                        orEmpty(graded.group(5)), number(graded.group(6)), orEmpty(graded.group(7)),
                        orEmpty(graded.group(8)));
            } else if (part.matches()) {
                return new Expectation(line, kind(part), "", part.group(2), part.group(3), 0, "", Expectation.ANY, "", "");
            } else if (deadlock.matches()) {
                String grade = deadlock.group(1) == null ? "predicted" : deadlock.group(1);
                int threads = Integer.parseInt(deadlock.group(2));
                return new Expectation(line, Kind.DEADLOCK, grade, "", "", threads, orEmpty(deadlock.group(3)),
                        number(deadlock.group(4)), "", "");
            }
            return null;
        }

        private static String orEmpty(String text) {
            return text == null ? "" : text;
        }

        private static Kind kind(Matcher matcher) {
            return Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
        }

        /** What is expected anyway, and what with these options. */
        List<Expectation> with(String options) {
            List<Expectation> all = new ArrayList<>(expectations.getOrDefault("", List.of()));
            if (!options.isEmpty()) {
                all.addAll(expectations.getOrDefault(options, List.of()));
            }
            return all;
        }
    }

    private final Map<Path, Program> programs = new HashMap<>();
    private int runs;
    private int failures;

    public static void main(String[] arguments) throws IOException {
        CheckExpectations check = new CheckExpectations();
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            String[] fields = line.split("\t");
            check.run(Path.of(fields[0]), fields[1], Path.of(fields[2]), fields[5].equals("-") ? "" : fields[5]);
        }
        long wrong = check.programs.values().stream().filter(program -> !program.expectations.isEmpty()).count();
        System.out.println(check.programs.size() + " programs (" + wrong + " with findings), " + check.runs + " runs, "
                + check.failures + " differences");
        System.exit(check.failures == 0 && check.runs > 0 ? 0 : 1);
    }

    private void run(Path source, String label, Path folder, String options) throws IOException {
        Program program = programs.get(source);
        if (program == null) {
            program = Program.read(source);
            programs.put(source, program);
            for (String mistake : program.mistakes) {
                fail(source.getFileName().toString(), mistake);
            }
        }
        runs++;
        List<Expectation> expectations = program.with(options);
        String where = source.getParent().getFileName() + "/" + program.name + ", " + label;
        checkEnd(expectations.isEmpty() ? 0 : FOUND, where, folder);
        Path result = folder.resolve("result.json");
        if (!Files.isReadable(result)) {
            fail(where, "no result; " + lastError(folder));
            return;
        }
        try {
            compare(program.name, expectations, where,
                    findings(program, new Json(Files.readString(result)).read()));
        } catch (IllegalArgumentException e) {
            fail(where, "the result is not as it should be: " + e.getMessage());
        }
    }

    private void checkEnd(int expected, String where, Path folder) throws IOException {
        String status = Files.readString(folder.resolve("status")).strip();
        if (!status.equals(Integer.toString(expected))) {
            fail(where, "expected exit status " + expected + ", found " + status
                    + (status.equals("124") || status.equals("137") ? " (it took too long)" : "")
                    + "; " + lastError(folder));
        }
        String output = Files.readString(folder.resolve("stdout"));
        if (!output.equals("ok\n")) {
            fail(where, "expected the output ok, found " + Json.quoted(shortened(output)));
        }
        if (Files.readString(folder.resolve("stderr")).contains("turnstile: ")) {
            fail(where, "expected that nothing is to be told but findings; " + lastError(folder));
        }
    }

    private void compare(String file, List<Expectation> expectations, String where, List<Finding> findings) {
        for (Expectation expectation : expectations) {
            String place = file + ":" + expectation.line;
            if (findings.stream().noneMatch(found -> expectation.matches(found)
                    && found.stacks.stream().anyMatch(stack -> expectation.isShownBy(stack, place)))) {
                Set<String> instead = new LinkedHashSet<>();
                for (Finding found : findings) {
                    if (expectation.isFor(found)) {
                        instead.add(found.toString());
                    }
                }
                fail(where, "line " + expectation.line + ": expected " + expectation + ", found "
                        + (instead.isEmpty() ? "nothing of it" : String.join("; ", instead)));
            }
        }
        for (Finding found : findings) {
            if (!isExplained(file, expectations, found)) {
                fail(where, "expected nothing, found " + found);
            }
        }
    }

    /** For a race a line that is expected will do; blocks and deadlocks must be at such lines only. */
    private static boolean isExplained(String file, List<Expectation> expectations, Finding found) {
        Set<String> places = new TreeSet<>();
        Kind kind = null;
        for (Expectation expectation : expectations) {
            if (expectation.matches(found) && expectation.kind != Kind.ENTERED && expectation.kind != Kind.COMMITS) {
                kind = expectation.kind;
                places.add(file + ":" + expectation.line);
            }
        }
        return kind == Kind.RACE || (kind != null && places.containsAll(found.tops(kind)));
    }

    private void fail(String where, String what) {
        failures++;
        System.out.println(where + ": " + what);
    }

    private static String lastError(Path folder) throws IOException {
        String error = Files.readString(folder.resolve("stderr")).strip();
        return error.isEmpty() ? "no message" : "message: " + Json.quoted(shortened(error));
    }

    private static String shortened(String text) {
        return text.length() <= 300 ? text : text.substring(0, 300) + "...";
    }

    private static List<Finding> findings(Program program, Object result) {
        List<Finding> findings = new ArrayList<>();
        for (Object item : Json.list(Json.object(result), "findings", true)) {
            Map<?, ?> finding = Json.object(item);
            String rule = Json.text(finding, "rule");
            List<Stack> stacks = new ArrayList<>();
            for (Object part : Json.list(finding, "stacks", false)) {
                Map<?, ?> stack = Json.object(part);
                List<?> frames = Json.list(stack, "frames", false);
                checkFrames(program, frames);
                boolean race = rule.equals(Kind.RACE.rule);
                List<?> locks = Json.list(stack, "locks", false);
                long shared = locks.stream().filter(lock -> ((String) lock).endsWith(" (shared)")).count();
                stacks.add(new Stack(Json.text(stack, "role"), race ? place(frames, 0) : top(program.name, frames),
                        locks(stack), (int) shared));
            }
            findings.add(new Finding(rule, Json.text(finding, "grade"), Json.text(finding, "class"),
                    Json.text(finding, "member"), Json.text(finding, "message"), locks(finding), stacks));
        }
        return findings;
    }

    /** Methods that nobody wrote are not shown: those of lambdas' classes, and bridges, which stand where the class begins. */
    private static void checkFrames(Program program, List<?> frames) {
        String inner = "";
        for (int i = 0; i < frames.size(); i++) {
            Map<?, ?> frame = Json.object(frames.get(i));
            String method = Json.text(frame, "class") + "." + Json.text(frame, "method");
            boolean bridge = method.equals(inner) && program.types.contains(place(frames, i));
            if (bridge || method.contains("$$Lambda") || method.contains("LambdaForm$")) {
                throw new IllegalArgumentException("a stack with " + method + " at " + place(frames, i));
            }
            inner = method;
        }
    }

    /** What the locks are called, in order and without the numbers of the objects. */
    private static List<String> locks(Map<?, ?> owner) {
        List<String> names = new ArrayList<>();
        for (Object lock : Json.list(owner, "locks", false)) {
            String name = String.valueOf(lock);
            names.add(name.substring(0, Math.max(name.lastIndexOf('@'), 0)));
        }
        Collections.sort(names);
        return names;
    }

    /** The place of the first frame in the file: locks are often taken by what the program calls. */
    private static String top(String file, List<?> frames) {
        for (int i = 0; i < frames.size(); i++) {
            if (Json.text(Json.object(frames.get(i)), "file").equals(file)) {
                return place(frames, i);
            }
        }
        return place(frames, 0);
    }

    private static String place(List<?> frames, int index) {
        if (index >= frames.size()) {
            return "nowhere";
        }
        Map<?, ?> frame = Json.object(frames.get(index));
        return Json.text(frame, "file") + ":" + Json.number(frame, "line");
    }
}
