// options: --defaults rfj
/** As in section 2.2, without any declaration: by default such a class is of one thread, and here are two (6.2). */
final class AccountPlain {
    static final class Account {
        private int balance = 0;

        int deposit(int x) {
            this.balance = this.balance + x;
            return x;
        }
    }

    public static void main(String[] arguments) {
        Account a = new Account();
        new Thread(() -> a.deposit(10)).start(); // expect: thread-local-escape
        new Thread(() -> a.deposit(10)).start(); // expect: thread-local-escape
    }
}
