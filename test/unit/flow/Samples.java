import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Methods for the tests of the flow. What is asked is which locks are held where the fields a to e
 * are written.
 */
class Samples {
    int a, b, c, d, e;
    static int sa;
    final Object mu = new Object();
    final Object other = new Object();
    Object varying = new Object();
    final ReentrantLock lock = new ReentrantLock();
    final ReadWriteLock rw = new ReentrantReadWriteLock();
    final Lock reading = rw.readLock();
    final Lock writing = rw.writeLock();
    final StampedLock stamped = new StampedLock();
    final Condition changed = lock.newCondition();
    static final Object GLOBAL = new Object();
    static final Object SAME = GLOBAL;

    // ---- monitors ----

    void block() {
        a = 1;
        synchronized (this) {
            b = 1;
        }
        c = 1;
    }

    synchronized void method() {
        a = 1;
    }

    static synchronized void staticMethod() {
        sa = 1;
    }

    void classLiteral() {
        synchronized (Samples.class) {
            a = 1;
        }
    }

    void nested() {
        synchronized (mu) {
            a = 1;
            synchronized (other) {
                b = 1;
            }
            c = 1;
        }
        d = 1;
    }

    void again() {
        synchronized (mu) {
            synchronized (mu) {
                a = 1;
            }
            b = 1;
        }
        c = 1;
    }

    int early(boolean leave) {
        synchronized (mu) {
            if (leave) {
                a = 1;
                return 1;
            }
            b = 1;
        }
        c = 1;
        return 0;
    }

    void exceptions() {
        try {
            synchronized (mu) {
                unknown();
                a = 1;
            }
        } catch (RuntimeException exception) {
            b = 1;
        }
        c = 1;
    }

    void caughtInside() {
        synchronized (mu) {
            try {
                unknown();
            } catch (RuntimeException exception) {
                a = 1;
            }
            b = 1;
        }
    }

    void parameter(Object on) {
        synchronized (on) {
            a = 1;
        }
    }

    void alias() {
        Object l = mu;
        synchronized (l) {
            a = 1;
        }
    }

    void aliasOfVarying() {
        Object l = varying;
        synchronized (l) {
            a = 1;
        }
        synchronized (varying) {
            b = 1;
        }
    }

    void oneOfTwo(boolean first) {
        Object l = first ? mu : other;
        synchronized (l) {
            a = 1;
        }
    }

    void onBothWays(boolean first) {
        synchronized (mu) {
            if (first)
                a = 1;
            else
                b = 1;
            c = 1;
        }
    }

    void statics() {
        synchronized (SAME) {
            a = 1;
        }
    }

    void waits() throws InterruptedException {
        synchronized (mu) {
            mu.wait();
            a = 1;
        }
    }

    void cast() {
        synchronized ((Comparable<?>) mu) {
            a = 1;
        }
    }

    // ---- locks ----

    void lockUnlock() {
        lock.lock();
        try {
            a = 1;
            unknown();
        } finally {
            b = 1;
            lock.unlock();
            c = 1;
        }
        d = 1;
    }

    void nestedFinally() {
        lock.lock();
        try {
            try {
                unknown();
                a = 1;
            } finally {
                b = 1;
                unknown();
            }
            c = 1;
        } finally {
            lock.unlock();
        }
        d = 1;
    }

    void interruptibly() throws InterruptedException {
        lock.lockInterruptibly();
        a = 1;
        changed.await();
        b = 1;
        lock.unlock();
        c = 1;
    }

    void tryIt() {
        if (lock.tryLock()) {
            a = 1;
            lock.unlock();
        } else {
            b = 1;
        }
        c = 1;
    }

    void tryNot() {
        if (!lock.tryLock())
            return;
        a = 1;
        lock.unlock();
    }

    void tryVariable() {
        boolean ok = lock.tryLock();
        a = 1;
        if (ok) {
            b = 1;
            lock.unlock();
        }
        c = 1;
        if (ok)
            d = 1;
    }

    void tryTimed() throws InterruptedException {
        while (!lock.tryLock(1, TimeUnit.SECONDS))
            a = 1;
        b = 1;
        lock.unlock();
    }

