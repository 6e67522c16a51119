import java.util.concurrent.ConcurrentSkipListMap;
import quiet.Order;

/** Wrong: two threads get the same value out of the map and both change it. */
public class ConcurrentSkipListValueWritten {
    static class Score {
        int points;
    }

    static final ConcurrentSkipListMap<String, Score> scores = new ConcurrentSkipListMap<>();

    public static void main(String[] arguments) throws Exception {
        scores.put("a", new Score());
        Thread first = new Thread(() -> {
            Score score = scores.firstEntry().getValue();
            Order.await("second has it");
            score.points++;
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Score score = scores.get("a");
            Order.reach("second has it");
            Order.await("first wrote");
            score.points++; //! race observed ConcurrentSkipListValueWritten$Score.points
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
