import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Right: setVolatile() and getVolatile() of a VarHandle make a plain field a volatile one. */
public class VarHandleVolatile {
    static class Mail {
        static final VarHandle READY;

        static {
            try {
                READY = MethodHandles.lookup().findVarHandle(Mail.class, "ready", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        boolean ready;
        int letter;
    }

    public static void main(String[] arguments) throws Exception {
        Mail mail = new Mail();
        mail.letter = 1;
        Thread writer = new Thread(() -> {
            mail.letter = 42;
            Mail.READY.setVolatile(mail, true);
        });
        Thread reader = new Thread(() -> {
            while (!(boolean) Mail.READY.getVolatile(mail)) {
                Thread.yield();
            }
            if (mail.letter != 42) {
                throw new AssertionError();
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
