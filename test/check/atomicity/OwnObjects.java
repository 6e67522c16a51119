/** Objects that nobody else has, and what never changes. */
final class OwnObjects {
    static final class Node {
        private int value; /*# guarded_by this */
        private Node next; /*# guarded_by this */
        private final int number;

        Node(int number) {
            this.number = number;
            this.value = number;
        }

        int number() /*# atomicity const */ {
            return number; // silent
        }

        synchronized void set(int value) /*# atomic */ {
            this.value = value; // silent
        }
    }

    /** Nothing in it synchronizes: it belongs to the thread that uses it. */
    static final class Point {
        private int x;
        private long y;

        void move(int dx) /*# atomicity mover */ {
            x += dx; // silent
            y += dx;
        }

        long sum() /*# atomicity mover */ {
            return x + y; // silent
        }
    }

    static Node make(int value) /*# atomicity mover */ {
        Node node = new Node(value); // silent
        node.value = value + 1;
        node.next = null;
        return node;
    }

    static int[] squares(int count) /*# atomicity mover */ {
        int[] squares = new int[count]; // silent
        for (int i = 0; i < count; i++) {
            squares[i] = i * i;
        }
        return squares;
    }

    static int sum(int a, int b) /*# atomicity const */ {
        return a + b; // silent
    }

    static int numbers(Node a, Node b) /*# atomicity const */ {
        return a.number() + b.number(); // silent
    }

    static void publish(Node node) /*# atomic */ {
        node.set(1); // expect: not-atomic
        node.set(2);
    }

    static void walk(Point point) /*# atomicity mover */ {
        for (int i = 0; i < 3; i++) { // silent
            point.move(i);
        }
    }
}
