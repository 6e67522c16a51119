/** The same stack, used against its owners (sections 2.2.1 and 3). */
final class StackMistakes {
    static final class T/*#<thisOwner>*/ {
        int x /*# guarded_by thisOwner */;
    }

    static final class TNode/*#<thisOwner, TOwner>*/ {
        private T/*#<TOwner>*/ value /*# guarded_by thisOwner */;
        private TNode/*#<thisOwner, TOwner>*/ next /*# guarded_by thisOwner */;

        void init(T/*#<TOwner>*/ v, TNode/*#<thisOwner, TOwner>*/ n)
                /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            this.value = v;
            this.next = n;
        }

        T/*#<TOwner>*/ value() /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            return this.value;
        }

        TNode/*#<thisOwner, TOwner>*/ next() /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            return this.next;
        }
    }

    static final class TStack/*#<thisOwner, TOwner>*/ {
        private TNode/*#<thisOwner$this, TOwner>*/ head /*# guarded_by thisOwner */;

        void push(T/*#<TOwner>*/ value) /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            TNode newNode = new TNode/*#<thisOwner$this, TOwner>*/();
            newNode.init(value, head);
            this.head = newNode;
        }

        T/*#<TOwner>*/ pop() /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            if (this.head == null) {
                return null;
            }
            T value = this.head.value();
            this.head = this.head.next();
            return value;
        }
    }

    static final class Worker/*#<thisOwner>*/ implements Runnable {
        final TStack/*#<self, self>*/ s3;

        Worker(TStack/*#<self, self>*/ s) {
            s3 = s;
        }

        @Override
        public void run() {
            T t = new T/*#<self>*/();
            synchronized (s3) {
                s3.push(t);
            }
        }
    }

    public static void main(String[] arguments) {
        T t1 = new T/*#<thisThread>*/();
        T t2 = new T/*#<self>*/();
        TStack s1 = new TStack/*#<thisThread, thisThread>*/();
        TStack s2 = new TStack/*#<thisThread, self>*/();
        TStack s3 = new TStack/*#<self, self>*/();

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
