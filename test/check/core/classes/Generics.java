import net.jcip.annotations.GuardedBy;
import java.util.function.Function;

/** Generic classes and methods: the types are gone, the locks are not. */
class Generics<K, V extends Comparable<V>> {
    @GuardedBy("this") private K key;
    @GuardedBy("this") private V value;
    private final Box<Object> lockBox = new Box<>(new Object());
    @GuardedBy("lockBox.content") private int boxed;

    static final class Box<T> {
        final T content;

        Box(T content) {
            this.content = content;
        }

        T content() {
            return content;
        }
    }

    synchronized V right(K key) {
        this.key = key; // silent
        return value; // silent
    }

    V wrong(K key) {
        this.key = key; // expect: guard-not-held
        return value; // expect: guard-not-held
    }

    boolean less(Generics<K, V> other) {
        synchronized (other) {
            V theirs = other.value; // silent
            return value.compareTo(theirs) < 0; // expect: guard-not-held
        }
    }

    void inBox() {
        synchronized (lockBox.content) {
            boxed++; // silent
        }
        synchronized (lockBox.content()) {
            boxed++; // silent
        }
        synchronized (lockBox) {
            boxed++; // expect: guard-not-held
        }
    }

    static <T extends Generics<String, Integer>> void bounded(T one) {
        ((Generics<String, Integer>) one).key = ""; // expect: guard-not-held
        synchronized (one) {
            ((Generics<String, Integer>) one).key = ""; // silent
        }
    }

    static <A, B extends Comparable<B>> void method(Box<Generics<A, B>> box, Function<A, B> function) {
        synchronized (box.content) {
            box.content.value = function.apply(box.content.key); // silent: cast, but the same object
        }
        box.content.value = null; // expect: guard-not-held
    }
}
