import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * Loaders, resources, services, hidden classes, assertions.
 *
 *     Loading FOLDER      the folder has Plugin.class, Helper.class and META-INF/services
 */
public class Loading {
    public static int shared;
    public static Loading instance = new Loading();
    public int field;
    public int[] array = new int[2];

    /** Defines what it finds in a folder itself, before it asks its parent. */
    static class Own extends ClassLoader {
        private final Path folder;
        private final List<String> asked = new ArrayList<>();
        int defined;

        Own(Path folder, ClassLoader parent) {
            super("own", parent);
            this.folder = folder;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith("java.")) {
                    asked.add(name);
                }
                Class<?> found = findLoadedClass(name);
                Path file = folder.resolve(name + ".class");
                if (found == null && Files.exists(file)) {
                    try {
                        byte[] bytes = Files.readAllBytes(file);
                        found = defineClass(name, bytes, 0, bytes.length);
                        defined++;
                    } catch (IOException e) {
                        throw new ClassNotFoundException(name, e);
                    }
                }
                return found != null ? found : super.loadClass(name, resolve);
            }
        }
    }

    static void attempt(String what, java.util.concurrent.Callable<?> code) {
        try {
            System.out.println(what + ": " + code.call());
        } catch (Throwable thrown) {
            System.out.println(what + ": " + thrown.toString().replaceAll("@[0-9a-f]+", "@"));
        }
    }

    @SuppressWarnings("unchecked")
    static Supplier<String> plugin(ClassLoader loader) throws Exception {
        return (Supplier<String>) loader.loadClass("Plugin").getDeclaredConstructor().newInstance();
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        ClassLoader parent = Loading.class.getClassLoader();
        URL[] urls = {folder.toUri().toURL()};
        for (int i = 0; i < 2; i++) {
            try (URLClassLoader loader = new URLClassLoader(urls, parent)) {
                loader.setDefaultAssertionStatus(i == 1);
                Supplier<String> first = plugin(loader);
                Supplier<String> second = plugin(loader);
                attempt("first", first::get);
                attempt("second", second::get);
                attempt("first", first::get);
                System.out.println(first.getClass() == second.getClass());
                attempt("forName", () -> Class.forName("Helper", true, loader).getDeclaredFields().length);
                attempt("missing", () -> Class.forName("Missing", true, loader));
            }
        }
        try (URLClassLoader loader = new URLClassLoader(urls, parent)) {
            for (Supplier<?> service : ServiceLoader.load(Supplier.class, loader)) {
                System.out.println(service.getClass().getName() + " " + service.get());
            }
            String services = "META-INF/services/java.util.function.Supplier";
            try (BufferedReader in = new BufferedReader(new InputStreamReader(loader.getResourceAsStream(services)))) {
                System.out.println(in.readLine() + loader.getResource("nowhere"));
            }
        }
        Own own = new Own(folder, parent);
        Supplier<String> plugin = plugin(own);
        attempt("own", plugin::get);
        System.out.println(own.defined + " " + own.asked + " " + (plugin.getClass().getClassLoader() == own)
                + plugin.getClass().getDeclaredMethods().length);
        attempt("cast", () -> own.loadClass("Plugin").cast(plugin(new Own(folder, parent))));
        attempt("other", () -> Class.forName("Plugin"));
        attempt("array", () -> Class.forName("[LLoading;").getName() + Class.forName("[[I").getSimpleName());
        attempt("name", () -> Class.forName("Loading$Own").getName() + Class.forName("java.lang.String").getName());
        byte[] bytes = Files.readAllBytes(folder.resolve("Helper.class"));
        attempt("bad bytes", () -> new ClassLoader() {
            Class<?> define() {
                byte[] bad = bytes.clone();
                bad[7] = (byte) 255;
                bad[6] = (byte) 255;
                return defineClass("Helper", bad, 0, bad.length);
            }
        }.define());
        attempt("cut", () -> new ClassLoader() {
            Class<?> define() { return defineClass("Helper", bytes, 0, bytes.length - 5); }
        }.define());
        attempt("wrong name", () -> new ClassLoader() {
            Class<?> define() { return defineClass("Helped", bytes, 0, bytes.length); }
        }.define());
        attempt("same bytes", () -> {
            try (InputStream in = Loading.class.getResourceAsStream("Loading.class")) {
                return java.util.Arrays.hashCode(in.readAllBytes());
            }
        });
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        attempt("defined in the package", () -> lookup.defineClass(bytes).getName());
        attempt("helped", () -> Class.forName("Helper").getDeclaredMethod("help", int[].class).invoke(null, new int[] {1,
                2}));
        attempt("hidden", () -> {
            MethodHandles.Lookup hidden = lookup.defineHiddenClass(bytes, true);
            try {
                return hidden.findStatic(hidden.lookupClass(), "help", MethodType.methodType(String.class,
                        int[].class)).invoke(new int[] {3, 4})
                    + " " + hidden.lookupClass().getDeclaredFields().length + hidden.lookupClass().isHidden();
            } catch (Throwable e) {
                throw new Exception(e);
            }
        });
        System.out.println(Loading.class.desiredAssertionStatus() + " "
                + new File(Loading.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getName());
    }
}
