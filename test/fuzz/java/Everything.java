import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** A class file with as many different structures as one source file can give. */
public abstract class Everything<T extends Comparable<T> & Runnable> implements Supplier<T> {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
    @interface Mark {
        int value() default 7;

        String[] names() default {"a", "b"};

        Class<?> type() default Object.class;

        Thread.State state() default Thread.State.NEW;

        Inner inner() default @Inner(0.5);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Inner {
        double value();
    }

    record Point(@Mark(1) int x, @Mark List<@Mark(names = {}) ? extends Number> y) {
        Point {
            if (x < 0) {
                throw new IllegalArgumentException("negative: " + x);
            }
        }
    }

    sealed interface Shape permits Circle, Square {}

    static final class Circle implements Shape {}

    static final class Square implements Shape {}

    static final long LONG = 1L << 40;
    static final double DOUBLE = Math.PI;
    static final String STRING = "\u0000\u00e9\u20ac\ud83d\ude00";
    @Deprecated protected volatile @Mark int[] @Mark [] array = {{1}, {2, 3}};

    synchronized <E extends Exception> @Mark T all(@Mark T given, final Map<String, @Mark(3) ?> map, int... more) throws E {
        @Mark Object local = new @Mark ArrayList<@Mark String>();
        long sum = 0;
        for (int i = 0; i < more.length; i++) {
            switch (more[i]) {
                case 1, 2, 3 -> sum += i;
                case 1000 -> sum -= LONG;
                case -1 -> sum *= 3;
                default -> {
                    continue;
                }
            }
        }
        try (AutoCloseable closing = () -> System.out.println(given)) {
            synchronized (local) {
                Function<String, @Mark Integer> parse = Integer::parseInt;
                sum += parse.apply("1") + (local instanceof List<?> list ? list.size() : 0);
            }
        } catch (@Mark RuntimeException e) {
            throw new IllegalStateException(e);
        } catch (Exception e) {
            sum = (long) DOUBLE;
        } finally {
            System.out.println(sum + STRING + map.get("x"));
        }
        class Local extends Thread {
            @Override
            public void run() {
                System.out.println(given + " " + array.length);
            }
        }
        new Local().start();
        Runnable anonymous = new Runnable() {
            @Override
            public void run() {
                Everything.this.get();
            }
        };
        anonymous.run();
        int[][][] cube = new int[2][3][];
        cube[0][1] = new int[] {1};
        String text = switch (String.valueOf(sum)) {
            case "a" -> "b";
            case "c" -> "d";
            default -> "e" + cube[0][1][0];
        };
        return text.isEmpty() ? null : given;
    }
}
