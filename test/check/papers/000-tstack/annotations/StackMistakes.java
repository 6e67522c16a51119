import turnstile.annotation.Atomicity;
import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;

/** The same stack, used against its owners (sections 2.2.1 and 3). */
final class StackMistakes {
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

    @Formals("thisOwner")
    static final class Worker implements Runnable {
        @Owners({"self", "self"}) final TStack s3;

        Worker(@Owners({"self", "self"}) TStack s) {
            s3 = s;
        }

        @Override
        public void run() {
            T t = new @Owners("self") T();
            synchronized (s3) {
                s3.push(t);
            }
        }
    }

    public static void main(String[] arguments) {
        T t1 = new @Owners("thisThread") T();
        T t2 = new @Owners("self") T();
        TStack s1 = new @Owners({"thisThread", "thisThread"}) TStack();
        TStack s2 = new @Owners({"thisThread", "self"}) TStack();
        TStack s3 = new @Owners({"self", "self"}) TStack();

        s1.push(t2); // expect: owner-mismatch
        s2.push(t1); // expect: owner-mismatch
        s3.push(t2); // expect: requires-not-held
        s3.pop(); // expect: requires-not-held
        new Thread(new Worker(s1)).start(); // expect: owner-mismatch, thread-local-escape
        new Thread(() -> { // expect: thread-local-escape
            s2.push(t2); // maybe: requires-not-held
        }).start();
        synchronized (s1) {
            s3.push(t2); // expect: requires-not-held
        }
        T other = s2.pop(); // silent
        other.x++; // expect: guard-not-held
        synchronized (s2) {
            other.x++; // expect: guard-not-held
        }
    }
}
