import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/**
 * Threads move money in a database for a given time. The sum must stay, the tables stay small; what is in memory is
 * told after a tenth of the time and at the end. Ends with a race that must be found.
 *
 *     JdbcSoak URL SECONDS [THREADS]
 */
public class JdbcSoak {
    private static final int ACCOUNTS = 200;
    private static final int KEPT = 100;
    private final String url;
    private final long end;
    private static int[] next;
    private long transactions;
    private long refused;
    private String failure;

    JdbcSoak(String url, long end) {
        this.url = url;
        this.end = end;
    }

    private synchronized void count(long more, long moreRefused) {
        transactions += more;
        refused += moreRefused;
    }

    private synchronized long transactions() {
        return transactions;
    }

    private synchronized void fail(String what) {
        if (failure == null) {
            failure = what;
        }
    }

    private synchronized String failure() {
        return failure;
    }

    private void work(int thread) {
        Random random = new Random(thread);
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            for (int i = 0; System.nanoTime() - end < 0 && failure() == null; i++) {
                try {
                    one(connection, random, thread, i);
                    count(1, 0);
                } catch (SQLException e) {
                    connection.rollback();
                    if (e.getSQLState() == null || !e.getSQLState().startsWith("40")) {
                        throw e;
                    }
                    count(0, 1);
                }
            }
        } catch (SQLException e) {
            fail(thread + ": " + e);
        }
    }

    private static void update(Connection connection, int id, int by) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("update account set balance = balance + ? where id = ?")) {
            update.setInt(1, by);
            update.setInt(2, id);
            update.executeUpdate();
        }
    }

    private void one(Connection connection, Random random, int thread, int round) throws SQLException {
        int amount = random.nextInt(100);
        int from = random.nextInt(ACCOUNTS);
        int to = random.nextInt(ACCOUNTS);
        update(connection, from, -amount);
        update(connection, to, amount);
        try (PreparedStatement insert = connection.prepareStatement("insert into journal values (?, ?, ?, ?)");
                PreparedStatement delete = connection.prepareStatement("delete from journal where worker = ? and entry < ?")) {
            insert.setInt(1, thread);
            insert.setInt(2, round);
            insert.setInt(3, amount);
            insert.setString(4, "from " + from + " to " + to);
            insert.executeUpdate();
            if (round % KEPT == 0) {
                delete.setInt(1, thread);
                delete.setInt(2, round - KEPT);
                delete.executeUpdate();
            }
        }
        if (round % 10 == 9) {
            connection.rollback();
        } else {
            connection.commit();
        }
        if (round % 50 == 0) {
            check(connection);
            connection.commit();
        }
    }

    private void check(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select sum(balance), count(*) from account")) {
            result.next();
            if (result.getLong(1) != ACCOUNTS * 1000L || result.getInt(2) != ACCOUNTS) {
                fail("the sum is " + result.getLong(1) + " in " + result.getInt(2) + " accounts");
            }
        }
    }

    private static void touch(int[] array) { array[0]++; }

    /**
     * In MB: what lives in the heap, and what the process has in memory. What the tool knows of arrays that were collected
     * goes when it sees the next one.
     */
    private static void report(String when) throws InterruptedException {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
            next = new int[1];
            touch(next);
            Thread.sleep(100);
        }
        System.out.println("heap " + when + " " + (runtime.totalMemory() - runtime.freeMemory()) / 1048576);
        System.out.println("memory " + when + " " + Status.megabytes("VmRSS"));
    }

    public static void main(String[] arguments) throws Exception {
        long seconds = Long.parseLong(arguments[1]);
        int count = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 8;
        JdbcSoak soak = new JdbcSoak(arguments[0], System.nanoTime() + seconds * 1_000_000_000L);
        try (Connection connection = DriverManager.getConnection(soak.url); Statement statement = connection.createStatement()) {
            statement.execute("create table account (id int primary key, balance int not null)");
            for (int i = 0; i < ACCOUNTS; i++) {
                statement.execute("insert into account values (" + i + ", 1000)");
            }
            statement.execute("create table journal (worker int not null, entry int not null, amount int not null, "
                    + "note varchar(40), primary key (worker, entry))");
        }
        Thread[] threads = new Thread[count];
        for (int t = 0; t < count; t++) {
            int thread = t;
            threads[t] = new Thread(() -> soak.work(thread), "soak " + t);
            threads[t].start();
        }
        Thread.sleep(seconds * 100);
        long early = soak.transactions();
        report("tenth");
        for (Thread thread : threads) {
            thread.join();
        }
        report("last");
        try (Connection connection = DriverManager.getConnection(soak.url)) {
            soak.check(connection);
        }
        if (soak.failure() != null) {
            System.out.println("failed: " + soak.failure());
            System.exit(1);
        }
        System.out.println("transactions " + soak.transactions() + " " + early);
        Status.end();
    }
}
