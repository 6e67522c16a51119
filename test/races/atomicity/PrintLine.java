import quiet.Threads;

/** Wrong: a line is two writes to a stream that somebody else writes to without the lock of the printer. */
public class PrintLine {
    static class Stream {
        private int column;

        public synchronized void write(int length) {
            column += length; //! atomicity predicted PrintLine$Printer.println
        }
    }

    static class Printer {
        private final Stream out;

        Printer(Stream out) {
            this.out = out;
        }

        public synchronized void println(String line) {
            out.write(line.length());
            out.write(1);
        }
    }

    public static void main(String[] arguments) {
        Stream stream = new Stream();
        Printer printer = new Printer(stream);
        Threads.inTurn(() -> printer.println("line"), () -> stream.write(3));
        System.out.println(stream.column == 8 ? "ok" : "lost");
    }
}
