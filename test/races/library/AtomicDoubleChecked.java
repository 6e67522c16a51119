import java.util.concurrent.atomic.AtomicReference;

/** Right: double-checked locking over an AtomicReference. */
public class AtomicDoubleChecked {
    static class Service {
        int port;
        String host;

        Service() {
            port = 80;
            host = "host";
        }
    }

    static final Object lock = new Object();
    static final AtomicReference<Service> instance = new AtomicReference<>();

    static Service service() {
        Service service = instance.get();
        if (service == null) {
            synchronized (lock) {
                service = instance.get();
                if (service == null) {
                    service = new Service();
                    instance.set(service);
                }
            }
        }
        return service;
    }

    public static void main(String[] arguments) throws Exception {
        Runnable work = () -> {
            for (int i = 0; i < 50; i++) {
                if (service().port != 80 || !service().host.equals("host")) {
                    throw new AssertionError();
                }
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        Thread third = new Thread(work);
        first.start();
        second.start();
        third.start();
        first.join();
        second.join();
        third.join();
        System.out.println("ok");
    }
}
