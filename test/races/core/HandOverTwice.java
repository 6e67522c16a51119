/** Right: an object is made by the main thread, changed by a worker, and taken back after the join, several times. */
public class HandOverTwice {
    static class Batch {
        int size;
        final double[] values = new double[4];
    }

    static void work(Batch batch) {
        batch.size++;
        for (int i = 0; i < batch.values.length; i++) {
            batch.values[i] += i;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Batch batch = new Batch();
        for (int round = 0; round < 4; round++) {
            work(batch);
            Thread worker = new Thread(() -> work(batch));
            worker.start();
            worker.join();
        }
        work(batch);
        System.out.println(batch.size == 9 && batch.values[3] == 27 ? "ok" : "not seen");
    }
}
