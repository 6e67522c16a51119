import quiet.Threads;

/** Right: a StringBuffer locks itself at each call, for nobody's benefit. */
public class LocalLockLibrary {
    public static String line(int number) {
        StringBuffer buffer = new StringBuffer();
        buffer.append("line ");
        buffer.append(number); //! with --without thread-local-locks: atomicity predicted LocalLockLibrary.line
        return buffer.toString();
    }

    static void work() {
        if (!line(7).equals("line 7")) {
            throw new AssertionError();
        }
    }

    public static void main(String[] arguments) {
        Threads.together(LocalLockLibrary::work, LocalLockLibrary::work);
        System.out.println("ok");
    }
}
