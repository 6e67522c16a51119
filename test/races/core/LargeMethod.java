import quiet.Order;

/**
 * Wrong: a race in a method of more than 8,000 bytes of code, which the JIT does not compile. The compiler makes it
 * that long: it copies each finally block to the normal and to the exceptional end.
 */
public class LargeMethod {
    private int field;
    private final int[] cells = new int[2];

    int large(int sum) {
        try {
            sum ^= 7;
        } finally {
            try {
                sum ^= 6;
            } finally {
                try {
                    sum ^= 5;
                } finally {
                    try {
                        sum ^= 4;
                    } finally {
                        try {
                            sum ^= 3;
                        } finally {
                            try {
                                sum ^= 2;
                            } finally {
                                try {
                                    sum ^= 1;
                                } finally {
                                    sum = sum * 31 + field; //! race observed LargeMethod.field
                                    sum = sum * 31 + cells[1];
                                    field = sum; //! race observed LargeMethod.field
                                    cells[1] = sum; //! race observed LargeMethod.cells[]
                                    sum = sum * 31 + 7;
                                    sum = sum * 37 + cells.length;
                                    sum = sum * 41 + sum;
                                    sum = sum * 43 + cells.length;
                                }
                            }
                        }
                    }
                }
            }
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        LargeMethod object = new LargeMethod();
        Thread first = new Thread(() -> {
            object.large(1);
            Order.reach("done");
        });
        first.start();
        Order.await("done");
        object.large(2);
        first.join();
        System.out.println("ok");
    }
}
