import java.util.HashSet;
import java.util.Set;

/** Each thread goes through the links of its page with an object of its own (figure 3). */
final class CrawlerProgram {
    static final class LinkEnumerator {
        private String text;
        private int index;

        void init(String t) {
            this.text = t; // silent
        }

        boolean hasMoreLinks() {
            return text.indexOf("href", index) >= 0; // silent
        }

        String nextLink() {
            int start = text.indexOf("href", index) + 5; // silent
            index = text.indexOf(' ', start); // silent
            return text.substring(start, index); // silent
        }
    }

    static final class Visited {
        private final Set<String> names = new HashSet<>();

        synchronized boolean add(String name) {
            return names.add(name); // without synchronized 1: guard-not-held
        }
    }

    static final class Crawler {
        private final Visited visited = new Visited();

        void process(String url) {
            if (visited.add(url)) {
                String text = loadPageText(url);
                LinkEnumerator links = new LinkEnumerator();
                links.init(text); // silent
                while (links.hasMoreLinks()) { // silent
                    String link = links.nextLink(); // silent
                    new Thread(() -> this.process(link)).start(); // silent
                }
            }
        }

        private String loadPageText(String url) {
            return "href=" + url + "/next ";
        }
    }

    public static void main(String[] arguments) {
        Crawler c = new Crawler();
        c.process("http://www.example.org");
    }
}
