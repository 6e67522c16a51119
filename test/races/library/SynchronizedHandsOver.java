import java.util.Hashtable;
import java.util.Vector;
import quiet.Order;

/** Right: objects handed over by a Vector and a Hashtable, whose monitors order the accesses. */
public class SynchronizedHandsOver {
    static class Message {
        int number;
    }

    static final Vector<Message> box = new Vector<>();
    static final Hashtable<Integer, Message> table = new Hashtable<>();

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 20; i++) {
                Message one = new Message();
                one.number = i;
                box.add(one);
                Message two = new Message();
                two.number = i;
                table.put(i, two);
            }
            Order.reach("filled");
        });
        Thread reader = new Thread(() -> {
            Order.await("filled");
            int sum = 0;
            for (int i = 0; i < 20; i++) {
                Message one = box.remove(0);
                Message two = table.get(i);
                one.number++;
                two.number++;
                sum += one.number + two.number;
            }
            if (sum != 420) {
                throw new AssertionError(sum);
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
