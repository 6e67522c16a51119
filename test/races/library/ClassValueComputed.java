import quiet.Order;

/** Right: what computeValue() made is complete for everybody who gets it. */
public class ClassValueComputed {
    static final class Box {
        int value;
    }

    static final ClassValue<Box> BOXES = new ClassValue<>() {
        @Override
        protected Box computeValue(Class<?> type) {
            Box box = new Box();
            box.value = 1;
            return box;
        }
    };

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            Box box = BOXES.get(String.class);
            assert box != null;
            Order.reach("computed");
        });
        first.start();
        Order.await("computed");
        int seen = BOXES.get(String.class).value;
        first.join();
        System.out.println(seen > 0 ? "ok" : "nothing");
    }
}
