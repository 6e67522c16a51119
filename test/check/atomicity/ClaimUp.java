/** Controls.claimUp of elevator (section 8): the block checks again, but reduction does not see that. */
final class ClaimUp {
    static final class Floor {
        private boolean up; /*# guarded_by this */
        private boolean claimed; /*# guarded_by this */

        synchronized void call() /*# atomic */ {
            up = true; // silent
        }
    }

    static final class Controls {
        private final Floor[] floors;

        Controls(Floor[] floors) {
            this.floors = floors;
        }

        static boolean checkUp(Floor floor) /*# atomic */ {
            synchronized (floor) { // silent
                return floor.up && !floor.claimed;
            }
        }

        static boolean claimUp(Floor floor) /*# atomic */ {
            if (checkUp(floor)) { // expect: not-atomic; path
                synchronized (floor) { // path
                    if (floor.up && !floor.claimed) {
                        floor.claimed = true;
                        return true;
                    }
                }
            }
            return false;
        }

        static boolean claimAtOnce(Floor floor) /*# atomic */ {
            synchronized (floor) { // silent
                if (checkUp(floor)) {
                    floor.claimed = true;
                    return true;
                }
            }
            return false;
        }

        boolean claimUp(int number) /*# atomic */ {
            Floor floor = floors[number]; // expect: not-atomic
            if (checkUp(floor)) {
                synchronized (floor) {
                    floor.claimed = true;
                    return true;
                }
            }
            return false;
        }
    }
}
