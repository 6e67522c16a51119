import quiet.Order;

/** Wrong in the field only: a thread replaces an array by a longer copy while another reads which array is there. */
public class ArrayReplaced {
    static class Stack {
        int[] items = new int[1];

        void grow() {
            int[] longer = new int[items.length * 2];
            longer[0] = items[0];
            items = longer; //! race observed ArrayReplaced$Stack.items
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Stack stack = new Stack();
        Thread first = new Thread(() -> {
            stack.grow();
            Order.reach("grown");
        });
        first.start();
        Order.await("grown");
        int length = stack.items.length; //! race observed ArrayReplaced$Stack.items
        first.join();
        System.out.println(length > 0 ? "ok" : "empty");
    }
}
