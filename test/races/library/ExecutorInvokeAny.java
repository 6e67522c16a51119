import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Right: invokeAny() gives the result of one task; its fields were written before. */
public class ExecutorInvokeAny {
    static class Answer {
        int value;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        for (int round = 0; round < 5; round++) {
            List<Callable<Answer>> tasks = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                tasks.add(() -> {
                    if (number == 0) {
                        throw new IllegalStateException("no answer");
                    }
                    Answer answer = new Answer();
                    answer.value = 42;
                    return answer;
                });
            }
            Answer answer = executor.invokeAny(tasks);
            answer.value++;
            if (answer.value != 43) {
                throw new AssertionError(answer.value);
            }
        }
        executor.shutdown();
        System.out.println("ok");
    }
}
