import quiet.Threads;

/** Wrong: volatile or not, two threads can both find nothing. */
public class LazyVolatile {
    private static volatile Object instance;

    public static Object get() {
        if (instance == null) {
            instance = new Object(); //! atomicity predicted LazyVolatile.get
        }
        return instance; //! atomicity predicted LazyVolatile.get
    }

    public static void main(String[] arguments) {
        Threads.inTurn(LazyVolatile::get, LazyVolatile::get);
        System.out.println("ok");
    }
}
