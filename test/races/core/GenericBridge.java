import quiet.Order;

/**
 * Wrong: a generic class whose setter is overridden with a narrower type, so that one thread comes by a bridge method.
 */
public class GenericBridge {
    static class Cell<T> {
        T value;

        void set(T value) {
            this.value = value; //! race observed GenericBridge$Cell.value
        }
    }

    static class NumberCell extends Cell<Integer> {
        @Override
        void set(Integer value) {
            this.value = value + 1; //! race observed GenericBridge$Cell.value
        }
    }

    static <T> void setVirtually(Cell<T> cell, T value) {
        cell.set(value);
    }

    static class PlainUser extends NumberCell {
        void setAsIs(Integer value) {
            Cell<Integer> plain = new Cell<>();
            plain.set(value);
            this.value = plain.value; //! race observed GenericBridge$Cell.value
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        PlainUser cell = new PlainUser();
        Cell<String> text = new Cell<>();
        Thread first = new Thread(() -> {
            setVirtually(cell, 1);
            setVirtually(text, "one");
            Order.reach("set");
        });
        first.start();
        Order.await("set");
        cell.setAsIs(2);
        text.set("two");
        first.join();
        System.out.println("ok");
    }
}
