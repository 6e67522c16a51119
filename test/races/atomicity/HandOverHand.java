import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/**
 * From node to node, always with a lock in the hand: nobody can overtake, but by reduction it is not atomic, because a
 * lock is taken after another was given up.
 */
public class HandOverHand {
    private static final Lock[] locks = {new ReentrantLock(), new ReentrantLock(), new ReentrantLock()};
    private static int sum;

    public static void walk() {
        locks[0].lock();
        locks[1].lock();
        locks[0].unlock();
        locks[2].lock(); //! atomicity predicted HandOverHand.walk
        locks[1].unlock();
        sum++;
        locks[2].unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(HandOverHand::walk, HandOverHand::walk);
        System.out.println(sum == 2 ? "ok" : "lost");
    }
}
