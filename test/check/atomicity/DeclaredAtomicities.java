import turnstile.annotation.Atomic;
import turnstile.annotation.Atomicity;
import turnstile.annotation.GuardedBy;

/** A declaration may promise less than the method keeps, and never more. */
class DeclaredAtomicities {
    @GuardedBy("this") private int count;
    private volatile int shared;
    private final int fixed = 7;

    @Atomic synchronized void exact() {
        count++; // silent
    }

    @Atomicity("this ? mover : atomic") synchronized void exactCondition() {
        count++; // silent
    }

    @Atomicity("cmpd") synchronized void weaker() {
        count++; // silent
    }

    @Atomicity("error") synchronized void weakest() {
        count++; // silent
    }

    @Atomicity("this ? atomic : cmpd") synchronized void weakerCondition() {
        count++; // silent
    }

    @Atomicity("mover") synchronized void tooStrong() {
        count++; // expect: not-atomic
    }

    @Atomicity("this ? const : atomic") synchronized void tooStrongIfHeld() {
        count++; // expect: not-atomic
    }

    @Atomicity("this ? atomic : mover") synchronized void tooStrongIfNotHeld() {
        count++; // expect: not-atomic
    }

    @Atomicity("const") int constant() {
        return fixed; // silent
    }

    @Atomicity("mover") int moving() {
        return fixed; // silent
    }

    @Atomicity("const") int notConstant() {
        return shared; // expect: not-atomic
    }

    @Atomicity("mover") int notMoving() {
        return shared; // expect: not-atomic
    }

    @Atomic void write(int value) {
        shared = value; // silent
    }

    @Atomic int oneRead() {
        return shared; // silent
    }

    @Atomic int twoReads() {
        return shared + shared; // expect: not-atomic
    }

    @Atomicity("cmpd") int compound() {
        return shared + shared; // silent
    }

    @Atomicity("other ? mover : atomic") static void ofParameter(DeclaredAtomicities other) {
        other.exact(); // silent
    }

    @Atomicity("#1 ? mover : atomic") static void ofNumber(DeclaredAtomicities other) {
        other.exact(); // silent
    }

    @Atomicity("other ? mover : atomic") static void twice(DeclaredAtomicities other) {
        other.exact(); // expect: not-atomic
        other.exact();
    }

    int undeclared() {
        return shared + shared; // silent: nobody asks for it
    }

    @Atomic int callsWeaker() {
        weaker(); // silent: what the code does counts, not what was promised
        return 0;
    }
}
