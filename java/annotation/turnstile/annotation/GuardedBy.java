package turnstile.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The lock that guards a field: whoever reads or writes the field holds it.
 *
 * <pre>{@code
 * final Object lock = new Object();
 * @GuardedBy("lock") private int balance;
 * }</pre>
 *
 * <p>If several locks are named, each access needs all of them. The elements of an array are guarded like the field
 * that it was reached through. A constructor may access the fields of the object that it makes without the lock.
 *
 * <p>On a class, it is the guard of each of its fields that is not final and has no guard of its own. On a method, it
 * means the same as {@link Requires}.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.FIELD, ElementType.TYPE, ElementType.METHOD})
public @interface GuardedBy {
    /**
     * The locks, at least one, as lock expressions: see {@link turnstile.annotation}.
     *
     * @return the locks
     */
    String[] value();
}
