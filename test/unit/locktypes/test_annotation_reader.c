/* Annotations in class files that javac makes of test/java/annotations, and in some that it would
   not make. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/builder.h"
#include "base/diagnostics.h"
#include "classfile/class_builder.h"
#include "locktypes/annotation_reader.h"
#include "program/program.h"
#include "support.h"

/* ---- what was read, as text ---- */

static void add_lock(struct builder *to, const struct syntax_lock *lock)
{
    static const char *const words[] = {
        [SEGMENT_THIS] = "this",
        [SEGMENT_CLASS] = "class",
        [SEGMENT_ITSELF] = "itself",
        [SEGMENT_SELF] = "self",
        [SEGMENT_THIS_THREAD] = "thisThread",
        [SEGMENT_UNIQUE] = "unique",
        [SEGMENT_READONLY] = "readonly",
    };
    for (uint32_t i = 0; i < lock->segment_count; i++) {
        const struct syntax_segment *segment = &lock->segments[i];
        if (i)
            builder_add_byte(to, '.');
        if (segment->kind == SEGMENT_PARAMETER)
            builder_add_format(to, "#%u", segment->parameter);
        else if (segment->kind == SEGMENT_NAME || segment->kind == SEGMENT_CALL)
            builder_add_format(to, "%.*s%s", TEXT_ARGUMENTS(segment->name),
                               segment->kind == SEGMENT_CALL ? "()" : "");
        else
            builder_add_string(to, words[segment->kind]);
    }
    if (lock->qualifier) {
        builder_add_byte(to, '$');
        add_lock(to, lock->qualifier);
    }
}

static void add_locks(struct builder *to, const struct syntax_locks *locks)
{
    for (uint32_t i = 0; i < locks->count; i++) {
        builder_add_string(to, i ? ", " : "");
        add_lock(to, &locks->items[i]);
    }
}

static void add_owners(struct builder *to, const char *what, const struct syntax_type *type)
{
    if (!type->owners.count)
        return;
    builder_add_format(to, "%s<", what);
    add_locks(to, &type->owners);
    builder_add_string(to, "> ");
}

static void add_guard(struct builder *to, const struct syntax_guard *guard)
{
    static const char *const words[] = {"", "guarded_by ", "write_guarded_by "};
    builder_add_string(to, words[guard->kind]);
    add_locks(to, &guard->locks);
    builder_add_string(to, guard->kind ? " " : "");
}

static void add_no_warn(struct builder *to, const struct syntax_no_warn *no_warn)
{
    builder_add_string(to, no_warn->all ? "no_warn " : "");
    for (uint32_t i = 0; i < no_warn->count; i++)
        builder_add_format(to, "no_warn:%.*s ", TEXT_ARGUMENTS(no_warn->rules[i]));
}

static void add_atomicity(struct builder *to, const struct syntax_atomicity *atomicity)
{
    static const char *const words[] = {"const", "mover", "atomic", "cmpd", "error"};
    if (!atomicity->lock) {
        builder_add_string(to, words[atomicity->basic]);
        return;
    }
    add_lock(to, atomicity->lock);
    builder_add_string(to, "?");
    add_atomicity(to, atomicity->then);
    builder_add_string(to, ":");
    add_atomicity(to, atomicity->otherwise);
}

static void describe_field(struct builder *to, const struct syntax_field *field)
{
    builder_add_format(to, "%.*s ", TEXT_ARGUMENTS(field->descriptor));
    add_owners(to, "", &field->type);
    add_guard(to, &field->guard);
    add_no_warn(to, &field->no_warn);
}

static void describe_method(struct builder *to, const struct syntax_method *method)
{
    builder_add_format(to, "%.*s ", TEXT_ARGUMENTS(method->descriptor));
    add_owners(to, "", &method->result);
    for (uint32_t i = 0; i < method->parameter_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%u:", i);
        add_owners(to, number, &method->parameters[i].type);
    }
    if (method->has_requires) {
        builder_add_string(to, "requires ");
        add_locks(to, &method->requires);
        builder_add_byte(to, ' ');
    }
    if (method->atomicity) {
        builder_add_string(to, "atomicity ");
        add_atomicity(to, method->atomicity);
        builder_add_byte(to, ' ');
    }
    add_no_warn(to, &method->no_warn);
}

