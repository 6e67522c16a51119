#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program/dump_call_graph.h"
#include "program/program_fixture.h"

#define RETURN CODE("\xB1")

#define OBJECT                                                                                     \
    {                                                                                              \
        .access = 0x21, .name = "java/lang/Object", .methods = {                                   \
            {0x1, "<init>", "()V", RETURN},                                                        \
            {0x1, "toString", "()Ljava/lang/String;", CODE("\x01\xB0")},                           \
        }                                                                                          \
    }

struct graph_fixture {
    struct program_fixture base;
    struct call_graph graph;
};

static void build_graph_with(struct graph_fixture *fixture, struct call_graph_options options)
{
    if (!call_graph_build(&fixture->graph, &fixture->base.program, &options,
                          &fixture->base.diagnostics, &fixture->base.problem))
        fail_msg("%s", fixture->base.problem.reason);
}

static void build_graph(struct graph_fixture *fixture)
{
    build_graph_with(fixture, (struct call_graph_options){.workers = 1});
}

static void close_graph(struct graph_fixture *fixture)
{
    call_graph_release(&fixture->graph);
    fixture_close(&fixture->base);
}

static struct call_sites sites_of(const struct graph_fixture *fixture, const char *class_name,
                                  const char *name, const char *descriptor)
{
    uint32_t method = program_find_method(&fixture->base.program, class_name, name, descriptor);
    assert_int_not_equal(method, PROGRAM_NONE);
    return call_graph_sites(&fixture->graph, method);
}

/* The site's targets are exactly the methods of that name in these classes. */
static void assert_targets(const struct graph_fixture *fixture, const struct call_site *site,
                           const char *const *classes, size_t count)
{
    uint32_t one;
    struct program_ids targets = call_graph_targets(&fixture->graph, site->targets, &one);
    assert_int_equal(targets.count, count);
    for (size_t i = 0; i < count; i++)
        assert_text(program_class_of_method(&fixture->base.program, targets.items[i])->name,
                    classes[i]);
}

/* invokevirtual p/A.m of an inherited method: subclasses of the class that is named count, not all
   of the class that declares it. */
static void test_dispatch_starts_at_the_named_class(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21,
         .name = "p/Base",
         .super = "java/lang/Object",
         .methods = {{0x1, "m", "()V", RETURN}}},
        {.access = 0x21,
         .name = "p/Beside",
         .super = "p/Base",
         .methods = {{0x1, "m", "()V", RETURN}}},
        {.access = 0x21, .name = "p/A", .super = "p/Base"},
        {.access = 0x21, .name = "p/B", .super = "p/A", .methods = {{0x1, "m", "()V", RETURN}}},
        {.access = 0x421,
         .name = "p/Abstract",
         .super = "p/A",
         .methods = {{0x1, "m", "()V", RETURN}}},
        {.access = 0x21,
         .name = "p/Caller",
         .super = "java/lang/Object",
         .references = {{10, "p/A", "m", "()V"}, {10, "p/A", "gone", "()V"}},
         .methods = {{0x9, "call", "(Lp/A;)V", CODE("\x2A\xB6\x00\x06\x2A\xB6\x00\x0C\xB1")}}},
    };
    struct graph_fixture fixture;
    fixture_load(&fixture.base, samples, sizeof samples / sizeof *samples);
    build_graph(&fixture);
    struct call_sites sites = sites_of(&fixture, "p/Caller", "call", "(Lp/A;)V");
    assert_int_equal(sites.count, 2);
    assert_int_equal(sites.items[0].instruction, 1);
    assert_int_equal(sites.items[0].kind, CALL_VIRTUAL);
    assert_int_equal(sites.items[0].unknown, CALL_KNOWN);
    static const char *const expected[] = {"p/B", "p/Base"};
    assert_targets(&fixture, &sites.items[0], expected, 2);
    assert_int_equal(sites.items[1].unknown, CALL_UNRESOLVED);
    assert_int_equal(sites.items[1].method, PROGRAM_NONE);
    assert_int_equal(sites.items[1].targets, CALL_NO_TARGETS);
    close_graph(&fixture);
}

