import quiet.Threads;

/** Wrong: two threads can both find nothing, and make two objects. */
public class LazyUnsynchronized {
    private static Object instance;

    public static Object get() {
        if (instance == null) { //! race observed LazyUnsynchronized.instance
            //! atomicity predicted LazyUnsynchronized.get
            instance = new Object(); //! race observed LazyUnsynchronized.instance
        }
        return instance; //! atomicity predicted LazyUnsynchronized.get
    }

    public static void main(String[] arguments) {
        Threads.inTurn(LazyUnsynchronized::get, LazyUnsynchronized::get);
        System.out.println("ok");
    }
}
