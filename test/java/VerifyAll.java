import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Lets the JVM verify every class of a directory or jar, without running any of them.
 *
 * <pre>java -Xverify:all VerifyAll [--unlinkable PERCENT] PLACE...
 *     [--original PLACE...] [--classpath PLACE...]</pre>
 *
 * A place is a directory or a jar. The classes of the first places are defined, whatever their
 * names, by a loader of their own; what they refer to is looked up there, then on the class path,
 * then in the JDK.
 *
 * A class that cannot be linked counts as failed, unless its original (from the --original places,
 * in a loader of the same kind) cannot be linked either, and for the same kind of reason: usually
 * because an optional library is missing. With --unlinkable, more such classes in a hundred than that
 * are a failure too: little would have been checked. Exit status: 0 if none failed, 1 if some did or
 * too many cannot be linked, 2 for wrong usage.
 */
public final class VerifyAll {
    /** Where the bytes of classes are found by internal name. The first place that has one wins. */
    private static final class Source {
        private final Map<String, Object> places = new HashMap<>();
        private final List<String> names = new ArrayList<>();

        void add(String place) throws IOException {
            File file = new File(place);
            if (file.isDirectory()) {
                addDirectory(file.toPath());
            } else {
                addArchive(file);
            }
        }

        private void addDirectory(Path root) throws IOException {
            try (Stream<Path> files = Files.walk(root)) {
                files.filter(Files::isRegularFile)
                        .forEach(path -> addEntry(root.relativize(path).toString(), path));
            }
        }

        private void addArchive(File file) throws IOException {
            ZipFile archive = new ZipFile(file);
            archive.stream().forEach(entry -> addEntry(entry.getName(), archive));
        }

        private void addEntry(String entry, Object place) {
            if (!entry.endsWith(".class") || entry.startsWith("META-INF/")
                    || entry.endsWith("module-info.class")) {
                return;
            }
            String name = entry.substring(0, entry.length() - ".class".length());
            if (places.putIfAbsent(name, place) == null) {
                names.add(name);
            }
        }

        byte[] find(String name) {
            Object place = places.get(name);
            try {
                if (place instanceof Path) {
                    return Files.readAllBytes((Path) place);
                }
                if (place != null) {
                    ZipFile archive = (ZipFile) place;
                    ZipEntry entry = archive.getEntry(name + ".class");
                    return archive.getInputStream(entry).readAllBytes();
                }
            } catch (IOException exception) {
                throw new java.io.UncheckedIOException(exception);
            }
            return null;
        }
    }

    private static final class Loader extends ClassLoader {
        private final List<Source> sources;

        Loader(List<Source> sources) {
            super(ClassLoader.getPlatformClassLoader());
            this.sources = sources;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            String internal = name.replace('.', '/');
            for (Source source : sources) {
                byte[] bytes = source.find(internal);
                if (bytes != null && !name.startsWith("java.")) {
                    return defineClass(name, bytes, 0, bytes.length);
                }
            }
            return super.loadClass(name, resolve);
        }
    }

    /** Links the class, which verifies it. Returns why that is impossible, or null. */
    private static Throwable link(Loader loader, String name) {
        Class<?> type;
        try {
            type = Class.forName(name.replace('/', '.'), false, loader);
        } catch (ClassNotFoundException | LinkageError error) {
            return error;
        }
        // Each of these links the class first and only then looks at the types in signatures, some
        // of which may be missing: one that returns is proof enough.
        Throwable first = null;
        for (int way = 0; way < 3; way++) {
            try {
                switch (way) {
                    case 0:
                        type.getDeclaredConstructors();
                        break;
                    case 1:
                        type.getDeclaredFields();
                        break;
                    default:
                        type.getDeclaredMethods();
                        break;
                }
                return null;
            } catch (NoClassDefFoundError | TypeNotPresentException error) {
                first = first == null ? error : first;
            } catch (LinkageError error) {
                return error;
            }
        }
        return first;
    }

    private static String firstLine(Throwable error) {
        String text = String.valueOf(error);
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    public static void main(String[] arguments) throws IOException {
        Source checked = new Source();
        Source original = new Source();
        Source classpath = new Source();
        Source current = checked;
        int percent = 100;
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (argument.equals("--unlinkable") && i + 1 < arguments.length) {
                percent = Integer.parseInt(arguments[++i]);
            } else if (argument.equals("--original")) {
                current = original;
            } else if (argument.equals("--classpath")) {
                current = classpath;
            } else {
                current.add(argument);
            }
        }
        if (checked.names.isEmpty()) {
            System.err.println(
                    "usage: VerifyAll [--unlinkable PERCENT] PLACE..."
                            + " [--original PLACE...] [--classpath PLACE...]");
            System.exit(2);
        }
        System.exit(verify(checked, original, classpath, percent) ? 0 : 1);
    }

    private static boolean verify(Source checked, Source original, Source classpath, int percent) {
        Loader loader = new Loader(List.of(checked, classpath));
        Loader originals = new Loader(List.of(original, classpath));
        Set<String> withOriginal = new HashSet<>(original.names);
        Map<String, Integer> reasons = new TreeMap<>();
        int verified = 0;
        int failed = 0;
        Collections.sort(checked.names);
        for (String name : checked.names) {
            Throwable error = link(loader, name);
            if (error == null) {
                verified++;
                continue;
            }
            Throwable before = withOriginal.contains(name) ? link(originals, name) : null;
            if (before != null && before.getClass() == error.getClass()) {
                reasons.merge(firstLine(before), 1, Integer::sum);
                continue;
            }
            failed++;
            System.out.println("FAILED " + name + ": " + (failed <= 20 ? error : firstLine(error)));
        }
        int unlinkable = reasons.values().stream().mapToInt(Integer::intValue).sum();
        System.out.println(verified + " classes verified by the JVM, " + failed + " failed, "
                + unlinkable + " cannot be linked, nor could their originals");
        reasons.forEach((reason, count) -> System.out.println("  " + count + " x " + reason));
        boolean enough = unlinkable * 100L <= (long) percent * checked.names.size();
        if (!enough) {
            System.out.println(
                    "FAILED: more than " + percent + " in a hundred classes cannot be linked");
        }
        return failed == 0 && enough;
    }
}
