import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What compilers make of the language: inner classes, captured variables, bridges, switches, initializers. */
public class Language {
    private int secret = 1;
    private static long sharedSecret = 2;
    protected String text = "text";

    /** Fields that the compiler assigns before super(): this$0, val$...; and a constructor that uses what is not set yet. */
    abstract static class Early {
        Early() {
            System.out.println("early " + describe());
        }

        abstract String describe();
    }

    Early anonymous(int captured, String other) {
        double wide = captured * 1.5;
        return new Early() {
            int own = 5;
            {
                System.out.println("initializer " + own + captured);
                own += captured;
            }

            @Override
            String describe() {
                secret++;
                return captured + other + wide + own + Language.this.secret;
            }
        };
    }

    class Inner extends Early {
        final int fixed = 9;
        final Integer boxed = 10;
        long count;

        Inner() {
            this(3);
            count++;
        }

        Inner(long count) {
            super();
            this.count += count;
            sharedSecret += secret++;
        }

        @Override
        String describe() { return text + fixed + boxed + count; }

        class Deeper {
            int level = 3;

            String path() { return secret + "/" + count++ + "/" + level + "/" + Language.this.text + Inner.this.fixed; }
        }
    }

    static class Reused {
        static int made;
        int number = ++made;
        final List<Integer> order = new ArrayList<>();
        {
            order.add(number);
        }

        Reused() { order.add(100); }

        Reused(int more) {
            this();
            order.add(more);
        }

        {
            order.add(-number);
        }
    }

    interface Generic<T, R> {
        R apply(T value);

        default <V> Generic<T, V> then(Generic<? super R, ? extends V> next) { return value -> next.apply(apply(value)); }

        static <T> Generic<T, T> same() { return value -> value; }
    }

    static class Length implements Generic<String, Integer>, Comparable<Length>, Comparator<String> {
        private int calls;

        @Override
        public Integer apply(String value) {
            calls++;
            return value.length();
        }

        @Override
        public int compareTo(Length other) { return calls - other.calls; }

        @Override
        public int compare(String a, String b) { return apply(a) - apply(b); }
    }

    static abstract class Shape {
        protected double area;

        Shape scaled(double by) {
            area *= by;
            return this;
        }
    }

    static class Square extends Shape {
        Square(double side) { area = side * side; }

        @Override
        Square scaled(double by) {
            super.scaled(by * by);
            return this;
        }
    }

    enum Operator {
        PLUS("+") {
            @Override
            int apply(int a, int b) { return a + b + used++; }
        },
        TIMES("*") {
            @Override
            int apply(int a, int b) { return a * b + used++; }
        };

        final String sign;
        int used;

        Operator(String sign) { this.sign = sign; }

        abstract int apply(int a, int b);

        private static final Map<String, Operator> BY_SIGN = new HashMap<>();

        static {
            for (Operator operator : values()) {
                BY_SIGN.put(operator.sign, operator);
            }
        }
    }

    sealed interface Expression permits Constant, Sum {}

    record Constant(long value) implements Expression {
        static int count;

        Constant {
            count++;
        }
    }

    record Sum(Expression left, Expression right) implements Expression {
        Sum(long left, long right) { this(new Constant(left), new Constant(right)); }
    }

    static long evaluate(Expression expression) {
        if (expression instanceof Constant constant) {
            return constant.value();
        }
        if (expression instanceof Sum sum && sum.left() != null) {
            return evaluate(sum.left()) + evaluate(sum.right());
        }
        throw new AssertionError();
    }

    static String word(String given) {
        switch (given) {
            case "one":
                return "1";
            case "AaAa":
            case "BBBB": /* the same hash */
                return given + given.hashCode();
            case "two":
                sharedSecret++;
            default:
                return "other" + sharedSecret;
        }
    }

    static int number(Operator operator) {
        return switch (operator) {
            case PLUS -> operator.used;
            case TIMES -> {
                int result = operator.used * 10;
                yield result + operator.sign.length();
            }
        };
    }

    static int sparse(int key) {
        switch (key) {
            case Integer.MIN_VALUE:
                return 1;
            case -5:
                return 2;
            case 0:
                return 3;
            case 1_000_000:
                return 4;
            default:
                return key > 0 ? 5 : 6;
        }
    }

