import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Serialization: the default serialVersionUIDs of all kinds of classes, and streams.
 *
 *     Serial                prints all of it
 *     Serial write FILE     writes a stream
 *     Serial read FILE      reads one, perhaps of another JVM, and prints it
 */
public class Serial {
    /** Nothing of its own: any member that is added shows in its UID. */
    static class Empty implements Serializable {}

    static class Plain implements Serializable {
        int number = 1;
        String text = "plain";
        double[] numbers = {1, 2.5};
    }

    static class Access implements Serializable {
        public int open = 1;
        protected long guarded = 2;
        private String hidden = "hidden";
        transient int left = 4;
        private transient int leftHidden = 5;
        static int shared = 6;
        private static int sharedHidden = 7;
        public static final int CONSTANT = 8;
        volatile int moving = 9;
        private volatile boolean flag = true;

        public int method() { return hidden.length(); }

        protected synchronized void change(int by) { moving += by; leftHidden = by; sharedHidden += by; }

        private void secret() { hidden = hidden + left; }

        static void common() { shared++; }
    }

    /** A static initializer counts for the UID; so must not one that is added. */
    static class WithInitializer implements Serializable {
        static int[] table = {1, 2, 3};
        int index = table[1];
    }

    static class StaticOnly implements Serializable {
        static int counter;
        private static long hidden;
    }

    static class Explicit implements Serializable {
        private static final long serialVersionUID = 42L;
        int value = 3;
    }

    static class NotSerializableBase {
        int base = 11;

        NotSerializableBase() { base = 12; }
    }

    static class Derived extends NotSerializableBase implements Serializable, Comparable<Derived> {
        Plain plain = new Plain();
        Derived self = this;

        @Override
        public int compareTo(Derived other) { return Integer.compare(base, other.base); }
    }

    static abstract class Abstract implements Serializable {
        int inherited = 5;

        abstract int apply();
    }

    static class Concrete extends Abstract {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));

        @Override
        int apply() { return inherited + list.size(); }
    }

    static class Custom implements Serializable {
        transient int[] cache = {1, 2};
        private int length = 2;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            for (int value : cache) {
                out.writeInt(value);
            }
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            cache = new int[length];
            for (int i = 0; i < length; i++) {
                cache[i] = in.readInt();
            }
        }
    }

    static class Persistent implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("name", String.class), new ObjectStreamField("size", long.class)};
        private int internal = 9;

        private void writeObject(ObjectOutputStream out) throws IOException {
            ObjectOutputStream.PutField fields = out.putFields();
            fields.put("name", "n" + internal);
            fields.put("size", internal * 2L);
            out.writeFields();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            ObjectInputStream.GetField fields = in.readFields();
            internal = (int) fields.get("size", 0L) / 2;
            if (!("n" + internal).equals(fields.get("name", null))) {
                throw new InvalidObjectException("name");
            }
        }
    }

    public static class External implements Externalizable {
        int value;

        @Override
        public void writeExternal(ObjectOutput out) throws IOException { out.writeInt(value); }

        @Override
        public void readExternal(ObjectInput in) throws IOException { value = in.readInt(); }
    }

    static class Proxied implements Serializable {
        final transient int secret;

        Proxied(int secret) { this.secret = secret; }

        private Object writeReplace() { return new Stand(secret); }

        private static class Stand implements Serializable {
            int given;

            Stand(int given) { this.given = given; }

            private Object readResolve() { return new Proxied(given); }
        }
    }

    class Inner implements Serializable {
        int inside = 1;
    }

    enum Kind {
        ONE, TWO {
            @Override
            int extra() { return 2; }
        };

        int state = ordinal();

        int extra() { return 0; }
    }

    record Pair(int left, Kind right) implements Serializable {
        static int made;
    }

    interface SerialFunction extends Function<Integer, Integer>, Serializable {
        int OFFSET = Integer.parseInt("5");
    }

    static final Class<?>[] CLASSES = {Empty.class, Plain.class, Access.class, WithInitializer.class, StaticOnly.class,
            Explicit.class,
        Derived.class, Abstract.class, Concrete.class, Custom.class, Persistent.class, External.class, Proxied.class,
                Proxied.Stand.class,
        Inner.class, Kind.class, Pair.class, SerialFunction.class, int[].class, Plain[][].class};

    static List<Object> objects() {
        List<Object> all = new ArrayList<>();
        Access access = new Access();
        access.change(3);
        access.secret();
        Plain shared = new Plain();
        External external = new External();
        external.value = 77;
        SerialFunction function = i -> i * 2 + external.value * 0;
        Collections.addAll(all, new Empty(), shared, shared, access, new WithInitializer(), new StaticOnly(),
                new Explicit(), new Derived(),
                new Concrete(), new Custom(), new Persistent(), external, new Proxied(5), Kind.ONE, Kind.TWO, new Pair(1,
                        Kind.TWO),
                new int[] {1, 2}, new Plain[][] {{shared}, null}, new TreeMap<>(java.util.Map.of("a", 1)));
        return all;
    }

    static String describe(Object o) {
        if (o instanceof Plain p) {
            return "Plain " + p.number + p.text + Arrays.toString(p.numbers);
        } else if (o instanceof Access a) {
            return "Access " + a.open + a.guarded + a.hidden + a.left + a.leftHidden + a.moving + a.flag;
        } else if (o instanceof WithInitializer w) {
            return "WithInitializer " + w.index;
        } else if (o instanceof Explicit e) {
            return "Explicit " + e.value;
        } else if (o instanceof Derived d) {
            return "Derived " + d.base + describe(d.plain) + (d.self == d);
        } else if (o instanceof Concrete c) {
            return "Concrete " + c.list + c.apply();
        } else if (o instanceof Custom c) {
            return "Custom " + c.length + Arrays.toString(c.cache);
        } else if (o instanceof Persistent p) {
            return "Persistent " + p.internal;
        } else if (o instanceof External e) {
            return "External " + e.value;
        } else if (o instanceof Proxied p) {
            return "Proxied " + p.secret;
        } else if (o instanceof Kind k) {
            return "Kind " + k + k.state + k.extra() + (k == Kind.valueOf(k.name()));
        } else if (o instanceof int[] i) {
            return Arrays.toString(i);
        } else if (o instanceof Plain[][] p) {
            return describe(p[0][0]) + p[1];
        } else if (o instanceof Empty || o instanceof StaticOnly) {
            return o.getClass().getName();
        }
        return String.valueOf(o);
    }

    static byte[] write(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    static void read(byte[] bytes) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            List<?> all = (List<?>) in.readObject();
            for (Object object : all) {
                System.out.println(describe(object));
            }
            System.out.println("shared " + (all.get(1) == all.get(2)));
        }
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("write")) {
            Files.write(Path.of(arguments[1]), write(objects()));
            return;
        }
        if (arguments.length > 0) {
            read(Files.readAllBytes(Path.of(arguments[1])));
            return;
        }
        for (Class<?> type : CLASSES) {
            ObjectStreamClass stream = ObjectStreamClass.lookupAny(type);
            System.out.println(stream + " " + Arrays.toString(stream.getFields()));
        }
        byte[] bytes = write(objects());
        System.out.println(bytes.length + " " + Arrays.hashCode(bytes));
        read(bytes);
        SerialFunction function = i -> i * 2 + SerialFunction.OFFSET;
        byte[] lambda = write(function);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(lambda))) {
            System.out.println(((SerialFunction) in.readObject()).apply(4) + " " + lambda.length);
        }
        try {
            write(new Serial().new Inner());
        } catch (NotSerializableException e) {
            System.out.println(e);
        }
    }
}
