package calls;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;

/** Virtual, interface, special and static calls: what class hierarchy analysis must find. */
public class Dispatch {
    static class Animal {
        String sound() {
            return "?";
        }

        private String secret() {
            return "animal";
        }

        final String species() {
            return "animal";
        }

        String viaPrivate() {
            return secret(); // expect: virtual calls/Dispatch$Animal.secret()Ljava/lang/String;
        }
    }

    static class Dog extends Animal {
        @Override
        String sound() {
            return super.sound(); // expect: special calls/Dispatch$Animal.sound()Ljava/lang/String;
        }

        // Not an override: the other one is private.
        String secret() {
            return "dog";
        }
    }

    static class Puppy extends Dog {
    }

    abstract static class Ghost extends Animal {
        @Override
        String sound() {
            return "boo";
        }
    }

    static class Cat extends Animal {
        @Override
        String sound() {
            return "meow";
        }
    }

    interface Greeter {
        String greet();

        default String twice() {
            return greet() + greet(); // expect: interface calls/Dispatch$Greeter.greet()Ljava/lang/String; -> calls/Dispatch$Loud.greet()Ljava/lang/String;, calls/Dispatch$Polite.greet()Ljava/lang/String; & interface calls/Dispatch$Greeter.greet()Ljava/lang/String; -> calls/Dispatch$Loud.greet()Ljava/lang/String;, calls/Dispatch$Polite.greet()Ljava/lang/String;
        }
    }

    static class Polite implements Greeter {
        @Override
        public String greet() {
            return "good day";
        }
    }

    static class Loud implements Greeter {
        @Override
        public String greet() {
            return "HEY";
        }

        @Override
        public String twice() {
            return Greeter.super.twice(); // expect: special calls/Dispatch$Greeter.twice()Ljava/lang/String;
        }
    }

    static void animals(Animal animal, Dog dog, Puppy puppy, Ghost ghost) {
        // The abstract class's own method never runs: nothing is exactly a Ghost.
        animal.sound(); // expect: virtual calls/Dispatch$Animal.sound()Ljava/lang/String; -> calls/Dispatch$Animal.sound()Ljava/lang/String;, calls/Dispatch$Cat.sound()Ljava/lang/String;, calls/Dispatch$Dog.sound()Ljava/lang/String;
        dog.sound(); // expect: virtual calls/Dispatch$Dog.sound()Ljava/lang/String;
        puppy.sound(); // expect: virtual calls/Dispatch$Dog.sound()Ljava/lang/String;
        ghost.sound(); // expect: virtual calls/Dispatch$Ghost.sound()Ljava/lang/String; -> (none known)
        animal.species(); // expect: virtual calls/Dispatch$Animal.species()Ljava/lang/String;
        animal.secret(); // expect: virtual calls/Dispatch$Animal.secret()Ljava/lang/String;
    }

    static void greeters(Greeter greeter, Polite polite) {
        greeter.twice(); // expect: interface calls/Dispatch$Greeter.twice()Ljava/lang/String; -> calls/Dispatch$Greeter.twice()Ljava/lang/String;, calls/Dispatch$Loud.twice()Ljava/lang/String;
        polite.twice(); // expect: virtual calls/Dispatch$Greeter.twice()Ljava/lang/String;
    }

    static int[] arrays(int[] array) {
        return array.clone(); // expect: virtual java/lang/Object.clone()Ljava/lang/Object;
    }

    /** The bridge is what the interface call selects; it calls the real one. */
    static class ByLength implements Comparator<String> {
        @Override
        public int compare(String a, String b) {
            return a.length() - b.length(); // expect: virtual java/lang/String.length()I & virtual java/lang/String.length()I
        }
    }

    static void sort(ByLength order) {
        order.compare("a", "b"); // expect: virtual calls/Dispatch$ByLength.compare(Ljava/lang/String;Ljava/lang/String;)I
    }

    static class Ordered implements Comparable<Ordered> {
        @Override
        public int compareTo(Ordered other) {
            return 0;
        }
    }

    /** On platform types: the application's methods, and whatever the platform has besides. */
    static void platform(ExecutorService pool, ForkJoinPool named, Comparable<Object> one, List<?> list,
            Object any) {
        // That this loads ForkJoinPool does not make it the only answer to the next call.
        named.shutdown(); // expect: virtual java/util/concurrent/ForkJoinPool.shutdown()V -> (platform)
        pool.shutdown(); // expect: interface java/util/concurrent/ExecutorService.shutdown()V -> (platform)
        list.stream().count(); // expect: interface java/util/Collection.stream()Ljava/util/stream/Stream; -> (platform) & interface java/util/stream/Stream.count()J -> (platform)
        one.compareTo(""); // expect: interface java/lang/Comparable.compareTo(Ljava/lang/Object;)I -> calls/Dispatch$Ordered.compareTo(Ljava/lang/Object;)I, fields/Fields$Compared.compareTo(Ljava/lang/Object;)I, (platform)
        any.getClass(); // expect: virtual java/lang/Object.getClass()Ljava/lang/Class;
        Supplier<Integer> size = list::size; // expect: static java/util/Objects.requireNonNull(Ljava/lang/Object;)Ljava/lang/Object; & lambda java/util/function/Supplier.get()Ljava/lang/Object; by java/util/List.size()I -> (platform)
        Measure measure = list::size; // expect: static java/util/Objects.requireNonNull(Ljava/lang/Object;)Ljava/lang/Object; & lambda calls/Dispatch$Measure.measure()I by java/util/List.size()I -> (platform)
        measure.measure(); // expect: interface calls/Dispatch$Measure.measure()I -> (platform)
        Measure exact = "text"::length; // expect: lambda calls/Dispatch$Measure.measure()I -> java/lang/String.length()I
    }

    interface Measure {
        int measure();
    }

    static class Initialized {
        static final Object LOCK = new Object();
        static int count;

        static void touch() {
            count++; // expect: nothing
        }
    }

    static class InitializedToo extends Initialized {
        static final Object OTHER = new Object();
    }

    static void initialize() {
        Initialized.touch(); // expect: initializer calls/Dispatch$Initialized.touch()V -> calls/Dispatch$Initialized.<clinit>()V & static calls/Dispatch$Initialized.touch()V
        // Once for each class and method.
        Initialized.touch(); // expect: static calls/Dispatch$Initialized.touch()V
        // The field is the superclass's: only that one is initialized.
        InitializedToo.count = 1; // expect: nothing
        new InitializedToo(); // expect: initializer calls/Dispatch$InitializedToo -> calls/Dispatch$Initialized.<clinit>()V, calls/Dispatch$InitializedToo.<clinit>()V & special calls/Dispatch$InitializedToo.<init>()V
    }

    static Supplier<String> unused;
}
