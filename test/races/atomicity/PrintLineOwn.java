import quiet.Threads;

/**
 * Right: everybody writes through the printer, whose lock keeps others away from the stream's lock, which could as
 * well not be there. Without protected locks the second use of it looks like a step of its own.
 */
public class PrintLineOwn {
    static class Stream {
        private int column;

        public synchronized void write(int length) {
            column += length; //! with --without protected-locks: atomicity predicted PrintLineOwn$Printer.println
        }
    }

    static class Printer {
        private final Stream out = new Stream();

        public synchronized void println(String line) {
            out.write(line.length());
            out.write(1);
        }
    }

    public static void main(String[] arguments) {
        Printer printer = new Printer();
        Threads.inTurn(() -> printer.println("line"), () -> printer.println("another"));
        System.out.println(printer.out.column == 13 ? "ok" : "lost");
    }
}
