import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What a program sees of its own classes. */
public class Reflect {
    /** What has a default is printed in the order of a hash table: no two of these names share a place there. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.CONSTRUCTOR,
            ElementType.TYPE_USE})
    @interface Marked {
        String value() default "none";

        int[] numbers() default {1, 2};

        Class<?> kind() default Object.class;
    }

    @Marked("class")
    static class Fields<T extends Comparable<? super T>> implements Supplier<T> {
        public int open = 1;
        protected long guarded = 2;
        int common = 3;
        @Marked(value = "hidden", numbers = {})
        private T hidden;
        private final double fixed = Math.PI;
        private final String constant = "constant";
        transient float left = 5;
        volatile boolean moving = true;
        static short shared = 7;
        private static char sharedHidden = 'c';
        public static final byte CONSTANT = 9;
        private static final List<? extends Map<String, int[]>> LIST = List.of();
        private int[][] arrays = {{1}, {2, 3}};
        private List<T>[] generic;

        public Fields() {}

        @Marked(kind = String.class)
        private Fields(T hidden, @Marked("parameter") int... rest) {
            this.hidden = hidden;
            common = rest.length;
        }

        @Override
        public T get() { return hidden; }

        @Marked("method")
        protected synchronized <E extends Exception> T swap(T other) throws E, IllegalStateException {
            T old = hidden;
            hidden = other;
            return old;
        }

        private static synchronized double compute(double a) { return a * sharedHidden; }

        final void last() { left++; }

        class Inner {
            T seen = hidden;
        }

        static class Nested {
            private int own;
        }
    }

    static class Sub extends Fields<String> {
        public int open = 100;
        private int sub = 2;

        @Override
        public String get() { return "sub" + super.get(); }
    }

    interface Shape {
        int SIDES = Integer.parseInt("4");
        String NAME = "shape";

        default int sides() { return SIDES; }

        private int twice() { return SIDES * 2; }

        static int count() { return SIDES + NAME.length(); }

        double area();
    }

    sealed interface Tree permits Leaf, Node {}

    record Leaf(@Marked("component") int value) implements Tree {}

    record Node(Tree left, Tree right, List<String> names) implements Tree {
        static int made;

        Node {
            made++;
        }
    }

    enum Planet implements Supplier<String> {
        EARTH(1) {
            @Override
            public String get() { return "home" + visits++; }
        },
        MARS(0.1);

        private final double mass;
        int visits;
        private static int all;

        Planet(double mass) { this.mass = mass; }

        @Override
        public String get() { return name() + mass + all++; }
    }

    static <T> void sorted(String title, T[] members) {
        String[] texts = Arrays.stream(members).map(Object::toString).sorted().toArray(String[]::new);
        System.out.println("  " + title + " " + texts.length);
        for (String text : texts) {
            System.out.println("    " + text);
        }
    }

    static void annotations(AnnotatedElement element) {
        if (element.getAnnotations().length > 0) {
            System.out.println("  " + element + " has " + Arrays.toString(element.getAnnotations()));
        }
    }

    static void describe(Class<?> type) {
        System.out.println(type.toGenericString() + " " + Integer.toHexString(type.getModifiers()) + " synthetic "
                + type.isSynthetic()
                + " super " + type.getGenericSuperclass() + " interfaces " + Arrays.toString(type.getGenericInterfaces())
                + " host " + type.getNestHost() + " enclosing " + type.getEnclosingClass() + " " + type.getEnclosingMethod()
                + " hidden " + type.isHidden() + type.isRecord() + type.isSealed());
        annotations(type);
        for (Field field : type.getDeclaredFields()) { /* these come in the order of the class file */
            System.out.println("  " + field.toGenericString() + " " + Integer.toHexString(field.getModifiers()) + " "
                    + field.isSynthetic()
                    + " " + field.isEnumConstant() + " " + field.getAnnotatedType());
            annotations(field);
        }
        sorted("fields", type.getFields());
        sorted("methods", type.getMethods());
        Executable[][] executables = {type.getDeclaredMethods(), type.getDeclaredConstructors()};
        for (Executable[] some : executables) {
            Arrays.sort(some, Comparator.comparing(Executable::toString));
            for (Executable executable : some) {
                System.out.println("  " + executable.toGenericString() + " "
                        + Integer.toHexString(executable.getModifiers()) + " "
                        + executable.isSynthetic() + executable.isVarArgs() + " "
                        + Arrays.toString(executable.getGenericExceptionTypes()));
                annotations(executable);
                for (Parameter parameter : executable.getParameters()) {
                    System.out.println("    " + parameter + " " + parameter.isNamePresent() + parameter.isImplicit()
                            + parameter.isSynthetic());
                    annotations(parameter);
                }
            }
        }
        sorted("classes", type.getDeclaredClasses());
        sorted("nest", type.getNestMembers());
        if (type.isSealed()) {
            sorted("permitted", type.getPermittedSubclasses());
        }
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                System.out.println("  " + component + " " + component.getGenericType() + " " + component.getAccessor());
                annotations(component);
            }
        }
        if (type.isEnum()) {
            System.out.println("  " + Arrays.toString(type.getEnumConstants()));
        }
    }

    static void access() throws Exception {
        Fields<String> object = new Fields<>();
        for (Field field : Fields.class.getDeclaredFields()) {
            field.setAccessible(true);
            Object before = field.get(object);
            String text = before != null && before.getClass().isArray() ? before.getClass() + " "
                    + Array.getLength(before) : String.valueOf(before);
            String after;
            try {
                if (field.getType() == int.class) {
                    field.setInt(object, 50);
                } else if (field.getType() == long.class) {
                    field.setInt(object, 60);
                } else if (field.getType() == boolean.class) {
                    field.setBoolean(object, false);
                } else {
                    field.set(object, before);
                }
                after = String.valueOf(field.getType().isArray() ? "array" : field.get(object));
            } catch (Exception e) {
                after = e.toString();
            }
            System.out.println(field.getName() + " " + text + " -> " + after);
        }
        System.out.println(object.open + " " + object.guarded + " " + object.common + " " + object.moving);
        Constructor<?> constructor = Fields.class.getDeclaredConstructor(Comparable.class, int[].class);
        Object made = constructor.newInstance("made", new int[] {1, 2});
        Method swap = Fields.class.getDeclaredMethod("swap", Comparable.class);
        System.out.println(swap.invoke(made, "other") + " " + ((Fields<?>) made).get() + " " + ((Fields<?>) made).common);
        Method compute = Fields.class.getDeclaredMethod("compute", double.class);
        System.out.println(compute.invoke(null, 2.0));
        for (String name : new String[] {"missing", "open", "hidden", "sub", "this$0"}) {
            for (Class<?> type : new Class<?>[] {Fields.class, Sub.class, Fields.Inner.class}) {
                try {
                    System.out.println(type.getDeclaredField(name) + " " + type.getField(name));
                } catch (NoSuchFieldException e) {
                    System.out.println(type.getSimpleName() + " " + e.getMessage());
                }
            }
        }
        try {
            String.class.getDeclaredField("value").setAccessible(true);
        } catch (RuntimeException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        try {
            swap.invoke("wrong", "x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Planet.class.getDeclaredMethod("valueOf", String.class).invoke(null, "PLUTO");
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause());
        }
        Sub sub = new Sub();
        System.out.println(Fields.class.getField("open").get(sub) + " " + Sub.class.getField("open").get(sub) + " "
                + ((Fields<?>) sub).open);
        System.out.println(Modifier.toString(Fields.class.getDeclaredField("moving").getModifiers()));
    }

    static void proxies() {
        Map<String, Object> calls = new TreeMap<>();
        InvocationHandler handler = (proxy, method, given) -> {
            calls.merge(method.getName(), 1, (a, b) -> (Integer) a + (Integer) b);
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, given);
            }
            switch (method.getName()) {
                case "hashCode":
                    return 5;
                case "equals":
                    return proxy == given[0];
                case "toString":
                    return "proxy";
                default:
                    return 2.5;
            }
        };
        Shape shape = (Shape) Proxy.newProxyInstance(Reflect.class.getClassLoader(), new Class<?>[] {Shape.class,
                Runnable.class}, handler);
        System.out.println(shape.area() + " " + shape.hashCode() + shape.equals(shape) + shape.equals("x") + " " + shape
                + " " + shape.sides());
        System.out.println(Proxy.isProxyClass(shape.getClass()) + " " + shape.getClass().getName() + " "
                + Arrays.toString(shape.getClass().getInterfaces()) + calls);
        Field[] fields = shape.getClass().getDeclaredFields();
        System.out.println(fields.length + " " + Arrays.stream(fields).map(f -> f.getType().getName()
                + f.getModifiers()).distinct().toList());
        Supplier<String> thrower = (Supplier<String>) Proxy.newProxyInstance(Reflect.class.getClassLoader(),
                new Class<?>[] {Supplier.class},
                (proxy, method, given) -> { throw new java.io.IOException("from the handler"); });
        try {
            thrower.get();
        } catch (java.lang.reflect.UndeclaredThrowableException e) {
            System.out.println(e + " " + e.getCause() + " " + e.getStackTrace()[0]);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Object anonymous = new Object() {
            int field = arguments.length;
        };
        class Local {
            final int captured = arguments.length;
            Object other = anonymous;
        }
        for (Class<?> type : new Class<?>[] {Reflect.class, Fields.class, Sub.class, Fields.Inner.class,
                Fields.Nested.class, Shape.class, Tree.class,
            Leaf.class, Node.class, Planet.class, Planet.EARTH.getClass(), anonymous.getClass(), Local.class,
                    Marked.class}) {
            describe(type);
        }
        access();
        proxies();
        System.out.println(new Leaf(3) + " " + new Node(new Leaf(1), new Leaf(2), List.of("x")) + " "
                + new Leaf(1).equals(new Leaf(1)) + " "
                + new Leaf(7).hashCode() + Node.made);
        System.out.println(Planet.EARTH.get() + Planet.EARTH.get() + Planet.MARS.get() + Planet.MARS.get());
        System.out.println(MethodHandles.lookup() + " " + Reflect.class.getModule().isNamed() + " "
                + Reflect.class.getPackageName());
        Runnable runnable = () -> System.out.println(anonymous.getClass());
        System.out.println(runnable.getClass().isHidden() + " " + runnable.getClass().getDeclaredFields().length + " "
                + runnable.getClass().getNestHost() + " " + runnable.getClass().isSynthetic());
        runnable.run();
    }
}
