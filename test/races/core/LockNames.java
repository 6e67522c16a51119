import java.util.ArrayList;
import java.util.List;
import quiet.Order;
import quiet.Threads;

/**
 * Wrong: the second thread takes none of the locks that the first holds. Each lock goes by the field that it was taken
 * from, if that field has objects of its own and the code names the class that declares it; else, and for objects of
 * the program's own classes, by its class.
 */
public class LockNames {
    static class Keys {
        final Object spare = new Object();
        static final Object SHARED = new Object();
    }

    static class Special extends Keys {
    }

    static class Account {
        final Object[] locks = {new Object()};

        synchronized void self(LockNames names) {
            names.self = 1; //! race observed LockNames.self holding LockNames$Account
        }
    }

    /** The right one of the first is the left one of the second. */
    static class Place {
        private final Object left;
        private final Object right;

        Place(Object left, Object right) {
            this.left = left;
            this.right = right;
        }

        void take(LockNames names) {
            synchronized (right) {
                synchronized (left) {
                    names.given = 1; //! race observed LockNames.given holding java.lang.Object, java.lang.Object
                }
            }
        }
    }

    private final Object lock = new Object();
    private final List<String> list = new ArrayList<>();
    private final byte[] bytes = new byte[0];
    private final Account account = new Account();
    private final Special special = new Special();
    private final Class<?> type = String.class;
    private Object changing = new Object();
    private Object second = new Object();

    int plain;
    int copied;
    int shared;
    int inherited;
    int listed;
    int array;
    int own;
    int self;
    int element;
    int parameter;
    int result;
    int constant;
    int oneLine;
    int either;
    int captured;
    int again;
    int given;

    static Object same(Object object) {
        return object;
    }

    void takeParameter(Object given) {
        synchronized (given) {
            parameter = 1; //! race observed LockNames.parameter holding java.lang.Object
        }
    }

    /** They are on one line, and one is no field: which is which is known all the same. */
    void takeThree(Object given) {
        //! race observed LockNames.oneLine holding LockNames.changing, LockNames.second, java.lang.Object
        synchronized (changing) { synchronized (given) { synchronized (second) { oneLine = 1; } } }
    }

    void takeEither(boolean first, Keys keys, Keys others) {
        Object one = first ? keys.spare : others;
        synchronized (one) {
            either = 1; //! race observed LockNames.either holding java.lang.Object
        }
    }

    void takeCaptured(Object local) {
        new Object() {
            void take() {
                synchronized (local) {
                    captured = 1; //! race observed LockNames.captured holding java.lang.Object
                }
            }
        }.take();
    }

    static synchronized void takeClass(LockNames names) {
        synchronized (Keys.SHARED) {
            names.shared = 1; //! race observed LockNames.shared holding LockNames$Keys.SHARED, LockNames.class
        }
    }

    void take(Keys keys) {
        synchronized (lock) {
            plain = 1; //! race observed LockNames.plain holding LockNames.lock
        }
        Object copy = keys.spare;
        synchronized (copy) {
            copied = 1; //! race observed LockNames.copied holding LockNames$Keys.spare
        }
        synchronized (special.spare) {
            inherited = 1; //! race observed LockNames.inherited holding java.lang.Object
        }
        synchronized (list) {
            listed = 1; //! race observed LockNames.listed holding LockNames.list
        }
        synchronized (bytes) {
            array = 1; //! race observed LockNames.array holding LockNames.bytes
        }
        synchronized (account) {
            own = 1; //! race observed LockNames.own holding LockNames$Account
        }
        synchronized (account.locks[0]) {
            element = 1; //! race observed LockNames.element holding java.lang.Object
        }
        synchronized (same(new Object())) {
            result = 1; //! race observed LockNames.result holding java.lang.Object
        }
        synchronized (type) {
            constant = 1; //! race observed LockNames.constant holding java.lang.String.class
        }
        new Place(new Object(), new Object()).take(this);
        synchronized (same(lock)) {
            again = 1; //! race observed LockNames.again holding LockNames.lock
        }
    }

    void write() {
        plain = 2; //! race observed LockNames.plain holding 0
        copied = 2;
        shared = 2;
        given = 2;
        inherited = 2;
        listed = 2;
        array = 2;
        own = 2;
        self = 2;
        element = 2;
        parameter = 2;
        result = 2;
        constant = 2;
        oneLine = 2;
        either = 2;
        captured = 2;
        again = 2;
    }

    public static void main(String[] arguments) {
        LockNames names = new LockNames();
        Threads.together(() -> {
            names.take(new Keys());
            names.takeParameter(new Object());
            names.takeThree(new Object());
            names.takeEither(true, new Keys(), new Keys());
            names.takeCaptured(new Object());
            takeClass(names);
            names.account.self(names);
            Order.reach("taken");
        }, () -> {
            Order.await("taken");
            names.write();
        });
        System.out.println("ok");
    }
}
