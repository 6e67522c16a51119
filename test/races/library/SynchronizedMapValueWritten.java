import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import quiet.Order;

/** Wrong: the synchronized map does not guard the fields of its values. */
public class SynchronizedMapValueWritten {
    static class Account {
        int balance;
    }

    static final Map<String, Account> accounts = Collections.synchronizedMap(new HashMap<>());

    public static void main(String[] arguments) throws Exception {
        accounts.put("a", new Account());
        Thread first = new Thread(() -> {
            Account account = accounts.get("a");
            Order.await("second has it");
            account.balance += 10;
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Account account = accounts.get("a");
            Order.reach("second has it");
            Order.await("first wrote");
            account.balance += 5; //! race observed SynchronizedMapValueWritten$Account.balance
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
