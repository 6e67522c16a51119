import java.util.HashMap;
import java.util.Hashtable;
import java.util.concurrent.ConcurrentHashMap;

/** What was asked in one step may be otherwise in the next. */
final class CheckThenAct {
    static final class Table {
        private final HashMap<String, String> map = new HashMap<>(); /*# guarded_by this */

        synchronized String get(String key) /*# atomic */ {
            return map.get(key); // silent
        }

        synchronized void put(String key, String value) /*# atomic */ {
            map.put(key, value); // silent
        }

        void putIfAbsent(String key, String value) /*# atomic */ {
            if (get(key) == null) { // expect: not-atomic; path
                put(key, value); // path
            }
        }

        synchronized void putIfAbsentLocked(String key, String value) /*# atomic */ {
            if (get(key) == null) { // silent
                put(key, value);
            }
        }
    }

    static final class Client {
        private final Table table = new Table();

        String ask(String key) /*# atomic */ {
            return table.get(key); // silent
        }

        void register(String key) /*# atomic */ {
            if (table.get(key) == null) { // expect: not-atomic
                table.put(key, key);
            }
        }

        void registerLocked(String key) /*# atomic */ {
            synchronized (table) { // silent
                if (table.get(key) == null) {
                    table.put(key, key);
                }
            }
        }

        void registerWithWrongLock(String key) /*# atomic */ {
            synchronized (this) { // expect: not-atomic
                if (table.get(key) == null) {
                    table.put(key, key);
                }
            }
        }

        void registerAtOnce(String key) /*# atomic */ {
            table.putIfAbsentLocked(key, key); // silent
        }
    }

    static final class Library {
        private final ConcurrentHashMap<String, String> concurrent = new ConcurrentHashMap<>();
        private final Hashtable<String, String> locked = new Hashtable<>();

        void check(String key) /*# atomic */ {
            if (!concurrent.containsKey(key)) { // expect: not-atomic; path
                concurrent.put(key, key); // path
            }
        }

        void atOnce(String key) /*# atomic */ {
            concurrent.putIfAbsent(key, key); // silent
        }

        void checkLocked(String key) /*# atomic */ {
            if (locked.get(key) == null) { // expect: not-atomic
                locked.put(key, key);
            }
        }
    }
}
