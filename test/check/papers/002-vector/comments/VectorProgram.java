/** The race in the old java.util.Vector: the count is read before the lock is taken (figure 5). */
final class VectorProgram {
    static class Vector {
        protected Object[] elementData /*# guarded_by this */ = new Object[10];
        protected int elementCount /*# guarded_by this */;

        synchronized void trimToSize() {
            if (elementCount < elementData.length) { // without synchronized 1: guard-not-held, guard-not-held
                Object[] old = elementData; // without synchronized 1: guard-not-held
                elementData = new Object[elementCount]; // without synchronized 1: guard-not-held, guard-not-held
                int count = elementCount; // without synchronized 1: guard-not-held
                System.arraycopy(old, 0, elementData, 0, count); // without synchronized 1: guard-not-held
            }
        }

        synchronized boolean removeAllElements() {
            for (int i = 0; i < elementCount; i++) { // without synchronized 2: guard-not-held
                elementData[i] = null; // without synchronized 2: guard-not-held
            }
            elementCount = 0; // without synchronized 2: guard-not-held
            return true;
        }

        synchronized int lastIndexOf(Object elem, int n) {
            for (int i = n; --i >= 0;) {
                if (elem.equals(elementData[i])) { // without synchronized 3: guard-not-held
                    return i;
                }
            }
            return -1;
        }

        int lastIndexOf(Object elem) {
            return lastIndexOf(elem, elementCount); // expect: guard-not-held
        }
    }

    static final class CorrectedVector extends Vector {
        @Override
        synchronized int lastIndexOf(Object elem) {
            return lastIndexOf(elem, elementCount); // without synchronized 4: guard-not-held
        }
    }
}
