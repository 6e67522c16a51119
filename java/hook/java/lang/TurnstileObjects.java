package java.lang;

import java.lang.ref.WeakReference;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Mutable objects of the library that count as one variable each. Their classes have a hidden word, added when they are
 * loaded.
 *
 * <p>Rewritten code has an object that a method is to be called on. The object that holds the word of what this reads or
 * writes is another one if it is a view, a wrapper or an iterator: then it is the collection behind it; and there is none
 * if the object is of a class that synchronizes itself, never changes, or is not the library's. So a call is told in two
 * steps: one of the methods that take an object and a name gives the object with the word, or null; {@link #offset} where
 * in it the word is. There are several of the former because a call's receiver type says which classes to try first.
 *
 * <p>Application classes that extend a class of the library have the word, too. A call that is answered by a method of the
 * application is no access of the object (what that does with {@code super} is): each method name has a number, and a class
 * a set of the names that are overridden; see collections.h.
 *
 * <p>Like {@link TurnstileHook}, it throws nothing and takes no lock; it allocates only when it meets a class for the first
 * time.
 */
public final class TurnstileObjects {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private static final String WORD = "$turnstile$word";

    /** The class has no word, and leads to none. */
    private static final long NONE = -1;

    /** Instead of a method's number: nobody can have overridden it; or all of them count. */
    private static final int NAME_NOTHING = -1;
    private static final int NAME_ANY = 128;

    /** Views of views are followed so far. */
    private static final int LINKS_MAX = 16;

    /** Classes that are remembered at most; more are looked at again and again. */
    private static final int CLASSES_MAX = 4096;

    /**
     * What is known of classes: a hash table with a class (weakly, if it is not the boot loader's) and, behind it, a long[]:
     * the offset of the word, or of the field that leads to it, negated, or NONE; and the set of overridden names, 64 in
     * each number. Tables do not change; one that has more takes the place of the one before.
     */
    private static volatile Object[] known = new Object[2 * 128];

    private static final long[] UNKNOWN = {NONE, 0, 0};

    // The common classes. Those of iterators cannot be named here.
    private static final long ARRAY_LIST = wordOffset(ArrayList.class);
    private static final long HASH_MAP = wordOffset(HashMap.class);
    private static final long TREE_MAP = wordOffset(TreeMap.class);
    private static final long ARRAY_DEQUE = wordOffset(ArrayDeque.class);
    private static final long LINKED_LIST = wordOffset(LinkedList.class);
    private static final long BUILDER = wordOffset(AbstractStringBuilder.class);
    private static final long HASH_SET_MAP = fieldOffset(HashSet.class, "map");
    private static final Class<?> LIST_ITERATOR = new ArrayList<>().iterator().getClass();
    private static final long LIST_ITERATOR_LIST = fieldOffset(LIST_ITERATOR, "this$0");
    private static final Class<?> LINKED_LIST_ITERATOR = new LinkedList<>().listIterator().getClass();
    private static final long LINKED_LIST_ITERATOR_LIST = fieldOffset(LINKED_LIST_ITERATOR, "this$0");
    private static final Class<?> DEQUE_ITERATOR = new ArrayDeque<>().iterator().getClass();
    private static final long DEQUE_ITERATOR_DEQUE = fieldOffset(DEQUE_ITERATOR, "this$0");
    // Those of maps have a class in common for keys, values and entries.
    private static final Class<?> HASH_ITERATOR = new HashMap<>().keySet().iterator().getClass().getSuperclass();
    private static final long HASH_ITERATOR_MAP = fieldOffset(HASH_ITERATOR, "this$0");
    private static final Class<?> LINKED_ITERATOR = new LinkedHashMap<>().keySet().iterator().getClass().getSuperclass();
    private static final long LINKED_ITERATOR_MAP = fieldOffset(LINKED_ITERATOR, "this$0");
    private static final Class<?> TREE_ITERATOR = new TreeMap<>().values().iterator().getClass().getSuperclass();
    private static final long TREE_ITERATOR_MAP = fieldOffset(TREE_ITERATOR, "this$0");

    private TurnstileObjects() {
    }

    /** Where the word is in an object that one of the other methods gave; not above 0 if there is none. */
    public static long offset(Object holder) {
        if (holder == null) {
            return NONE;
        }
        Class<?> type = holder.getClass();
        if (type == ArrayList.class) {
            return ARRAY_LIST;
        }
        if (type == HashMap.class || type == LinkedHashMap.class) {
            return HASH_MAP;
        }
        if (type == StringBuilder.class) {
            return BUILDER;
        }
        if (type == TreeMap.class) {
            return TREE_MAP;
        }
        if (type == ArrayDeque.class) {
            return ARRAY_DEQUE;
        }
        if (type == LinkedList.class) {
            return LINKED_LIST;
        }
        return classOf(type)[0];
    }

    // ---- the object with the word, by what the call takes it for ----

    public static Object map(Object object, int name) {
        if (object == null) {
            return null;
        }
        Class<?> type = object.getClass();
        if (type == HashMap.class || type == LinkedHashMap.class || type == TreeMap.class) {
            return object;
        }
        if (type == ConcurrentHashMap.class) {
            return null;
        }
        return find(object, name);
    }

    public static Object list(Object object, int name) {
        if (object == null) {
            return null;
        }
        Class<?> type = object.getClass();
        if (type == ArrayList.class || type == LinkedList.class) {
            return object;
        }
        return find(object, name);
    }

    public static Object set(Object object, int name) {
        if (object == null) {
            return null;
        }
        Class<?> type = object.getClass();
        if (type == HashSet.class || type == LinkedHashSet.class) {
            return behind(object, HASH_SET_MAP);
        }
        return find(object, name);
    }

    public static Object collection(Object object, int name) {
        if (object == null) {
            return null;
        }
        Class<?> type = object.getClass();
        if (type == ArrayList.class || type == ArrayDeque.class || type == LinkedList.class) {
            return object;
        }
        return set(object, name);
    }

    public static Object iterator(Object object, int name) {
        if (object == null) {
            return null;
        }
        Class<?> type = object.getClass();
        if (type == LIST_ITERATOR) {
            return behind(object, LIST_ITERATOR_LIST);
        }
        Class<?> kind = type.getSuperclass();
        if (kind == HASH_ITERATOR) {
            return behind(object, HASH_ITERATOR_MAP);
        }
        if (kind == LINKED_ITERATOR) {
            return behind(object, LINKED_ITERATOR_MAP);
        }
        if (kind == TREE_ITERATOR) {
            return behind(object, TREE_ITERATOR_MAP);
        }
        if (type == LINKED_LIST_ITERATOR) {
            return behind(object, LINKED_LIST_ITERATOR_LIST);
        }
        if (type == DEQUE_ITERATOR) {
            return behind(object, DEQUE_ITERATOR_DEQUE);
        }
        return find(object, name);
    }

    /** The collection that the field at the offset leads to. */
    private static Object behind(Object object, long offset) {
        return offset > 0 ? UNSAFE.getReference(object, offset) : null;
    }

    public static Object text(Object object, int name) {
        if (object == null) {
            return null;
        }
        Class<?> type = object.getClass();
        if (type == StringBuilder.class) {
            return object;
        }
        if (type == String.class) {
            return null;
        }
        return find(object, name);
    }

    public static Object other(Object object, int name) {
        return object == null ? null : find(object, name);
    }

    /** The call names a class or interface of the application; its objects may be collections of the library. */
    public static Object heir(Object object, int name) {
        return object instanceof AbstractMap || object instanceof AbstractCollection ? find(object, name) : null;
    }

    @DontInline // once, not with every call
    private static Object find(Object object, int name) {
        for (int i = 0; object != null && i < LINKS_MAX; i++) {
            long[] type = classOf(object.getClass());
            long place = type[0];
            if (place == NONE || isOverridden(type, name)) {
                return null;
            }
            if (place > 0) {
                return object;
            }
            object = UNSAFE.getReference(object, -place);
        }
        return null;
    }

    private static boolean isOverridden(long[] type, int name) {
        if ((type[1] | type[2]) == 0 || name == NAME_NOTHING) {
            return false;
        }
        return name == NAME_ANY || (type[1 + (name >> 6)] >>> name & 1) != 0;
    }

    // ---- classes ----

    private static long[] classOf(Class<?> type) {
        Object[] table = known;
        int index = System.identityHashCode(type) << 1 & table.length - 1;
        for (Object key = table[index]; key != null; key = table[index]) {
            if (key == type || refersTo(key, type)) {
                return (long[]) table[index + 1];
            }
            index = index + 2 & table.length - 1;
        }
        return learn(type);
    }

    private static long[] learn(Class<?> type) {
        try {
            long[] found = examine(type);
            remember(type, found);
            return found;
        } catch (Throwable problem) {
            // No memory, or no stack: this call is not looked at.
            return UNKNOWN;
        }
    }

    /** Another thread may do the same: what one of them adds is then lost, and found again. */
    private static void remember(Class<?> type, long[] found) {
        Object[] table = known;
        int count = 1;
        for (int i = 0; i < table.length; i += 2) {
            if (isLive(table[i])) {
                count++;
            }
        }
        if (count > CLASSES_MAX) {
            return;
        }
        int length = table.length;
        while (length < 4 * count) {
            length *= 2;
        }
        Object[] grown = new Object[length];
        for (int i = 0; i < table.length; i += 2) {
            if (isLive(table[i])) {
                Object key = table[i];
                Class<?> other = key instanceof Class<?> kept ? kept : (Class<?>) ((WeakReference<?>) key).get();
                if (other != null) {
                    add(grown, other, key, (long[]) table[i + 1]);
                }
            }
        }
        add(grown, type, type.getClassLoader0() == null ? type : new WeakReference<Class<?>>(type), found);
        known = grown;
    }

    private static boolean isLive(Object key) {
        return key != null && !refersTo(key, null);
    }

    @SuppressWarnings("unchecked")
    private static boolean refersTo(Object key, Class<?> type) {
        return key instanceof WeakReference<?> && ((WeakReference<Object>) key).refersTo(type);
    }

    private static void add(Object[] table, Class<?> type, Object key, long[] found) {
        int index = System.identityHashCode(type) << 1 & table.length - 1;
        while (table[index] != null) {
            index = index + 2 & table.length - 1;
        }
        table[index] = key;
        table[index + 1] = found;
    }

    private static long[] examine(Class<?> type) {
        for (Class<?> part = type; part != null; part = part.getSuperclass()) {
            if (part.getClassLoader0() == null) {
                long place = place(part);
                if (place != 0) {
                    return new long[] {place, overridden(type, 0), overridden(type, 1)};
                }
            }
        }
        return UNKNOWN;
    }

    /** As in the table of {@link #known}; 0 for a class that says nothing about those that extend it. */
    private static long place(Class<?> type) {
        return switch (type.getName()) {
            case "java.util.HashMap", "java.util.TreeMap", "java.util.IdentityHashMap", "java.util.WeakHashMap",
                    "java.util.EnumMap", "java.util.ArrayList", "java.util.LinkedList", "java.util.ArrayDeque",
                    "java.util.PriorityQueue", "java.util.EnumSet", "java.util.Arrays$ArrayList", "java.util.BitSet",
                    "java.util.StringJoiner", "java.util.StringTokenizer", "java.util.Scanner", "java.util.Formatter",
                    "java.util.Calendar", "java.util.Date", "java.util.SplittableRandom", "java.util.IntSummaryStatistics",
                    "java.util.LongSummaryStatistics", "java.util.DoubleSummaryStatistics", "java.util.regex.Matcher",
                    "java.util.zip.CRC32", "java.util.zip.CRC32C", "java.util.zip.Adler32",
                    "java.lang.AbstractStringBuilder", "java.text.Format", "java.security.MessageDigest",
                    "java.security.Signature", "javax.crypto.Cipher", "javax.crypto.Mac", "java.nio.Buffer" ->
                wordOffset(type);

            // It locks itself.
            case "java.lang.StringBuffer" -> NONE;

            case "java.util.HashSet" -> link(type, "map");
            case "java.util.TreeSet", "java.util.TreeMap$KeySet", "java.util.TreeMap$NavigableSubMap" -> link(type, "m");
            case "java.util.HashMap$KeySet", "java.util.HashMap$Values", "java.util.HashMap$EntrySet",
                    "java.util.HashMap$HashIterator", "java.util.LinkedHashMap$LinkedKeySet",
                    "java.util.LinkedHashMap$LinkedValues", "java.util.LinkedHashMap$LinkedEntrySet",
                    "java.util.LinkedHashMap$LinkedHashIterator", "java.util.TreeMap$Values", "java.util.TreeMap$EntrySet",
                    "java.util.TreeMap$PrivateEntryIterator", "java.util.TreeMap$NavigableSubMap$EntrySetView",
                    "java.util.TreeMap$NavigableSubMap$SubMapIterator", "java.util.IdentityHashMap$KeySet",
                    "java.util.IdentityHashMap$Values", "java.util.IdentityHashMap$EntrySet",
                    "java.util.IdentityHashMap$IdentityHashMapIterator", "java.util.WeakHashMap$KeySet",
                    "java.util.WeakHashMap$Values", "java.util.WeakHashMap$EntrySet", "java.util.WeakHashMap$HashIterator",
                    "java.util.EnumMap$KeySet", "java.util.EnumMap$Values", "java.util.EnumMap$EntrySet",
                    "java.util.EnumMap$EnumMapIterator", "java.util.ArrayList$Itr", "java.util.ArrayList$SubList$1",
                    "java.util.LinkedList$ListItr", "java.util.ArrayDeque$DeqIterator", "java.util.PriorityQueue$Itr",
                    "java.util.RegularEnumSet$EnumSetIterator", "java.util.JumboEnumSet$EnumSetIterator",
                    "java.util.AbstractList$Itr", "java.util.AbstractList$SubList$1",
                    "java.util.LinkedHashSet$1ReverseLinkedHashSetView" ->
                link(type, "this$0");
            case "java.util.ArrayList$SubList", "java.util.AbstractList$SubList" -> link(type, "root");
            case "java.util.LinkedList$DescendingIterator" -> link(type, "itr");
            case "java.util.LinkedHashMap$ReversedLinkedHashMapView", "java.util.ReverseOrderListView",
                    "java.util.ReverseOrderDequeView", "java.util.ReverseOrderSortedSetView",
                    "java.util.ReverseOrderSortedMapView" ->
                link(type, "base");
            case "java.util.LinkedList$ReverseOrderLinkedListView" -> link(type, "list");
            case "java.util.ReverseOrderListView$DescendingIterator",
                    "java.util.ReverseOrderListView$DescendingListIterator" ->
                link(type, "it");

            case "java.util.Collections$UnmodifiableCollection" -> link(type, "c");
            case "java.util.Collections$UnmodifiableMap", "java.util.Collections$SetFromMap" -> link(type, "m");
            case "java.util.Collections$AsLIFOQueue" -> link(type, "q");
            case "java.util.Collections$UnmodifiableCollection$1", "java.util.Collections$UnmodifiableList$1",
                    "java.util.Collections$UnmodifiableMap$UnmodifiableEntrySet$1" ->
                link(type, "i");

            default -> 0;
        };
    }

    private static long link(Class<?> type, String field) {
        long offset = fieldOffset(type, field);
        return offset > 1 ? -offset : NONE;
    }

    private static long wordOffset(Class<?> type) {
        return fieldOffset(type, WORD);
    }

    private static long fieldOffset(Class<?> type, String field) {
        try {
            return UNSAFE.objectFieldOffset(type, field);
        } catch (InternalError missing) {
            return NONE;
        }
    }

    /** The names that the application's part of the class has overridden; all of them if that cannot be told. */
    private static long overridden(Class<?> type, int part) {
        if (type.getClassLoader0() == null) {
            return 0;
        }
        try {
            return overriddenNames(type, part);
        } catch (UnsatisfiedLinkError missing) {
            return -1;
        }
    }

    /**
     * The names of the methods that the class and its superclasses declare, up to the first class of the boot loader.
     *
     * @param part 0: the names with the numbers 0 to 63; 1: 64 to 127
     */
    private static native long overriddenNames(Class<?> type, int part);
}
