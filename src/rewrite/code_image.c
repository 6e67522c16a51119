#include "rewrite/code_image.h"

#include <string.h>

#include "base/writer.h"
#include "rewrite/stack_effect.h"

#define LONGEST_IMAGE ((uint32_t)INT16_MAX)

/* ---- locals ---- */

/* Loads and stores come in the order int, long, float, double, reference. */
static unsigned slots_by_type(unsigned type)
{
    return type == 1 || type == 3 ? 2 : 1;
}

int32_t code_image_local(const struct instruction *instruction, bool *stores, unsigned *slots)
{
    unsigned opcode = instruction->opcode;
    *stores = (opcode >= OP_ISTORE && opcode <= OP_ASTORE_3) || opcode == OP_IINC;
    *slots = 1;
    if (opcode >= OP_ILOAD_0 && opcode <= OP_ALOAD_3) {
        *slots = slots_by_type((opcode - OP_ILOAD_0) / 4);
        return (int32_t)((opcode - OP_ILOAD_0) % 4);
    }
    if (opcode >= OP_ISTORE_0 && opcode <= OP_ASTORE_3) {
        *slots = slots_by_type((opcode - OP_ISTORE_0) / 4);
        return (int32_t)((opcode - OP_ISTORE_0) % 4);
    }
    if (opcode >= OP_ILOAD && opcode <= OP_ALOAD)
        *slots = slots_by_type(opcode - OP_ILOAD);
    else if (opcode >= OP_ISTORE && opcode <= OP_ASTORE)
        *slots = slots_by_type(opcode - OP_ISTORE);
    else if (opcode != OP_IINC && opcode != OP_RET)
        return -1;
    return instruction->operand;
}

static void note_local(struct code_image *image, const struct instruction *instruction)
{
    bool stores;
    unsigned slots;
    int32_t local = code_image_local(instruction, &stores, &slots);
    if (local < 0)
        return;
    if (stores && local < image->lowest_store)
        image->lowest_store = (uint16_t)local;
    if ((uint32_t)local + slots > image->local_end)
        image->local_end = (uint32_t)local + slots;
}

/* ---- encoding ---- */

static unsigned encoded_size(const struct instruction *instruction)
{
    static const uint8_t sizes[] = {
        [OPERANDS_NONE] = 1,          [OPERANDS_BYTE] = 2,
        [OPERANDS_SHORT] = 3,         [OPERANDS_LOCAL] = 2,
        [OPERANDS_INCREMENT] = 3,     [OPERANDS_CONSTANT_NARROW] = 2,
        [OPERANDS_CONSTANT_WIDE] = 3, [OPERANDS_CONSTANT_DOUBLE] = 3,
        [OPERANDS_FIELD] = 3,         [OPERANDS_METHOD] = 3,
        [OPERANDS_DYNAMIC] = 5,       [OPERANDS_INTERFACE_METHOD] = 5,
        [OPERANDS_CLASS] = 3,         [OPERANDS_ARRAY_TYPE] = 2,
        [OPERANDS_DIMENSIONS] = 4,    [OPERANDS_BRANCH] = 3,
    };
    unsigned operands = opcode_infos[instruction->opcode].operands;
    if (instruction->wide)
        return operands == OPERANDS_INCREMENT ? 6 : 4;
    return sizes[operands];
}

static void encode_wide(uint8_t *to, const struct instruction *instruction)
{
    to[0] = OP_WIDE;
    to[1] = instruction->opcode;
    writer_store_u2(to + 2, instruction->operand);
    if (instruction->opcode == OP_IINC)
        writer_store_u2(to + 4, (uint16_t)instruction->immediate);
}

static void encode(uint8_t *to, const struct code_image *image,
                   const struct instruction *instruction)
{
    if (instruction->wide) {
        encode_wide(to, instruction);
        return;
    }
    to[0] = instruction->opcode;
    switch (opcode_infos[instruction->opcode].operands) {
    case OPERANDS_NONE:
        break;
    case OPERANDS_BYTE:
        to[1] = (uint8_t)instruction->immediate;
        break;
    case OPERANDS_SHORT:
        writer_store_u2(to + 1, (uint16_t)instruction->immediate);
        break;
    case OPERANDS_LOCAL:
    case OPERANDS_CONSTANT_NARROW:
    case OPERANDS_ARRAY_TYPE:
        to[1] = (uint8_t)instruction->operand;
        break;
    case OPERANDS_INCREMENT:
        to[1] = (uint8_t)instruction->operand;
        to[2] = (uint8_t)instruction->immediate;
        break;
    case OPERANDS_BRANCH: {
        uint32_t target = instruction->target == image->count
                              ? image->length
                              : image->instructions[instruction->target].offset;
        writer_store_u2(to + 1, (uint16_t)(target - instruction->offset));
        break;
    }
    case OPERANDS_INTERFACE_METHOD:
        writer_store_u2(to + 1, instruction->operand);
        to[3] = (uint8_t)instruction->immediate;
        to[4] = 0;
        break;
    case OPERANDS_DYNAMIC:
        writer_store_u2(to + 1, instruction->operand);
        writer_store_u2(to + 3, 0);
        break;
    case OPERANDS_DIMENSIONS:
        writer_store_u2(to + 1, instruction->operand);
        to[3] = (uint8_t)instruction->immediate;
        break;
    default:
        writer_store_u2(to + 1, instruction->operand);
        break;
    }
}

