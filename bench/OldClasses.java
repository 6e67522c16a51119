import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;

/**
 * Writes the classes of jars as class files of Java 8, for tools that cannot read newer ones: the same code, without the
 * attributes that came later. {@code OldClasses TO.jar FROM.jar...}; without FROM, the classes of the running JDK.
 */
public final class OldClasses {
    private final ZipOutputStream to;
    private final Set<String> written = new HashSet<>();

    private OldClasses(ZipOutputStream to) {
        this.to = to;
    }

    public static void main(String[] arguments) throws IOException {
        try (OutputStream file = Files.newOutputStream(Path.of(arguments[0])); ZipOutputStream to = new ZipOutputStream(file)) {
            to.setLevel(1);
            OldClasses classes = new OldClasses(to);
            for (String from : List.of(arguments).subList(1, arguments.length)) {
                classes.addJar(from);
            }
            if (arguments.length == 1) {
                classes.addPlatform();
            }
        }
    }

    private void addJar(String from) throws IOException {
        try (ZipFile jar = new ZipFile(from)) {
            for (ZipEntry entry : (Iterable<ZipEntry>) jar.stream().map(ZipEntry.class::cast)::iterator) {
                if (!entry.getName().startsWith("META-INF/")) {
                    add(entry.getName(), jar.getInputStream(entry).readAllBytes());
                }
            }
        }
    }

    private void addPlatform() throws IOException {
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        try (Stream<Path> files = Files.walk(modules)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.getNameCount() > 2 && file.getName(1).toString().startsWith("java.") && Files.isRegularFile(file)) {
                    add(file.subpath(2, file.getNameCount()).toString(), Files.readAllBytes(file));
                }
            }
        }
    }

    private void add(String name, byte[] bytes) throws IOException {
        if (name.endsWith(".class") && !name.endsWith("module-info.class") && written.add(name)) {
            ClassWriter writer = new ClassWriter(0);
            new ClassReader(bytes).accept(new Older(writer), 0);
            to.putNextEntry(new ZipEntry(name));
            to.write(writer.toByteArray());
            to.closeEntry();
        }
    }

    private static final class Older extends ClassVisitor {
        Older(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
            int old = (version & 0xffff) > Opcodes.V1_8 ? Opcodes.V1_8 : version;
            super.visit(old, access, name, signature, superName, interfaces);
        }

        @Override
        public void visitNestHost(String host) {
        }

        @Override
        public void visitNestMember(String member) {
        }

        @Override
        public void visitPermittedSubclass(String subclass) {
        }

        @Override
        public RecordComponentVisitor visitRecordComponent(String name, String descriptor, String signature) {
            return null;
        }
    }
}
