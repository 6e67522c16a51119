import quiet.Threads;

/** Wrong: two threads append to one builder, and to another one after a call of which nothing is known. */
public class BatchBuilder {
    static final StringBuilder TEXT = new StringBuilder();
    final StringBuilder own = new StringBuilder();

    static void enter(int number) {
        TEXT.append(number) //! race observed BatchBuilder.TEXT
                .append(' ')
                .append("times");
    }

    int change(Runnable between) {
        int length = own.length();
        between.run();
        own.append(length); //! race observed BatchBuilder.own
        own.append(1);
        return own.length();
    }

    public static void main(String[] arguments) {
        BatchBuilder changed = new BatchBuilder();
        BatchBuilder[] twice = {changed, changed};
        Threads.inTurn(() -> enter(1), () -> enter(2));
        Threads.inTurn(
                () -> twice[0].own.length(),
                () -> twice[1].change(() -> { }));
        System.out.println(TEXT.length() == 14 ? "ok" : "lost");
    }
}
