import java.io.IOException;
import java.nio.ByteBuffer;
import java.text.SimpleDateFormat;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Each method is a case: test_collections.c says which accesses it makes. */
public class CollectionProgram {
    static final Map<String, String> map = new HashMap<>();
    static final List<String> list = new ArrayList<>();
    static final List<String> other = new LinkedList<>();
    static final Set<String> tree = new TreeSet<>();
    static final Set<String> hashed = new LinkedHashSet<>();
    static final StringBuilder builder = new StringBuilder();
    static final SimpleDateFormat format = new SimpleDateFormat("yyyy");
    static final ByteBuffer buffer = ByteBuffer.allocate(64);
    static final Cache cache = new Cache();
    static final List<String>[] array = array();
    final ArrayDeque<String> deque = new ArrayDeque<>();

    /** Overrides put, not get. */
    static class Cache extends HashMap<String, String> {
        @Override
        public synchronized String put(String key, String value) {
            return super.put(key, value);
        }

        int own() {
            return size();
        }
    }

    @SuppressWarnings("unchecked")
    static List<String>[] array() {
        return (List<String>[]) new List<?>[] {list};
    }

    static void put() {
        map.put("a", "1");
    }

    static void size() {
        map.size();
    }

    static void replace() {
        map.replace("a", "1", "2");
    }

    static void add() {
        list.add("x");
    }

    static void iterate() {
        for (String string : list) {
            string.length();
        }
    }

    static void entries() {
        for (Map.Entry<String, String> entry : map.entrySet()) {
            entry.getKey();
        }
    }

    static void removeOne() {
        Iterator<String> iterator = list.iterator();
        iterator.next();
        iterator.remove();
    }

    static void addAll() {
        other.addAll(list);
    }

    static void addAllAt() {
        list.addAll(0, other);
    }

    static void copy() {
        List<String> copied = new ArrayList<>(list);
        copied.size();
    }

    static void sort() {
        Collections.sort(list);
    }

    static void join() {
        String.join(",", list);
    }

    static void unmodifiable() {
        Collections.unmodifiableList(list).size();
    }

    static void sub() {
        for (String string : other.subList(0, 0)) {
            string.length();
        }
    }

    static void element() {
        array[0].isEmpty();
    }

    static void sets() {
        tree.add("t");
        hashed.add("h");
        for (String string : tree) {
            string.length();
        }
    }

    static void append() throws IOException {
        builder.append('c').append(1.5).append(new char[3], 0, 1);
        builder.insert(0, 2.5);
        Appendable appendable = builder;
        appendable.append("x");
        CharSequence sequence = builder;
        sequence.length();
    }

    static void formats() {
        format.format(new Date(0));
    }

    static void buffers() {
        buffer.put((byte) 1);
        buffer.put(5, (byte) 1);
        buffer.remaining();
    }

    static void lambda() {
        map.computeIfAbsent("l", key -> "m");
        map.forEach((key, value) -> key.length());
    }

    void field() {
        deque.addLast("q");
        this.deque.pollFirst();
    }

    static void heirs() {
        cache.put("k", "v");
        cache.get("k");
        Map<String, String> plain = cache;
        plain.put("k", "v");
        plain.get("k");
        cache.own();
    }

    /** Objects that are safe, or that nobody else can see. */
    static void silent() throws IOException {
        Map<String, String> concurrent = new ConcurrentHashMap<>(map);
        concurrent.put("a", "b");
        List<String> safe = Collections.synchronizedList(new ArrayList<>());
        safe.add("a");
        new Vector<String>().add("v");
        List.of("a").get(0);
        Appendable locked = new StringBuffer();
        locked.append("x");
        String string = "abc";
        CharSequence sequence = string;
        sequence.length();
    }

    /** What it makes stays here: nothing is checked. */
    static String kept() {
        StringBuilder text = new StringBuilder();
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            parts.add("p");
        }
        for (String part : parts) {
            text.append(part).append(',');
        }
        return text.toString();
    }

    static List<String> escaping() {
        List<String> made = new ArrayList<>();
        Names.last(made);
        made.add("e");
        return made;
    }

    static Supplier<Integer> captured() {
        List<String> made = new ArrayList<>();
        Names.last(made);
        made.add("e");
        return () -> made.size();
    }

    static void exceptions() {
        List<String> nothing = null;
        Map<String, String> none = null;
        StringBuilder missing = null;
        message(() -> nothing.size());
        message(() -> none.put("a", "b"));
        message(() -> none.replace("a", "b", "c"));
        message(() -> missing.insert(0, 1.5));
        message(() -> new ArrayList<>(nothing));
        message(() -> list.get(-1));
    }

    static void message(Supplier<Object> action) {
        try {
            System.out.println("no exception: " + action.get());
        } catch (RuntimeException exception) {
            System.out.println(exception);
        }
    }

    static class Names {
        static void last(Object object) {
            TurnstileHook.name(object, "made");
        }
    }

    public static void main(String[] arguments) throws IOException {
        CollectionProgram program = new CollectionProgram();
        TurnstileHook.name(map, "map");
        TurnstileHook.name(list, "list");
        TurnstileHook.name(other, "other");
        TurnstileHook.name(tree, "tree");
        TurnstileHook.name(hashed, "hashed");
        TurnstileHook.name(builder, "builder");
        TurnstileHook.name(format, "format");
        TurnstileHook.name(buffer, "buffer");
        TurnstileHook.name(cache, "cache");
        TurnstileHook.name(program.deque, "deque");
        put();
        size();
        replace();
        add();
        iterate();
        entries();
        removeOne();
        add();
        addAll();
        addAllAt();
        copy();
        sort();
        join();
        unmodifiable();
        sub();
        element();
        sets();
        append();
        formats();
        buffers();
        lambda();
        program.field();
        heirs();
        silent();
        kept();
        escaping().size();
        captured().get();
        exceptions();
        System.out.println(map + " " + list + " " + other + " " + tree + " " + hashed + " " + cache + " " + builder.length());
    }
}
