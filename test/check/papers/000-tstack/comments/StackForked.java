/** Threads that have the shared stack of figure 4 from the variables around them. */
final class StackForked {
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

    static void fork(TStack/*#<self, self>*/ s3) {
        new Thread(() -> {
            T t = new T/*#<self>*/();
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
