import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

/**
 * Threads move money in a database in memory; what comes out does not depend on their order.
 *
 *     JdbcLoad URL ROUNDS [THREADS]
 *
 * With a number of threads, they also work in transactions on a second table: some are taken back, some fail and are
 * tried again.
 */
public class JdbcLoad {
    private final String url;
    private final int rounds;

    JdbcLoad(String url, int rounds) {
        this.url = url;
        this.rounds = rounds;
    }

    interface Work {
        void run(int thread) throws SQLException;
    }

    static void inThreads(int count, Work work) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(count);
        for (int t = 0; t < count; t++) {
            int thread = t;
            new Thread(() -> {
                try {
                    work.run(thread);
                } catch (Exception e) {
                    e.printStackTrace();
                } finally {
                    done.countDown();
                }
            }, "load " + t).start();
        }
        done.await();
    }

    private void update(int thread) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement update = connection.prepareStatement(
                        "update account set balance = balance + ? where id = ?")) {
            for (int i = 0; i < rounds; i++) {
                update.setInt(1, i % 7);
                update.setInt(2, thread * 2 + i % 2);
                update.executeUpdate();
            }
        }
    }

    /** Databases may refuse a transaction that meets another one, and say so with this class of states. */
    private static boolean again(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("40");
    }

    private void transact(int thread) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            for (int i = 0; i < rounds; i++) {
                while (true) {
                    try {
                        one(connection, thread, i);
                        break;
                    } catch (SQLException e) {
                        connection.rollback();
                        if (!again(e)) {
                            throw e;
                        }
                    }
                }
            }
        }
    }

    private static void one(Connection connection, int thread, int round) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into journal values (?, ?, ?, ?)");
                PreparedStatement update = connection.prepareStatement("update account set balance = balance + ? where id = ?");
                PreparedStatement select = connection.prepareStatement(
                        "select amount, note from journal where worker = ? and entry = ?");
                PreparedStatement delete = connection.prepareStatement("delete from journal where worker = ? and entry = ?")) {
            insert.setInt(1, thread);
            insert.setInt(2, round);
            insert.setInt(3, round * 3 % 11);
            insert.setString(4, "round " + round);
            insert.executeUpdate();
            for (int side = 0; side < 2; side++) {
                update.setInt(1, side == 0 ? round % 13 : -(round % 13));
                update.setInt(2, thread * 2 + side);
                update.executeUpdate();
            }
            if (round % 5 == 4) {
                connection.rollback();
                return;
            }
            select.setInt(1, thread);
            select.setInt(2, round);
            try (ResultSet result = select.executeQuery()) {
                if (!result.next() || result.getInt(1) != round * 3 % 11 || !result.getString(2).trim().equals("round "
                        + round)) {
                    System.out.println("thread " + thread + " does not see what it wrote in round " + round);
                }
            }
            if (round % 3 == 0) {
                delete.setInt(1, thread);
                delete.setInt(2, round);
                delete.executeUpdate();
            }
            connection.commit();
        }
    }

    private void print(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    row.append(i == 1 ? "" : " ").append(result.getInt(i));
                }
                System.out.println(row);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        JdbcLoad load = new JdbcLoad(arguments[0], Integer.parseInt(arguments[1]));
        int threads = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 4;
        try (Connection connection = DriverManager.getConnection(load.url); Statement statement = connection.createStatement()) {
            statement.execute("create table account (id int primary key, balance int not null)");
            for (int i = 0; i < threads * 2; i++) {
                statement.execute("insert into account values (" + i + ", 1000)");
            }
            statement.execute("create table journal (worker int not null, entry int not null, amount int not null, "
                    + "note varchar(40), primary key (worker, entry))");
        }
        inThreads(threads, load::update);
        if (arguments.length > 2) {
            inThreads(threads, load::transact);
        }
        load.print("select id, balance from account order by id");
        if (arguments.length > 2) {
            load.print("select worker, count(*), sum(amount) from journal group by worker order by worker");
        }
    }
}
