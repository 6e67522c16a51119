#include <string.h>

#include "classfile/descriptor.h"
#include "classfile/names.h"
#include "classfile/written_type.h"
#include "locktypes/lock_types_internal.h"

#define MOST_NAME 400 /* bytes of a class name that is put together */

/* ---- classes ---- */

struct text lock_names_simple(struct text internal_name)
{
    size_t start = internal_name.length;
    while (start > 0 && internal_name.bytes[start - 1] != '/' &&
           internal_name.bytes[start - 1] != '$')
        start--;
    size_t digits = start;
    while (digits < internal_name.length && internal_name.bytes[digits] >= '0' &&
           internal_name.bytes[digits] <= '9')
        digits++;
    /* An anonymous class has nothing but its number. */
    return text_slice(internal_name, digits < internal_name.length ? digits : start,
                      internal_name.length);
}

bool lock_names_index(struct lock_types *types)
{
    const struct program *program = types->program;
    types->next_of_name = ARENA_ARRAY(&types->arena, uint32_t, program->class_count);
    if (!types->next_of_name)
        return false;
    for (uint32_t i = 0; i < program->class_count; i++) {
        bool added;
        uint32_t *first = textmap_find_or_add(
            &types->simple_names, lock_names_simple(program->classes[i].name), i, &added);
        if (!first)
            return false;
        types->next_of_name[i] = added ? PROGRAM_NONE : *first;
        *first = i;
    }
    return true;
}

/* PREFIX SEPARATOR NAME, where the dots in the name are those of packages or of nested classes:
   the outermost reading that the program has. */
static uint32_t find_joined(const struct program *program, struct text prefix, char separator,
                            struct text name)
{
    char bytes[MOST_NAME];
    size_t length = prefix.length + (separator ? 1 : 0) + name.length;
    if (length > sizeof bytes || !name.length)
        return PROGRAM_NONE;
    if (prefix.length)
        memcpy(bytes, prefix.bytes, prefix.length);
    if (separator)
        bytes[prefix.length] = separator;
    size_t start = length - name.length;
    for (size_t i = 0; i < name.length; i++)
        bytes[start + i] = name.bytes[i] == '.' ? '/' : name.bytes[i];
    for (;;) {
        uint32_t found = program_find_class(program, text_of(bytes, length));
        if (found != PROGRAM_NONE)
            return found;
        size_t slash = length;
        while (slash > start && bytes[slash - 1] != '/')
            slash--;
        if (slash == start)
            return PROGRAM_NONE;
        bytes[slash - 1] = '$';
    }
}

static struct text package_of(const struct program_class *class)
{
    return text_slice(class->name, 0, class->package_length);
}

/* Member classes of the class and of its superclasses. */
static uint32_t find_member_class(const struct program *program, uint32_t class_id,
                                  struct text written)
{
    for (unsigned steps = 0; class_id != PROGRAM_NONE && steps < 1000; steps++) {
        uint32_t found = find_joined(program, program->classes[class_id].name, '$', written);
        if (found != PROGRAM_NONE)
            return found;
        class_id = program->classes[class_id].superclass;
    }
    return PROGRAM_NONE;
}

static uint32_t find_in_scope(const struct program *program, struct text written, uint32_t context)
{
    uint32_t found;
    for (uint32_t around = context; around != PROGRAM_NONE;
         around = lock_names_enclosing(program, around)) {
        if (text_equal(lock_names_simple(program->classes[around].name), written))
            return around;
        if ((found = find_member_class(program, around, written)) != PROGRAM_NONE)
            return found;
    }
    const struct program_class *class = &program->classes[context];
    return class->package_length ? find_joined(program, package_of(class), '/', written)
                                 : PROGRAM_NONE;
}

/* The only class that may be meant, of the application if that has one. */
static uint32_t find_unique(const struct lock_types *types, struct text written)
{
    uint32_t id, found = PROGRAM_NONE;
    bool several = false;
    if (!textmap_get(&types->simple_names, lock_names_simple(written), &id)) {
        ptrdiff_t dot = text_find_last(written, '.');
        struct text last = text_slice(written, (size_t)(dot + 1), written.length);
        if (!textmap_get(&types->simple_names, last, &id))
            return PROGRAM_NONE;
    }
    for (; id != PROGRAM_NONE; id = types->next_of_name[id]) {
        if (!names_may_be(types->program->classes[id].name, written))
            continue;
        bool better = found == PROGRAM_NONE || (types->program->classes[id].application &&
                                                !types->program->classes[found].application);
        several = !better && (several || types->program->classes[id].application ==
                                             types->program->classes[found].application);
        found = better ? id : found;
    }
    return several ? PROGRAM_NONE : found;
}

