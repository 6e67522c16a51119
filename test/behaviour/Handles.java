import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import sun.misc.Unsafe;

/** Fields and arrays reached by other ways than the instructions for them. */
public class Handles {
    static class Target implements Cloneable {
        private int number = 1;
        long wide = 2;
        double real = 3;
        byte small = 4;
        boolean flag;
        char letter = 'a';
        short brief = 5;
        float single = 6;
        private Object reference = "first";
        volatile int counter;
        volatile long wideCounter;
        volatile String name = "name";
        final int fixed;
        static int shared = 7;
        static volatile long sharedWide = 8;
        int[] ints = {1, 2, 3};

        Target(int fixed) { this.fixed = fixed; }

        private int add(int a, long b) { return number += a + (int) b; }

        static String join(String a, Object b) { return a + b + shared++; }

        String overridden() { return "target" + number; }

        @Override
        public Target clone() throws CloneNotSupportedException { return (Target) super.clone(); }

        String all() {
            return number + " " + wide + " " + real + " " + small + " " + flag + " " + (int) letter + " " + brief + " "
                    + single + " " + reference + " "
                + counter + " " + wideCounter + " " + name + " " + fixed + " " + Arrays.toString(ints);
        }
    }

    static class SubTarget extends Target {
        int number = 100;

        SubTarget() { super(9); }

        @Override
        String overridden() { return "sub" + number; }

        MethodHandle parent(MethodHandles.Lookup lookup) throws Exception {
            return lookup.findSpecial(Target.class, "overridden", MethodType.methodType(String.class), SubTarget.class);
        }
    }

    static String withoutHash(Exception e) { return e.getMessage().replaceAll("@[0-9a-f]+", "@"); }

