import quiet.Threads;

/** Wrong: two threads increment; what one reads the other has written, and so on. */
public class BatchIncrement {
    static int shared;
    int count;
    long total;

    void note(long amount) {
        count++; //! race observed BatchIncrement.count
        total += amount; //! race observed BatchIncrement.total
        shared += 2; //! race observed BatchIncrement.shared
    }

    public static void main(String[] arguments) {
        BatchIncrement counter = new BatchIncrement();
        Threads.inTurn(() -> counter.note(3), () -> counter.note(4));
        System.out.println(counter.count == 2 && counter.total == 7 && shared == 4 ? "ok" : "lost");
    }
}
