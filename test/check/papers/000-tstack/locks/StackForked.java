/** Threads that have the shared stack of figure 4 from the variables around them. */
final class StackForked {
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

    static void fork(TStack s3) {
        new Thread(() -> {
            T t = new T();
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
