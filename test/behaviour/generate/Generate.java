import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the programs that are too regular or too large to be written by hand: every access to nothing, methods that
 * nearly fill what a method may have, and a constant pool with hardly any room left.
 *
 *     Generate FOLDER
 */
public class Generate {
    static final String[] TYPES = {"boolean", "byte", "char", "short", "int", "long", "float", "double", "String"};

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("NullCases.java"), nullCases());
        Files.writeString(folder.resolve("LargeMethods.java"), largeMethods());
        Files.writeString(folder.resolve("ManyConstants.java"), manyConstants());
    }

    static String value(String type) {
        switch (type) {
            case "boolean":
                return "true";
            case "char":
                return "'x'";
            case "String":
                return "\"x\"";
            default:
                return "(" + type + ") 7";
        }
    }

    static String name(String type) {
        return type.toLowerCase() + "Value";
    }

    /** Ways to get at a Box that is not there: what stands before the statement, and the expression. */
    static final String[][] RECEIVERS = {
        {"Box local = null;", "local"},
        {"", "shared"},
        {"Box box = new Box();", "box.next"},
        {"Box[] boxes = new Box[3]; int i = 2;", "boxes[i]"},
        {"Box[][] boxes = new Box[2][2];", "boxes[1][0]"},
        {"", "none()"},
        {"Object object = null;", "((Box) object)"},
        {"Box box = new Box(); box.next = new Box();", "box.next.next"},
        {"long wide = 1; double wider = 2; Box after = wide > wider ? new Box() : null;", "after"},
    };

    static List<String> statements(String type) {
        List<String> statements = new ArrayList<>();
        for (String place : new String[] {"." + name(type), "." + name(type) + "s[1]"}) {
            statements.add("Object got = BOX" + place + "; print(got);");
            statements.add("BOX" + place + " = " + value(type) + ";");
            statements.add("print(BOX" + place + " = " + value(type) + ");");
            if (type.equals("boolean")) {
                statements.add("BOX" + place + " |= true;");
            } else {
                statements.add("BOX" + place + " += " + value(type) + ";");
                if (!type.equals("String")) {
                    statements.add("print(BOX" + place + "++);");
                    statements.add("--BOX" + place + ";");
                }
            }
        }
        statements.add("print(BOX." + name(type) + "s.length);");
        return statements;
    }

    static final String[] OTHER_STATEMENTS = {
        "synchronized (BOX) { print(1); }",
        "print(BOX.method());",
        "print(BOX.hidden());",
        "print(((Named) BOX).name(1L, 2.0));",
        "print(BOX.new Inner());",
        "throw BOX.thrown;",
        "print(BOX.next.next.next);",
        "for (int element : BOX.intValues) { print(element); }",
        "java.util.function.Supplier<Object> s = BOX::method; print(s.get());",
        "switch (BOX.stringValue) { case \"x\": print(1); }",
        "switch (BOX.kind) { case ONE: print(1); }",
        "int unboxed = BOX.integer; print(unboxed);",
        "BOX.integer++;",
        "print(BOX.hashCode());",
        "print(BOX.getClass());",
        "print(BOX.boxes[0].boxes[1].intValue);",
        "BOX.boxes[0].boxes = new Box[] {BOX};",
        "try { print(BOX.intValue); } finally { print(\"finally\"); }",
        "BOX.doubleValue = BOX.longValue + local(3L, BOX.floatValue);",
    };

    /** An access may fail because the box is not there, or, with a box, because the array in it is not there. */
    static String nullCases() {
        StringBuilder methods = new StringBuilder();
        StringBuilder calls = new StringBuilder();
        int count = 0;
        for (String[] receiver : RECEIVERS) {
            List<String> all = new ArrayList<>(List.of(OTHER_STATEMENTS));
            for (String type : TYPES) {
                all.addAll(statements(type));
            }
            for (String statement : all) {
                one(methods, calls, count++, receiver[0], statement.replace("BOX", receiver[1]));
            }
        }
        for (String type : TYPES) {
            for (String statement : statements(type)) {
                if (statement.contains("s[1]") || statement.contains(".length")) {
                    one(methods, calls, count++, "Box box = new Box();", statement.replace("BOX", "box"));
                    String array = statement.replace("BOX." + name(type) + "s", "array");
                    one(methods, calls, count++, type + "[] array = null;", array);
                    one(methods, calls, count++, type + "[][] arrays = new " + type + "[2][];",
                            array.replace("array", "arrays[1]"));
                    one(methods, calls, count++, type + "[][] arrays = null;", array.replace("array", "arrays[1]"));
                }
            }
        }
        for (String statement : OTHER_STATEMENTS) {
            one(methods, calls, count++, "Box box = new Box();", statement.replace("BOX", "box"));
        }
        StringBuilder fields = new StringBuilder();
        for (String type : TYPES) {
            fields.append("        ").append(type).append(' ').append(name(type)).append(";\n");
            fields.append("        ").append(type).append("[] ").append(name(type)).append("s;\n");
        }
        return "/** Every kind of access to nothing, from every kind of place. Generated. */\n"
            + "public class NullCases {\n"
            + "    enum Kind { ONE, TWO }\n"
            + "    interface Named { String name(long first, double second); }\n"
            + "    static class Box implements Named {\n"
            + "        class Inner { public String toString() { return \"inner\"; } }\n"
            + "        public int hashCode() { return intValue + 5; }\n"
            + fields
            + "        Box next;\n        Box[] boxes;\n        Integer integer;\n        Kind kind;\n"
            + "        RuntimeException thrown;\n"
            + "        int method() { return intValue; }\n"
            + "        private int hidden() { return intValue; }\n"
            + "        public String name(long first, double second) { return stringValue; }\n"
            + "    }\n"
            + "    static Box shared;\n"
            + "    static Box none() { return null; }\n"
            + "    static double local(long first, float second) { return first + second; }\n"
            + "    static void print(Object value) { System.out.println(\"no exception: \" + value); }\n"
            + methods
            + "    static void run(int number) throws Throwable {\n        switch (number) {\n" + calls
            + "        default: throw new Error();\n        }\n    }\n"
            + "    public static void main(String[] arguments) throws Throwable {\n"
            + "        for (int i = 0; i < " + count + "; i++) {\n"
            + "            try {\n                run(i);\n                System.out.println(i + \" went well\");\n"
            + "            } catch (Throwable thrown) {\n"
            + "                StackTraceElement[] trace = thrown.getStackTrace();\n"
            + "                System.out.println(i + \" \" + thrown + \" \" + trace.length + \" \" + trace[0]);\n"
            + "            }\n        }\n    }\n}\n";
    }

    static void one(StringBuilder methods, StringBuilder calls, int number, String before, String statement) {
        methods.append("    static void case").append(number).append("() throws Throwable {\n        ").append(before)
            .append("\n        ").append(statement).append("\n    }\n");
        calls.append("        case ").append(number).append(": case").append(number).append("(); break;\n");
    }

    /**
     * Methods around the sizes that matter: 8,000 bytes, above which the JVM does not compile, jumps over more than 32
     * KB, and 64 KB, which no method may have.
     */
    static String largeMethods() {
        StringBuilder text = new StringBuilder("/** Methods of all sizes. Generated. */\npublic class LargeMethods {\n"
                + "    int field;\n    long wide;\n    static double shared;\n    int[] array = new int[16];\n"
                + "    Object[] objects = new Object[4];\n");
        StringBuilder calls = new StringBuilder();
        for (int count : new int[] {10, 150, 200, 260, 400, 650, 1200, 1500, 1640}) {
            text.append("    synchronized long method").append(count).append("(int start) {\n")
                .append("        long sum = start;\n        for (int i = 0; i < 3; i++) {\n")
                .append("            if (sum == 42) {\n                continue;\n            }\n");
            for (int i = 0; i < count; i++) {
                switch (i % 5) {
                    case 0:
                        text.append("            field += i; sum += field;\n");
                        break;
                    case 1:
                        text.append("            wide = sum * 31 + wide; sum ^= wide;\n");
                        break;
                    case 2:
                        text.append("            shared += field; sum += (long) shared;\n");
                        break;
                    case 3:
                        text.append("            array[(int) (sum & 15)] += i; sum += array[" + i % 16 + "];\n");
                        break;
                    default:
                        text.append("            objects[i & 3] = this; sum += ((LargeMethods) objects[0]).field;\n");
                        break;
                }
            }
            text.append("        }\n        return sum;\n    }\n");
            calls.append("        System.out.println(new LargeMethods().method" + count + "(" + count + "));\n");
        }
        /* As many field accesses in as few bytes as can be: no room for anything beside them. */
        text.append("    void full() {\n");
        for (int i = 0; i < 6500; i++) {
            text.append("        field = ").append(i % 5).append("; wide = 1;\n");
        }
        text.append("    }\n");
        calls.append("        LargeMethods full = new LargeMethods(); full.full();\n"
                + "        System.out.println(full.field + \" \" + full.wide);\n");
        text.append("    int many(int which) {\n        switch (which) {\n");
        for (int i = 0; i < 1000; i++) {
            text.append("        case ").append(i * 3).append(": field = ").append(i).append("; return array[")
                .append(i % 17).append("];\n");
        }
        text.append("        default: return -1;\n        }\n    }\n");
        calls.append("        for (int i = 0; i < 3000; i += 7) {\n            try {\n"
                + "                System.out.print(full.many(i) + \" \" + full.field + \" \");\n"
                + "            } catch (ArrayIndexOutOfBoundsException e) {\n"
                + "                System.out.print(e.getStackTrace()[0] + \" \");\n"
                + "            }\n        }\n        System.out.println();\n");
        return text + "    public static void main(String[] arguments) {\n" + calls + "    }\n}\n";
    }

    /** A class with more than 65,000 constants: a rewriter finds room for next to nothing. */
    static String manyConstants() {
        StringBuilder text = new StringBuilder("/** Hardly any room in the constant pool. Generated. */\n"
                + "public class ManyConstants {\n    int field;\n    static long shared;\n    int[] array = new int[4];\n");
        StringBuilder calls = new StringBuilder();
        int constant = 1_000_000;
        for (int method = 0; method < 10; method++) {
            text.append("    int sum").append(method).append("(int x) {\n");
            for (int i = 0; i < 6535; i++) {
                text.append("        x ^= ").append(constant).append(";\n");
                constant += 7;
            }
            text.append("        field += x; shared += field; array[x & 3] = field;\n        return array[x & 3];\n    }\n");
            calls.append("        System.out.println(object.sum").append(method).append("(").append(method).append("));\n");
        }
        return text + "    public static void main(String[] arguments) {\n"
            + "        ManyConstants object = new ManyConstants();\n" + calls
            + "        System.out.println(object.field + \" \" + shared);\n    }\n}\n";
    }
}
