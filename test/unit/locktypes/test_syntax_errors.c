/* What is wrong in lock types is told where it is, and costs no more than it must. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "locktypes/syntax_parser.h"
#include "support.h"

#define REPEATED_BYTES 200000

struct fixture {
    struct arena arena, error_arena;
    struct syntax_errors errors;
    struct declarations declarations;
    struct builder shown;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    arena_init(&fixture->arena);
    arena_init(&fixture->error_arena);
    fixture->errors.arena = &fixture->error_arena;
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    vector_release(&fixture->errors.items);
    builder_release(&fixture->shown);
    arena_release(&fixture->arena);
    arena_release(&fixture->error_arena);
    free(fixture);
    return 0;
}

/* All errors, as they are printed. */
static const char *show_errors(struct fixture *fixture)
{
    builder_clear(&fixture->shown);
    for (size_t i = 0; i < fixture->errors.items.count; i++)
        syntax_error_print(&fixture->errors.items.items[i], &fixture->shown);
    return builder_string(&fixture->shown);
}

static const struct declarations *parse_text(struct fixture *fixture, struct text text)
{
    vector_clear(&fixture->errors.items);
    arena_clear(&fixture->arena);
    assert_true(syntax_parse_file(&fixture->declarations, &fixture->arena, TEXT("a.locks"), text,
                                  SOURCE_LOCKS_FILE, &fixture->errors));
    return &fixture->declarations;
}

static const struct declarations *parse(struct fixture *fixture, const char *text)
{
    return parse_text(fixture, text_from(text));
}

/* The messages without their lines. */
static void assert_messages(struct fixture *fixture, const char *expected)
{
    struct builder messages;
    builder_init(&messages);
    for (size_t i = 0; i < fixture->errors.items.count; i++) {
        const struct syntax_error *error = &fixture->errors.items.items[i];
        builder_add_format(&messages, "%u:%u: %.*s\n", error->place.line, error->place.column,
                           TEXT_ARGUMENTS(error->message));
    }
    assert_string_equal(builder_string(&messages), expected);
    builder_release(&messages);
}

/* ---- how an error looks ---- */

static void test_caret(void **state)
{
    parse(*state, "class A {\n\tint\tx guarded_by ;\n}\n");
    assert_string_equal(
        show_errors(*state),
        "a.locks:2:19: error: expected a lock expression behind 'guarded_by', found ';'\n"
        "\tint\tx guarded_by ;\n"
        "\t   \t             ^\n");
}

/* Columns count characters, whatever bytes they have. */
static void test_caret_behind_other_letters(void **state)
{
    parse(*state, "class \xC3\x89tat { int \xE6\x97\xA5 guarded_by ?; }\r\nclass B;");
    assert_string_equal(
        show_errors(*state),
        "a.locks:1:31: error: expected a lock expression behind 'guarded_by', found '?'\n"
        "class \xC3\x89tat { int \xE6\x97\xA5 guarded_by ?; }\n"
        "                              ^\n");
}

static void test_error_at_end(void **state)
{
    parse(*state, "class A {\n  int x;\n");
    assert_string_equal(show_errors(*state),
                        "a.locks:3:1: error: expected '}' behind ';', found the end of the file\n");
    parse(*state, "class A { /* x\n");
    assert_string_equal(show_errors(*state), "a.locks:1:11: error: this comment is never closed\n"
                                             "class A { /* x\n"
                                             "          ^\n");
}

/* What was given of the line is shown where it would be in the whole one. */
static void test_error_in_a_part_of_a_line(void **state)
{
    struct fixture *fixture = *state;
    struct syntax_clauses clauses;
    const struct syntax_place place = {TEXT("A.java"), 12, 40};
    assert_false(syntax_parse_clauses(&clauses, &fixture->arena, TEXT(" guarded_by"), place,
                                      &fixture->errors));
    assert_string_equal(show_errors(fixture),
                        "A.java:12:51: error: expected a lock expression behind 'guarded_by', "
                        "found the end of the text\n"
                        "                                        guarded_by\n"
                        "                                                  ^\n");
    /* Of an annotation only the line is known, or nothing. */
    struct syntax_lock lock;
    const struct syntax_place line = {TEXT("A.java"), 12, 0};
    vector_clear(&fixture->errors.items);
    assert_false(syntax_parse_lock(&lock, &fixture->arena, TEXT("a.b c"), line, &fixture->errors));
    assert_string_equal(show_errors(fixture),
                        "A.java:12: error: expected the end of the lock expression behind 'b', "
                        "found 'c'\n"
                        "a.b c\n"
                        "    ^\n");
    assert_int_equal(fixture->errors.items.items[0].place.column, 0);
}

