/* Comments in the sources of test/java/comments, beside the classes that javac makes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "locktypes/comment_reader.h"
#include "support.h"

static struct {
    char sources[600]; /* test/java/comments */
    struct support_folder folder;
    FILE *messages;
    struct diagnostics diagnostics;
    struct program program;
    struct arena arena;
    struct declarations declarations;
    struct syntax_errors errors;
} samples;

static void __attribute__((format(printf, 1, 2))) command(const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (system(line) != 0)
        fail_msg("%s", line);
}

static bool read_samples(const char *folder)
{
    arena_init(&samples.arena);
    samples.errors = (struct syntax_errors){.arena = &samples.arena};
    return comment_reader_read(&samples.declarations, &samples.arena, &samples.program, folder,
                               &samples.errors, &samples.diagnostics);
}

static void forget_samples(void)
{
    vector_release(&samples.errors.items);
    arena_release(&samples.arena);
}

static int compile_samples(void **state)
{
    (void)state;
    const char *jdk = getenv("TURNSTILE_JDK");
    if (!jdk || !jdk[0])
        jdk = "/usr";
    snprintf(samples.sources, sizeof samples.sources, "%s", __FILE__);
    char *end = strstr(samples.sources, "/test/unit/locktypes/");
    assert_non_null(end);
    strcpy(end, "/test/java/comments");
    support_folder_make(&samples.folder);
    command("cd '%s' && '%s/bin/javac' -nowarn -Xlint:-unchecked -d classes "
            "$(find '%s' -name '*.java') 2>/dev/null",
            samples.folder.path, jdk, samples.sources);
    samples.messages = fopen("/dev/null", "w");
    assert_non_null(samples.messages);
    diagnostics_init(&samples.diagnostics, samples.messages, DIAGNOSTICS_COLOR_NEVER);
    struct program_options options = {.workers = 1, .platform = ""};
    struct problem problem;
    problem_clear(&problem);
    assert_true(program_init(&samples.program, &options, &samples.diagnostics, &problem));
    assert_true(program_add_path(&samples.program, support_path(&samples.folder, "classes"),
                                 &samples.diagnostics, &problem));
    assert_true(program_link(&samples.program, &samples.diagnostics, &problem));
    assert_true(read_samples(samples.sources));
    return 0;
}

static int remove_samples(void **state)
{
    (void)state;
    forget_samples();
    program_release(&samples.program);
    diagnostics_release(&samples.diagnostics);
    fclose(samples.messages);
    command("rm -r '%s/classes'", samples.folder.path);
    support_folder_remove(&samples.folder);
    return 0;
}

/* ---- looking things up ---- */

/* The number of the only line of the source that has this text. */
static uint32_t line_with(const char *file, const char *wanted)
{
    char path[800];
    char line[400];
    uint32_t number = 0, found = 0;
    snprintf(path, sizeof path, "%s/%s", samples.sources, file);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        number++;
        if (strstr(line, wanted)) {
            assert_int_equal(found, 0);
            found = number;
        }
    }
    fclose(stream);
    assert_int_not_equal(found, 0);
    return found;
}

static const struct syntax_class *find_class(const char *name)
{
    const struct syntax_class *found = NULL;
    for (uint32_t i = 0; i < samples.declarations.class_count; i++)
        if (text_is(samples.declarations.classes[i].name, name)) {
            assert_null(found);
            found = &samples.declarations.classes[i];
            assert_true(found->internal_name);
        }
    if (!found)
        fail_msg("nothing is declared of %s", name);
    return found;
}

static const struct syntax_field *find_field(const char *class_name, const char *name)
{
    const struct syntax_class *class = find_class(class_name);
    for (uint32_t i = 0; i < class->field_count; i++)
        if (text_is(class->fields[i].name, name))
            return &class->fields[i];
    return NULL;
}

static const struct syntax_method *find_method(const char *class_name, const char *name)
{
    const struct syntax_class *class = find_class(class_name);
    for (uint32_t i = 0; i < class->method_count; i++)
        if (text_is(class->methods[i].name, name))
            return &class->methods[i];
    return NULL;
}

