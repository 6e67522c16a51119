/** The same stack, used against its owners (sections 2.2.1 and 3). */
final class StackMistakes {
    static final class T {
        int x;
    }

    static final class TNode {
        private T value;
        private TNode next;

        void init(T v, TNode n) {
            this.value = v;
            this.next = n;
        }

        T value() {
            return this.value;
        }

        TNode next() {
            return this.next;
        }
    }

    static final class TStack {
        private TNode head;

        void push(T value) {
            TNode newNode = new TNode();
            newNode.init(value, head);
            this.head = newNode;
        }

        T pop() {
            if (this.head == null) {
                return null;
            }
            T value = this.head.value();
            this.head = this.head.next();
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
                s3.push(t);
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
