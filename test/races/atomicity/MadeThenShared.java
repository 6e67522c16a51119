import java.util.ArrayList;
import java.util.List;
import quiet.Threads;

/**
 * Right: a constructor writes what later only the object's own lock guards, and holds another lock, under which the
 * object becomes known; so does a method that makes an object. Nobody can come between what is done to an object that
 * nobody else knows, nor can that come between the steps of others.
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

    /** Made by a method, without the help of a constructor. */
    static class Note {
        private String text;
        private List<String> lines;

        synchronized int add(String line) {
            text = text + line;
            lines.add(line);
            return text.length() + lines.size();
        }
    }

    private static Note note;

    static void open() {
        Note made = new Note();
        List<String> lines = new ArrayList<>();
        lines.add("first");
        made.text = "first";
        made.lines = lines;
        synchronized (known) {
            session = new Session("one", 1);
            note = made;
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
        Note written;
        synchronized (known) {
            written = note;
        }
        written.add("more");
    }

    public static void main(String[] arguments) {
        Threads.inTurn(MadeThenShared::open, MadeThenShared::visit, MadeThenShared::visit);
        System.out.println(session.use() == 4 ? "ok" : "lost");
    }
}
