import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Right: put() publishes the value with its fields to the thread whose get() finds it. */
public class ConcurrentMapPublishes {
    static class Session {
        String user;
        int number;
    }

    static final Map<Integer, Session> sessions = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                Session session = new Session();
                session.number = i;
                session.user = "user";
                sessions.put(i, session);
            }
        });
        writer.start();
        for (int i = 0; i < 100;) {
            Session session = sessions.get(i);
            if (session == null) {
                Thread.yield();
                continue;
            }
            if (session.number != i || !session.user.equals("user")) {
                throw new AssertionError();
            }
            i++;
        }
        writer.join();
        System.out.println("ok");
    }
}
