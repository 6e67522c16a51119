import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Right: the same object goes through several tasks, one after the other, whichever worker runs them. */
public class ExecutorRounds {
    static class Ball {
        int passes;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(3);
        Ball ball = new Ball();
        Callable<Ball> pass = () -> {
            ball.passes++;
            return ball;
        };
        for (int i = 0; i < 20; i++) {
            Future<Ball> future = executor.submit(pass);
            future.get().passes++;
        }
        executor.shutdown();
        if (ball.passes != 40) {
            throw new AssertionError(ball.passes);
        }
        System.out.println("ok");
    }
}
