/** Right: a guarded object reached through an interface, generics and a bridge; the lock is always the object's. */
public class InterfaceLock {
    interface Source<T> {
        T next();

        default T skip(int count) {
            synchronized (this) {
                for (int i = 0; i < count; i++) {
                    next();
                }
                return next();
            }
        }
    }

    static class Numbers implements Source<Integer> {
        private int last;

        @Override
        public synchronized Integer next() {
            return ++last;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Source<Integer> source = new Numbers();
        Runnable work = () -> {
            for (int i = 0; i < 20; i++) {
                source.skip(4);
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(source.next() == 201 ? "ok" : "lost a number");
    }
}
