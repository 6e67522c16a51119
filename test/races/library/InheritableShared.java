import quiet.Order;

/** Wrong: an InheritableThreadLocal gives the child the parent's object itself. */
public class InheritableShared {
    static class User {
        int rights;
    }

    static final InheritableThreadLocal<User> user = new InheritableThreadLocal<>();

    public static void main(String[] arguments) throws Exception {
        user.set(new User());
        Thread child = new Thread(() -> {
            user.get().rights = 6;
            Order.reach("child wrote");
        });
        child.start();
        User mine = user.get();
        Order.await("child wrote");
        mine.rights = 5; //! race observed InheritableShared$User.rights
        child.join();
        System.out.println("ok");
    }
}
