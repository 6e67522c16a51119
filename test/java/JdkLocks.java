import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/*
 * Compares share/jdk.locks with the JDK that runs this. Prints lines:
 *
 *     missing WHAT    a class or method of the file that this JDK does not have
 *     wrong WHAT      what fits no JDK: an effect that names no parameter, a method that two lines
 *                     describe, a public method that no line describes though one should
 *     found COUNTS    what was compared
 */
public class JdkLocks {
    static final Set<String> NATURES = Set.of("thread_local", "immutable", "thread_safe", "unguarded");
    static final Set<String> KINDS = Set.of("class", "interface");
    static final Set<String> EFFECTS = Set.of("requires", "acquires", "acquires_shared", "tries", "tries_shared", "releases",
            "waits", "holds_if", "starts", "joins", "calls", "returns", "read_view", "write_view", "reads", "writes");
    /* Of these packages every public method that is given a function must be described. */
    static final List<String> FUNCTION_PACKAGES = List.of("java.lang", "java.util", "java.util.concurrent",
            "java.util.concurrent.atomic", "java.util.concurrent.locks", "java.util.function", "java.util.stream",
            "java.util.regex", "java.nio.file");
    static final Set<String> FUNCTIONS = Set.of("java.lang.Runnable", "java.util.Comparator",
            "java.util.concurrent.Callable", "java.util.concurrent.ThreadFactory", "java.nio.file.FileVisitor",
            "java.util.concurrent.ForkJoinPool$ForkJoinWorkerThreadFactory", "java.lang.Thread", "java.util.TimerTask",
            "java.util.concurrent.ForkJoinTask");

    record Parameter(String type, String name) {}

    record Effect(String kind, String operand) {}

    static class Line {
        String name;
        boolean isStatic, any;
        final List<Parameter> parameters = new ArrayList<>();
        final List<Effect> effects = new ArrayList<>();

        public String toString() {
            return name + (any ? "(*)" : parameters.stream().map(Parameter::type).collect(Collectors.joining(", ", "(", ")")));
        }
    }

    static class Described {
        String nature = "", kind, name;
        final List<Line> lines = new ArrayList<>();
        Class<?> type;
        final Map<Executable, Line> methods = new HashMap<>();
    }

    final Map<String, Described> file = new LinkedHashMap<>();
    final Map<Class<?>, Described> byType = new LinkedHashMap<>();
    final Set<String> problems = new LinkedHashSet<>();
    int methodCount, coveredCount;

