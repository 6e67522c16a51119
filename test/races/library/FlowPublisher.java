import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

/** Right: submit() comes before onNext(), and the calls of one subscriber come one after the other. */
public class FlowPublisher {
    static class Item {
        int value;
    }

    static class Adder implements Flow.Subscriber<Item> {
        final CountDownLatch done = new CountDownLatch(1);
        Flow.Subscription subscription;
        int sum;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            this.subscription = subscription;
            subscription.request(1);
        }

        @Override
        public void onNext(Item item) {
            sum += item.value;
            item.value = 0;
            subscription.request(1);
        }

        @Override
        public void onError(Throwable thrown) {
            sum = -1;
            done.countDown();
        }

        @Override
        public void onComplete() {
            done.countDown();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Adder adder = new Adder();
        try (SubmissionPublisher<Item> publisher = new SubmissionPublisher<>()) {
            publisher.subscribe(adder);
            for (int i = 1; i <= 50; i++) {
                Item item = new Item();
                item.value = i;
                publisher.submit(item);
            }
        }
        adder.done.await();
        if (adder.sum != 1275) {
            throw new AssertionError(adder.sum);
        }
        System.out.println("ok");
    }
}