static void describe_class(struct builder *to, const struct syntax_class *class)
{
    static const char *const natures[] = {"", "thread_local ", "immutable ", "thread_safe ",
                                          "unguarded "};
    builder_add_string(to, natures[class->nature]);
    for (uint32_t i = 0; i < class->formal_count; i++)
        builder_add_format(to, "%.*s:%.*s ", TEXT_ARGUMENTS(class->formals[i].name),
                           TEXT_ARGUMENTS(class->formals[i].type));
    if (class->superclass.name.length)
        builder_add_format(to, "extends %.*s ", TEXT_ARGUMENTS(class->superclass.name));
    add_owners(to, "", &class->superclass);
    add_guard(to, &class->guard);
    add_no_warn(to, &class->no_warn);
}

/* ---- the sample classes ---- */

struct samples {
    struct support_folder folder;
    char sources[512]; /* the root of the sources */
    struct program program;
    struct diagnostics diagnostics;
    FILE *messages;
    struct arena arena;
    struct syntax_errors errors;
    struct declarations declarations;
};

static struct samples samples;

static void command(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void command(const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (system(line) != 0)
        fail_msg("%s", line);
}

static void open_program(struct program *program)
{
    const struct program_options options = {.workers = 1, .platform = ""};
    struct problem problem;
    problem_clear(&problem);
    samples.messages = fopen("/dev/null", "w");
    assert_non_null(samples.messages);
    diagnostics_init(&samples.diagnostics, samples.messages, DIAGNOSTICS_COLOR_NEVER);
    assert_true(program_init(program, &options, &samples.diagnostics, &problem));
}

static void link_program(struct program *program)
{
    struct problem problem;
    problem_clear(&problem);
    assert_true(program_link(program, &samples.diagnostics, &problem));
    arena_init(&samples.arena);
    samples.errors = (struct syntax_errors){.arena = &samples.arena};
    assert_true(
        annotation_reader_read(&samples.declarations, &samples.arena, program, &samples.errors));
    assert_int_equal(samples.declarations.source, SOURCE_ANNOTATION);
    assert_int_equal(samples.declarations.line_count, 0);
}

static void close_program(struct program *program)
{
    vector_release(&samples.errors.items);
    arena_release(&samples.arena);
    program_release(program);
    fclose(samples.messages);
}

static int compile_samples(void **state)
{
    (void)state;
    const char *jdk = getenv("TURNSTILE_JDK");
    struct problem problem;
    problem_clear(&problem);
    if (!jdk || !jdk[0])
        jdk = "/usr";
    snprintf(samples.sources, sizeof samples.sources, "%s", __FILE__);
    char *end = strstr(samples.sources, "/test/unit/locktypes/");
    assert_non_null(end);
    *end = 0;
    support_folder_make(&samples.folder);
    command("cd '%s' && '%s/bin/javac' -nowarn -d types "
            "$(find '%s/test/java/annotations/types' '%s/java/annotation' -name '*.java')",
            samples.folder.path, jdk, samples.sources, samples.sources);
    command("cd '%s' && '%s/bin/javac' -nowarn -g -d classes -cp types "
            "'%s'/test/java/annotations/sample/*.java",
            samples.folder.path, jdk, samples.sources);
    open_program(&samples.program);
    assert_true(program_add_path(&samples.program, support_path(&samples.folder, "classes"),
                                 &samples.diagnostics, &problem));
    link_program(&samples.program);
    return 0;
}

static int remove_samples(void **state)
{
    (void)state;
    close_program(&samples.program);
    command("rm -r '%s/types' '%s/classes'", samples.folder.path, samples.folder.path);
    support_folder_remove(&samples.folder);
    return 0;
}

/* ---- looking things up ---- */

static const struct syntax_class *find_class(const char *name)
{
    const struct syntax_class *found = NULL;
    for (uint32_t i = 0; i < samples.declarations.class_count; i++)
        if (text_is(samples.declarations.classes[i].name, name)) {
            assert_null(found);
            found = &samples.declarations.classes[i];
            assert_true(found->internal_name);
        }
    return found;
}

static const struct syntax_field *find_field(const char *class_name, const char *name)
{
    const struct syntax_class *class = find_class(class_name);
    for (uint32_t i = 0; class && i < class->field_count; i++)
        if (text_is(class->fields[i].name, name))
            return &class->fields[i];
    return NULL;
}

static const struct syntax_method *find_method(const char *class_name, const char *name)
{
    const struct syntax_class *class = find_class(class_name);
    for (uint32_t i = 0; class && i < class->method_count; i++)
        if (text_is(class->methods[i].name, name))
            return &class->methods[i];
    return NULL;
}

static void compare(struct builder *found, const char *expected, const char *what)
{
    while (found->length && found->bytes[found->length - 1] == ' ')
        found->bytes[--found->length] = 0;
    if (strcmp(builder_string(found), expected) != 0)
        fail_msg("%s: expected \"%s\", found \"%s\"", what, expected, builder_string(found));
    builder_release(found);
}

/* "nothing" if there is no declaration. */
static void expect_field(const char *class_name, const char *name, const char *expected)
{
    const struct syntax_field *field = find_field(class_name, name);
    struct builder found;
    builder_init(&found);
    if (field)
        describe_field(&found, field);
    else
        builder_add_string(&found, "nothing");
    compare(&found, expected, name);
}

static void expect_method(const char *class_name, const char *name, const char *expected)
{
    const struct syntax_method *method = find_method(class_name, name);
    struct builder found;
    builder_init(&found);
    if (method)
        describe_method(&found, method);
    else
        builder_add_string(&found, "nothing");
    compare(&found, expected, name);
}

static void expect_class(const char *name, const char *expected)
{
    const struct syntax_class *class = find_class(name);
    struct builder found;
    builder_init(&found);
    if (class)
        describe_class(&found, class);
    else
        builder_add_string(&found, "nothing");
    compare(&found, expected, name);
}

/* The number of the line of a sample that ends in the comment. */
static uint32_t line_of(const char *file, const char *comment)
{
    char path[1024], line[512], end[128];
    snprintf(path, sizeof path, "%s/test/java/annotations/sample/%s", samples.sources, file);
    snprintf(end, sizeof end, "// %s\n", comment);
    FILE *source = fopen(path, "r");
    assert_non_null(source);
    uint32_t number = 0, found = 0;
    while (fgets(line, sizeof line, source)) {
        number++;
        if (strstr(line, end))
            found = number;
    }
    fclose(source);
    assert_true(found > 0);
    return found;
}

/* ---- ours ---- */

static void test_our_fields(void **state)
{
    (void)state;
    const char *class = "sample/Ours";
    expect_field(class, "self", "I guarded_by this");
    expect_field(class, "two", "I guarded_by lock, Ours.class");
    expect_field(class, "listed", "I guarded_by lock, Ours.LOCK");
    expect_field(class, "written", "I write_guarded_by this.lock");
    expect_field(class, "itself", "Ljava/lang/Object; guarded_by itself");
    expect_field(class, "called", "I guarded_by peer().lock");
    expect_field(class, "quiet", "I no_warn");
    expect_field(class, "partly",
                 "I guarded_by lock no_warn:guard-not-held no_warn:readonly-written");
    expect_field(class, "plain", "nothing");
    expect_field(class, "deprecated", "nothing");
    assert_text(find_field(class, "two")->guard.locks.items[1].written, "Ours.class");
    assert_text(find_field(class, "self")->place.file, "Ours.java");
}

static void test_our_methods(void **state)
{
    (void)state;
    const char *class = "sample/Ours";
    expect_method(class, "<init>", "(I)V requires lock");
    expect_method(class, "needs", "(Lsample/Ours;)V requires lock, other.lock");
    expect_method(class, "nothing", "()V requires");
    expect_method(class, "guarded", "(IJ)V requires Ours.class");
    expect_method(class, "atomic", "()I atomicity atomic");
    expect_method(class, "conditional", "()I atomicity lock?mover:atomic");
    expect_method(class, "several",
                  "(Ljava/lang/Object;)V requires #1 atomicity cmpd no_warn:not-atomic");
    expect_method(class, "plain", "nothing");
    assert_text(find_method(class, "<init>")->place.file, "Ours.java");
    assert_int_equal(find_method(class, "<init>")->place.line,
                     line_of("Ours.java", "Ours first line"));
    assert_int_equal(find_method(class, "several")->place.line, 0); /* it has no code */
}

static void test_our_classes(void **state)
{
    (void)state;
    expect_class("sample/Classes", "nothing");
    expect_class("sample/Classes$Local", "thread_local");
    expect_class("sample/Classes$NotSafe", "unguarded");
    expect_class("sample/Classes$Constant", "immutable");
    expect_class("sample/Classes$Safe", "thread_safe");
    expect_class("sample/Classes$Open", "unguarded");
    expect_class("sample/Classes$ConstantAndSafe", "immutable");
    expect_class("sample/Classes$OpenAndNotSafe", "unguarded");
    expect_class("sample/Classes$Guarded", "guarded_by this");
    expect_class("sample/Classes$WriteGuarded", "write_guarded_by Classes.class no_warn");
    expect_class("sample/Classes$Base", "thisOwner: c:Classes");
    expect_class("sample/Classes$Sub", "a: b: extends sample/Classes$Base <b, a>");
    expect_class("sample/Classes$Plain", "nothing");
    assert_text(find_class("sample/Classes$Base")->place.file, "Classes.java");
}

static void test_owners(void **state)
{
    (void)state;
    const char *class = "sample/Types";
    expect_field(class, "node", "Lsample/Types$Node; <this>");
    expect_field(class, "inner", "Lsample/Types$Inner; <this, thisThread>");
    expect_field(class, "qualified", "Lsample/Types$Inner; <readonly, self>");
    expect_field(class, "nodes", "[Lsample/Types$Node; <this>");
    expect_field(class, "table", "[[Lsample/Types$Node; <this>");
    expect_field(class, "deep", "Lsample/Types$Node; <o$node>");
    expect_method(class, "result", "()Lsample/Types$Node; <this>");
    expect_method(class, "arrays",
                  "(I[Lsample/Types$Node;JLsample/Types$Node;)[Lsample/Types$Node; <self> "
                  "1:<this> 3:<#1>");
    assert_int_equal(find_method(class, "arrays")->parameter_count, 4);
    /* A local and a cast say nothing. */
    expect_method(class, "allocate", "nothing");
}

/* Annotations count the parameters that the source has. */
static void test_hidden_parameters(void **state)
{
    (void)state;
    expect_method("sample/Types$Inner", "<init>",
                  "(Lsample/Types;ILsample/Types$Inner;)V 2:<Types.this, self>");
    expect_method("sample/Types$Kind", "<init>",
                  "(Ljava/lang/String;ILsample/Types$Node;)V 2:<self>");
    expect_method("sample/Types$1Local", "<init>",
                  "(Lsample/Types;Lsample/Types$Node;I)V 1:<this>");
    expect_method("sample/Types$1StaticLocal", "<init>",
                  "(Lsample/Types;Lsample/Types;)V 0:<this>");
}

/* The opcode at an offset of a method of sample/Types. */
static unsigned opcode_at(const struct syntax_allocation *allocation)
{
    char name[64], descriptor[64];
    snprintf(name, sizeof name, "%.*s", TEXT_ARGUMENTS(allocation->method_name));
    snprintf(descriptor, sizeof descriptor, "%.*s", TEXT_ARGUMENTS(allocation->descriptor));
    const uint32_t method = program_find_method(&samples.program, "sample/Types", name, descriptor);
    assert_int_not_equal(method, PROGRAM_NONE);
    const struct code *code = member_code(program_method_member(&samples.program, method));
    assert_true(allocation->offset < code->length);
    return code->bytes[allocation->offset];
}

static void test_allocations(void **state)
{
    (void)state;
    enum { NEW = 0xBB, ANEWARRAY = 0xBD, MULTIANEWARRAY = 0xC5 };
    static const struct {
        const char *comment, *method, *owners;
        unsigned opcode;
    } expected[] = {
        {"field initializer", "<init>", "this", NEW},
        {"object", "allocate", "this", NEW},
        {"inner", "allocate", "this, self", NEW},
        {"array", "allocate", "this", ANEWARRAY},
        {"table", "allocate", "this", MULTIANEWARRAY},
        {"anonymous", "allocate", "self", NEW},
        {"sized by an array", "allocate", "this", ANEWARRAY},
        {"lambda", "lambda$allocate$0", "self", NEW},
    };
    const size_t count = sizeof expected / sizeof expected[0];
    assert_int_equal(samples.declarations.allocation_count, count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t line = line_of("Types.java", expected[i].comment);
        const struct syntax_allocation *found = NULL;
        for (uint32_t n = 0; n < samples.declarations.allocation_count; n++)
            if (samples.declarations.allocations[n].place.line == line)
                found = &samples.declarations.allocations[n];
        assert_non_null(found);
        struct builder owners;
        builder_init(&owners);
        add_locks(&owners, &found->owners);
        compare(&owners, expected[i].owners, expected[i].comment);
        assert_text(found->class_name, "sample/Types");
        assert_text(found->method_name, expected[i].method);
        assert_text(found->place.file, "Types.java");
        assert_int_equal(opcode_at(found), expected[i].opcode);
    }
    /* The anonymous class's superclass has the owners, too. */
    expect_class("sample/Types$1", "extends sample/Types$Node <self>");
}

/* ---- others' ---- */

static void test_libraries(void **state)
{
    (void)state;
    const char *class = "sample/Libraries";
    expect_field(class, "jcip", "I guarded_by this");
    expect_field(class, "jsr", "Ljava/lang/Object; guarded_by itself");
    expect_field(class, "errorProne", "I guarded_by Libraries.this.lock");
    expect_field(class, "android", "I guarded_by lock");
    expect_field(class, "twice", "I guarded_by lock");
    expect_field(class, "unknown", "nothing");
    const struct syntax_field *both = find_field(class, "both");
    assert_non_null(both);
    assert_int_equal(both->guard.locks.count, 2);
    expect_method(class, "jcip", "()V requires this");
    expect_method(class, "jsr", "()V requires this");
    expect_method(class, "errorProne", "()V requires this");
    expect_method(class, "android", "()V requires this");
    expect_class("sample/Libraries$JcipImmutable", "immutable");
    expect_class("sample/Libraries$JcipNotSafe", "unguarded");
    expect_class("sample/Libraries$JcipSafe", "thread_safe");
    expect_class("sample/Libraries$JsrImmutable", "immutable");
    expect_class("sample/Libraries$JsrNotSafe", "unguarded");
    expect_class("sample/Libraries$JsrSafe", "thread_safe");
    expect_class("sample/Libraries$ErrorProneImmutable", "immutable");
    expect_class("sample/Libraries$ErrorProneSafe", "thread_safe");
}

static void test_checker_framework(void **state)
{
    (void)state;
    const char *class = "sample/Libraries";
    expect_field(class, "checker", "Ljava/lang/Object; guarded_by lock");
    expect_field(class, "checkerTwo", "Ljava/lang/Object; guarded_by lock, itself");
    expect_field(class, "checkerNone", "nothing");
    expect_field(class, "checkerElements", "[Ljava/lang/Object; guarded_by this");
    expect_field(class, "checkerArray", "[Ljava/lang/Object; guarded_by this");
    expect_field(class, "checkerArgument", "nothing");
    expect_field(class, "checkerInner", "Lsample/Libraries$Inner; guarded_by lock");
    expect_method(class, "checker", "(Ljava/lang/Object;)V requires lock, #1, this.lock");
    /* There it is part of the result's type. */
    expect_method(class, "checkerResult", "nothing");
}

/* ---- mistakes ---- */

static size_t count_errors(const char *start)
{
    size_t count = 0;
    for (size_t i = 0; i < samples.errors.items.count; i++)
        count += text_starts_with(samples.errors.items.items[i].message, text_from(start));
    return count;
}

static void print_errors(void)
{
    for (size_t i = 0; i < samples.errors.items.count; i++)
        print_message("%.*s\n", TEXT_ARGUMENTS(samples.errors.items.items[i].message));
}

/* The only error that begins like this. */
static const struct syntax_error *find_error(const char *start)
{
    if (count_errors(start) != 1) {
        print_errors();
        fail_msg("%zu errors \"%s\"", count_errors(start), start);
    }
    size_t i = 0;
    while (!text_starts_with(samples.errors.items.items[i].message, text_from(start)))
        i++;
    return &samples.errors.items.items[i];
}

static void test_mistakes_are_told(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "@GuardedBy on sample.Wrong.words: ",
        "@GuardedBy on sample.Wrong.half: ",
        "@GuardedBy on sample.Wrong.none: no lock is named",
        "@GuardedBy on sample.Wrong.empty: ",
        "@GuardedBy on sample.Wrong.gap: ",
        "@WriteGuardedBy on sample.Wrong.kinds: there is a guard of another kind already",
        "@Owners on sample.Wrong.owners: ",
        "@Owners on sample.Wrong.array: an array has no owners",
        "@Owners on sample.Wrong.argument: a type argument cannot have owners",
        "@Requires on sample.Wrong.requires(): ",
        "@Atomicity on sample.Wrong.atomicity(): ",
        "@Atomicity on sample.Wrong.clauses(): this is not an atomicity",
        "@Atomicity on sample.Wrong.twice(): the method has an atomicity already",
        "@Owners on sample.Wrong.receiver(): the owners of `this`",
        "@Owners on sample.Wrong.<init>(): `new` gives the owners",
        "@Formals on sample.Wrong$BadFormals: ",
        "@Owners on sample.Wrong$Supertypes: an interface cannot have owners",
    };
    const size_t count = sizeof expected / sizeof expected[0];
    for (size_t i = 0; i < count; i++)
        assert_text(find_error(expected[i])->place.file, "Wrong.java");
    assert_int_equal(find_error("@Requires on sample.Wrong.requires()")->place.line,
                     line_of("Wrong.java", "Wrong requires"));
    /* The bound and the exception; the nature that the compiler writes second. */
    assert_int_equal(count_errors("@Owners on sample.Wrong.bound(): bounds and exceptions"), 2);
    assert_int_equal(count_errors("@ThreadLocalClass on sample.Wrong$Natures: it contradicts") +
                         count_errors("@Immutable on sample.Wrong$Natures: it contradicts"),
                     1);
    if (samples.errors.items.count != count + 3)
        print_errors();
    assert_int_equal(samples.errors.items.count, count + 3);
}

