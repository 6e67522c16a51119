/**
 * Lock types for Java code: which lock guards a field, which locks a method needs, to whom an object belongs.
 * {@code turnstile check} reads these annotations from class files and checks the code against them.
 *
 * <p>The annotations are kept in class files but not seen by reflection; a program needs this library only to be
 * compiled, except where it calls {@link turnstile.annotation.Turnstile}.
 *
 * <h2>Lock expressions</h2>
 *
 * A lock is written as a string. It must always name the same object, so every field in it must be final or never
 * assigned after construction:
 *
 * <table>
 * <caption>Lock expressions</caption>
 * <tr><th>written</th><th>the lock</th></tr>
 * <tr><td>{@code this}</td><td>the object itself</td></tr>
 * <tr><td>{@code lock}, {@code this.lock}</td><td>what a field of this object, or a static field, refers to</td></tr>
 * <tr><td>{@code account.bank.lock}</td><td>the end of a path of fields</td></tr>
 * <tr><td>{@code getLock()}</td><td>what a method without parameters returns, if that is a final field</td></tr>
 * <tr><td>{@code Outer.this}, {@code Outer.this.lock}</td><td>the object around this one, and its fields</td></tr>
 * <tr><td>{@code C.class}</td><td>the class object: the lock of static synchronized methods</td></tr>
 * <tr><td>{@code C.LOCK}</td><td>what a static field refers to</td></tr>
 * <tr><td>{@code itself}</td><td>on a field: the object that the field refers to</td></tr>
 * <tr><td>{@code from}, {@code #1}</td><td>on a method: a parameter by its name, if the class was compiled with
 * {@code -g} or {@code -parameters}, or by its number, from 1</td></tr>
 * <tr><td>{@code owner}, {@code owner$node}</td><td>a parameter of the class ({@link turnstile.annotation.Formals}), of
 * this object or of another</td></tr>
 * </table>
 *
 * A {@code java.util.concurrent} lock is held between its {@code lock} and {@code unlock}, any other object inside
 * {@code synchronized}. One string may name several locks with commas between them: {@code "a, b"} is
 * {@code {"a", "b"}}.
 */
package turnstile.annotation;
