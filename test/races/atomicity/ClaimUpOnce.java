import quiet.Threads;

/** Right: what is checked is checked when the lock is held, and only then. */
public class ClaimUpOnce {
    static class Floor {
        private boolean up = true;
    }

    public static boolean claimUp(Floor floor) {
        synchronized (floor) {
            if (floor.up) {
                floor.up = false;
                return true;
            }
        }
        return false;
    }

    public static void pressUp(Floor floor) {
        synchronized (floor) {
            floor.up = true;
        }
    }

    public static void main(String[] arguments) {
        Floor floor = new Floor();
        Threads.together(() -> claimUp(floor), () -> pressUp(floor), () -> claimUp(floor));
        System.out.println("ok");
    }
}
