import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

/** Four threads move money in a database in memory; what comes out does not depend on their order. */
public class JdbcLoad {
    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        int rounds = Integer.parseInt(arguments[1]);
        try (Connection connection = DriverManager.getConnection(url); Statement statement = connection.createStatement()) {
            statement.execute("create table account (id int primary key, balance int not null)");
            for (int i = 0; i < 8; i++) {
                statement.execute("insert into account values (" + i + ", 1000)");
            }
        }
        CountDownLatch done = new CountDownLatch(4);
        for (int t = 0; t < 4; t++) {
            int thread = t;
            new Thread(() -> {
                try (Connection connection = DriverManager.getConnection(url);
                        PreparedStatement update = connection.prepareStatement(
                                "update account set balance = balance + ? where id = ?")) {
                    for (int i = 0; i < rounds; i++) {
                        update.setInt(1, i % 7);
                        update.setInt(2, thread * 2 + i % 2);
                        update.executeUpdate();
                    }
                } catch (Exception e) {
                    e.printStackTrace();
                } finally {
                    done.countDown();
                }
            }).start();
        }
        done.await();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select id, balance from account order by id")) {
            while (result.next()) {
                System.out.println(result.getInt(1) + " " + result.getInt(2));
            }
        }
    }
}
