#include "instrument/declared_methods.h"

#include <inttypes.h>

#include "classfile/names.h"
#include "classfile/written_type.h"

#define NO_MORE UINT32_MAX

static const char *const claim_words[] = {[CLAIM_ATOMIC] = "atomic", [CLAIM_OTHER] = "other"};
static const char *const class_words[] = {
    [DECLARED_IS] = "is", [DECLARED_ENDS] = "ends", [DECLARED_NUMBERED] = "numbered"};

void declared_methods_release(struct declared_methods *declared)
{
    vector_release(&declared->methods);
    vector_release(&declared->blocks);
    textmap_release(&declared->names);
}

/* ---- writing ---- */

static bool is_word(struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] < ' ')
            return false;
    return true;
}

bool declared_methods_write_method(struct builder *file, const struct declared_method *method)
{
    if (!is_word(method->class_name) || !is_word(method->name) || !is_word(method->types))
        return false;
    builder_add_format(file, "method\t%s\t%s\t%.*s\t%.*s\t%.*s", claim_words[method->claim],
                       class_words[method->how], TEXT_ARGUMENTS(method->class_name),
                       TEXT_ARGUMENTS(method->name), TEXT_ARGUMENTS(method->types));
    /* Always there, so that the end of the line is never that of empty types. */
    builder_add_format(file, "\t%" PRIu32 "\t%" PRIu32 "\n", method->first_line, method->last_line);
    return true;
}

bool declared_methods_write_block(struct builder *file, const struct declared_block *block)
{
    if (!is_word(block->file))
        return false;
    builder_add_format(file, "block\t%.*s\t%" PRIu32 "\t%" PRIu32 "\n", TEXT_ARGUMENTS(block->file),
                       block->first_line, block->last_line);
    return true;
}

/* ---- reading ---- */

struct line {
    struct text rest;
    bool ended, malformed;
};

static struct text next_word(struct line *line)
{
    const ptrdiff_t tab = text_find(line->rest, '\t');
    const struct text word = text_slice(line->rest, 0, tab < 0 ? line->rest.length : (size_t)tab);
    line->malformed |= line->ended;
    line->ended = tab < 0;
    line->rest = text_slice(line->rest, word.length + 1, line->rest.length);
    return word;
}

static struct text next_name(struct line *line)
{
    const struct text word = next_word(line);
    line->malformed |= !word.length;
    return word;
}

static uint32_t next_number(struct line *line)
{
    const struct text word = next_name(line);
    uint32_t number = 0;
    for (size_t i = 0; i < word.length; i++) {
        if (word.bytes[i] < '0' || word.bytes[i] > '9' || number > UINT32_MAX / 10 - 1) {
            line->malformed = true;
            return 0;
        }
        number = number * 10 + (uint32_t)(word.bytes[i] - '0');
    }
    return number;
}

static unsigned next_choice(struct line *line, const char *const *words, unsigned first,
                            unsigned last)
{
    const struct text word = next_word(line);
    for (unsigned i = first; i <= last; i++)
        if (text_is(word, words[i]))
            return i;
    line->malformed = true;
    return first;
}

static bool add_method(struct declared_methods *declared, struct declared_method *method)
{
    const uint32_t number = (uint32_t)declared->methods.count;
    bool added;
    if (number == NO_MORE || !vector_push(&declared->methods, *method))
        return false;
    uint32_t *last = textmap_find_or_add(&declared->names, method->name, number, &added);
    if (!last) {
        declared->methods.count--;
        return false;
    }
    declared->methods.items[number].previous = added ? NO_MORE : *last;
    *last = number;
    return true;
}

