import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** Every kind of control flow that a rewriter can get wrong; prints what it computes. */
public class Program {
    static class Base {
        final long value;

        Base(long value, double factor, String text) {
            this.value = value + (long) factor + text.length();
            if (value < 0) {
                throw new IllegalArgumentException("negative " + value);
            }
        }
    }

    /** Logic, calls, allocations and exceptions before super() is called. */
    static class Derived extends Base {
        final String name;
        int touched;

        Derived(int number, boolean odd) {
            super(odd ? number * 3L : Math.max(number, 7), odd ? 1.5 : half(number),
                    odd ? new StringBuilder("odd").append(number).toString() : "even");
            name = odd ? "O" : "E";
            for (int i = 0; i < number; i++) {
                touched += i;
            }
            try {
                if (number == 5) {
                    throw new IllegalStateException("five");
                }
            } catch (IllegalStateException e) {
                touched = -touched;
            }
            if (number == 6) {
                throw new UnsupportedOperationException("six");
            }
        }

        Derived(int number) {
            this(checked(number), number % 2 != 0);
        }

        static double half(int number) {
            return number / 2.0;
        }

        static int checked(int number) {
            if (number == 13) {
                throw new ArithmeticException("thirteen");
            }
            return number;
        }
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int loopToStart(int n) {
        do {
            n -= 3;
        } while (n > 0);
        return n;
    }

    static long wide(long a, double b, int c, float d, long[] e) {
        long sum = 0;
        for (int i = 0; i < e.length; i++) {
            sum += e[i] * c;
            e[i] = sum;
            if (sum > 1000L) {
                break;
            }
        }
        return a + (long) (b * d) + sum;
    }

    static String dense(int key) {
        switch (key) {
        case -1:
            return "minus";
        case 0:
            return "zero";
        case 1:
        case 2:
            return "small";
        case 3:
            key += 10;
            // falls through
        case 4:
            return "four" + key;
        default:
            return "other";
        }
    }

    static int sparse(String key) {
        switch (key) {
        case "alpha":
            return 1;
        case "beta":
            return 20;
        case "Aa":
        case "BB":
            return 300;
        default:
            return key.length();
        }
    }

    static int lookup(int key) {
        switch (key) {
        case Integer.MIN_VALUE:
            return 1;
        case -5000:
            return 2;
        case 7:
            return 3;
        case 1_000_000:
            return 4;
        default:
            return 5;
        }
    }

    static int finals(int n, StringBuilder log) {
        for (int i = 0;; i++) {
            try {
                if (i == n) {
                    return i;
                }
                try {
                    log.append('t');
                    if (i % 3 == 1) {
                        continue;
                    }
                    if (i == 5) {
                        throw new IllegalStateException("five");
                    }
                } finally {
                    log.append('f');
                }
            } catch (IllegalStateException e) {
                log.append(e.getMessage());
            } finally {
                log.append('.');
            }
        }
    }

    static int locked(Object a, Object b, int depth) {
        synchronized (a) {
            synchronized (b) {
                if (depth == 0) {
                    throw new RuntimeException("bottom");
                }
                if (depth == 100) {
                    return depth;
                }
                return locked(b, a, depth - 1) + 1;
            }
        }
    }

    synchronized int guarded(int n) {
        if (n > 2) {
            throw new IndexOutOfBoundsException("guarded " + n);
        }
        return n + 1;
    }

    static void deep(int n) throws Exception {
        if (n == 0) {
            throw new Exception("deep");
        }
        deep(n - 1);
    }

    static int overflow(int n) {
        return overflow(n + 1) + 1;
    }

    static Object nested(int n) {
        return new ArrayList<Object>(Arrays.asList(n > 1 ? new Object[] {n, nested(n - 1)} : new int[] {n}.clone(),
                n % 2 == 0 ? new StringBuilder().append(n).append(n > 2 ? "x" : "y") : "leaf"));
    }

    static String show(Object object) {
        if (object instanceof List) {
            StringBuilder text = new StringBuilder("[");
            for (Object element : (List<?>) object) {
                text.append(show(element)).append(' ');
            }
            return text.append(']').toString();
        }
        if (object instanceof Object[]) {
            return Arrays.stream((Object[]) object).map(Program::show).reduce("", (a, b) -> a + "/" + b);
        }
        return object instanceof int[] ? Arrays.toString((int[]) object) : String.valueOf(object);
    }

    static int lambdas(int n) {
        int captured = n * 2;
        IntBinaryOperator add = (a, b) -> a + b + captured;
        Supplier<Integer> supplier = () -> {
            int sum = 0;
            for (int i = 0; i < captured; i++) {
                sum = add.applyAsInt(sum, i);
            }
            return sum;
        };
        return supplier.get();
    }

    static void construct(int number) {
        try {
            Derived derived = new Derived(number);
            System.out.println(number + ": " + derived.value + " " + derived.name + " " + derived.touched);
        } catch (RuntimeException e) {
            System.out.println(number + ": " + e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("fib " + fib(10));
        System.out.println("loop " + loopToStart(20));
        System.out.println("wide " + wide(1L << 40, 2.5, 3, 4f, new long[] {1, 2, 3, 4, 5}));
        for (int i = -2; i < 6; i++) {
            System.out.println(dense(i) + " " + lookup(i * 7));
        }
        System.out.println(lookup(Integer.MIN_VALUE) + lookup(-5000) + lookup(1_000_000));
        System.out.println(sparse("alpha") + sparse("beta") + sparse("Aa") + sparse("BB") + sparse("none"));
        StringBuilder log = new StringBuilder();
        System.out.println(finals(7, log) + " " + log);
        try {
            locked(new Object(), "lock", 5);
        } catch (RuntimeException e) {
            System.out.println(e.getMessage() + " at line " + e.getStackTrace()[0].getLineNumber());
        }
        Program program = new Program();
        for (int i = 0; i < 5; i++) {
            try {
                System.out.println(program.guarded(i));
            } catch (IndexOutOfBoundsException e) {
                System.out.println(e.getMessage() + " " + Thread.holdsLock(program));
            }
        }
        try {
            deep(6);
        } catch (Exception e) {
            for (StackTraceElement element : e.getStackTrace()) {
                if (element.getClassName().equals("Program")) {
                    System.out.println(element);
                }
            }
        }
        if (arguments.length > 0) {
            try {
                overflow(0);
            } catch (StackOverflowError e) {
                System.out.println("overflow");
            }
        }
        System.out.println(show(nested(4)));
        System.out.println("lambdas " + lambdas(6));
        for (int number : new int[] {3, 4, 5, 6, 13, -3}) {
            construct(number);
        }
        System.out.println("huge " + Huge.compute(3) + " " + Huge.choose(5) + " " + Huge.choose(777) + " " + Huge.large(2));
    }
}
