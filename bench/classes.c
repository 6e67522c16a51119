/*
 * Our side of the class-file benchmark: one round over all classes of the given jars for each line
 * on standard input ("read" or "rewrite"), on one thread, from bytes in memory. AsmBench.java is
 * the other side, and says why some of its rounds are called "checked": for us these are no others.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/vector.h"
#include "bytecode/decode.h"
#include "classfile/class_reader.h"
#include "classfile/class_writer.h"
#include "classfile/input.h"
#include "rewrite/method_editor.h"

struct loaded {
    const uint8_t *bytes;
    size_t size;
};

struct bench {
    struct arena kept; /* the class bytes */
    VECTOR(struct loaded) classes;
    struct arena class_arena, scratch;
    struct writer writer;
};

static void keep(void *context, const struct input_class *input)
{
    struct bench *bench = context;
    const uint8_t *bytes = arena_copy(&bench->kept, input->bytes, input->size, 1);
    if (bytes)
        (void)vector_push(&bench->classes, ((struct loaded){bytes, input->size}));
}

/* The class model, and the instructions of every method. */
static uint64_t read_class(struct bench *bench, const struct loaded *loaded)
{
    struct problem problem;
    problem_clear(&problem);
    struct class_file *class_file =
        class_read(&bench->class_arena, loaded->bytes, loaded->size, &problem);
    if (!class_file)
        return 0;
    for (uint16_t i = 0; i < class_file->method_count; i++) {
        struct bytecode bytecode;
        if (member_code(&class_file->methods[i]))
            bytecode_decode(&bytecode, &bench->class_arena, class_file, &class_file->methods[i],
                            &problem);
    }
    return problem.set ? 0 : class_file->method_count;
}

static void rewrite_method(struct bench *bench, struct class_editor *editor, struct member *method,
                           const struct snippet *nop)
{
    struct problem problem;
    problem_clear(&problem);
    struct method_editor edit;
    arena_clear(&bench->scratch);
    if (!method_editor_init(&edit, editor, method, &bench->scratch, NULL, &problem))
        return;
    for (uint32_t i = 0; i < edit.bytecode.count; i++)
        method_editor_before(&edit, i, nop);
    method_editor_at_entry(&edit, nop);
    method_editor_at_return(&edit, nop);
    method_editor_apply(&edit, &problem);
}

/* A nop before every instruction, at the entry and before every return. */
static uint64_t rewrite_class(struct bench *bench, const struct loaded *loaded)
{
    struct problem problem;
    problem_clear(&problem);
    struct class_file *class_file =
        class_read(&bench->class_arena, loaded->bytes, loaded->size, &problem);
    if (!class_file)
        return 0;
    struct class_editor editor;
    class_editor_init(&editor, class_file);
    struct snippet nop;
    snippet_init(&nop, &editor);
    snippet_add(&nop, OP_NOP);
    for (uint16_t i = 0; i < class_file->method_count; i++)
        if (member_code(&class_file->methods[i]))
            rewrite_method(bench, &editor, &class_file->methods[i], &nop);
    writer_clear(&bench->writer);
    class_write(&bench->writer, class_file);
    snippet_release(&nop);
    class_editor_release(&editor);
    return bench->writer.size;
}

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void run_round(struct bench *bench, bool rewrites)
{
    uint64_t time = nanoseconds(CLOCK_MONOTONIC);
    uint64_t processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    uint64_t work = 0;
    for (size_t i = 0; i < bench->classes.count; i++) {
        arena_clear(&bench->class_arena);
        work += rewrites ? rewrite_class(bench, &bench->classes.items[i])
                         : read_class(bench, &bench->classes.items[i]);
    }
    processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
    time = nanoseconds(CLOCK_MONOTONIC) - time;
    printf("%llu %llu %llu\n", (unsigned long long)time, (unsigned long long)processor,
           (unsigned long long)work);
    fflush(stdout);
}

static long peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

int main(int argument_count, char **arguments)
{
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, stderr, DIAGNOSTICS_COLOR_AUTO);
    static struct bench bench;
    struct input_options options = {.all_versions = true};
    for (int i = 1; i < argument_count; i++)
        input_walk(arguments[i], &options, &diagnostics, keep, &bench);
    printf("ready %zu\n", bench.classes.count);
    fflush(stdout);

    char request[32];
    while (fgets(request, sizeof request, stdin)) {
        if (strcmp(request, "memory\n") == 0) {
            printf("%ld\n", peak_megabytes());
            fflush(stdout);
        } else {
            run_round(&bench, strstr(request, "rewrite") != NULL);
        }
    }

    writer_release(&bench.writer);
    arena_release(&bench.class_arena);
    arena_release(&bench.scratch);
    arena_release(&bench.kept);
    vector_release(&bench.classes);
    diagnostics_release(&diagnostics);
    return 0;
}
