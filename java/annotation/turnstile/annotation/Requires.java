package turnstile.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The locks that a caller of this method holds.
 *
 * <pre>{@code
 * @Requires("lock") private void withdraw(int amount) { balance -= amount; }
 * @Requires({"from", "to"}) static void transfer(Account from, Account to, int amount) { ... }
 * }</pre>
 *
 * <p>The method's body may count on these locks, and each call is checked to hold them: {@code this} is then the object
 * that the method is called on, a parameter what is passed for it. {@code @Requires({})} says that the method needs
 * no lock at all, where something else (a class's guard, a default) would say otherwise.
 *
 * <p>A method that overrides another may require less, but not more.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Requires {
    /**
     * The locks, as lock expressions: see {@link turnstile.annotation}.
     *
     * @return the locks
     */
    String[] value();
}
