/** The stack of figures 3 and 4; its atomicities are inferred from the guards alone. */
final class TStackListing {
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

    static void local() {
        T t1 = localT();
        T t2 = sharedT();
        TStack s1 = localStack();
        TStack s2 = localStackOfShared();
        s1.push(t1);
        s2.push(t2);
    }

    public static void main(String[] arguments) {
        local();
        TStack s3 = sharedStack();
        new Thread(new Worker(s3)).start();
        new Thread(new Worker(s3)).start();
    }
}