uint32_t lock_names_find_class(const struct lock_types *types, struct text written,
                               uint32_t context, bool anywhere)
{
    const struct program *program = types->program;
    uint32_t found = PROGRAM_NONE;
    if (context != PROGRAM_NONE)
        found = find_in_scope(program, written, context);
    if (found == PROGRAM_NONE)
        found = find_joined(program, TEXT(""), '\0', written);
    if (found == PROGRAM_NONE && context != PROGRAM_NONE)
        found = find_joined(program, TEXT("java/lang"), '/', written);
    if (found == PROGRAM_NONE && anywhere)
        found = find_unique(types, written);
    return found;
}

struct text lock_names_of_class(const struct lock_types *types, struct arena *arena,
                                uint32_t class_id)
{
    if (class_id >= types->program->class_count)
        return TEXT("?");
    return names_dotted(arena, types->program->classes[class_id].name);
}

static uint32_t enclosing_by_attributes(const struct program *program,
                                        const struct program_class *class)
{
    const struct class_file *class_file = class->class_file;
    const struct attribute *inner =
        attributes_find(&class_file->attributes, ATTRIBUTE_INNER_CLASSES);
    for (uint16_t i = 0; inner && i < inner->as.inner_classes->count; i++) {
        const struct inner_class *row = &inner->as.inner_classes->items[i];
        if (row->outer && text_equal(class_name_at(class_file, row->inner), class->name))
            return program_find_class(program, class_name_at(class_file, row->outer));
    }
    const struct attribute *enclosing =
        attributes_find(&class_file->attributes, ATTRIBUTE_ENCLOSING_METHOD);
    if (!enclosing)
        return PROGRAM_NONE;
    return program_find_class(
        program, class_name_at(class_file, enclosing->as.enclosing_method->class_index));
}

uint32_t lock_names_enclosing(const struct program *program, uint32_t class_id)
{
    const struct program_class *class = &program->classes[class_id];
    uint32_t found = PROGRAM_NONE;
    if (class->class_file)
        found = enclosing_by_attributes(program, class);
    if (found == PROGRAM_NONE) {
        ptrdiff_t dollar = text_find_last(class->name, '$');
        if (dollar <= 0)
            return PROGRAM_NONE;
        found = program_find_class(program, text_slice(class->name, 0, (size_t)dollar));
    }
    /* A class that says it is inside of a longer name is lying; walks outward must end. */
    if (found != PROGRAM_NONE && program->classes[found].name.length >= class->name.length)
        return PROGRAM_NONE;
    return found;
}

uint32_t lock_names_type_class(const struct program *program, struct text descriptor, bool elements)
{
    bool array = descriptor.length && descriptor.bytes[0] == '[';
    if (array && !elements)
        return program->object;
    while (descriptor.length && descriptor.bytes[0] == '[')
        descriptor = text_slice(descriptor, 1, descriptor.length);
    if (descriptor.length < 3 || descriptor.bytes[0] != 'L')
        return PROGRAM_NONE;
    return program_find_class(program, text_slice(descriptor, 1, descriptor.length - 1));
}

/* ---- methods and parameters ---- */

static uint32_t written_count(struct text descriptor)
{
    size_t position = 1;
    struct text parameter;
    uint32_t count = 0;
    while (descriptor_next_parameter(descriptor, &position, &parameter))
        count++;
    return count;
}

uint32_t lock_types_parameter_count(const struct program *program, uint32_t method)
{
    return written_count(program_method_descriptor(program, method)) +
           !(program->methods[method].access & ACCESS_STATIC);
}

struct text lock_names_parameter_type(const struct program *program, uint32_t method,
                                      uint32_t number)
{
    size_t position = 1;
    struct text parameter;
    if (!(program->methods[method].access & ACCESS_STATIC)) {
        if (number == 0)
            return TEXT("");
        number--;
    }
    while (descriptor_next_parameter(program_method_descriptor(program, method), &position,
                                     &parameter))
        if (number-- == 0)
            return parameter;
    return TEXT("");
}

