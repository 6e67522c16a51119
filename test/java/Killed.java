import java.io.File;
import java.io.IOException;

/**
 * Two threads access a field that nothing protects, and then the program waits to be killed.
 *
 *     Killed           prints "ready" and its process id when the threads have ended
 *     Killed parent    starts another JVM with the program, kills it when it is ready, and ends by itself
 */
public class Killed {
    static int shared;

    static void increment() {
        shared++;
    }

    static void race() throws InterruptedException {
        Thread[] threads = {new Thread(Killed::increment, "one"), new Thread(Killed::increment, "other")};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void killAnother() throws IOException, InterruptedException {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        Process other = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "Killed")
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        while (other.getInputStream().read() != '\n') {
            // it prints one line
        }
        other.destroyForcibly().waitFor();
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length > 0) {
            killAnother();
            System.out.println("killed");
            return;
        }
        race();
        System.out.println("ready " + ProcessHandle.current().pid());
        Thread.sleep(600_000);
    }
}
