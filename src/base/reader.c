#include "base/reader.h"

static const uint8_t no_bytes;

void reader_init(struct reader *reader, const void *bytes, size_t size, struct problem *problem)
{
    /* NULL means failure in what is read, so even no bytes have an address. */
    *reader = (struct reader){
        .bytes = bytes ? bytes : &no_bytes, .size = bytes ? size : 0, .problem = problem};
}

void reader_fail(struct reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    problem_set_list(reader->problem, reader->origin + reader->position, format, arguments);
    va_end(arguments);
}

void reader_fail_short(struct reader *reader, size_t wanted)
{
    if (reader_ok(reader))
        reader_fail(reader, "ends too early: %zu more byte%s needed, %zu left", wanted,
                    wanted == 1 ? "" : "s", reader_left(reader));
}

uint32_t reader_count(struct reader *reader, uint32_t count, size_t item_size, const char *what)
{
    if (!reader_ok(reader))
        return 0;
    if (count > reader_left(reader) / item_size) {
        reader_fail(reader, "%u %s cannot fit into the %zu bytes left", (unsigned)count, what,
                    reader_left(reader));
        return 0;
    }
    return count;
}

struct reader reader_part(struct reader *reader, size_t size)
{
    struct reader part = {.problem = reader->problem};
    part.origin = reader->origin + reader->position;
    part.bytes = reader_bytes(reader, size);
    part.size = part.bytes ? size : 0;
    return part;
}
