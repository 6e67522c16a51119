import java.util.concurrent.ConcurrentHashMap;
import quiet.Order;

/** Wrong: the map is thread-safe, the values in it are not: one is changed after it was put. */
public class ConcurrentMapValueWritten {
    static class Session {
        int hits;
    }

    static final ConcurrentHashMap<String, Session> sessions = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            Session session = new Session();
            session.hits = 1;
            sessions.put("a", session);
            Order.reach("put");
            Order.await("found");
            session.hits = 2;
            Order.reach("written");
        });
        writer.start();
        Order.await("put");
        Session session = sessions.get("a");
        Order.reach("found");
        Order.await("written");
        int hits = session.hits; //! race observed ConcurrentMapValueWritten$Session.hits
        writer.join();
        System.out.println(hits == 2 ? "ok" : "wrong hits");
    }
}
