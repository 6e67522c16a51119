/*
 * What numbers are called in findings.
 *
 * The names of STD files have no parts. Where they look as if our own writer of STD had written
 * them, they are taken apart again: `bank.Account.balance#7` is the member of a class, and
 * `bank.Account.deposit:12#3` a line of a method. A line of which the file is not known, or a
 * location that is a number, is one of a file called "location"; 0 is a location that is not known.
 */
#include <stdarg.h>
#include <stdio.h>

#include "trace/analysis_internal.h"

enum { FRAMES_MAX = 48 };

struct text analysis_format(struct analysis_teller *teller, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return TEXT("");
    const size_t size = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    return text_copy(&teller->arena, text_of(text, size));
}

/* The number behind the last `mark`, if the text ends with one; the text is cut before the mark. */
static bool take_number(struct text *text, char mark, uint32_t *number)
{
    const ptrdiff_t at = text_find_last(*text, mark);
    if (at < 0 || (size_t)at + 1 == text->length || text->length - (size_t)at > 10)
        return false;
    uint32_t value = 0;
    for (size_t i = (size_t)at + 1; i < text->length; i++) {
        if (text->bytes[i] < '0' || text->bytes[i] > '9')
            return false;
        value = value * 10 + (uint32_t)(text->bytes[i] - '0');
    }
    *number = value;
    *text = text_slice(*text, 0, (size_t)at);
    return true;
}

static bool is_number(struct text text, uint32_t *number)
{
    uint32_t value = 0;
    if (text.length == 0 || text.length > 9)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return false;
        value = value * 10 + (uint32_t)(text.bytes[i] - '0');
    }
    *number = value;
    return true;
}

/* Class and member of a name with dots. */
static void split(struct text name, struct text *class_name, struct text *member)
{
    const ptrdiff_t dot = text_find_last(name, '.');
    *class_name = TEXT("");
    *member = name;
    if (dot <= 0 || (size_t)dot + 1 == name.length)
        return;
    *class_name = text_slice(name, 0, (size_t)dot);
    *member = text_slice(name, (size_t)dot + 1, name.length);
}

static bool is_file(struct text name)
{
    static const struct text endings[] = {
        {".java", 5}, {".kt", 3}, {".scala", 6}, {".groovy", 7}, {".c", 2}, {".cpp", 4},
    };
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (text_ends_with(name, endings[i]))
            return true;
    return false;
}

static struct finding_frame plain_frame(struct text name)
{
    struct finding_frame frame = {.line = 0};
    uint32_t ignored;
    if (is_number(name, &frame.line)) {
        frame.file = frame.line ? TEXT("location") : TEXT(""); /* 0: not known */
        return frame;
    }
    take_number(&name, '#', &ignored);
    if (!take_number(&name, ':', &frame.line)) {
        /* Places are told apart by their classes, methods and lines. */
        frame.method = name;
        return frame;
    }
    frame.file = is_file(name) ? name : TEXT("location");
    if (!is_file(name))
        split(name, &frame.class_name, &frame.method);
    return frame;
}

static bool is_known(const struct finding_frame *frame)
{
    return frame->line || frame->file.length || frame->class_name.length || frame->method.length;
}

struct finding_frame analysis_frame(struct analysis_teller *teller, uint32_t location)
{
    const struct trace_location at = trace_names_location(teller->names, location);
    if (teller->names->plain)
        return plain_frame(at.file);
    return (struct finding_frame){at.class_name, at.method, at.file, at.line};
}

struct text analysis_name_of_thread(struct analysis_teller *teller, uint64_t thread)
{
    const struct text name =
        thread <= TRACE_NUMBER_MAX ? trace_names_thread(teller->names, (uint32_t)thread) : TEXT("");
    return name.length || !thread ? name
                                  : analysis_format(teller, "%llu", (unsigned long long)thread);
}

struct text analysis_name_of_lock(struct analysis_teller *teller, uint32_t lock)
{
    const struct text name = trace_names_lock(teller->names, lock);
    return name.length ? name : analysis_format(teller, "lock %u", lock);
}

