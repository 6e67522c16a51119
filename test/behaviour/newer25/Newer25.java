/** What came after Java 21: statements, and assignments to fields, before super(). */
public class Newer25 {
    static int shared = 1;

    static class Base {
        int base;

        Base(int given) {
            base = given;
            System.out.println("base sees " + describe());
        }

        String describe() { return "base"; }
    }

    static class Derived extends Base {
        int early;
        final String fixed;
        long[] array;
        int later = 7;

        Derived(int given) {
            if (given < 0) {
                throw new IllegalArgumentException("negative " + shared++);
            }
            int[] local = new int[2];
            local[1] = given + shared++;
            early = local[1];
            fixed = "fixed" + given;
            array = new long[] {given};
            Object lock = new Object();
            synchronized (lock) {
                local[0]++;
            }
            super(local[0] + local[1]);
            later += early;
            array[0]++;
        }

        Derived() {
            int given = shared;
            shared += 2;
            try {
                given /= shared - shared;
            } catch (ArithmeticException e) {
                given = 50;
            }
            this(given);
        }

        @Override
        String describe() { return early + fixed + array[0] + later; }
    }

    class Inner extends Base {
        int own;

        Inner(String text) {
            own = text.length() + Newer25.this.outer++;
            super(own());
        }

        static int own() { return shared; }

        @Override
        String describe() { return "inner" + own + outer; }
    }

    int outer = 3;

    public static void main(String[] arguments) {
        System.out.println(new Derived(4).describe() + " " + new Derived().describe());
        for (int given : new int[] {-1, 2}) {
            try {
                System.out.println(new Derived(given).base);
            } catch (IllegalArgumentException e) {
                e.printStackTrace(System.out);
            }
        }
        System.out.println(new Newer25().new Inner("text").describe() + shared);
        try {
            new Newer25().new Inner(null);
        } catch (NullPointerException e) {
            e.printStackTrace(System.out);
        }
    }
}
