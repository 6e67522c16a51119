/** Right: each account has its own lock, and a transfer takes two of them in a fixed order. */
public class LockPerElement {
    static class Account {
        final int number;
        int balance = 100;

        Account(int number) {
            this.number = number;
        }
    }

    static void transfer(Account from, Account to, int amount) {
        Account low = from.number < to.number ? from : to;
        Account high = low == from ? to : from;
        synchronized (low) {
            synchronized (high) {
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Account[] accounts = {new Account(0), new Account(1), new Account(2)};
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int own = i;
            threads[i] = new Thread(() -> {
                for (int j = 0; j < 30; j++) {
                    transfer(accounts[own], accounts[(own + 1 + j % 2) % 3], j);
                }
            });
            threads[i].start();
        }
        int sum = 0;
        for (Thread thread : threads) {
            thread.join();
        }
        for (Account account : accounts) {
            sum += account.balance;
        }
        System.out.println(sum == 300 ? "ok" : "lost money");
    }
}
