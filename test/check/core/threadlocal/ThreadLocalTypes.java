import turnstile.annotation.ThreadLocalClass;
import javax.annotation.concurrent.ThreadSafe;

/** Casts and overriding: a thread-local object may be seen as a shared one, but not the other way. */
final class ThreadLocalTypes {
    @ThreadSafe
    static class Shape {
        void draw() {
        }

        final void fill() {
        }
    }

    @ThreadLocalClass
    static class Sketch extends Shape {
        int strokes;

        @Override void draw() { strokes++; } // expect: thread-local-escape; any thread may call draw of a Shape

        void erase() { strokes = 0; } // silent: its own method
    }

    @ThreadLocalClass
    static class Detailed extends Sketch {
        @Override void erase() { strokes--; } // silent: overrides a thread-local class's method
    }

    static void casts(Object object, Shape shape, Sketch sketch) {
        Sketch one = (Sketch) object; // expect: thread-local-escape
        Sketch two = (Sketch) shape; // expect: thread-local-escape
        Shape up = sketch; // silent
        Shape cast = (Shape) object; // silent: a shared class
        Detailed down = (Detailed) sketch; // silent: both are thread-local
        String text = (String) object; // silent
    }

    static int patterns(Object object) {
        if (object instanceof Sketch sketch) { // expect: thread-local-escape
            return sketch.strokes;
        }
        if (object instanceof Sketch) { // silent: only asks
            return 1;
        }
        return 0;
    }
}
