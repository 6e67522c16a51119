import java.util.Arrays;
import java.util.concurrent.Callable;

/** Arrays of every type: values, truncation, bounds, stores of the wrong type, copies, nesting. */
public class ArrayValues {
    boolean[] booleans = new boolean[3];
    byte[] bytes = new byte[3];
    char[] chars = new char[3];
    short[] shorts = new short[3];
    int[] ints = new int[3];
    long[] longs = new long[3];
    float[] floats = new float[3];
    double[] doubles = new double[3];
    String[] strings = new String[3];
    Object[] objects = new String[3];
    Number[][] nested = new Integer[2][3];
    static final int[] CONSTANT = {1, 2, 3};

    static void show(String what, Callable<?> code) {
        try {
            Object result = code.call();
            if (result != null && result.getClass().isArray()) {
                String text = Arrays.deepToString(new Object[] {result});
                result = text.substring(1, text.length() - 1);
            }
            System.out.println(what + ": " + result);
        } catch (Throwable thrown) {
            System.out.println(what + ": " + thrown + " at " + thrown.getStackTrace()[0]);
        }
    }

    void bounds(int index) {
        show("boolean load " + index, () -> booleans[index]);
        show("byte load " + index, () -> bytes[index]);
        show("char load " + index, () -> (int) chars[index]);
        show("short load " + index, () -> shorts[index]);
        show("int load " + index, () -> ints[index]);
        show("long load " + index, () -> longs[index]);
        show("float load " + index, () -> floats[index]);
        show("double load " + index, () -> doubles[index]);
        show("reference load " + index, () -> strings[index]);
        show("boolean store " + index, () -> booleans[index] = true);
        show("byte store " + index, () -> bytes[index] = (byte) 300);
        show("char store " + index, () -> (int) (chars[index] = (char) -1));
        show("short store " + index, () -> shorts[index] = (short) 70000);
        show("int store " + index, () -> ints[index] = 5);
        show("long store " + index, () -> longs[index] = 1L << 40);
        show("float store " + index, () -> floats[index] = 1.5f);
        show("double store " + index, () -> doubles[index] = 1e300);
        show("reference store " + index, () -> strings[index] = "text");
        show("compound " + index, () -> longs[index] <<= 3);
        show("increment " + index, () -> ints[index]++ + ++ints[index]);
        show("nested " + index, () -> nested[index][index] = 1);
        show("wrong type and bounds " + index, () -> objects[index] = 5);
        show("right side first " + index, () -> ints[index] = fail());
        show("null array first " + index, () -> ((int[]) null)[index] = fail());
    }

    static int fail() {
        throw new IllegalStateException("right side");
    }

    static int count;

    static int next(String what) {
        System.out.print(what + " ");
        return count++ % 3;
    }

    int[] array(String what) {
        System.out.print(what + " ");
        return ints;
    }

    void order() {
        count = 0;
        array("a")[next("i")] = array("b")[next("j")] += array("c")[next("k")] = 9;
        System.out.println(Arrays.toString(ints));
        int i = 0;
        ints[i++] = ints[i++] + i;
        i = ints[i = 1];
        System.out.println(Arrays.toString(ints) + i);
    }

    void truncation() {
        for (int value : new int[] {0, 1, 2, 255, 256, -1, 65535, 65536, Integer.MIN_VALUE}) {
            bytes[0] = (byte) value;
            chars[0] = (char) value;
            shorts[0] = (short) value;
            bytes[1] += value;
            chars[1] += value;
            shorts[1] -= value;
            bytes[2] >>>= 1;
            floats[0] = value;
            doubles[0] = floats[0] / 3;
            longs[0] = value * 3L;
            ints[0] += doubles[0];
            System.out.println(bytes[0] + " " + bytes[1] + " " + (int) chars[0] + " " + (int) chars[1] + " " + shorts[0]
                    + " "
                    + shorts[1] + " " + floats[0] + " " + doubles[0] + " " + longs[0] + " " + ints[0]);
        }
        for (double value : new double[] {Double.NaN, -0.0, Double.MIN_VALUE, 1e40, Double.NEGATIVE_INFINITY}) {
            doubles[1] = value;
            floats[1] = (float) doubles[1];
            longs[1] = (long) doubles[1];
            ints[1] = (int) floats[1];
            System.out.println(Long.toHexString(Double.doubleToRawLongBits(doubles[1])) + " "
                    + Integer.toHexString(Float.floatToRawIntBits(floats[1])) + " " + longs[1] + " " + ints[1]
                    + " " + (doubles[1] < 0) + (doubles[1] != doubles[1]) + (floats[1] >= 1));
        }
    }