/* ---- building ---- */

static bool is_branch(const struct instruction *instruction)
{
    return opcode_infos[instruction->opcode].operands == OPERANDS_BRANCH;
}

/* The position of the label that a branch of the snippet goes to. */
static uint32_t label_position(const struct snippet *snippet, const struct instruction *branch)
{
    return branch->target < snippet->labels.count ? snippet->labels.items[branch->target]
                                                  : SNIPPET_UNBOUND;
}

static bool resolve_branches(struct code_image *image, struct arena *arena,
                             struct instruction *instructions, const struct snippet *snippet,
                             struct problem *problem)
{
    uint16_t *targets = NULL;
    for (uint32_t i = 0; i < image->count; i++) {
        if (!is_branch(&instructions[i]))
            continue;
        uint32_t position = label_position(snippet, &instructions[i]);
        if (position > image->count) {
            problem_set(problem, PROBLEM_NO_OFFSET, "a snippet branches to an unbound label");
            return false;
        }
        if (!targets) {
            targets = ARENA_ARRAY(arena, uint16_t, (size_t)image->count + 1);
            if (!targets) {
                problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
                return false;
            }
            memset(targets, 0xFF, ((size_t)image->count + 1) * sizeof *targets);
        }
        instructions[i].target = position;
        targets[position] = 0;
    }
    image->targets = targets;
    for (uint32_t i = 0; targets && i <= image->count; i++)
        if (targets[i] != CODE_IMAGE_NO_TARGET)
            targets[i] = image->target_count++;
    return true;
}

static void lay_out(struct code_image *image, struct instruction *instructions)
{
    uint32_t offset = 0;
    for (uint32_t i = 0; i < image->count; i++) {
        note_local(image, &instructions[i]);
        instructions[i].offset = (uint16_t)offset;
        offset += encoded_size(&instructions[i]);
        if (offset > LONGEST_IMAGE)
            break;
    }
    image->length = offset;
}

/* ---- stack depths ---- */

#define NO_DEPTH INT32_MIN

struct depths {
    struct code_image *image;
    const struct class_file *class_file;
    int32_t *at; /* by instruction number, the end included: relative to the start */
    bool again;  /* a backward branch told something new */
    bool clash;
};

static void reach(struct depths *depths, uint32_t from, uint32_t to, int32_t depth)
{
    if (depths->at[to] == NO_DEPTH) {
        depths->at[to] = depth;
        if (to <= from)
            depths->again = true;
    } else if (depths->at[to] != depth) {
        depths->clash = true;
    }
}

static void measure(struct depths *depths, uint32_t number)
{
    const struct instruction *instruction = &depths->image->instructions[number];
    struct stack_effect effect = stack_effect_of(depths->class_file, instruction);
    unsigned flow = opcode_infos[instruction->opcode].flow;
    int32_t depth = depths->at[number] - (int32_t)effect.pops + (int32_t)effect.pushes;
    if (depth > depths->image->growth)
        depths->image->growth = depth;
    if (flow == FLOW_BRANCH || flow == FLOW_GOTO)
        reach(depths, number, instruction->target, depth);
    if (flow == FLOW_NEXT || flow == FLOW_BRANCH)
        reach(depths, number, number + 1, depth);
}

/* Most snippets need no array: they go straight from start to end. */
static bool measure_straight(struct code_image *image, const struct class_file *class_file)
{
    int32_t depth = 0;
    for (uint32_t i = 0; i < image->count; i++) {
        const struct instruction *instruction = &image->instructions[i];
        struct stack_effect effect = stack_effect_of(class_file, instruction);
        depth += (int32_t)effect.pushes - (int32_t)effect.pops;
        if (depth > image->growth)
            image->growth = depth;
        if (opcode_infos[instruction->opcode].flow != FLOW_NEXT)
            return i + 1 == image->count;
    }
    image->change = depth;
    image->falls_through = true;
    return true;
}

