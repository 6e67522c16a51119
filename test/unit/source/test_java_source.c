#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "source/java_source.h"
#include "support.h"

static void read_source(struct java_source *source, const char *text)
{
    assert_true(java_source_read(source, text_from(text), TEXT("File.java")));
}

static uint32_t class_number(const struct java_source *source, const char *binary_name)
{
    for (uint32_t i = 0; i < source->classes.count; i++)
        if (text_is(source->classes.items[i].binary_name, binary_name))
            return i;
    fail_msg("there is no class %s", binary_name);
    return JAVA_NONE;
}

static uint32_t field_number(const struct java_source *source, const char *name)
{
    for (uint32_t i = 0; i < source->fields.count; i++)
        if (text_is(source->fields.items[i].name, name))
            return i;
    fail_msg("there is no field %s", name);
    return JAVA_NONE;
}

static const struct java_field *field_of(const struct java_source *source, const char *name)
{
    return &source->fields.items[field_number(source, name)];
}

static uint32_t method_number(const struct java_source *source, const char *name)
{
    for (uint32_t i = 0; i < source->methods.count; i++)
        if (text_is(source->methods.items[i].name, name))
            return i;
    fail_msg("there is no method %s", name);
    return JAVA_NONE;
}

static const struct java_method *method_of(const struct java_source *source, const char *name)
{
    return &source->methods.items[method_number(source, name)];
}

static void assert_parameter(const struct java_method *method, uint32_t number, const char *type,
                             uint32_t dimensions, const char *name)
{
    assert_true(number < method->parameter_count);
    assert_text(method->parameters[number].type.name, type);
    assert_int_equal(method->parameters[number].type.dimensions, dimensions);
    assert_text(method->parameters[number].name, name);
}

/* ---- tokens ---- */

static void assert_tokens(const char *text, const char *const *expected, size_t count)
{
    struct java_tokens tokens;
    assert_true(java_tokens_read(&tokens, text_from(text)));
    assert_int_equal(tokens.tokens.count, count + 1);
    for (uint32_t i = 0; i < count; i++)
        assert_text(java_token_text(&tokens, i), expected[i]);
    assert_int_equal(vector_last(&tokens.tokens).kind, JAVA_END);
    java_tokens_release(&tokens);
}

#define ASSERT_TOKENS(text, ...)                                                                   \
    do {                                                                                           \
        static const char *const expected[] = {__VA_ARGS__};                                       \
        assert_tokens((text), expected, sizeof expected / sizeof *expected);                       \
    } while (0)

static void test_tokens(void **unused)
{
    (void)unused;
    ASSERT_TOKENS("int x=1;", "int", "x", "=", "1", ";");
    ASSERT_TOKENS("a>>>=b->c::d", "a", ">", ">", ">", "=", "b", "-", ">", "c", ":", ":", "d");
    ASSERT_TOKENS("1.5e-3f+0x1.8p-2-0xe+1_0L", "1.5e-3f", "+", "0x1.8p-2", "-", "0xe", "+", "1_0L");
    ASSERT_TOKENS(".5 a.b", ".5", "a", ".", "b");
    ASSERT_TOKENS("'{' '\\'' '\\\\' \"}\\\"{\" x", "'{'", "'\\''", "'\\\\'", "\"}\\\"{\"", "x");
    ASSERT_TOKENS("\"a\\\\\"b", "\"a\\\\\"", "b");
    ASSERT_TOKENS("\"\"\"\n a \"\" \\\"\"\" } \"\"\" x", "\"\"\"\n a \"\" \\\"\"\" } \"\"\"", "x");
    ASSERT_TOKENS("\"\"x", "\"\"", "x");
    /* Letters of other alphabets, and the byte order mark. */
    ASSERT_TOKENS("\xEF\xBB\xBFint gr\xC3\xB6\xC3\x9F"
                  "e;",
                  "int",
                  "gr\xC3\xB6\xC3\x9F"
                  "e",
                  ";");
    /* What does not end, ends with its line. */
    ASSERT_TOKENS("\"a\nb 'c\nd /* e\nf", "\"a", "b", "'c", "d", "f");
    ASSERT_TOKENS("a \"\"\" b\n c", "a", "\"\"", "\" b", "c");
}

