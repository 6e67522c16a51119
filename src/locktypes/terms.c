#include "locktypes/terms.h"

#include <string.h>

#include "base/memory.h"
#include "classfile/class_file.h"
#include "classfile/names.h"

#define FIRST_CAPACITY 32u

/* ---- the table ---- */

bool term_table_init(struct term_table *table, struct arena *arena)
{
    memset(table, 0, sizeof *table);
    table->arena = arena;
    intmap_init(&table->numbers);
    table->items = ARENA_ARRAY(arena, struct term_content, FIRST_CAPACITY);
    if (!table->items)
        return false;
    table->capacity = FIRST_CAPACITY;
    table->items[TERM_NONE] = (struct term_content){.kind = TERM_KIND_NONE};
    table->count = 1;
    return true;
}

void term_table_release(struct term_table *table)
{
    intmap_release(&table->numbers);
    table->items = NULL;
    table->count = table->capacity = 0;
}

static bool table_grow(struct term_table *table)
{
    if (table->capacity > UINT32_MAX / 2)
        return false;
    uint32_t capacity = table->capacity * 2;
    struct term_content *items = ARENA_ARRAY(table->arena, struct term_content, capacity);
    if (!items)
        return false;
    memcpy(items, table->items, table->count * sizeof *items);
    table->items = items;
    table->capacity = capacity;
    return true;
}

/* Contents have more bits than a key of the map. Those that meet at one key stand at the keys
   behind it. */
static uint64_t content_key(enum term_kind kind, uint32_t a, uint32_t b)
{
    uint64_t mixed = ((uint64_t)a << 32 | b) ^ (uint64_t)kind * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    return (mixed ^ mixed >> 27) >> 1; /* never INTMAP_NO_KEY, nor near it */
}

term term_make(struct term_table *table, enum term_kind kind, uint32_t a, uint32_t b)
{
    if (kind == TERM_KIND_NONE)
        return TERM_NONE;
    if (table->count == table->capacity && !table_grow(table)) {
        table->failed = true;
        return TERM_NONE;
    }
    for (uint64_t key = content_key(kind, a, b);; key++) {
        bool added;
        const uint64_t *number = intmap_find_or_add(&table->numbers, key, table->count, &added);
        if (!number) {
            table->failed = true;
            return TERM_NONE;
        }
        if (added) {
            table->items[table->count] = (struct term_content){(uint8_t)kind, a, b};
            return table->count++;
        }
        const struct term_content *found = &table->items[*number];
        if (found->kind == kind && found->a == a && found->b == b)
            return (term)*number;
    }
}

bool term_is_always_held(const struct term_table *table, term number)
{
    enum term_kind kind = term_kind(table, number);
    return kind == TERM_THIS_THREAD || kind == TERM_UNIQUE || kind == TERM_READONLY;
}

/* ---- substitution ---- */

static term substitute(const struct term_table *from, term number,
                       const struct term_binding *binding, unsigned depth);

static term chosen(const term *terms, uint32_t count, uint32_t number)
{
    return number < count ? terms[number] : (term)TERM_NONE;
}

static bool is_bare_formal(struct term_content content)
{
    return (content.kind == TERM_FORMAL || content.kind == TERM_METHOD_FORMAL ||
            content.kind == TERM_OWNER) &&
           content.b == TERM_NONE;
}

/* f$e, where f is given. */
static term qualify(const struct term_table *from, term owner, term qualifier,
                    const struct term_binding *binding, unsigned depth)
{
    if (owner == TERM_NONE || qualifier == TERM_NONE)
        return owner;
    struct term_content content = term_content(binding->to, owner);
    if (content.kind != TERM_SELF && !is_bare_formal(content))
        return owner;
    term object = substitute(from, qualifier, binding, depth + 1);
    if (object == TERM_NONE || content.kind == TERM_SELF)
        return object;
    return term_make(binding->to, (enum term_kind)content.kind, content.a, object);
}

