import quiet.Order;

/** Wrong: what is done to a value after it was computed is not ordered by getting it. */
public class ClassValueChanged {
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
            box.value = 2;
            Order.reach("computed");
        });
        first.start();
        Order.await("computed");
        int seen = BOXES.get(String.class).value; //! race observed ClassValueChanged$Box.value
        first.join();
        System.out.println(seen > 0 ? "ok" : "nothing");
    }
}
