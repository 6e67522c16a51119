package turnstile.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The lock that guards the writes of a field. Reads are allowed without it.
 *
 * <p>For fields that whoever holds the lock writes and everybody reads, such as volatile fields. On a class, it
 * is the guard of each of its fields that is not final and has no guard of its own.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface WriteGuardedBy {
    /**
     * The locks, at least one, as lock expressions: see {@link turnstile.annotation}. A write needs all of them.
     *
     * @return the locks
     */
    String[] value();
}
