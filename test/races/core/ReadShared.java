/** Right: data that the main thread fills and many threads read, without any lock. */
public class ReadShared {
    static int limit = 3;
    static int[] table;
    static String[][] names;

    static int read() {
        int sum = 0;
        for (int i = 0; i < limit; i++) {
            sum += table[i] + names[i][0].length();
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        table = new int[] {1, 2, 3};
        names = new String[][] {{"a"}, {"bc"}, {"def"}};
        limit = table.length;
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(ReadShared::read);
            threads[i].start();
        }
        int sum = read();
        for (Thread thread : threads) {
            thread.join();
        }
        limit = 0; // all readers have ended
        System.out.println(sum == 12 ? "ok" : "wrong sum");
    }
}