struct text analysis_name_of_sync(struct analysis_teller *teller, uint32_t sync)
{
    const struct text name = trace_names_sync(teller->names, sync);
    return name.length ? name : analysis_format(teller, "object %u", sync);
}

struct trace_field analysis_name_of_variable(struct analysis_teller *teller, uint32_t field)
{
    struct trace_field name = trace_names_field(teller->names, field);
    uint32_t ignored;
    if (!teller->names->plain || text_find(name.member, '.') < 0 ||
        !take_number(&name.member, '#', &ignored))
        return name;
    split(name.member, &name.class_name, &name.member);
    return name;
}

struct trace_block analysis_name_of_block(struct analysis_teller *teller, uint32_t block,
                                          uint32_t location)
{
    struct trace_block name = {.location = location};
    uint32_t ignored;
    if (!(block & ANALYSIS_BLOCK_AT))
        name = trace_names_block(teller->names, block);
    if (teller->names->plain && name.method.length) {
        if (take_number(&name.method, '#', &ignored))
            split(name.method, &name.class_name, &name.method);
        return name;
    }
    if (!name.method.length && !name.class_name.length) {
        const struct finding_frame frame = analysis_frame(teller, location);
        name.class_name = frame.class_name;
        name.method = frame.method;
    }
    return name;
}

struct text analysis_dotted(struct analysis_teller *teller, struct text class_name,
                            struct text member)
{
    if (!class_name.length)
        return member;
    if (!member.length)
        return class_name;
    return analysis_format(teller, "%.*s.%.*s", TEXT_ARGUMENTS(class_name), TEXT_ARGUMENTS(member));
}

struct finding_stack analysis_stack(struct analysis_teller *teller, const char *role,
                                    uint64_t thread, uint32_t location, uint32_t stack)
{
    uint32_t places[FRAMES_MAX];
    struct finding_stack result = {.role = text_from(role),
                                   .thread = analysis_name_of_thread(teller, thread)};
    const size_t count = trace_names_frames(teller->names, stack, location, places, FRAMES_MAX);
    struct finding_frame *frames = ARENA_ARRAY(&teller->arena, struct finding_frame, count);
    if (!frames)
        return result;
    for (size_t i = 0; i < count; i++) {
        frames[result.frame_count] = analysis_frame(teller, places[i]);
        result.frame_count += is_known(&frames[result.frame_count]);
    }
    result.frames = frames;
    return result;
}

void analysis_add_shown(struct analysis_teller *teller, struct finding_stack *stack,
                        const struct lockset_shown *locks, size_t count)
{
    struct text *names = ARENA_ARRAY(&teller->arena, struct text, count);
    if (!names)
        return;
    for (size_t i = 0; i < count; i++) {
        names[i] = analysis_name_of_lock(teller, locks[i].lock);
        if (locks[i].shared)
            names[i] = finding_shared_lock(&teller->arena, names[i]);
    }
    stack->locks = names;
    stack->lock_count = count;
}

void analysis_add_held(struct analysis_teller *teller, struct finding_stack *stack,
                       struct engine *engine, struct analysis_held held)
{
    struct lockset_shown locks[LOCKSET_SHOWN_MAX];
    const uint32_t count = lockset_show(engine_locksets(engine), held.lockset, held.shared, locks);
    analysis_add_shown(teller, stack, locks, count);
    stack->locks_unknown =
        !count && (held.lockset != LOCKSET_EMPTY || held.shared != LOCKSET_EMPTY);
}

bool analysis_start_of(struct analysis_teller *teller, uint64_t thread, struct finding_stack *stack)
{
    if (thread >= teller->analysis->threads.count)
        return false;
    const struct analysis_thread *started = &teller->analysis->threads.items[thread];
    if (!started->start_location && !started->start_stack)
        return false;
    const struct text name = analysis_name_of_thread(teller, thread);
    *stack =
        analysis_stack(teller, "", started->parent, started->start_location, started->start_stack);
    stack->role = analysis_format(teller, "thread \"%.*s\" started", TEXT_ARGUMENTS(name));
    return stack->frame_count;
}