static void test_long_line(void **state)
{
    struct fixture *fixture = *state;
    struct builder text;
    builder_init(&text);
    builder_add_string(&text, "class A { int x guarded_by ");
    for (int i = 0; i < 100000; i++)
        builder_add_string(&text, "a.");
    builder_add_string(&text, "7");
    for (int i = 0; i < 100000; i++)
        builder_add_string(&text, " b");
    parse_text(fixture, builder_text(&text));
    builder_release(&text);
    show_errors(fixture);
    assert_true(fixture->shown.length < 1000);
    assert_non_null(strstr(builder_string(&fixture->shown), "a.a.7 b b"));
}

/* ---- what errors say ---- */

static void test_messages(void **state)
{
    static const struct {
        const char *text, *messages;
    } cases[] = {
        {"int x;", "1:1: expected a class, found 'int'\n"},
        {"final x;", "1:7: expected 'class', 'interface', 'enum' or 'record' behind 'final', "
                     "found 'x'\n"},
        {"class { int x; }", "1:7: expected the name of a class behind 'class', found '{'\n"},
        {"class A implements B { }",
         "1:9: expected a clause, '{' or ';' behind 'A', found 'implements'\n"},
        {"class A<> { }", "1:9: expected the name of a class parameter behind '<', found '>'\n"},
        {"class A<this> { }", "1:9: a class parameter cannot be called 'this'\n"},
        {"class A<a$b> { }", "1:9: the name of a class parameter cannot have a '$'\n"},
        {"class A<a { }", "1:11: expected ',' or '>' behind 'a', found '{'\n"},
        {"class A { int x = 0; }", "1:17: expected a clause or ';' behind 'x', found '='\n"},
        {"class A { void f() { x(); { } } int y; }",
         "1:20: expected ';': there are no bodies here\n"},
        {"class A { B<C<D>> x; }", "1:14: expected ',' or '>' behind 'C', found '<'\n"},
        {"class A { B<a>; }",
         "1:15: expected the name of a field or method behind '>', found ';'\n"},
        {"class A { int[ x; }", "1:16: expected ']' behind '[', found 'x'\n"},
        {"class A { void f(int; }", "1:21: expected ',' or ')' behind 'int', found ';'\n"},
        {"class A { void f(,); }", "1:18: expected a type behind '(', found ','\n"},
        {"class A { x requires y; }", "1:13: 'requires' cannot be said of a field\n"},
        {"class A { void f() guarded_by y; }",
         "1:20: 'guarded_by' cannot be said of a method: 'requires' is meant\n"},
        {"class A waits this;", "1:9: 'waits' cannot be said of a class\n"},
        {"class A { x guarded_by a write_guarded_by b; }",
         "1:26: 'guarded_by' and 'write_guarded_by' contradict each other\n"},
        {"immutable class A thread_local;",
         "1:19: 'immutable' and 'thread_local' contradict each other\n"},
        {"class A { void f() atomic atomicity mover; }", "1:27: the atomicity is given twice\n"},
        {"class A { void f() atomicity ; }",
         "1:30: expected an atomicity or a lock expression behind 'atomicity', found ';'\n"},
        {"class A { void f() atomicity x; }", "1:31: expected '?' behind 'x', found ';'\n"},
        {"class A { void f() acquires (); }",
         "1:29: expected a lock expression behind 'acquires', found '('\n"},
        {"class A { x guarded_by f(1); }",
         "1:26: expected ')' behind '(': a call in a lock expression has no arguments\n"},
        {"class A { x guarded_by f.; }",
         "1:26: expected a field, a method, 'this' or 'class' behind '.', found ';'\n"},
        {"class A { x guarded_by f().class; }",
         "1:28: 'class' stands only behind the name of a class\n"},
        {"class A { x guarded_by #0; }", "1:25: parameters are counted from 1 to 255\n"},
        {"class A { x guarded_by #99999999999; }", "1:25: parameters are counted from 1 to 255\n"},
        {"class A { x guarded_by #a; }",
         "1:25: expected the number of a parameter behind '#', found 'a'\n"},
        {"class A { x no_warn race-; }",
         "1:26: expected the rest of a rule's name behind '-', found ';'\n"},
        {"class A { x guarded_by `a; }\n",
         "1:24: expected a lock expression behind 'guarded_by', found a backquote without a name "
         "and a second backquote\n"},
        {"class A { x guarded_by \xC2\xA0y; }",
         "1:24: expected a lock expression behind 'guarded_by', found the character U+00A0\n"},
        {"class A { x guarded_by \xFF; }",
         "1:24: expected a lock expression behind 'guarded_by', found the byte 0xFF\n"},
        {"class A { int x; } }", "1:20: expected a class behind '}', found '}'\n"},
        {"class A { int x;\n class B { int y; }\n int z; }",
         "2:2: a class inside a class is written beside it, as 'class Outer.Inner'\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parse(*state, cases[i].text);
        assert_messages(*state, cases[i].messages);
    }
}

/* ---- going on ---- */

static void assert_fields(const struct syntax_class *class, const char *names)
{
    struct builder found;
    builder_init(&found);
    for (uint32_t i = 0; i < class->field_count; i++)
        builder_add_format(&found, "%s%.*s", i ? " " : "", TEXT_ARGUMENTS(class->fields[i].name));
    assert_string_equal(builder_string(&found), names);
    builder_release(&found);
}

static void test_bad_member(void **state)
{
    const struct declarations *declarations = parse(*state, "class A {\n"
                                                            "  int a guarded_by x;\n"
                                                            "  int b guarded_by ;\n"
                                                            "  int c;\n"
                                                            "  void d(int = requires x;\n"
                                                            "  int e;\n"
                                                            "  int f = { 1; 2; };\n"
                                                            "  void g() { if (x) { y; } z; }\n"
                                                            "  int h;\n"
                                                            "}\n"
                                                            "class B { int x; }\n");
    assert_int_equal(declarations->class_count, 2);
    assert_fields(&declarations->classes[0], "a c e h");
    assert_int_equal(declarations->classes[0].method_count, 1);
    assert_text(declarations->classes[0].methods[0].name, "g");
    assert_fields(&declarations->classes[1], "x");
    assert_messages(*state, "3:20: expected a lock expression behind 'guarded_by', found ';'\n"
                            "5:14: expected ',' or ')' behind 'int', found '='\n"
                            "7:9: expected a clause or ';' behind 'f', found '='\n"
                            "8:12: expected ';': there are no bodies here\n");
}

/* The brace that ends the class is no part of its last member, be that as bad as it is. */
static void test_bad_last_member(void **state)
{
    const struct declarations *declarations =
        parse(*state, "class A { int a; int b guarded_by } class B { int c; }");
    assert_int_equal(declarations->class_count, 2);
    assert_fields(&declarations->classes[0], "a");
    assert_fields(&declarations->classes[1], "c");
    assert_messages(*state, "1:35: expected a lock expression behind 'guarded_by', found '}'\n");
}

/* A semicolon that is missing is missed where the next line begins; no member is lost. */
static void test_missing_semicolon(void **state)
{
    const struct declarations *declarations = parse(*state, "class A {\n"
                                                            "  int a guarded_by x\n"
                                                            "  int b;\n"
                                                            "  int c guarded_by\n"
                                                            "  int d guarded_by x;\n"
                                                            "  int e\n"
                                                            "}\n");
    assert_int_equal(declarations->class_count, 1);
    assert_fields(&declarations->classes[0], "a b d e");
    assert_messages(*state, "3:3: expected a clause or ';' behind 'x', found 'int'\n"
                            "5:7: expected a clause or ';' behind 'int', found 'd'\n"
                            "7:1: expected a clause or ';' behind 'e', found '}'\n");
}

static void test_bad_class(void **state)
{
    const struct declarations *declarations = parse(*state, "package p;\n"
                                                            "class A<1> { int a; int b +; }\n"
                                                            "class { int x; void f() { } }\n"
                                                            "class B {\n"
                                                            "  int b;\n"
                                                            "thread_local class C {\n"
                                                            "  int c;\n"
                                                            "}\n"
                                                            "rubbish { class X; }\n"
                                                            "immutable class D;\n");
    assert_int_equal(declarations->class_count, 4);
    assert_fields(&declarations->classes[0], "a");
    assert_text(declarations->classes[1].name, "B");
    assert_fields(&declarations->classes[1], "b");
    assert_text(declarations->classes[2].name, "C");
    assert_int_equal(declarations->classes[2].nature, NATURE_THREAD_LOCAL);
    assert_fields(&declarations->classes[2], "c");
    assert_int_equal(declarations->classes[3].nature, NATURE_IMMUTABLE);
    assert_messages(*state,
                    "1:1: expected a class, found 'package'\n"
                    "2:9: expected the name of a class parameter behind '<', found '1'\n"
                    "2:27: expected a clause or ';' behind 'b', found '+'\n"
                    "3:7: expected the name of a class behind 'class', found '{'\n"
                    "6:1: expected '}' before the next class behind ';', found 'thread_local'\n"
                    "9:1: expected a class behind '}', found 'rubbish'\n");
}

/* Nothing of a bad clause is used, everything of a good one. */
static void test_bad_clause(void **state)
{
    struct fixture *fixture = *state;
    struct syntax_clauses clauses;
    const struct syntax_place place = {TEXT("A.java"), 1, 1};
    assert_true(syntax_parse_clauses(&clauses, &fixture->arena,
                                     TEXT("guarded_by a, ? requires b no_warn race, ; atomic "
                                          "rubbish"),
                                     place, &fixture->errors));
    assert_int_equal(clauses.guard.kind, GUARD_NONE);
    assert_int_equal(clauses.guard.locks.count, 0);
    assert_int_equal(clauses.requires.count, 1);
    assert_false(clauses.has_no_warn);
    assert_int_equal(clauses.no_warn.count, 0);
    assert_non_null(clauses.atomicity);
    assert_messages(fixture, "1:15: expected a lock expression behind ',', found '?'\n"
                             "1:42: expected the name of a rule behind ',', found ';'\n"
                             "1:51: expected a clause such as 'guarded_by' behind 'atomic', found "
                             "'rubbish'\n");
}

static void test_nothing_usable(void **state)
{
    static const char *const texts[] = {"", " ", ";", "rubbish", "/* x", "<a", "holds ()", "\xFF"};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct syntax_clauses clauses;
        struct syntax_lock lock;
        const struct syntax_place place = {TEXT("A.java"), 1, 1};
        vector_clear(&fixture->errors.items);
        assert_false(syntax_parse_clauses(&clauses, &fixture->arena, text_from(texts[i]), place,
                                          &fixture->errors));
        assert_int_equal(fixture->errors.items.count, 1);
        if (i != 3 && i != 6) { /* which are lock expressions */
            assert_false(syntax_parse_lock(&lock, &fixture->arena, text_from(texts[i]), place,
                                           &fixture->errors));
            assert_int_equal(fixture->errors.items.count, 2);
        }
    }
}