static bool measure_depths(struct code_image *image, struct arena *arena,
                           const struct class_file *class_file, struct problem *problem)
{
    if (!image->targets) {
        if (!measure_straight(image, class_file))
            problem_set(problem, PROBLEM_NO_OFFSET, "a snippet has code that is never reached");
        return !problem->set;
    }
    struct depths depths = {.image = image, .class_file = class_file};
    depths.at = ARENA_ARRAY(arena, int32_t, (size_t)image->count + 1);
    if (!depths.at) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        return false;
    }
    for (uint32_t i = 0; i <= image->count; i++)
        depths.at[i] = NO_DEPTH;
    depths.at[0] = 0;
    do {
        depths.again = false;
        for (uint32_t i = 0; i < image->count; i++)
            if (depths.at[i] != NO_DEPTH)
                measure(&depths, i);
    } while (depths.again && !depths.clash);
    if (depths.clash)
        problem_set(problem, PROBLEM_NO_OFFSET, "a snippet joins different stack depths");
    for (uint32_t i = 0; i < image->count; i++)
        if (depths.at[i] == NO_DEPTH)
            problem_set(problem, PROBLEM_NO_OFFSET, "a snippet has code that is never reached");
    image->falls_through = depths.at[image->count] != NO_DEPTH;
    image->change = image->falls_through ? depths.at[image->count] : 0;
    return !problem->set;
}

static bool is_usable(const struct snippet *snippet, struct problem *problem)
{
    if (class_editor_failed(snippet->editor))
        problem_set(problem, PROBLEM_NO_OFFSET, "%s",
                    snippet->editor->pool_full ? "the constant pool is full" : "out of memory");
    else if (snippet->failed)
        problem_set(problem, PROBLEM_NO_OFFSET, "a snippet is not well-formed");
    else if (snippet->instructions.count > LONGEST_IMAGE)
        problem_set(problem, PROBLEM_NO_OFFSET, "a snippet is too long");
    return !problem->set;
}

struct code_image *code_image_new(struct arena *arena, const struct snippet *snippet,
                                  struct problem *problem)
{
    if (problem->set || !is_usable(snippet, problem))
        return NULL;
    size_t count = snippet->instructions.count;
    struct code_image *image = ARENA_NEW(arena, struct code_image);
    struct instruction *instructions = ARENA_ARRAY(arena, struct instruction, count);
    if (!image || !instructions) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        return NULL;
    }
    if (count)
        memcpy(instructions, snippet->instructions.items, count * sizeof *instructions);
    image->version = snippet->version;
    image->instructions = instructions;
    image->count = (uint32_t)count;
    image->copied = snippet->copied;
    image->lowest_store = UINT16_MAX;
    if (!resolve_branches(image, arena, instructions, snippet, problem))
        return NULL;
    lay_out(image, instructions);
    if (image->length > LONGEST_IMAGE) {
        problem_set(problem, PROBLEM_NO_OFFSET, "a snippet is too long");
        return NULL;
    }
    uint32_t room = image->length < CODE_IMAGE_PIECE ? CODE_IMAGE_PIECE : image->length;
    uint8_t *bytes = arena_allocate_zeroed(arena, room, 1);
    if (!bytes) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        return NULL;
    }
    image->bytes = bytes;
    for (uint32_t i = 0; i < image->count; i++)
        encode(bytes + instructions[i].offset, image, &instructions[i]);
    if (!measure_depths(image, arena, snippet->editor->class_file, problem))
        return NULL;
    return image;
}

bool code_image_is_of(const struct code_image *image, const struct snippet *snippet)
{
    if (snippet->failed || image->count != snippet->instructions.count ||
        image->copied != snippet->copied)
        return false;
    for (uint32_t i = 0; i < image->count; i++) {
        const struct instruction *mine = &image->instructions[i];
        const struct instruction *theirs = &snippet->instructions.items[i];
        if (mine->opcode != theirs->opcode || mine->wide != theirs->wide ||
            mine->operand != theirs->operand || mine->immediate != theirs->immediate)
            return false;
        if (is_branch(mine) && mine->target != label_position(snippet, theirs))
            return false;
    }
    return true;
}

static bool is_same(const struct instruction *a, const struct instruction *b)
{
    return a->opcode == b->opcode && a->operand == b->operand && a->immediate == b->immediate;
}

uint32_t code_image_find(const struct code_image *image, const struct instruction *instruction)
{
    uint32_t best = UINT32_MAX;
    /* The image may do the same with an object of its own before that. */
    if (image->copied < image->count && is_same(&image->instructions[image->copied], instruction))
        return image->instructions[image->copied].offset;
    for (uint32_t i = 0; i < image->count; i++) {
        const struct instruction *candidate = &image->instructions[i];
        if (candidate->opcode != instruction->opcode)
            continue;
        if (is_same(candidate, instruction))
            return candidate->offset;
        if (best == UINT32_MAX)
            best = candidate->offset;
    }
    return best == UINT32_MAX ? 0 : best;
}