static void names_from_attribute(const struct class_file *class_file,
                                 const struct attribute *attribute, struct text *names,
                                 uint32_t first, uint32_t count)
{
    const struct method_parameters *parameters = attribute->as.method_parameters;
    for (uint32_t i = 0; i < parameters->count && first + i < count; i++)
        if (parameters->items[i].name)
            names[first + i] = class_utf8(class_file, parameters->items[i].name);
}

/* The parameters are the variables that are there from the first instruction on. */
static void names_from_locals(const struct class_file *class_file, const struct code *code,
                              struct text descriptor, struct text *names, uint32_t first,
                              uint32_t count)
{
    const struct attribute *attribute =
        attributes_find(&code->attributes, ATTRIBUTE_LOCAL_VARIABLE_TABLE);
    if (!attribute)
        return;
    size_t position = 1;
    struct text parameter;
    unsigned slot = first;
    for (uint32_t number = first; descriptor_next_parameter(descriptor, &position, &parameter);
         number++) {
        const struct local_variables *locals = attribute->as.local_variables;
        for (uint16_t i = 0; number < count && i < locals->count; i++)
            if (locals->items[i].start == 0 && locals->items[i].index == slot)
                names[number] = class_utf8(class_file, locals->items[i].name);
        slot += descriptor_slots(parameter);
    }
}

void lock_types_parameter_names(const struct program *program, uint32_t method, struct text *names,
                                uint32_t count)
{
    const struct class_file *class_file = program_class_of_method(program, method)->class_file;
    const struct member *member = program_method_member(program, method);
    uint32_t first = !(program->methods[method].access & ACCESS_STATIC);
    for (uint32_t i = 0; i < count; i++)
        names[i] = i == 0 && first ? TEXT("this") : TEXT("");
    if (!class_file || !member)
        return;
    const struct attribute *parameters =
        attributes_find(&member->attributes, ATTRIBUTE_METHOD_PARAMETERS);
    const struct code *code = member_code(member);
    if (parameters)
        names_from_attribute(class_file, parameters, names, first, count);
    if (code)
        names_from_locals(class_file, code, program_method_descriptor(program, method), names,
                          first, count);
}

/* Whether instances of the class have an outer one. */
static bool has_outer_instance(const struct program *program, uint32_t class_id)
{
    const struct program_class *class = &program->classes[class_id];
    for (uint32_t i = 0; i < class->field_count; i++)
        if (text_starts_with(program_field_name(program, class->first_field + i), TEXT("this$")))
            return true;
    const struct attribute *inner =
        class->class_file ? attributes_find(&class->class_file->attributes, ATTRIBUTE_INNER_CLASSES)
                          : NULL;
    for (uint16_t i = 0; inner && i < inner->as.inner_classes->count; i++) {
        const struct inner_class *row = &inner->as.inner_classes->items[i];
        if (text_equal(class_name_at(class->class_file, row->inner), class->name))
            return row->outer && !(row->access & ACCESS_STATIC);
    }
    return false;
}

uint32_t lock_names_hidden_parameters(const struct program *program, uint32_t method)
{
    uint32_t class_id = program->methods[method].class_id;
    struct text descriptor = program_method_descriptor(program, method);
    if (!text_equal(program_method_name(program, method), TEXT("<init>")))
        return 0;
    if (program->classes[class_id].access & ACCESS_ENUM)
        return text_starts_with(descriptor, TEXT("(Ljava/lang/String;I")) ? 2 : 0;
    uint32_t outer = lock_names_enclosing(program, class_id);
    if (outer == PROGRAM_NONE || !has_outer_instance(program, class_id))
        return 0;
    return lock_names_type_class(program, lock_names_parameter_type(program, method, 1), false) ==
           outer;
}

/* A name that is no class is a type variable, whose descriptor is that of its bound. */
static bool may_be_variable(const struct lock_types *types, uint32_t class_id,
                            const struct syntax_type *type, struct text descriptor)
{
    size_t depth = 0;
    while (depth < descriptor.length && descriptor.bytes[depth] == '[')
        depth++;
    return depth == type->dimensions && depth < descriptor.length &&
           descriptor.bytes[depth] == 'L' && text_find(type->name, '.') < 0 &&
           !written_type_is_primitive(type->name) &&
           lock_names_find_class(types, type->name, class_id, true) == PROGRAM_NONE;
}

