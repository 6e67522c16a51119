import static java.lang.reflect.Modifier.ABSTRACT;
import static java.lang.reflect.Modifier.FINAL;
import static java.lang.reflect.Modifier.INTERFACE;
import static java.lang.reflect.Modifier.PRIVATE;
import static java.lang.reflect.Modifier.PROTECTED;
import static java.lang.reflect.Modifier.PUBLIC;
import static java.lang.reflect.Modifier.STATIC;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Interfaces, classes, calls and lambdas, all random, but always the same for a seed. */
final class RandomProgram {
    private static final int ACC_SUPER = 0x20; // as Modifier.SYNCHRONIZED, of a class
    private static final List<String> PACKAGES = List.of("p", "q");
    private static final List<String> METHODS = List.of("m", "n");
    private static final int CALLS = 10; // of each type
    /* In the first a JVM does not look at nests. */
    private static final int[] VERSIONS = {52, 61};
    /* What stands here more than once is more likely. */
    private static final int[] INTERFACE_METHODS = {PUBLIC, PUBLIC, PUBLIC | ABSTRACT, PUBLIC | ABSTRACT, PRIVATE,
        PUBLIC | STATIC, PRIVATE | STATIC};
    private static final int[] CLASS_METHODS = {PUBLIC, PUBLIC, PUBLIC, PUBLIC, PROTECTED, PROTECTED, 0, 0, 0, 0, PRIVATE, PRIVATE,
        PUBLIC | STATIC, PROTECTED | STATIC, STATIC, PRIVATE | STATIC, PUBLIC | ABSTRACT, PROTECTED | ABSTRACT, ABSTRACT, FINAL};

    /** A class or interface; if it is a caller, one that only calls. Names are as in class files. */
    static final class Type {
        final String name;
        int version;
        int access;
        Type superclass; // null: java/lang/Object
        final List<Type> interfaces = new ArrayList<>();
        final Map<String, Integer> methods = new LinkedHashMap<>(); // with their flags
        Type nestHost;
        final List<Type> nestMembers = new ArrayList<>();
        final List<Call> calls = new ArrayList<>();
        final List<Lambda> lambdas = new ArrayList<>();

        Type(String name, int access) {
            this.name = name;
            this.access = access;
        }

        boolean isInterface() {
            return (access & INTERFACE) != 0;
        }

        boolean isAbstract() {
            return (access & ABSTRACT) != 0;
        }

        boolean isSubtypeOf(Type other) {
            return this == other || superclass != null && superclass.isSubtypeOf(other)
                    || interfaces.stream().anyMatch(type -> type.isSubtypeOf(other));
        }