/* A term whose `a` is a term. */
static term rebuild(const struct term_table *from, struct term_content content,
                    const struct term_binding *binding, unsigned depth)
{
    term object = substitute(from, content.a, binding, depth + 1);
    if (object == TERM_NONE)
        return TERM_NONE;
    return term_make(binding->to, (enum term_kind)content.kind, object, content.b);
}

static term substitute(const struct term_table *from, term number,
                       const struct term_binding *binding, unsigned depth)
{
    struct term_content content = term_content(from, number);
    if (depth > TERM_DEPTH)
        return TERM_NONE;
    switch ((enum term_kind)content.kind) {
    case TERM_KIND_NONE:
    case TERM_KIND_COUNT:
        return TERM_NONE;
    case TERM_PARAMETER:
        return chosen(binding->parameters, binding->parameter_count, content.a);
    case TERM_ITSELF:
        return binding->itself;
    case TERM_FORMAL:
        return qualify(from, chosen(binding->formals, binding->formal_count, content.a), content.b,
                       binding, depth);
    case TERM_GHOST:
        return chosen(binding->formals, binding->formal_count, content.a);
    case TERM_METHOD_FORMAL:
        return qualify(from,
                       chosen(binding->method_formals, binding->method_formal_count, content.a),
                       content.b, binding, depth);
    case TERM_VARYING:
        if (content.a == TERM_NONE)
            return term_make(binding->to, TERM_VARYING, content.a, content.b);
        return rebuild(from, content, binding, depth);
    case TERM_FIELD:
    case TERM_READ_VIEW:
    case TERM_WRITE_VIEW:
    case TERM_STALE:
    case TERM_RESULT:
    case TERM_MONITOR:
        return rebuild(from, content, binding, depth);
    case TERM_CLASS:
    case TERM_STATIC:
    case TERM_SELF:
    case TERM_THIS_THREAD:
    case TERM_OTHER_THREAD:
    case TERM_UNIQUE:
    case TERM_READONLY:
    case TERM_NEW:
    case TERM_OPAQUE:
    case TERM_JOIN:
    case TERM_OWNER:
        break;
    }
    return term_make(binding->to, (enum term_kind)content.kind, content.a, content.b);
}

term term_substitute(const struct term_table *from, term number, const struct term_binding *binding)
{
    return substitute(from, number, binding, 0);
}

/* ---- printing ---- */

static void print(const struct term_printer *printer, term number, struct builder *to,
                  unsigned depth);

/* The row of InnerClasses that says what the class is a member of, or NULL. */
static const struct inner_class *member_row(const struct class_file *class_file, struct text name)
{
    const struct attribute *attribute =
        attributes_find(&class_file->attributes, ATTRIBUTE_INNER_CLASSES);
    if (!attribute)
        return NULL;
    const struct inner_classes *inner = attribute->as.inner_classes;
    for (uint16_t i = 0; i < inner->count; i++) {
        const struct inner_class *row = &inner->items[i];
        if (row->outer && row->name && text_equal(class_name_at(class_file, row->inner), name))
            return row;
    }
    return NULL;
}

/* "p.Outer.Inner", as in source: a class file has the rows of all classes around it. */
static void print_class_name(const struct class_file *class_file, struct text name,
                             struct builder *to, unsigned depth)
{
    const struct inner_class *row = class_file ? member_row(class_file, name) : NULL;
    if (!row || depth > TERM_DEPTH) {
        names_add_dotted(to, name);
        return;
    }
    print_class_name(class_file, class_name_at(class_file, row->outer), to, depth + 1);
    builder_add_byte(to, '.');
    builder_add(to, class_utf8(class_file, row->name));
}

static void print_class(const struct program *program, uint32_t class_id, struct builder *to)
{
    if (!program || class_id >= program->class_count) {
        builder_add_format(to, "class %u", class_id);
        return;
    }
    const struct program_class *class = &program->classes[class_id];
    print_class_name(class->class_file, class->name, to, 0);
}

