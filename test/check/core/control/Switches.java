import net.jcip.annotations.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/** switch on ints, strings and enums, with fall-through, and as an expression. */
final class Switches {
    enum Mode { READ, WRITE, CLOSE }

    private final ReentrantLock lock = new ReentrantLock();
    @GuardedBy("lock") private int value;
    @GuardedBy("this") private String state = "";

    void ints(int kind) {
        switch (kind) {
        case 0:
            value = 0; // expect: guard-not-held
            break;
        case 1:
            lock.lock();
            value = 1; // silent
            lock.unlock();
            break;
        case 100:
            lock.lock();
            value = 100; // silent
            // falls through
        case 101:
            value = 101; // expect: guard-not-held; one may also come here directly
            break;
        default:
            break;
        }
    }

    synchronized void strings(String word) {
        switch (word) {
        case "one":
            state = word; // silent
            value = 1; // expect: guard-not-held
            break;
        case "two":
            state = "2"; // silent
            break;
        case "Aa":
        case "BB": // both have the same hash code
            lock.lock();
            value = 2; // silent
            lock.unlock();
            value = 3; // expect: guard-not-held
            break;
        default:
            state += word; // silent
        }
    }

    void onGuarded() {
        switch (state) { // expect: guard-not-held
        case "open":
            synchronized (this) {
                state = "closed"; // silent
            }
            break;
        default:
            state = "open"; // expect: guard-not-held
        }
    }

    int enums(Mode mode) {
        lock.lock();
        switch (mode) {
        case READ:
            int result = value; // silent
            lock.unlock();
            return result;
        case WRITE:
            value++; // silent
            break;
        case CLOSE:
            lock.unlock();
            return value; // expect: guard-not-held
        }
        value--; // silent: whoever unlocked has returned
        lock.unlock();
        return 0;
    }

    int expression(int kind) {
        lock.lock();
        int result = switch (kind) {
            case 0 -> value; // silent
            case 1, 2 -> {
                value++; // silent
                yield value; // silent
            }
            default -> 0;
        };
        lock.unlock();
        return switch (kind) {
            case 5 -> value; // expect: guard-not-held
            case 6 -> {
                synchronized (this) {
                    yield state.length(); // silent
                }
            }
            default -> result;
        };
    }

    void allCases(int kind) {
        switch (kind) {
        case 0:
            lock.lock();
            break;
        case 1:
            lock.lock();
            value = 1; // silent
            break;
        default:
            lock.lock();
        }
        value++; // silent
        lock.unlock();
    }
}