/* Errors are in memory of their own: they outlive what they were found in. */
static void test_errors_outlive_the_text(void **state)
{
    struct fixture *fixture = *state;
    char *text = strdup("class A { int x guarded_by; }");
    char *file = strdup("gone.locks");
    assert_true(syntax_parse_file(&fixture->declarations, &fixture->arena, text_from(file),
                                  text_from(text), SOURCE_LOCKS_FILE, &fixture->errors));
    free(text);
    free(file);
    assert_text(fixture->declarations.classes[0].name, "A");
    assert_text(fixture->declarations.classes[0].place.file, "gone.locks");
    arena_release(&fixture->arena);
    assert_non_null(strstr(show_errors(fixture), "gone.locks:1:27"));
    assert_non_null(strstr(show_errors(fixture), "class A { int x guarded_by; }\n"));
}

static void test_without_errors(void **state)
{
    struct fixture *fixture = *state;
    assert_true(syntax_parse_file(&fixture->declarations, &fixture->arena, TEXT("x"),
                                  TEXT("class A { + int y; } class B;"), SOURCE_PLATFORM, NULL));
    assert_int_equal(fixture->declarations.class_count, 2);
    assert_int_equal(fixture->declarations.source, SOURCE_PLATFORM);
}

/* ---- hostile input ---- */

