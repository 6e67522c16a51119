import javax.annotation.concurrent.Immutable;

/** Fields of immutable classes are written while the object is constructed, and never again. */
final class Immutables {
    @Immutable
    static class Point {
        int x;
        int y;
        private int[] history = {1, 2}; // silent
        private final String name;

        Point(int x, int y) {
            this.x = x; // silent
            this.y = y; // silent
            this.y++; // silent
            history[0] = x; // silent
            name = "point"; // silent
        }

        int sum() {
            return x + y + history[0] + name.length(); // silent: reading is free
        }

        void move(int by) {
            x += by; // expect: readonly-written
            y = by; // expect: readonly-written
            history[1] = by; // expect: readonly-written; elements are read-only like the field
        }

        synchronized void moveWithLock(int by) {
            x = by; // expect: readonly-written; a lock makes no difference
        }

        static Point moved(Point from, int by) {
            return new Point(from.x + by, from.y); // silent
        }
    }

    @Immutable
    static class Lazy {
        private int hash;

        @Override
        public int hashCode() {
            if (hash == 0) { // silent
                hash = 42; // expect: readonly-written
            }
            return hash; // silent
        }
    }

    static class Pixel /*# immutable */ extends Point {
        int color;

        Pixel(int color) {
            super(1, 2);
            this.color = color; // silent
            x = 3; // silent: of the object under construction
        }

        void paint(int color) {
            this.color = color; // expect: readonly-written
        }
    }

    static void outside(Point point, Pixel pixel) {
        point.x = 1; // expect: readonly-written
        pixel.color = 2; // expect: readonly-written
        pixel.y--; // expect: readonly-written
        int copy = point.x + pixel.color; // silent
    }

    static Runnable later(Point point) {
        return () -> point.x = 5; // expect: readonly-written
    }

    @Immutable
    static class Copied {
        int value;

        Copied(Copied other) {
            value = other.value; // silent
            other.value = 0; // expect: readonly-written; the other one is finished
        }
    }
}
