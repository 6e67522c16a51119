import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process has in memory, as the system counts it; and the race that every program here ends with. */
final class Status {
    private Status() {}

    /** A line of /proc/self/status, in MB: VmRSS is what there is now, VmHWM the most there ever was. */
    static long megabytes(String name) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith(name + ":")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return -1;
    }

    /** For the script: what is in memory at this point. */
    static void report(String when) {
        System.gc();
        System.out.println("memory " + when + " " + megabytes("VmRSS"));
    }

    /** Two threads write a field, and nothing orders them: this must be found however much there was before. */
    static final class Last {
        int racy;
        int guarded;

        synchronized void guard() {
            guarded++;
        }
    }

    static void end() throws InterruptedException {
        Last last = new Last();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                last.guard();
                last.racy = number;
            }, "last " + i);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("guarded " + last.guarded);
        report("end");
        System.out.println("memory peak " + megabytes("VmHWM"));
    }
}
