/** Right: an object goes from thread to thread; each joins the one before it and then changes the object. */
public class JoinChain {
    static class Parcel {
        int stations;
        long weight = 1;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Parcel parcel = new Parcel();
        Thread[] chain = new Thread[5];
        for (int i = 0; i < chain.length; i++) {
            Thread before = i == 0 ? null : chain[i - 1];
            chain[i] = new Thread(() -> {
                try {
                    if (before != null) {
                        before.join();
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                parcel.stations++;
                parcel.weight *= 2;
            });
            chain[i].start();
        }
        chain[chain.length - 1].join();
        System.out.println(parcel.stations == 5 && parcel.weight == 32 ? "ok" : "lost a station");
    }
}