/* Locks as they were written, with commas between them. */
static void assert_locks(const struct syntax_locks *locks, const char *expected)
{
    struct builder builder;
    builder_init(&builder);
    for (uint32_t i = 0; i < locks->count; i++) {
        if (i)
            builder_add_byte(&builder, ',');
        builder_add(&builder, locks->items[i].written);
    }
    assert_string_equal(builder_string(&builder), expected);
    builder_release(&builder);
}

static void assert_guard(const char *class_name, const char *name, enum guard_kind kind,
                         const char *locks)
{
    const struct syntax_field *field = find_field(class_name, name);
    if (kind == GUARD_NONE && !field)
        return;
    if (!field)
        fail_msg("nothing is declared of %s", name);
    assert_int_equal(field->guard.kind, kind);
    assert_locks(&field->guard.locks, locks);
}

static void assert_requires(const char *class_name, const char *name, const char *locks)
{
    const struct syntax_method *method = find_method(class_name, name);
    if (!method)
        fail_msg("nothing is declared of %s", name);
    assert_true(method->has_requires);
    assert_locks(&method->requires, locks);
}

static void assert_parameter(const struct syntax_method *method, uint32_t number, const char *type,
                             uint32_t dimensions, const char *name, const char *owners)
{
    assert_true(number < method->parameter_count);
    const struct syntax_parameter *parameter = &method->parameters[number];
    assert_text(parameter->name, name);
    assert_text(parameter->type.name, type);
    assert_int_equal(parameter->type.dimensions, dimensions);
    assert_locks(&parameter->type.owners, owners);
}

/* The number of lines of that kind in the file that begin there; the last of them is stored. */
static uint32_t find_line(const char *file, enum line_kind kind, uint32_t first,
                          const struct syntax_line **found)
{
    uint32_t count = 0;
    *found = NULL;
    for (uint32_t i = 0; i < samples.declarations.line_count; i++) {
        const struct syntax_line *line = &samples.declarations.lines[i];
        if (line->kind == kind && line->first == first && text_is(line->file, file)) {
            *found = line;
            count++;
        }
    }
    return count;
}

/* ---- fields ---- */

#define POSITIONS "sample/Positions"
#define POSITIONS_FILE "sample/Positions.java"

static void test_guards(void **unused)
{
    (void)unused;
    assert_guard(POSITIONS, "behind", GUARD_ALWAYS, "this");
    assert_guard(POSITIONS, "initialized", GUARD_ALWAYS, "lock");
    assert_guard(POSITIONS, "late", GUARD_ALWAYS, "lock");
    assert_guard(POSITIONS, "equal", GUARD_ALWAYS, "lock");
    assert_guard(POSITIONS, "array", GUARD_ALWAYS, "this");
    assert_guard(POSITIONS, "above", GUARD_ALWAYS, "this");
    assert_guard(POSITIONS, "before", GUARD_ALWAYS, "lock");
    assert_guard(POSITIONS, "between", GUARD_ALWAYS, "lock");
    assert_guard(POSITIONS, "trailing", GUARD_ALWAYS, "this");
    assert_guard(POSITIONS, "trailingBlock", GUARD_WRITES, "lock,other");
    assert_guard(POSITIONS, "aboveToLineEnd", GUARD_WRITES, "this");
    assert_null(find_field(POSITIONS, "plain"));
    assert_null(find_field(POSITIONS, "lock"));
    const struct syntax_field *field = find_field(POSITIONS, "behind");
    assert_int_equal(field->place.line, line_with(POSITIONS_FILE, "int behind"));
    assert_int_equal(field->place.column, strlen("    int behind /*# ") + 1);
    assert_true(text_ends_with(field->place.file, TEXT("comments/" POSITIONS_FILE)));
}

static void test_several_declarators(void **unused)
{
    (void)unused;
    assert_null(find_field(POSITIONS, "a"));
    assert_guard(POSITIONS, "b", GUARD_ALWAYS, "lock");
    assert_null(find_field(POSITIONS, "c"));
    assert_guard(POSITIONS, "d", GUARD_ALWAYS, "this");
    assert_guard(POSITIONS, "e", GUARD_ALWAYS, "lock");
    assert_guard(POSITIONS, "f", GUARD_ALWAYS, "this");
    assert_guard(POSITIONS, "g", GUARD_ALWAYS, "this");
    assert_guard(POSITIONS, "h", GUARD_ALWAYS, "lock");
    assert_guard(POSITIONS, "i", GUARD_ALWAYS, "lock");
    assert_guard(POSITIONS, "nested", GUARD_ALWAYS, "this");
    assert_guard(POSITIONS "$1", "inner", GUARD_ALWAYS, "lock");
}

