package turnstile.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the parameters of a class ({@link Formals}) are where the class is named as a type.
 *
 * <pre>{@code
 * @Owners({"this", "thisThread"}) Node head;
 * Node find(@Owners("this") Node from) { ... }
 * head = new @Owners("this") Node();
 * class Queue extends @Owners("thisOwner") Stack { ... }
 * }</pre>
 *
 * <p>It counts at the types of fields, of parameters, of what a method returns, at {@code new}, and at the class behind
 * {@code extends}. For an array it stands before the type of the elements: {@code @Owners("this") Node[] nodes}.
 * At local variables and casts it is allowed and not looked at, because the owners of locals are found by the checker.
 * At type arguments, at interfaces, at {@code this} and at the brackets of an array it is an error.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE_USE)
public @interface Owners {
    /**
     * One owner for each parameter of the class: a lock expression (see {@link turnstile.annotation}), or
     * {@code self} (the object is its own owner), {@code thisThread} (only this thread uses it), {@code unique} (there
     * is one reference to it), {@code readonly} (nobody changes it).
     *
     * @return the owners
     */
    String[] value();
}
