import quiet.Threads;

/**
 * Not atomic by reduction nor by its accesses, although it does no harm: what was checked first is checked again when
 * the lock is held. The papers count it among the false alarms.
 */
public class ClaimUp {
    static class Floor {
        private boolean up = true;
    }

    public static boolean checkUp(Floor floor) {
        synchronized (floor) {
            return floor.up;
        }
    }

    public static boolean claimUp(Floor floor) {
        if (checkUp(floor)) {
            synchronized (floor) { //! atomicity predicted ClaimUp.claimUp
                if (floor.up) { //! atomicity predicted ClaimUp.claimUp
                    floor.up = false; //! atomicity predicted ClaimUp.claimUp
                    return true;
                }
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
        Threads.inTurn(() -> claimUp(floor), () -> pressUp(floor));
        System.out.println(claimUp(floor) ? "ok" : "not claimed");
    }
}
