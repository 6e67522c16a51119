package turnstile.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Switches warnings off: in all code of a class, in the code of a method, or about a field wherever it is accessed.
 *
 * <pre>{@code
 * @NoWarn("guard-not-held") private int hits; // a rough number is enough
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface NoWarn {
    /**
     * The rules, such as {@code "guard-not-held"}; none named means all of them.
     *
     * @return the rules
     */
    String[] value() default {};
}
