import quiet.Order;

/** Wrong: an inner class changes a field of its outer instance, and one of its outer's outer. */
public class InnerClass {
    private int depth;

    class Middle {
        private int count;

        class Inner implements Runnable {
            @Override
            public void run() {
                depth++; //! race observed InnerClass.depth
                count++; //! race observed InnerClass$Middle.count
                Order.reach("done");
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        InnerClass outer = new InnerClass();
        Middle middle = outer.new Middle();
        Thread first = new Thread(middle.new Inner());
        first.start();
        Order.await("done");
        outer.depth = 5; //! race observed InnerClass.depth
        middle.count = 5; //! race observed InnerClass$Middle.count
        first.join();
        System.out.println("ok");
    }
}
