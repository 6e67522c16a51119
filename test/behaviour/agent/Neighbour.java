import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.TreeSet;

/** Another agent beside ours: looks at classes, and has them transformed and defined again. */
public class Neighbour {
    static Instrumentation instrumentation;
    static final Set<String> SEEN = new TreeSet<>();

    public static void premain(String options, Instrumentation given) {
        System.out.println("premain " + options + " " + given.isRetransformClassesSupported()
                + given.isRedefineClassesSupported());
        instrumentation = given;
        given.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
                    byte[] bytes) {
                if (name != null && name.startsWith("NeighbourProgram")) {
                    synchronized (SEEN) {
                        SEEN.add(name + (redefined == null ? "" : " again"));
                    }
                    if (name.endsWith("Changed")) {
                        return replaced(bytes);
                    }
                    return options.equals("same") ? bytes : null;
                }
                return null;
            }
        }, true);
    }

    /** Makes "before" "behind" where it stands as a constant. */
    static byte[] replaced(byte[] bytes) {
        byte[] changed = bytes.clone();
        for (int i = 0; i + 6 <= bytes.length; i++) {
            if (new String(bytes, i, 6, java.nio.charset.StandardCharsets.ISO_8859_1).equals("before")) {
                System.arraycopy("behind".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1), 0, changed, i, 6);
            }
        }
        return changed;
    }

    static void again(Class<?>... classes) throws Exception {
        instrumentation.retransformClasses(classes);
        System.out.println("retransformed " + classes.length);
    }

    static void define(Class<?> type, boolean changed) throws Exception {
        try (InputStream in = type.getResourceAsStream(type.getName() + ".class")) {
            byte[] bytes = in.readAllBytes();
            instrumentation.redefineClasses(new ClassDefinition(type, changed ? replaced(bytes) : bytes));
        }
        System.out.println("redefined " + type.getName());
    }

    static Set<String> seen() {
        synchronized (SEEN) {
            return new TreeSet<>(SEEN);
        }
    }
}
