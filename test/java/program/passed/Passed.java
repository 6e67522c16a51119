package passed;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SubmissionPublisher;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** Functions that the JDK may run on other threads because they are passed to it, and functions that it does not. */
public class Passed {
    // ---- made where it is passed ----

    static class Task implements Supplier<String> {
        @Override
        public String get() { // expect: method get()Ljava/lang/String; [reached from main, thread]
            return name();
        }

        String name() { // expect: method name()Ljava/lang/String; [reached from main, thread]
            return "";
        }
    }

    static CompletableFuture<String> object() {
        return CompletableFuture.supplyAsync(new Task());
    }

    interface Named extends Supplier<String> {
        String name();

        @Override
        default String get() {
            return around() + name();
        }

        default String around() { // expect: method around()Ljava/lang/String; [reached from main, thread]
            return "";
        }
    }

    static CompletableFuture<String> byDefault() {
        return CompletableFuture.supplyAsync((Named) () -> "");
    }

    /** A lambda of the same kind beside it, and one of another kind. */
    static void ofThatKindOnly() {
        CompletableFuture.supplyAsync(Passed::supplied);
        Predicate<String> other = Passed::tested;
        other.test("");
    }

    static String supplied() { // expect: method supplied()Ljava/lang/String; [entry: thread, stage of a CompletableFuture] [reached from main, thread]
        return "";
    }

    static boolean tested(String text) { // expect: method tested(Ljava/lang/String;)Z [reached from main]
        return true;
    }

    /** join() is passed nothing. */
    static void nothingPassed(CompletableFuture<String> future) {
        Function<String, String> own = Passed::applied;
        own.apply(future.join());
    }

    static String applied(String text) { // expect: method applied(Ljava/lang/String;)Ljava/lang/String; [reached from main]
        return text;
    }

    // ---- made elsewhere ----

    static <T> void fromParameter(CompletableFuture<T> future, Consumer<T> what) {
        future.thenAcceptAsync(what);
    }

    static void givesParameter() {
        fromParameter(object(), Passed::accepted);
    }

    static void accepted(String text) { // expect: method accepted(Ljava/lang/String;)V [entry: thread, stage of a CompletableFuture] [reached from main, thread]
    }

    static final BiConsumer<String, Throwable> HELD = Passed::held;

    static void fromField() {
        object().whenCompleteAsync(HELD);
    }

    static void held(String text, Throwable thrown) { // expect: method held(Ljava/lang/String;Ljava/lang/Throwable;)V [entry: thread, stage of a CompletableFuture] [reached from main, thread]
    }

    static class Listener implements BiConsumer<String, Throwable> {
        @Override
        public void accept(String text, Throwable thrown) { // expect: method accept(Ljava/lang/String;Ljava/lang/Throwable;)V [reached from main, thread]
        }
    }

    static Object made() {
        return new Listener();
    }

    /** Interfaces may extend those of the JDK. */
    static void ofSubinterface() {
        UnaryOperator<String> unary = Passed::unary;
        object().thenApply(unary);
    }

    static String unary(String text) { // expect: method unary(Ljava/lang/String;)Ljava/lang/String; [entry: thread, stage of a CompletableFuture] [reached from main, thread]
        return text;
    }

    // ---- the rest of the JDK ----

    static void streams(Collection<String> strings, Spliterator<String> split) {
        StreamSupport.stream(split, true).mapToInt(Passed::split).sum();
        IntConsumer sequential = Passed::unpassed;
        sequential.accept(1);
    }

    static int split(String text) { // expect: method split(Ljava/lang/String;)I [entry: thread, stream that may be parallel] [reached from main, thread]
        return 1;
    }

    /** It is one that could be passed to the stream. */
    static void unpassed(int number) { // expect: method unpassed(I)V [entry: thread, stream that may be parallel] [reached from main, thread]
    }

    static void parallel() {
        IntStream.range(0, 9).parallel().mapToObj(Passed::mapped).forEach(Object::hashCode);
        Thread.UncaughtExceptionHandler noFunction = Passed::uncaught;
    }

    static String mapped(int number) { // expect: method mapped(I)Ljava/lang/String; [entry: thread, parallel stream] [reached from main, thread]
        return "";
    }

    static void uncaught(Thread thread, Throwable thrown) { // expect: method uncaught(Ljava/lang/Thread;Ljava/lang/Throwable;)V [entry: thread, handler of uncaught exceptions] [reached from main, thread]
    }

    static void maps(ConcurrentHashMap<String, Integer> map) {
        map.forEachKey(1, Passed::bulk);
        map.computeIfAbsent("", Passed::absent);
    }

    static void bulk(String key) { // expect: method bulk(Ljava/lang/String;)V [entry: thread, bulk operation of a map] [reached from main, thread]
    }

    static Integer absent(String key) { // expect: method absent(Ljava/lang/String;)Ljava/lang/Integer; [reached from main]
        return 1;
    }

    static void publishers(SubmissionPublisher<Long> publisher) {
        publisher.consume(Passed::published);
    }

    static void published(Long number) { // expect: method published(Ljava/lang/Long;)V [entry: thread, subscriber of a flow] [reached from main, thread]
    }

    static void arrays(String[] strings, int[] numbers) {
        java.util.Arrays.parallelSort(strings, new Length());
        LongConsumer own = Passed::consumed;
        own.accept(1);
    }

    static class Length implements Comparator<String> {
        @Override
        public int compare(String a, String b) { // expect: method compare(Ljava/lang/String;Ljava/lang/String;)I [reached from main, thread]
            return 0;
        }
    }

    static void consumed(long number) { // expect: method consumed(J)V [reached from main]
    }

    static void sequential(List<String> strings) {
        strings.sort(new Plain());
        ToIntFunction<String> plain = String::length;
        plain.applyAsInt("");
    }

    static class Plain implements Comparator<String> {
        @Override
        public int compare(String a, String b) {
            return plain();
        }

        int plain() { // expect: method plain()I [reached from main]
            return 0;
        }
    }

    public static void main(String[] arguments) {
        object();
        byDefault();
        ofThatKindOnly();
        nothingPassed(null);
        givesParameter();
        fromField();
        made();
        ofSubinterface();
        streams(null, null);
        parallel();
        maps(null);
        publishers(null);
        arrays(null, null);
        sequential(null);
    }
}
