import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

/** What came after Java 17: switches over patterns, record patterns, virtual threads. */
public class Newer21 {
    sealed interface Shape permits Circle, Square, Group {}

    record Circle(double radius) implements Shape {}

    record Square(double side, String name) implements Shape {}

    record Group(Shape first, Shape second) implements Shape {}

    enum Level { LOW, HIGH }

    static int matched;
    int field = 3;

    static double area(Shape shape) {
        matched++;
        return switch (shape) {
            case Circle(double radius) when radius > 10 -> 1000;
            case Circle(double radius) -> radius * radius * 3;
            case Square square -> square.side() * square.side();
            case Group(Circle(var radius), Square(var side, var name)) -> radius + side + name.length();
            case Group(Shape first, Shape second) -> area(first) + area(second);
        };
    }

    String describe(Object object) {
        return switch (object) {
            case null -> "null " + field++;
            case Integer i when i > field -> "large " + i;
            case Integer i -> "small " + i;
            case String s when s.isEmpty() -> "empty";
            case String s -> s + field;
            case int[] array when array.length > 1 -> "array " + array[1]++;
            case Level.LOW -> "low";
            case Level level -> level.name();
            case Newer21 other when other == this -> "this " + (other.field += 2);
            default -> object.getClass().getName();
        };
    }

    public static void main(String[] arguments) throws Exception {
        Shape[] shapes = {new Circle(11), new Circle(2), new Square(3, "s"), new Group(new Circle(1), new Square(2, "name")),
            new Group(new Square(1, "a"), new Circle(1))};
        for (Shape shape : shapes) {
            System.out.println(area(shape) + " " + matched);
        }
        Newer21 newer = new Newer21();
        int[] numbers = {1, 2};
        for (Object object : new Object[] {null, 5, 1, "", "text", numbers, new int[1], Level.LOW, Level.HIGH, newer, 2L}) {
            System.out.println(newer.describe(object));
        }
        try {
            area(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[e.getStackTrace().length - 1]);
        }
        ReentrantLock lock = new ReentrantLock();
        int[] count = new int[2];
        List<Future<Integer>> futures = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                int given = i;
                futures.add(executor.submit(() -> {
                    Newer21 own = new Newer21();
                    Thread.sleep(given % 3);
                    lock.lock();
                    try {
                        count[0]++;
                    } finally {
                        lock.unlock();
                    }
                    Thread.yield();
                    synchronized (count) {
                        count[1] += given;
                    }
                    return own.field += given;
                }));
            }
        }
        int sum = 0;
        for (Future<Integer> future : futures) {
            sum += future.get();
        }
        System.out.println(sum + " " + count[0] + " " + count[1]);
        Thread virtual = Thread.ofVirtual().name("virtual").start(() -> {
            Thread current = Thread.currentThread();
            System.out.println(current.getName() + current.isVirtual() + current.isDaemon() + current.getThreadGroup().getName());
            try {
                numbers[5]++;
            } catch (ArrayIndexOutOfBoundsException e) {
                e.printStackTrace(System.out);
            }
            throw new IllegalStateException("in a virtual thread");
        });
        virtual.join();
        System.out.println(virtual.getState());
    }
}