    int finallies(int mode) {
        int[] steps = new int[1];
        try {
            steps[0]++;
            try {
                if (mode == 1) {
                    return secret = 10;
                }
                if (mode == 2) {
                    throw new IllegalStateException();
                }
                steps[0] += 10;
            } catch (IllegalStateException e) {
                steps[0] += 100;
                if (mode == 2) {
                    throw new IllegalArgumentException("again");
                }
            } finally {
                secret += steps[0];
                if (mode == 3) {
                    return -3;
                }
            }
            outer:
            for (int i = 0; ; i++) {
                for (int j = 0; j < 3; j++) {
                    try {
                        if (i * j == 2) {
                            break outer;
                        }
                        if (j > i) {
                            continue outer;
                        }
                    } finally {
                        steps[0] += 1000;
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            steps[0] = -steps[0];
        } finally {
            secret += steps[0];
        }
        return steps[0];
    }

    static final int FOLDED = 3 * 7 + "abc".length();
    static final String CONSTANT = "a" + 1 + 2L + 'c' + true + 1.5f;

    String concat(byte b, short s, char c, int i, long l, float f, double d, boolean z, Object o) {
        secret++;
        return "" + b + s + c + i + l + f + d + z + o + secret + text + sharedSecret + CONSTANT + FOLDED + null;
    }

    void lambdas() {
        int captured = secret;
        IntSupplier field = () -> secret++ + captured;
        Supplier<Supplier<String>> nested = () -> () -> text + captured + secret;
        Function<Integer, int[]> maker = int[]::new;
        BiFunction<String, Integer, Character> method = String::charAt;
        Supplier<Inner> constructor = Inner::new;
        UnaryOperator<String> bound = text::concat;
        System.out.println(field.getAsInt() + field.getAsInt() + nested.get().get() + maker.apply(3).length
                + method.apply("word", 2)
                + constructor.get().count + bound.apply("!"));
        System.out.println(IntStream.range(0, 20).boxed().collect(Collectors.groupingBy(i -> i % 3,
                Collectors.summingInt(i -> i + secret))));
        List<String> names = new ArrayList<>(Arrays.asList("ccc", "a", "bb"));
        Length length = new Length();
        names.sort(length);
        names.sort(length.reversed().thenComparing(Comparator.naturalOrder()));
        System.out.println(names + " " + length.calls + " " + length.then(i -> i * 2).then(Generic.same()).apply("four")
                + Optional.of(length)
                .map(l -> l.calls).orElse(0));
        Iterator<Integer> iterator = new Iterator<>() {
            int next;

            @Override
            public boolean hasNext() { return next < 3; }

            @Override
            public Integer next() { return next++; }
        };
        Iterable<Integer> iterable = () -> iterator;
        int sum = 0;
        for (int value : iterable) {
            sum += value;
        }
        System.out.println(sum);
    }

    void arithmetic() {
        byte b = (byte) (secret << 7);
        b += 1.7;
        secret ^= b;
        secret = secret++ + ++secret;
        sharedSecret += secret -= 3;
        text += secret + sharedSecret;
        long l = Long.MAX_VALUE;
        l += secret;
        float f = l;
        double d = f / secret;
        System.out.println(b + " " + secret + " " + sharedSecret + " " + text + " " + l + " " + f + " " + d + " "
                + (int) d + " " + (char) ('a' + secret % 20)
                + " " + (secret >>> 3) + (l >> 60) + (secret % 7) + (0.0 / 0.0) + Objects.hash(secret, l, d));
        try {
            System.out.println(secret / (secret - secret));
        } catch (ArithmeticException e) {
            System.out.println(e);
        }
        Integer boxed = 127;
        boxed++;
        Integer other = 128;
        System.out.println(boxed.equals(other) + " " + (boxed == 128) + " " + boxed.hashCode() + Long.valueOf(5).equals(5));
    }

    @Override
    public boolean equals(Object other) { return other instanceof Language && ((Language) other).secret == secret; }

    @Override
    public int hashCode() { return secret * 31; }

    static String pick(Object o) { return "object"; }

    static String pick(long l) { return "long"; }

    static String pick(Integer i) { return "Integer"; }

    static String pick(Object... all) { return "all" + all.length; }

    public static void main(String[] arguments) {
        Language language = new Language();
        System.out.println(language.anonymous(4, "other").describe());
        Inner inner = language.new Inner();
        Inner.Deeper deeper = inner.new Deeper();
        System.out.println(inner.describe() + deeper.path() + deeper.path());
        System.out.println(new Reused().order + " " + new Reused(7).order);
        class Local {
            final String seen = language.text + arguments.length;

            Local next() { return new Local(); }
        }
        System.out.println(new Local().next().seen);
        Shape shape = new Square(2).scaled(2);
        System.out.println(shape.scaled(0.5).area);
        System.out.println(Operator.PLUS.apply(1, 2) + Operator.BY_SIGN.get("*").apply(3, 4) + " "
                + number(Operator.PLUS) + number(Operator.TIMES));
        System.out.println(evaluate(new Sum(new Sum(1, 2), new Constant(39))) + " " + new Sum(1, 2) + Constant.count
                + new Constant(3).equals(new Constant(3)));
        for (String given : new String[] {"one", "two", "AaAa", "BBBB", "AaBB", ""}) {
            System.out.print(word(given) + " ");
        }
        for (int key : new int[] {Integer.MIN_VALUE, -5, 0, 7, 1_000_000, -9}) {
            System.out.print(sparse(key) + " ");
        }
        System.out.println();
        for (int mode = 0; mode < 4; mode++) {
            System.out.println(language.finallies(mode) + " " + language.secret);
        }
        System.out.println(language.concat((byte) 1, (short) 2, 'c', 4, 5L, 6f, 7d, true, List.of(1)));
        language.lambdas();
        language.arithmetic();
        byte small = 1;
        System.out.println(pick(small) + pick('c') + pick(1) + pick(Integer.valueOf(1)) + pick("x") + pick(1, 2) + pick()
                + pick((Object) null));
        System.out.println(language.equals(new Language()) + " " + language.hashCode() + " " + language.equals(language));
    }
}
