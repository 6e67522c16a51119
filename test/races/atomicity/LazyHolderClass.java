import quiet.Threads;

/** Right: the JVM initializes the class once. */
public class LazyHolderClass {
    static class Holder {
        static final Object instance = new Object();
    }

    public static Object get() {
        return Holder.instance;
    }

    public static void main(String[] arguments) {
        Threads.together(LazyHolderClass::get, LazyHolderClass::get);
        System.out.println("ok");
    }
}
