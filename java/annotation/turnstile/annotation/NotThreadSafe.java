package turnstile.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Objects of this class do not synchronize themselves: who shares one between threads must hold a lock for it. It means
 * the same as {@link Unguarded}, under the name that other libraries of annotations have for it. A class whose objects
 * never leave their thread is a {@link ThreadLocalClass}.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface NotThreadSafe {
}
