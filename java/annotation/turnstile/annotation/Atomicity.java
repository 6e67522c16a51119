package turnstile.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * How a method may interleave with other threads.
 *
 * <table>
 * <caption>Atomicities</caption>
 * <tr><th>written</th><th>meaning</th></tr>
 * <tr><td>{@code const}</td><td>it depends on nothing that changes and changes nothing</td></tr>
 * <tr><td>{@code mover}</td><td>nobody could tell if it happened a little earlier or later</td></tr>
 * <tr><td>{@code atomic}</td><td>it looks like one step</td></tr>
 * <tr><td>{@code cmpd}</td><td>other threads may act between its steps</td></tr>
 * <tr><td>{@code error}</td><td>it must not be called</td></tr>
 * <tr><td>{@code lock ? a : b}</td><td>{@code a} if the caller holds the lock, else {@code b}</td></tr>
 * <tr><td>{@code lock ? a}</td><td>{@code lock ? a : error}</td></tr>
 * </table>
 *
 * For example, {@code @Atomicity("this ? mover : atomic")} fits a synchronized method that reads one field.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Atomicity {
    /**
     * The atomicity, as in the table above.
     *
     * @return the atomicity
     */
    String value();
}
