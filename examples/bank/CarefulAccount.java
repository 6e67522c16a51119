/** The correct twin: every access to the balance holds the account's lock. */
final class CarefulAccount extends Account {
    CarefulAccount(int balance) {
        super(balance);
    }

    @Override
    synchronized void deposit(int amount) {
        balance = balance + amount;
    }
}
