import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares what {@code turnstile check} found in programs with what their sources expect; README.md says how they say
 * it. The plan has a line for each program: source and result, separated by a tab. One line for each difference, then
 * a count; status 1 if there are any differences.
 *
 * <p>{@code CompareFindings RULES PLAN}: the file of rules tells which names an expectation may use.
 */
public final class CompareFindings {
    private static final Pattern COMMENT =
            Pattern.compile("// (expect-class|expect|maybe|silent)\\b:?([^;]*)");

    private final Set<String> rules;
    private int expectations;
    private int silent;
    private int differences;

    private CompareFindings(Set<String> rules) {
        this.rules = rules;
    }

    /** What one file expects: for each line the rules, as often as they are written there. */
    private static final class Expected {
        final List<String> lines;
        final Map<Integer, List<String>> rules = new TreeMap<>();
        final Map<Integer, Set<String>> maybe = new TreeMap<>();

        Expected(List<String> lines) {
            this.lines = lines;
        }

        String line(int number) {
            return number >= 1 && number <= lines.size() ? lines.get(number - 1).strip() : "(no such line)";
        }
    }

    /** A rule that is expected about a member, whatever its line. */
    private record OfMember(String rule, String member) {
    }

    private record Finding(String rule, String type, String member, String file, int line, String message) {
    }

    public static void main(String[] arguments) throws IOException {
        Set<String> rules = new LinkedHashSet<>();
        Matcher id = Pattern.compile("RULE\\(\\w+, \"([a-z-]+)\"").matcher(Files.readString(Path.of(arguments[0])));
        while (id.find()) {
            rules.add(id.group(1));
        }
        CompareFindings comparison = new CompareFindings(rules);
        List<String> plan = Files.readAllLines(Path.of(arguments[1]));
        for (String program : plan) {
            String[] parts = program.split("\t");
            comparison.compare(Path.of(parts[0]), Path.of(parts[1]));
        }
        System.out.println(plan.size() + " programs, " + comparison.expectations + " expectations, "
                + comparison.silent + " lines that must stay silent, " + comparison.differences + " differences");
        System.exit(comparison.differences == 0 ? 0 : 1);
    }

    private void compare(Path source, Path result) throws IOException {
        Map<String, Expected> files = new LinkedHashMap<>();
        Set<OfMember> members = new LinkedHashSet<>();
        files.put(source.getFileName().toString(), read(source, members));
        Path locks = source.resolveSibling(source.getFileName().toString().replace(".java", ".locks"));
        if (Files.exists(locks)) {
            files.put(locks.getFileName().toString(), read(locks, members));
        }
        List<Finding> findings;
        try {
            findings = findings(Files.readString(result), source.getFileName().toString());
        } catch (IOException | RuntimeException e) {
            differs(source, 0, "no result that can be read: " + e, "");
            return;
        }
        Map<String, Map<Integer, Map<String, Set<String>>>> found = new LinkedHashMap<>();
        Set<OfMember> missingMembers = new LinkedHashSet<>(members);
        for (Finding finding : findings) {
            OfMember ofMember = new OfMember(finding.rule, finding.member);
            if (members.contains(ofMember)) {
                missingMembers.remove(ofMember);
            } else {
                found.computeIfAbsent(finding.file, file -> new TreeMap<>())
                        .computeIfAbsent(finding.line, line -> new LinkedHashMap<>())
                        .computeIfAbsent(finding.rule, rule -> new LinkedHashSet<>())
                        .add(finding.type + "." + finding.member);
                Expected expected = files.get(finding.file);
                if (expected == null || !isExpected(expected, finding)) {
                    differs(source.resolveSibling(finding.file), finding.line,
                            "unexpected " + finding.rule + " (" + finding.type + "." + finding.member + ": "
                                    + finding.message + ")",
                            expected == null ? "" : expected.line(finding.line));
                }
            }
        }
        for (OfMember member : missingMembers) {
            differs(source, 0, "missing " + member.rule + " about " + member.member, "");
        }
        files.forEach((name, expected) -> expected.rules.forEach((line, wanted) -> {
            Map<String, Set<String>> there = found.getOrDefault(name, Map.of()).getOrDefault(line, Map.of());
            for (String rule : new LinkedHashSet<>(wanted)) {
                long count = wanted.stream().filter(rule::equals).count();
                int subjects = there.getOrDefault(rule, Set.of()).size();
                if (subjects < count) {
                    differs(source.resolveSibling(name), line,
                            "missing " + rule + (subjects == 0 ? "" : " (found " + subjects + " of " + count + ")"),
                            expected.line(line));
                }
            }
        }));
    }

    private static boolean isExpected(Expected expected, Finding finding) {
        return expected.rules.getOrDefault(finding.line, List.of()).contains(finding.rule)
                || expected.maybe.getOrDefault(finding.line, Set.of()).contains(finding.rule);
    }

    private void differs(Path file, int line, String what, String text) {
        differences++;
        Path folder = file.getParent().getFileName();
        System.out.println(folder.resolve(file.getFileName()) + (line == 0 ? "" : ":" + line) + ": " + what
                + (text.isEmpty() ? "" : "\n    " + text));
    }

    private Expected read(Path file, Set<OfMember> members) throws IOException {
        Expected expected = new Expected(Files.readAllLines(file));
        for (int i = 0; i < expected.lines.size(); i++) {
            Matcher comment = COMMENT.matcher(expected.lines.get(i));
            if (comment.find()) {
                readComment(file, i + 1, comment.group(1), comment.group(2).strip(), expected, members);
            }
        }
        return expected;
    }

    private void readComment(Path file, int line, String kind, String text, Expected expected, Set<OfMember> members) {
        if (kind.equals("silent")) {
            silent++;
            return;
        }
        if (kind.equals("expect-class")) {
            String[] words = text.split(" +");
            check(file, line, words[0]);
            expectations++;
            members.add(new OfMember(words[0], words[1]));
            return;
        }
        for (String rule : text.split(", *")) {
            check(file, line, rule);
            if (kind.equals("maybe")) {
                expected.maybe.computeIfAbsent(line, number -> new LinkedHashSet<>()).add(rule);
            } else {
                expectations++;
                expected.rules.computeIfAbsent(line, number -> new ArrayList<>()).add(rule);
            }
        }
    }

    private void check(Path file, int line, String rule) {
        if (!rules.contains(rule)) {
            differs(file, line, "no such rule: " + rule, "");
        }
    }

    private static List<Finding> findings(String json, String defaultFile) {
        List<Finding> findings = new ArrayList<>();
        for (Object item : Json.list(Json.object(new Json(json).read()), "findings", true)) {
            Map<?, ?> finding = Json.object(item);
            String file = Json.text(finding, "file");
            findings.add(new Finding(Json.text(finding, "rule"), Json.text(finding, "class"),
                    Json.text(finding, "member"), file.isEmpty() ? defaultFile : Path.of(file).getFileName().toString(),
                    Json.number(finding, "line"), Json.text(finding, "message")));
        }
        return findings;
    }
}
