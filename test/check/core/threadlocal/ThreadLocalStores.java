/** Objects of thread_local classes: where they may be kept, and where not. */
final class ThreadLocalStores {
    static class Buffer /*# thread_local */ {
        int length;
        Buffer next;

        void add(int more) {
            length += more; // silent: no lock is needed
        }

        static Buffer concatenate(Buffer first, Buffer second) {
            first.next = second; // silent: one belongs to the other
            return first; // silent
        }
    }

    static final class Shared /*# thread_safe */ {
        Buffer kept;
        Object anything;
        volatile Buffer published;
    }

    private static Buffer everybodys;
    private static Object anything;

    static void local() {
        Buffer buffer = new Buffer();
        buffer.add(1); // silent
        buffer.length++; // silent
        Buffer other = Buffer.concatenate(buffer, new Buffer()); // silent
        other.next.length = 3; // silent
    }

    static void inStatic(Buffer buffer) {
        everybodys = buffer; // expect: thread-local-escape
        everybodys = null; // silent
    }

    static void madeForStatic() {
        everybodys = new Buffer(); // expect: thread-local-escape
    }

    static void inStaticOfOtherType(Buffer buffer) {
        anything = buffer; // expect: thread-local-escape; whatever the type of the field
    }

    static void inShared(Shared shared, Buffer buffer) {
        shared.kept = buffer; // expect: thread-local-escape
        shared.anything = buffer; // expect: thread-local-escape
        shared.published = buffer; // expect: thread-local-escape
        shared.kept = null; // silent
        shared.anything = "text"; // silent
    }

    static Buffer returned(Buffer buffer) {
        return buffer; // silent: to the same thread
    }

    static void inLocalArray(Buffer buffer) {
        Buffer[] array = new Buffer[2];
        array[0] = buffer; // silent
        array[0].add(2); // silent
    }
}
