/**
 * Right: an object is locked by its own synchronized methods, those of its subclass, and by others' blocks. Threads have
 * waited for its monitor, after which a JVM finds the identity of the object elsewhere; it stays one lock.
 */
public class WaitedMonitor {
    static class Account {
        int balance;

        Account() {
            synchronized (this) {
                balance = 1; // its number is not known yet
            }
        }

        synchronized void add(int by) {
            balance += by;
        }
    }

    static class Savings extends Account {
        synchronized void addInterest() {
            balance += 2;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Savings account = new Savings();
        synchronized (account) {
            account.wait(1);
        }
        Thread[] threads = {
            new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    account.add(1);
                }
            }),
            new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    account.addInterest();
                }
            }),
            new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    synchronized (account) {
                        account.balance += 3;
                    }
                }
            }),
            new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    Object lock = account;
                    synchronized (lock) {
                        account.balance += 4;
                    }
                }
            }),
        };
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(account.balance == 10_001 ? "ok" : "lost a deposit");
    }
}
