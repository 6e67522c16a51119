/**
 * Right: a method of almost 64 KB of code, the most that there can be, called by two threads with the lock held. The
 * compiler makes it that long: it copies each finally block to the normal and to the exceptional end.
 */
public class HugeMethod {
    private int field;
    private final int[] cells = new int[2];

    synchronized int huge(int sum) {
        try {
            sum ^= 9;
        } finally {
            try {
                sum ^= 8;
            } finally {
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
                                            sum = sum * 31 + field;
                                            sum = sum * 31 + cells[1];
                                            field = sum;
                                            cells[1] = sum + field;
                                            sum = sum * 31 + cells[0];
                                            cells[0] += field;
                                            field++;
                                            sum ^= field;
                                            sum = sum * 37 + field;
                                            cells[1] += sum;
                                        }
                                    }
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
        HugeMethod object = new HugeMethod();
        Thread first = new Thread(() -> object.huge(1));
        Thread second = new Thread(() -> object.huge(2));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