static void repeat(struct builder *to, const char *string, int times)
{
    for (int i = 0; i < times; i++)
        builder_add_string(to, string);
}

/* The file `before`, then `middle` many times, then `behind`. */
static const struct declarations *parse_repeated(struct fixture *fixture, const char *before,
                                                 const char *middle, int times, const char *behind)
{
    struct builder text;
    builder_init(&text);
    builder_add_string(&text, before);
    repeat(&text, middle, times);
    builder_add_string(&text, behind);
    parse_text(fixture, builder_text(&text));
    builder_release(&text);
    return &fixture->declarations;
}

static void test_depth(void **state)
{
    const struct declarations *declarations =
        parse_repeated(*state, "class A { void f() atomicity ", "a ? ", 100, "mover; int x; }");
    assert_string_equal(show_errors(*state), "");
    assert_int_equal(declarations->classes[0].method_count, 1);

    parse_repeated(*state, "class A { void f() atomicity ", "a ? ", 101, "mover; int x; }");
    assert_int_equal(((struct fixture *)*state)->errors.items.count, 1);

    declarations =
        parse_repeated(*state, "class A { void f() atomicity ", "a ? ", 1000000, "mover; int x; }");
    assert_non_null(strstr(show_errors(*state), "error: this is nested too deeply\n"));
    assert_fields(&declarations->classes[0], "x");
    declarations = parse_repeated(*state, "class A { void f() atomicity ", "a ? mover : ", 1000000,
                                  "mover; int x; }");
    assert_non_null(strstr(show_errors(*state), "error: this is nested too deeply\n"));
    assert_fields(&declarations->classes[0], "x");

    /* Parentheses nest nothing. */
    parse_repeated(*state, "class A { void f() atomicity ", "(", 1000000, "mover; int x; }");
    assert_int_equal(((struct fixture *)*state)->errors.items.count, 1);
    parse_repeated(*state, "class A ", "{", 1000000, "");
    parse_repeated(*state, "class A ", "{ void f() ", 300000, "");
    parse_repeated(*state, "", "class ", 300000, "");
    parse_repeated(*state, "", "class A {", 300000, "");
}

