/** Right: two threads use every second byte of an array; bytes are variables of their own. */
public class ArrayNeighbours {
    private final byte[] bytes = new byte[64];
    private final boolean[] flags = new boolean[64];

    void mark(int from) {
        for (int round = 0; round < 10; round++) {
            for (int i = from; i < bytes.length; i += 2) {
                bytes[i]++;
                flags[i] = !flags[i];
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        ArrayNeighbours neighbours = new ArrayNeighbours();
        Thread even = new Thread(() -> neighbours.mark(0));
        Thread odd = new Thread(() -> neighbours.mark(1));
        even.start();
        odd.start();
        even.join();
        odd.join();
        boolean right = true;
        for (int i = 0; i < 64; i++) {
            right &= neighbours.bytes[i] == 10 && !neighbours.flags[i];
        }
        System.out.println(right ? "ok" : "torn");
    }
}
