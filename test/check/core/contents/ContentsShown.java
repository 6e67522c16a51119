import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import net.jcip.annotations.GuardedBy;

/** What hangs in a new object that its constructor has shown to something else. */
final class ContentsShown {
    private static final List<Object> all = new ArrayList<>();

    static class Worker {
        @GuardedBy("this") final List<String> jobs = new ArrayList<>();
        @GuardedBy("this") List<String> done = new ArrayList<>();
        final Thread thread = new Thread(this::work);

        private synchronized void work() {
            jobs.clear();
            done.clear();
        }

        static Worker started() {
            Worker made = new Worker();
            made.thread.start();
            made.jobs.add("a"); // expect: guard-not-held; the thread works on it
            made.done = new ArrayList<>();
            made.done.add("a"); // expect: guard-not-held
            return made;
        }
    }

    static final class Special extends Worker {
        @GuardedBy("this") final List<String> more = new ArrayList<>();

        static Special started() {
            Special made = new Special();
            made.thread.start();
            made.jobs.add("a"); // expect: guard-not-held
            made.more.add("b"); // expect: guard-not-held
            return made;
        }
    }

    static final class Tasks {
        @GuardedBy("this") final List<String> names = new ArrayList<>();
        final Runnable clear = () -> {
            synchronized (this) {
                names.clear();
            }
        };

        static void run(Executor executor) {
            Tasks made = new Tasks();
            executor.execute(made.clear);
            made.names.add("a"); // expect: guard-not-held
        }
    }

    static final class Registered {
        @GuardedBy("this") final List<String> names = new ArrayList<>();

        Registered(boolean some) {
            Object either = some ? this : "";
            synchronized (all) {
                all.add(either);
            }
        }

        static void use() {
            Registered made = new Registered(true);
            made.names.add("a"); // expect: guard-not-held
        }
    }

    static class Plain {
        @GuardedBy("this") final List<String> names = new ArrayList<>();
        private final Plain next;

        Plain(Plain next) {
            this.next = next;
        }

        static void use(Plain last) {
            Plain made = new Plain(last);
            made.names.add("a"); // silent
            synchronized (all) {
                all.add(made.next);
            }
            made.names.add("b"); // silent: its constructor has not shown it
        }
    }

    /** The constructor of a class that is made shows only objects of that class. */
    static final class Showing extends Plain {
        Showing() {
            super(null);
            synchronized (all) {
                all.add(this);
            }
        }

        static void use() {
            Plain made = new Plain(null);
            made.names.add("a"); // silent
            Showing other = new Showing();
            other.names.add("a"); // expect: guard-not-held
        }
    }
}
