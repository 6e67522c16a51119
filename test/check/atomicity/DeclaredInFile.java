/** The same in a .locks file, and a promise that is inherited. */
final class DeclaredInFile {
    static class Base {
        int count;

        synchronized void step() {
            count++; // silent
        }

        synchronized void steps() {
            count++; // silent
            count++;
        }

        void parts() {
            step(); // expect: not-atomic
            step();
        }
    }

    static class Derived extends Base {
        @Override
        void steps() {
            step(); // expect: not-atomic; the overridden method promises to be
            step();
        }
    }

    static class Kept extends Base {
        @Override
        synchronized void steps() {
            step(); // silent
            step();
        }
    }
}
