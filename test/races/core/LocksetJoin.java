/**
 * With locksets alone start and join count for nothing: the second thread takes the field over, and when the first
 * comes back without a lock it is shared and not protected. StartJoin is the twin without the option.
 */
public class LocksetJoin {
    //! options: --races lockset
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        value = 1;
        Thread thread = new Thread(() -> {
            value = 2;
        });
        thread.start();
        thread.join();
        value = 3; //! race predicted LocksetJoin.value
        System.out.println("ok");
    }
}
