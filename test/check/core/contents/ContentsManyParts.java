import java.util.ArrayList;
import java.util.List;
import net.jcip.annotations.GuardedBy;

/** Many things that hang in one new object, each used on its own way. */
final class ContentsManyParts {
    @GuardedBy("this") private int count;
    @GuardedBy("this") private final List<String> a = new ArrayList<>();
    @GuardedBy("this") private final List<String> b = new ArrayList<>();
    @GuardedBy("this") private final List<String> c = new ArrayList<>();
    @GuardedBy("this") private final List<String> d = new ArrayList<>();
    @GuardedBy("this") private final List<String> e = new ArrayList<>();
    @GuardedBy("this") private final List<String> f = new ArrayList<>();
    @GuardedBy("this") private final List<String> g = new ArrayList<>();
    @GuardedBy("this") private final List<String> h = new ArrayList<>();
    @GuardedBy("this") private final List<String> i = new ArrayList<>();
    @GuardedBy("this") private final List<String> j = new ArrayList<>();
    @GuardedBy("this") private List<String> k = new ArrayList<>();
    private static List<String> published;

    static ContentsManyParts parsed(List<String> words) {
        ContentsManyParts made = new ContentsManyParts();
        for (String word : words) {
            switch (word.length()) {
                case 0 -> made.a.add(word); // silent
                case 1 -> made.b.add(word); // silent
                case 2 -> made.c.add(word); // silent
                case 3 -> made.d.add(word); // silent
                case 4 -> made.e.add(word); // silent
                case 5 -> made.f.add(word); // silent
                case 6 -> made.g.add(word); // silent
                case 7 -> made.h.add(word); // silent
                case 8 -> made.i.add(word); // silent
                case 9 -> made.j.add(word); // silent
                default -> made.k = new ArrayList<>(); // silent
            }
            made.count++; // silent
        }
        return made;
    }

    static ContentsManyParts parsedOrNot(String word) {
        ContentsManyParts made = new ContentsManyParts();
        try {
            made.a.add(word); // silent
            made.b.add(word); // silent
            made.c.add(word); // silent
            made.d.add(word); // silent
            made.e.add(word); // silent
            made.f.add(word); // silent
            made.g.add(word); // silent
            made.h.add(word); // silent
            made.i.add(word); // silent
            made.j.add(word); // silent
            made.count = Integer.parseInt(word); // silent
        } catch (NumberFormatException wrong) {
            made.count++; // silent
            made.a.clear(); // silent
        }
        return made;
    }

    static ContentsManyParts oneAfterTheOther() {
        ContentsManyParts made = new ContentsManyParts();
        int sum = made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size() // silent
                + made.k.size() + made.k.size() + made.k.size() + made.k.size() + made.k.size(); // silent
        made.k.add("a"); // silent
        made.count = sum; // silent
        return made;
    }

    /** What is still in a variable is remembered. */
    static void handedOutAtLast(int some) {
        ContentsManyParts made = new ContentsManyParts();
        List<String> first = made.k;
        switch (some) {
            case 0 -> made.a.clear(); // silent
            case 1 -> made.b.clear(); // silent
            case 2 -> made.c.clear(); // silent
            default -> made.k = new ArrayList<>(); // silent
        }
        published = first;
        made.k.add("a"); // expect: guard-not-held; it may still be the one
        made.a.add("b"); // silent
    }
}
