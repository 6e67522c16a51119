import java.util.List;
import java.util.Map;

import quiet.Threads;

/** All methods and blocks are wrong. Comments in the source say which should be atomic. */
public class DeclaredByComment {
    //! options: --atomic annotated --source FOLDER/DeclaredByComment.java
    private static final Object LOCK = new Object();
    private static int value;

    private static void add(int amount) /*# atomic */ {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredByComment.add
            value++; //! atomicity predicted DeclaredByComment.add
        }
    }

    private static void add(String amount) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    /*# atomicity this ? mover : atomic */
    private <T> void add(List<T> list, Map.Entry<T, ?>[] entries, T last) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredByComment.add
            value++; //! atomicity predicted DeclaredByComment.add
        }
    }

    private <T> void add(List<T> list, Map.Entry<T, ?> entries, T last) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    public static void severalSteps() /*# atomicity cmpd */ {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    /** Classes without names of their own are known by their lines. */
    private static Runnable anonymous() {
        return new Runnable() {
            @Override
            public void run() /*# atomic */ {
                synchronized (LOCK) {
                    value++;
                }
                synchronized (LOCK) { //! atomicity predicted DeclaredByComment$1.run
                    value++; //! atomicity predicted DeclaredByComment$1.run
                }
            }
        };
    }

    /** The class inside is another one. */
    private static Runnable outer() {
        return new Runnable() {
            @Override
            public void run() /*# atomic */ {
                new Runnable() {
                    @Override
                    public void run() {
                        synchronized (LOCK) {
                            value++;
                        }
                        synchronized (LOCK) { //! atomicity predicted DeclaredByComment$2.run
                            value++; //! atomicity predicted DeclaredByComment$2.run
                        }
                    }
                }.run();
            }
        };
    }

    private static Runnable another() {
        return new Runnable() {
            @Override
            public void run() {
                synchronized (LOCK) {
                    value++;
                }
                synchronized (LOCK) {
                    value++;
                }
            }
        };
    }

    private static final Runnable FIRST = new Runnable() {
        @Override
        public void run() {
            synchronized (LOCK) {
                value++;
            }
            synchronized (LOCK) {
                value++;
            }
        }
    };

    private static void local() {
        class Local {
            void step() /*# atomic */ {
                synchronized (LOCK) {
                    value++;
                }
                synchronized (LOCK) { //! atomicity predicted DeclaredByComment$1Local.step
                    value++; //! atomicity predicted DeclaredByComment$1Local.step
                }
            }
        }
        new Local().step();
    }

    private static void blocks(Object mine) {
        synchronized (mine) {
            synchronized (LOCK) {
                value++;
            }
            synchronized (LOCK) {
                value++;
            }
        }
        /*# atomic */ synchronized (mine) {
            synchronized (LOCK) {
                value++;
            }
            synchronized (LOCK) { //! atomicity predicted DeclaredByComment.blocks
                value++; //! atomicity predicted DeclaredByComment.blocks
            }
        }
    }

    private static void everything() {
        DeclaredByComment object = new DeclaredByComment();
        add(1);
        add("");
        object.add(List.of(), new Map.Entry[0], "");
        object.add(List.of(), (Map.Entry<Object, ?>) null, "");
        severalSteps();
        anonymous().run();
        outer().run();
        another().run();
        FIRST.run();
        local();
        blocks(new Object());
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeclaredByComment::everything, DeclaredByComment::everything);
        System.out.println(value == 48 ? "ok" : "lost");
    }
}