/* ---- methods ---- */

static void test_requires(void **unused)
{
    (void)unused;
    assert_requires(POSITIONS, "required", "lock,x.y");
    const struct syntax_method *method = find_method(POSITIONS, "required");
    assert_text(method->descriptor, "");
    assert_false(method->any_parameters);
    assert_int_equal(method->parameter_count, 3);
    assert_parameter(method, 0, "int", 0, "x", "");
    assert_parameter(method, 1, "Map", 1, "y", "");
    assert_parameter(method, 2, "List", 1, "z", "");
    assert_requires(POSITIONS, "requiredBefore", "lock");
    assert_requires(POSITIONS, "requiredBehindBrace", "this");
    assert_requires(POSITIONS, "requiredTwice", "lock,other");
    assert_requires(POSITIONS, "requiredOneLine", "lock");
    assert_requires(POSITIONS, "generic", "");
    method = find_method(POSITIONS, "generic");
    assert_parameter(method, 0, "Comparable", 0, "t", "");
    assert_parameter(method, 1, "java.lang.Object", 0, "u", "");
    assert_parameter(method, 2, "List", 0, "l", "");
    assert_requires(POSITIONS, "<init>", "lock");
    assert_null(find_method(POSITIONS, "plain"));
    assert_requires("sample/Shape", "draw", "this");
    assert_requires("sample/Point", "<init>", "y");
    assert_parameter(find_method("sample/Point", "<init>"), 1, "Object", 0, "y", "");
}

static void test_atomic(void **unused)
{
    (void)unused;
    const char *const names[] = {"atomicBefore", "atomicInside"};
    for (size_t i = 0; i < 2; i++) {
        const struct syntax_method *method = find_method(POSITIONS, names[i]);
        assert_non_null(method);
        assert_non_null(method->atomicity);
        assert_int_equal(method->atomicity->basic, ATOMICITY_ATOMIC);
    }
    const struct syntax_line *line;
    uint32_t first = line_with(POSITIONS_FILE, "/*# atomic */ synchronized (lock) {");
    assert_int_equal(find_line(POSITIONS_FILE, LINE_ATOMIC, first, &line), 1);
    assert_int_equal(line->last, first + 2);
    first += 3;
    assert_int_equal(find_line(POSITIONS_FILE, LINE_ATOMIC, first, &line), 1);
    assert_int_equal(line->last, first + 2);
}

/* ---- classes ---- */

static void test_classes(void **unused)
{
    (void)unused;
    assert_int_equal(find_class(POSITIONS)->nature, NATURE_THREAD_LOCAL);
    assert_int_equal(find_class("sample/ThreadLocalBefore")->nature, NATURE_THREAD_LOCAL);
    assert_int_equal(find_class("sample/Shape")->nature, NATURE_IMMUTABLE);
    assert_int_equal(find_class("sample/Guarded")->guard.kind, GUARD_ALWAYS);
    assert_locks(&find_class("sample/Guarded")->guard.locks, "lock");
    assert_guard("sample/Color", "value", GUARD_ALWAYS, "this");
    assert_guard("sample/Color$1", "shade", GUARD_ALWAYS, "this");
    assert_guard("sample/Point", "x", GUARD_ALWAYS, "this");
    assert_null(find_field("sample/Point", "y"));
    assert_int_equal(find_class(POSITIONS)->guard.kind, GUARD_NONE);
}

