import net.jcip.annotations.GuardedBy;

/** Enums: state of constants, constants with bodies, static state. */
enum Enums {
    FIRST,
    SECOND {
        @Override
        void use() {
            uses += 2; // expect: guard-not-held
            synchronized (this) {
                uses += 2; // silent
            }
        }
    };

    @GuardedBy("this") int uses;
    @GuardedBy("Enums.class") private static int total;
    @GuardedBy("FIRST") private static int byConstant;

    static {
        total = 1; // silent: nobody else is there yet
    }

    Enums() {
        uses = 0; // silent
    }

    void use() {
        uses++; // expect: guard-not-held
        synchronized (this) {
            uses++; // silent
        }
        synchronized (Enums.class) {
            total++; // silent
        }
        total++; // expect: guard-not-held
    }

    static void constants() {
        synchronized (FIRST) {
            FIRST.uses++; // silent: constants are final
            SECOND.uses++; // expect: guard-not-held
            byConstant++; // silent
        }
        synchronized (Enums.SECOND) {
            Enums.SECOND.uses++; // silent
            byConstant++; // expect: guard-not-held
        }
        for (Enums constant : values()) {
            constant.uses++; // expect: guard-not-held
            synchronized (constant) {
                constant.uses++; // silent
            }
        }
        synchronized (valueOf("FIRST")) {
            FIRST.uses++; // expect: guard-not-held
        }
    }
}
