import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a JVM did with a call, on all objects that it can be made on. As text: a line with words,
 *
 *     call CALLER NAME complete|partial METHOD... !ERROR...
 *
 * @param caller   the class of the method that calls
 * @param name     of that method
 * @param complete whether all classes were loaded and all lambdas made: then nothing else can run
 * @param ran      the methods, as CLASS.NAME
 * @param errors   the simple names of what was thrown instead
 */
record Observation(String caller, String name, boolean complete, Set<String> ran, Set<String> errors) {
    static List<Observation> read(Path path) throws IOException {
        return Files.readAllLines(path).stream().map(Observation::parse).toList();
    }

    private static Observation parse(String line) {
        List<String> words = Arrays.asList(line.split(" "));
        if (words.size() < 4 || !words.get(0).equals("call")) {
            throw new IllegalArgumentException(line);
        }
        Set<String> ran = new TreeSet<>();
        Set<String> errors = new TreeSet<>();
        for (String word : words.subList(4, words.size())) {
            if (word.startsWith("!")) {
                errors.add(word.substring(1));
            } else {
                ran.add(word);
            }
        }
        return new Observation(words.get(1), words.get(2), words.get(3).equals("complete"), ran, errors);
    }

    @Override
    public String toString() {
        return "call " + caller + " " + name + (complete ? " complete" : " partial")
                + ran.stream().map(method -> " " + method).collect(Collectors.joining())
                + errors.stream().map(error -> " !" + error).collect(Collectors.joining());
    }
}
