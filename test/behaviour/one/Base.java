package one;

public class Base {
    public int open = 1;
    protected int guarded = 2;
    int common = 3;
    private int hidden = 4;
    protected static long guardedShared = 5;
    public static int openShared = 6;
    static int commonShared = 7;
    protected int[] array = {8, 9};
    protected final Object lock = new Object();

    protected synchronized int change(int by) {
        hidden += by;
        return guarded += hidden;
    }

    public int hidden() { return hidden; }

    public static class Nested extends Base {
        protected int guarded = 20;

        public int both() { return guarded++ + super.guarded++ + ((Base) this).common++ + commonShared++; }
    }

    /** Not visible outside, but what it has is, through its public child. */
    static class Concealed {
        public int visible = 30;
        public static int visibleShared = 31;
        protected String text = "concealed";

        public int next() { return visible++; }
    }

    public static class Revealed extends Concealed {}
}