    static void methodHandles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Target target = new Target(3);
        MethodHandle add = lookup.findVirtual(Target.class, "add", MethodType.methodType(int.class, int.class, long.class));
        System.out.println((int) add.invokeExact(target, 5, 6L) + " " + add.bindTo(target).invoke(1, 1) + " "
                + lookup.revealDirect(add));
        MethodHandle join = lookup.findStatic(Target.class, "join", MethodType.methodType(String.class, String.class,
                Object.class));
        System.out.println(join.invoke("a", 1) + " " + MethodHandles.insertArguments(join, 0, "b").invoke(2));
        MethodHandle make = lookup.findConstructor(Target.class, MethodType.methodType(void.class, int.class));
        System.out.println(((Target) make.invoke(8)).fixed);
        for (Field field : Target.class.getDeclaredFields()) {
            MethodHandle getter = lookup.unreflectGetter(field);
            boolean isStatic = getter.type().parameterCount() == 0;
            Object value = isStatic ? getter.invoke() : getter.invoke(target);
            System.out.print(field.getName() + getter.type() + (field.getType().isArray() ? "" : value) + " ");
            try {
                MethodHandle setter = lookup.unreflectSetter(field);
                if (isStatic) {
                    setter.invoke(value);
                } else {
                    setter.invoke(target, value);
                }
                System.out.println(setter.type());
            } catch (IllegalAccessException e) {
                System.out.println(withoutHash(e));
            }
        }
        MethodHandle getter = lookup.findGetter(Target.class, "wide", long.class);
        MethodHandle setter = lookup.findSetter(Target.class, "wide", long.class);
        setter.invokeExact(target, (long) getter.invokeExact(target) * 10);
        System.out.println(target.all());
        SubTarget sub = new SubTarget();
        MethodHandle virtual = lookup.findVirtual(Target.class, "overridden", MethodType.methodType(String.class));
        System.out.println(virtual.invoke((Target) sub) + " "
                + sub.parent(MethodHandles.privateLookupIn(SubTarget.class, lookup)).invoke(sub));
        MethodHandle element = MethodHandles.arrayElementSetter(int[].class);
        element.invokeExact(target.ints, 1, 20);
        MethodHandle guarded = MethodHandles.catchException(MethodHandles.arrayElementGetter(int[].class),
                IndexOutOfBoundsException.class,
                MethodHandles.dropArguments(MethodHandles.constant(int.class, -1), 0, IndexOutOfBoundsException.class));
        System.out.println((int) guarded.invokeExact(target.ints, 1) + " " + (int) guarded.invokeExact(target.ints, 9));
        for (String name : new String[] {"missing", "number"}) {
            try {
                MethodHandles.publicLookup().findGetter(Target.class, name, int.class);
            } catch (ReflectiveOperationException e) {
                System.out.println(withoutHash(e));
            }
        }
        try {
            getter.invoke((Target) null);
        } catch (NullPointerException e) {
            System.out.println("null getter " + e.getStackTrace()[e.getStackTrace().length - 1]);
        }
    }

    static void varHandles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Target target = new Target(4);
        VarHandle number = lookup.findVarHandle(Target.class, "number", int.class);
        VarHandle reference = lookup.findVarHandle(Target.class, "reference", Object.class);
        VarHandle shared = lookup.findStaticVarHandle(Target.class, "sharedWide", long.class);
        VarHandle elements = MethodHandles.arrayElementVarHandle(int[].class);
        VarHandle real = lookup.findVarHandle(Target.class, "real", double.class);
        System.out.println((int) number.getAndAdd(target, 5) + " " + number.compareAndSet(target, 6, 60) + " "
                + (int) number.getVolatile(target)
                + " " + (int) number.getAndBitwiseOr(target, 3) + " " + (int) number.getAcquire(target));
        System.out.println(reference.compareAndExchange(target, "first", "second") + " " + reference.getAndSet(target, 5)
                + " " + reference.get(target));
        System.out.println((long) shared.getAndAdd(1L) + " " + Target.sharedWide);
        System.out.println((int) elements.getAndSet(target.ints, 2, 30) + " " + Arrays.toString(target.ints)
                + elements.weakCompareAndSetPlain(target.ints, 0, 9, 10));
        real.setRelease(target, 1.5);
        real.setOpaque(target, (double) real.getOpaque(target) + 1);
        System.out.println(target.all() + " " + number.varType() + number.coordinateTypes());
        try {
            elements.set(target.ints, 3, 1);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            number.set((Target) null, 1);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        VarHandle view = MethodHandles.byteArrayViewVarHandle(long[].class, java.nio.ByteOrder.BIG_ENDIAN);
        byte[] bytes = new byte[16];
        view.set(bytes, 3, 0x0102030405060708L);
        System.out.println(Arrays.toString(bytes));
    }

    static void updaters() {
        Target target = new Target(5);
        AtomicIntegerFieldUpdater<Target> counter = AtomicIntegerFieldUpdater.newUpdater(Target.class, "counter");
        AtomicLongFieldUpdater<Target> wide = AtomicLongFieldUpdater.newUpdater(Target.class, "wideCounter");
        AtomicReferenceFieldUpdater<Target, String> name = AtomicReferenceFieldUpdater.newUpdater(Target.class,
                String.class, "name");
        System.out.println(counter.incrementAndGet(target) + " " + counter.getAndAdd(target, 5) + " "
                + wide.accumulateAndGet(target, 9, Long::sum)
                + " " + name.getAndSet(target, "new") + " " + name.compareAndSet(target, "new", "newer"));
        System.out.println(target.all());
        for (String wrong : new String[] {"number", "missing", "wideCounter"}) {
            try {
                AtomicIntegerFieldUpdater.newUpdater(Target.class, wrong);
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
    }

    @SuppressWarnings("removal")
    static void unsafe() throws Exception {
        Field instance = Unsafe.class.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        Unsafe unsafe = (Unsafe) instance.get(null);
        Target target = new Target(6);
        List<String> read = new ArrayList<>();
        long last = 0;
        boolean distinct = true;
        for (Field field : Target.class.getDeclaredFields()) {
            if (!java.lang.reflect.Modifier.isStatic(field.getModifiers())) {
                long offset = unsafe.objectFieldOffset(field);
                distinct &= offset > 0 && offset != last;
                last = offset;
                if (field.getType() == int.class) {
                    unsafe.putInt(target, offset, unsafe.getInt(target, offset) + 1000);
                    read.add(field.getName() + unsafe.compareAndSwapInt(target, offset, 1001, 1));
                } else if (field.getType() == long.class) {
                    read.add(field.getName() + unsafe.getLongVolatile(target, offset) + unsafe.compareAndSwapLong(target,
                            offset, 2, 77));
                } else if (!field.getType().isPrimitive()) {
                    Object value = unsafe.getObject(target, offset);
                    read.add(field.getName() + (value.getClass().isArray() ? "[]" : value));
                }
            }
        }
        Field shared = Target.class.getDeclaredField("shared");
        unsafe.putInt(unsafe.staticFieldBase(shared), unsafe.staticFieldOffset(shared), 70);
        System.out.println(read + " " + distinct + " " + Target.shared + " " + target.all());
        int base = unsafe.arrayBaseOffset(int[].class);
        int scale = unsafe.arrayIndexScale(int[].class);
        unsafe.putInt(target.ints, base + 2L * scale, 33);
        System.out.println(unsafe.compareAndSwapInt(target.ints, base, 1, 11) + Arrays.toString(target.ints));
        Object[] objects = {"a", "b"};
        unsafe.putObjectVolatile(objects, unsafe.arrayBaseOffset(Object[].class) + unsafe.arrayIndexScale(Object[].class),
                "c");
        Target blank = (Target) unsafe.allocateInstance(Target.class);
        System.out.println(Arrays.toString(objects) + blank.fixed + blank.number + blank.reference + blank.ints);
        blank.number++;
        blank.ints = new int[1];
        blank.ints[0]++;
        System.out.println(blank.all());
    }

    static void copies() throws Exception {
        Target target = new Target(7);
        target.add(1, 2);
        Target copy = target.clone();
        copy.number++;
        copy.ints[0] = -1;
        System.out.println(target.all() + " | " + copy.all() + " " + (copy.ints == target.ints) + copy.equals(target)
                + copy.getClass());
        Target[] copies = new Target[3];
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int index = i;
            threads[i] = new Thread(() -> {
                try {
                    synchronized (target) {
                        target.number += index;
                        copies[index] = target.clone();
                    }
                    copies[index].number = index;
                    copies[index].wide += index;
                } catch (CloneNotSupportedException e) {
                    throw new AssertionError(e);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(target.number + " " + copies[0].number + copies[1].wide + copies[2].number);
        try {
            new Object() {
                Object copy() throws CloneNotSupportedException { return clone(); }
            }.copy();
        } catch (CloneNotSupportedException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] arguments) throws Throwable {
        methodHandles();
        varHandles();
        updaters();
        unsafe();
        copies();
    }
}
