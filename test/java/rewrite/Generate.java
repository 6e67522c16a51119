import java.io.PrintWriter;

/** Writes Huge.java: methods so long that branches in them must be widened when something is inserted. */
public final class Generate {
    private Generate() {
    }

    /** About 14 bytes and 9 instructions each. */
    private static void statements(PrintWriter out, int count) {
        for (int i = 0; i < count; i++) {
            out.println("            x = x * 31 + " + (6 + i % 100) + " + (x >>> 7);");
            if (i % 40 == 39) {
                out.println("            if (x % 5 == 0) continue;");
                out.println("            if (x % 1009 == 3) break;");
            }
        }
    }

    private static void loop(PrintWriter out, String name, int count) {
        out.println("    static int " + name + "(int n) {");
        out.println("        int x = n;");
        out.println("        for (int i = 0; i < n * 3; i++) {");
        statements(out, count);
        out.println("        }");
        out.println("        return x;");
        out.println("    }");
    }

    public static void main(String[] arguments) throws Exception {
        try (PrintWriter out = new PrintWriter(arguments[0])) {
            out.println("public class Huge {");
            loop(out, "compute", 500);
            loop(out, "large", 2600);
            out.println("    static int choose(int key) {");
            out.println("        int x = key;");
            out.println("        switch (key) {");
            for (int i = 0; i < 800; i++) {
                out.println("        case " + i + ": x += " + (i * 7 % 128) + "; break;");
            }
            out.println("        default: x = -1;");
            out.println("        }");
            out.println("        return x;");
            out.println("    }");
            out.println("}");
        }
    }
}