static enum declared_result read_method(struct declared_methods *declared, struct arena *arena,
                                        struct line *line)
{
    struct declared_method method = {
        .claim = (enum atomicity_claim)next_choice(line, claim_words, CLAIM_ATOMIC, CLAIM_OTHER),
        .how = (enum declared_class)next_choice(line, class_words, DECLARED_IS, DECLARED_NUMBERED)};
    method.class_name = text_copy(arena, next_name(line));
    method.name = text_copy(arena, next_name(line));
    method.types = text_copy(arena, next_word(line));
    method.first_line = next_number(line);
    method.last_line = next_number(line);
    if (line->malformed || !line->ended)
        return DECLARED_MALFORMED;
    return !arena->failed && add_method(declared, &method) ? DECLARED_DONE : DECLARED_NO_MEMORY;
}

static enum declared_result read_block(struct declared_methods *declared, struct arena *arena,
                                       struct line *line)
{
    struct declared_block block = {.file = text_copy(arena, next_name(line))};
    block.first_line = next_number(line);
    block.last_line = next_number(line);
    if (line->malformed || !line->ended)
        return DECLARED_MALFORMED;
    return !arena->failed && vector_push(&declared->blocks, block) ? DECLARED_DONE
                                                                   : DECLARED_NO_MEMORY;
}

enum declared_result declared_methods_read(struct declared_methods *declared, struct arena *arena,
                                           struct text text)
{
    struct line line = {.rest = text};
    const struct text kind = next_word(&line);
    if (text_is(kind, "method"))
        return read_method(declared, arena, &line);
    return text_is(kind, "block") ? read_block(declared, arena, &line) : DECLARED_MALFORMED;
}

/* ---- asking ---- */

static bool is_digit(struct text text, size_t at)
{
    return at < text.length && text.bytes[at] >= '0' && text.bytes[at] <= '9';
}

/* Each `#` stands for some digits. No digit follows it: names of Java do not begin with one. */
static bool is_numbered(struct text class_name, struct text pattern)
{
    size_t at = 0;
    for (size_t i = 0; i < pattern.length; i++) {
        if (pattern.bytes[i] != '#') {
            if (at >= class_name.length || class_name.bytes[at] != pattern.bytes[i])
                return false;
            at++;
            continue;
        }
        if (!is_digit(class_name, at))
            return false;
        while (is_digit(class_name, at))
            at++;
    }
    return at == class_name.length;
}

static bool means_class(const struct declared_method *method, struct text class_name)
{
    const struct text name = method->class_name;
    switch (method->how) {
    case DECLARED_IS:
        return text_equal(class_name, name);
    case DECLARED_ENDS:
        return names_may_be(class_name, name);
    case DECLARED_NUMBERED:
        return is_numbered(class_name, name);
    }
    return false;
}

static bool means(const struct declared_method *method, const struct declared_asked *asked)
{
    if (method->first_line &&
        (asked->first_line < method->first_line || asked->last_line > method->last_line))
        return false;
    return means_class(method, asked->class_name) &&
           written_types_may_be(method->types, asked->descriptor, asked->signature);
}

enum atomicity_claim declared_methods_find(const struct declared_methods *declared,
                                           const struct declared_asked *asked)
{
    enum atomicity_claim claim = CLAIM_NONE;
    uint32_t number;
    if (!textmap_get(&declared->names, asked->name, &number))
        return CLAIM_NONE;
    for (; number != NO_MORE; number = declared->methods.items[number].previous)
        if (means(&declared->methods.items[number], asked))
            claim = declared->methods.items[number].claim;
    return claim;
}

/* PACKAGE/FILE */
static bool is_file_of(struct text path, struct text class_name, struct text file)
{
    const size_t package = (size_t)(text_find_last(class_name, '/') + 1);
    return path.length == package + file.length &&
           text_starts_with(path, text_slice(class_name, 0, package)) && text_ends_with(path, file);
}

bool declared_methods_has_block(const struct declared_methods *declared, struct text class_name,
                                struct text file, uint32_t line)
{
    for (size_t i = 0; file.length && i < declared->blocks.count; i++) {
        const struct declared_block *block = &declared->blocks.items[i];
        if ((!line || (line >= block->first_line && line <= block->last_line)) &&
            is_file_of(block->file, class_name, file))
            return true;
    }
    return false;
}
