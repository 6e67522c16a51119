import turnstile.annotation.Atomicity;
import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;

/** Threads that have the shared stack of figure 4 from the variables around them. */
final class StackForked {
    @Formals("thisOwner")
    static final class T {
        @GuardedBy("thisOwner") int x;
    }

    @Formals({"thisOwner", "TOwner"})
    static final class TNode {
        @GuardedBy("thisOwner") @Owners("TOwner") private T value;
        @GuardedBy("thisOwner") @Owners({"thisOwner", "TOwner"}) private TNode next;

        @Atomicity("thisOwner ? mover")
        @Requires("thisOwner") void init(@Owners("TOwner") T v, @Owners({"thisOwner", "TOwner"}) TNode n) {
            this.value = v;
            this.next = n;
        }

        @Atomicity("thisOwner ? mover")
        @Requires("thisOwner") @Owners("TOwner") T value() {
            return this.value;
        }

        @Atomicity("thisOwner ? mover")
        @Requires("thisOwner") @Owners({"thisOwner", "TOwner"}) TNode next() {
            return this.next;
        }
    }

    @Formals({"thisOwner", "TOwner"})
    static final class TStack {
        @GuardedBy("thisOwner") @Owners({"thisOwner$this", "TOwner"}) private TNode head;

        @Atomicity("thisOwner ? mover")
        @Requires("thisOwner") void push(@Owners("TOwner") T value) {
            TNode newNode = new @Owners({"thisOwner$this", "TOwner"}) TNode();
            newNode.init(value, head);
            this.head = newNode;
        }

        @Atomicity("thisOwner ? mover")
        @Requires("thisOwner") @Owners("TOwner") T pop() {
            if (this.head == null) {
                return null;
            }
            T value = this.head.value();
            this.head = this.head.next();
            return value;
        }
    }

    static void fork(@Owners({"self", "self"}) TStack s3) {
        new Thread(() -> {
            T t = new @Owners("self") T();
            synchronized (s3) {
                s3.push(t); // without synchronized 1: requires-not-held
            }
        }).start(); // silent
        new Thread(new Runnable() {
            @Override
            public void run() {
                T t;
                synchronized (s3) {
                    t = s3.pop(); // without synchronized 2: requires-not-held
                }
                synchronized (t) {
                    t.x++; // without synchronized 3: guard-not-held
                }
            }
        }).start(); // silent
    }
}
