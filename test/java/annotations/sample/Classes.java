package sample;

import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Immutable;
import turnstile.annotation.NoWarn;
import turnstile.annotation.NotThreadSafe;
import turnstile.annotation.Owners;
import turnstile.annotation.ThreadLocalClass;
import turnstile.annotation.ThreadSafe;
import turnstile.annotation.Unguarded;
import turnstile.annotation.WriteGuardedBy;

/** Annotations of classes. */
class Classes {
    @ThreadLocalClass static class Local {
    }

    @NotThreadSafe static class NotSafe {
    }

    @Immutable static class Constant {
    }

    @ThreadSafe interface Safe {
    }

    @Unguarded enum Open {
    }

    @ThreadSafe @Immutable static class ConstantAndSafe {
    }

    @NotThreadSafe @Unguarded static class OpenAndNotSafe {
    }

    @GuardedBy("this") static class Guarded {
        int x;
    }

    @WriteGuardedBy("Classes.class") @NoWarn static class WriteGuarded {
    }

    @Formals({"thisOwner", "ghost Classes c"}) static class Base {
    }

    @Formals("a, b") static class Sub extends @Owners({"b", "a"}) Base {
    }

    static class Plain {
    }
}
