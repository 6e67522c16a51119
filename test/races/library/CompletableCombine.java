import java.util.concurrent.CompletableFuture;

/** Right: thenCombine() comes after both of its sources, allOf() after all, whoever runs it. */
public class CompletableCombine {
    static class Part {
        int value;
    }

    static CompletableFuture<Part> part(int value) {
        return CompletableFuture.supplyAsync(() -> {
            Part part = new Part();
            part.value = value;
            return part;
        });
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Part> both = part(i).thenCombine(part(2), (left, right) -> {
                left.value += right.value;
                right.value = 0;
                return left;
            });
            CompletableFuture<Part> third = part(3);
            CompletableFuture<Integer> total = CompletableFuture.allOf(both, third).thenApply(nothing -> {
                both.join().value++;
                return both.join().value + third.join().value;
            });
            if (total.get() != i + 6 || both.get().value != i + 3) {
                throw new AssertionError();
            }
            Part any = (Part) CompletableFuture.anyOf(part(7), part(7)).join();
            if (++any.value != 8) {
                throw new AssertionError();
            }
        }
        System.out.println("ok");
    }
}
