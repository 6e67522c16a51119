import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Java 1.4 with every use of finally and synchronized that old compilers turn into subroutines:
 * their bodies are called from several places where the same slots hold different things.
 */
public class Subroutines {
    private final Object lock = new Object();
    private final List log = new ArrayList();
    private int count;

    /** Two normal ways, a return and an exception lead through the finally block. */
    int severalWays(Object argument, int way) {
        int result = 0;
        try {
            if (way == 0) {
                return 3;
            }
            String text = (String) argument;
            result = text.length();
        } catch (ClassCastException exception) {
            double weight = 1.5;
            result = (int) (weight * way);
        } finally {
            log.add(argument);
            count = count + result;
        }
        return result;
    }

    /** The slots of the inner variables are int, long, double and reference in turn. */
    Object slotsInUse(int way, Object argument) {
        Object found = null;
        for (int i = 0; i < way; i++) {
            try {
                if (i == 0) {
                    int number = i + 1;
                    found = new Integer(number);
                } else if (i == 1) {
                    long number = i;
                    found = new Long(number);
                    continue;
                } else if (i == 2) {
                    double number = i;
                    String text = "x" + number;
                    found = text;
                    break;
                } else {
                    return argument;
                }
            } finally {
                log.add(found);
                if (count > 100) {
                    continue;
                }
                count++;
            }
            String after = String.valueOf(found);
            log.add(after);
        }
        return found;
    }

    /** A finally block with a finally block in it, and locals of its own in both. */
    long nested(InputStream first, InputStream second) throws IOException {
        long total = 0L;
        byte[] buffer = new byte[16];
        try {
            for (;;) {
                int read = first.read(buffer);
                if (read < 0) {
                    break;
                }
                total += read;
            }
        } finally {
            Iterator entries = log.iterator();
            try {
                while (entries.hasNext()) {
                    Object entry = entries.next();
                    if (entry == null) {
                        return total;
                    }
                    total++;
                }
                second.read(buffer);
            } catch (RuntimeException exception) {
                String message = exception.getMessage();
                log.add(message);
            } finally {
                double half = total / 2.0;
                second.close();
                count = (int) half;
            }
            first.close();
        }
        return total;
    }

    /** What is assigned in the finally block counts afterwards; what is not keeps its type. */
    String written(Map map, String key) {
        Object value = null;
        String state = null;
        Throwable failure = null;
        try {
            value = map.get(key);
            if (value instanceof int[]) {
                int[] numbers = (int[]) value;
                value = new Long(numbers[0]);
            }
        } catch (RuntimeException exception) {
            failure = exception;
        } finally {
            state = failure == null ? "fine" : failure.toString();
            long time = 0L;
            for (int i = 0; i < state.length(); i++) {
                time += state.charAt(i);
            }
            count = (int) time;
        }
        return state + value;
    }

    /** A finally block that never ends normally. */
    int overruled(int way) {
        while (true) {
            try {
                try {
                    if (way > 3) {
                        throw new IllegalStateException("way " + way);
                    }
                    way++;
                } finally {
                    if (way == 2) {
                        continue;
                    }
                    way += 2;
                }
                return way;
            } catch (IllegalStateException exception) {
                log.add(exception);
                break;
            } finally {
                if (way > 1000) {
                    return -1;
                }
            }
        }
        return way;
    }

    int locked(Map map, int depth) {
        synchronized (lock) {
            float part = depth * 0.5f;
            synchronized (map) {
                if (depth > 5) {
                    return (int) part;
                }
                try {
                    Object old = map.put("depth", new Integer(depth));
                    if (old == null) {
                        return locked(map, depth + 1);
                    }
                } finally {
                    synchronized (log) {
                        log.add(map);
                        count += depth;
                    }
                }
            }
            return count;
        }
    }

    /** Objects under construction while exceptions are caught. */
    Object construct(boolean one, Object[] parts) {
        Object made = null;
        try {
            made = one ? (Object) new StringBuffer(parts.length > 0 ? parts[0].toString() : "none")
                    : (Object) new HashMap(parts.length);
            Object[][] table = {parts, new String[] {"a"}, one ? parts : new Integer[0]};
            for (int i = 0; i < table.length; i++) {
                Object[] row = table[i];
                made = row.length > 0 ? row[0] : made;
            }
        } catch (ArrayIndexOutOfBoundsException exception) {
            made = exception;
        } catch (NullPointerException exception) {
            made = exception.getMessage();
        } finally {
            log.add(made);
        }
        return made;
    }

    static int choose(int[] numbers, String text) {
        int sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            try {
                switch (numbers[i]) {
                    case 0:
                        continue;
                    case 1:
                        sum += text.length();
                        break;
                    case 2: {
                        long square = (long) sum * sum;
                        sum = (int) (square >> 3);
                        break;
                    }
                    default:
                        String other = text.substring(1);
                        return choose(numbers, other) + sum;
                }
            } finally {
                sum++;
            }
        }
        return sum;
    }

    public Subroutines() {
        this(0);
    }

    public Subroutines(int start) {
        super();
        try {
            count = start;
        } finally {
            log.add(this);
        }
    }
}
