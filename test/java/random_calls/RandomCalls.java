import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Compares what {@code turnstile dump --callgraph} shows of calls with what a JVM does, on random programs.
 *
 * <p>Random are the classes and interfaces: their packages, nests, supertypes and the flags of their methods, so that methods
 * override, hide, conflict, are out of reach, abstract or not there at all; the calls, and the lambdas that implement some of the
 * interfaces. Much of that is what no compiler makes, but a JVM loads, as when supertypes have changed since. A program depends on
 * its seed alone.
 *
 * <p>The JVM decides what is right: each call is made on an object of each class, and on the lambdas, and what runs says who it is.
 *
 *     RandomCalls make SEED COUNT FOLDER       writes the class files of so many programs
 *     RandomCalls run SEED COUNT               runs them, with that folder on the class path; prints what Observation says
 *     RandomCalls compare DUMP OBSERVATIONS    the text of the dump, and all that was printed: an error if they do not agree
 */
public final class RandomCalls {
    private RandomCalls() {}

    public static void main(String[] arguments) throws IOException {
        switch (arguments[0]) {
            case "make" -> {
                for (RandomProgram program : programs(arguments)) {
                    ClassFiles.write(program, Path.of(arguments[3]));
                }
            }
            case "run" -> {
                for (RandomProgram program : programs(arguments)) {
                    new Run(program).observe().forEach(System.out::println);
                }
            }
            case "compare" -> {
                Comparison comparison = new Comparison(Dump.read(Path.of(arguments[1])));
                comparison.compare(Observation.read(Path.of(arguments[2])));
                System.exit(comparison.tell(System.out) ? 0 : 1);
            }
            default -> throw new IllegalArgumentException(Arrays.toString(arguments));
        }
    }

    private static Iterable<RandomProgram> programs(String[] arguments) {
        int seed = Integer.parseInt(arguments[1]);
        int count = Integer.parseInt(arguments[2]);
        return () -> IntStream.range(seed, seed + count).mapToObj(RandomProgram::new).iterator();
    }
}
