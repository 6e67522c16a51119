import quiet.Threads;

/**
 * Wrong: each call takes an item as one step, both together are none: another can come between them. That the
 * buffer's sections wait and notify, and so hand over what comes before them, makes them no less atomic, and two of
 * them no more.
 */
public class HandOverTakeTwo {
    private int items;

    public synchronized void put(int number) {
        while (items > 10) {
            pause();
        }
        items += number;
        notifyAll();
    }

    public synchronized int take() {
        while (items == 0) { //! atomicity predicted HandOverTakeTwo.takeTwo
            pause();
        }
        items--; //! atomicity predicted HandOverTakeTwo.takeTwo
        notifyAll();
        return 1;
    }

    public int takeTwo() {
        int first = take();
        return first + take();
    }

    private void pause() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) {
        HandOverTakeTwo buffer = new HandOverTakeTwo();
        buffer.put(4);
        Threads.inTurn(() -> buffer.takeTwo(), () -> {
            buffer.take();
            buffer.put(1);
        }, () -> buffer.takeTwo());
        System.out.println(buffer.items == 0 ? "ok" : "lost");
    }
}