/* What is right beside a mistake counts, if it means something alone. */
static void test_mistakes_are_left_out(void **state)
{
    (void)state;
    const char *class = "sample/Wrong";
    expect_field(class, "words", "nothing");
    expect_field(class, "half", "I guarded_by lock");
    expect_field(class, "none", "nothing");
    expect_field(class, "gap", "I guarded_by lock, this");
    expect_field(class, "kinds", "I guarded_by lock");
    expect_field(class, "owners", "nothing"); /* the first alone would be of the wrong number */
    expect_method(class, "requires", "nothing");
    expect_method(class, "atomicity", "nothing");
    expect_method(class, "clauses", "nothing");
    expect_method(class, "twice", "()V atomicity atomic");
    expect_class("sample/Wrong$BadFormals", "nothing");
}

/* ---- what no compiler writes ---- */

static void put_owners(struct class_build *build, unsigned target, unsigned first, int second)
{
    put_u1(&build->body, target);
    if (second >= 0)
        put_u2(&build->body, (unsigned)second);
    else
        put_u1(&build->body, first);
    put_u1(&build->body, 0); /* no path */
    put_u2(&build->body, add_utf8(build, "Lturnstile/annotation/Owners;"));
    put_u2(&build->body, 1);
    put_u2(&build->body, add_utf8(build, "value"));
    put_u1(&build->body, 's');
    put_u2(&build->body, add_utf8(build, "this"));
}

