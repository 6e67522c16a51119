/** The bulk operations of Vector: each step takes a lock, the whole does not. */
final class VectorBulk {
    static final class Cells {
        private Object[] elements = new Object[8]; /*# guarded_by this */
        private int count; /*# guarded_by this */

        synchronized int size() /*# atomic */ {
            return count; // silent
        }

        synchronized Object get(int index) /*# atomic */ {
            return elements[index]; // silent
        }

        synchronized void add(Object element) /*# atomic */ {
            elements[count++] = element; // silent
        }

        synchronized void addAll(Cells other) /*# atomic */ {
            for (int i = 0; i < other.size(); i++) { // expect: not-atomic
                add(other.get(i));
            }
        }

        synchronized void addAllLocked(Cells other) /*# atomic */ {
            synchronized (other) { // silent
                for (int i = 0; i < other.size(); i++) {
                    add(other.get(i));
                }
            }
        }

        synchronized int indexOf(Object element) /*# atomic */ {
            for (int i = 0; i < count; i++) { // silent
                if (elements[i] == element) {
                    return i;
                }
            }
            return -1;
        }

        synchronized void removeAt(int index) /*# atomic */ {
            elements[index] = elements[--count]; // silent
        }

        void remove(Object element) /*# atomic */ {
            int index = indexOf(element); // expect: not-atomic
            if (index >= 0) {
                removeAt(index);
            }
        }

        synchronized void removeLocked(Object element) /*# atomic */ {
            int index = indexOf(element); // silent
            if (index >= 0) {
                removeAt(index);
            }
        }

        boolean isEmpty() /*# atomic */ {
            return size() == 0; // silent
        }
    }

    /** The number of elements is read without the lock. */
    static final class Counted {
        private final Object[] elements = new Object[8]; /*# guarded_by this */
        private int count; /*# write_guarded_by this */

        synchronized void add(Object element) /*# atomic */ {
            elements[count] = element; // silent
            count++;
        }

        int size() /*# atomic */ {
            return count; // silent
        }

        synchronized int lastIndexOf(Object element, int from) /*# atomic */ {
            for (int i = from; i >= 0; i--) { // silent
                if (elements[i] == element) {
                    return i;
                }
            }
            return -1;
        }

        int lastIndexOf(Object element) /*# atomic */ {
            return lastIndexOf(element, count - 1); // expect: not-atomic; path
        }

        synchronized int lastIndexLocked(Object element) /*# atomic */ {
            return lastIndexOf(element, count - 1); // silent
        }
    }
}
