import quiet.Threads;

/**
 * Wrong: one thread reads what it has written, and could see what another one has written in between. Only that read
 * shows it: for a mere write it would not matter when it comes. So a read is no repetition of a write, in a stretch without
 * locks and blocks.
 */
public class RepeatedKinds {
    //! options: --atomicity blocks
    private static int value;
    private static int seen;

    public static void pass() {
        value = -1; //! race observed RepeatedKinds.value
        value = 1; //! atomicity predicted RepeatedKinds.pass
    }

    public static void main(String[] arguments) {
        Threads.inTurn(
                () -> {
                    for (int i = 0; i < 3; i++) {
                        value = 2; //! race observed RepeatedKinds.value
                        seen += value;
                    }
                },
                RepeatedKinds::pass);
        System.out.println("ok");
    }
}
