import quiet.Order;

/**
 * Wrong: as UnsafePublication, but many objects of the class have been made before. Where those are made is not noted any
 * more; the report shows the only place where a constructor writes the field.
 */
public class PublishedLate {
    static class Message {
        int number;

        Message(int number) {
            this.number = number; //! race observed PublishedLate$Message.number
        }
    }

    static Message last;

    public static void main(String[] arguments) throws InterruptedException {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += new Message(i).number;
        }
        Thread sender = new Thread(() -> {
            last = new Message(7); //! race observed PublishedLate.last
            Order.reach("sent");
        });
        sender.start();
        Order.await("sent");
        int number = last.number; //! race observed PublishedLate.last //! race observed PublishedLate$Message.number
        sender.join();
        System.out.println(sum == 499_500 && number == 7 ? "ok" : "another message");
    }
}
