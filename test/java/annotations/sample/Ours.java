package sample;

import turnstile.annotation.Atomic;
import turnstile.annotation.Atomicity;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.NoWarn;
import turnstile.annotation.Requires;
import turnstile.annotation.Turnstile;
import turnstile.annotation.WriteGuardedBy;

/** Ours, on fields and methods. */
class Ours {
    final Object lock = new Object();
    static final Object LOCK = new Object();

    @GuardedBy("this") int self;
    @GuardedBy({"lock", "Ours.class"}) int two;
    @GuardedBy(" lock , Ours.LOCK ") int listed;
    @WriteGuardedBy("this.lock") volatile int written;
    @GuardedBy("itself") Object itself;
    @GuardedBy("peer().lock") int called;
    @NoWarn int quiet;
    @NoWarn({"guard-not-held", "readonly-written"}) @GuardedBy("lock") static int partly;
    int plain;
    @Deprecated int deprecated;

    final Ours peer() {
        return this;
    }

    @Requires("lock")
    Ours(int value) { // Ours first line
        plain = value;
    }

    @Requires({"lock", "other.lock"}) void needs(Ours other) {
    }

    @Requires({}) void nothing() {
    }

    @GuardedBy("Ours.class") static void guarded(int x, long y) {
    }

    @Atomic int atomic() {
        return 1;
    }

    @Atomicity("lock ? mover : atomic") int conditional() {
        Turnstile.holds(lock);
        return two;
    }

    @Atomicity("cmpd") @NoWarn("not-atomic") @Requires("#1") native void several(Object first);

    void plain() {
    }
}