/* A method without parameters, whose first parameter and whose code behind its end are annotated.
 */
static void put_odd_class(struct class_build *build)
{
    class_build_init(build, 61);
    put_class(build, 0x0021, "p/Odd", "java/lang/Object");
    put_u2(&build->body, 0);
    put_u2(&build->body, 0);
    put_u2(&build->body, 1);
    put_member(build, 0x0008, "m", "()V");
    put_u2(&build->body, 2);
    size_t types = begin_attribute(build, "RuntimeInvisibleTypeAnnotations");
    put_u2(&build->body, 2);
    put_owners(build, 0x16, 0, -1);
    put_owners(build, 0x16, 255, -1);
    end_attribute(build, types);
    size_t code = begin_attribute(build, "Code");
    put_u2(&build->body, 0);
    put_u2(&build->body, 0);
    put_u4(&build->body, 1);
    put_u1(&build->body, 0xB1);
    put_u2(&build->body, 0);
    put_u2(&build->body, 1);
    types = begin_attribute(build, "RuntimeInvisibleTypeAnnotations");
    put_u2(&build->body, 2);
    put_owners(build, 0x44, 0, 0);
    put_owners(build, 0x44, 0, 65535);
    end_attribute(build, types);
    end_attribute(build, code);
    put_u2(&build->body, 0);
}

