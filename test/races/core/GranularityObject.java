import quiet.Order;

/**
 * With one state for a whole object, threads that use different fields without a lock look wrong: see DistinctFields.
 */
public class GranularityObject {
    //! options: --granularity object
    static class Pair {
        int left;
        int right;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Pair pair = new Pair();
        Thread first = new Thread(() -> {
            pair.left = 1; //! race observed GranularityObject$Pair.*
            Order.reach("written");
        });
        first.start();
        Order.await("written");
        pair.right = 2; //! race observed GranularityObject$Pair.*
        first.join();
        System.out.println("ok");
    }
}