static void print_static(const struct term_printer *printer, uint32_t field, struct builder *to)
{
    if (!printer->program || field >= printer->program->field_count) {
        builder_add_format(to, "static field %u", field);
        return;
    }
    print_class(printer->program, printer->program->fields[field].class_id, to);
    builder_add_byte(to, '.');
    builder_add(to, program_field_name(printer->program, field));
}

/* Whether the term is `this` or an outer instance of it. */
static bool is_some_this(const struct term_printer *printer, term number, unsigned depth)
{
    struct term_content content = term_content(printer->table, number);
    if (content.kind == TERM_PARAMETER)
        return content.a == 0 && !printer->is_static;
    return content.kind == TERM_FIELD && depth < TERM_DEPTH && printer->program &&
           content.b < printer->program->field_count &&
           text_starts_with(program_field_name(printer->program, content.b), TEXT("this$")) &&
           is_some_this(printer, content.a, depth + 1);
}

/* What the compiler adds to an inner class goes by the name that the source has for it. False if
   it is no such field. */
static bool print_captured(const struct term_printer *printer, struct term_content content,
                           struct builder *to)
{
    struct text name = program_field_name(printer->program, content.b);
    struct text type = program_field_descriptor(printer->program, content.b);
    if (!(printer->program->fields[content.b].access & ACCESS_SYNTHETIC) ||
        !is_some_this(printer, content.a, 0))
        return false;
    if (text_starts_with(name, TEXT("val$"))) {
        builder_add(to, text_slice(name, 4, name.length));
        return true;
    }
    if (!text_starts_with(name, TEXT("this$")) || type.length < 3 || type.bytes[0] != 'L')
        return false;
    type = text_slice(type, 1, type.length - 1);
    uint32_t outer = program_find_class(printer->program, type);
    if (outer == PROGRAM_NONE)
        names_add_dotted(to, type);
    else
        print_class(printer->program, outer, to);
    builder_add_string(to, ".this");
    return true;
}

static void print_field(const struct term_printer *printer, struct term_content content,
                        struct builder *to, unsigned depth)
{
    bool known = printer->program && content.b < printer->program->field_count;
    if (known && print_captured(printer, content, to))
        return;
    print(printer, content.a, to, depth + 1);
    if (known) {
        builder_add_byte(to, '.');
        builder_add(to, program_field_name(printer->program, content.b));
    } else {
        builder_add_format(to, ".field %u", content.b);
    }
}

static void print_parameter(const struct term_printer *printer, uint32_t number, struct builder *to)
{
    if (number == 0 && !printer->is_static)
        builder_add_string(to, "this");
    else if (printer->parameter_names && number < printer->parameter_count &&
             printer->parameter_names[number].length)
        builder_add(to, printer->parameter_names[number]);
    else
        builder_add_format(to, "parameter %u", printer->is_static ? number + 1 : number);
}

static void print_formal(const struct term_printer *printer, struct term_content content,
                         struct builder *to, unsigned depth)
{
    bool method = content.kind == TERM_METHOD_FORMAL;
    const struct text *names = method ? printer->method_formals : printer->formals;
    uint32_t count = method ? printer->method_formal_count : printer->formal_count;
    if (content.a >= TERM_UNDECLARED) {
        builder_add_string(to, "an owner that is not known");
        return;
    }
    if (names && content.a < count)
        builder_add(to, names[content.a]);
    else
        builder_add_format(to, "owner %u", content.a + 1);
    if (content.b != TERM_NONE) {
        builder_add_byte(to, '$');
        print(printer, content.b, to, depth + 1);
    }
}

