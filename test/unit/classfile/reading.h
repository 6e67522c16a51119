/*
 * reading: what the tests of the class reader and writer share.
 */
#ifndef TURNSTILE_TEST_READING_H
#define TURNSTILE_TEST_READING_H

#include <string.h>

#include "base/writer.h"
#include "classfile/class_builder.h"
#include "classfile/class_reader.h"
#include "classfile/class_writer.h"

static inline void expect_written(const struct class_file *class_file, const void *bytes,
                                  size_t size)
{
    struct writer writer;
    writer_init(&writer);
    class_write(&writer, class_file);
    assert_false(writer.failed);
    assert_int_equal(writer.size, size);
    assert_memory_equal(writer.bytes, bytes, size);
    writer_release(&writer);
}

/* Reads the bytes; what can be read must be written as it was, the constants copied or anew. */
static inline struct class_file *read_and_write(struct arena *arena, const void *bytes, size_t size,
                                                struct problem *problem)
{
    struct class_file *class_file = class_read(arena, bytes, size, problem);
    assert_int_equal(class_file == NULL, problem->set);
    if (!class_file)
        return NULL;
    expect_written(class_file, bytes, size);
    class_file->source_count = 0;
    expect_written(class_file, bytes, size);
    return class_file;
}

static inline struct class_file *expect_good(struct arena *arena, struct class_build *build)
{
    const struct build_bytes *result = class_build_finish(build);
    struct problem problem;
    struct class_file *class_file = read_and_write(arena, result->bytes, result->size, &problem);
    if (!class_file)
        fail_msg("at byte %zu: %s", problem.offset, problem.reason);
    return class_file;
}

/* The class must be refused, with a reason that contains the text. */
static inline void expect_bad(struct class_build *build, const char *reason)
{
    const struct build_bytes *result = class_build_finish(build);
    struct arena arena;
    arena_init(&arena);
    struct problem problem;
    assert_null(class_read(&arena, result->bytes, result->size, &problem));
    if (!strstr(problem.reason, reason))
        fail_msg("expected \"%s\" in \"%s\"", reason, problem.reason);
    assert_true(problem.offset <= result->size);
    arena_release(&arena);
}

#endif
