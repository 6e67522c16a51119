import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the text of {@code turnstile dump --callgraph}, as far as random programs need it: each method has one call. */
final class Dump {
    private static final Pattern TYPE = Pattern.compile("(?:class|interface) (\\S+).*");
    private static final Pattern METHOD = Pattern.compile("  method ([^(]+)\\(.*");
    private static final Pattern CALL = Pattern.compile("    \\d+: ((?:virtual|interface|static|special) .*)");
    private static final Pattern PARTS = Pattern.compile("\\S+ (\\S+)(?: -> (.*?))?( \\? .*)?");

    /**
     * A call as the dump shows it.
     *
     * @param text       all of it
     * @param targets    what it may run, as CLASS.NAME
     * @param unresolved whether the dump says that what it runs is not known
     */
    record Call(String text, Set<String> targets, boolean unresolved) {
        static Call parse(String text) {
            Matcher parts = PARTS.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException(text);
            }
            boolean unresolved = parts.group(3) != null;
            String targets = parts.group(2) != null ? parts.group(2) : unresolved ? "(none known)" : parts.group(1);
            return new Call(text, split(targets), unresolved);
        }

        private static Set<String> split(String targets) {
            if (targets.equals("(none known)")) {
                return Set.of();
            }
            return Arrays.stream(targets.split(", "))
                    .map(target -> target.substring(0, target.indexOf('(')))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private final Map<String, Call> calls = new HashMap<>();

    static Dump read(Path path) throws IOException {
        Dump dump = new Dump();
        String type = null;
        String method = null;
        for (String line : Files.readAllLines(path)) {
            Matcher matcher;
            if ((matcher = TYPE.matcher(line)).matches()) {
                type = matcher.group(1);
            } else if ((matcher = METHOD.matcher(line)).matches()) {
                method = matcher.group(1);
            } else if ((matcher = CALL.matcher(line)).matches()) {
                dump.calls.put(type + "." + method, Call.parse(matcher.group(1)));
            }
        }
        return dump;
    }

    /** Null if it is not there. */
    Call call(String type, String method) {
        return calls.get(type + "." + method);
    }
}
