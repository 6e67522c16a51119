/*
 * program_fixture: programs of small classes, put together by hand. Include it behind <cmocka.h>.
 *
 * There is no JDK: java/lang/Object is given as a sample where a test needs its methods.
 */
#ifndef TURNSTILE_TEST_PROGRAM_FIXTURE_H
#define TURNSTILE_TEST_PROGRAM_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/diagnostics.h"
#include "classfile/class_builder.h"
#include "classfile/class_file.h"
#include "program/program.h"
#include "support.h"

/* A reference in the constant pool. Reference number n of a sample has the index REFERENCE(n). */
struct sample_reference {
    unsigned tag; /* 9 field, 10 method, 11 interface method */
    const char *owner, *name, *descriptor;
};
#define REFERENCE(number) (6 * ((number) + 1))

struct sample_member {
    unsigned access;
    const char *name, *descriptor;
    const char *code; /* methods: bytes, or NULL */
    size_t code_size;
};
#define CODE(bytes) (bytes), sizeof(bytes) - 1

struct sample {
    unsigned access;
    const char *name, *super;
    unsigned major; /* 0: 61 */
    const char *interfaces[4];
    struct sample_reference references[6];
    struct sample_member fields[6];
    struct sample_member methods[8];
    unsigned locals; /* of each method; 0: 8 */
    /* Of each method with code: handlers that protect all from `protected_from` up to
       `handlers_at`, where the first starts; each is one byte long. */
    unsigned handler_count, protected_from, handlers_at;
};

static inline void put_sample_handlers(struct class_build *build, const struct sample *sample)
{
    put_u2(&build->body, sample->handler_count);
    for (unsigned i = 0; i < sample->handler_count; i++) {
        put_u2(&build->body, sample->protected_from);
        put_u2(&build->body, sample->handlers_at);
        put_u2(&build->body, sample->handlers_at + i);
        put_u2(&build->body, 0);
    }
}

static inline void put_sample_member(struct class_build *build, const struct sample *sample,
                                     const struct sample_member *member)
{
    put_member(build, member->access, member->name, member->descriptor);
    put_u2(&build->body, member->code ? 1 : 0);
    if (!member->code)
        return;
    size_t start = begin_attribute(build, "Code");
    put_u2(&build->body, 8); /* stack */
    put_u2(&build->body, sample->locals ? sample->locals : 8);
    put_u4(&build->body, (uint32_t)member->code_size);
    put_bytes(&build->body, member->code, member->code_size);
    put_sample_handlers(build, sample);
    put_u2(&build->body, 0);
    end_attribute(build, start);
}

static inline unsigned count_members(const struct sample_member *members, unsigned most)
{
    unsigned count = 0;
    while (count < most && members[count].name)
        count++;
    return count;
}

static inline const struct build_bytes *build_sample(struct class_build *build,
                                                     const struct sample *sample)
{
    class_build_init(build, sample->major ? sample->major : 61);
    for (unsigned i = 0; i < 6 && sample->references[i].tag; i++)
        add_member(build, sample->references[i].tag, sample->references[i].owner,
                   sample->references[i].name, sample->references[i].descriptor);
    put_class(build, sample->access, sample->name, sample->super);
    unsigned interfaces = 0;
    while (interfaces < 4 && sample->interfaces[interfaces])
        interfaces++;
    put_u2(&build->body, interfaces);
    for (unsigned i = 0; i < interfaces; i++)
        put_u2(&build->body, add_class(build, sample->interfaces[i]));
    unsigned fields = count_members(sample->fields, 6);
    put_u2(&build->body, fields);
    for (unsigned i = 0; i < fields; i++)
        put_sample_member(build, sample, &sample->fields[i]);
    unsigned methods = count_members(sample->methods, 8);
    put_u2(&build->body, methods);
    for (unsigned i = 0; i < methods; i++)
        put_sample_member(build, sample, &sample->methods[i]);
    put_u2(&build->body, 0);
    return class_build_finish(build);
}

struct program_fixture {
    struct program program;
    struct diagnostics diagnostics;
    struct problem problem;
    struct class_build *build;
    FILE *messages;
};

static inline void fixture_open(struct program_fixture *fixture)
{
    struct program_options options = {.workers = 1, .platform = ""};
    fixture->messages = fopen("/dev/null", "w");
    fixture->build = malloc(sizeof *fixture->build);
    assert_non_null(fixture->messages);
    assert_non_null(fixture->build);
    problem_clear(&fixture->problem);
    diagnostics_init(&fixture->diagnostics, fixture->messages, DIAGNOSTICS_COLOR_NEVER);
    assert_true(
        program_init(&fixture->program, &options, &fixture->diagnostics, &fixture->problem));
}

static inline void fixture_add_sample(struct program_fixture *fixture, const struct sample *sample)
{
    const struct build_bytes *bytes = build_sample(fixture->build, sample);
    if (!program_add_class(&fixture->program, TEXT("sample"), bytes->bytes, bytes->size,
                           &fixture->problem))
        fail_msg("%s: %s", sample->name, fixture->problem.reason);
}

static inline void fixture_link(struct program_fixture *fixture)
{
    if (!program_link(&fixture->program, &fixture->diagnostics, &fixture->problem))
        fail_msg("%s", fixture->problem.reason);
}

static inline void fixture_load(struct program_fixture *fixture, const struct sample *samples,
                                size_t count)
{
    fixture_open(fixture);
    for (size_t i = 0; i < count; i++)
        fixture_add_sample(fixture, &samples[i]);
    fixture_link(fixture);
}

static inline void fixture_close(struct program_fixture *fixture)
{
    program_release(&fixture->program);
    diagnostics_release(&fixture->diagnostics);
    fclose(fixture->messages);
    free(fixture->build);
}

static inline uint32_t class_number(const struct program_fixture *fixture, const char *name)
{
    uint32_t id = program_find_class(&fixture->program, text_from(name));
    assert_int_not_equal(id, PROGRAM_NONE);
    return id;
}

#endif