    void tryFinally() {
        boolean ok = lock.tryLock();
        try {
            if (ok)
                a = 1;
            unknown();
        } finally {
            if (ok) {
                b = 1;
                lock.unlock();
            }
        }
        c = 1;
    }

    void tryTwice() {
        boolean ok = lock.tryLock();
        if (ok) {
            if (ok)
                a = 1;
            lock.unlock();
            b = 1;
        }
    }

    void giveUp() {
        lock.unlock();
        a = 1;
        lock.lock();
        b = 1;
    }

    void readAndWrite() {
        rw.readLock().lock();
        a = 1;
        rw.readLock().unlock();
        rw.writeLock().lock();
        b = 1;
        rw.writeLock().unlock();
        c = 1;
    }

    void views() {
        reading.lock();
        a = 1;
        reading.unlock();
        writing.lock();
        b = 1;
        rw.readLock().lock();
        c = 1;
        rw.writeLock().unlock();
        d = 1;
        reading.unlock();
        e = 1;
    }

    void readOrWrite(boolean write) {
        if (write)
            writing.lock();
        else
            reading.lock();
        a = 1;
    }

    void stamps() {
        long stamp = stamped.writeLock();
        a = 1;
        stamped.unlockWrite(stamp);
        stamp = stamped.readLock();
        b = 1;
        stamped.unlock(stamp);
        c = 1;
    }

    void tryStamp() {
        long stamp = stamped.tryWriteLock();
        if (stamp == 0L) {
            a = 1;
            return;
        }
        b = 1;
        stamped.unlockWrite(stamp);
        stamp = stamped.tryReadLock();
        if (stamp != 0) {
            c = 1;
            stamped.unlockRead(stamp);
        }
    }

    void arrayOfLocks(Lock[] locks, int i) {
        locks[i].lock();
        a = 1;
        locks[i].unlock();
        b = 1;
    }

    // ---- what the program says ----

    void asserted() {
        assert Thread.holdsLock(mu);
        a = 1;
    }

    void asked() {
        if (Thread.holdsLock(mu))
            a = 1;
        b = 1;
    }

    void countAsked() {
        if (lock.getHoldCount() > 0)
            a = 1;
    }

    void askedAndReleased() {
        if (lock.isHeldByCurrentThread()) {
            lock.lock();
            a = 1;
            lock.unlock();
            b = 1;
            lock.unlock();
            c = 1;
        }
    }

    // ---- loops ----

    static class Node {
        Node next;
        int value;
        final Object guard = new Object();
        final ReentrantLock lock = new ReentrantLock();
    }

    Node head;

    // So that these fields are not as good as final.
    void change(Node node) {
        head = node;
        node.next = node;
        varying = node;
    }

    void eachNode() {
        for (Node n = head; n != null; n = n.next) {
            synchronized (n) {
                if (n.value > 0)
                    a = 1;
                for (int i = 0; i < 3; i++)
                    b = 1;
            }
            c = 1;
        }
    }

    void stale() {
        Node previous = null;
        for (Node n = head; n != null; n = n.next) {
            if (previous != null)
                synchronized (n) {
                    a = 1;
                    previous.value = 1;
                    n.value = 1;
                }
            previous = n;
        }
    }

    void leftLocked(Lock[] locks) {
        for (Lock l : locks) {
            l.lock();
            a = 1;
        }
        b = 1;
    }

    void handOverHand(int key) {
        Node previous = head;
        previous.lock.lock();
        Node current = previous.next;
        current.lock.lock();
        while (current.value < key) {
            previous.lock.unlock();
            previous = current;
            a = 1;
            current = current.next;
            current.lock.lock();
        }
        b = 1;
        previous.value = 1;
        current.value = 1;
        previous.lock.unlock();
        c = 1;
        current.lock.unlock();
        d = 1;
    }

    void walkLocked() {
        synchronized (this) {
            Object l = this;
            while (l != null) {
                a = 1;
                l = unknown();
            }
            b = 1;
        }
        c = 1;
    }

