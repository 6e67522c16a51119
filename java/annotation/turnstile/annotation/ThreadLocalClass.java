package turnstile.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Each object of this class is used by one thread only. Its fields need no lock; instead, no reference to it may reach
 * another thread, whether by a static field, a field of an object that is shared, or the start of a thread.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface ThreadLocalClass {
}
