import quiet.Order;

/** Wrong: instance fields of every type, each written by one thread and read by another at the same time. */
public class InstanceFieldKinds {
    static class All {
        boolean flag;
        byte small;
        char letter;
        short middle;
        int number;
        float real;
        long big;
        double fine;
        Object thing;
    }

    static void write(All all) {
        all.flag = true; //! race observed InstanceFieldKinds$All.flag
        all.small = 1; //! race observed InstanceFieldKinds$All.small
        all.letter = 'a'; //! race observed InstanceFieldKinds$All.letter
        all.middle = 2; //! race observed InstanceFieldKinds$All.middle
        all.number = 3; //! race observed InstanceFieldKinds$All.number
        all.real = 4.5f; //! race observed InstanceFieldKinds$All.real
        all.big = 5L; //! race observed InstanceFieldKinds$All.big
        all.fine = 6.5; //! race observed InstanceFieldKinds$All.fine
        all.thing = "seven"; //! race observed InstanceFieldKinds$All.thing
    }

    static int read(All all) {
        int sum = 0;
        sum += all.flag ? 1 : 0; //! race observed InstanceFieldKinds$All.flag
        sum += all.small; //! race observed InstanceFieldKinds$All.small
        sum += all.letter; //! race observed InstanceFieldKinds$All.letter
        sum += all.middle; //! race observed InstanceFieldKinds$All.middle
        sum += all.number; //! race observed InstanceFieldKinds$All.number
        sum += (int) all.real; //! race observed InstanceFieldKinds$All.real
        sum += (int) all.big; //! race observed InstanceFieldKinds$All.big
        sum += (int) all.fine; //! race observed InstanceFieldKinds$All.fine
        sum += all.thing == null ? 1 : 0; //! race observed InstanceFieldKinds$All.thing
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        All all = new All();
        Thread writer = new Thread(() -> {
            write(all);
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        int sum = read(all);
        writer.join();
        System.out.println(sum > 0 ? "ok" : "the values were not seen");
    }
}