    void heldAcross() {
        synchronized (mu) {
            while (a < 10) {
                if (b > 3)
                    continue;
                b = 2;
                if (c > 4)
                    break;
            }
            d = 1;
        }
        e = 1;
    }

    void waitLoop() throws InterruptedException {
        synchronized (mu) {
            while (a == 0)
                mu.wait();
            b = 1;
        }
    }

    void retry() {
        while (true) {
            try {
                synchronized (mu) {
                    unknown();
                    a = 1;
                    return;
                }
            } catch (IllegalStateException exception) {
                b = 1;
            }
        }
    }

    // ---- values ----

    Object getMu() {
        return mu;
    }

    final Samples self() {
        return this;
    }

    static Object muOf(Samples of) {
        return of.mu;
    }

    Object getVarying() {
        return varying;
    }

    Object either(boolean first) {
        return first ? mu : other;
    }

    void getters(Samples that) {
        synchronized (getMu()) {
            a = 1;
        }
        synchronized (self().self().mu) {
            b = 1;
        }
        synchronized (muOf(that)) {
            c = 1;
        }
        synchronized (getVarying()) {
            d = 1;
        }
    }

    static class Base {
        final Object baseLock;
        int x;

        Base(Object lock) {
            baseLock = lock;
        }

        Object overridden() {
            return baseLock;
        }
    }

    static class Derived extends Base {
        final Derived me;
        final Object second;

        Derived(Object one, Object two) {
            super(one);
            me = this;
            second = two;
        }

        Derived(Object one) {
            this(one, one);
        }

        Object overridden() {
            return me;
        }

        void dispatched(Base base) {
            synchronized (base.overridden()) {
                x = 1;
            }
            synchronized (me) {
                x = 2;
            }
        }
    }

    static class Agreeing {
        final Object first, same, sometimes;

        Agreeing(Object one) {
            first = one;
            same = one;
            sometimes = first;
        }

        Agreeing(Object one, Object two) {
            first = one;
            same = first;
            sometimes = two;
        }
    }

    void constructed(Object one) {
        Derived derived = new Derived(one, mu);
        synchronized (derived.baseLock) {
            a = 1;
        }
        synchronized (derived.second) {
            b = 1;
        }
        synchronized (new Derived(mu).second) {
            c = 1;
        }
    }

    void constructedInLoop(Object[] all) {
        for (Object one : all) {
            Derived derived = new Derived(one, mu);
            synchronized (derived.baseLock) {
                a = 1;
            }
            synchronized (derived.second) {
                b = 1;
            }
        }
    }

    class Inner {
        void outer() {
            synchronized (Samples.this) {
                a = 1;
            }
            synchronized (Samples.this.mu) {
                b = 1;
            }
        }
    }

    void inner() {
        Runnable runnable = new Runnable() {
            public void run() {
                synchronized (mu) {
                    a = 1;
                }
            }
        };
        runnable.run();
    }

    void lambda(List<Object> list, int number) {
        synchronized (mu) {
            list.forEach(element -> a = number);
            list.forEach(this::take);
        }
    }

    void take(Object object) {
    }

    // ---- freshness ----

    static class Cell {
        int plain, stored, passed, returned, met, looped, late, kept;
        Cell next;
    }

    Cell shared;

    Cell fresh(boolean flag) {
        Cell plain = new Cell();
        plain.plain = 1;
        Cell stored = new Cell();
        shared = stored;
        stored.stored = 1;
        Cell passed = new Cell();
        take(passed);
        passed.passed = 1;
        Cell met = new Cell();
        Object one = flag ? met : null;
        met.met = 1;
        Cell looped = null;
        for (int i = 0; i < 3; i++) {
            looped = new Cell();
            looped.kept = 1;
        }
        if (looped != null)
            looped.looped = 1;
        Cell late = new Cell();
        try {
            take(late);
        } catch (RuntimeException exception) {
            late.late = 1;
        }
        Cell returned = new Cell();
        returned.returned = 1;
        return returned;
    }

    void freshList() {
        List<Object> list = new ArrayList<>();
        list.add(this);
        list.add(mu);
        shared = null;
        take(list);
        list.add(this);
    }

    static Object unknown() {
        return null;
    }
}
