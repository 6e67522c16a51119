import java.io.IOException;
import java.io.InputStream;

/** Right: one class loaded twice has two static fields; each is used by one thread. */
public class TwoLoaders {
    public static class Task implements Runnable {
        static int count;
        static final int[] cells = new int[1];
        int own;

        @Override
        public void run() {
            for (int i = 0; i < 10; i++) {
                count++;
                cells[0]++;
                own++;
            }
            if (count + cells[0] + own != 30) {
                throw new IllegalStateException();
            }
        }
    }

    static class Loader extends ClassLoader {
        Runnable task() throws IOException, ReflectiveOperationException {
            try (InputStream stream = TwoLoaders.class.getResourceAsStream("TwoLoaders$Task.class")) {
                byte[] bytes = stream.readAllBytes();
                Class<?> task = defineClass("TwoLoaders$Task", bytes, 0, bytes.length);
                return (Runnable) task.getDeclaredConstructor().newInstance();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(new Loader().task());
        Thread second = new Thread(new Loader().task());
        Thread third = new Thread(new Task());
        first.start();
        second.start();
        third.start();
        first.join();
        second.join();
        third.join();
        System.out.println("ok");
    }
}
