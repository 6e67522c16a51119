import java.util.concurrent.CompletableFuture;

/** Right: each stage of a CompletableFuture comes after the one before it, and join() after the last. */
public class CompletableChain {
    static class Purchase {
        int number;
        int price;
        String state = "new";
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 20; i++) {
            Purchase purchase = new Purchase();
            purchase.number = i;
            CompletableFuture<Purchase> future = CompletableFuture.supplyAsync(() -> {
                purchase.price = purchase.number * 10;
                return purchase;
            }).thenApply(priced -> {
                priced.price++;
                return priced;
            }).thenApplyAsync(packed -> {
                packed.state += " packed";
                return packed;
            }).thenCompose(packed -> CompletableFuture.supplyAsync(() -> {
                packed.state += " sent";
                return packed;
            }));
            Purchase sent = future.join();
            sent.price++;
            if (sent.price != i * 10 + 2 || !sent.state.equals("new packed sent")) {
                throw new AssertionError(sent.state);
            }
        }
        System.out.println("ok");
    }
}
