import quiet.Order;

/**
 * Wrong by the letter: a hash is computed at first use and kept in a plain field, as String does. It works; it races.
 */
public class RacyLazyHash {
    private final int seed;
    private int hash;

    RacyLazyHash(int seed) {
        this.seed = seed;
    }

    int hash() {
        int known = hash; //! race observed RacyLazyHash.hash
        if (known == 0) {
            known = seed * 31 + 7;
            hash = known; //! race observed RacyLazyHash.hash
        }
        return known;
    }

    public static void main(String[] arguments) throws InterruptedException {
        RacyLazyHash object = new RacyLazyHash(5);
        Thread first = new Thread(() -> {
            object.hash();
            Order.reach("computed");
        });
        first.start();
        Order.await("computed");
        int hash = object.hash();
        first.join();
        System.out.println(hash == 162 ? "ok" : "another hash");
    }
}
