import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads move money between the accounts of a database in memory, and note that in a journal that stays small. Prints how
 * many transactions a second that were, and how many microseconds of processor time each took, after a time in which the
 * JVM compiles what is busy.
 *
 *     Database URL THREADS SECONDS
 */
public class Database {
    private static final int ACCOUNTS = 200;
    private static final int KEPT = 100;
    private static final AtomicLong transactions = new AtomicLong();
    private static volatile boolean ended;

    private static void update(Connection connection, int id, int by) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update account set balance = balance + ? where id = ?")) {
            update.setInt(1, by);
            update.setInt(2, id);
            update.executeUpdate();
        }
    }

    private static void transfer(Connection connection, Random random, int thread, int round) throws SQLException {
        int amount = random.nextInt(100);
        update(connection, random.nextInt(ACCOUNTS), -amount);
        update(connection, random.nextInt(ACCOUNTS), amount);
        try (PreparedStatement insert = connection.prepareStatement("insert into journal values (?, ?, ?)")) {
            insert.setInt(1, thread);
            insert.setInt(2, round);
            insert.setInt(3, amount);
            insert.executeUpdate();
        }
        if (round % KEPT == 0) {
            try (PreparedStatement delete =
                    connection.prepareStatement("delete from journal where worker = ? and entry < ?")) {
                delete.setInt(1, thread);
                delete.setInt(2, round - KEPT);
                delete.executeUpdate();
            }
        }
        connection.commit();
    }

    private static void work(String url, int thread) {
        Random random = new Random(thread);
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            for (int round = 0; !ended; round++) {
                try {
                    transfer(connection, random, thread, round);
                    transactions.incrementAndGet();
                } catch (SQLException e) {
                    if (e.getSQLState() == null || !e.getSQLState().startsWith("40")) {
                        throw e;
                    }
                    connection.rollback(); // another thread was faster
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        int count = Integer.parseInt(arguments[1]);
        int seconds = Integer.parseInt(arguments[2]);
        try (Connection connection = DriverManager.getConnection(url); Statement statement = connection.createStatement()) {
            statement.execute("create table account (id int primary key, balance int not null)");
            for (int i = 0; i < ACCOUNTS; i++) {
                statement.execute("insert into account values (" + i + ", 1000)");
            }
            statement.execute("create table journal (worker int not null, entry int not null, amount int not null, "
                    + "primary key (worker, entry))");
        }
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int thread = i;
            threads[i] = new Thread(() -> work(url, thread), "worker " + i);
            threads[i].start();
        }
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Thread.sleep(seconds * 2000L);
        long from = system.getProcessCpuTime();
        long before = transactions.get();
        Thread.sleep(seconds * 1000L);
        long made = transactions.get() - before;
        long nanoseconds = system.getProcessCpuTime() - from;
        ended = true;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(made / seconds + " " + nanoseconds / Math.max(made, 1) / 1000);
    }
}
