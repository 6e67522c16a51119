/** holds is believed from its line to the end of its block. */
final class Holds {
    private final Object lock = new Object();
    private int value /*# guarded_by this */;
    private int other /*# guarded_by lock */;

    void change() /*# requires this */ {
        value++; // silent
    }

    void rest() {
        value++; // expect: guard-not-held
        /*# holds this */
        value++; // silent
        change(); // silent
        other++; // expect: guard-not-held
    }

    void block(boolean condition) {
        if (condition) {
            /*# holds this */
            value++; // silent
            if (value > 3) { // silent
                value--; // silent: inside the block
            }
        }
        value++; // expect: guard-not-held
        {
            /*# holds lock */
            other++; // silent
        }
        other++; // expect: guard-not-held
        for (int i = 0; i < 3; i++) {
            other++; // expect: guard-not-held
            /*# holds this.lock */
            other++; // silent
        }
    }

    void parameter(Holds one) {
        /*# holds one */
        one.value++; // silent
        value++; // expect: guard-not-held
        one.other++; // expect: guard-not-held
    }

    void afterwards() {
        value++; // expect: guard-not-held
    }
}
