/*
 * frames_rewrite OUT [--classpath PLACE...] [--rewrite] PLACE...: writes every class with
 * StackMapTables made from frames that were computed by data flow, for a JVM to verify.
 *
 * Classes before version 51 become version 51, where the JVM has no other way to verify than by the
 * StackMapTable. Left out are old classes that this cannot be done for: those with subroutines.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "bytecode/stack_map_writer.h"
#include "classfile/class_writer.h"
#include "known_classes.h"
#include "rewrite/class_editor.h"
#include "tools.h"

enum { MAJOR_STACK_MAPS_ONLY = 51 };

struct rewrite {
    const char *out;
    struct known_classes known;
    struct type_hierarchy hierarchy;
    struct diagnostics diagnostics;
    struct arena class_arena, method_arena;
    struct class_editor editor;
    const struct bytecode *bytecode; /* of the method in work */
    uint64_t classes, raised, methods, frames, dead, subroutines, failures;
    uint64_t entries[256]; /* by their type */
};

static uint16_t class_index(void *context, struct text name)
{
    struct rewrite *rewrite = context;
    return class_editor_class(&rewrite->editor, name);
}

static uint32_t new_offset(void *context, uint32_t instruction)
{
    const struct rewrite *rewrite = context;
    return bytecode_offset(rewrite->bytecode, instruction);
}

/* Whether somebody jumps to the method's first instruction. */
static bool is_loop_head(const struct flow *flow)
{
    for (uint32_t i = 0; i < flow->count; i++) {
        for (uint32_t k = 0; k < flow->blocks[i].successor_count; k++) {
            if (flow->blocks[i].successors[k] == 0)
                return true;
        }
    }
    return false;
}

static bool has_dead_code(const struct frames *frames)
{
    for (uint32_t i = 0; i < frames->flow->count; i++) {
        if (!frames->at_block[i].reached)
            return true;
    }
    return false;
}

static struct stack_map *make_map(struct rewrite *rewrite, const struct frames *frames,
                                  struct problem *problem)
{
    const struct bytecode *bytecode = frames->bytecode;
    const struct stack_map_names names = {rewrite, class_index, new_offset};
    struct frame initial;
    struct stack_map_writer writer;
    if (!frame_initial(&initial, &rewrite->method_arena, frames->table, bytecode->class_file,
                       bytecode->method, bytecode->code->max_locals, bytecode->code->max_stack,
                       problem))
        return NULL;
    stack_map_writer_init(&writer, &rewrite->class_arena, frames->table, &initial, &names);
    for (uint32_t i = is_loop_head(frames->flow) ? 0 : 1; i < frames->flow->count; i++) {
        stack_map_writer_add(&writer, bytecode_offset(bytecode, frames->flow->blocks[i].first),
                             &frames->at_block[i]);
    }
    struct stack_map *map = stack_map_writer_finish(&writer);
    if (!map)
        problem_set(problem, PROBLEM_NO_OFFSET, "the stack map cannot be written (%d)",
                    writer.failure);
    return map;
}

static void count_entries(struct rewrite *rewrite, const struct stack_map *map)
{
    for (unsigned i = 0; i < map->count; i++)
        rewrite->entries[map->frames[i].type]++;
    rewrite->frames += map->count;
}

static bool replace_map(struct rewrite *rewrite, struct code *code, struct stack_map *map)
{
    struct attribute *attribute = attributes_find(&code->attributes, ATTRIBUTE_STACK_MAP_TABLE);
    if (!attribute && map->count == 0)
        return true;
    if (!attribute)
        attribute = class_editor_add_attribute(&rewrite->editor, &code->attributes,
                                               ATTRIBUTE_STACK_MAP_TABLE);
    if (!attribute)
        return false;
    attribute->as.stack_map = map;
    return true;
}

static bool has_subroutines(const struct bytecode *bytecode)
{
    for (uint32_t i = 0; i < bytecode->count; i++) {
        if (opcode_infos[bytecode->instructions[i].opcode].flow == FLOW_CALL)
            return true;
    }
    return false;
}

enum outcome { DONE, LEFT_OUT, FAILED };

static enum outcome rewrite_method(struct rewrite *rewrite, struct class_file *class_file,
                                   struct member *method, struct type_table *table,
                                   struct problem *problem)
{
    struct arena *arena = &rewrite->method_arena;
    struct bytecode bytecode;
    struct flow flow;
    struct frames frames;
    rewrite->bytecode = &bytecode;
    if (!bytecode_decode(&bytecode, arena, class_file, method, problem))
        return FAILED;
    if (!flow_build(&flow, arena, &bytecode) ||
        !frames_compute(&frames, arena, &flow, table, FRAMES_FROM_DATA_FLOW, problem))
        return FAILED;
    if (has_subroutines(&bytecode)) {
        rewrite->subroutines++;
        return LEFT_OUT;
    }
    if (has_dead_code(&frames)) {
        rewrite->dead++; /* nothing is known of it by data flow: the method keeps what it has */
        return class_file->major < MAJOR_STACK_MAPS_ONLY ? LEFT_OUT : DONE;
    }
    struct stack_map *map = make_map(rewrite, &frames, problem);
    if (!map || !replace_map(rewrite, member_code(method), map))
        return FAILED;
    rewrite->methods++;
    count_entries(rewrite, map);
    return DONE;
}