static bool has_parameters(const struct lock_types *types, uint32_t id,
                           const struct syntax_method *method, bool with_variables)
{
    const struct program *program = types->program;
    uint32_t first = !(program->methods[id].access & ACCESS_STATIC);
    uint32_t count = lock_types_parameter_count(program, id) - first;
    uint32_t hidden =
        count == method->parameter_count ? 0 : lock_names_hidden_parameters(program, id);
    uint32_t class_id = program->methods[id].class_id;
    struct text class_name = program->classes[class_id].name;
    ptrdiff_t dollar = text_find_last(class_name, '$');
    /* The constructor of a local class also gets what the class captures, behind the others. */
    bool local = dollar >= 0 && (size_t)dollar + 1 < class_name.length &&
                 class_name.bytes[dollar + 1] >= '0' && class_name.bytes[dollar + 1] <= '9' &&
                 text_equal(program_method_name(program, id), TEXT("<init>"));
    if (local ? count < method->parameter_count + hidden
              : count != method->parameter_count + hidden)
        return false;
    for (uint32_t i = 0; i < method->parameter_count; i++) {
        const struct syntax_type *type = &method->parameters[i].type;
        struct text descriptor = lock_names_parameter_type(program, id, first + hidden + i);
        if (type->name.length && !written_type_may_be(type->name, type->dimensions, descriptor) &&
            !(with_variables && may_be_variable(types, class_id, type, descriptor)))
            return false;
    }
    return true;
}

static bool has_method_name(const struct program *program, uint32_t id, struct text wanted)
{
    struct text name = program_method_name(program, id);
    if (text_equal(name, wanted))
        return true;
    return text_equal(name, TEXT("<init>")) &&
           text_equal(lock_names_simple(program_class_of_method(program, id)->name), wanted);
}

static bool fits(const struct lock_types *types, uint32_t id, const struct syntax_method *method,
                 bool with_variables)
{
    const struct program *program = types->program;
    if (!has_method_name(program, id, method->name))
        return false;
    if (method->any_parameters)
        return true;
    if (method->descriptor.length)
        return text_equal(program_method_descriptor(program, id), method->descriptor);
    return !(program->methods[id].access & ACCESS_BRIDGE) &&
           has_parameters(types, id, method, with_variables);
}

uint32_t lock_names_next_method(const struct lock_types *types, uint32_t class_id,
                                const struct syntax_method *method, uint32_t after)
{
    const struct program_class *class = &types->program->classes[class_id];
    uint32_t end = class->first_method + class->method_count;
    uint32_t next = after == PROGRAM_NONE ? class->first_method : after + 1;
    if (after != PROGRAM_NONE && !method->any_parameters)
        return PROGRAM_NONE;
    for (uint32_t id = next; id < end; id++)
        if (fits(types, id, method, false))
            return id;
    for (uint32_t id = next; id < end && !method->any_parameters; id++)
        if (fits(types, id, method, true))
            return id;
    return PROGRAM_NONE;
}

/* ---- near names ---- */

enum { NEAR_LONGEST = 64, NEAR_FAR = 3 };

/* How many letters must be changed, added, taken out or swapped with the next; NEAR_FAR if more
   than two. */
static unsigned edit_distance(struct text a, struct text b)
{
    unsigned rows[3][NEAR_LONGEST + 1];
    if (a.length > NEAR_LONGEST || b.length > NEAR_LONGEST)
        return NEAR_FAR;
    for (size_t j = 0; j <= b.length; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a.length; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b.length; j++) {
            unsigned best = above[j - 1] + (a.bytes[i - 1] != b.bytes[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a.bytes[i - 1] == b.bytes[j - 2] &&
                a.bytes[i - 2] == b.bytes[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
    }
    unsigned distance = rows[a.length % 3][b.length];
    return distance < NEAR_FAR ? distance : NEAR_FAR;
}

void near_name_init(struct near_name *near, struct text wanted)
{
    *near = (struct near_name){.wanted = wanted, .distance = NEAR_FAR};
}

void near_name_try(struct near_name *near, struct text candidate)
{
    unsigned distance = candidate.length ? edit_distance(near->wanted, candidate) : NEAR_FAR;
    if (distance < near->distance) {
        near->distance = distance;
        near->best = candidate;
    }
}

bool near_name_found(const struct near_name *near)
{
    /* Of a name with two letters everything is two changes away. */
    return near->distance < NEAR_FAR && near->distance > 0 &&
           near->distance * 2 <= near->wanted.length;
}
