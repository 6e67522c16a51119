#include "base/diagnostics.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory.h"

#define ERASE_LINE "\r\033[K"
#define DEFAULT_COLUMNS 80u

/* A line on its way out. It goes through a buffer here because stderr has none, and needs no
   memory because "out of memory" is among the things to be said. */
struct line {
    FILE *stream;
    size_t length;
    char bytes[1024];
};

static void line_flush(struct line *line)
{
    fwrite(line->bytes, 1, line->length, line->stream);
    fflush(line->stream);
    line->length = 0;
}

static void line_add(struct line *line, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (line->length == sizeof line->bytes)
            line_flush(line);
        line->bytes[line->length++] = bytes[i];
    }
}

static void line_add_string(struct line *line, const char *string)
{
    line_add(line, string, strlen(string));
}

/* The number of bytes of the well-formed UTF-8 character at the start, or 0. */
static size_t utf8_length(const unsigned char *bytes, size_t left)
{
    unsigned char lead = bytes[0];
    size_t length = lead < 0x80   ? 1
                    : lead < 0xC2 ? 0
                    : lead < 0xE0 ? 2
                    : lead < 0xF0 ? 3
                    : lead < 0xF5 ? 4
                                  : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    if ((lead == 0xE0 && bytes[1] < 0xA0) || (lead == 0xED && bytes[1] > 0x9F) ||
        (lead == 0xF0 && bytes[1] < 0x90) || (lead == 0xF4 && bytes[1] > 0x8F))
        return 0; /* too long a form, a surrogate, or beyond the last character */
    return length;
}

/* The length of the character at the start if it can be shown as it is, else 0. Not shown are
   control characters (also U+0080 to U+009F, which some terminals obey), and those that break a
   line or change the direction of writing, behind which a name can pretend to be another. */
static size_t shown_length(const char *text, size_t left)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = utf8_length(bytes, left);
    if (length == 1 && (bytes[0] < 0x20 || bytes[0] == 0x7F))
        return 0;
    if (length == 2 && bytes[0] == 0xC2 && bytes[1] < 0xA0)
        return 0;
    if (length == 3 && bytes[0] == 0xE2) {
        bool breaks = bytes[1] == 0x80 && bytes[2] >= 0xA8 && bytes[2] <= 0xAE;
        bool turns = bytes[1] == 0x81 && bytes[2] >= 0xA6 && bytes[2] <= 0xA9;
        if (breaks || turns)
            return 0;
    }
    return length;
}

/* Adds the text in at most `columns` columns, counting one for each character. */
static void line_add_safely(struct line *line, struct text text, size_t columns)
{
    size_t column = 0;
    for (size_t i = 0; i < text.length;) {
        char escape[5];
        const char *piece = text.bytes + i;
        size_t length = shown_length(piece, text.length - i);
        size_t width = 1;
        i += length ? length : 1;
        if (!length) {
            snprintf(escape, sizeof escape, "\\x%02X", (unsigned)(unsigned char)piece[0]);
            piece = escape;
            length = width = 4;
        }
        if (columns - column < width)
            return;
        column += width;
        line_add(line, piece, length);
    }
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0];
}

void diagnostics_init(struct diagnostics *diagnostics, FILE *stream, enum diagnostics_color color)
{
    memset(diagnostics, 0, sizeof *diagnostics);
    diagnostics->stream = stream;
    const char *kind = getenv("TERM");
    int descriptor = fileno(stream);
    diagnostics->terminal =
        descriptor >= 0 && isatty(descriptor) && !(kind && strcmp(kind, "dumb") == 0);
    diagnostics->color =
        color == DIAGNOSTICS_COLOR_ALWAYS ||
        (color == DIAGNOSTICS_COLOR_AUTO && diagnostics->terminal && !is_set("NO_COLOR"));
    pthread_mutex_init(&diagnostics->mutex, NULL);
}

void diagnostics_release(struct diagnostics *diagnostics)
{
    diagnostics_status(diagnostics, TEXT(""));
    pthread_mutex_destroy(&diagnostics->mutex);
}

