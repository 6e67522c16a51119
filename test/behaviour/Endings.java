import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The ways in which a program can end; the first argument says which. */
public class Endings {
    static int state;
    int own;
    static final Object LOCK = new Object();

    static void hook(String name, Runnable code) {
        Runtime.getRuntime().addShutdownHook(new Thread(code, name));
    }

    synchronized int fail(int[] numbers) {
        own++;
        return numbers[own];
    }

    /** A thread that stays where it is. */
    static void stuck(boolean daemon) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            synchronized (LOCK) {
                started.countDown();
                while (true) {
                    try {
                        Thread.sleep(1000);
                    } catch (InterruptedException e) {
                        state++;
                    }
                }
            }
        });
        thread.setDaemon(daemon);
        thread.start();
        started.await();
    }

    public static void main(String[] arguments) throws Exception {
        state = arguments.length;
        switch (arguments[0]) {
            case "return":
                System.out.println("returning");
                return;
            case "exit":
                System.out.println("exit in the middle");
                try {
                    synchronized (LOCK) {
                        System.exit(state + 10);
                    }
                } finally {
                    System.out.println("never printed");
                }
                break;
            case "hooks":
                synchronized (LOCK) {
                    state = 5;
                }
                hook("hook", () -> {
                    synchronized (LOCK) {
                        System.out.println("hook " + state++);
                    }
                });
                System.exit(7);
                break;
            case "failing-hook":
                hook("failing", () -> new Endings().fail(new int[0]));
                System.out.println("returning");
                return;
            case "halt":
                hook("never", () -> System.out.println("never printed"));
                System.out.println("halt");
                System.out.flush();
                Runtime.getRuntime().halt(9);
                break;
            case "halt-in-hook":
                hook("halting", () -> Runtime.getRuntime().halt(12));
                System.exit(3);
                break;
            case "uncaught":
                new Endings().fail(new int[1]);
                break;
            case "uncaught-cause":
                try {
                    new Endings().fail(null);
                } catch (NullPointerException e) {
                    throw new Exception("the cause is below", e);
                }
                break;
            case "uncaught-overflow":
                /* How deep it is, and what is on top, may change. */
                Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> System.err.println(thread.getName() + " "
                        + thrown));
                main(arguments);
                break;
            case "uncaught-elsewhere": {
                Thread thread = new Thread(() -> new Endings().fail(new int[1]), "elsewhere");
                thread.start();
                thread.join();
                System.out.println("main goes on");
                break;
            }
            case "uncaught-initializer":
                System.out.println(Wrong.value);
                break;
            case "exit-elsewhere": {
                Thread thread = new Thread(() -> System.exit(21));
                synchronized (LOCK) {
                    thread.start();
                    while (true) {
                        LOCK.wait();
                    }
                }
            }
            case "stuck":
                stuck(true);
                System.out.println("a daemon stays in a synchronized block");
                break;
            case "stuck-exit":
                stuck(false);
                System.exit(4);
                break;
            case "after-main": {
                Thread main = Thread.currentThread();
                new Thread(() -> {
                    try {
                        main.join();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    System.out.println("main has returned, " + state);
                    new Endings().fail(new int[1]);
                }, "after").start();
                break;
            }
            case "busy": {
                /* Threads that never stop working on what they share, while the JVM goes down. */
                CountDownLatch working = new CountDownLatch(4);
                for (int t = 0; t < 4; t++) {
                    Thread thread = new Thread(() -> {
                        for (long i = 0; ; i++) {
                            synchronized (LOCK) {
                                state++;
                            }
                            if (i == 1000) {
                                working.countDown();
                            }
                        }
                    });
                    thread.setDaemon(true);
                    thread.start();
                }
                working.await();
                System.out.println("busy");
                break;
            }
            case "signal":
                hook("signalled", () -> System.out.println("signalled"));
                System.out.println("ready");
                System.out.flush();
                Thread.sleep(60_000);
                break;
            case "echo": {
                System.out.println(arguments.length + " " + Arrays.toString(arguments));
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                List<String> lines = new ArrayList<>();
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    lines.add(line);
                }
                System.out.println(lines + System.getProperty("given") + Endings.class.desiredAssertionStatus());
                System.err.println("to standard error");
                System.exit(lines.size());
                break;
            }
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }

    static class Wrong {
        static int value = state / (state - state);
    }
}
