import quiet.Order;

/** Wrong: one thread uses an array through its field, the other through a local variable with the same array. */
public class ArrayAlias {
    private final char[] letters = new char[4];

    void direct() {
        letters[1] = 'a'; //! race observed ArrayAlias.letters[]
    }

    void byAlias() {
        char[] local = letters;
        for (int i = 0; i < local.length; i++) {
            local[i] = 'b'; //! race observed ArrayAlias.letters[]
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        ArrayAlias alias = new ArrayAlias();
        Thread first = new Thread(() -> {
            alias.direct();
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        alias.byAlias();
        first.join();
        System.out.println("ok");
    }
}