        /** Whether an instance of this interface must have a method of its own, as far as one can see from here. */
        boolean leavesOpen(String method) {
            Integer flags = methods.get(method);
            return flags != null ? (flags & ABSTRACT) != 0 : interfaces.stream().anyMatch(type -> type.leavesOpen(method));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Virtual calls of interfaces' methods are invokeinterface. */
    enum Kind {
        VIRTUAL, STATIC, SPECIAL
    }

    /** Is a method of the caller by itself, which is given the object to call it on. */
    record Call(Type caller, String name, Kind kind, Type owner, String method) {
        Type receiver() {
            return kind == Kind.SPECIAL ? caller : owner;
        }
    }

    /**
     * A method of the maker that gives a function object: an instance of the interface, and of the marker if that is not null. It
     * runs a method of the maker, or, if the owner is not null, that method of an object that the maker is given.
     */
    record Lambda(Type maker, String name, Type implemented, String method, Type marker, Type owner, String target) {
        /** The method of the maker that runs, if it is one. */
        String body() {
            return name + "_body";
        }
    }

    /** Without the callers. */
    final List<Type> types = new ArrayList<>();
    final List<Type> callers = new ArrayList<>();
    final int seed;
    private final Random random;
    private final List<Type> interfaces = new ArrayList<>();
    private final List<Type> classes = new ArrayList<>();
    /* A program has some of what there can be, so that it has enough of that to meet. */
    private final boolean anyWithoutSuper;
    private final boolean anyFinal;
    private final int[] interfaceMethods;
    private final int[] classMethods;

    RandomProgram(int seed) {
        this.seed = seed;
        random = new Random(seed * 7919L);
        random.nextLong(); // the first one depends little on the seed
        anyWithoutSuper = oneIn(4);
        anyFinal = oneIn(3);
        interfaceMethods = some(INTERFACE_METHODS, 4);
        classMethods = some(CLASS_METHODS, 8);
        int interfaceCount = random.nextInt(6);
        int classCount = 2 + random.nextInt(7);
        for (int i = 0; i < interfaceCount; i++) {
            addInterface("I" + i);
        }
        for (int i = 0; i < classCount; i++) {
            addClass("C" + i);
        }
        if (oneIn(2)) {
            makeNests();
        }
        for (String packageName : PACKAGES) {
            callers.add(new Type(prefix(packageName) + "Caller", PUBLIC | ACC_SUPER));
        }
        for (Type type : all()) {
            type.version = VERSIONS[random.nextInt(VERSIONS.length)];
        }
        addLambdas();
        for (Type type : all()) {
            addCalls(type);
        }
    }

    List<Type> all() {
        List<Type> all = new ArrayList<>(types);
        all.addAll(callers);
        return all;
    }

    boolean hasMarkers() {
        return callers.stream().flatMap(caller -> caller.lambdas.stream()).anyMatch(lambda -> lambda.marker() != null);
    }

    /** The seed of the program that has this class. */
    static int seedOf(String className) {
        return Integer.parseInt(className.substring(1, className.indexOf('/')));
    }

    private String prefix(String packageName) {
        return "s" + seed + "/" + packageName + "/";
    }

    private boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private int[] some(int[] values, int count) {
        return random.ints(count, 0, values.length).map(i -> values[i]).toArray();
    }

    // ---- types ----

    private void addInterface(String name) {
        Type type = new Type(prefix(any(PACKAGES)) + name, PUBLIC | INTERFACE | ABSTRACT);
        addInterfaces(type);
        addMethods(type);
        interfaces.add(type);
        types.add(type);
    }

    private void addClass(String name) {
        int flags = (anyWithoutSuper && oneIn(2) ? 0 : ACC_SUPER) | (oneIn(5) ? ABSTRACT : 0);
        Type type = new Type(prefix(any(PACKAGES)) + name, PUBLIC | flags);
        if (!classes.isEmpty() && !oneIn(6)) {
            type.superclass = oneIn(3) ? any(classes) : classes.get(classes.size() - 1);
        }
        addInterfaces(type);
        addMethods(type);
        classes.add(type);
        types.add(type);
    }

    /** The newest one often, so that they become deep. */
    private void addInterfaces(Type type) {
        for (int count = random.nextInt(3); count > 0 && !interfaces.isEmpty(); count--) {
            Type added = oneIn(2) ? interfaces.get(interfaces.size() - 1) : any(interfaces);
            if (!type.interfaces.contains(added)) {
                type.interfaces.add(added);
            }
        }
    }

    private void addMethods(Type type) {
        int[] flags = type.isInterface() ? interfaceMethods : classMethods;
        for (String method : METHODS) {
            if (oneIn(2)) {
                int access = flags[random.nextInt(flags.length)];
                // Not often: a class is not loaded if it overrides them.
                boolean isFinal = !type.isInterface() && anyFinal && (access & ABSTRACT) == 0 && oneIn(10);
                type.methods.put(method, isFinal ? access | FINAL : access);
            }
        }
    }

    private void makeNests() {
        for (String packageName : PACKAGES) {
            List<Type> members = types.stream().filter(type -> type.name.startsWith(prefix(packageName))).toList();
            for (Type member : members.subList(Math.min(1, members.size()), members.size())) {
                member.nestHost = members.get(0);
                members.get(0).nestMembers.add(member);
            }
        }
    }

    // ---- calls ----

    private void addCalls(Type caller) {
        for (int i = 0; i < CALLS; i++) {
            Kind kind = anyKind(caller);
            Type owner = kind == Kind.SPECIAL ? any(specialOwners(caller)) : any(types);
            String name = kind.name().toLowerCase(Locale.ROOT) + i;
            caller.calls.add(new Call(caller, name, kind, owner, any(METHODS)));
        }
    }

    private Kind anyKind(Type caller) {
        int chance = random.nextInt(callers.contains(caller) ? 6 : 8);
        return chance < 5 ? Kind.VIRTUAL : chance == 5 ? Kind.STATIC : Kind.SPECIAL;
    }

    /** Those that the verifier lets be named: the class itself, its superclasses, its direct superinterfaces. */
    private List<Type> specialOwners(Type caller) {
        return types.stream()
                .filter(owner -> owner == caller || caller.interfaces.contains(owner)
                        || !owner.isInterface() && caller.isSubtypeOf(owner))
                .toList();
    }

    // ---- lambdas ----

    private void addLambdas() {
        Type maker = callers.get(callers.size() - 1);
        for (int count = random.nextInt(5); count > 0 && !interfaces.isEmpty(); count--) {
            Type implemented = any(interfaces);
            List<String> open = METHODS.stream().filter(implemented::leavesOpen).toList();
            Type marker = oneIn(2) ? any(interfaces) : null;
            if (!open.isEmpty() && (marker == null || areRelated(marker, implemented))) {
                Type owner = oneIn(3) ? any(types) : null;
                maker.lambdas.add(new Lambda(maker, "lambda" + count, implemented, any(open), marker, owner, any(METHODS)));
            }
        }
    }

    /** Compilers refuse a lambda of unrelated interfaces that both leave a method open, and the call graph counts on that. */
    private static boolean areRelated(Type one, Type other) {
        return one.isSubtypeOf(other) || other.isSubtypeOf(one);
    }
}
