@Deprecated
package p.q;

import java.util.Map;
import static java.util.Collections.*;

/** Everything that can be declared. */
public sealed abstract class Declarations<T extends Comparable<? super T>, @A(1) U> extends b.B<T>.C/*#<this>*/
        implements D, E<Map<T, U[]>> permits F {
    /*# guarded_by this */ private int one, two[] = {1, 2}, three /*# guarded_by lock */ = f(1, 2);
    Map<T, java.util.List<U>>[] four = new Map<T, U>() { int in; { in = 1; } }.x, five; //# guarded_by this
    boolean less = one < three, more = one > three;
    static { one = '{' + '\'' + "}\"" + """
        text "" \""" } block
        """.length(); }
    enum Kind { A, B(1) { void m() {} }, @Deprecated C; Kind(int... n) {} Kind() {} }
    record Pair<V>(V a, @A int... b) { Pair { a = null; } static int c; }
    @interface Note { int value() default 1; String[] names() default {"a", "}"}; }
    non-sealed interface F { default void m() {} }
    <V extends T> Declarations(Declarations<T, U> this, final V v, int x[]) throws a.B, C { super(); }
    abstract int[] m(T t)[] /*# requires this, t */;
    void n() {
        /*# holds lock */
        final class Local { class Member {} }
        Runnable r = () -> { new Object() { int y; }; };
        int s = switch (one) { case 1, 2 -> 3; default -> { yield 4; } };
        Node/*#<this>*/ node = new Node/*#<this>*/<>(\u0061bc >>> 3 << 0x1.8p-2);
    }
}