/* "what" or "what at line 12". */
static void print_made(const struct term_printer *printer, const char *what, const char *with_line,
                       uint32_t instruction, struct builder *to)
{
    uint32_t line = printer->line_of ? printer->line_of(printer->context, instruction) : 0;
    if (line)
        builder_add_format(to, "%s line %u", with_line, line);
    else
        builder_add_string(to, what);
}

static void print_value(const struct term_printer *printer, term number, struct builder *to,
                        unsigned depth)
{
    term origin = TERM_NONE;
    if (printer->origin_of)
        origin = printer->origin_of(printer->context, number);
    if (origin != TERM_NONE && origin != number)
        print(printer, origin, to, depth + 1);
    else if (term_kind(printer->table, number) == TERM_OPAQUE)
        print_made(printer, "some value", "the value got at",
                   term_content(printer->table, number).a, to);
    else
        builder_add_string(to, "one of several values");
}

static void print_result(const struct term_printer *printer, struct term_content content,
                         struct builder *to, unsigned depth)
{
    builder_add_string(to, "whether ");
    print(printer, content.a, to, depth + 1);
    builder_add_string(to, content.b == RESULT_HELD ? " is held" : " has been acquired");
}

static void print_around(const struct term_printer *printer, const char *before, term number,
                         const char *behind, struct builder *to, unsigned depth)
{
    builder_add_string(to, before);
    print(printer, number, to, depth + 1);
    builder_add_string(to, behind);
}

static void print(const struct term_printer *printer, term number, struct builder *to,
                  unsigned depth)
{
    struct term_content content = term_content(printer->table, number);
    if (depth > TERM_DEPTH) {
        builder_add_string(to, "...");
        return;
    }
    switch ((enum term_kind)content.kind) {
    case TERM_KIND_NONE:
    case TERM_KIND_COUNT:
        builder_add_string(to, "something without a name");
        break;
    case TERM_PARAMETER:
        print_parameter(printer, content.a, to);
        break;
    case TERM_CLASS:
        print_class(printer->program, content.a, to);
        builder_add_string(to, ".class");
        break;
    case TERM_STATIC:
        print_static(printer, content.a, to);
        break;
    case TERM_VARYING:
        if (content.a == TERM_NONE)
            print_static(printer, content.b, to);
        else
            print_field(printer, content, to, depth);
        break;
    case TERM_FIELD:
        print_field(printer, content, to, depth);
        break;
    case TERM_READ_VIEW:
        print_around(printer, "", content.a, ".readLock()", to, depth);
        break;
    case TERM_WRITE_VIEW:
        print_around(printer, "", content.a, ".writeLock()", to, depth);
        break;
    case TERM_FORMAL:
    case TERM_GHOST:
    case TERM_METHOD_FORMAL:
        print_formal(printer, content, to, depth);
        break;
    case TERM_ITSELF:
        builder_add_string(to, "itself");
        break;
    case TERM_SELF:
        builder_add_string(to, "self");
        break;
    case TERM_THIS_THREAD:
        builder_add_string(to, "thisThread");
        break;
    case TERM_OTHER_THREAD:
        builder_add_string(to, "otherThread");
        break;
    case TERM_UNIQUE:
        builder_add_string(to, "unique");
        break;
    case TERM_READONLY:
        builder_add_string(to, "readonly");
        break;
    case TERM_NEW:
        print_made(printer, "a new object", "the object made at", content.a, to);
        break;
    case TERM_OPAQUE:
    case TERM_JOIN:
        print_value(printer, number, to, depth);
        break;
    case TERM_STALE:
        print_around(printer, "an earlier ", content.a, "", to, depth);
        break;
    case TERM_MONITOR:
        print_around(printer, "the monitor of ", content.a, "", to, depth);
        break;
    case TERM_RESULT:
        print_result(printer, content, to, depth);
        break;
    case TERM_OWNER:
        builder_add_string(to, "an owner that is not known");
        break;
    }
}

void term_print(const struct term_printer *printer, term number, struct builder *to)
{
    print(printer, number, to, 0);
}
