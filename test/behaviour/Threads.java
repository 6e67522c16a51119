import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Threads: names, groups, locals, who is there, pools, and what the stack looks like from inside. */
public class Threads {
    static final ThreadLocal<int[]> LOCAL = ThreadLocal.withInitial(() -> new int[] {5});
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();
    int depth;

    static String describe(Thread thread) {
        return thread.getName() + " " + thread.getPriority() + " " + thread.isDaemon() + " " + thread.isAlive() + " "
                + thread.getState() + " "
            + (thread.getThreadGroup() == null ? null : thread.getThreadGroup().getName()) + " "
            + (thread.getContextClassLoader() != null);
    }

    static class Worker extends Thread {
        int result;
        private final int given;

        Worker(ThreadGroup group, int given) {
            super(group, "worker " + given);
            this.given = given;
        }

        @Override
        public void run() {
            for (int i = 0; i < given; i++) {
                result += i;
            }
            LOCAL.get()[0] += given;
            result += LOCAL.get()[0];
            System.out.println(describe(this) + " " + (currentThread() == this) + INHERITED.get());
        }
    }

    static class Sum extends RecursiveTask<Long> {
        private final int[] data;
        private final int low;
        private final int high;

        Sum(int[] data, int low, int high) {
            this.data = data;
            this.low = low;
            this.high = high;
        }

        @Override
        protected Long compute() {
            if (high - low < 100) {
                long sum = 0;
                for (int i = low; i < high; i++) {
                    sum += data[i];
                }
                return sum;
            }
            int middle = (low + high) >>> 1;
            Sum left = new Sum(data, low, middle);
            left.fork();
            return new Sum(data, middle, high).compute() + left.join();
        }
    }

    synchronized List<String> walk(int more) {
        depth++;
        if (more > 0) {
            int[] marks = {more};
            synchronized (marks) {
                marks[0]--;
                return walk(marks[0]);
            }
        }
        List<String> frames = new ArrayList<>();
        frames.add(Arrays.toString(Thread.currentThread().getStackTrace()));
        frames.add(Arrays.toString(new Throwable().getStackTrace()));
        frames.add(StackWalker.getInstance().walk(stream -> stream.map(StackFrame::toString).collect(Collectors.joining(" "))));
        StackWalker walker = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);
        frames.add(walker.getCallerClass() + " "
                + walker.walk(stream -> stream.map(f -> f.getDeclaringClass().getSimpleName() + f.getMethodType()
                + f.getLineNumber() + f.isNativeMethod()).collect(Collectors.joining(" "))));
        return frames;
    }

    static String everyThread() throws InterruptedException {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread[] threads = new Thread[100];
        int count = group.enumerate(threads);
        /* These come when they like. */
        return Arrays.stream(threads, 0, count).map(Thread::getName).filter(name -> !name.equals("Common-Cleaner")
                && !name.equals("Notification Thread")).sorted().collect(Collectors.joining(", "));
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(describe(Thread.currentThread()) + " " + Thread.activeCount() + " " + everyThread());
        INHERITED.set("from main");
        LOCAL.get()[0] = 1;
        ThreadGroup group = new ThreadGroup("workers") {
            @Override
            public void uncaughtException(Thread thread, Throwable thrown) {
                System.out.println("group: " + thread.getName() + " " + thrown);
            }
        };
        for (int i = 0; i < 4; i++) {
            Worker worker = new Worker(group, i * 10);
            worker.setDaemon(i % 2 == 0);
            worker.setPriority(i + 3);
            worker.start();
            worker.join();
            System.out.println(worker.result + " " + describe(worker));
        }
        System.out.println(LOCAL.get()[0]);
        Thread failing = new Thread(group, () -> { throw new IllegalStateException("in the group"); }, "failing");
        failing.start();
        failing.join();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> System.out.println("default: " + thread.getName()
                + " " + thrown.getMessage()));
        Thread unnamed = new Thread(() -> { int[] none = null; none[0] = 1; });
        System.out.println(unnamed.getName());
        unnamed.start();
        unnamed.join();

        Threads threads = new Threads();
        threads.walk(2).forEach(System.out::println);
        Callable<List<String>> walking = () -> threads.walk(1);
        walking.call().forEach(System.out::println);
        synchronized (threads) {
            System.out.println(threads.depth);
        }

        ExecutorService pool = Executors.newFixedThreadPool(3);
        AtomicInteger total = new AtomicInteger();
        List<Future<int[]>> futures = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            int[] own = {i};
            futures.add(pool.submit(() -> {
                own[0] *= own[0];
                total.addAndGet(own[0]);
                return own;
            }));
        }
        int sum = 0;
        for (Future<int[]> future : futures) {
            sum += future.get()[0];
        }
        pool.shutdown();
        System.out.println(sum + " " + total + " " + pool.awaitTermination(10, TimeUnit.SECONDS) + " "
                + pool.isTerminated());

        int[] data = IntStream.range(0, 5000).toArray();
        System.out.println(new ForkJoinPool(2).invoke(new Sum(data, 0, data.length)) + " "
                + Arrays.stream(data).parallel().filter(i -> i % 3 == 0).count());
        ConcurrentHashMap<Integer, int[]> map = new ConcurrentHashMap<>();
        IntStream.range(0, 1000).parallel().forEach(i -> map.computeIfAbsent(i % 10, k -> new int[] {k}));
        System.out.println(map.size() + " " + map.get(7)[0]);
        CompletableFuture<int[]> future = CompletableFuture.supplyAsync(() -> new int[] {1})
            .thenApplyAsync(a -> { a[0]++; return a; }).thenCombine(CompletableFuture.supplyAsync(() -> 40), (a,
                    b) -> { a[0] += b; return a; });
        System.out.println(future.get()[0]);
        System.out.println(CompletableFuture.supplyAsync(() -> data[-1]).handle((v, e) -> String.valueOf(e)).get());
        ConcurrentLinkedQueue<String> fired = new ConcurrentLinkedQueue<>();
        CountDownLatch latch = new CountDownLatch(3);
        Timer timer = new Timer("timer", true);
        timer.schedule(new TimerTask() {
            int times;

            @Override
            public void run() {
                fired.add("fired" + times++);
                latch.countDown();
                if (times == 3) {
                    cancel();
                }
            }
        }, 1, 1);
        latch.await();
        timer.cancel();
        System.out.println(fired);
    }
}
