package javax.annotation.concurrent;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** As the library has it: the same name, retention, targets and elements. */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE})
public @interface NotThreadSafe {
}
