import quiet.Threads;

/**
 * Wrong: of three fields that are read one after the other, another thread has written the last one. The line is that of
 * the read, though all three are looked at before the first.
 */
public class BatchOwnFields {
    int first;
    int second;
    int third;

    int sum() {
        int sum = first;
        sum += second;
        sum += third; //! race observed BatchOwnFields.third
        return sum;
    }

    void increment() {
        first++;
        second++;
    }

    public static void main(String[] arguments) {
        BatchOwnFields fields = new BatchOwnFields();
        fields.increment();
        for (int i = 0; i < 3; i++) {
            fields.sum();
        }
        Threads.inTurn(() -> fields.third = 3, fields::sum);
        System.out.println(fields.sum() == 5 ? "ok" : "lost");
    }
}
