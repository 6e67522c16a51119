/** Right: two threads use neighbouring elements of arrays of every type; elements are variables of their own. */
public class ArrayKindsApart {
    static final boolean[] flags = new boolean[4];
    static final byte[] bytes = new byte[4];
    static final char[] letters = new char[4];
    static final short[] shorts = new short[4];
    static final int[] numbers = new int[4];
    static final float[] reals = new float[4];
    static final long[] bigs = new long[4];
    static final double[] doubles = new double[4];
    static final Object[] things = new Object[4];

    static int use(int i) {
        flags[i] = true;
        bytes[i] = (byte) 1;
        letters[i] = 'a';
        shorts[i] = (short) 2;
        numbers[i] = 3;
        reals[i] = 4.5f;
        bigs[i] = 5L;
        doubles[i] = 6.5;
        things[i] = "seven";
        int sum = 0;
        sum += flags[i] ? 1 : 0;
        sum += bytes[i];
        sum += letters[i];
        sum += shorts[i];
        sum += numbers[i];
        sum += (int) reals[i];
        sum += (int) bigs[i];
        sum += (int) doubles[i];
        sum += things[i] == null ? 0 : 7;
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread even = new Thread(() -> {
            use(0);
            use(2);
        });
        Thread odd = new Thread(() -> {
            use(1);
            use(3);
        });
        even.start();
        odd.start();
        even.join();
        odd.join();
        System.out.println(use(0) == 1 + 1 + 'a' + 2 + 3 + 4 + 5 + 6 + 7 ? "ok" : "other values");
    }
}
