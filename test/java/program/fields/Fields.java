package fields;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Final and effectively final fields: each rule, kept and broken. */
public class Fields {
    static List<Object> registry = new ArrayList<>(); // expect: static field registry Ljava/util/List; effectively final

    static class Good {
        final int declared; // expect: field declared I final
        private int once; // expect: field once I effectively final
        int packageOnce; // expect: field packageOnce I effectively final
        Object lock = new Object(); // expect: field lock Ljava/lang/Object; effectively final
        long wide; // expect: field wide J effectively final
        int onBothPaths; // expect: field onBothPaths I effectively final
        int readAfter; // expect: field readAfter I effectively final
        int neverAssigned; // expect: field neverAssigned I never assigned
        int copied; // expect: field copied I effectively final

        Good(int value, boolean choice, Good other) {
            declared = value;
            once = value;
            packageOnce = value;
            wide = value;
            if (choice)
                onBothPaths = 1;
            else
                onBothPaths = 2;
            readAfter = 5;
            int sum = readAfter + this.readAfter;
            // Reading another object's field is no reading before.
            copied = other.copied + sum;
            // Everything is assigned: now the object may be shown.
            registry.add(this);
        }

        Good() {
            this(1, true, null);
        }

        int sum() {
            return once + packageOnce + onBothPaths + (int) wide + neverAssigned;
        }
    }

    static class Bad {
        int assignedInMethod; // expect: field assignedInMethod I assigned elsewhere
        int assignedByOther; // expect: field assignedByOther I assigned elsewhere
        int assignedTwice; // expect: field assignedTwice I assigned twice
        int assignedInLoop; // expect: field assignedInLoop I assigned twice
        int sometimes; // expect: field sometimes I not always assigned
        int onlyInOneConstructor; // expect: field onlyInOneConstructor I not always assigned
        int readBefore; // expect: field readBefore I read before assigned
        int onOtherObject; // expect: field onOtherObject I assigned elsewhere
        int initializerAndConstructor = 3; // expect: field initializerAndConstructor I assigned twice
        int inLambda; // expect: field inLambda I assigned elsewhere
        int incremented; // expect: field incremented I read before assigned
        int caught; // expect: field caught I assigned twice

        Bad(int value, Bad other) {
            assignedInMethod = 1;
            assignedTwice = 1;
            assignedTwice = 2;
            for (int i = 0; i < value; i++)
                assignedInLoop = i;
            if (value > 3)
                sometimes = 1;
            onlyInOneConstructor = 1;
            int before = this.readBefore;
            readBefore = before + 1;
            other.onOtherObject = 1;
            initializerAndConstructor = 4;
            Runnable later = () -> inLambda = 1;
            incremented++;
            try {
                caught = Integer.parseInt("1");
            } catch (NumberFormatException e) {
                caught = 0;
            }
        }

        Bad() {
            initializerAndConstructor = 5;
            assignedTwice = 1;
            readBefore = 1;
            incremented = 1;
            caught = 1;
        }

        void change() {
            assignedInMethod = 2;
        }
    }

    static void outside(Bad bad) {
        bad.assignedByOther = 1;
    }

    /** `this` gets out of the constructor before the assignment. */
    static class Escapes {
        int afterMethod; // expect: field afterMethod I visible before assigned
        int beforeMethod; // expect: field beforeMethod I effectively final

        Escapes() {
            beforeMethod = 1;
            helper();
            afterMethod = 1;
        }

        void helper() {
        }
    }

    static class Stored {
        static Stored last; // expect: static field last Lfields/Fields$Stored; assigned elsewhere
        int afterStore; // expect: field afterStore I visible before assigned

        Stored() {
            last = this;
            afterStore = 1;
        }
    }

    static class InArray {
        int afterArray; // expect: field afterArray I visible before assigned

        InArray(Object[] array) {
            Object copy = this;
            array[0] = copy;
            afterArray = 1;
        }
    }

    static class Captured {
        int afterCapture; // expect: field afterCapture I visible before assigned

        Captured() {
            Runnable later = () -> System.out.println(this);
            afterCapture = 1;
        }
    }

    /** The superclass's constructor shows the object, so its own fields come too late. */
    static class SubOfEscapes extends Escapes {
        int afterSuper; // expect: field afterSuper I visible before assigned

        SubOfEscapes() {
            afterSuper = 1;
        }
    }

    /** Superclasses of the application and of the platform that keep the object to themselves. */
    static class Quiet {
        int own; // expect: field own I effectively final

        Quiet() {
            own = 1;
        }
    }

    static class SubOfQuiet extends Quiet {
        int afterQuiet; // expect: field afterQuiet I effectively final

        SubOfQuiet() {
            afterQuiet = 1;
        }
    }

