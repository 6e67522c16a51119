/* Any bytes as a class file: read; if that works, write back the same bytes, and look at all of it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/writer.h"
#include "bytecode/dump.h"
#include "classfile/class_reader.h"
#include "classfile/class_writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_writes_back(const struct class_file *class_file, const uint8_t *bytes,
                              size_t size)
{
    struct writer writer;
    writer_init(&writer);
    class_write(&writer, class_file);
    if (writer.failed || writer.size != size || memcmp(writer.bytes, bytes, size) != 0)
        abort();
    writer_release(&writer);
}

static void compute_frames(struct arena *arena, const struct class_file *class_file,
                           struct type_table *table)
{
    for (uint16_t i = 0; i < class_file->method_count; i++) {
        struct problem problem;
        problem_clear(&problem);
        struct bytecode bytecode;
        struct flow flow;
        if (!member_code(&class_file->methods[i]) ||
            !bytecode_decode(&bytecode, arena, class_file, &class_file->methods[i], &problem) ||
            !flow_build(&flow, arena, &bytecode))
            continue;
        struct frames frames;
        frames_compute(&frames, arena, &flow, table, FRAMES_FROM_STACK_MAP, &problem);
        problem_clear(&problem);
        frames_compute(&frames, arena, &flow, table, FRAMES_FROM_DATA_FLOW, &problem);
    }
}

static void dump(const struct class_file *class_file)
{
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere)
        abort();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, nowhere, DIAGNOSTICS_COLOR_NEVER);
    struct builder builder;
    builder_init(&builder);
    struct dump_options options = {.code = true, .frames = true};
    dump_class(&builder, class_file, &options, TEXT("fuzz"), &diagnostics);
    builder_release(&builder);
    diagnostics_release(&diagnostics);
    fclose(nowhere);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena;
    arena_init(&arena);
    struct problem problem;
    problem_clear(&problem);
    struct class_file *class_file = class_read(&arena, bytes, size, &problem);
    if (class_file) {
        check_writes_back(class_file, bytes, size);
        class_file->source_count = 0; /* every constant anew, not copied */
        check_writes_back(class_file, bytes, size);
        struct type_table table;
        if (type_table_init(&table, &arena, NULL))
            compute_frames(&arena, class_file, &table);
        type_table_release(&table);
        dump(class_file);
    } else if (!problem.set) {
        abort(); /* a refusal must have a reason */
    }
    arena_release(&arena);
    return 0;
}