/* Much of one thing, whatever it is, takes no time. */
static void test_repetition(void **state)
{
    static const char *const pieces[] = {"a guarded_by x,\n",
                                         "public\n",
                                         "public ",
                                         "class A @\npublic\n",
                                         "requires a ",
                                         "a\n",
                                         "int x\n",
                                         "<",
                                         "<a,",
                                         "`",
                                         "`a`$",
                                         "a$",
                                         "no_warn a",
                                         "record ",
                                         "thread_local\n",
                                         "a.",
                                         "x guarded_by (",
                                         "}",
                                         "{\n",
                                         ";",
                                         "/* x */",
                                         "void f(\n",
                                         "/",
                                         "a ? b : ",
                                         "#1"};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        const int times = (int)(REPEATED_BYTES / strlen(pieces[i]));
        parse_repeated(*state, "", pieces[i], times, "");
        parse_repeated(*state, "class A { int x;\n", pieces[i], times, "");
        parse_repeated(*state, "class A { void f() requires ", pieces[i], times, "; }");
        parse_repeated(*state, "class A { void f() atomicity ", pieces[i], times, "; }");
    }
}

static void test_huge_token(void **state)
{
    struct fixture *fixture = *state;
    struct builder text;
    builder_init(&text);
    builder_add_string(&text, "class A { int x ");
    repeat(&text, "abcdefgh", 200000);
    builder_add_string(&text, "; int y; }");
    parse_text(fixture, builder_text(&text));
    builder_release(&text);
    assert_int_equal(fixture->errors.items.count, 1);
    assert_true(fixture->errors.items.items[0].message.length < 200);
    assert_fields(&fixture->declarations.classes[0], "y");
}

