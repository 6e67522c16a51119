#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program/program_fixture.h"
#include "program/resolve.h"

/* return; as code of a void method */
#define RETURN CODE("\xB1")

#define OBJECT                                                                                     \
    {                                                                                              \
        .access = 0x21, .name = "java/lang/Object", .methods = {                                   \
            {0x1, "<init>", "()V", RETURN},                                                        \
            {0x1, "toString", "()V", RETURN},                                                      \
            {0x4, "finalize", "()V", RETURN},                                                      \
        }                                                                                          \
    }

static uint32_t selector(const struct program_fixture *fixture, const char *name,
                         const char *descriptor)
{
    return program_find_selector(&fixture->program, text_from(name), text_from(descriptor));
}

static uint32_t method(const struct program_fixture *fixture, const char *class_name,
                       const char *name)
{
    uint32_t id = program_find_method(&fixture->program, class_name, name, "()V");
    assert_int_not_equal(id, PROGRAM_NONE);
    return id;
}

/* The class whose method or field was found; "" if none. */
static struct text owner(const struct program_fixture *fixture, struct resolution resolution,
                         const struct program_member *members)
{
    if (resolution.status != RESOLVE_FOUND)
        return TEXT("");
    return fixture->program.classes[members[resolution.id].class_id].name;
}

static struct text field_owner(const struct program_fixture *fixture, const char *class_name)
{
    return owner(fixture,
                 resolve_field(&fixture->program, class_number(fixture, class_name),
                               selector(fixture, "f", "I")),
                 fixture->program.fields);
}

static struct text method_owner(const struct program_fixture *fixture, const char *class_name,
                                const char *name)
{
    return owner(fixture,
                 resolve_class_method(&fixture->program, class_number(fixture, class_name),
                                      selector(fixture, name, "()V"), text_from(name)),
                 fixture->program.methods);
}

/* JVMS 5.4.3.2: the class, then its superinterfaces in their order, then the superclass. */
static void test_fields(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x601,
         .name = "p/Deep",
         .super = "java/lang/Object",
         .fields = {{0x19, "f", "I", NULL, 0}}},
        {.access = 0x601, .name = "p/First", .super = "java/lang/Object", .interfaces = {"p/Deep"}},
        {.access = 0x601,
         .name = "p/Second",
         .super = "java/lang/Object",
         .fields = {{0x19, "f", "I", NULL, 0}}},
        {.access = 0x21,
         .name = "p/Base",
         .super = "java/lang/Object",
         .fields = {{0x1, "f", "I", NULL, 0}, {0x1, "f", "J", NULL, 0}}},
        {.access = 0x21, .name = "p/Sub", .super = "p/Base"},
        {.access = 0x21,
         .name = "p/Both",
         .super = "p/Base",
         .interfaces = {"p/First", "p/Second"}},
        {.access = 0x21,
         .name = "p/Turned",
         .super = "p/Base",
         .interfaces = {"p/Second", "p/First"}},
        {.access = 0x21, .name = "p/Own", .super = "p/Both", .fields = {{0x1, "f", "I", NULL, 0}}},
        {.access = 0x21, .name = "p/Orphan", .super = "p/Absent"},
        {.access = 0x21, .name = "p/Empty", .super = "java/lang/Object"},
    };
    struct program_fixture fixture;
    fixture_load(&fixture, samples, sizeof samples / sizeof *samples);
    assert_text(field_owner(&fixture, "p/Sub"), "p/Base");
    assert_text(field_owner(&fixture, "p/Both"), "p/Deep"); /* depth first */
    assert_text(field_owner(&fixture, "p/Turned"), "p/Second");
    assert_text(field_owner(&fixture, "p/Own"), "p/Own");
    const struct program *program = &fixture.program;
    uint32_t f = selector(&fixture, "f", "I");
    assert_int_equal(resolve_field(program, class_number(&fixture, "p/Empty"), f).status,
                     RESOLVE_NO_SUCH_MEMBER);
    assert_int_equal(resolve_field(program, class_number(&fixture, "p/Orphan"), f).status,
                     RESOLVE_MISSING_CLASS);
    assert_int_equal(resolve_field(program, PROGRAM_NONE, f).status, RESOLVE_MISSING_CLASS);
    fixture_close(&fixture);
}

