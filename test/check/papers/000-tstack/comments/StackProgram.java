/** A stack whose users say who protects it and what is in it (figures 3 and 4). */
final class StackProgram {
    static final class T/*#<thisOwner>*/ {
        int x /*# guarded_by thisOwner */;
    }

    static final class TNode/*#<thisOwner, TOwner>*/ {
        private T/*#<TOwner>*/ value /*# guarded_by thisOwner */;
        private TNode/*#<thisOwner, TOwner>*/ next /*# guarded_by thisOwner */;

        void init(T/*#<TOwner>*/ v, TNode/*#<thisOwner, TOwner>*/ n)
                /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            this.value = v; // without init: guard-not-held
            this.next = n; // without init: guard-not-held
        }

        T/*#<TOwner>*/ value() /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            return this.value; // without value: guard-not-held
        }

        TNode/*#<thisOwner, TOwner>*/ next() /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            return this.next; // without next: guard-not-held
        }
    }

    static final class TStack/*#<thisOwner, TOwner>*/ {
        private TNode/*#<thisOwner$this, TOwner>*/ head /*# guarded_by thisOwner */;

        void push(T/*#<TOwner>*/ value) /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            TNode newNode = new TNode/*#<thisOwner$this, TOwner>*/();
            newNode.init(value, head); // without push: guard-not-held, requires-not-held
            this.head = newNode; // without push: guard-not-held
        }

        T/*#<TOwner>*/ pop() /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            if (this.head == null) { // without pop: guard-not-held
                return null;
            }
            T value = this.head.value(); // without pop: guard-not-held, requires-not-held
            this.head = this.head.next(); // without pop: guard-not-held, requires-not-held
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
                s3.push(t); // without synchronized 1: requires-not-held
            }
        }
    }

    public static void main(String[] arguments) {
        T t1 = new T/*#<thisThread>*/();
        T t2 = new T/*#<self>*/();
        TStack s1 = new TStack/*#<thisThread, thisThread>*/();
        TStack s2 = new TStack/*#<thisThread, self>*/();
        TStack s3 = new TStack/*#<self, self>*/();

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
