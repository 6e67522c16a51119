/** As it was when LinkageUser was compiled. */
public class Target {
    public int removed = 1;
    public int hiddenNow = 2;
    public int staticNow = 3;
    public static int instanceNow = 4;
    public int otherType = 5;
    public int finalNow = 6;
    public int moved = 7;
    public static int[] array = {1, 2, 3};

    public int method() { return removed; }

    public static class Gone {
        public int field = 8;
        public static int shared = 9;
    }
}
