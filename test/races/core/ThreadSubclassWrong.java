import quiet.Order;

/** Wrong: a subclass of Thread with a plain field that asks it to stop. */
public class ThreadSubclassWrong extends Thread {
    private boolean stopped;
    private int rounds;

    @Override
    public void run() {
        Order.await("asked");
        if (!stopped) { //! race observed ThreadSubclassWrong.stopped
            rounds++;
        }
    }

    void ask() {
        stopped = true; //! race observed ThreadSubclassWrong.stopped
    }

    public static void main(String[] arguments) throws InterruptedException {
        ThreadSubclassWrong thread = new ThreadSubclassWrong();
        thread.start();
        thread.ask();
        Order.reach("asked");
        thread.join();
        System.out.println(thread.rounds <= 1 ? "ok" : "too many");
    }
}
