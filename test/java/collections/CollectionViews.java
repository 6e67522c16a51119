import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.security.MessageDigest;
import java.security.Signature;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.Mac;

/** Which object has the word? The arguments are the classes that have one. */
public class CollectionViews {
    enum Kind { A, B }

    static class OwnMap extends HashMap<String, String> {
    }

    static class OwnList extends AbstractList<String> {
        @Override
        public String get(int index) {
            return "own";
        }

        @Override
        public int size() {
            return 1;
        }
    }

    static final Set<String> met = new HashSet<>();

    /** The object, or what is behind it, has the word. */
    static Object word(Object object) {
        Object holder = TurnstileObjects.other(object, -1);
        if (holder == null || TurnstileObjects.offset(holder) <= 0) {
            System.out.println("no word: " + object.getClass());
            return null;
        }
        for (Class<?> type = holder.getClass(); type != null; type = type.getSuperclass()) {
            met.add(type.getName().replace('.', '/'));
        }
        return holder;
    }

    static void none(Object object) {
        if (TurnstileObjects.other(object, -1) != null || TurnstileObjects.offset(object) > 0) {
            System.out.println("a word: " + object.getClass());
        }
    }

    static void behind(Object base, Object... views) {
        Object holder = word(base);
        for (Object view : views) {
            if (word(view) != holder) {
                System.out.println("another word: " + view.getClass());
            }
        }
    }

    static void list(List<String> list) {
        behind(list, list.iterator(), list.listIterator(), list.listIterator(1), list.subList(0, 1),
                list.subList(0, 1).iterator(), list.subList(0, 2).subList(0, 1).listIterator(), Collections.unmodifiableList(list),
                Collections.unmodifiableList(list).iterator(), Collections.unmodifiableList(list).listIterator(),
                Collections.unmodifiableCollection(list), Collections.synchronizedList(list).iterator());
        none(Collections.synchronizedList(list));
    }

    static void set(Set<?> set) {
        behind(set, set.iterator(), Collections.unmodifiableSet(set), Collections.unmodifiableSet(set).iterator());
    }

    static <K, V> void map(Map<K, V> map) {
        behind(map, map.keySet(), map.values(), map.entrySet(), map.keySet().iterator(), map.values().iterator(),
                map.entrySet().iterator(), Collections.unmodifiableMap(map), Collections.unmodifiableMap(map).keySet().iterator(),
                Collections.unmodifiableMap(map).entrySet().iterator(), Collections.synchronizedMap(map).keySet().iterator());
        none(Collections.synchronizedMap(map));
    }

    static void sorted(TreeMap<String, String> map) {
        map(map);
        behind(map, map.navigableKeySet(), map.descendingMap(), map.descendingKeySet(), map.descendingKeySet().iterator(),
                map.subMap("a", "b"), map.headMap("b"), map.tailMap("a"), map.subMap("a", "b").keySet().iterator(),
                map.headMap("b").entrySet(), map.headMap("b").entrySet().iterator(), map.descendingMap().entrySet().iterator());
        TreeSet<String> set = new TreeSet<>(List.of("a", "b"));
        set(set);
        behind(set, set.descendingSet(), set.descendingIterator(), set.headSet("b"), set.subSet("a", "b").iterator());
    }

    public static void main(String[] words) throws Exception {
        List<String> two = List.of("a", "b");
        list(new ArrayList<>(two));
        list(new LinkedList<>(two));
        for (Collection<String> queue : List.of(new ArrayDeque<>(two), new PriorityQueue<>(two))) {
            behind(queue, queue.iterator(), Collections.unmodifiableCollection(queue));
        }
        ArrayDeque<String> deque = new ArrayDeque<>(two);
        behind(deque, deque.descendingIterator(), Collections.asLifoQueue(deque));
        LinkedList<String> linked = new LinkedList<>(two);
        behind(linked, linked.descendingIterator());
        word(Arrays.asList("a"));

        set(new HashSet<>(two));
        set(new LinkedHashSet<>(two));
        set(EnumSet.allOf(Kind.class));
        map(new HashMap<>(Map.of("a", "b")));
        map(new LinkedHashMap<>(Map.of("a", "b")));
        map(new IdentityHashMap<>(Map.of("a", "b")));
        map(new WeakHashMap<>(Map.of("a", "b")));
        map(new EnumMap<>(Map.of(Kind.A, "b")));
        map(new OwnMap());
        sorted(new TreeMap<>(Map.of("a", "b")));
        Map<String, Boolean> identity = new IdentityHashMap<>();
        behind(identity, Collections.newSetFromMap(identity));

        for (Object object : new Object[] {new BitSet(), new StringJoiner(","), new StringTokenizer("a"), new Scanner("a"),
                new Formatter(), new GregorianCalendar(), new Date(), new SplittableRandom(), new IntSummaryStatistics(),
                new LongSummaryStatistics(), new DoubleSummaryStatistics(), Pattern.compile("a").matcher("a"), new CRC32(),
                new CRC32C(), new Adler32(), new StringBuilder(), new SimpleDateFormat(), new DecimalFormat(),
                MessageDigest.getInstance("SHA-256"), Signature.getInstance("SHA256withRSA"), Cipher.getInstance("AES"),
                Mac.getInstance("HmacSHA256"), ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1), CharBuffer.allocate(1)}) {
            word(object);
        }
        for (String name : words) {
            if (!met.contains(name)) {
                System.out.println("never met: " + name);
            }
        }

        for (Object object : new Object[] {"a", new StringBuffer(), new Vector<>(two), new Hashtable<>(), new ConcurrentHashMap<>(),
                new CopyOnWriteArrayList<>(), two, two.iterator(), Map.of(), Collections.emptyList(), new OwnList(),
                new OwnList().iterator(), new Random(), new Object[0], new Object(), new Vector<>(two).iterator(),
                Collections.unmodifiableList(two), Collections.newSetFromMap(new ConcurrentHashMap<>())}) {
            none(object);
        }
        if (Runtime.version().feature() >= 21) {
            reversed();
        }
        System.out.println("done");
    }

    /** By reflection: older compilers do not know these. */
    static void reversed() throws Exception {
        List<Object> bases = List.of(new ArrayList<>(List.of("a", "b")), new LinkedList<>(List.of("a", "b")),
                new ArrayDeque<>(List.of("a", "b")), new LinkedHashSet<>(List.of("a", "b")), new TreeSet<>(List.of("a", "b")),
                new LinkedHashMap<>(Map.of("a", "b")), new TreeMap<>(Map.of("a", "b")));
        for (Object base : bases) {
            Object view = base.getClass().getMethod("reversed").invoke(base);
            behind(base, view);
            Object elements = view instanceof Map<?, ?> map ? map.keySet() : view;
            behind(base, elements, ((Collection<?>) elements).iterator());
        }
    }
}
