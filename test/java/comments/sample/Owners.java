package sample;

/** Class parameters and owners. */
class Node<T> /*#<ghost Object d, o>*/ {
    Node/*#<this, o>*/<T> next /*# guarded_by d */;
    Node<T>/*#<d, o>*/[] children, more;
    Node/*#<self, self>*/<T> find(Node/*#<o, d>*/<T> from, int depth) { return from; }
}

class Sub/*#<p>*/ extends Node/*#<p, this>*/<String> {}

class Maker {
    Node<String> field = new Node/*#<this, this>*/<String>();
    void make(Node<String> first, Node<String> second) {
        Node/*#<this, this>*/<String> local = null;
        Node/*#<this, this>*/<String> both = new Node<String>/*#<self, self>*/();
        make(new Node<>(), // the statement's line
                new Node/*#<self, this>*/<>());
        sample.Node<?>[] array = new sample.Node/*#<this, self>*/<?>[2];
    }
}
