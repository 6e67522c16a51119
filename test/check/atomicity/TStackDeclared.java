/** The same stack with the atomicities of figure 3 declared, and with stronger and weaker ones. */
final class TStackDeclared {
    static final class T/*#<thisOwner>*/ {
        int x /*# guarded_by thisOwner */;
    }

    static final class TNode/*#<thisOwner, TOwner>*/ {
        private T/*#<TOwner>*/ value /*# guarded_by thisOwner */;
        private TNode/*#<thisOwner, TOwner>*/ next /*# guarded_by thisOwner */;

        void init(T/*#<TOwner>*/ v, TNode/*#<thisOwner, TOwner>*/ n)
                /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            this.value = v; // silent
            this.next = n;
        }

        T/*#<TOwner>*/ value() /*# requires thisOwner */ /*# atomicity thisOwner ? atomic */ {
            return this.value; // silent: it is a mover
        }

        TNode/*#<thisOwner, TOwner>*/ next() /*# requires thisOwner */ /*# atomicity thisOwner ? const */ {
            return this.next; // expect: not-atomic; the next node changes
        }
    }

    static final class TStack/*#<thisOwner, TOwner>*/ {
        private TNode/*#<thisOwner$this, TOwner>*/ head /*# guarded_by thisOwner */;

        void push(T/*#<TOwner>*/ value) /*# requires thisOwner */ /*# atomicity thisOwner ? mover */ {
            TNode newNode = new TNode/*#<thisOwner$this, TOwner>*/(); // silent
            newNode.init(value, head);
            this.head = newNode;
        }

        T/*#<TOwner>*/ pop() /*# requires thisOwner */ /*# atomicity thisOwner ? cmpd */ {
            if (this.head == null) { // silent
                return null;
            }
            T value = this.head.value();
            this.head = this.head.next();
            return value;
        }
    }
}
