package entries;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.TimerTask;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RecursiveTask;
import java.util.function.Supplier;

/** Entry points, and what is reached from them. */
public class Entries {
    public static void main(String[] arguments) throws Exception { // expect: method main([Ljava/lang/String;)V [entry: main] [reached from main]
        new Chosen(1);
        onlyFromMain();
        both();
        new Worker().start();
        new TreeSet<String>(new Order()).add("x");
        Runnable body = () -> fromLambda();
        new Thread(body).start();
        CompletableFuture.supplyAsync(() -> supplied());
        Supplier<String> now = Entries::main2;
        inTheCaller(new ArrayList<>(List.of(1, 2)));
        finalizers();
        defaults();
        EnumSet.allOf(Constant.class);
    }

    static void main(int notStrings) { // expect: method main(I)V [not reached]
    }

    static void onlyFromMain() { // expect: method onlyFromMain()V [reached from main]
    }

    static void both() { // expect: method both()V [reached from main, thread]
    }

    static void onlyFromThread() { // expect: method onlyFromThread()V [reached from thread]
    }

    // Main hands these to other threads, but that it does not run them itself is not known.
    static void fromWorker() { // expect: method fromWorker()V [reached from main, thread]
    }

    static void fromLambda() { // expect: method fromLambda()V [reached from main, thread]
    }

    static String supplied() { // expect: method supplied()Ljava/lang/String; [reached from main, thread]
        return "";
    }

    static String main2() { // expect: method main2()Ljava/lang/String; [entry: thread, stage of a CompletableFuture] [reached from main, thread]
        return "";
    }

    /** Function objects of the kinds that threads run, but run by their maker. */
    static void inTheCaller(List<Integer> list) {
        CompletableFuture.runAsync(Entries::nothing);
        list.forEach(x -> each(x));
        list.parallelStream().forEach(x -> eachParallel(x));
        new FutureTask<Integer>(Entries::future).run();
        new Thread(() -> neverStarted()).run();
        new FutureTask<String>(new MadeInMain()).run();
    }

    static void nothing() {
    }

    static void each(int x) { // expect: method each(I)V [reached from main, thread]
    }

    static void eachParallel(int x) { // expect: method eachParallel(I)V [reached from main, thread]
    }

    static int future() { // expect: method future()I [entry: thread, call of a Callable] [reached from main, thread]
        return 1;
    }

    static void neverStarted() { // expect: method neverStarted()V [reached from main, thread]
    }

    static class MadeInMain implements Callable<String> {
        @Override
        public String call() { // expect: method call()Ljava/lang/String; [reached from main, thread]
            return called();
        }

        static String called() { // expect: method called()Ljava/lang/String; [reached from main, thread]
            return "";
        }
    }

    /** Made by a thread that main does not make, so main does not run it. */
    static class MadeInThread implements Runnable {
        @Override
        public void run() {
            onlyFromThread();
        }
    }

    /** Only the finalizer's thread calls finalize, unless the program does so itself. */
    static void finalizers() {
        new Stored();
        new Finalized();
        new FinalizedByHand().finalize();
        Runnable reference = new FinalizedByReference()::finalize;
    }

    static class Finalized {
        @Override
        protected void finalize() {
            onlyFromFinalizer();
        }

        void onlyFromFinalizer() { // expect: method onlyFromFinalizer()V [reached from finalizer]
        }
    }

    static class FinalizedByHand {
        @Override
        protected void finalize() {
            byHand();
        }

        void byHand() { // expect: method byHand()V [reached from main, finalizer]
        }
    }

    static class FinalizedByReference {
        @Override
        protected void finalize() {
            byReference();
        }

        void byReference() { // expect: method byReference()V [reached from main, thread, finalizer]
        }
    }

    /** Function objects whose default methods the platform calls; Runnable may be a marker. */
    static void defaults() {
        new Thread((Job) () -> job()).start();
        new Thread((Runnable & Same) Entries::marked).start();
        new Thread((Same & Runnable) Entries::markedBefore).start();
        List.of("b", "a").sort((ByLength) text -> text.length());
    }

