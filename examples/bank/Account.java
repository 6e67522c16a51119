/** An account that forgets its lock when money is paid in. */
class Account {
    protected int balance;

    Account(int balance) {
        this.balance = balance;
    }

    /** Not synchronized: what another clerk pays in or out at this moment can be lost. */
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
