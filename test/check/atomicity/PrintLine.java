/** println writes the text and the end of the line in two steps (Atomizer, section 5); others write in between. */
final class PrintLine {
    static final class Sink {
        private String written = ""; /*# guarded_by this */

        synchronized void write(String text) /*# atomic */ {
            written = written.concat(text); // silent
        }
    }

    static final class Stream {
        private final Sink out;
        private int lines; /*# guarded_by this */

        Stream(Sink out) {
            this.out = out;
        }

        synchronized void print(String text) /*# atomic */ {
            out.write(text); // silent
        }

        synchronized void println(String text) /*# atomic */ {
            out.write(text); // expect: not-atomic; path
            out.write("\n"); // path
            lines++;
        }

        synchronized void printlnAtOnce(String text) /*# atomic */ {
            out.write(text.concat("\n")); // silent
            lines++;
        }

        void printlnLocked(String text) /*# atomic */ {
            synchronized (out) { // silent
                out.write(text);
                out.write("\n");
            }
        }

        void printlnParts(String text) /*# atomic */ {
            print(text); // expect: not-atomic
            print("\n");
        }
    }

    /** As PrintWriter: the lock is an object of its own, and the one below has another. */
    static final class Writer {
        private final Object lock;
        private final Sink out;
        private int lines; /*# guarded_by lock */

        Writer(Object lock, Sink out) {
            this.lock = lock;
            this.out = out;
        }

        void write(String text) /*# atomic */ {
            synchronized (lock) { // silent
                out.write(text);
            }
        }

        void println(String text) /*# atomic */ {
            synchronized (lock) { // expect: not-atomic
                write(text); // path
                write("\n"); // path
                lines++;
            }
        }

        int lines() /*# atomic */ {
            synchronized (lock) { // silent
                return lines;
            }
        }
    }
}
