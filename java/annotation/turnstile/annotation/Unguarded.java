package turnstile.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Objects of this class have no lock of their own: what they hold needs the lock of whoever they belong to, as with
 * {@code ArrayList} and {@code HashMap}. A call of their methods is checked like an access of the field that the object
 * was reached through.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Unguarded {
}