static enum outcome rewrite_methods(struct rewrite *rewrite, struct class_file *class_file,
                                    struct problem *problem)
{
    struct type_table table;
    if (!type_table_init(&table, &rewrite->class_arena, &rewrite->hierarchy))
        return FAILED;
    enum outcome worst = DONE;
    for (unsigned i = 0; i < class_file->method_count && worst != FAILED; i++) {
        struct member *method = &class_file->methods[i];
        if (!member_code(method))
            continue;
        arena_clear(&rewrite->method_arena);
        const enum outcome outcome = rewrite_method(rewrite, class_file, method, &table, problem);
        worst = outcome > worst ? outcome : worst;
    }
    type_table_release(&table);
    return worst;
}

/* Makes the folders of OUT/a/b/C.class. */
static void make_folders(char *path, size_t start)
{
    for (char *at = path + start; *at; at++) {
        if (*at == '/') {
            *at = 0;
            mkdir(path, 0777);
            *at = '/';
        }
    }
}

static bool write_class(struct rewrite *rewrite, const struct class_file *class_file,
                        struct problem *problem)
{
    struct builder path;
    builder_init(&path);
    builder_add_format(&path, "%s/%.*s.class", rewrite->out,
                       TEXT_ARGUMENTS(class_this_name(class_file)));
    struct writer writer;
    writer_init(&writer);
    class_write(&writer, class_file);
    bool done = false;
    if (path.failed || writer.failed) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    } else {
        make_folders(path.bytes, strlen(rewrite->out) + 1);
        done = file_write(path.bytes, writer.bytes, writer.size, problem);
    }
    writer_release(&writer);
    builder_release(&path);
    return done;
}

static void raise_version(struct rewrite *rewrite, struct class_file *class_file)
{
    class_file->major = MAJOR_STACK_MAPS_ONLY;
    class_file->minor = 0;
    if (class_file->access & ACCESS_INTERFACE)
        class_file->access |= ACCESS_ABSTRACT; /* old compilers did not have to say so */
    rewrite->raised++;
}

static void rewrite_class(void *context, const struct input_class *input)
{
    struct rewrite *rewrite = context;
    struct problem problem;
    problem_clear(&problem);
    arena_clear(&rewrite->class_arena);
    struct class_file *class_file =
        class_read(&rewrite->class_arena, input->bytes, input->size, &problem);
    if (class_file && (class_file->access & ACCESS_MODULE))
        return;
    enum outcome outcome = FAILED;
    if (class_file) {
        class_editor_init(&rewrite->editor, class_file);
        outcome = rewrite_methods(rewrite, class_file, &problem);
        if (outcome == DONE && class_file->major < MAJOR_STACK_MAPS_ONLY)
            raise_version(rewrite, class_file);
        if (outcome == DONE && !write_class(rewrite, class_file, &problem))
            outcome = FAILED;
        class_editor_release(&rewrite->editor);
    }
    rewrite->classes += outcome == DONE;
    if (outcome == FAILED) {
        rewrite->failures++;
        diagnostics_problem(&rewrite->diagnostics, DIAGNOSTICS_ERROR, input->path, &problem);
    }
}

static uint64_t count_types(const struct rewrite *rewrite, unsigned first, unsigned last)
{
    uint64_t count = 0;
    for (unsigned type = first; type <= last; type++)
        count += rewrite->entries[type];
    return count;
}

static void print_summary(const struct rewrite *rewrite)
{
    printf("%" PRIu64 " classes written (%" PRIu64 " raised to version 51), %" PRIu64
           " methods, %" PRIu64 " frames:\n",
           rewrite->classes, rewrite->raised, rewrite->methods, rewrite->frames);
    printf("  %" PRIu64 " same, %" PRIu64 " same with one stack item, %" PRIu64 " chop, %" PRIu64
           " append, %" PRIu64 " full; left out: %" PRIu64 " methods with subroutines, %" PRIu64
           " with dead code; %" PRIu64 " failures\n",
           count_types(rewrite, 0, FRAME_SAME_LAST) + rewrite->entries[FRAME_SAME_EXTENDED],
           count_types(rewrite, FRAME_SAME_ONE_STACK, FRAME_SAME_ONE_STACK_EXTENDED),
           count_types(rewrite, FRAME_CHOP_FIRST, FRAME_SAME_EXTENDED - 1),
           count_types(rewrite, FRAME_SAME_EXTENDED + 1, FRAME_APPEND_LAST),
           rewrite->entries[FRAME_FULL], rewrite->subroutines, rewrite->dead, rewrite->failures);
}

int tool_frames_rewrite(int count, char **arguments)
{
    static struct rewrite rewrite;
    if (count < 3) {
        fputs("usage: frames_rewrite OUT [--classpath PLACE...] [--rewrite] PLACE...\n", stderr);
        return 2;
    }
    rewrite.out = arguments[1];
    diagnostics_init(&rewrite.diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
    known_classes_init(&rewrite.known);
    rewrite.hierarchy = (struct type_hierarchy){&rewrite.known, known_classes_common};
    arena_init(&rewrite.class_arena);
    arena_init(&rewrite.method_arena);
    const struct input_options options = {0};
    bool classpath = false;
    for (int i = 2; i < count; i++) {
        if (strcmp(arguments[i], "--classpath") == 0)
            classpath = true;
        else if (strcmp(arguments[i], "--rewrite") == 0)
            classpath = false;
        else if (classpath)
            known_classes_add_root(&rewrite.known, arguments[i], &rewrite.diagnostics);
        else if (!input_walk(arguments[i], &options, &rewrite.diagnostics, rewrite_class, &rewrite))
            return 2;
    }
    print_summary(&rewrite);
    known_classes_release(&rewrite.known);
    arena_release(&rewrite.class_arena);
    arena_release(&rewrite.method_arena);
    const bool fine = rewrite.failures == 0 && rewrite.diagnostics.errors == 0;
    diagnostics_release(&rewrite.diagnostics);
    return fine ? 0 : 1;
}
