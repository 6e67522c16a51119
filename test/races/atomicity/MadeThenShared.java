import quiet.Threads;

/**
 * Right: a constructor writes what later only the object's own lock guards, and holds another lock, under which the
 * object becomes known. Nobody can come between what a constructor does to an object that nobody else knows, nor can
 * its writes come between the steps of others.
 */
public class MadeThenShared {
    private static final Object known = new Object();
    private static Session session;

    static class Named {
        String name;

        Named(String name) {
            this.name = name;
        }
    }

    static class Session extends Named {
        private int uses;
        private long last;

        Session(String name, int uses) {
            super(name);
            this.uses = uses;
            this.last = this.uses + length();
            this.name = name + this.uses;
        }

        private int length() {
            return name.length();
        }

        synchronized int use() {
            uses++;
            last += uses;
            name = "used";
            return uses;
        }

        int twice() {
            int sum;
            synchronized (this) {
                sum = uses;
            }
            return sum;
        }
    }

    static void open() {
        synchronized (known) {
            session = new Session("one", 1);
        }
    }

    static Session find() {
        synchronized (known) {
            return session;
        }
    }

    static void visit() {
        Session found = find();
        found.use();
        found.twice();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(MadeThenShared::open, MadeThenShared::visit, MadeThenShared::visit);
        System.out.println(session.use() == 4 ? "ok" : "lost");
    }
}
