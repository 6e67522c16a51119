import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Objects of several kinds that stay, made and changed by two threads: on the last lines, what the heap holds after a
 * collection, and the most that the process had in memory, both in bytes.
 */
public class Memory {
    static final class Order {
        private final int id;
        private long total;
        private String customer;
        private Line[] lines;
        private Order next;

        Order(int id, int lines) {
            this.id = id;
            this.lines = new Line[lines];
            for (int i = 0; i < lines; i++) {
                this.lines[i] = new Line(id % 1000 + i, i + 1);
                total += this.lines[i].price * this.lines[i].amount;
            }
            customer = "customer " + id % 5000;
        }
    }

    static final class Line {
        int price;
        int amount;

        Line(int price, int amount) {
            this.price = price;
            this.amount = amount;
        }
    }

    static final class Table {
        private final Order[] buckets = new Order[1 << 16];
        private final int[] sizes = new int[1 << 16];
        private final double[] means = new double[1 << 16];
        private int count;

        synchronized void add(Order order) {
            int bucket = order.id * 31 & buckets.length - 1;
            order.next = buckets[bucket];
            buckets[bucket] = order;
            means[bucket] = (means[bucket] * sizes[bucket] + order.total) / ++sizes[bucket];
            count++;
        }

        synchronized long sum() {
            long sum = 0;
            for (Order order : buckets) {
                for (; order != null; order = order.next) {
                    sum += order.total + order.customer.length();
                    order.total++;
                    for (Line line : order.lines) {
                        sum += line.price;
                    }
                }
            }
            return sum;
        }
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        int orders = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 400_000;
        Table table = new Table();
        Thread[] threads = new Thread[2];
        for (int t = 0; t < threads.length; t++) {
            int first = t;
            threads[t] = new Thread(() -> {
                for (int i = first; i < orders; i += 2) {
                    table.add(new Order(i, i % 7));
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(table.sum() + " " + table.sum() + " " + table.count);
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(50);
        }
        System.out.println("heap " + (runtime.totalMemory() - runtime.freeMemory()));
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                System.out.println("peak " + Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024);
            }
        }
        System.out.println(table.count);
    }
}
