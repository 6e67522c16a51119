#include "base/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

void builder_init(struct builder *builder)
{
    memset(builder, 0, sizeof *builder);
}

void builder_release(struct builder *builder)
{
    memory_release(builder->bytes);
    builder_init(builder);
}

void builder_clear(struct builder *builder)
{
    builder->length = 0;
    builder->failed = false;
    if (builder->bytes)
        builder->bytes[0] = '\0';
}

/* Room for `more` bytes and the zero behind them. */
static bool reserve(struct builder *builder, size_t more)
{
    if (builder->failed)
        return false;
    if (more < builder->capacity && builder->capacity - builder->length > more)
        return true;
    if (more > SIZE_MAX / 4 || builder->length > SIZE_MAX / 4) {
        builder->failed = true;
        return false;
    }
    size_t wanted = builder->capacity * 2 > 64 ? builder->capacity * 2 : 64;
    if (wanted < builder->length + more + 1)
        wanted = builder->length + more + 1;
    char *grown = memory_resize(builder->bytes, wanted);
    if (!grown) {
        builder->failed = true;
        return false;
    }
    builder->bytes = grown;
    builder->capacity = wanted;
    return true;
}

void builder_add(struct builder *builder, struct text text)
{
    if (!text.length || !reserve(builder, text.length))
        return;
    memcpy(builder->bytes + builder->length, text.bytes, text.length);
    builder->length += text.length;
    builder->bytes[builder->length] = '\0';
}

void builder_add_string(struct builder *builder, const char *string)
{
    builder_add(builder, text_from(string));
}

void builder_add_byte(struct builder *builder, char byte)
{
    builder_add(builder, text_of(&byte, 1));
}

void builder_add_format(struct builder *builder, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0)
        builder->failed = true; /* too long for printf */
    else if (length > 0 && reserve(builder, (size_t)length)) {
        vsnprintf(builder->bytes + builder->length, (size_t)length + 1, format, again);
        builder->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void builder_pad_to(struct builder *builder, size_t length, char byte)
{
    if (length <= builder->length || !reserve(builder, length - builder->length))
        return;
    memset(builder->bytes + builder->length, byte, length - builder->length);
    builder->length = length;
    builder->bytes[length] = '\0';
}

struct text builder_text(const struct builder *builder)
{
    return (struct text){builder_string(builder), builder->length};
}

const char *builder_string(const struct builder *builder)
{
    return builder->bytes ? builder->bytes : "";
}
