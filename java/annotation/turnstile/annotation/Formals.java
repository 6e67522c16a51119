package turnstile.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Parameters of a class that stand for locks and owners. They exist for the checker only: whoever names the class gives
 * what they are with {@link Owners}, and inside the class they may be used in lock expressions.
 *
 * <pre>{@code
 * class Dictionary {
 *     @GuardedBy("this") @Owners("this") Node head;
 *
 *     synchronized void put(String key) { head = new @Owners("this") Node(key, head); }
 * }
 *
 * @Formals("ghost Dictionary d")
 * class Node {
 *     @GuardedBy("d") String key;
 *     @GuardedBy("d") @Owners("d") Node next;
 *     ...
 * }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Formals {
    /**
     * The parameters in their order. Each is a name, {@code "thisOwner"}, for an owner of any kind; or
     * {@code "ghost Dictionary d"}, for an object of that class.
     *
     * @return the parameters
     */
    String[] value();
}
