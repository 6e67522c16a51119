#include "report/finding_bytes.h"

enum { TEXT_LEAST = 4, FRAME_LEAST = 3 * TEXT_LEAST + 4, STACK_LEAST = 2 * TEXT_LEAST + 4 + 2 + 4 };

/* ---- to bytes ---- */

static void write_text(struct writer *writer, struct text text)
{
    writer_u4(writer, (uint32_t)text.length);
    writer_bytes(writer, text.bytes, text.length);
}

static void write_texts(struct writer *writer, const struct text *texts, size_t count)
{
    writer_u4(writer, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        write_text(writer, texts[i]);
}

static void write_stack(struct writer *writer, const struct finding_stack *stack)
{
    write_text(writer, stack->role);
    write_text(writer, stack->thread);
    write_texts(writer, stack->locks, stack->lock_count);
    writer_u1(writer, stack->locks_unknown);
    writer_u1(writer, stack->callers_unknown);
    writer_u1(writer, stack->presumed);
    writer_u4(writer, (uint32_t)stack->frame_count);
    for (size_t i = 0; i < stack->frame_count; i++) {
        const struct finding_frame *frame = &stack->frames[i];
        write_text(writer, frame->class_name);
        write_text(writer, frame->method);
        write_text(writer, frame->file);
        writer_u4(writer, frame->line);
    }
}

void finding_bytes_write(struct writer *writer, const struct finding *finding)
{
    writer_u1(writer, (uint8_t)finding->rule);
    writer_u1(writer, (uint8_t)finding->grade);
    writer_u1(writer, (uint8_t)finding->basis);
    write_text(writer, finding->class_name);
    write_text(writer, finding->member);
    write_text(writer, finding->signature);
    write_text(writer, finding->file);
    writer_u4(writer, finding->line);
    write_text(writer, finding->message);
    write_text(writer, finding->help);
    write_texts(writer, finding->locks, finding->lock_count);
    writer_u4(writer, (uint32_t)finding->stack_count);
    for (size_t i = 0; i < finding->stack_count; i++)
        write_stack(writer, &finding->stacks[i]);
    writer_u4(writer, finding->surety);
    writer_u8(writer, finding->count);
}

/* ---- and back ---- */

static unsigned read_choice(struct reader *reader, unsigned count, const char *what)
{
    const unsigned choice = reader_u1(reader);
    if (choice < count)
        return choice;
    reader_fail(reader, "there is no %s %u", what, choice);
    return 0;
}

static struct text read_text(struct reader *reader)
{
    const uint32_t length = reader_count(reader, reader_u4(reader), 1, "bytes of a text");
    const uint8_t *bytes = reader_bytes(reader, length);
    return bytes ? text_of((const char *)bytes, length) : TEXT("");
}

static void fail_memory(struct reader *reader)
{
    reader_fail(reader, "out of memory");
}

static const struct text *read_texts(struct reader *reader, struct arena *arena, size_t *count)
{
    const uint32_t wanted = reader_count(reader, reader_u4(reader), TEXT_LEAST, "locks");
    struct text *texts = ARENA_ARRAY(arena, struct text, wanted);
    if (!texts) {
        fail_memory(reader);
        return NULL;
    }
    for (uint32_t i = 0; i < wanted; i++)
        texts[i] = read_text(reader);
    *count = wanted;
    return texts;
}

static const struct finding_frame *read_frames(struct reader *reader, struct arena *arena,
                                               size_t *count)
{
    const uint32_t wanted = reader_count(reader, reader_u4(reader), FRAME_LEAST, "frames");
    struct finding_frame *frames = ARENA_ARRAY(arena, struct finding_frame, wanted);
    if (!frames) {
        fail_memory(reader);
        return NULL;
    }
    for (uint32_t i = 0; i < wanted; i++) {
        frames[i].class_name = read_text(reader);
        frames[i].method = read_text(reader);
        frames[i].file = read_text(reader);
        frames[i].line = reader_u4(reader);
    }
    *count = wanted;
    return frames;
}

static const struct finding_stack *read_stacks(struct reader *reader, struct arena *arena,
                                               size_t *count)
{
    const uint32_t wanted = reader_count(reader, reader_u4(reader), STACK_LEAST, "stacks");
    struct finding_stack *stacks = ARENA_ARRAY(arena, struct finding_stack, wanted);
    if (!stacks) {
        fail_memory(reader);
        return NULL;
    }
    for (uint32_t i = 0; i < wanted && reader_ok(reader); i++) {
        stacks[i] = (struct finding_stack){0};
        stacks[i].role = read_text(reader);
        stacks[i].thread = read_text(reader);
        stacks[i].locks = read_texts(reader, arena, &stacks[i].lock_count);
        stacks[i].locks_unknown = read_choice(reader, 2, "flag");
        stacks[i].callers_unknown = read_choice(reader, 2, "flag");
        stacks[i].presumed = read_choice(reader, 2, "flag");
        stacks[i].frames = read_frames(reader, arena, &stacks[i].frame_count);
    }
    *count = wanted;
    return stacks;
}

bool finding_bytes_read(struct reader *reader, struct arena *arena, struct finding *finding)
{
    *finding = (struct finding){0};
    finding->rule = (enum finding_rule)read_choice(reader, FINDING_RULE_COUNT, "rule");
    finding->grade = (enum finding_grade)read_choice(reader, FINDING_GRADE_COUNT, "grade");
    finding->basis = (enum finding_basis)read_choice(reader, FINDING_BASIS_COUNT, "basis");
    finding->class_name = read_text(reader);
    finding->member = read_text(reader);
    finding->signature = read_text(reader);
    finding->file = read_text(reader);
    finding->line = reader_u4(reader);
    finding->message = read_text(reader);
    finding->help = read_text(reader);
    finding->locks = read_texts(reader, arena, &finding->lock_count);
    finding->stacks = read_stacks(reader, arena, &finding->stack_count);
    finding->surety = reader_u4(reader);
    finding->count = (size_t)reader_u8(reader);
    return reader_ok(reader);
}