static void test_methods_of_classes_and_interfaces(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x601,
         .name = "p/I",
         .super = "java/lang/Object",
         .methods = {{0x1, "d", "()V", RETURN},
                     {0x401, "a", "()V", NULL, 0},
                     {0x9, "s", "()V", RETURN},
                     {0x2, "p", "()V", RETURN}}},
        {.access = 0x601, .name = "p/J", .super = "java/lang/Object", .interfaces = {"p/I"}},
        {.access = 0x21, .name = "p/A", .super = "java/lang/Object", .interfaces = {"p/J"}},
    };
    struct program_fixture fixture;
    fixture_load(&fixture, samples, 4);
    const struct program *program = &fixture.program;
    uint32_t j = class_number(&fixture, "p/J");
    assert_text(method_owner(&fixture, "p/A", "d"), "p/I");
    assert_text(method_owner(&fixture, "p/A", "a"), "p/I");
    assert_text(method_owner(&fixture, "p/A", "toString"), "java/lang/Object");
    /* Static and private methods of interfaces are not inherited. */
    assert_text(method_owner(&fixture, "p/A", "s"), "");
    assert_text(method_owner(&fixture, "p/A", "p"), "");
    /* An interface has Object's public methods, not its protected ones. */
    assert_int_equal(
        resolve_interface_method(program, j, selector(&fixture, "toString", "()V")).status,
        RESOLVE_FOUND);
    assert_int_equal(
        resolve_interface_method(program, j, selector(&fixture, "finalize", "()V")).status,
        RESOLVE_NO_SUCH_MEMBER);
    /* A class where an interface belongs, and the other way round. */
    assert_int_equal(resolve_interface_method(program, class_number(&fixture, "p/A"),
                                              selector(&fixture, "d", "()V"))
                         .status,
                     RESOLVE_WRONG_KIND);
    assert_int_equal(
        resolve_class_method(program, j, selector(&fixture, "d", "()V"), TEXT("d")).status,
        RESOLVE_WRONG_KIND);
    fixture_close(&fixture);
}

/* invokespecial starts at the direct superclass, whatever class is named, and also in a class
   without ACC_SUPER: the JVM takes it as set (JVMS 4.1). */
static void test_special(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x21,
         .name = "p/A",
         .super = "java/lang/Object",
         .methods = {{0x1, "m", "()V", RETURN}}},
        {.access = 0x21, .name = "p/B", .super = "p/A", .methods = {{0x1, "m", "()V", RETURN}}},
        {.access = 0x21, .name = "p/C", .super = "p/B", .methods = {{0x1, "m", "()V", RETURN}}},
        {.access = 0x01, .name = "p/Old", .super = "p/B", .methods = {{0x1, "m", "()V", RETURN}}},
    };
    struct program_fixture fixture;
    fixture_load(&fixture, samples, 5);
    const struct program *program = &fixture.program;
    uint32_t a = class_number(&fixture, "p/A");
    uint32_t in_a = method(&fixture, "p/A", "m");
    assert_int_equal(resolve_special(program, class_number(&fixture, "p/C"), a, in_a),
                     method(&fixture, "p/B", "m"));
    assert_int_equal(resolve_special(program, class_number(&fixture, "p/Old"), a, in_a),
                     method(&fixture, "p/B", "m"));
    /* Its own method, named through itself. */
    uint32_t in_c = method(&fixture, "p/C", "m");
    assert_int_equal(resolve_special(program, class_number(&fixture, "p/C"),
                                     class_number(&fixture, "p/C"), in_c),
                     in_c);
    fixture_close(&fixture);
}

static void test_signature_polymorphic_methods(void **unused)
{
    (void)unused;
    static const struct sample samples[] = {
        OBJECT,
        {.access = 0x421,
         .name = "java/lang/invoke/MethodHandle",
         .super = "java/lang/Object",
         .methods = {{0x191, "invoke", "([Ljava/lang/Object;)Ljava/lang/Object;", NULL, 0},
                     {0x91, "plain", "([Ljava/lang/Object;)Ljava/lang/Object;", RETURN}}},
        {.access = 0x21,
         .name = "p/A",
         .super = "java/lang/Object",
         .methods = {{0x191, "invoke", "([Ljava/lang/Object;)Ljava/lang/Object;", NULL, 0}}},
    };
    struct program_fixture fixture;
    fixture_load(&fixture, samples, 3);
    /* No member has the descriptor (I)V: there is no such selector. */
    assert_int_equal(selector(&fixture, "invoke", "(I)V"), PROGRAM_NONE);
    uint32_t handle = class_number(&fixture, "java/lang/invoke/MethodHandle");
    assert_int_equal(
        resolve_class_method(&fixture.program, handle, PROGRAM_NONE, TEXT("invoke")).status,
        RESOLVE_FOUND);
    assert_int_equal(
        resolve_class_method(&fixture.program, handle, PROGRAM_NONE, TEXT("plain")).status,
        RESOLVE_NO_SUCH_MEMBER);
    assert_int_equal(resolve_class_method(&fixture.program, class_number(&fixture, "p/A"),
                                          PROGRAM_NONE, TEXT("invoke"))
                         .status,
                     RESOLVE_NO_SUCH_MEMBER);
    fixture_close(&fixture);
}

