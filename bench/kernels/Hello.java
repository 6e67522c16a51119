/** How long it takes to start. */
public class Hello {
    public static void main(String[] arguments) {
        System.out.println("Hello, world");
    }
}