/* A class that implements a class, which the JVM refuses, takes nothing from that one's calls. */
static void test_a_class_as_an_interface(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21,
         .name = "p/Base",
         .super = "java/lang/Object",
         .methods = {{0x1, "m", "()V", RETURN}}},
        {.access = 0x21,
         .name = "p/Below",
         .super = "p/Base",
         .methods = {{0x1, "m", "()V", RETURN}}},
        {.access = 0x21,
         .name = "p/Refused",
         .super = "java/lang/Object",
         .interfaces = {"p/Base"},
         .methods = {{0x1, "m", "()V", RETURN}}},
        {.access = 0x21,
         .name = "p/Caller",
         .super = "java/lang/Object",
         .references = {{10, "p/Base", "m", "()V"}},
         .methods = {{0x9, "call", "()V", CODE("\x01\xB6\x00\x06\xB1")}}},
    };
    struct graph_fixture fixture;
    fixture_load(&fixture.base, samples, 5);
    build_graph(&fixture);
    static const char *const expected[] = {"p/Base", "p/Below"};
    struct call_sites sites = sites_of(&fixture, "p/Caller", "call", "()V");
    assert_int_equal(sites.count, 1);
    assert_targets(&fixture, &sites.items[0], expected, 2);
    assert_true(fixture.base.program.classes[class_number(&fixture.base, "p/Refused")].incomplete);
    close_graph(&fixture);
}

/* Code that cannot be decoded costs its own calls, nobody else's. */
static void test_bad_code(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21,
         .name = "p/A",
         .super = "java/lang/Object",
         .references = {{10, "p/A", "good", "()V"}},
         .methods = {{0x9, "bad", "()V", CODE("\xFE\xB1")},
                     {0x9, "good", "()V", CODE("\xB8\x00\x06\xB1")}}},
    };
    struct graph_fixture fixture;
    fixture_load(&fixture.base, samples, 2);
    build_graph(&fixture);
    assert_int_equal(fixture.graph.bad_method_count, 1);
    assert_int_equal(sites_of(&fixture, "p/A", "bad", "()V").count, 0);
    assert_int_equal(sites_of(&fixture, "p/A", "good", "()V").count, 1);
    close_graph(&fixture);
}

/* A class p/D whose method call() has one invokedynamic: name and descriptor as given, made by the
   bootstrap method with the arguments that `arguments` adds. */
struct dynamic_class {
    const char *name, *descriptor;
    const char *bootstrap_class, *bootstrap_method, *bootstrap_descriptor;
    unsigned (*arguments)(struct class_build *build, uint16_t *indices);
};

static void add_dynamic_class(struct program_fixture *fixture, const struct dynamic_class *dynamic)
{
    struct class_build *build = fixture->build;
    class_build_init(build, 61);
    uint16_t indices[8];
    unsigned count = dynamic->arguments ? dynamic->arguments(build, indices) : 0;
    uint16_t bootstrap =
        add_method_handle(build, 6,
                          add_member(build, 10, dynamic->bootstrap_class, dynamic->bootstrap_method,
                                     dynamic->bootstrap_descriptor));
    uint16_t call =
        add_u2_u2(build, 18, 0, add_name_and_type(build, dynamic->name, dynamic->descriptor));
    put_class(build, 0x21, "p/D", "java/lang/Object");
    put_u2(&build->body, 0);
    put_u2(&build->body, 0);
    put_u2(&build->body, 3);
    const uint8_t code[] = {0x01, 0x01, 0xBA, (uint8_t)(call >> 8), (uint8_t)call, 0, 0, 0xB1};
    struct sample_member methods[] = {
        {0x9, "call", "()V", (const char *)code, sizeof code},
        {0x9, "target", "()V", RETURN},
        {0x9, "bootstrap", "()V", RETURN},
    };
    for (unsigned i = 0; i < 3; i++)
        put_sample_member(build, &(struct sample){0}, &methods[i]);
    put_u2(&build->body, 1);
    size_t start = begin_attribute(build, "BootstrapMethods");
    put_u2(&build->body, 1);
    put_u2(&build->body, bootstrap);
    put_u2(&build->body, count);
    for (unsigned i = 0; i < count; i++)
        put_u2(&build->body, indices[i]);
    end_attribute(build, start);
    const struct build_bytes *bytes = class_build_finish(build);
    if (!program_add_class(&fixture->program, TEXT("dynamic"), bytes->bytes, bytes->size,
                           &fixture->problem))
        fail_msg("%s", fixture->problem.reason);
}