static void add_prefix(struct line *line, enum diagnostics_level level, bool color)
{
    static const struct {
        const char *name;
        const char *color;
    } levels[] = {
        [DIAGNOSTICS_NOTE] = {"note: ", "\033[1;36m"},
        [DIAGNOSTICS_WARNING] = {"warning: ", "\033[1;35m"},
        [DIAGNOSTICS_ERROR] = {"error: ", "\033[1;31m"},
    };
    line_add_string(line, "turnstile: ");
    if (color)
        line_add_string(line, levels[level].color);
    line_add_string(line, levels[level].name);
    if (color)
        line_add_string(line, "\033[0m");
}

static bool is_shown(const struct diagnostics *diagnostics, enum diagnostics_level level)
{
    return level == DIAGNOSTICS_ERROR || (level == DIAGNOSTICS_WARNING && !diagnostics->quiet) ||
           (level == DIAGNOSTICS_NOTE && diagnostics->verbose && !diagnostics->quiet);
}

/* Prints the parts one after another as one line. */
static void print_message(struct diagnostics *diagnostics, enum diagnostics_level level,
                          const struct text *parts, size_t part_count)
{
    pthread_mutex_lock(&diagnostics->mutex);
    diagnostics->errors += level == DIAGNOSTICS_ERROR;
    diagnostics->warnings += level == DIAGNOSTICS_WARNING;
    if (is_shown(diagnostics, level)) {
        struct line line = {.stream = diagnostics->stream};
        if (diagnostics->status_shown)
            line_add_string(&line, ERASE_LINE);
        diagnostics->status_shown = false;
        add_prefix(&line, level, diagnostics->color);
        for (size_t i = 0; i < part_count; i++)
            line_add_safely(&line, parts[i], SIZE_MAX);
        line_add_string(&line, "\n");
        line_flush(&line);
    }
    pthread_mutex_unlock(&diagnostics->mutex);
}

static void print_format(struct diagnostics *diagnostics, enum diagnostics_level level,
                         const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

static void print_format(struct diagnostics *diagnostics, enum diagnostics_level level,
                         const char *format, va_list arguments)
{
    char buffer[512];
    va_list again;
    va_copy(again, arguments);
    int needed = vsnprintf(buffer, sizeof buffer, format, arguments);
    size_t length = needed < 0 ? 0 : (size_t)needed;
    char *longer = length >= sizeof buffer ? memory_allocate(length + 1) : NULL;
    struct text parts[2] = {{buffer, length}, {"", 0}};
    if (longer) {
        vsnprintf(longer, length + 1, format, again);
        parts[0].bytes = longer;
    } else if (length >= sizeof buffer) {
        parts[0].length = sizeof buffer - 1;
        parts[1] = TEXT("...");
    }
    print_message(diagnostics, level, parts, 2);
    memory_release(longer);
    va_end(again);
}

void diagnostics_note(struct diagnostics *diagnostics, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_format(diagnostics, DIAGNOSTICS_NOTE, format, arguments);
    va_end(arguments);
}

void diagnostics_warning(struct diagnostics *diagnostics, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_format(diagnostics, DIAGNOSTICS_WARNING, format, arguments);
    va_end(arguments);
}

void diagnostics_error(struct diagnostics *diagnostics, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_format(diagnostics, DIAGNOSTICS_ERROR, format, arguments);
    va_end(arguments);
}

void diagnostics_problem(struct diagnostics *diagnostics, enum diagnostics_level level,
                         struct text where, const struct problem *problem)
{
    char offset[48] = ": ";
    if (problem->offset != PROBLEM_NO_OFFSET)
        snprintf(offset, sizeof offset, ": at byte %zu: ", problem->offset);
    const struct text parts[] = {where, text_from(offset), text_from(problem->reason)};
    print_message(diagnostics, level, parts, 3);
}

static size_t columns_of(FILE *stream)
{
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return DEFAULT_COLUMNS;
}

void diagnostics_status(struct diagnostics *diagnostics, struct text text)
{
    pthread_mutex_lock(&diagnostics->mutex);
    bool wanted = text.length > 0 && diagnostics->terminal && !diagnostics->quiet;
    if (wanted || diagnostics->status_shown) {
        struct line line = {.stream = diagnostics->stream};
        line_add_string(&line, ERASE_LINE);
        /* One column stays free: in the last one, some terminals go to the next line. */
        if (wanted)
            line_add_safely(&line, text, columns_of(diagnostics->stream) - 1);
        line_flush(&line);
        diagnostics->status_shown = wanted;
    }
    pthread_mutex_unlock(&diagnostics->mutex);
}
