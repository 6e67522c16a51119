/**
 * A class loader for all classes of a program (java.system.class.loader) that loads one at a time. When main ends a
 * daemon thread is at it, and never done.
 */
public class LockedLoader extends ClassLoader {
    private static final Object ONE = new Object();

    public LockedLoader(ClassLoader parent) {
        super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (ONE) {
            return super.loadClass(name, resolve);
        }
    }

    private static void hold() {
        synchronized (ONE) {
            synchronized (LockedLoader.class) {
                LockedLoader.class.notifyAll();
            }
            while (true) {
                try {
                    Thread.sleep(1000);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread holder = new Thread(LockedLoader::hold);
        holder.setDaemon(true);
        synchronized (LockedLoader.class) {
            holder.start();
            LockedLoader.class.wait();
        }
    }
}
