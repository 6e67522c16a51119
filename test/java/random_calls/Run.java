import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Loads a program's classes in this JVM, makes an object of each and all lambdas, and makes each call on all of them. */
final class Run {
    private final RandomProgram program;
    private final Map<RandomProgram.Type, Class<?>> classes = new HashMap<>(); // without those that the JVM refuses
    private final List<Object> objects = new ArrayList<>();
    private boolean complete = true;

    Run(RandomProgram program) {
        this.program = program;
    }

    List<Observation> observe() {
        program.all().forEach(this::load);
        program.types.forEach(this::addObject);
        addFunctions();
        List<Observation> observations = new ArrayList<>();
        for (RandomProgram.Type type : program.all()) {
            if (classes.containsKey(type)) {
                type.calls.forEach(call -> observations.add(observe(call)));
            }
        }
        return observations;
    }

    private void load(RandomProgram.Type type) {
        try {
            classes.put(type, Class.forName(type.name.replace('/', '.')));
        } catch (LinkageError e) {
            complete = false;
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private void addObject(RandomProgram.Type type) {
        if (type.isAbstract() || !classes.containsKey(type)) {
            return;
        }
        try {
            objects.add(classes.get(type).getConstructor().newInstance());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void addFunctions() {
        List<Object> functions = new ArrayList<>();
        for (RandomProgram.Type maker : program.callers) {
            maker.lambdas.forEach(lambda -> functions.addAll(functions(lambda)));
        }
        objects.addAll(functions); // not before: a lambda is given objects of classes, not other lambdas
    }

    private List<Object> functions(RandomProgram.Lambda lambda) {
        List<Object> functions = new ArrayList<>();
        for (Object given : lambda.owner() == null ? Collections.singletonList(null) : instances(lambda.owner())) {
            try {
                functions.add(invoke(lambda.maker(), lambda.name(), given));
            } catch (InvocationTargetException e) {
                complete = false;
            }
        }
        complete &= !functions.isEmpty();
        return functions;
    }

    private Observation observe(RandomProgram.Call call) {
        Set<String> ran = new TreeSet<>();
        Set<String> errors = new TreeSet<>();
        if (call.kind() == RandomProgram.Kind.STATIC) {
            make(call, null, ran, errors);
        } else {
            instances(call.receiver()).forEach(receiver -> make(call, receiver, ran, errors));
        }
        return new Observation(call.caller().name, call.name(), complete, ran, errors);
    }

    private void make(RandomProgram.Call call, Object receiver, Set<String> ran, Set<String> errors) {
        try {
            ran.add((String) invoke(call.caller(), call.name(), receiver));
        } catch (InvocationTargetException e) {
            errors.add(e.getCause().getClass().getSimpleName());
        }
    }

    private List<Object> instances(RandomProgram.Type type) {
        Class<?> loaded = classes.get(type);
        return loaded == null ? List.of() : objects.stream().filter(loaded::isInstance).toList();
    }

    private Object invoke(RandomProgram.Type type, String method, Object argument) throws InvocationTargetException {
        try {
            return classes.get(type).getMethod(method, Object.class).invoke(null, argument);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
