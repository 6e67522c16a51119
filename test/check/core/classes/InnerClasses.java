import net.jcip.annotations.GuardedBy;

/** Inner, anonymous and local classes: their methods run later, with nothing held. */
final class InnerClasses {
    private final Object lock = new Object();
    @GuardedBy("this") private int count;
    @GuardedBy("lock") private int value;

    final class Member implements Runnable {
        @Override
        public void run() {
            count++; // expect: guard-not-held
            synchronized (InnerClasses.this) {
                count++; // silent
                value++; // expect: guard-not-held
            }
            synchronized (lock) {
                value++; // silent
            }
            synchronized (this) {
                count++; // expect: guard-not-held; the wrong this
            }
        }

        synchronized void own() {
            value++; // expect: guard-not-held
        }
    }

    synchronized Runnable anonymous() {
        return new Runnable() {
            @GuardedBy("this") private int runs;

            @Override
            public void run() {
                count++; // expect: guard-not-held; made under the lock, run without it
                runs++; // expect: guard-not-held
                synchronized (this) {
                    runs++; // silent
                    count++; // expect: guard-not-held
                }
                synchronized (InnerClasses.this) {
                    count++; // silent
                }
                synchronized (InnerClasses.this.lock) {
                    value++; // silent
                }
            }
        };
    }

    synchronized Runnable local(InnerClasses other) {
        class Local implements Runnable {
            @GuardedBy("this") private int runs;

            @Override
            public void run() {
                synchronized (other) {
                    other.count++; // silent: captured
                    count++; // expect: guard-not-held
                }
                synchronized (other.lock) {
                    other.value++; // silent
                }
                other.value++; // expect: guard-not-held
                synchronized (this) {
                    runs++; // silent
                }
            }
        }
        Local made = new Local();
        made.runs = 1; // silent: fresh
        return made;
    }

    static Runnable staticLocal(InnerClasses captured) {
        return new Runnable() {
            @Override
            public void run() {
                captured.count = 1; // expect: guard-not-held
                synchronized (captured) {
                    captured.count = 2; // silent
                }
            }
        };
    }

    void anonymousInLambda(java.util.List<Runnable> tasks) {
        tasks.add(() -> {
            Object helper = new Object() {
                @Override
                public int hashCode() {
                    synchronized (InnerClasses.this) {
                        return count; // silent
                    }
                }

                @Override
                public String toString() {
                    return "" + count; // expect: guard-not-held
                }
            };
            tasks.remove(helper);
        });
    }
}