static void load_dynamic(struct graph_fixture *fixture, const struct dynamic_class *dynamic,
                         const struct sample *samples, size_t count)
{
    fixture_open(&fixture->base);
    for (size_t i = 0; i < count; i++)
        fixture_add_sample(&fixture->base, &samples[i]);
    add_dynamic_class(&fixture->base, dynamic);
    fixture_link(&fixture->base);
    build_graph(fixture);
}

/* Concatenating an object calls its toString: of the declared type and its subclasses. */
static void test_string_concatenation_calls_to_string(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21, .name = "p/A", .super = "java/lang/Object"},
        {.access = 0x21,
         .name = "p/B",
         .super = "p/A",
         .methods = {{0x1, "toString", "()Ljava/lang/String;", CODE("\x01\xB0")}}},
        {.access = 0x21,
         .name = "p/Other",
         .super = "java/lang/Object",
         .methods = {{0x1, "toString", "()Ljava/lang/String;", CODE("\x01\xB0")}}},
    };
    struct dynamic_class dynamic = {"makeConcatWithConstants",
                                    "(Lp/A;Lp/A;)Ljava/lang/String;",
                                    "java/lang/invoke/StringConcatFactory",
                                    "makeConcatWithConstants",
                                    "()V",
                                    NULL};
    struct graph_fixture fixture;
    load_dynamic(&fixture, &dynamic, samples, sizeof samples / sizeof *samples);
    struct call_sites sites = sites_of(&fixture, "p/D", "call", "()V");
    assert_int_equal(sites.count, 1); /* both operands have the same type: one site */
    assert_int_equal(sites.items[0].kind, CALL_DYNAMIC);
    static const char *const expected[] = {"java/lang/Object", "p/B"};
    assert_targets(&fixture, &sites.items[0], expected, 2);
    close_graph(&fixture);
}

static unsigned handle_argument(struct class_build *build, uint16_t *indices)
{
    indices[0] = add_method_handle(build, 6, add_member(build, 10, "p/D", "target", "()V"));
    return 1;
}

/* Another language's bootstrap method runs itself and may call the handles that it is given. */
static void test_unknown_bootstrap_methods(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {OBJECT};
    struct dynamic_class dynamic = {"x", "()V", "p/D", "bootstrap", "()V", handle_argument};
    struct graph_fixture fixture;
    load_dynamic(&fixture, &dynamic, samples, 1);
    const struct program *program = &fixture.base.program;
    struct call_sites sites = sites_of(&fixture, "p/D", "call", "()V");
    assert_int_equal(sites.count, 2);
    assert_int_equal(sites.items[0].kind, CALL_DYNAMIC);
    assert_int_equal(sites.items[0].unknown, CALL_UNKNOWN_BOOTSTRAP);
    assert_int_equal(sites.items[0].method,
                     program_find_method(program, "p/D", "bootstrap", "()V"));
    assert_int_equal(sites.items[1].kind, CALL_LAMBDA);
    assert_int_equal(sites.items[1].method, program_find_method(program, "p/D", "target", "()V"));
    close_graph(&fixture);
}

static unsigned lambda_arguments(struct class_build *build, uint16_t *indices)
{
    uint16_t type = add_u2(build, 16, add_utf8(build, "()V"));
    indices[0] = type;
    indices[1] = add_method_handle(build, 6, add_member(build, 10, "p/D", "target", "()V"));
    indices[2] = type;
    indices[3] = add_u4(build, 3, 6); /* markers and bridges follow */
    indices[4] = add_u4(build, 3, 1);
    indices[5] = add_class(build, "p/Marker");
    indices[6] = add_u4(build, 3, 0x7FFFFFFF); /* more bridges than there are: cut */
    return 7;
}

