//! needs: 21
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/** Right: factories of virtual and of platform threads behind the same executors. */
public class VirtualFactory {
    static class Ball {
        int passes;
    }

    public static void main(String[] arguments) throws Exception {
        ThreadFactory[] factories = {Thread.ofVirtual().factory(), Thread.ofPlatform().daemon().factory()};
        Ball ball = new Ball();
        for (ThreadFactory factory : factories) {
            Thread thread = factory.newThread(() -> ball.passes++);
            thread.start();
            thread.join();
            try (ExecutorService executor = Executors.newThreadPerTaskExecutor(factory)) {
                for (int i = 0; i < 10; i++) {
                    Future<?> future = executor.submit(() -> {
                        ball.passes++;
                    });
                    future.get();
                    ball.passes++;
                }
            }
        }
        if (ball.passes != 42) {
            throw new AssertionError(ball.passes);
        }
        System.out.println("ok");
    }
}
