package sample;

import java.util.List;
import org.checkerframework.checker.lock.qual.Holding;

/** What Java code already carries. */
class Libraries {
    final Object lock = new Object();

    @net.jcip.annotations.GuardedBy("this") int jcip;
    @javax.annotation.concurrent.GuardedBy("itself") Object jsr;
    @com.google.errorprone.annotations.concurrent.GuardedBy("Libraries.this.lock") int errorProne;
    @androidx.annotation.GuardedBy("lock") int android;
    @net.jcip.annotations.GuardedBy("lock") @javax.annotation.concurrent.GuardedBy("lock") int twice;
    @net.jcip.annotations.GuardedBy("lock") @androidx.annotation.GuardedBy("this") int both;

    @org.checkerframework.checker.lock.qual.GuardedBy("lock") Object checker;
    @org.checkerframework.checker.lock.qual.GuardedBy({"lock", "<self>"}) Object checkerTwo;
    @org.checkerframework.checker.lock.qual.GuardedBy Object checkerNone;
    @org.checkerframework.checker.lock.qual.GuardedBy("this") Object[] checkerElements;
    Object @org.checkerframework.checker.lock.qual.GuardedBy("this") [] checkerArray;
    List<@org.checkerframework.checker.lock.qual.GuardedBy("lock") Object> checkerArgument;
    @org.checkerframework.checker.lock.qual.GuardedBy("lock") Inner checkerInner;
    @other.GuardedBy("lock") int unknown;

    class Inner {
    }

    @net.jcip.annotations.GuardedBy("this") void jcip() {
    }

    @javax.annotation.concurrent.GuardedBy("this") void jsr() {
    }

    @com.google.errorprone.annotations.concurrent.GuardedBy("this") void errorProne() {
    }

    @androidx.annotation.GuardedBy("this") void android() {
    }

    @Holding({"lock", "#1", "this.lock"}) void checker(Object first) {
    }

    @org.checkerframework.checker.lock.qual.GuardedBy("lock") Object checkerResult() {
        @org.checkerframework.checker.lock.qual.GuardedBy("lock") Object local = checker;
        return local;
    }

    @net.jcip.annotations.Immutable static class JcipImmutable {
    }

    @net.jcip.annotations.NotThreadSafe static class JcipNotSafe {
    }

    @net.jcip.annotations.ThreadSafe static class JcipSafe {
    }

    @javax.annotation.concurrent.Immutable static class JsrImmutable {
    }

    @javax.annotation.concurrent.NotThreadSafe static class JsrNotSafe {
    }

    @javax.annotation.concurrent.ThreadSafe static class JsrSafe {
    }

    @com.google.errorprone.annotations.Immutable(containerOf = "T") static class ErrorProneImmutable<T> {
    }

    @com.google.errorprone.annotations.ThreadSafe static class ErrorProneSafe {
    }
}