    static class InThread extends Thread {
        int inThread; // expect: field inThread I effectively final

        InThread() {
            inThread = 1;
        }
    }

    static class InList extends ArrayList<String> {
        int inList; // expect: field inList I effectively final

        InList() {
            inList = 1;
        }
    }

    static class InException extends RuntimeException {
        int inException; // expect: field inException I effectively final

        InException(String message) {
            super(message);
            inException = 1;
        }
    }

    static class InTracelessException extends RuntimeException {
        int inTraceless; // expect: field inTraceless I visible before assigned

        InTracelessException() {
            inTraceless = 1;
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            System.out.println(inTraceless);
            return this;
        }
    }

    /** A subclass assigns an inherited field. */
    static class Base {
        protected int inherited; // expect: field inherited I assigned elsewhere

        Base() {
            inherited = 1;
        }
    }

    static class Derived extends Base {
        Derived() {
            inherited = 2;
        }
    }

    /** Delegating to another constructor, then assigning again. */
    static class Delegates {
        int again; // expect: field again I assigned twice

        Delegates(int value) {
            again = value;
        }

        Delegates() {
            this(1);
            again = 2;
        }
    }

    /** Fields written by name. */
    static class Updated {
        private volatile int state; // expect: field state I written by name
        private volatile int other; // expect: field other I effectively final
        static final AtomicIntegerFieldUpdater<Updated> UPDATER =
                AtomicIntegerFieldUpdater.newUpdater(Updated.class, "state");

        Updated() {
            state = 1;
            other = 2;
        }
    }

    /** A field that is written by the name of a class far below. */
    static class Inherited {
        int inherited; // expect: field inherited I written by name

        Inherited() {
            inherited = 1;
        }
    }

    static class Between extends Inherited {
    }

    static class Below extends Between {
    }

    static class WritesBelow {
        static Object handle() throws ReflectiveOperationException {
            return MethodHandles.lookup().findVarHandle(Below.class, "inherited", int.class);
        }
    }

    static class Statics {
        static Object early = new Object(); // expect: static field early Ljava/lang/Object; effectively final
        static int computed = compute(); // expect: static field computed I effectively final
        static int afterReader = reader(); // expect: static field afterReader I visible before assigned
        static int mutable; // expect: static field mutable I assigned elsewhere
        static int constant = 5; // expect: static field constant I visible before assigned

        static int compute() {
            return 5;
        }

        static int reader() {
            return constant;
        }

        static void set() {
            mutable = 1;
        }
    }

    /** The initializers of superclasses run first. */
    static class ReadsBelow {
        static final long seen = ReadBelow.number;
    }

    static class ReadBelow extends ReadsBelow {
        static long number = System.nanoTime(); // expect: static field number J visible before assigned
    }

    static class ReadsNothing {
        static final Object own = new Object();
    }

    static class NotRead extends ReadsNothing {
        static long calm = System.nanoTime(); // expect: static field calm J effectively final
    }

    /** The platform's comparator calls compareTo; those of this program read nothing. */
    static class Compared implements Comparable<Compared> {
        static int limit; // expect: static field limit I visible before assigned

        static {
            Comparator<Compared> natural = Comparator.naturalOrder();
            natural.compare(new Compared(), new Compared());
            limit = 5;
        }

        @Override
        public int compareTo(Compared other) {
            return limit;
        }
    }

    /** The platform's constructor calls a method that this program overrides. */
    static class ReadsWhenMade extends RuntimeException {
        @Override
        public synchronized Throwable fillInStackTrace() {
            return MakesReader.depth > 0 ? super.fillInStackTrace() : this;
        }
    }

    static class MakesReader {
        static int depth; // expect: static field depth I visible before assigned

        static {
            new ReadsWhenMade();
            depth = 5;
        }
    }

    static class Unnoticed extends RuntimeException {
        @Override
        public String getMessage() {
            return "" + MakesOther.length;
        }
    }

    static class MakesOther {
        static int length; // expect: static field length I effectively final

        static {
            new Unnoticed();
            length = 5;
        }
    }

    static class InLoop {
        static int sum; // expect: static field sum I assigned twice
        static int[] table = new int[3]; // expect: static field table [I effectively final

        static {
            for (int i = 0; i < 3; i++) {
                table[i] = i;
                sum = i;
            }
        }
    }

    /** Leaving by an exception is no completion. */
    static class Throws {
        int checked; // expect: field checked I effectively final

        Throws(int value) {
            if (value < 0)
                throw new IllegalArgumentException("negative");
            checked = value;
        }
    }

    class Inner {
        int inInner; // expect: field inInner I effectively final

        Inner() {
            inInner = 1;
        }
    }
}
