// release: 8
import java.util.ArrayList;
import java.util.List;
import net.jcip.annotations.GuardedBy;

/** In old class files private fields of other classes are assigned by methods that the compiler makes. */
final class ContentsAccessors {
    static final class Table {
        @GuardedBy("this") private List<String> rows = new ArrayList<>();

        static Table filled() {
            Table made = new Table();
            made.rows.add("a"); // silent
            return made;
        }
    }

    static Table other() {
        Table made = new Table();
        made.rows = new ArrayList<>(); // silent
        return made;
    }
}
