/** Right: a buffer of one slot with wait and notifyAll; everything is done with the lock held. */
public class ProducerConsumer {
    private Integer slot;
    private int passed;

    synchronized void put(Integer item) throws InterruptedException {
        while (slot != null) {
            wait();
        }
        slot = item;
        passed++;
        notifyAll();
    }

    synchronized Integer take() throws InterruptedException {
        while (slot == null) {
            wait();
        }
        Integer item = slot;
        slot = null;
        passed++;
        notifyAll();
        return item;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ProducerConsumer buffer = new ProducerConsumer();
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    buffer.put(i);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        producer.start();
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            sum += buffer.take();
        }
        producer.join();
        System.out.println(sum == 1225 && buffer.passed == 100 ? "ok" : "lost an item");
    }
}