    interface Job extends Runnable {
        void go();

        @Override
        default void run() { // expect: method run()V [entry: thread, run of a Runnable] [reached from main, thread]
            beforeJob();
            go();
        }

        default void beforeJob() { // expect: method beforeJob()V [reached from main, thread]
        }

        default void nothingToThePlatform() { // expect: method nothingToThePlatform()V [not reached]
        }
    }

    static void job() { // expect: method job()V [reached from main, thread]
    }

    interface Same {
        void run();
    }

    static void marked() { // expect: method marked()V [entry: thread, run of a Runnable] [reached from main, thread]
    }

    static void markedBefore() { // expect: method markedBefore()V [entry: thread, run of a Runnable] [reached from main, thread]
    }

    interface ByLength extends Comparator<String> {
        int length(String text);

        @Override
        default int compare(String a, String b) {
            beforeLengths();
            return length(a) - length(b);
        }

        static void beforeLengths() { // expect: method beforeLengths()V [reached from main]
        }
    }

    interface NeverALambda extends Runnable {
        void go();

        @Override
        default void run() {
            inNoObject();
        }

        default void inNoObject() { // expect: method inNoObject()V [not reached]
        }
    }

    /** Nothing names its constants, but EnumSet asks for all of them. */
    enum Constant {
        ONE, TWO;

        Constant() {
            made();
        }

        static void made() { // expect: method made()V [reached from main]
        }
    }

    static void nobody() { // expect: method nobody()V [not reached]
        new NeverMade();
    }

    static class Worker extends Thread {
        @Override
        public void run() { // expect: method run()V [entry: thread, run of a Thread] [reached from main, thread]
            both();
            fromWorker();
        }
    }

    static class Call implements Callable<String> {
        @Override
        public String call() { // expect: method call()Ljava/lang/String; [reached from thread]
            new MadeInThread();
            return "";
        }
    }

    static class Timer1 extends TimerTask {
        @Override
        public void run() {
            timed();
        }

        void timed() { // expect: method timed()V [reached from thread]
        }
    }

    static class Fork extends RecursiveTask<Integer> {
        @Override
        protected Integer compute() { // expect: method compute()Ljava/lang/Integer; [reached from thread]
            return 1;
        }
    }

    /** The run method is inherited from a class that knows nothing of threads. */
    static class Unaware {
        public void run() {
            unaware();
        }

        void unaware() { // expect: method unaware()V [reached from thread]
        }
    }

    static class Aware extends Unaware implements Runnable {
    }

    /** Called by TreeSet, whose code is not looked into. */
    static class Order implements Comparator<String> {
        @Override
        public int compare(String a, String b) { // expect: method compare(Ljava/lang/String;Ljava/lang/String;)I [reached from main]
            return 0;
        }
    }

    static class NeverMade implements Comparator<Integer> {
        @Override
        public int compare(Integer a, Integer b) { // expect: method compare(Ljava/lang/Integer;Ljava/lang/Integer;)I [not reached]
            return 0;
        }
    }

    static class Stored implements Serializable {
        private void readObject(ObjectInputStream in) throws IOException { // expect: method readObject(Ljava/io/ObjectInputStream;)V [entry: serialization] [reached from serialization]
        }

        @Override
        protected void finalize() { // expect: method finalize()V [entry: finalizer] [reached from finalizer]
        }
    }

    static class NotStored {
        private void readObject(ObjectInputStream in) throws IOException { // expect: method readObject(Ljava/io/ObjectInputStream;)V [not reached]
        }
    }

    /** Whoever makes an object chooses the constructor: the platform calls none by itself. */
    static class Chosen {
        Chosen() { // expect: method <init>()V [not reached]
            notChosen();
        }

        Chosen(int other) { // expect: method <init>(I)V [reached from main]
        }

        static void notChosen() { // expect: method notChosen()V [not reached]
        }
    }
}
