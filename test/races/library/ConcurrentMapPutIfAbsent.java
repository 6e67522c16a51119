import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Right: who loses the putIfAbsent() throws its own value away and uses the one that is there. */
public class ConcurrentMapPutIfAbsent {
    static class Connection {
        int port;
        boolean open;
    }

    static final ConcurrentMap<Integer, Connection> pool = new ConcurrentHashMap<>();

    static Connection connect(int port) {
        Connection connection = new Connection();
        connection.port = port;
        connection.open = true;
        Connection other = pool.putIfAbsent(port, connection);
        if (other == null) {
            return connection;
        }
        connection.open = false;
        return other;
    }

    static void work() {
        for (int i = 0; i < 200; i++) {
            if (connect(i).port != i || !connect(i).open) {
                throw new AssertionError();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(ConcurrentMapPutIfAbsent::work);
        Thread second = new Thread(ConcurrentMapPutIfAbsent::work);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