static void test_odd_places(void **state)
{
    (void)state;
    const struct samples kept = samples;
    static struct class_build build;
    struct program program;
    struct problem problem;
    problem_clear(&problem);
    put_odd_class(&build);
    const struct build_bytes *bytes = class_build_finish(&build);
    open_program(&program);
    if (!program_add_class(&program, TEXT("odd"), bytes->bytes, bytes->size, &problem))
        fail_msg("%s", problem.reason);
    link_program(&program);
    assert_int_equal(samples.declarations.class_count, 0);
    assert_int_equal(samples.declarations.allocation_count, 0);
    assert_int_equal(samples.errors.items.count, 2);
    assert_int_equal(count_errors("@Owners on p.Odd.m(): at `new`, owners stand before"), 2);
    close_program(&program);
    samples = kept;
}

static bool read_again(void *context)
{
    struct arena arena;
    struct syntax_errors errors = {.arena = &arena};
    struct declarations declarations;
    (void)context;
    arena_init(&arena);
    bool done = annotation_reader_read(&declarations, &arena, &samples.program, &errors);
    if (done) {
        assert_int_equal(declarations.class_count, samples.declarations.class_count);
        assert_int_equal(errors.items.count, samples.errors.items.count);
    }
    vector_release(&errors.items);
    arena_release(&arena);
    return done;
}

static void test_without_memory(void **state)
{
    (void)state;
    assert_true(support_fail_each_request(read_again, NULL) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_our_fields),        cmocka_unit_test(test_our_methods),
        cmocka_unit_test(test_our_classes),       cmocka_unit_test(test_owners),
        cmocka_unit_test(test_hidden_parameters), cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_libraries),         cmocka_unit_test(test_checker_framework),
        cmocka_unit_test(test_mistakes_are_told), cmocka_unit_test(test_mistakes_are_left_out),
        cmocka_unit_test(test_odd_places),        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, compile_samples, remove_samples);
}
