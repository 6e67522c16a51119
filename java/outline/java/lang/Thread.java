package java.lang;

/** What the hook needs of java.lang.Thread, with the fields that are added to it. Only compiled against. */
public class Thread {
    public static boolean $turnstile$on;
    long $turnstile$expected;
    long $turnstile$fresh;
    long $turnstile$settled;
    long $turnstile$reading;
    long $turnstile$writing;
    long $turnstile$self;
    long $turnstile$ended;
    long $turnstile$birth;
    long $turnstile$reader;
    long $turnstile$tag0;
    long $turnstile$tag1;
    int $turnstile$pending;
    boolean $turnstile$optimistic;
    int $turnstile$aside;
    int $turnstile$asidePending;
    long $turnstile$asideSelf;
    long $turnstile$asideExpected;

    public static native Thread currentThread();

    public final native boolean isDaemon();
}
