/** For compilers of long ago: subroutines for finally, no stack maps, class literals by name, access methods. */
public class OldProgram {
    private int value = 1;
    private static long shared = 2;
    private final int[] numbers = {1, 2, 3};
    private OldProgram next;

    class Inner {
        private int own = value + 1;

        int sum() { return own++ + value++ + numbers[1]++ + (int) shared++; }
    }

    synchronized int finallies(int mode) {
        for (int i = 0; i < 4; i++) {
            try {
                try {
                    value += i;
                    if (mode == 0 && i == 2) {
                        return value;
                    }
                    if (mode == 1) {
                        numbers[i] = value / (i - 1);
                    }
                    synchronized (numbers) {
                        if (mode == 2 && i == 1) {
                            break;
                        }
                        next.value = numbers[3 - i];
                    }
                } catch (ArithmeticException e) {
                    shared += 100;
                    continue;
                } finally {
                    shared += value;
                    numbers[0]++;
                }
            } catch (NullPointerException e) {
                next = new OldProgram();
            } catch (ArrayIndexOutOfBoundsException e) {
                value = -value;
            } finally {
                value++;
                if (mode == 3) {
                    return -3;
                }
            }
        }
        return value;
    }

    static Runnable anonymous(final int captured, final OldProgram program) {
        return new Runnable() {
            private int times = captured;

            public void run() {
                synchronized (program) {
                    program.value += times++;
                    System.out.println("anonymous " + program.value + " " + captured + " " + times);
                }
            }
        };
    }

    static void trace(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        for (int i = 0; i < trace.length; i++) {
            System.out.println(thrown + " at " + trace[i]);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        OldProgram program = new OldProgram();
        for (int mode = 0; mode < 5; mode++) {
            System.out.println(program.finallies(mode) + " " + program.value + " " + shared + " " + program.numbers[0]);
        }
        System.out.println(program.new Inner().sum() + " " + OldProgram.class.getName() + " " + int[].class.getName()
                + " " + Thread.holdsLock(program));
        Runnable run = anonymous(5, program);
        run.run();
        Thread thread = new Thread(run, "old");
        thread.start();
        thread.join();
        try {
            program.next.next.value++;
        } catch (NullPointerException e) {
            trace(e);
        }
        try {
            Object[] objects = new String[1];
            objects[0] = program;
        } catch (ArrayStoreException e) {
            trace(e);
        }
    }
}
