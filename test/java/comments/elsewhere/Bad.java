package sample.bad;

class Bad {
    int a /*# requires this */;
    void b() /*# guarded_by this */ {}
    void c() /*# thread_local */ { int x /*# guarded_by this */; }
    /*# holds this */ int d;
    int e /*# gaurded_by this */;
    java.util.List<Bad/*#<this>*/> f;
    int g /*#<this>*/;
    int h /*# guarded_by this */ /*# guarded_by g */;
    void i() { h = 2; /*# atomic */ h = 1; }
    int good /*# guarded_by this */;
}
