/** What section 5 forbids: other threads with the enumerator, and shared objects that know it. */
final class CrawlerShared {
    static final class LinkEnumerator /*# thread_local */ {
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

    static class Crawler {
        private LinkEnumerator current;
        static Object last;

        void process(String text) {
            LinkEnumerator links = new LinkEnumerator();
            links.init(text); // silent
            new Thread(() -> process(links.nextLink())).start(); // expect: thread-local-escape
            new Thread() { // expect: thread-local-escape
                @Override
                public void run() {
                    process(links.nextLink());
                }
            }.start();
            current = links; // expect: thread-local-escape
            last = links; // expect: thread-local-escape
        }

        void back(Object seen) {
            LinkEnumerator links = (LinkEnumerator) seen; // expect: thread-local-escape
            links.init("");
        }

        void visit() {
        }
    }

    static final class LocalCrawler extends Crawler /*# thread_local */ {
        private int count;

        @Override
        void visit() {
            count++; // expect: thread-local-escape
        }

        void visitMore() {
            count++; // silent
        }
    }
}
