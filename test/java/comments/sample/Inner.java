package sample;

/** Classes whose names the compiler makes. */
class Inner {
    Runnable first = new Runnable() { public void run() { System.nanoTime(); } };

    static class Member {
        int m /*# guarded_by this */;
        Runnable r = new Runnable() {
            int inMember /*# guarded_by this */;
            public void run() { inMember++; }
        };
    }

    void one() {
        class Local {
            int inLocal /*# guarded_by this */;
            class Deep {
                int inDeep /*# guarded_by this */;
            }
        }
        Thread thread = new Thread(new Runnable() {
            int inArgument /*# guarded_by this */;
            public void run() { inArgument++; }
        }) {
            int inThread /*# guarded_by this */;
            public void run() { inThread++; }
        };
    }

    void two() {
        class Local {
            int inOther /*# guarded_by this */;
        }
        Runnable lambda = () -> {
            Object o = new Object() {
                int inLambda /*# guarded_by this */;
                Object p = new Object() {
                    int inside /*# guarded_by this */;
                };
            };
        };
    }
}
