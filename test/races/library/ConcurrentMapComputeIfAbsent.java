import java.util.concurrent.ConcurrentHashMap;

/** Right: the function of computeIfAbsent() builds each value once; all who get it see it whole. */
public class ConcurrentMapComputeIfAbsent {
    static class Config {
        int key;
        String text;

        Config(int key) {
            this.key = key;
            text = "config";
        }
    }

    static final ConcurrentHashMap<Integer, Config> configs = new ConcurrentHashMap<>();

    static void work() {
        for (int i = 0; i < 200; i++) {
            Config config = configs.computeIfAbsent(i, Config::new);
            if (config.key != i || config.text.length() != 6) {
                throw new AssertionError();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(ConcurrentMapComputeIfAbsent::work);
        Thread second = new Thread(ConcurrentMapComputeIfAbsent::work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (configs.size() != 200) {
            throw new AssertionError(configs.size());
        }
        System.out.println("ok");
    }
}
