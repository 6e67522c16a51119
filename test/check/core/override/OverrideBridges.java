import net.jcip.annotations.GuardedBy;

/** Generic classes: the compiler adds bridge methods, which only pass on and are nobody's fault. */
class OverrideBridges<T> {
    @GuardedBy("this") T value;

    @GuardedBy("this") void put(T value) { this.value = value; } // silent

    void replace(T value) { }

    @GuardedBy("this") Object read() { return value; } // silent

    static class Numbers extends OverrideBridges<Integer> { // silent: the bridges have this line
        @Override @GuardedBy("this") void put(Integer value) { this.value = value; } // silent

        @Override synchronized void replace(Integer value) { this.value = value; } // silent

        @Override @GuardedBy("this") Integer read() { return value; } // silent
    }

    static class Unannotated extends OverrideBridges<String> { // silent
        @Override void put(String value) { this.value = value + "!"; } // silent: has the clause of put(T)

        @Override String read() { return value; } // silent
    }

    /* On one line, so that the bridge and what it calls have the same. */
    static class Wrong extends OverrideBridges<Long> { @Override @GuardedBy("this") void replace(Long value) { } } // expect: override-mismatch

    static class Ordered implements Comparable<Ordered> { // silent
        @GuardedBy("this") private int rank;

        @Override public int compareTo(Ordered other) {
            return Integer.compare(rank, other.rank); // expect: guard-not-held
        }
    }

    static void callers(Numbers numbers, Unannotated unannotated, OverrideBridges<Integer> any) {
        numbers.put(1); // expect: requires-not-held
        unannotated.put("a"); // expect: requires-not-held
        any.put(2); // expect: requires-not-held
        synchronized (numbers) {
            numbers.put(3); // silent
            Integer number = numbers.read(); // silent
        }
        synchronized (unannotated) {
            unannotated.put("b"); // silent
        }
        synchronized (any) {
            any.put(4); // silent
            any.replace(5); // silent
        }
    }
}
