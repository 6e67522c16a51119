import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Transfers between many accounts, each with its own lock; every transfer is entered into the clerk's journal, and now
 * and then an account is audited. No money is lost.
 *
 *     Bank [TRANSFERS of each thread] [THREADS] [ACCOUNTS]
 */
public class Bank {
    static final class Account {
        private final int id;
        private long balance;
        private int operations;
        private final long[] last = new long[8];

        Account(int id, long balance) {
            this.id = id;
            this.balance = balance;
        }

        /** Callers hold this account's lock. */
        private void change(long by) {
            balance += by;
            last[operations++ & 7] = by;
        }

        synchronized long balance() {
            return balance;
        }

        synchronized long lastChanges() {
            long sum = 0;
            for (long change : last) {
                sum += change;
            }
            return sum;
        }
    }

    static final class Branch {
        private final Object lock = new Object();
        private int transfers;
        private long turnover;
        private long largest;

        void note(long amount) {
            synchronized (lock) {
                transfers++;
                turnover += amount;
                if (amount > largest) {
                    largest = amount;
                }
            }
        }
    }

    /** Belongs to one thread. */
    static final class Clerk implements Runnable {
        private final Bank bank;
        private final int transfers;
        private long random;
        private long refused;
        private long seen;
        private final StringBuilder entry = new StringBuilder();
        private final CRC32 journal = new CRC32();

        Clerk(Bank bank, int number, int transfers) {
            this.bank = bank;
            this.transfers = transfers;
            random = number * 0x9E3779B97F4A7C15L + 1;
        }

        private int next(int bound) {
            random ^= random << 13;
            random ^= random >>> 7;
            random ^= random << 17;
            return (int) ((random >>> 33) % bound);
        }

        /** The journal itself is not kept, only its checksum. */
        private void enter(int number, int from, int to, long amount) {
            entry.setLength(0);
            entry.append("transfer ").append(number).append(": ").append(amount).append(".00 from ");
            entry.append(from).append(" to ").append(to);
            journal.update(entry.toString().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void run() {
            for (int i = 0; i < transfers; i++) {
                int from = next(bank.accounts.length);
                int to = next(bank.accounts.length);
                long amount = next(100) + 1;
                if (from != to) {
                    if (!bank.transfer(bank.accounts[from], bank.accounts[to], amount)) {
                        refused++;
                    }
                    bank.branches[to % bank.branches.length].note(amount);
                    enter(i, from, to, amount);
                }
                if (i % 64 == 0) {
                    seen += bank.accounts[from].lastChanges() & 1;
                }
            }
        }
    }

    private final Account[] accounts;
    private final Branch[] branches = new Branch[16];

    Bank(int count) {
        accounts = new Account[count];
        for (int i = 0; i < count; i++) {
            accounts[i] = new Account(i, 1_000_000);
        }
        for (int i = 0; i < branches.length; i++) {
            branches[i] = new Branch();
        }
    }

    /** Locks in the order of the numbers, so that no two wait for each other. */
    boolean transfer(Account from, Account to, long amount) {
        Account first = from.id < to.id ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                if (from.balance < amount) {
                    return false;
                }
                from.change(-amount);
                to.change(amount);
                return true;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int transfers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3_000_000;
        int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        Bank bank = new Bank(arguments.length > 2 ? Integer.parseInt(arguments[2]) : 4096);
        Thread[] threads = new Thread[count];
        Clerk[] clerks = new Clerk[count];
        for (int i = 0; i < count; i++) {
            clerks[i] = new Clerk(bank, i, transfers);
            threads[i] = new Thread(clerks[i], "clerk " + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long sum = 0;
        long hash = 0;
        for (Account account : bank.accounts) {
            sum += account.balance();
            hash = hash * 31 + account.balance;
        }
        long noted = 0;
        long turnover = 0;
        long largest = 0;
        for (Branch branch : bank.branches) {
            noted += branch.transfers;
            turnover += branch.turnover;
            largest = Math.max(largest, branch.largest);
        }
        long refused = 0;
        long journals = 0;
        for (Clerk clerk : clerks) {
            refused += clerk.refused;
            journals ^= clerk.journal.getValue();
        }
        System.out.println(sum + " " + hash + " " + noted + " " + turnover + " " + largest + " " + refused
                + " " + journals);
    }
}