    @SuppressWarnings("SuspiciousSystemArraycopy")
    void copies() {
        int[] a = {1, 2, 3, 4, 5};
        System.arraycopy(a, 0, a, 1, 4);
        System.out.println(Arrays.toString(a));
        show("negative", () -> { System.arraycopy(a, -1, a, 0, 1); return a; });
        show("beyond", () -> { System.arraycopy(a, 3, a, 0, 3); return a; });
        show("type", () -> { System.arraycopy(a, 0, longs, 0, 1); return a; });
        show("store", () -> { System.arraycopy(new Object[] {"x", 1, "y"}, 0, strings, 0, 3); return 0; });
        show("stored", () -> strings);
        show("null", () -> { System.arraycopy(null, 0, strings, 0, 3); return 0; });
        int[][] deep = {{1, 2}, {3}, {}, null};
        int[][] copy = deep.clone();
        System.out.println((copy != deep) + " " + (copy[0] == deep[0]) + " " + Arrays.deepToString(copy)
                + copy.getClass().getName() + copy.equals(deep) + Arrays.deepEquals(copy, deep));
        System.out.println(Arrays.toString(Arrays.copyOf(strings, 5)) + Arrays.hashCode(a) + Arrays.equals(a, a.clone()));
        Arrays.fill(doubles, 2.5);
        Arrays.sort(a);
        Arrays.setAll(longs, i -> a[i] * 10L);
        System.out.println(Arrays.toString(doubles) + Arrays.toString(longs) + Arrays.stream(a).sum());
        char[] text = "some text".toCharArray();
        text[0] ^= 0x20;
        System.out.println(new String(text, 0, 4) + String.valueOf(text, 4, 5));
    }

    static int sum(int... numbers) {
        int sum = numbers.length * 100;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    /* The parameter is an object of the class only where it is cast, in the loop: never, if there are no rounds. */
    static long sumOf(Object values, int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += ((ArrayValues) values).longs[i] + ((ArrayValues) values).longs[2 - i];
        }
        return sum;
    }

    static <T> T[] same(T... given) {
        return given;
    }

    public static void main(String[] arguments) {
        ArrayValues values = new ArrayValues();
        for (int index : new int[] {0, 2, 3, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            values.bounds(index);
        }
        values.order();
        values.truncation();
        values.copies();
        int[] sizes = {-1, -7};
        show("negative boolean", () -> new boolean[sizes[0]]);
        show("negative object", () -> new String[sizes[1]]);
        show("negative nested", () -> new long[2][sizes[0]]);
        show("negative outer", () -> new long[sizes[1]][sizes[0]][]);
        show("zero outer", () -> new long[0][sizes[0] + 1]);
        show("deep", () -> new byte[2][3][1][2]);
        show("partly", () -> new Object[2][3][]);
        show("class cast", () -> (int[]) (Object) values.longs);
        show("class cast nested", () -> (Integer[][]) (Object) new Number[1][1]);
        show("class cast element", () -> ((String[]) (Object[]) new Object[1])[0]);
        show("class cast object", () -> (String) (Object) new ArrayValues[0].length);
        show("nested store", () -> values.nested[0][0] = 1.5);
        show("nested row", () -> values.nested[1] = new Number[0]);
        show("nested good", () -> values.nested[1] = new Integer[] {4});
        show("cast this", () -> (Comparable<?>) (Object) values);
        show("names", () -> new Object[] {int[].class.getName(), String[][].class.getName(), same(1, 2).getClass().getName(),
            same().getClass().getSimpleName(), int[].class.getModifiers(), long[].class.getInterfaces().length,
            double[][].class.getComponentType().getName()});
        System.out.println(sum() + " " + sum(1) + " " + sum(1, 2, 3) + " " + sum(CONSTANT) + " "
                + CONSTANT.equals(CONSTANT.clone()));
        show("cast in a loop", () -> sumOf(values, 3));
        show("cast in no round", () -> sumOf("no values", 0));
        show("cast of another", () -> sumOf("no values", 1));
        show("cast of null", () -> sumOf(null, 1));
        System.out.println(same(1, "x").length + " " + (same(CONSTANT)[0] == CONSTANT));
        /* A checked array is still the same object. */
        int[] one = new int[1];
        Object[] holder = {one, one, new int[1]};
        one[0] = 3;
        System.out.println((holder[0] == holder[1]) + " " + (holder[0] == holder[2]) + " " + ((int[]) holder[1])[0]
                + " " + (one.hashCode() == System.identityHashCode(holder[0])));
        synchronized (one) {
            System.out.println(Thread.holdsLock(one) + " " + Thread.holdsLock(holder));
        }
        long total = 0;
        double[][] matrix = new double[64][64];
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < 64; i++) {
                for (int j = 0; j < 64; j++) {
                    matrix[i][j] += Math.sqrt(i * j + round) - matrix[j][i] / 2;
                    total += (long) matrix[i][j];
                }
            }
        }
        System.out.println(total + " " + matrix[63][62]);
    }
}
