import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import quiet.Order;

/** Wrong: two subscribers are called at the same time, and add to the same field. */
public class FlowTwoSubscribers {
    static int sum;

    static class Adder implements Flow.Subscriber<Integer> {
        final boolean first;

        Adder(boolean first) {
            this.first = first;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(1);
        }

        @Override
        public void onNext(Integer item) {
            if (first) {
                Order.await("second runs");
                sum += item;
                Order.reach("first wrote");
            } else {
                Order.reach("second runs");
                Order.await("first wrote");
                sum += item; //! race observed FlowTwoSubscribers.sum
            }
        }

        @Override
        public void onError(Throwable thrown) {
            throw new AssertionError(thrown);
        }

        @Override
        public void onComplete() {
        }
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>(executor, 4)) {
            publisher.subscribe(new Adder(true));
            publisher.subscribe(new Adder(false));
            publisher.submit(1);
            Order.await("first wrote");
        }
        executor.shutdown();
        executor.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println("ok");
    }
}