/* A lambda is found through its own interface and through a marker that has the same method. */
static void test_alternative_metafactory(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x601,
         .name = "p/Fn",
         .super = "java/lang/Object",
         .methods = {{0x401, "go", "()V", NULL, 0}}},
        {.access = 0x601,
         .name = "p/Marker",
         .super = "java/lang/Object",
         .methods = {{0x401, "go", "()V", NULL, 0}}},
        {.access = 0x601,
         .name = "p/Stranger",
         .super = "java/lang/Object",
         .methods = {{0x401, "go", "()V", NULL, 0}}},
        {.access = 0x21,
         .name = "p/Caller",
         .super = "java/lang/Object",
         .references = {{11, "p/Fn", "go", "()V"},
                        {11, "p/Marker", "go", "()V"},
                        {11, "p/Stranger", "go", "()V"}},
         .methods = {{0x9, "call", "(Lp/Fn;)V",
                      CODE("\x2A\xB9\x00\x06\x01\x00\x2A\xB9\x00\x0C\x01\x00"
                           "\x2A\xB9\x00\x12\x01\x00\xB1")}}},
    };
    struct dynamic_class dynamic = {
        "go",  "()Lp/Fn;",      "java/lang/invoke/LambdaMetafactory", "altMetafactory",
        "()V", lambda_arguments};
    struct graph_fixture fixture;
    load_dynamic(&fixture, &dynamic, samples, sizeof samples / sizeof *samples);
    assert_int_equal(fixture.graph.lambda_count, 1);
    assert_int_equal(fixture.graph.lambdas[0].markers.count, 1);
    struct call_sites sites = sites_of(&fixture, "p/Caller", "call", "(Lp/Fn;)V");
    assert_int_equal(sites.count, 3);
    static const char *const expected[] = {"p/D"};
    assert_targets(&fixture, &sites.items[0], expected, 1);
    assert_targets(&fixture, &sites.items[1], expected, 1);
    assert_targets(&fixture, &sites.items[2], expected, 0);
    close_graph(&fixture);
}

/* r::run, a method reference to the very method that it implements: the sets refer to each other.
 */
static unsigned self_reference(struct class_build *build, uint16_t *indices)
{
    uint16_t type = add_u2(build, 16, add_utf8(build, "()V"));
    indices[0] = type;
    indices[1] = add_method_handle(build, 9, add_member(build, 11, "p/Fn", "go", "()V"));
    indices[2] = type;
    return 3;
}

static void test_lambda_that_implements_itself(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x601,
         .name = "p/Fn",
         .super = "java/lang/Object",
         .methods = {{0x401, "go", "()V", NULL, 0}}},
        {.access = 0x21,
         .name = "p/Real",
         .super = "java/lang/Object",
         .interfaces = {"p/Fn"},
         .methods = {{0x1, "go", "()V", RETURN}}},
    };
    struct dynamic_class dynamic = {
        "go",  "(Lp/Fn;)Lp/Fn;", "java/lang/invoke/LambdaMetafactory", "metafactory",
        "()V", self_reference};
    struct graph_fixture fixture;
    load_dynamic(&fixture, &dynamic, samples, 3);
    struct call_sites sites = sites_of(&fixture, "p/D", "call", "()V");
    assert_int_equal(sites.count, 1);
    static const char *const expected[] = {"p/Real"};
    assert_targets(&fixture, &sites.items[0], expected, 1);
    close_graph(&fixture);
}

/* ---- the text ---- */

struct largest_write {
    size_t largest, all;
};

static ssize_t note_write(void *cookie, const char *bytes, size_t size)
{
    (void)bytes;
    struct largest_write *writes = cookie;
    writes->all += size;
    if (size > writes->largest)
        writes->largest = size;
    return (ssize_t)size;
}

/* The text of one method may be a thousand times as long as its class: it is written as it comes.
 */