    void wrong(Object... parts) {
        problems.add("wrong " + Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining("")));
    }

    void missing(Object... parts) {
        problems.add("missing " + Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining("")));
    }

    // ---- reading ----

    List<String> tokens = new ArrayList<>();
    int at;

    boolean accept(String token) {
        if (at >= tokens.size() || !tokens.get(at).equals(token))
            return false;
        at++;
        return true;
    }

    String expect(String token) {
        if (!accept(token))
            throw new IllegalStateException("'" + token + "' expected at '" + String.join(" ",
                    tokens.subList(Math.max(0, at - 8), Math.min(tokens.size(), at + 3))) + "'");
        return token;
    }

    void read(Path path) throws IOException {
        String text = Files.readString(path).replaceAll("(?s)/\\*.*?\\*/", " ");
        Matcher matcher = Pattern.compile("[\\w.$]+|#\\d+|\\S").matcher(text);
        while (matcher.find())
            tokens.add(matcher.group());
        while (at < tokens.size()) {
            Described described = new Described();
            while (NATURES.contains(tokens.get(at)))
                described.nature = tokens.get(at++);
            described.kind = tokens.get(at++);
            if (!KINDS.contains(described.kind))
                throw new IllegalStateException("a class expected at '" + described.kind + "'");
            described.name = tokens.get(at++);
            if (file.put(described.name, described) != null)
                wrong(described.name, " is there twice");
            if (accept(";"))
                continue;
            expect("{");
            while (!accept("}"))
                described.lines.add(readLine());
        }
    }

    Line readLine() {
        Line line = new Line();
        line.isStatic = accept("static");
        line.name = tokens.get(at++);
        expect("(");
        if (accept("*")) {
            line.any = true;
            expect(")");
        } else if (!accept(")")) {
            do {
                String type = tokens.get(at++), name = "";
                for (; accept("["); type += "[]")
                    expect("]");
                if (!Set.of(",", ")").contains(tokens.get(at)))
                    name = tokens.get(at++);
                line.parameters.add(new Parameter(type, name));
            } while (accept(","));
            expect(")");
        }
        while (!accept(";")) {
            String kind = tokens.get(at++);
            if (!EFFECTS.contains(kind))
                throw new IllegalStateException("'" + kind + "' is no effect");
            do
                line.effects.add(new Effect(kind, tokens.get(at++)));
            while (accept(","));
        }
        return line;
    }

    // ---- finding ----

    static Class<?> find(String name) {
        for (String binary = name;;) {
            try {
                return Class.forName(binary, false, JdkLocks.class.getClassLoader());
            } catch (ClassNotFoundException | LinkageError e) {
                int dot = binary.lastIndexOf('.');
                if (dot < 0)
                    return null;
                binary = binary.substring(0, dot) + "$" + binary.substring(dot + 1);
            }
        }
    }

    static boolean isVisible(Executable method) {
        return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0 && !method.isSynthetic();
    }

    static List<Executable> methodsOf(Class<?> type) {
        return Stream.concat(Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
                .filter(JdkLocks::isVisible).collect(Collectors.toList());
    }

    static String nameOf(Executable method) {
        return method instanceof Constructor ? method.getDeclaringClass().getSimpleName() : method.getName();
    }

    static String signature(Executable method) {
        return nameOf(method) + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    static boolean fits(Line line, Executable method) {
        if (!line.name.equals(nameOf(method)))
            return false;
        return line.any || line.parameters.stream().map(Parameter::type).collect(Collectors.toList())
                .equals(Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).collect(Collectors.toList()));
    }

    void resolve() {
        for (Described described : file.values()) {
            described.type = find(described.name);
            if (described.type == null) {
                missing("class ", described.name);
                for (Line line : described.lines)
                    missing(described.name, ".", line);
                continue;
            }
            byType.put(described.type, described);
            if (described.kind.equals("interface") != described.type.isInterface())
                missing(described.kind, " ", described.name);
            List<Executable> methods = methodsOf(described.type);
            for (Line line : described.lines) {
                boolean found = false;
                for (Executable method : methods) {
                    if (!fits(line, method))
                        continue;
                    found = true;
                    methodCount++;
                    check(described, line, method);
                    Line other = described.methods.put(method, line);
                    if (other == null)
                        continue;
                    if (other.any == line.any)
                        wrong(described.name, ": ", other, " and ", line, " are both ", signature(method));
                    if (line.any)
                        described.methods.put(method, other);
                }
                if (!found)
                    missing(described.name, ".", line);
            }
        }
    }

    void check(Described described, Line line, Executable method) {
        String where = described.name + "." + line + ": ";
        if (line.isStatic != Modifier.isStatic(method.getModifiers()))
            wrong(where, signature(method), line.isStatic ? " is not static" : " is static");
        Class<?> result = method instanceof Method ? ((Method) method).getReturnType() : void.class;
        for (Effect effect : line.effects) {
            Class<?> operand = operandType(described, line, method, effect.operand());
            if (operand == null) {
                wrong(where, effect.kind(), " ", effect.operand(), " names nothing in ", signature(method));
                continue;
            }
            switch (effect.kind()) {
            case "returns", "read_view", "write_view" -> {
                if (result.isPrimitive())
                    wrong(where, signature(method), " returns no object");
            }
            case "tries", "tries_shared", "holds_if" -> {
                if (result != boolean.class && result != int.class && result != long.class)
                    wrong(where, signature(method), " returns no number");
            }
            case "calls", "starts" -> {
                if (operand.isPrimitive() || Modifier.isFinal(operand.getModifiers()) && !operand.isArray())
                    wrong(where, operand.getSimpleName(), " is nothing that could be run");
            }
            default -> {
                if (operand.isPrimitive())
                    wrong(where, operand.getSimpleName(), " is no object");
            }
            }
        }
    }

    static Class<?> operandType(Described described, Line line, Executable method, String operand) {
        if (operand.equals("this"))
            return Modifier.isStatic(method.getModifiers()) || method instanceof Constructor ? null : described.type;
        int number = 0;
        if (operand.startsWith("#"))
            number = Integer.parseInt(operand.substring(1));
        for (int i = 0; i < line.parameters.size(); i++)
            if (line.parameters.get(i).name().equals(operand))
                number = i + 1;
        return number < 1 || number > method.getParameterCount() ? null : method.getParameterTypes()[number - 1];
    }

    // ---- what should be there ----

    static void supertypes(Class<?> type, Set<Class<?>> all) {
        if (type == null || !all.add(type))
            return;
        supertypes(type.getSuperclass(), all);
        for (Class<?> parent : type.getInterfaces())
            supertypes(parent, all);
    }

    /* Whether the JVM sees it so. */
    static boolean overrides(Executable method, Executable other) {
        return method instanceof Method && other instanceof Method && method.getName().equals(other.getName())
                && ((Method) method).getReturnType() == ((Method) other).getReturnType()
                && Arrays.equals(method.getParameterTypes(), other.getParameterTypes());
    }

    /* Its own line, and those of methods that it overrides. */
    List<Line> linesOf(Class<?> type, Executable method) {
        Set<Class<?>> all = new LinkedHashSet<>();
        supertypes(type, all);
        List<Line> lines = new ArrayList<>();
        for (Class<?> parent : all)
            if (byType.containsKey(parent))
                byType.get(parent).methods.forEach((other, line) -> {
                    if (other.equals(method) || overrides(method, other))
                        lines.add(line);
                });
        return lines;
    }

    boolean isDescribed(Class<?> type, Executable method) {
        return !linesOf(type, method).isEmpty();
    }

    /* A line without effects says that there are none; but what is overridden still has them. */
    void checkEmptyLines() {
        for (Described described : byType.values())
            described.methods.forEach((method, line) -> {
                if (line.effects.isEmpty() && !Modifier.isStatic(method.getModifiers())
                        && linesOf(described.type, method).stream().anyMatch(other -> !other.effects.isEmpty()))
                    wrong(described.name, ".", signature(method), " overrides a method that has effects");
            });
    }

    void coverUnguarded() {
        for (Described described : byType.values()) {
            if (!described.nature.equals("unguarded"))
                continue;
            for (Executable method : methodsOf(described.type)) {
                if (method instanceof Constructor || Modifier.isStatic(method.getModifiers())
                        || !Modifier.isPublic(method.getModifiers()))
                    continue;
                coveredCount++;
                if (!isDescribed(described.type, method))
                    wrong("no line for ", described.name, ".", signature(method));
            }
        }
    }

    static boolean isFunction(Class<?> type) {
        Class<?> element = type.isArray() ? type.getComponentType() : type;
        return FUNCTIONS.contains(element.getName()) || element.getName().startsWith("java.util.function.")
                || element.isInterface() && element.isAnnotationPresent(FunctionalInterface.class);
    }

    void coverFunctions() throws IOException {
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
        for (String name : FUNCTION_PACKAGES) {
            List<Path> classes;
            try (Stream<Path> listed = Files.list(base.resolve(name.replace('.', '/')))) {
                classes = listed.filter(path -> path.toString().endsWith(".class")).sorted().collect(Collectors.toList());
            }
            for (Path path : classes) {
                String simple = path.getFileName().toString();
                Class<?> type = find(name + "." + simple.substring(0, simple.length() - ".class".length()));
                if (type == null || !isPublic(type))
                    continue;
                for (Executable method : methodsOf(type)) {
                    if (Arrays.stream(method.getParameterTypes()).noneMatch(JdkLocks::isFunction))
                        continue;
                    coveredCount++;
                    if (!isDescribed(type, method))
                        wrong("no line for ", type.getCanonicalName(), ".", signature(method));
                }
            }
        }
    }

    static boolean isPublic(Class<?> type) {
        for (; type != null; type = type.getDeclaringClass())
            if ((type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0)
                return false;
        return true;
    }

    public static void main(String[] arguments) throws IOException {
        JdkLocks locks = new JdkLocks();
        locks.read(Path.of(arguments[0]));
        locks.resolve();
        locks.checkEmptyLines();
        locks.coverUnguarded();
        locks.coverFunctions();
        locks.problems.forEach(System.out::println);
        System.out.println("found " + locks.byType.size() + " classes, " + locks.methodCount + " methods, "
                + locks.coveredCount + " that must be described");
    }
}