/* JLS 3.3: translated before anything else, unless the backslash is itself escaped. */
static void test_unicode_escapes(void **unused)
{
    (void)unused;
    ASSERT_TOKENS("int \\u0061b\\uuu0063 = 1", "int", "\\u0061b\\uuu0063", "=", "1");
    ASSERT_TOKENS("\"a\\u0022b", "\"a\\u0022", "b");
    ASSERT_TOKENS("\"a\\\\u0022b\"c", "\"a\\\\u0022b\"", "c");
    ASSERT_TOKENS("\"a\\u005c\"b\"c", "\"a\\u005c\"b\"", "c");
    ASSERT_TOKENS("'\\u0027' x", "'\\u0027", "' x");
    ASSERT_TOKENS("a /* \\u002a/ b", "a", "b");
    ASSERT_TOKENS("a // x \\u000a b", "a", "b");
    ASSERT_TOKENS("\\u12 \\uzzzz", "\\", "u12", "\\", "uzzzz");
    struct java_tokens tokens;
    assert_true(java_tokens_read(&tokens, TEXT("class A \\u007b \\u007D")));
    assert_true(java_token_is_symbol(&tokens, 2, '{'));
    assert_true(java_token_is_symbol(&tokens, 3, '}'));
    java_tokens_release(&tokens);
}

static void test_comments(void **unused)
{
    (void)unused;
    struct java_tokens tokens;
    const char *text = "a /*# one */ b\n"
                       "//# two\r\n"
                       "\"/*# no */\" /* # no */ //## no\n"
                       "/*######*/ //#\n"
                       "c /*#<this>*/ /*# a\n b */ d";
    assert_true(java_tokens_read(&tokens, text_from(text)));
    const char *const bodies[] = {" one ", " two", "<this>", " a\n b "};
    const uint32_t lines[] = {1, 2, 5, 5}, before[] = {1, 2, 4, 4}, columns[] = {3, 1, 3, 15};
    uint32_t found = 0;
    for (size_t i = 0; i < tokens.comments.count; i++) {
        const struct java_comment *comment = &tokens.comments.items[i];
        if (!comment->marked)
            continue;
        assert_true(found < 4);
        assert_text(java_comment_body(&tokens, comment), bodies[found]);
        assert_int_equal(comment->line, lines[found]);
        assert_int_equal(comment->before, before[found]);
        assert_int_equal(java_tokens_column(&tokens, comment->start), columns[found]);
        found++;
    }
    assert_int_equal(found, 4);
    assert_text(java_tokens_line_text(&tokens, 2), "//# two");
    assert_text(java_tokens_line_text(&tokens, 6), " b */ d");
    assert_int_equal(tokens.tokens.items[4].line, 6);
    java_tokens_release(&tokens);
}

/* ---- classes ---- */

