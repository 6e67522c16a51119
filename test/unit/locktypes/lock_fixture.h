/*
 * lock_fixture: lock types of small programs, declared in the language of .locks files. Include it
 * behind <cmocka.h>.
 */
#ifndef TURNSTILE_TEST_LOCK_FIXTURE_H
#define TURNSTILE_TEST_LOCK_FIXTURE_H

#include "locktypes/lock_types.h"
#include "locktypes/syntax_parser.h"
#include "program/program_fixture.h"

/* For samples: descriptors, code, access flags. */
#define OBJECT "Ljava/lang/Object;"
#define RETURN CODE("\xB1")
#define FINAL 0x10
#define STATIC 0x8
#define VOLATILE 0x40
#define SYNTHETIC 0x1000
#define COUNT(array) (sizeof(array) / sizeof *(array))

#define OBJECT_CLASS                                                                               \
    {                                                                                              \
        .access = 0x21, .name = "java/lang/Object", .methods = {                                   \
            {0x1, "<init>", "()V", RETURN},                                                        \
        }                                                                                          \
    }

#define LOCK_FIXTURE_SOURCES 4

struct lock_fixture {
    struct program_fixture base;
    struct lock_types types;
    struct arena arena;
    struct syntax_errors errors;
    struct declarations declarations[LOCK_FIXTURE_SOURCES];
    unsigned source_count;
};

static inline void locks_open(struct lock_fixture *fixture, const struct sample *samples,
                              size_t count)
{
    memset(fixture, 0, sizeof *fixture);
    fixture_load(&fixture->base, samples, count);
    arena_init(&fixture->arena);
    fixture->errors.arena = &fixture->arena;
    assert_true(
        lock_types_init(&fixture->types, &fixture->base.program, NULL, &fixture->base.problem));
}

/* Adds what a file of that source says. */
static inline void locks_say(struct lock_fixture *fixture, enum syntax_source source,
                             const char *text)
{
    struct declarations *declarations = &fixture->declarations[fixture->source_count++];
    assert_true(fixture->source_count <= LOCK_FIXTURE_SOURCES);
    assert_true(syntax_parse_file(declarations, &fixture->arena, TEXT("a.locks"), text_from(text),
                                  source, &fixture->errors));
    if (fixture->errors.items.count)
        fail_msg("%.*s", TEXT_ARGUMENTS(fixture->errors.items.items[0].message));
    declarations->source = source;
    assert_true(lock_types_add(&fixture->types, declarations));
}

static inline void locks_bind(struct lock_fixture *fixture, enum lock_defaults defaults)
{
    assert_true(lock_types_bind(&fixture->types, defaults, &fixture->base.problem));
}

static inline void locks_close(struct lock_fixture *fixture)
{
    lock_types_release(&fixture->types);
    vector_release(&fixture->errors.items);
    arena_release(&fixture->arena);
    fixture_close(&fixture->base);
}

static inline uint32_t locks_field(const struct lock_fixture *fixture, const char *class_name,
                                   const char *name)
{
    const struct program *program = &fixture->base.program;
    const struct program_class *class = &program->classes[class_number(&fixture->base, class_name)];
    for (uint32_t i = 0; i < class->field_count; i++)
        if (text_is(program_field_name(program, class->first_field + i), name))
            return class->first_field + i;
    fail_msg("no field %s.%s", class_name, name);
    return PROGRAM_NONE;
}

static inline uint32_t locks_method(const struct lock_fixture *fixture, const char *class_name,
                                    const char *name, const char *descriptor)
{
    uint32_t id = program_find_method(&fixture->base.program, class_name, name, descriptor);
    assert_int_not_equal(id, PROGRAM_NONE);
    return id;
}

/* The terms, printed, with commas between them. Parameters other than `this` go by their number. */
static inline void locks_assert_list(const struct lock_fixture *fixture, struct term_list list,
                                     uint32_t class_id, uint32_t method, const char *expected)
{
    const struct lock_types *types = &fixture->types;
    struct builder text;
    struct term_printer printer = {.program = types->program,
                                   .table = &types->terms,
                                   .formals = lock_types_class(types, class_id)->formals,
                                   .formal_count = lock_types_class(types, class_id)->formal_count};
    if (method != PROGRAM_NONE) {
        printer.is_static = types->program->methods[method].access & ACCESS_STATIC;
        printer.method_formals = lock_types_method(types, method)->method_formals;
        printer.method_formal_count = lock_types_method(types, method)->method_formal_count;
    }
    builder_init(&text);
    for (uint32_t i = 0; i < list.count; i++) {
        builder_add_string(&text, i ? ", " : "");
        term_print(&printer, list.items[i], &text);
    }
    assert_string_equal(builder_string(&text), expected);
    builder_release(&text);
}

/* The locks of the field's guard; "" for none. */
static inline void locks_assert_guard(const struct lock_fixture *fixture, const char *class_name,
                                      const char *field, const char *expected)
{
    uint32_t id = locks_field(fixture, class_name, field);
    locks_assert_list(fixture, lock_types_field(&fixture->types, id)->locks,
                      fixture->base.program.fields[id].class_id, PROGRAM_NONE, expected);
}

static inline void locks_assert_requires(const struct lock_fixture *fixture, const char *class_name,
                                         const char *name, const char *descriptor,
                                         const char *expected)
{
    uint32_t id = locks_method(fixture, class_name, name, descriptor);
    locks_assert_list(fixture, lock_types_method(&fixture->types, id)->requires,
                      fixture->base.program.methods[id].class_id, id, expected);
}

/* The next problem is at the line, by the rule, and its message has this in it. */
struct expected_problem {
    uint32_t line;
    enum finding_rule rule;
    const char *part;
};

static inline void locks_assert_problems(const struct lock_fixture *fixture,
                                         const struct expected_problem *expected, size_t count)
{
    const struct lock_types *types = &fixture->types;
    for (size_t i = 0; i < types->problems.count; i++) {
        const struct lock_problem *problem = &types->problems.items[i];
        if (i >= count || problem->place.line != expected[i].line ||
            problem->rule != expected[i].rule ||
            !memmem(problem->message.bytes, problem->message.length, expected[i].part,
                    strlen(expected[i].part)))
            fail_msg("problem %zu: line %u: %s: %.*s", i, problem->place.line,
                     finding_rule_info(problem->rule)->id, TEXT_ARGUMENTS(problem->message));
    }
    assert_int_equal(types->problems.count, count);
}

#endif
