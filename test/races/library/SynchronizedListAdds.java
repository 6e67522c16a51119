import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Right: Collections.synchronizedList() locks in each call; for the iteration its own monitor is taken. */
public class SynchronizedListAdds {
    static final List<Integer> numbers = Collections.synchronizedList(new ArrayList<>());

    static void work() {
        for (int i = 0; i < 100; i++) {
            numbers.add(i);
            numbers.get(0);
            if (i % 10 == 0) {
                int sum = 0;
                synchronized (numbers) {
                    for (int number : numbers) {
                        sum += number;
                    }
                }
                if (sum > 9900) {
                    throw new AssertionError(sum);
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(SynchronizedListAdds::work);
        Thread second = new Thread(SynchronizedListAdds::work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (numbers.size() != 200) {
            throw new AssertionError(numbers.size());
        }
        System.out.println("ok");
    }
}
