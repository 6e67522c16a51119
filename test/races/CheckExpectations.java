import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
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

    /** {@code //! race GRADE TYPE.MEMBER} at a line. */
    record Expectation(int line, String grade, String type, String member) {
        boolean matches(Finding finding) {
            return isFor(finding) && grade.equals(finding.grade);
        }

        boolean isFor(Finding finding) {
            return finding.rule.equals("race") && type.equals(finding.type)
                    && (member.equals("*") || member.equals(finding.member));
        }

        @Override
        public String toString() {
            return "race " + grade + " " + type + "." + member;
        }
    }

    /** What the tool found, with the places (file:line) where its accesses are. */
    record Finding(String rule, String grade, String type, String member, Set<String> tops) {
        @Override
        public String toString() {
            return rule + " " + grade + " " + type + "." + member + " at " + String.join(", ", tops);
        }
    }

    /** A program, and what it expects. */
    record Program(String name, List<Expectation> expectations, List<String> mistakes) {
        private static final Pattern MARK = Pattern.compile("//!\\s*((?:(?!//!).)*)");
        private static final Pattern RACE =
                Pattern.compile("race (observed|predicted|discipline) ([\\w.$]+)\\.([\\w$]+(?:\\[\\])*|\\*)\\s*");
        private static final Pattern OTHER = Pattern.compile("(options|needs): *\\S.*");

        static Program read(Path source) throws IOException {
            Program program = new Program(source.getFileName().toString(), new ArrayList<>(), new ArrayList<>());
            List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++) {
                Matcher mark = MARK.matcher(lines.get(i));
                while (mark.find()) {
                    program.add(mark.group(1), i + 1);
                }
            }
            return program;
        }

        private void add(String mark, int line) {
            Matcher race = RACE.matcher(mark);
            if (race.matches()) {
                expectations.add(new Expectation(line, race.group(1), race.group(2), race.group(3)));
            } else if (!OTHER.matcher(mark).matches()) {
                mistakes.add("line " + line + ": this is no expectation: //! " + mark);
            }
        }
    }

    private final Map<Path, Program> programs = new HashMap<>();
    private int runs;
    private int failures;

    public static void main(String[] arguments) throws IOException {
        CheckExpectations check = new CheckExpectations();
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            String[] fields = line.split("\t");
            check.run(Path.of(fields[0]), fields[1], Path.of(fields[2]));
        }
        long wrong = check.programs.values().stream().filter(program -> !program.expectations.isEmpty()).count();
        System.out.println(check.programs.size() + " programs (" + wrong + " with races), " + check.runs + " runs, "
                + check.failures + " differences");
        System.exit(check.failures == 0 && check.runs > 0 ? 0 : 1);
    }

    private void run(Path source, String label, Path folder) throws IOException {
        Program program = programs.get(source);
        if (program == null) {
            program = Program.read(source);
            programs.put(source, program);
            for (String mistake : program.mistakes) {
                fail(source.getFileName().toString(), mistake);
            }
        }
        runs++;
        String where = source.getParent().getFileName() + "/" + program.name + ", " + label;
        checkEnd(program, where, folder);
        Path result = folder.resolve("result.json");
        if (!Files.isReadable(result)) {
            fail(where, "no result; " + lastError(folder));
            return;
        }
        try {
            compare(program, where, findings(new Json(Files.readString(result)).read()));
        } catch (IllegalArgumentException e) {
            fail(where, "the result is not as it should be: " + e.getMessage());
        }
    }

    private void checkEnd(Program program, String where, Path folder) throws IOException {
        String status = Files.readString(folder.resolve("status")).strip();
        int expected = program.expectations.isEmpty() ? 0 : FOUND;
        if (!status.equals(Integer.toString(expected))) {
            fail(where, "expected exit status " + expected + ", found " + status
                    + (status.equals("124") || status.equals("137") ? " (it took too long)" : "")
                    + "; " + lastError(folder));
        }
        String output = Files.readString(folder.resolve("stdout"));
        if (!output.equals("ok\n")) {
            fail(where, "expected the output ok, found " + Json.quoted(shortened(output)));
        }
    }

    private void compare(Program program, String where, List<Finding> findings) {
        for (Expectation expectation : program.expectations) {
            String place = program.name + ":" + expectation.line;
            if (findings.stream().noneMatch(found -> expectation.matches(found) && found.tops.contains(place))) {
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
            if (program.expectations.stream().noneMatch(expectation -> expectation.matches(found))) {
                fail(where, "expected nothing, found " + found);
            }
        }
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

    private static List<Finding> findings(Object result) {
        List<Finding> findings = new ArrayList<>();
        for (Object item : Json.list(Json.object(result), "findings", true)) {
            Map<?, ?> finding = Json.object(item);
            Set<String> tops = new TreeSet<>();
            for (Object part : Json.list(finding, "stacks", false)) {
                Map<?, ?> stack = Json.object(part);
                List<?> frames = Json.list(stack, "frames", false);
                boolean access = !Json.text(stack, "role").startsWith("thread ");
                if (access && !frames.isEmpty()) {
                    Map<?, ?> top = Json.object(frames.get(0));
                    tops.add(Json.text(top, "file") + ":" + Json.number(top, "line"));
                }
            }
            findings.add(new Finding(Json.text(finding, "rule"), Json.text(finding, "grade"),
                    Json.text(finding, "class"), Json.text(finding, "member"), tops));
        }
        return findings;
    }

    /** Reads JSON into maps, lists, strings, doubles, booleans and null. */
    private static final class Json {
        private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");

        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object read() {
            Object value = value();
            skipSpace();
            if (at != text.length()) {
                throw wrong("something after the end");
            }
            return value;
        }

        private Object value() {
            skipSpace();
            switch (at < text.length() ? text.charAt(at) : ' ') {
                case '{':
                    return object();
                case '[':
                    return list();
                case '"':
                    return string();
                case 't':
                    return word("true", Boolean.TRUE);
                case 'f':
                    return word("false", Boolean.FALSE);
                case 'n':
                    return word("null", null);
                default:
                    return number();
            }
        }

        private Map<String, Object> object() {
            Map<String, Object> members = new LinkedHashMap<>();
            at++;
            if (next('}')) {
                return members;
            }
            do {
                skipSpace();
                if (at >= text.length() || text.charAt(at) != '"') {
                    throw wrong("a name is missing");
                }
                String name = string();
                expect(':');
                if (members.containsKey(name)) {
                    throw wrong("a second " + name);
                }
                members.put(name, value());
            } while (next(','));
            expect('}');
            return members;
        }

        private List<Object> list() {
            List<Object> items = new ArrayList<>();
            at++;
            if (next(']')) {
                return items;
            }
            do {
                items.add(value());
            } while (next(','));
            expect(']');
            return items;
        }

        private String string() {
            StringBuilder content = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == '"') {
                    at++;
                    return content.toString();
                } else if (c < ' ') {
                    throw wrong("a control character in a string");
                } else if (c != '\\') {
                    content.append(c);
                } else if (++at < text.length()) {
                    content.append(escaped(text.charAt(at)));
                }
            }
            throw wrong("a string without an end");
        }

        private char escaped(char c) {
            int known = "\"\\/bfnrt".indexOf(c);
            if (known >= 0) {
                return "\"\\/\b\f\n\r\t".charAt(known);
            }
            if (c != 'u' || at + 4 >= text.length()) {
                throw wrong("an unknown escape");
            }
            at += 4;
            try {
                return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
            } catch (NumberFormatException e) {
                throw wrong("an unknown escape");
            }
        }

        private Double number() {
            Matcher number = NUMBER.matcher(text).region(Math.min(at, text.length()), text.length());
            if (!number.lookingAt()) {
                throw wrong("a value is missing");
            }
            at = number.end();
            return Double.valueOf(number.group());
        }

        private Object word(String word, Object value) {
            if (!text.startsWith(word, at)) {
                throw wrong("a value is missing");
            }
            at += word.length();
            return value;
        }

        private boolean next(char c) {
            skipSpace();
            boolean is = at < text.length() && text.charAt(at) == c;
            at += is ? 1 : 0;
            return is;
        }

        private void expect(char c) {
            if (!next(c)) {
                throw wrong("no " + c);
            }
        }

        private void skipSpace() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("not JSON, " + what + " at offset " + at);
        }

        static Map<?, ?> object(Object value) {
            if (value instanceof Map<?, ?> members) {
                return members;
            }
            throw new IllegalArgumentException("no object where there should be one");
        }

        static List<?> list(Map<?, ?> object, String name, boolean needed) {
            if (object.get(name) instanceof List<?> items) {
                return items;
            }
            if (needed || object.containsKey(name)) {
                throw new IllegalArgumentException("no list " + name);
            }
            return List.of();
        }

        /** A text that is not there is an empty one. */
        static String text(Map<?, ?> object, String name) {
            return object.get(name) instanceof String text ? text : "";
        }

        static int number(Map<?, ?> object, String name) {
            return object.get(name) instanceof Double number ? number.intValue() : 0;
        }

        static String quoted(String text) {
            return '"' + text.replace("\n", "\\n") + '"';
        }
    }
}