static void test_long_names_are_not_gathered(void **unused)
{
    (void)unused;
    enum { CALLS = 300, NAME = 10000 };
    static char name[NAME + 1], code[CALLS * 3 + 1];
    memset(name, 'x', NAME);
    for (unsigned i = 0; i < CALLS; i++)
        memcpy(code + i * 3, "\xB8\x00\x06", 3);
    code[CALLS * 3] = '\xB1';
    const struct sample sample = {.access = 0x21,
                                  .name = "p/A",
                                  .super = "java/lang/Object",
                                  .references = {{10, "p/Missing", name, "()V"}},
                                  .methods = {{0x9, "m", "()V", code, sizeof code}}};
    struct program_fixture fixture;
    const struct dump_call_graph_options options = {0};
    struct largest_write writes = {0};
    FILE *stream = fopencookie(&writes, "w", (cookie_io_functions_t){.write = note_write});
    assert_non_null(stream);
    setvbuf(stream, NULL, _IONBF, 0);
    fixture_load(&fixture, &sample, 1);
    assert_true(program_dump_call_graph(&fixture.program, &options, stream, &fixture.diagnostics,
                                        &fixture.problem));
    fclose(stream);
    assert_true(writes.all > (size_t)CALLS * NAME);
    assert_true(writes.largest < (size_t)CALLS * NAME / 10);
    fixture_close(&fixture);
}

/* ---- very large sets ---- */

enum { DEPTH = 100 };

/* p/C0 .. p/C99, each below the one before; the first `declaring` have an m. p/Caller calls that of
   p/C0 and of p/C98. */
static void load_chain(struct graph_fixture *fixture, unsigned declaring)
{
    static const struct sample object = OBJECT;
    static const struct sample caller = {
        .access = 0x21,
        .name = "p/Caller",
        .super = "java/lang/Object",
        .references = {{10, "p/C0", "m", "()V"}, {10, "p/C98", "m", "()V"}},
        .methods = {{0x9, "call", "()V", CODE("\x01\xB6\x00\x06\x01\xB6\x00\x0C\xB1")}}};
    fixture_open(&fixture->base);
    fixture_add_sample(&fixture->base, &object);
    fixture_add_sample(&fixture->base, &caller);
    char super[12] = "", name[12];
    for (unsigned i = 0; i < DEPTH; i++) {
        snprintf(name, sizeof name, "p/C%u", i);
        struct sample sample = {
            .access = 0x21, .name = name, .super = i ? super : "java/lang/Object"};
        if (i < declaring)
            sample.methods[0] = (struct sample_member){0x1, "m", "()V", RETURN};
        fixture_add_sample(&fixture->base, &sample);
        memcpy(super, name, sizeof super);
    }
    fixture_link(&fixture->base);
}

/* Classes that inherit a method cost nothing: 98 of them take no more than a set always may. */
static void test_a_set_of_many_heirs_is_small(void **unused)
{
    (void)unused;
    struct graph_fixture fixture;
    load_chain(&fixture, 2);
    build_graph_with(&fixture, (struct call_graph_options){.workers = 1, .most_target_steps = 1});
    struct call_sites sites = sites_of(&fixture, "p/Caller", "call", "()V");
    static const char *const expected[] = {"p/C0", "p/C1"};
    assert_int_equal(sites.items[0].unknown, CALL_KNOWN);
    assert_targets(&fixture, &sites.items[0], expected, 2);
    assert_int_equal(fixture.base.diagnostics.warnings, 0);
    close_graph(&fixture);
}

/* A set for which there is no room is said to be unknown; the small ones behind it are made. */
static void test_sets_that_are_too_large(void **unused)
{
    (void)unused;
    struct graph_fixture fixture;
    load_chain(&fixture, DEPTH);
    build_graph_with(&fixture, (struct call_graph_options){.workers = 1, .most_target_steps = 50});
    struct call_sites sites = sites_of(&fixture, "p/Caller", "call", "()V");
    assert_int_equal(sites.items[0].unknown, CALL_TOO_MANY);
    assert_int_equal(sites.items[0].targets, CALL_NO_TARGETS);
    assert_int_not_equal(sites.items[0].method, PROGRAM_NONE);
    assert_int_equal(sites.items[1].unknown, CALL_KNOWN);
    static const char *const expected[] = {"p/C98", "p/C99"};
    assert_targets(&fixture, &sites.items[1], expected, 2);
    assert_int_equal(fixture.base.diagnostics.warnings, 1);
    assert_string_equal(call_unknown_name(CALL_TOO_MANY), "too many targets");
    assert_string_equal(call_unknown_name(CALL_UNKNOWN_REFLECTION), "reflection");
    close_graph(&fixture);
}

