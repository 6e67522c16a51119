import turnstile.annotation.Atomicity;
import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;

/** A stack whose users say who protects it and what is in it (figures 3 and 4). */
final class StackProgram {
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
            this.value = v; // without init: guard-not-held
            this.next = n; // without init: guard-not-held
        }

        @Atomicity("thisOwner ? mover")
        @Requires("thisOwner") @Owners("TOwner") T value() {
            return this.value; // without value: guard-not-held
        }

        @Atomicity("thisOwner ? mover")
        @Requires("thisOwner") @Owners({"thisOwner", "TOwner"}) TNode next() {
            return this.next; // without next: guard-not-held
        }
    }

    @Formals({"thisOwner", "TOwner"})
    static final class TStack {
        @GuardedBy("thisOwner") @Owners({"thisOwner$this", "TOwner"}) private TNode head;

        @Atomicity("thisOwner ? mover")
        @Requires("thisOwner") void push(@Owners("TOwner") T value) {
            TNode newNode = new @Owners({"thisOwner$this", "TOwner"}) TNode();
            newNode.init(value, head); // without push: guard-not-held, requires-not-held
            this.head = newNode; // without push: guard-not-held
        }

        @Atomicity("thisOwner ? mover")
        @Requires("thisOwner") @Owners("TOwner") T pop() {
            if (this.head == null) { // without pop: guard-not-held
                return null;
            }
            T value = this.head.value(); // without pop: guard-not-held, requires-not-held
            this.head = this.head.next(); // without pop: guard-not-held, requires-not-held
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
                s3.push(t); // without synchronized 1: requires-not-held
            }
        }
    }

    public static void main(String[] arguments) {
        T t1 = new @Owners("thisThread") T();
        T t2 = new @Owners("self") T();
        TStack s1 = new @Owners({"thisThread", "thisThread"}) TStack();
        TStack s2 = new @Owners({"thisThread", "self"}) TStack();
        TStack s3 = new @Owners({"self", "self"}) TStack();

        s1.push(t1); // silent
        s2.push(t2); // silent
        new Thread(new Worker(s3)).start(); // silent
        new Thread(new Worker(s3)).start(); // silent
        T top = s1.pop(); // silent
        top.x++; // silent
        T other = s2.pop(); // silent
        synchronized (other) {
            other.x++; // without synchronized 2: guard-not-held
        }
        synchronized (s3) {
            other = s3.pop(); // without synchronized 3: requires-not-held
        }
    }
}
