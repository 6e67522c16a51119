import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads JSON into maps, lists, strings, doubles, booleans and null; strictly, so that what our tests take for JSON is JSON.
 *
 * <p>{@code Json FILE PATH...} shows values, a line for each path: names and numbers of items with a dot between them, * for all
 * items, as in {@code findings.0.stacks.*.role}.
 */
public final class Json {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");

    private final String text;
    private int at;

    public static void main(String[] arguments) throws IOException {
        Object top = new Json(Files.readString(Path.of(arguments[0]))).read();
        for (String path : List.of(arguments).subList(1, arguments.length)) {
            System.out.println(String.join(" ", shown(top, path)));
        }
    }

    private static List<String> shown(Object value, String path) {
        if (path.isEmpty()) {
            boolean whole = value instanceof Double number && number == Math.rint(number);
            return List.of(whole ? String.valueOf(((Double) value).longValue()) : String.valueOf(value));
        }
        int dot = path.indexOf('.');
        String first = dot < 0 ? path : path.substring(0, dot);
        String rest = dot < 0 ? "" : path.substring(dot + 1);
        if (!first.equals("*")) {
            return shown(value instanceof List<?> items ? items.get(Integer.parseInt(first)) : member(value, first), rest);
        }
        List<String> all = new ArrayList<>();
        for (Object item : (List<?>) value) {
            all.addAll(shown(item, rest));
        }
        return all;
    }

    private static Object member(Object value, String name) {
        if (!object(value).containsKey(name)) {
            throw new IllegalArgumentException("there is no " + name);
        }
        return object(value).get(name);
    }

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