/* ---- no memory ---- */

/* What a user of the folder does, from loading to the printed graph. */
static bool run_everything(void *context)
{
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x601,
         .name = "p/Fn",
         .super = "java/lang/Object",
         .methods = {{0x401, "go", "()V", NULL, 0}}},
        {.access = 0x21,
         .name = "p/Real",
         .super = "java/lang/Object",
         .interfaces = {"p/Fn"},
         .references = {{9, "p/Real", "f", "I"},
                        {10, "java/lang/Object", "<init>", "()V"},
                        {9, "p/Real", "s", "I"},
                        {11, "p/Fn", "go", "()V"}},
         .fields = {{0x2, "f", "I", NULL, 0}, {0xA, "s", "I", NULL, 0}},
         .methods = {{0x1, "<init>", "()V", CODE("\x2A\xB7\x00\x0C\x2A\x04\xB5\x00\x06\xB1")},
                     {0x8, "<clinit>", "()V", CODE("\x04\xB3\x00\x12\xB1")},
                     {0x1, "go", "()V", CODE("\x2A\xB9\x00\x18\x01\x00\xB1")},
                     {0x9, "main", "([Ljava/lang/String;)V", RETURN}}},
        {.access = 0x21,
         .name = "p/More",
         .super = "p/Real",
         .interfaces = {"p/Fn"},
         .methods = {{0x1, "go", "()V", RETURN}}},
    };
    struct class_build *build = context;
    struct program program;
    struct diagnostics diagnostics;
    struct problem problem;
    struct program_options options = {.workers = 1, .platform = ""};
    struct dump_call_graph_options dump_options = {0};
    FILE *sink = fopen("/dev/null", "w");
    assert_non_null(sink);
    problem_clear(&problem);
    diagnostics_init(&diagnostics, sink, DIAGNOSTICS_COLOR_NEVER);
    bool ok = program_init(&program, &options, &diagnostics, &problem);
    if (ok) {
        for (size_t i = 0; ok && i < sizeof samples / sizeof *samples; i++) {
            const struct build_bytes *bytes = build_sample(build, &samples[i]);
            ok = program_add_class(&program, TEXT("x"), bytes->bytes, bytes->size, &problem);
        }
        ok = ok && program_link(&program, &diagnostics, &problem) &&
             program_dump_call_graph(&program, &dump_options, sink, &diagnostics, &problem);
        program_release(&program);
    }
    assert_true(ok || problem.set);
    diagnostics_release(&diagnostics);
    fclose(sink);
    return ok;
}

static void test_every_failing_request_for_memory_is_survived(void **unused)
{
    (void)unused;
    struct class_build *build = malloc(sizeof *build);
    assert_non_null(build);
    assert_true(run_everything(build));
    assert_true(support_fail_each_request(run_everything, build) > 50);
    free(build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatch_starts_at_the_named_class),
        cmocka_unit_test(test_a_class_as_an_interface),
        cmocka_unit_test(test_bad_code),
        cmocka_unit_test(test_string_concatenation_calls_to_string),
        cmocka_unit_test(test_unknown_bootstrap_methods),
        cmocka_unit_test(test_alternative_metafactory),
        cmocka_unit_test(test_lambda_that_implements_itself),
        cmocka_unit_test(test_long_names_are_not_gathered),
        cmocka_unit_test(test_a_set_of_many_heirs_is_small),
        cmocka_unit_test(test_sets_that_are_too_large),
        cmocka_unit_test(test_every_failing_request_for_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
