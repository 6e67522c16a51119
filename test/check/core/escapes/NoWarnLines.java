/** no_warn holds for its line, for all rules or for those that it names. */
final class NoWarnLines {
    private int value /*# guarded_by this */;

    void change() /*# requires this */ {
        value++; // silent
    }

    void lines() {
        value++; // expect: guard-not-held
        value++; /*# no_warn */ // silent
        value++; // expect: guard-not-held; the line before said nothing of this one
        /*# no_warn */ value++; // silent: wherever it stands in the line
        change(); /*# no_warn */ // silent
        change(); // expect: requires-not-held
    }

    void rules() {
        value++; /*# no_warn guard-not-held */ // silent
        change(); /*# no_warn requires-not-held */ // silent
        value++; /*# no_warn requires-not-held */ // expect: guard-not-held; another rule
        change(); /*# no_warn guard-not-held */ // expect: requires-not-held
        value++; /*# no_warn requires-not-held, guard-not-held */ // silent
        value = 1; change(); /*# no_warn guard-not-held */ // expect: requires-not-held
    }

    void oneLine() { value++; change(); } /*# no_warn */ // silent

    void declaration() { /*# no_warn */
        value++; // expect: guard-not-held; its line is the one before
    }

    Runnable later() {
        return () -> value++; /*# no_warn */ // silent
    }
}