/* javac's numbers: those of a class's own anonymous classes and those of equal local names. */
static void test_classes_without_names_of_their_own(void **unused)
{
    (void)unused;
    static const struct {
        const char *class_name, *field;
    } expected[] = {
        {"sample/Inner$Member", "m"},       {"sample/Inner$Member$1", "inMember"},
        {"sample/Inner$1Local", "inLocal"}, {"sample/Inner$1Local$Deep", "inDeep"},
        {"sample/Inner$2Local", "inOther"}, {"sample/Inner$2", "inArgument"},
        {"sample/Inner$3", "inThread"},     {"sample/Inner$4", "inLambda"},
        {"sample/Inner$4$1", "inside"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        /* What the test says is what the compiler did. */
        assert_int_not_equal(
            program_find_field(&samples.program, expected[i].class_name, expected[i].field, "I"),
            PROGRAM_NONE);
        assert_guard(expected[i].class_name, expected[i].field, GUARD_ALWAYS, "this");
    }
}

static void test_formals_and_owners(void **unused)
{
    (void)unused;
    const struct syntax_class *node = find_class("sample/Node");
    assert_int_equal(node->formal_count, 2);
    assert_text(node->formals[0].name, "d");
    assert_text(node->formals[0].type, "Object");
    assert_text(node->formals[1].name, "o");
    const struct syntax_field *field = find_field("sample/Node", "next");
    assert_text(field->type.name, "Node");
    assert_locks(&field->type.owners, "this,o");
    assert_locks(&field->guard.locks, "d");
    field = find_field("sample/Node", "more");
    assert_locks(&field->type.owners, "d,o");
    assert_int_equal(field->type.dimensions, 1);
    const struct syntax_method *method = find_method("sample/Node", "find");
    assert_false(method->has_requires);
    assert_locks(&method->result.owners, "self,self");
    assert_parameter(method, 0, "Node", 0, "from", "o,d");
    assert_parameter(method, 1, "int", 0, "depth", "");
    const struct syntax_class *sub = find_class("sample/Sub");
    assert_int_equal(sub->formal_count, 1);
    assert_text(sub->superclass.name, "Node");
    assert_locks(&sub->superclass.owners, "p,this");
}

/* ---- lines ---- */

#define OWNERS_FILE "sample/Owners.java"

static void assert_owners_line(const char *wanted, const char *name, const char *owners)
{
    const struct syntax_line *line;
    uint32_t first = line_with(OWNERS_FILE, wanted);
    assert_int_equal(find_line(OWNERS_FILE, LINE_OWNERS, first, &line), 1);
    assert_text(line->type.name, name);
    assert_locks(&line->type.owners, owners);
    assert_int_equal(line->last, first);
}

static void test_owners_in_code(void **unused)
{
    (void)unused;
    assert_owners_line("Node<String> field", "Node", "this,this");
    assert_owners_line("local = null", "Node", "this,this");
    /* The object's owners, not the variable's. */
    assert_owners_line("both = ", "Node", "self,self");
    assert_owners_line("array = ", "sample.Node", "this,self");
    /* Two objects in a statement, of which the second has owners: both are told, in order. */
    const struct syntax_line *line;
    uint32_t first = line_with(OWNERS_FILE, "the statement's line");
    assert_int_equal(find_line(OWNERS_FILE, LINE_OWNERS, first, &line), 2);
    assert_locks(&line->type.owners, "self,this");
    assert_int_equal(line->last, first + 1);
    assert_int_equal(line[-1].first, first);
    assert_text(line[-1].type.name, "Node");
    assert_locks(&line[-1].type.owners, "");
}

static void test_no_warn(void **unused)
{
    (void)unused;
    const struct syntax_line *line;
    uint32_t first = line_with(POSITIONS_FILE, "plain = 1;");
    assert_int_equal(find_line(POSITIONS_FILE, LINE_NO_WARN, first, &line), 1);
    assert_true(line->no_warn.all);
    assert_int_equal(line->last, first);
    assert_int_equal(find_line(POSITIONS_FILE, LINE_NO_WARN, first + 1, &line), 1);
    assert_false(line->no_warn.all);
    assert_int_equal(line->no_warn.count, 1);
    assert_text(line->no_warn.rules[0], "guard-not-held");
    /* Alone on its line, it is about the next one. */
    assert_int_equal(find_line(POSITIONS_FILE, LINE_NO_WARN, first + 2, &line), 1);
    assert_int_equal(line->last, first + 3);
    assert_true(find_field(POSITIONS, "quietField")->no_warn.all);
    assert_int_equal(find_method(POSITIONS, "quietMethod")->no_warn.count, 1);
    assert_null(find_method(POSITIONS, "code"));
}

static void test_holds(void **unused)
{
    (void)unused;
    const struct syntax_line *line;
    uint32_t first = line_with(POSITIONS_FILE, "/*# holds lock, other */");
    assert_int_equal(find_line(POSITIONS_FILE, LINE_HOLDS, first, &line), 2);
    assert_text(line->lock.written, "other");
    assert_text(line[-1].lock.written, "lock");
    /* Up to the end of its block, and not on the line where that is closed. */
    assert_int_equal(line->last, line_with(POSITIONS_FILE, "plain = 7;"));
}

/* ---- errors ---- */

static void test_errors_are_told_at_their_place(void **unused)
{
    (void)unused;
    static const struct {
        const char *on, *message;
    } expected[] = {{"int a /*#", "`requires` belongs to a method"},
                    {"void b()", "`guarded_by` belongs to a field or a class"},
                    {"void c()", "`thread_local` belongs to a class"},
                    {"void c()", "`guarded_by` belongs to a field or a class"},
                    {"int d;", "`holds` belongs into the body of a method"},
                    {"int e /*#", NULL},
                    {"List<Bad", "owners belong directly behind a type"},
                    {"int g /*#", "owners belong directly behind a type"},
                    {"int h /*#", "'h' has a guard already"},
                    {"void i()", "`atomic` belongs to a method or before a block"}};
    size_t at = 0;
    for (size_t i = 0; i < samples.errors.items.count; i++) {
        const struct syntax_error *error = &samples.errors.items.items[i];
        if (!text_ends_with(error->place.file, TEXT("Bad.java")))
            continue;
        assert_true(at < sizeof expected / sizeof *expected);
        assert_int_equal(error->place.line, line_with("elsewhere/Bad.java", expected[at].on));
        if (expected[at].message)
            assert_true(text_starts_with(error->message, text_from(expected[at].message)));
        /* The line is the file's, and the column is in it. */
        assert_non_null(strstr(error->line.bytes, expected[at].on));
        assert_true(error->place.column > 4 && error->place.column <= error->line.length);
        at++;
    }
    assert_int_equal(at, sizeof expected / sizeof *expected);
    /* The rest of the file counts. */
    assert_guard("sample/bad/Bad", "good", GUARD_ALWAYS, "this");
    assert_guard("sample/bad/Bad", "h", GUARD_ALWAYS, "this");
    assert_guard("sample/bad/Bad", "e", GUARD_NONE, "");
}

static void test_sources_of_other_programs_are_left_alone(void **unused)
{
    (void)unused;
    /* The files of the classes have these errors only: see above, and class Twice. */
    for (size_t i = 0; i < samples.errors.items.count; i++) {
        const struct syntax_place *place = &samples.errors.items.items[i].place;
        assert_true(text_ends_with(place->file, TEXT("Bad.java")) ||
                    place->line == line_with(POSITIONS_FILE, "* write_guarded_by this */"));
    }
    struct support_folder folder;
    support_folder_make(&folder);
    const char *wrong = "package other; class Positions { int behind /*# guarded_by no */; }";
    const char *unknown = "package sample; class Unknown { int x /*# guarded_by no */; }";
    support_write(support_path(&folder, "Positions.java"), wrong, strlen(wrong));
    support_write(support_path(&folder, "Unknown.java"), unknown, strlen(unknown));
    struct declarations kept = samples.declarations;
    struct arena arena;
    arena_init(&arena);
    struct syntax_errors errors = {.arena = &arena};
    struct declarations found;
    assert_true(comment_reader_read(&found, &arena, &samples.program, folder.path, &errors,
                                    &samples.diagnostics));
    assert_int_equal(found.class_count, 0);
    assert_int_equal(found.line_count, 0);
    assert_int_equal(errors.items.count, 0);
    assert_int_equal(found.source, SOURCE_COMMENT);
    assert_int_equal(kept.source, SOURCE_COMMENT);
    /* A folder that is not there is told. */
    unsigned told = samples.diagnostics.errors;
    assert_false(comment_reader_read(&found, &arena, &samples.program,
                                     support_path(&folder, "absent"), &errors,
                                     &samples.diagnostics));
    assert_int_equal(samples.diagnostics.errors, told + 1);
    arena_release(&arena);
    support_folder_remove(&folder);
}

static const struct syntax_method *method_of(const struct declarations *declarations,
                                             const char *class_name, const char *method,
                                             const struct syntax_class **class)
{
    for (uint32_t i = 0; i < declarations->class_count; i++) {
        *class = &declarations->classes[i];
        for (uint32_t n = 0; text_is((*class)->name, class_name) && n < (*class)->method_count; n++)
            if (text_is((*class)->methods[n].name, method))
                return &(*class)->methods[n];
    }
    fail_msg("nothing is declared of %s.%s", class_name, method);
    return NULL;
}

static void test_source_is_read_without_classes(void **unused)
{
    (void)unused;
    struct support_folder folder;
    support_folder_make(&folder);
    const char *source = "package p;\n"
                         "class A {\n"
                         "    static class B {\n"
                         "        void member() /*# atomic */ { }\n"
                         "    }\n"
                         "    Runnable r = new Runnable() {\n"
                         "        public void run() /*# atomic */ {\n"
                         "            /*# atomic */ synchronized\n"
                         "                    (this) {\n"
                         "            }\n"
                         "            /*# atomic */ {\n"
                         "            }\n"
                         "            class Local {\n"
                         "                class Deep {\n"
                         "                    int deep() /*# atomic */ { return 1; }\n"
                         "                }\n"
                         "            }\n"
                         "        }\n"
                         "    };\n"
                         "}\n";
    support_write(support_path(&folder, "A.java"), source, strlen(source));
    support_write(support_path(&folder, "A.txt"), source, strlen(source));
    struct arena arena;
    arena_init(&arena);
    struct syntax_errors errors = {.arena = &arena};
    struct declarations found;
    const struct syntax_class *class;
    assert_true(
        comment_reader_read(&found, &arena, NULL, folder.path, &errors, &samples.diagnostics));
    assert_int_equal(errors.items.count, 0);
    assert_int_equal(found.class_count, 3);
    assert_non_null(method_of(&found, "p/A$B", "member", &class));
    assert_true(class->internal_name && !class->numbered);
    const struct syntax_method *method = method_of(&found, "p/A$#", "run", &class);
    assert_true(class->internal_name && class->numbered);
    assert_int_equal(method->first_line, 7);
    assert_int_equal(method->last_line, 18);
    assert_non_null(method_of(&found, "p/A$#$#Local$Deep", "deep", &class));
    assert_true(class->internal_name && class->numbered);
    assert_int_equal(found.line_count, 2);
    assert_int_equal(found.lines[0].kind, LINE_ATOMIC);
    assert_true(text_is(found.lines[0].file, "p/A.java"));
    assert_int_equal(found.lines[0].first, 8);
    assert_int_equal(found.lines[0].open, 9);
    assert_int_equal(found.lines[1].first, 11);
    assert_int_equal(found.lines[1].open, 0);
    arena_release(&arena);
    support_folder_remove(&folder);
}

/* A file that cannot be read is told and left out; so the count says whether all went well. */
static bool read_again(void *context)
{
    uint32_t in_folder = 0;
    for (uint32_t i = 0; i < samples.declarations.class_count; i++)
        in_folder += !text_is(samples.declarations.classes[i].name, "sample/bad/Bad");
    struct arena arena;
    arena_init(&arena);
    struct syntax_errors errors = {.arena = &arena};
    struct declarations found;
    bool read = comment_reader_read(&found, &arena, &samples.program, context, &errors,
                                    &samples.diagnostics);
    bool complete = read && found.class_count == in_folder;
    vector_release(&errors.items);
    arena_release(&arena);
    return complete;
}

static void test_without_memory(void **unused)
{
    (void)unused;
    char folder[700];
    snprintf(folder, sizeof folder, "%s/sample", samples.sources);
    assert_true(support_fail_each_request(read_again, folder) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_several_declarators),
        cmocka_unit_test(test_requires),
        cmocka_unit_test(test_atomic),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_classes_without_names_of_their_own),
        cmocka_unit_test(test_formals_and_owners),
        cmocka_unit_test(test_owners_in_code),
        cmocka_unit_test(test_no_warn),
        cmocka_unit_test(test_holds),
        cmocka_unit_test(test_errors_are_told_at_their_place),
        cmocka_unit_test(test_sources_of_other_programs_are_left_alone),
        cmocka_unit_test(test_source_is_read_without_classes),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, compile_samples, remove_samples);
}
