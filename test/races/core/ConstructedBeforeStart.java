/** Right: objects that are built, with initializers and setters, before the thread that uses them is started. */
public class ConstructedBeforeStart {
    static class Base {
        int size = 3;
        int[] cells = {1, 2, 3};
    }

    static class Derived extends Base {
        long total;
        String name = "derived";

        {
            total = size;
        }

        Derived(int more) {
            this(more, "other");
            total += more;
        }

        Derived(int more, String name) {
            total += more;
            this.name += name;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derived derived = new Derived(4);
        derived.size++;
        derived.cells[0]++;
        Thread thread = new Thread(() -> {
            derived.total += derived.cells[0] + derived.size + derived.name.length();
        });
        thread.start();
        thread.join();
        System.out.println(derived.total == 3 + 4 + 4 + 2 + 4 + 12 ? "ok" : "wrong total " + derived.total);
    }
}
