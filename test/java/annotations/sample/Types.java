package sample;

import java.util.function.Supplier;
import turnstile.annotation.Formals;
import turnstile.annotation.Owners;

/** Owners, wherever a type stands. */
class Types {
    @Formals("o") static class Node {
        Object value;
    }

    @Formals({"o", "p"}) class Inner {
        Inner(int before, @Owners({"Types.this", "self"}) Inner next) {
        }
    }

    enum Kind {
        ONE(null);

        Kind(@Owners("self") Node node) {
        }
    }

    @Owners("this") Node node;
    @Owners({"this", "thisThread"}) Inner inner;
    @Owners("unique") Types.@Owners({"readonly", "self"}) Inner qualified;
    @Owners("this") Node[] nodes;
    @Owners("this") Node[][] table;
    @Owners("o$node") Node deep = new @Owners("this") Node(); // field initializer

    @Owners("this") Node result() {
        return node;
    }

    @Owners("self") Node[] arrays(int first, @Owners("this") Node[] second, long third, @Owners("#1") Node fourth) {
        return second;
    }

    void allocate() {
        node = new Node();
        node = new @Owners("this") Node(); // object
        inner = this.new @Owners({"this", "self"}) Inner(1, null); // inner
        nodes = new @Owners("this") Node[3]; // array
        table = new @Owners("this") Node[3][4]; // table
        nodes = new @Owners("this") Node[new Node[2][3].length]; // sized by an array
        Supplier<Node> later = () -> new @Owners("self") Node(); // lambda
        @Owners("this") Node local = (@Owners("this") Node) later.get();
        node = new @Owners("self") Node() { }; // anonymous
    }

    void local(int captured) {
        class Local {
            Local(@Owners("this") Node own) {
                own.value = captured;
            }
        }
        new Local(null);
    }

    static void staticLocal(Types captured) {
        class StaticLocal {
            StaticLocal(@Owners("this") Types own) {
                own.node = captured.node;
            }
        }
        new StaticLocal(null);
    }
}
