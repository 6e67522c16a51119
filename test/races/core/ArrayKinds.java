import quiet.Order;

/** Wrong: the same element of an array of every type, written by one thread and read by another at once. */
public class ArrayKinds {
    static final boolean[] flags = new boolean[4];
    static final byte[] bytes = new byte[4];
    static final char[] letters = new char[4];
    static final short[] shorts = new short[4];
    static final int[] numbers = new int[4];
    static final float[] reals = new float[4];
    static final long[] bigs = new long[4];
    static final double[] doubles = new double[4];
    static final Object[] things = new Object[4];

    static void write(int i) {
        flags[i] = true; //! race observed ArrayKinds.flags[]
        bytes[i] = (byte) 1; //! race observed ArrayKinds.bytes[]
        letters[i] = 'a'; //! race observed ArrayKinds.letters[]
        shorts[i] = (short) 2; //! race observed ArrayKinds.shorts[]
        numbers[i] = 3; //! race observed ArrayKinds.numbers[]
        reals[i] = 4.5f; //! race observed ArrayKinds.reals[]
        bigs[i] = 5L; //! race observed ArrayKinds.bigs[]
        doubles[i] = 6.5; //! race observed ArrayKinds.doubles[]
        things[i] = "seven"; //! race observed ArrayKinds.things[]
    }

    static int read(int i) {
        int sum = 0;
        sum += flags[i] ? 1 : 0; //! race observed ArrayKinds.flags[]
        sum += bytes[i]; //! race observed ArrayKinds.bytes[]
        sum += letters[i]; //! race observed ArrayKinds.letters[]
        sum += shorts[i]; //! race observed ArrayKinds.shorts[]
        sum += numbers[i]; //! race observed ArrayKinds.numbers[]
        sum += (int) reals[i]; //! race observed ArrayKinds.reals[]
        sum += (int) bigs[i]; //! race observed ArrayKinds.bigs[]
        sum += (int) doubles[i]; //! race observed ArrayKinds.doubles[]
        sum += things[i] == null ? 1 : 0; //! race observed ArrayKinds.things[]
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            write(2);
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        int sum = read(2);
        writer.join();
        System.out.println(sum > 0 ? "ok" : "the values were not seen");
    }
}