/* ---- deep hierarchies ---- */

enum { DEPTH = 300 };

/* p/NAME0 .. p/NAME299, each below the one before; the samples name what is in `names`. */
static void make_chain(struct sample *samples, char (*names)[12], char letter, unsigned access)
{
    for (unsigned i = 0; i < DEPTH; i++) {
        snprintf(names[i], sizeof names[i], "p/%c%u", letter, i);
        samples[i] =
            (struct sample){.access = access, .name = names[i], .super = "java/lang/Object"};
        if (i && access & ACCESS_INTERFACE)
            samples[i].interfaces[0] = names[i - 1];
        else if (i)
            samples[i].super = names[i - 1];
    }
}

static void load_chain(struct program_fixture *fixture, const struct sample *samples,
                       const struct sample *last)
{
    static const struct sample object = OBJECT;
    fixture_open(fixture);
    fixture_add_sample(fixture, &object);
    for (unsigned i = 0; i < DEPTH; i++)
        fixture_add_sample(fixture, &samples[i]);
    if (last)
        fixture_add_sample(fixture, last);
    fixture_link(fixture);
}

/* However far up; and of two, the one that is declared first, as deep as it is. */
static void test_fields_of_deep_interfaces(void **unused)
{
    (void)unused;
    static struct sample samples[DEPTH];
    static char names[DEPTH][12];
    make_chain(samples, names, 'I', 0x601);
    samples[0].fields[0] = (struct sample_member){0x19, "f", "I", NULL, 0};
    samples[1].interfaces[1] = "p/Beside";
    samples[1].fields[0] = (struct sample_member){0x19, "f", "J", NULL, 0};
    struct sample beside = {.access = 0x601,
                            .name = "p/Beside",
                            .super = "java/lang/Object",
                            .fields = {{0x19, "f", "I", NULL, 0}}};
    struct program_fixture fixture;
    load_chain(&fixture, samples, &beside);
    assert_text(field_owner(&fixture, names[DEPTH - 1]), "p/I0");
    fixture_close(&fixture);
}

/* The way up is not walked: one method is looked at, whatever is between. */
static void test_selection_in_a_deep_class(void **unused)
{
    (void)unused;
    static struct sample samples[DEPTH];
    static char names[DEPTH][12];
    make_chain(samples, names, 'C', 0x21);
    samples[0].methods[0] = (struct sample_member){0x1, "m", "()V", RETURN};
    samples[1].methods[0] = (struct sample_member){0x1, "m", "()V", RETURN};
    struct program_fixture fixture;
    load_chain(&fixture, samples, NULL);
    struct selection selection = resolve_selection(
        &fixture.program, class_number(&fixture, names[DEPTH - 1]), method(&fixture, "p/C0", "m"));
    assert_int_equal(selection.method, method(&fixture, "p/C1", "m"));
    assert_int_equal(selection.steps, 1);
    assert_false(selection.undecided);
    fixture_close(&fixture);
}

/* Each interface overrides all those above it: they are compared with one, not with each other. */
static void test_selection_of_a_deep_default(void **unused)
{
    (void)unused;
    static struct sample samples[DEPTH];
    static char names[DEPTH][12];
    make_chain(samples, names, 'I', 0x601);
    for (unsigned i = 0; i < DEPTH; i++)
        samples[i].methods[0] = (struct sample_member){0x1, "m", "()V", RETURN};
    struct sample class = {.access = 0x21,
                           .name = "p/Class",
                           .super = "java/lang/Object",
                           .interfaces = {names[DEPTH - 1]}};
    struct program_fixture fixture;
    load_chain(&fixture, samples, &class);
    struct selection selection = resolve_selection(
        &fixture.program, class_number(&fixture, "p/Class"), method(&fixture, "p/I0", "m"));
    assert_int_equal(selection.method, method(&fixture, names[DEPTH - 1], "m"));
    assert_true(selection.steps < 3 * DEPTH);
    assert_false(selection.undecided);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_methods_of_classes_and_interfaces),
        cmocka_unit_test(test_special),
        cmocka_unit_test(test_signature_polymorphic_methods),
        cmocka_unit_test(test_fields_of_deep_interfaces),
        cmocka_unit_test(test_selection_in_a_deep_class),
        cmocka_unit_test(test_selection_of_a_deep_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
