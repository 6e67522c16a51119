import quiet.Threads;

/** Right: a buffer of one place, whose methods wait until they can do their work. */
public class WaitBuffer {
    private int item;
    private boolean full;

    public synchronized void put(int number) {
        while (full) {
            pause();
        }
        item = number;
        full = true;
        notifyAll();
    }

    public synchronized int take() {
        while (!full) {
            pause();
        }
        full = false;
        notifyAll();
        return item;
    }

    private void pause() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) {
        WaitBuffer buffer = new WaitBuffer();
        Threads.together(() -> {
            for (int i = 0; i < 20; i++) {
                buffer.put(i);
            }
        }, () -> {
            for (int i = 0; i < 20; i++) {
                if (buffer.take() != i) {
                    throw new AssertionError(i);
                }
            }
        });
        System.out.println("ok");
    }
}
