import java.io.FileOutputStream;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies the classes of a jar with an older version number, so that the JVM's older verifier has to check them.
 *
 * <p>usage: SetVersion MAJOR FROM.jar TO.jar
 */
public final class SetVersion {
    private static final int CONSTANT_INVOKE_DYNAMIC = 18;

    private SetVersion() {
    }

    public static void main(String[] arguments) throws Exception {
        int major = Integer.parseInt(arguments[0]);
        int copied = 0;
        try (ZipFile from = new ZipFile(arguments[1]);
                ZipOutputStream to = new ZipOutputStream(new FileOutputStream(arguments[2]))) {
            for (ZipEntry entry : Collections.list(from.entries())) {
                String name = entry.getName();
                if (!name.endsWith(".class") || name.startsWith("META-INF/") || name.equals("module-info.class")) {
                    continue;
                }
                byte[] bytes = from.getInputStream(entry).readAllBytes();
                if (usesNewConstants(bytes)) {
                    continue;
                }
                bytes[6] = 0;
                bytes[7] = (byte) Math.min(bytes[7], major);
                to.putNextEntry(new ZipEntry(name));
                to.write(bytes);
                to.closeEntry();
                copied++;
            }
        }
        System.out.println(copied + " classes of " + arguments[1] + " as version " + major);
    }

    /** Whether the class has constants that old versions do not know. */
    private static boolean usesNewConstants(byte[] bytes) {
        int count = u2(bytes, 8);
        int at = 10;
        for (int i = 1; i < count; i++) {
            switch (bytes[at]) {
            case 1:
                at += 3 + u2(bytes, at + 1);
                break;
            case 5:
            case 6:
                at += 9;
                i++;
                break;
            case 7:
            case 8:
                at += 3;
                break;
            default:
                if (bytes[at] > 12 && bytes[at] <= CONSTANT_INVOKE_DYNAMIC + 2) {
                    return true;
                }
                at += 5;
                break;
            }
        }
        return false;
    }

    private static int u2(byte[] bytes, int at) {
        return (bytes[at] & 255) << 8 | bytes[at + 1] & 255;
    }
}
