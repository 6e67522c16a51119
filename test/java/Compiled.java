import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;

/**
 * Methods with monitors, called so often that the JVM compiles them: blocks in one another, with fields, in loops and
 * with exceptions, and methods of the JDK that lock.
 */
public class Compiled {
    static final Object SHARED = new Object();
    final Object lock = new Object();
    Object other = new Object();
    int count;
    int failures;

    void nested(int step) {
        synchronized (lock) {
            count++;
            synchronized (other) {
                count++;
                if (step % 7 == 0) {
                    return;
                }
            }
        }
        synchronized (SHARED) {
            count++;
        }
    }

    void fails(int step) {
        try {
            synchronized (lock) {
                synchronized (this) {
                    if (step % 3 == 0) {
                        throw new IllegalStateException();
                    }
                    count++;
                }
            }
        } catch (IllegalStateException expected) {
            synchronized (other) {
                failures++;
            }
        } finally {
            synchronized (SHARED) {
                count++;
            }
        }
    }

    int loops(int[] numbers) {
        int sum = 0;
        for (int number : numbers) {
            synchronized (numbers) {
                sum += number;
                numbers[0]++;
            }
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        Compiled compiled = new Compiled();
        PrintStream printed = new PrintStream(new ByteArrayOutputStream());
        BufferedReader reader = new BufferedReader(new StringReader("line\n".repeat(20_000)));
        int[] numbers = new int[4];
        int lines = 0;
        for (int i = 0; i < 20_000; i++) {
            compiled.nested(i);
            compiled.fails(i);
            compiled.loops(numbers);
            printed.println(i % 10);
            lines += reader.readLine() == null ? 0 : 1;
        }
        System.out.println(compiled.count + " " + compiled.failures + " " + numbers[0] + " " + lines);
    }
}
