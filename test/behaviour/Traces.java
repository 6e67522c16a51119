import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Full stack traces, from every kind of place where an exception can come from. */
public class Traces {
    int value;
    int[] numbers = new int[2];
    static Traces shared = new Traces();

    static class Broken {
        static int never = compute();

        static int compute() {
            return shared.numbers[7];
        }
    }

    static class Failing {
        final int given;
        int later = shared.numbers[given()];

        Failing(int given) {
            this.given = given;
        }

        int given() {
            return given + 5;
        }
    }

    static class Base {
        Base(int value) {
            check(value);
        }

        void check(int value) {
            if (value < 0) {
                throw new IllegalArgumentException("negative: " + value);
            }
        }
    }

    static class Derived extends Base {
        String name;

        Derived(int value) {
            super(value > 5 ? shared.numbers[value] : value);
            name = String.valueOf(value);
        }

        @Override
        synchronized void check(int value) {
            super.check(value - (name == null ? 1 : 0));
        }
    }

    class Inner {
        int twice() {
            return value / numbers[0];
        }

        Runnable deeper() {
            return new Runnable() {
                @Override
                public void run() {
                    Supplier<Integer> supplier = () -> numbers[value + 9] + twice();
                    supplier.get();
                }
            };
        }
    }

    enum Operation {
        FIRST {
            @Override
            int apply(Traces traces) {
                return traces.numbers[-1];
            }
        },
        SECOND {
            @Override
            int apply(Traces traces) {
                return ((Traces) null).value;
            }
        };

        abstract int apply(Traces traces);
    }

    interface Defaulted {
        default int give() {
            return hidden(new int[0]);
        }

        private int hidden(int[] array) {
            return array[0];
        }

        static int fixed(Object object) {
            return ((Integer) object) + 1;
        }
    }

    record Range(int low, int high) {
        Range {
            if (low > high) {
                throw new IllegalArgumentException(low + " > " + high);
            }
        }
    }

    static class Resource implements AutoCloseable {
        final String name;

        Resource(String name) {
            this.name = name;
        }

        @Override
        public void close() {
            shared.value++;
            throw new IllegalStateException("close " + name);
        }
    }

    synchronized void locked(int depth) {
        value = depth;
        if (depth == 0) {
            numbers[2] = value;
        }
        synchronized (numbers) {
            locked(depth - 1);
        }
    }

    static synchronized void lockedStatic(Object[] objects) {
        objects[0] = Integer.valueOf(shared.value);
    }

    void wrapped() {
        try {
            locked(2);
        } catch (RuntimeException e) {
            throw new IllegalStateException("wrapped", e);
        } finally {
            value = -1;
        }
    }

    void resources() {
        try (Resource first = new Resource("first"); Resource second = new Resource("second")) {
            shared.numbers[3]++;
        }
    }

    static <T extends Comparable<T>> T largest(List<T> list) {
        return list.stream().max(Comparator.naturalOrder()).get();
    }

    static void show(String what, Callable<?> code) {
        System.out.println("== " + what);
        try {
            System.out.println("result " + code.call());
        } catch (Throwable thrown) {
            thrown.printStackTrace();
            thrown.printStackTrace(System.out);
            for (Throwable t = thrown; t != null; t = t.getCause()) {
                System.out.println(t.getStackTrace().length + " " + Arrays.toString(t.getStackTrace()));
            }
            System.out.println("locks " + Thread.holdsLock(shared) + Thread.holdsLock(shared.numbers)
                    + Thread.holdsLock(Traces.class));
        }
    }

    public static void main(String[] arguments) throws Exception {
        show("synchronized", () -> { shared.locked(3); return 0; });
        show("synchronized static", () -> { lockedStatic(new String[1]); return 0; });
        show("synchronized static, null", () -> { lockedStatic(null); return 0; });
        show("wrapped", () -> { shared.wrapped(); return 0; });
        show("resources", () -> { shared.resources(); return 0; });
        show("initializer", () -> Broken.never);
        show("initializer again", () -> Broken.never);
        show("field initializer", () -> new Failing(1));
        show("before super()", () -> new Derived(9));
        show("super()", () -> new Derived(0));
        show("good", () -> new Derived(1).name);
        show("inner", () -> shared.new Inner().twice());
        show("anonymous and lambda", () -> { shared.new Inner().deeper().run(); return 0; });
        for (Operation operation : Operation.values()) {
            show("enum " + operation, () -> operation.apply(shared));
        }
        show("default", () -> new Defaulted() {}.give());
        show("static in interface", () -> Defaulted.fixed("text"));
        show("record", () -> new Range(2, 1));
        show("method reference", () -> List.of(1, 2).stream().map(Operation.SECOND.getClass()::cast)
                .collect(Collectors.toList()));
        show("stream", () -> List.of(3, 4, 50).stream().mapToInt(i -> shared.numbers[i % 3]).sum());
        show("empty", () -> largest(List.<Integer>of()));
        IntUnaryOperator operator = shared.numbers.length > 1 ? Traces::index : i -> i;
        show("operator", () -> operator.andThen(i -> i + 1).applyAsInt(8));
        show("reflection", () -> {
            Constructor<Derived> constructor = Derived.class.getDeclaredConstructor(int.class);
            try {
                return constructor.newInstance(7);
            } catch (InvocationTargetException e) {
                throw (Exception) e.getCause();
            }
        });
        ExecutorService pool = Executors.newSingleThreadExecutor(task -> new Thread(task, "worker"));
        show("pool", () -> {
            try {
                return pool.submit(() -> shared.numbers[100] = 1).get();
            } catch (ExecutionException e) {
                throw (Exception) e.getCause();
            }
        });
        pool.shutdown();
        Thread thread = new Thread(() -> shared.locked(1), "other");
        thread.start();
        thread.join();
        Thread handled = new Thread(() -> new Derived(9), "handled");
        handled.setUncaughtExceptionHandler((t, e) -> {
            System.out.println(t.getName() + " " + e);
            e.printStackTrace(System.out);
        });
        handled.start();
        handled.join();
        new Traces().locked(4);
    }

    static int index(int i) {
        return shared.numbers[i];
    }
}
