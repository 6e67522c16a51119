/** The append of StringBuffer (Atomizer, section 1): the other buffer may change between its two steps. */
final class StringBufferAppend {
    static final class Buffer {
        private String text = ""; /*# guarded_by this */

        synchronized int length() /*# atomic */ {
            return text.length(); // silent
        }

        synchronized String getChars(int begin, int end) /*# atomic */ {
            return text.substring(begin, end); // silent
        }

        synchronized Buffer append(Buffer other) /*# atomic */ {
            int length = other.length(); // expect: not-atomic; path
            String chars = other.getChars(0, length); // path
            text = text.concat(chars);
            return this;
        }

        synchronized Buffer appendLocked(Buffer other) /*# atomic */ {
            synchronized (other) { // silent
                int length = other.length();
                text = text.concat(other.getChars(0, length));
            }
            return this;
        }

        synchronized Buffer appendFixed(Buffer other) /*# atomic */ {
            text = text.concat(other.getChars(0, 3)); // silent: one step in the other buffer
            return this;
        }

        synchronized Buffer appendTwice() /*# atomic */ {
            text = text.concat(getChars(0, length())); // silent: its own lock is held
            return this;
        }
    }
}
