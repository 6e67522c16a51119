class TargetBase {
    public int moved = 70;
}

/** As it is when LinkageUser runs. */
public class Target extends TargetBase {
    private int hiddenNow = 20;
    public static int staticNow = 30;
    public int instanceNow = 40;
    public long otherType = 50;
    public final int finalNow = Integer.parseInt("60");
    public static Integer[] array = {1, 2, 3};

    public int method() { return hiddenNow + instanceNow++; }
}
