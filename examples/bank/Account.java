/** An account that forgets its lock when money is paid in. */
class Account {
    protected int balance;

    Account(int balance) {
        this.balance = balance;
    }

    /** Not synchronized: two deposits at once can lose one of them. */
    void deposit(int amount) {
        balance = balance + amount;
    }

    synchronized void withdraw(int amount) {
        balance = balance - amount;
    }

    synchronized int balance() {
        return balance;
    }
}
