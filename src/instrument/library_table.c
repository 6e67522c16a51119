/*
 * library.def as data, and the index over its classes.
 */
#include <string.h>

#include "classfile/descriptor.h"
#include "instrument/collections.h"
#include "instrument/library_internal.h"

#define HOOK_CLASS "java/lang/TurnstileHook"
#define LIBRARY_CLASS "java/lang/TurnstileLibrary"
#define MEMORY_CLASS "java/lang/TurnstileMemory"

const struct library_call library_calls[LIBRARY_ACTION_COUNT] = {
#define ACTION(name, class, method, descriptor)                                                    \
    [LIBRARY_ACTION_##name] = {class##_CLASS, method, descriptor},
#include "instrument/library.def"
};

/* One line of the table, in its order; a class is followed by what belongs to it. */
enum line_kind { LINE_CLASS, LINE_FIELD, LINE_ROW };

#define CLASS(name, flags) LINE_CLASS,
#define FIELD(name, descriptor, access) LINE_FIELD,
#define HOOK(methods, descriptor, place, action, operands) LINE_ROW,
#define INNER(methods, descriptor, place, what, action, operands) LINE_ROW,
#define STORE(methods, descriptor, owner, field, action, operands) LINE_ROW,
#define KEEP(method, descriptor, field) LINE_ROW,
static const uint8_t lines[] = {
#include "instrument/library.def"
};

static const struct library_row rows[] = {
#define HOOK(methods, descriptor, place, action, operands)                                         \
    {PLACE_##place, LIBRARY_ACTION_##action, methods, descriptor, "", "", operands},
#define INNER(methods, descriptor, place, what, action, operands)                                  \
    {PLACE_##place, LIBRARY_ACTION_##action, methods, descriptor, what, "", operands},
#define STORE(methods, descriptor, owner, field, action, operands)                                 \
    {PLACE_STORE, LIBRARY_ACTION_##action, methods, descriptor, field, owner, operands},
#define KEEP(method, descriptor, field) {PLACE_KEEP, 0, method, descriptor, field, "", ""},
#include "instrument/library.def"
};

static const struct library_field fields[] = {
#define FIELD(name, descriptor, access) {name, descriptor, (uint16_t)(access)},
#include "instrument/library.def"
};

struct class_line {
    const char *name;
    unsigned flags;
};

#define QUIET LIBRARY_QUIET
#define TWINS LIBRARY_TWINS
#define MONITORS LIBRARY_MONITORS
static const struct class_line class_lines[] = {
#define CLASS(name, flags) {name, flags},
#include "instrument/library.def"
};

enum { CLASSES_MAX = 512, SLOTS = 2048 };

static struct library_class classes[CLASSES_MAX];
static size_t class_count;
static bool ready;
static uint16_t slots[SLOTS]; /* number of the class + 1, or 0 */

static struct library_class *add_class(struct text name)
{
    size_t slot = text_hash(name) & (SLOTS - 1);
    for (; slots[slot]; slot = (slot + 1) & (SLOTS - 1))
        if (text_equal(classes[slots[slot] - 1].name, name))
            return &classes[slots[slot] - 1];
    if (class_count == CLASSES_MAX)
        return NULL;
    classes[class_count].name = name;
    slots[slot] = (uint16_t)(class_count + 1);
    return &classes[class_count++];
}

static bool add_lines(void)
{
    struct library_class *class = NULL;
    size_t class_line = 0, row = 0, field = 0;
    for (size_t i = 0; i < sizeof lines; i++) {
        switch ((enum line_kind)lines[i]) {
        case LINE_CLASS:
            class = add_class(text_from(class_lines[class_line].name));
            if (!class || class->rows)
                return false; /* it would be there twice */
            class->flags = class_lines[class_line++].flags;
            class->rows = &rows[row];
            class->fields = &fields[field];
            break;
        case LINE_FIELD:
            field++;
            if (!class)
                return false;
            class->field_count++;
            break;
        case LINE_ROW:
            row++;
            if (!class)
                return false;
            class->row_count++;
            break;
        }
    }
    return true;
}

static bool add_words(void)
{
    const char *name;
    for (size_t number = 0; (name = collections_word_class(number)); number++) {
        struct library_class *class = add_class(text_from(name));
        if (!class)
            return false;
        class->word = true;
    }
    return true;
}

bool library_init(void)
{
    if (!ready && !class_count)
        ready = add_lines() && add_words();
    return ready;
}

const struct library_class *library_find(struct text internal_name)
{
    if (!ready)
        return NULL;
    size_t slot = text_hash(internal_name) & (SLOTS - 1);
    for (; slots[slot]; slot = (slot + 1) & (SLOTS - 1))
        if (text_equal(classes[slots[slot] - 1].name, internal_name))
            return &classes[slots[slot] - 1];
    return NULL;
}

const struct library_class *library_class_at(size_t number)
{
    return number < class_count ? &classes[number] : NULL;
}

struct text library_class_name(const struct library_class *class)
{
    return class->name;
}

/* ---- which row is about which method ---- */

static bool is_listed(const char *list, struct text name)
{
    struct text rest = text_from(list);
    while (rest.length) {
        ptrdiff_t space = text_find(rest, ' ');
        size_t end = space < 0 ? rest.length : (size_t)space;
        if (text_equal(text_slice(rest, 0, end), name))
            return true;
        rest = text_slice(rest, end + 1, rest.length);
    }
    return false;
}

bool library_row_names(const struct library_row *row, struct text name, struct text descriptor)
{
    if (row->descriptor[0] != '*' && !text_is(descriptor, row->descriptor))
        return false;
    if (row->methods[0] == '*')
        return name.length && name.bytes[0] != '<';
    return is_listed(row->methods, name);
}

bool library_row_fits(const struct library_row *row, const struct class_file *class_file,
                      const struct member *method)
{
    struct text name = class_utf8(class_file, method->name);
    struct text descriptor = class_utf8(class_file, method->descriptor);
    if ((method->access & ACCESS_BRIDGE) || !member_code(method) ||
        !library_row_names(row, name, descriptor))
        return false;
    if ((method->access & ACCESS_STATIC) && strstr(row->operands, "this"))
        return false;
    struct text result = descriptor_return(descriptor);
    return row->place != PLACE_RETURN_OBJECT || result.bytes[0] == 'L' || result.bytes[0] == '[';
}

bool library_is_what(const char *what, const struct member_reference *member)
{
    struct text wanted = text_from(what);
    ptrdiff_t dot = text_find_last(wanted, '.');
    if (dot < 0)
        return text_equal(member->name, wanted);
    return text_equal(member->owner, text_slice(wanted, 0, (size_t)dot)) &&
           text_equal(member->name, text_slice(wanted, (size_t)dot + 1, wanted.length));
}

bool library_has_twin(const struct library_class *class, struct text name, struct text descriptor)
{
    if (!(class->flags & LIBRARY_TWINS))
        return false;
    for (size_t i = 0; i < class->row_count; i++)
        if (library_row_names(&class->rows[i], name, descriptor))
            return true;
    return false;
}
