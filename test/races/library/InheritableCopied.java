/** Right: the child's value is a copy, which childValue() makes in the parent. */
public class InheritableCopied {
    static class User {
        String name;
        int rights;

        User(String name, int rights) {
            this.name = name;
            this.rights = rights;
        }
    }

    static final InheritableThreadLocal<User> user = new InheritableThreadLocal<>() {
        @Override
        protected User childValue(User parent) {
            return new User(parent.name, parent.rights);
        }
    };

    public static void main(String[] arguments) throws Exception {
        user.set(new User("root", 7));
        Thread child = new Thread(() -> {
            user.get().rights--;
            if (!user.get().name.equals("root") || user.get().rights != 6) {
                throw new AssertionError();
            }
        });
        child.start();
        user.get().rights--;
        user.get().name = "me";
        child.join();
        if (user.get().rights != 6) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