static void test_bad_bytes(void **state)
{
    static const char nul[] = "class A { int x guarded_by \0; int y; }";
    struct fixture *fixture = *state;
    parse_text(fixture, text_of(nul, sizeof nul - 1));
    assert_string_equal(
        show_errors(fixture),
        "a.locks:1:28: error: expected a lock expression behind 'guarded_by', found the byte 0x00\n"
        "class A { int x guarded_by ?; int y; }\n"
        "                           ^\n");
    assert_fields(&fixture->declarations.classes[0], "y");

    /* Too long, half of a pair, too great, cut off. */
    static const char *const invalid[] = {"\xC0\x80",     "\xE0\x81\x81",     "\xF0\x80\x81\x81",
                                          "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"};
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++) {
        char text[100], message[100];
        snprintf(text, sizeof text, "class %s", invalid[i]);
        snprintf(message, sizeof message,
                 "1:7: expected the name of a class behind 'class', found the byte 0x%02X\n",
                 (unsigned)(uint8_t)invalid[i][0]);
        parse(fixture, text);
        assert_messages(fixture, message);
    }

    /* Every byte, and every pair of a byte and a continuation, in every place that it can be. */
    for (int byte = 0; byte < 256; byte++) {
        const char text[] = {'c', 'l', 'a', 's', 's', ' ',  'A',        (char)byte, '\x80',    '{',
                             'i', 'n', 't', ' ', 'x', '\n', (char)byte, '}',        (char)byte};
        for (size_t length = 0; length <= sizeof text; length++) {
            char *exact = malloc(length ? length : 1);
            assert_non_null(exact);
            memcpy(exact, text, length);
            parse_text(fixture, text_of(exact, length));
            show_errors(fixture);
            free(exact);
        }
    }
}

/* Of very many errors the first are told, and that there are more. */
static void test_many_errors(void **state)
{
    struct fixture *fixture = *state;
    parse_repeated(fixture, "class A {\n", "int x guarded_by;\n", 5000, "int y; }");
    assert_int_equal(fixture->errors.items.count, 101);
    assert_text(fixture->errors.items.items[100].message,
                "there are more errors, which are not shown");
    assert_fields(&fixture->declarations.classes[0], "y");
}

/* ---- memory ---- */

static const char whole_language[] =
    "inferred; thread_local class p.`A b`<ghost T d, e> extends B<d$this> guarded_by d no_warn {\n"
    "  C<e>[] f write_guarded_by this.x, y() no_warn race;\n"
    "  void m(int a, T<d> b) requires e acquires a, b atomicity d ? mover : e ? atomic : cmpd;\n"
    "  int bad guarded_by;\n"
    "}\n";

static bool parse_in_little_memory(void *context)
{
    struct arena arena;
    struct declarations declarations;
    struct syntax_clauses clauses = {0};
    struct syntax_errors errors = {.arena = &arena};
    (void)context;
    arena_init(&arena);
    const bool file = syntax_parse_file(&declarations, &arena, TEXT("a"), text_from(whole_language),
                                        SOURCE_LOCKS_FILE, &errors);
    const bool parsed =
        file &&
        syntax_parse_clauses(&clauses, &arena, TEXT("<a, b> requires a, b no_warn race acquires c"),
                             (struct syntax_place){TEXT("a"), 1, 1}, &errors);
    struct builder printed;
    builder_init(&printed);
    if (parsed)
        syntax_print_file(&declarations, &printed);
    if (parsed) {
        assert_int_equal(errors.items.count, 1);
        assert_int_equal(declarations.class_count, 1);
        assert_int_equal(declarations.classes[0].method_count, 1);
        assert_int_equal(clauses.effect_count, 1);
    }
    const bool succeeded = parsed && !printed.failed;
    builder_release(&printed);
    vector_release(&errors.items);
    arena_release(&arena);
    return succeeded;
}

static void test_no_memory(void **state)
{
    (void)state;
    assert_true(support_fail_each_request(parse_in_little_memory, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_caret, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_caret_behind_other_letters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_error_at_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_error_in_a_part_of_a_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_messages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_member, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_last_member, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_semicolon, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_class, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_clause, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_usable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_errors_outlive_the_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_depth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_repetition, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_huge_token, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_errors, set_up, tear_down),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
