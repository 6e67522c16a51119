import java.util.List;
import java.util.concurrent.ExecutorService;

/** Objects of thread_local classes may not be handed to another thread. */
final class ThreadLocalThreads {
    static class Parser /*# thread_local */ {
        int position;

        void advance() {
            position++; // silent
        }
    }

    static void lambdas(Parser parser, ExecutorService pool, List<Integer> numbers) {
        new Thread(() -> parser.advance()).start(); // expect: thread-local-escape
        pool.execute(() -> parser.advance()); // expect: thread-local-escape
        pool.submit(() -> parser.position); // expect: thread-local-escape
        numbers.forEach(number -> parser.advance()); // silent: this thread runs it
        numbers.removeIf(number -> number > parser.position); // silent
    }

    static void references(Parser parser, ExecutorService pool) {
        new Thread(parser::advance).start(); // expect: thread-local-escape
        pool.execute(parser::advance); // expect: thread-local-escape
    }

    static void anonymous(Parser parser) {
        new Thread(new Runnable() { public void run() { parser.advance(); } }).start(); // expect: thread-local-escape
        new Thread() { @Override public void run() { parser.advance(); } }.start(); // expect: thread-local-escape
    }

    static void ownInThread(ExecutorService pool) {
        new Thread(() -> { Parser parser = new Parser(); parser.advance(); }).start(); // silent: made there
        pool.execute(() -> new Parser().advance()); // silent
    }

    static void otherThings(String text, ExecutorService pool) {
        new Thread(() -> text.length()).start(); // silent
        pool.execute(() -> System.out.println(text)); // silent
    }

    static final class Worker extends Thread {
        private final Parser parser;

        Worker(Parser parser) {
            this.parser = parser; // maybe: thread-local-escape
        }

        @Override
        public void run() {
            parser.advance(); // silent
        }
    }

    static final class Task implements Runnable {
        private final Parser parser;

        Task(Parser parser) {
            this.parser = parser; // maybe: thread-local-escape
        }

        @Override
        public void run() {
            parser.advance(); // silent
        }
    }

    static void constructors(Parser parser, ExecutorService pool) {
        new Worker(parser).start(); // expect: thread-local-escape
        pool.execute(new Task(parser)); // expect: thread-local-escape
        new Thread(new Task(parser)).start(); // expect: thread-local-escape
    }
}
