/** A stack whose users say who protects it and what is in it (figures 3 and 4). */
final class StackProgram {
    static final class T {
        int x;
    }

    static final class TNode {
        private T value;
        private TNode next;

        void init(T v, TNode n) {
            this.value = v; // without init: guard-not-held
            this.next = n; // without init: guard-not-held
        }

        T value() {
            return this.value; // without value: guard-not-held
        }

        TNode next() {
            return this.next; // without next: guard-not-held
        }
    }

    static final class TStack {
        private TNode head;

        void push(T value) {
            TNode newNode = new TNode();
            newNode.init(value, head); // without push: guard-not-held, requires-not-held
            this.head = newNode; // without push: guard-not-held
        }

        T pop() {
            if (this.head == null) { // without pop: guard-not-held
                return null;
            }
            T value = this.head.value(); // without pop: guard-not-held, requires-not-held
            this.head = this.head.next(); // without pop: guard-not-held, requires-not-held
            return value;
        }
    }

    static final class Worker implements Runnable {
        final TStack s3;

        Worker(TStack s) {
            s3 = s;
        }

        @Override
        public void run() {
            T t = new T();
            synchronized (s3) {
                s3.push(t); // without synchronized 1: requires-not-held
            }
        }
    }

    private static T localT() {
        return new T();
    }

    private static T sharedT() {
        return new T();
    }

    private static TStack localStack() {
        return new TStack();
    }

    private static TStack localStackOfShared() {
        return new TStack();
    }

    private static TStack sharedStack() {
        return new TStack();
    }

    public static void main(String[] arguments) {
        T t1 = localT();
        T t2 = sharedT();
        TStack s1 = localStack();
        TStack s2 = localStackOfShared();
        TStack s3 = sharedStack();

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
