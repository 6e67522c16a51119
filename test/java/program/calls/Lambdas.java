package calls;

import java.io.Serializable;
import java.util.function.Function;

/** invokedynamic: lambdas and method references, string concatenation, records. */
public class Lambdas {
    interface Task {
        void go();

        default void goTwice() {
            go(); // expect: interface calls/Lambdas$Task.go()V -> calls/Lambdas.helper()V, calls/Lambdas.lambda$markers()V, calls/Lambdas.lambda$make()V
        }
    }

    interface Maker<T> {
        T get();
    }

    static class Shape {
        String name() {
            return "shape";
        }
    }

    static class Circle extends Shape {
        @Override
        String name() {
            return "circle";
        }
    }

    static void helper() {
    }

    static Task make() {
        return () -> System.gc(); // expect: lambda calls/Lambdas$Task.go()V -> calls/Lambdas.lambda$make()V & static java/lang/System.gc()V
    }

    static Task reference() {
        return Lambdas::helper; // expect: lambda calls/Lambdas$Task.go()V -> calls/Lambdas.helper()V
    }

    static Function<Shape, String> virtualReference() {
        return Shape::name; // expect: lambda java/util/function/Function.apply(Ljava/lang/Object;)Ljava/lang/Object; -> calls/Lambdas$Circle.name()Ljava/lang/String;, calls/Lambdas$Shape.name()Ljava/lang/String;
    }

    static Maker<Shape> constructorReference() {
        return Circle::new; // expect: lambda calls/Lambdas$Maker.get()Ljava/lang/Object; -> calls/Lambdas$Circle.<init>()V
    }

    static Maker<String> capturing(Shape shape) {
        return () -> shape.name(); // expect: lambda calls/Lambdas$Maker.get()Ljava/lang/Object; -> calls/Lambdas.lambda$capturing(Lcalls/Lambdas$Shape;)Ljava/lang/String; & virtual calls/Lambdas$Shape.name()Ljava/lang/String; -> calls/Lambdas$Circle.name()Ljava/lang/String;, calls/Lambdas$Shape.name()Ljava/lang/String;
    }

    static Task markers() {
        return (Task & java.util.EventListener) () -> { }; // expect: lambda calls/Lambdas$Task.go()V -> calls/Lambdas.lambda$markers()V
    }

    static void run(Task task, Maker<Shape> supplier) {
        task.go(); // expect: interface calls/Lambdas$Task.go()V -> calls/Lambdas.helper()V, calls/Lambdas.lambda$markers()V, calls/Lambdas.lambda$make()V
        task.goTwice(); // expect: interface calls/Lambdas$Task.goTwice()V
        supplier.get(); // expect: interface calls/Lambdas$Maker.get()Ljava/lang/Object; -> calls/Lambdas.lambda$capturing(Lcalls/Lambdas$Shape;)Ljava/lang/String;, calls/Lambdas$Circle.<init>()V
    }

    static String concat(Shape shape, int number, String text) {
        return "a" + shape + number + text;
    }

    record Pair(Shape first, int second) {
    }

    static String lines(Pair pair) {
        return pair.toString(); // expect: virtual calls/Lambdas$Pair.toString()Ljava/lang/String;
    }

    static Serializable unused;
}
