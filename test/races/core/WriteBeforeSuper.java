import quiet.Order;

/** Wrong after the construction: fields are written before super(), as newer Java allows, and then by two threads. */
public class WriteBeforeSuper {
    //! needs: 25
    static class Base {
        final int seen;

        Base() {
            seen = value();
        }

        int value() {
            return 0;
        }
    }

    static class Derived extends Base {
        private int value;
        private long other;

        Derived(int value) {
            this.value = value;
            this.other = value;
            super();
        }

        @Override
        int value() {
            return value;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derived derived = new Derived(5);
        Thread first = new Thread(() -> {
            derived.other++; // handed over by the start, and nobody else's
            derived.value++; //! race observed WriteBeforeSuper$Derived.value
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        derived.value++; //! race observed WriteBeforeSuper$Derived.value
        first.join();
        System.out.println(derived.seen == 5 ? "ok" : "not seen");
    }
}
