/** TspSolver.set_best of tsp (section 8): the shortest length is read without the lock that guards its writes. */
final class SetBest {
    static final class Solver {
        private final Object lock = new Object();
        private int minTourLength = Integer.MAX_VALUE; /*# write_guarded_by lock */
        private int[] minTour; /*# guarded_by lock */

        int shortest() /*# atomic */ {
            return minTourLength; // silent
        }

        void setBest(int length, int[] tour) /*# atomic */ {
            if (length >= minTourLength) { // expect: not-atomic; path
                return;
            }
            synchronized (lock) { // path
                if (length < minTourLength) {
                    minTour = tour;
                    minTourLength = length;
                }
            }
        }

        void setBestLocked(int length, int[] tour) /*# atomic */ {
            synchronized (lock) { // silent
                if (length < minTourLength) {
                    minTour = tour;
                    minTourLength = length;
                }
            }
        }

        int[] best() /*# atomic */ {
            synchronized (lock) { // silent
                return minTour;
            }
        }
    }
}
