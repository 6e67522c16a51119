import quiet.Threads;

/**
 * Right: of three fields that are read one after the other the second is volatile, and was written after the third. Who
 * looked at the third before the read of the second would see a race.
 */
public class BatchVolatile {
    static class Box {
        int number;
        volatile boolean full;
        int content;
    }

    /** The same, by the class itself. */
    static class OwnBox {
        int number;
        volatile boolean full;
        int content;

        int look() {
            int first = number;
            boolean isFull = full;
            return first + content + (isFull ? 1 : 0);
        }
    }

    static int look(Box box) {
        int first = box.number;
        boolean isFull = box.full;
        return first + box.content + (isFull ? 1 : 0);
    }

    public static void main(String[] arguments) {
        for (int i = 0; i < 5; i++) {
            look(new Box());
            new OwnBox().look();
        }
        Box box = new Box();
        OwnBox own = new OwnBox();
        int[] seen = new int[2];
        Threads.inTurn(
                () -> {
                    box.content = 2;
                    box.full = true;
                    own.content = 2;
                    own.full = true;
                },
                () -> {
                    seen[0] = look(box);
                    seen[1] = own.look();
                });
        System.out.println(seen[0] == 3 && seen[1] == 3 ? "ok" : "lost");
    }
}