static void test_classes_and_their_names(void **unused)
{
    (void)unused;
    struct java_source source;
    read_source(&source,
                "@Deprecated package p.q;\n"
                "import java.util.Map; import static a.B.c; import x.*;\n"
                "public final class A<T extends Map<T, ?>> extends b.B<T>.C implements D {\n"
                "  static class Inner { interface Deep {} }\n"
                "  enum E { X, Y(1) { int z; }, @Z() W { }; int e; }\n"
                "  record R(int a, java.util.List<Map<T, int[]>> b) { R { } record S() {} }\n"
                "  @interface N { int value() default 1; String[] s() default {\"}\"}; }\n"
                "  sealed interface F permits G {}\n"
                "  non-sealed interface G extends F {}\n"
                "}\n"
                "class Second {}\n");
    assert_text(source.package, "p/q");
    assert_int_equal(source.imports.count, 3);
    assert_text(source.imports.items[0], "java.util.Map");
    assert_text(source.imports.items[1], "static a.B.c");
    assert_text(source.imports.items[2], "x.*");
    static const struct {
        const char *name;
        enum java_class_kind kind;
    } expected[] = {{"p/q/A", JAVA_CLASS},
                    {"p/q/A$Inner", JAVA_CLASS},
                    {"p/q/A$Inner$Deep", JAVA_INTERFACE},
                    {"p/q/A$E", JAVA_ENUM},
                    {"p/q/A$R", JAVA_RECORD},
                    {"p/q/A$R$S", JAVA_RECORD},
                    {"p/q/A$N", JAVA_ANNOTATION},
                    {"p/q/A$F", JAVA_INTERFACE},
                    {"p/q/A$G", JAVA_INTERFACE},
                    {"p/q/Second", JAVA_CLASS}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(source.classes.items[class_number(&source, expected[i].name)].kind,
                         expected[i].kind);
    assert_int_equal(source.classes.count, 12); /* with the bodies of two constants */
    const struct java_class *first = &source.classes.items[0];
    assert_text(first->superclass.name, "b.B.C");
    assert_true(java_token_is(&source.tokens, first->first, "public"));
    assert_int_equal(source.tokens.tokens.items[first->close].line, 10);
    assert_int_equal(source.classes.items[class_number(&source, "p/q/A$E") + 1].kind,
                     JAVA_CONSTANT_BODY);
    assert_text(field_of(&source, "e")->type.name, "int");
    assert_int_equal(field_of(&source, "z")->class_number, class_number(&source, "p/q/A$E") + 1);
    assert_true(field_of(&source, "b")->component);
    assert_text(field_of(&source, "b")->type.name, "java.util.List");
    const struct java_method *compact = method_of(&source, "<init>");
    assert_int_equal(compact->class_number, class_number(&source, "p/q/A$R"));
    assert_int_equal(compact->parameter_count, 2);
    assert_parameter(compact, 1, "java.util.List", 0, "b");
    java_source_release(&source);
}

static void test_local_and_anonymous_classes(void **unused)
{
    (void)unused;
    struct java_source source;
    read_source(&source, "class A {\n"
                         "  Runnable r = new Runnable() { int in; public void run() {} }, s;\n"
                         "  void m() {\n"
                         "    final class Local { class Member {} }\n"
                         "    foo(new B<C, D>(new E() { int e; }) { int b; }, A.class);\n"
                         "    Supplier t = () -> { return new F() { int f; }; };\n"
                         "    record Pair(int one) {}\n"
                         "    int[] a = new int[] {1}; new G() {{ int x = 1; }};\n"
                         "  }\n"
                         "  int after;\n"
                         "}\n");
    assert_int_equal(source.classes.count, 9);
    for (uint32_t i = 1; i < 9; i++)
        assert_text(source.classes.items[i].binary_name, "");
    const char *const names[] = {"", "Local", "Member", "", "", "", "Pair", ""};
    const char *const supers[] = {"Runnable", "", "", "B", "E", "F", "", "G"};
    for (uint32_t i = 0; i < 8; i++) {
        const struct java_class *class = &source.classes.items[i + 1];
        assert_text(class->name, names[i]);
        if (supers[i][0])
            assert_text(class->superclass.name, supers[i]);
        assert_int_equal(class->local, i != 2);
        assert_int_equal(class->outer, i == 2 ? 2 : 0);
    }
    assert_int_equal(source.classes.items[2].method, method_number(&source, "m"));
    assert_int_equal(source.classes.items[1].method, JAVA_NONE);
    assert_true(java_token_is(&source.tokens, source.classes.items[2].first, "final"));
    assert_int_equal(field_of(&source, "b")->class_number, 4);
    assert_int_equal(field_of(&source, "e")->class_number, 5);
    assert_int_equal(field_of(&source, "s")->class_number, 0);
    assert_int_equal(field_of(&source, "s")->first, field_of(&source, "r")->first);
    assert_int_equal(field_of(&source, "after")->class_number, 0);
    java_source_release(&source);
}

/* JEP 512: the members of a compact source file are those of a class named after the file, and so
   are its classes. */
static void test_compact_source_files(void **unused)
{
    (void)unused;
    struct java_source source;
    read_source(&source,
                "class Before {}\nint count;\nvoid main() { count++; }\nrecord R(int a) {}");
    uint32_t implicit = class_number(&source, "File");
    assert_int_equal(source.classes.items[implicit].kind, JAVA_IMPLICIT);
    assert_int_equal(field_of(&source, "count")->class_number, implicit);
    assert_int_equal(method_of(&source, "main")->class_number, implicit);
    class_number(&source, "File$Before");
    class_number(&source, "File$R");
    java_source_release(&source);
}

/* ---- fields and methods ---- */

static void test_fields(void **unused)
{
    (void)unused;
    struct java_source source;
    read_source(&source,
                "class A {\n"
                "  @B(c = \"int no;\") private static volatile int a, b[] = {1, 2}, c = f(1, 2);\n"
                "  Map<K, List<V>>[] d = new Map<K, List<V>, W>() {}.x, e;\n"
                "  boolean f = a < b, g = c > d, h;\n"
                "  java.util.Map.Entry<A, B> i; a.B<C>.D @E [] j;\n"
                "  Runnable k = () -> { int no1; }, l = x -> y, m = A::<B, C>n;\n"
                "  int o = switch (p) { case 1, 2 -> 3; default -> { yield 4; } };\n"
                "  { int no2; } static { int no3; }\n"
                "}\n");
    static const struct {
        const char *name, *type;
        uint32_t dimensions;
        bool first;
    } expected[] = {{"a", "int", 0, true},
                    {"b", "int", 1, false},
                    {"c", "int", 0, false},
                    {"d", "Map", 1, true},
                    {"e", "Map", 1, false},
                    {"f", "boolean", 0, true},
                    {"g", "boolean", 0, false},
                    {"h", "boolean", 0, false},
                    {"i", "java.util.Map.Entry", 0, true},
                    {"j", "a.B.D", 1, true},
                    {"k", "Runnable", 0, true},
                    {"l", "Runnable", 0, false},
                    {"m", "Runnable", 0, false},
                    {"o", "int", 0, true}};
    size_t count = sizeof expected / sizeof *expected;
    assert_int_equal(source.fields.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct java_field *field = &source.fields.items[i];
        assert_text(field->name, expected[i].name);
        assert_text(field->type.name, expected[i].type);
        assert_int_equal(field->type.dimensions, expected[i].dimensions);
        assert_int_equal(field->first_of_declaration, expected[i].first);
        bool last = i + 1 == count || expected[i + 1].first;
        assert_true(java_token_is_symbol(&source.tokens, field->end, last ? ';' : ','));
    }
    java_source_release(&source);
}

static void test_methods(void **unused)
{
    (void)unused;
    struct java_source source;
    read_source(
        &source,
        "abstract class A<T extends Comparable<? super T>, @B U> {\n"
        "  A(A<T, U> this, final @B(\"x\") int a, T... b) throws E { super(); }\n"
        "  public <V extends T> Map<T, V> m(V v, U u, java.util.List<U>[] w, int x[]) [] { }\n"
        "  abstract int n() throws a.B, C;\n"
        "  default void o() {}\n"
        "  int value() default 3;\n"
        "  class I { <W extends List<W>.X & D> void p(W w, T t) { class L { void q(W s) {} } } }\n"
        "}\n");
    const struct java_method *method = method_of(&source, "<init>");
    assert_true(method->constructor);
    assert_int_equal(method->parameter_count, 2);
    assert_parameter(method, 0, "int", 0, "a");
    assert_parameter(method, 1, "T", 1, "b");
    assert_true(java_token_is_symbol(&source.tokens, method->body_close, '}'));
    uint32_t number = method_number(&source, "m");
    method = &source.methods.items[number];
    assert_text(method->result.name, "Map");
    assert_int_equal(method->result.dimensions, 1);
    assert_int_equal(method->parameter_count, 4);
    assert_parameter(method, 2, "java.util.List", 1, "w");
    assert_parameter(method, 3, "int", 1, "x");
    assert_text(java_source_erase(&source, 0, number, TEXT("V")), "Comparable");
    assert_text(java_source_erase(&source, 0, number, TEXT("U")), "java.lang.Object");
    assert_text(java_source_erase(&source, 0, number, TEXT("String")), "String");
    assert_text(java_source_erase(&source, 0, JAVA_NONE, TEXT("V")), "V");
    method = method_of(&source, "n");
    assert_int_equal(method->body_close, JAVA_NONE);
    assert_true(java_token_is_symbol(&source.tokens, method->end, ';'));
    method_of(&source, "o");
    method_of(&source, "value");
    number = method_number(&source, "q");
    uint32_t local = source.methods.items[number].class_number;
    assert_text(java_source_erase(&source, local, number, TEXT("W")), "List.X");
    assert_text(java_source_erase(&source, local, number, TEXT("T")), "Comparable");
    assert_int_equal(source.methods.count, 7);
    java_source_release(&source);
}

/* ---- places ---- */

static uint32_t token_of(const struct java_source *source, const char *word)
{
    for (uint32_t i = 0; i < source->tokens.tokens.count; i++)
        if (java_token_is(&source->tokens, i, word))
            return i;
    fail_msg("there is no %s", word);
    return JAVA_NONE;
}

static void assert_owner(const struct java_source *source, const char *word,
                         enum java_owner_kind kind, uint32_t number)
{
    struct java_owner owner = source->owners[token_of(source, word)];
    assert_int_equal(owner.kind, kind);
    if (kind != JAVA_OWNER_CODE && kind != JAVA_OWNER_NONE)
        assert_int_equal(owner.number, number);
}

static void test_owners_of_tokens(void **unused)
{
    (void)unused;
    struct java_source source;
    read_source(&source, "import imported;\n"
                         "public class A extends B {\n"
                         "  private Type one = value, two;\n"
                         "  static { block(); }\n"
                         "  void method(Parameter p) throws Thrown { inside(); }\n"
                         "  Object o = new Base(argument) { int member; };\n"
                         "}\n");
    assert_owner(&source, "imported", JAVA_OWNER_NONE, 0);
    assert_owner(&source, "public", JAVA_OWNER_CLASS, 0);
    assert_owner(&source, "B", JAVA_OWNER_CLASS, 0);
    assert_owner(&source, "private", JAVA_OWNER_FIELD_TYPE, 0);
    assert_owner(&source, "one", JAVA_OWNER_FIELD, 0);
    assert_owner(&source, "value", JAVA_OWNER_CODE, 0);
    assert_owner(&source, "two", JAVA_OWNER_FIELD, 1);
    assert_owner(&source, "block", JAVA_OWNER_CODE, 0);
    assert_owner(&source, "void", JAVA_OWNER_METHOD, 0);
    assert_owner(&source, "Thrown", JAVA_OWNER_METHOD, 0);
    assert_owner(&source, "inside", JAVA_OWNER_CODE, 0);
    assert_owner(&source, "argument", JAVA_OWNER_CODE, 0);
    assert_owner(&source, "member", JAVA_OWNER_FIELD, 3);
    uint32_t brace = source.methods.items[0].end;
    assert_int_equal(source.owners[brace].kind, JAVA_OWNER_METHOD);
    assert_int_equal(source.owners[source.methods.items[0].body_close].kind, JAVA_OWNER_METHOD_END);
    java_source_release(&source);
}

static void test_blocks(void **unused)
{
    (void)unused;
    struct java_source source;
    read_source(&source, "class A { void m() { a; { b; } if (x) { c; } d; } }\n");
    uint32_t body = java_source_block_at(&source, token_of(&source, "a"));
    assert_int_equal(source.blocks.items[body].open, source.methods.items[0].end);
    assert_int_equal(java_source_block_at(&source, token_of(&source, "d")), body);
    uint32_t inner = java_source_block_at(&source, token_of(&source, "b"));
    assert_int_not_equal(inner, body);
    assert_int_equal(source.blocks.items[inner].parent, body);
    assert_int_not_equal(java_source_block_at(&source, token_of(&source, "c")), inner);
    /* Before a closing brace is inside. */
    assert_int_equal(java_source_block_at(&source, source.blocks.items[body].close), body);
    assert_int_equal(java_source_block_at(&source, token_of(&source, "class")), JAVA_NONE);
    java_source_release(&source);
}

static void test_behind_a_type(void **unused)
{
    (void)unused;
    struct java_source source;
    read_source(&source, "class A { Outer.Type<Argument> [] field; }");
    const struct java_type *type = &field_of(&source, "field")->type;
    assert_false(java_type_ends_before(type, token_of(&source, "Outer")));
    assert_false(java_type_ends_before(type, token_of(&source, "Outer") + 1));
    assert_false(java_type_ends_before(type, token_of(&source, "Type")));
    assert_true(java_type_ends_before(type, token_of(&source, "Type") + 1));
    assert_false(java_type_ends_before(type, token_of(&source, "Argument")));
    assert_false(java_type_ends_before(type, token_of(&source, "Argument") + 1));
    assert_true(java_type_ends_before(type, token_of(&source, "Argument") + 2));
    assert_true(java_type_ends_before(type, token_of(&source, "field")));
    assert_false(java_type_ends_before(type, token_of(&source, "field") + 1));
    java_source_release(&source);
}

/* ---- what is no Java ---- */

static void test_errors_lose_only_what_they_touch(void **unused)
{
    (void)unused;
    struct java_source source;
    read_source(&source, "} ) package p; import ;\n"
                         "class A { int a; int = 3; foo bar baz; int b; void m( { } int c; }\n"
                         "int broken class B { int d; } }\n"
                         "class { } class C { enum } class D { int e }\n"
                         "class E extends { int f; } class F { int g; \n");
    assert_text(source.package, "p");
    class_number(&source, "p/A");
    const char *const fields[] = {"a", "b", "c", "d", "g"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        field_of(&source, fields[i]);
    java_source_release(&source);
    read_source(&source, "");
    assert_int_equal(source.tokens.tokens.count, 1);
    assert_int_equal(source.classes.count, 0);
    java_source_release(&source);
}

/* The text, many times. */
static void read_repeated(const char *text, size_t times)
{
    size_t length = strlen(text);
    char *bytes = malloc(length * times);
    assert_non_null(bytes);
    for (size_t i = 0; i < times; i++)
        memcpy(bytes + i * length, text, length);
    struct java_source source;
    assert_true(java_source_read(&source, text_of(bytes, length * times), TEXT("A.java")));
    java_source_release(&source);
    free(bytes);
}

/* Neither the stack nor the time runs out. */
static void test_nesting_and_vain_searches(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"class A{",
                                        "new A(){",
                                        "class A{void m(){",
                                        "{",
                                        "(",
                                        "<",
                                        "a<",
                                        "new a<",
                                        "class a ",
                                        "record a() ",
                                        "a() default {} ",
                                        "enum A{B{",
                                        "\"\"\" \\",
                                        "/*",
                                        "@a ",
                                        "@a(",
                                        "int a=b<c,d ",
                                        "record A(int a){A{}",
                                        "a b=new c<",
                                        "}",
                                        "a.b.",
                                        "x[",
                                        "int a(",
                                        "static{",
                                        "int a,",
                                        "@interface A{",
                                        "'",
                                        "\\u",
                                        "\\\\u007b",
                                        "class A extends "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        read_repeated(texts[i], 5000);
}

/* All prefixes of a file, and the file with each byte replaced. */
static void test_broken_files(void **unused)
{
    (void)unused;
    const char *text = "package p; class A<T> extends B/*#<x>*/ { /*# y */ int a = new C<D>() { },"
                       " b[]; enum E { F(1) { }, G; } record R(int a) { R { } } "
                       "@Z(\"\\\"\") <V> V m(int... x) throws Q { class L { } \"\"\"\n\"\"\"; } }";
    size_t length = strlen(text);
    for (size_t i = 0; i <= length; i++) {
        static const char replacements[] = "{}()<>\"'/*,;=@.x\\\n";
        struct java_source source;
        char *bytes = malloc(length + 1);
        assert_non_null(bytes);
        memcpy(bytes, text, i);
        assert_true(java_source_read(&source, text_of(bytes, i), TEXT("A.java")));
        java_source_release(&source);
        for (size_t j = 0; i < length && j < sizeof replacements - 1; j++) {
            memcpy(bytes, text, length);
            bytes[i] = replacements[j];
            assert_true(java_source_read(&source, text_of(bytes, length), TEXT("A.java")));
            for (size_t k = 0; k < source.classes.count; k++) {
                const struct java_class *class = &source.classes.items[k];
                assert_true(class->kind == JAVA_IMPLICIT || class->open < class->close);
                assert_true(class->close < source.tokens.tokens.count);
            }
            java_source_release(&source);
        }
        free(bytes);
    }
}

static bool read_without_memory(void *context)
{
    struct java_source source;
    bool read = java_source_read(&source, *(struct text *)context, TEXT("A.java"));
    java_source_release(&source);
    return read;
}

static void test_without_memory(void **unused)
{
    (void)unused;
    struct text text =
        TEXT("package p; import a.b; class A<T> extends a . b { int a, b; record R(int x)"
             "{ R {} } void m(int x) { new B() { }; } }");
    assert_true(support_fail_each_request(read_without_memory, &text) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_unicode_escapes),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_classes_and_their_names),
        cmocka_unit_test(test_local_and_anonymous_classes),
        cmocka_unit_test(test_compact_source_files),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_owners_of_tokens),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_behind_a_type),
        cmocka_unit_test(test_errors_lose_only_what_they_touch),
        cmocka_unit_test(test_nesting_and_vain_searches),
        cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
