/** Right: two threads write a field of one object, both with the object's lock. */
public class InstanceFieldLocked {
    static class Account {
        int balance;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Account account = new Account();
        Runnable deposits = () -> {
            for (int i = 0; i < 100; i++) {
                synchronized (account) {
                    account.balance++;
                }
            }
        };
        Thread first = new Thread(deposits);
        Thread second = new Thread(deposits);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(account.balance == 200 ? "ok" : "lost a deposit");
    }
}
