import quiet.Threads;

/** Right: what is written before there are other threads and only read from then on needs no lock. */
public class ReadSharedData {
    private static final int[] table = new int[3];
    private static int factor;

    public static int lookUp(int index) {
        return factor * table[index] + factor;
    }

    static void work() {
        for (int i = 0; i < table.length; i++) {
            if (lookUp(i) != 2 * i + 2) {
                throw new AssertionError(i);
            }
        }
    }

    public static void main(String[] arguments) {
        factor = 2;
        for (int i = 0; i < table.length; i++) {
            table[i] = i;
        }
        Threads.together(ReadSharedData::work, ReadSharedData::work);
        System.out.println("ok");
    }
}
