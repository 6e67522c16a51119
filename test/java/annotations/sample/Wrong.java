package sample;

import java.util.List;
import turnstile.annotation.Atomic;
import turnstile.annotation.Atomicity;
import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Immutable;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;
import turnstile.annotation.ThreadLocalClass;
import turnstile.annotation.WriteGuardedBy;

/** What cannot be read, and is told. */
class Wrong {
    final Object lock = new Object();

    @GuardedBy("the lock") int words;
    @GuardedBy({"lock", "?"}) int half;
    @GuardedBy({}) int none;
    @GuardedBy("") int empty;
    @GuardedBy("lock,,this") int gap;
    @GuardedBy("lock") @WriteGuardedBy("lock") int kinds;
    @Owners({"this", "!"}) Object owners;
    Object @Owners("this") [] array;
    List<@Owners("this") Object> argument;

    @Requires("lock.") void requires() {
        return; // Wrong requires
    }

    @Atomicity("lock ?") void atomicity() {
    }

    @Atomicity("atomic requires this") void clauses() {
    }

    @Atomic @Atomicity("mover") void twice() {
    }

    void receiver(@Owners("this") Wrong this) {
    }

    @Owners("this") Wrong() {
    }

    <T extends @Owners("this") Object> void bound() throws @Owners("this") RuntimeException {
    }

    @ThreadLocalClass @Immutable static class Natures {
    }

    @Formals({"a", "1"}) static class BadFormals {
    }

    static class Supertypes implements @Owners("this") Runnable {
        public void run() {
        }
    }
}
