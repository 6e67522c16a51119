import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares inferred atomicities with expected ones, both in the syntax of .locks files. Two atomicities are equal if they
 * are so for every set of locks, however they are written. The plan has a line for each program: what is expected and
 * what was printed, separated by a tab. One line for each difference, then a count; status 1 if there are any.
 *
 * <p>All methods must be expected, but constructors and those that the compiler made may be left out. A method without an
 * atomicity may have any.
 */
public final class CompareAtomicities {
    private static final List<String> BASIC = List.of("const", "mover", "atomic", "cmpd", "error");

    /** What a method has, as text and as function; the latter is null if nothing is said. */
    private record Method(String text, Atomicity atomicity, boolean ordinary) {
    }

    /** A basic one, or a condition. */
    private record Atomicity(int basic, String lock, Atomicity held, Atomicity otherwise) {
        int at(Set<String> locks) {
            return lock == null ? basic : (locks.contains(lock) ? held : otherwise).at(locks);
        }

        void addLocks(Set<String> to) {
            if (lock != null) {
                to.add(lock);
                held.addLocks(to);
                otherwise.addLocks(to);
            }
        }
    }

    public static void main(String[] arguments) throws IOException {
        int methods = 0;
        int differences = 0;
        List<String> plan = Files.readAllLines(Path.of(arguments[0]));
        for (String program : plan) {
            String[] parts = program.split("\t");
            Map<String, Method> expected = new Reader(Files.readString(Path.of(parts[0]))).methods();
            Map<String, Method> actual = new Reader(Files.readString(Path.of(parts[1]))).methods();
            methods += expected.size();
            for (String difference : differences(expected, actual)) {
                System.out.println(Path.of(parts[0]).getFileName() + ": " + difference);
                differences++;
            }
        }
        System.out.println(plan.size() + " programs, " + methods + " methods, " + differences + " differences");
        System.exit(differences == 0 ? 0 : 1);
    }

    private static List<String> differences(Map<String, Method> expected, Map<String, Method> actual) {
        List<String> result = new ArrayList<>();
        expected.forEach((name, method) -> {
            Method found = actual.get(name);
            if (method.atomicity == null) {
                return;
            }
            if (found == null || found.atomicity == null) {
                result.add(name + " has no atomicity instead of " + method.text);
            } else if (!same(method.atomicity, found.atomicity)) {
                result.add(name + " is " + found.text + " instead of " + method.text);
            }
        });
        actual.forEach((name, method) -> {
            if (method.ordinary && !expected.containsKey(name)) {
                result.add(name + " is not expected: " + method.text);
            }
        });
        return result;
    }

    private static boolean same(Atomicity a, Atomicity b) {
        Set<String> all = new TreeSet<>();
        a.addLocks(all);
        b.addLocks(all);
        List<String> locks = List.copyOf(all);
        if (locks.size() > 16) {
            throw new IllegalStateException("too many locks: " + locks);
        }
        for (int held = 0; held < 1 << locks.size(); held++) {
            Set<String> set = new TreeSet<>();
            for (int i = 0; i < locks.size(); i++) {
                if ((held >> i & 1) != 0) {
                    set.add(locks.get(i));
                }
            }
            if (a.at(set) != b.at(set)) {
                return false;
            }
        }
        return true;
    }

    /** As much of a .locks file as is needed here. */
    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text.replaceAll("(?s)/\\*.*?\\*/", " ").replaceAll("//[^\n]*", " ").replaceAll("\\s+", " ");
        }

        Map<String, Method> methods() {
            Map<String, Method> methods = new LinkedHashMap<>();
            for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', at)) {
                String header = text.substring(at, open);
                at = text.indexOf('}', open);
                String type = simple(header.replaceAll("<.*", "").strip().replaceAll(".*\\b(class|interface|enum|record) ", "")
                        .replace("`", ""));
                for (String member : text.substring(open + 1, at).split(";")) {
                    if (member.contains("(")) {
                        add(methods, type, member.strip());
                    }
                }
                at++;
            }
            return methods;
        }

        private static void add(Map<String, Method> methods, String type, String member) {
            int open = member.indexOf('(');
            int close = member.indexOf(')', open);
            String name = member.substring(0, open).strip().replaceAll(".* ", "").replace("`", "");
            List<String> types = new ArrayList<>();
            Map<String, String> numbers = new LinkedHashMap<>();
            String list = member.substring(open + 1, close);
            while (!list.equals(list = list.replaceAll("<[^<>]*>", ""))) {
                continue;
            }
            for (String parameter : list.isBlank() ? new String[0] : list.split(",")) {
                String[] words = parameter.strip().split(" ");
                types.add(simple(words[0]).replaceAll(".*\\.", ""));
                if (words.length > 1) {
                    numbers.put(words[1], "#" + types.size());
                }
            }
            int clause = member.indexOf("atomicity ", close);
            String atomicity = clause < 0 ? "" : member.substring(clause + "atomicity ".length()).strip();
            boolean ordinary = !name.equals(type.replaceAll(".*\\.", "")) && !name.contains("$") && !name.startsWith("<");
            methods.put(type + "." + name + "(" + String.join(", ", types) + ")",
                    new Method(atomicity, atomicity.isEmpty() ? null : new Expression(atomicity, numbers).read(), ordinary));
        }

        /** The name of a class in its package. */
        private static String simple(String name) {
            return name.replace('$', '.').replaceAll("^([a-z]\\w*\\.)+", "");
        }
    }

    private static final class Expression {
        private final String text;
        private final Map<String, String> numbers;
        private int at;

        Expression(String text, Map<String, String> numbers) {
            this.text = text.replace(" ", "");
            this.numbers = numbers;
        }

        Atomicity read() {
            Atomicity result = part();
            if (at != text.length()) {
                throw new IllegalStateException("not an atomicity: " + text);
            }
            return result;
        }

        private Atomicity part() {
            if (skip('(')) {
                Atomicity result = part();
                if (!skip(')')) {
                    throw new IllegalStateException("')' is missing: " + text);
                }
                return result;
            }
            int start = at;
            while (at < text.length() && (isOfLock(text.charAt(at)) || text.startsWith("()", at))) {
                at += text.charAt(at) == '(' ? 2 : 1;
            }
            String word = text.substring(start, at);
            if (!skip('?')) {
                if (!BASIC.contains(word)) {
                    throw new IllegalStateException("not an atomicity: " + text);
                }
                return new Atomicity(BASIC.indexOf(word), null, null, null);
            }
            Atomicity held = part();
            Atomicity otherwise = skip(':') ? part() : new Atomicity(BASIC.indexOf("error"), null, null, null);
            return new Atomicity(0, lock(word), held, otherwise);
        }

        private static boolean isOfLock(char c) {
            return Character.isJavaIdentifierPart(c) || ".#<>`".indexOf(c) >= 0;
        }

        /** One name for each lock: parameters by number, fields of this object without `this`, short names of classes. */
        private String lock(String word) {
            String name = word.replace("`", "").replaceAll("\\$this$", "");
            int dot = name.indexOf('.');
            String first = dot < 0 ? name : name.substring(0, dot);
            name = numbers.getOrDefault(first, first) + (dot < 0 ? "" : name.substring(dot));
            return name.replaceAll("^this\\.", "").replaceAll("^([A-Za-z]\\w*\\.)*([A-Z]\\w*\\.)(?=(class|this)$)", "$2")
                    .replaceAll("^([a-z]\\w*\\.)*([A-Z]\\w*[.$])+(?!(class|this)$)", "");
        }

        private boolean skip(char c) {
            if (at < text.length() && text.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }
    }
}
