/* Walks the annotations of a program's classes. What each of them says: annotation_clauses.c. */

#include "locktypes/annotation_reader.h"

#include "bytecode/decode.h"
#include "classfile/descriptor.h"
#include "locktypes/annotation_clauses.h"

/* Targets of type annotations (JVMS 4.7.20.1). */
enum {
    TARGET_SUPERTYPE = 0x10,
    TARGET_FIELD = 0x13,
    TARGET_RESULT = 0x14,
    TARGET_RECEIVER = 0x15,
    TARGET_PARAMETER = 0x16,
    TARGET_CODE_FIRST = 0x40,
    TARGET_NEW = 0x44,
    TARGET_CONSTRUCTOR_REFERENCE = 0x45,
    TARGET_METHOD_REFERENCE = 0x46,
    TARGET_ARGUMENT_FIRST = 0x48 /* type arguments of calls and references */
};
enum { SUPERTYPE_IS_SUPERCLASS = 65535 };
enum { STEP_ARRAY = 0, STEP_NESTED = 1 };

/* Owners of a type, and how many nested types they were found inside of. */
struct type_owners {
    struct syntax_locks locks;
    unsigned depth;
};

struct annotation_reading {
    struct annotation_context context;
    const struct program *program;
    struct arena scratch; /* of one method's instructions */
    struct text file;     /* of the class */
    VECTOR(struct syntax_class) classes;
    VECTOR(struct syntax_field) fields;
    VECTOR(struct syntax_method) methods;
    VECTOR(struct syntax_allocation) allocations;
};

/* ---- attributes ---- */

static bool is_declaration_attribute(enum attribute_kind kind)
{
    return kind == ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS ||
           kind == ATTRIBUTE_RUNTIME_INVISIBLE_ANNOTATIONS;
}

static bool is_type_attribute(enum attribute_kind kind)
{
    return kind == ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS ||
           kind == ATTRIBUTE_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS;
}

static void read_declaration(struct annotation_context *context,
                             const struct attributes *attributes, enum annotation_place place,
                             struct syntax_clauses *clauses)
{
    for (uint16_t i = 0; i < attributes->count; i++) {
        if (!is_declaration_attribute(attributes->items[i].kind))
            continue;
        const struct annotations *list = attributes->items[i].as.annotations;
        for (uint16_t n = 0; n < list->count; n++) {
            const struct annotation_row *row =
                annotation_find(context->class_file, &list->items[n]);
            if (row)
                annotation_clauses_add(context, row, &list->items[n], place, clauses);
        }
    }
}

typedef void type_visitor(void *where, struct annotation_context *context,
                          const struct annotation_row *row, const struct type_annotation *type);

static void read_types(struct annotation_context *context, const struct attributes *attributes,
                       type_visitor *visit, void *where)
{
    for (uint16_t i = 0; i < attributes->count; i++) {
        if (!is_type_attribute(attributes->items[i].kind))
            continue;
        const struct type_annotations *list = attributes->items[i].as.type_annotations;
        for (uint16_t n = 0; n < list->count; n++) {
            const struct annotation_row *row =
                annotation_find(context->class_file, &list->items[n].annotation);
            if (row)
                visit(where, context, row, &list->items[n]);
        }
    }
}

/* The line of the instruction at or before the offset; 0 if it is not known. */
static uint32_t line_at(const struct code *code, uint32_t offset)
{
    uint32_t line = 0, start = 0;
    for (uint16_t i = 0; code && i < code->attributes.count; i++) {
        if (code->attributes.items[i].kind != ATTRIBUTE_LINE_NUMBER_TABLE)
            continue;
        const struct line_numbers *lines = code->attributes.items[i].as.line_numbers;
        for (uint16_t n = 0; n < lines->count; n++)
            if (lines->items[n].start <= offset && (!line || lines->items[n].start >= start)) {
                start = lines->items[n].start;
                line = lines->items[n].line;
            }
    }
    return line;
}

/* ---- types ---- */

static unsigned dimensions(struct text descriptor)
{
    unsigned count = 0;
    while (count < descriptor.length && descriptor.bytes[count] == '[')
        count++;
    return count;
}

/* Whether the annotation stands at the type's class itself, or that of an array's elements;
 *arrays is how many pairs of brackets have been left behind. */
static bool is_at_class(const struct type_annotation *type, unsigned *arrays)
{
    *arrays = 0;
    for (uint8_t i = 0; i < type->path_length; i++) {
        if (type->path[i].kind == STEP_ARRAY)
            ++*arrays;
        else if (type->path[i].kind != STEP_NESTED)
            return false;
    }
    return true;
}

/* The owners of a type with that many dimensions. */
static void add_owners(struct annotation_context *context, const struct annotation_row *row,
                       const struct type_annotation *type, unsigned type_dimensions,
                       struct type_owners *owners)
{
    unsigned arrays;
    if (!is_at_class(type, &arrays)) {
        annotation_fail(context, row, "a type argument cannot have owners");
        return;
    }
    if (arrays != type_dimensions) {
        annotation_fail(context, row,
                        "an array has no owners: write them before the type of its elements");
        return;
    }
    /* Of `@Owners("a") Outer.@Owners("b") Inner`, the object's own. */
    const unsigned depth = type->path_length;
    if (owners->locks.count && owners->depth > depth)
        return;
    struct syntax_locks locks;
    if (!annotation_locks(context, row, &type->annotation, &locks))
        return; /* the rest would stand for the wrong formals */
    *owners = (struct type_owners){locks, depth};
}

/* ---- fields ---- */

struct field_target {
    struct text descriptor;
    struct syntax_clauses clauses;
    struct syntax_clauses of_elements; /* of an array: count if nobody speaks of the array itself */
    struct type_owners owners;
};

static void visit_field_type(void *where, struct annotation_context *context,
                             const struct annotation_row *row, const struct type_annotation *type)
{
    struct field_target *target = where;
    unsigned arrays;
    if (type->target_type != TARGET_FIELD)
        return;
    if (row->places & ON_TYPE)
        add_owners(context, row, type, dimensions(target->descriptor), &target->owners);
    else if (is_at_class(type, &arrays))
        annotation_clauses_add(context, row, &type->annotation, ON_FIELD_TYPE,
                               arrays ? &target->of_elements : &target->clauses);
}

static void read_field(struct annotation_reading *reading, const struct member *member)
{
    struct annotation_context *context = &reading->context;
    struct field_target target = {.descriptor =
                                      class_utf8(context->class_file, member->descriptor)};
    context->member = member;
    context->is_method = false;
    context->place = (struct syntax_place){.file = reading->file};
    read_declaration(context, &member->attributes, ON_FIELD, &target.clauses);
    read_types(context, &member->attributes, visit_field_type, &target);
    if (target.clauses.guard.kind == GUARD_NONE)
        target.clauses.guard = target.of_elements.guard;
    if (target.clauses.guard.kind == GUARD_NONE && !target.clauses.has_no_warn &&
        !target.owners.locks.count)
        return;
    struct syntax_field field = {.name = class_utf8(context->class_file, member->name),
                                 .descriptor = target.descriptor,
                                 .type = {.owners = target.owners.locks, .place = context->place},
                                 .guard = target.clauses.guard,
                                 .no_warn = target.clauses.no_warn,
                                 .place = context->place};
    if (!vector_push(&reading->fields, field))
        context->no_memory = true;
}

/* ---- parameters ---- */

static bool is_constructor(const struct class_file *class_file, const struct member *method)
{
    return text_is(class_utf8(class_file, method->name), "<init>");
}

static bool is_static_method_of(const struct program *program, struct text class_name,
                                struct text name, struct text descriptor)
{
    const uint32_t class_id = program_find_class(program, class_name);
    const uint32_t selector = program_find_selector(program, name, descriptor);
    if (class_id == PROGRAM_NONE || selector == PROGRAM_NONE)
        return false;
    const uint32_t method = program_declared_method(program, class_id, selector);
    return method != PROGRAM_NONE && (program->methods[method].access & ACCESS_STATIC);
}

static bool has_outer_instance_field(const struct class_file *class_file)
{
    for (uint16_t i = 0; i < class_file->field_count; i++)
        if (text_starts_with(class_utf8(class_file, class_file->fields[i].name), TEXT("this$")))
            return true;
    return false;
}

/* Whether the constructors of a class that is no member of another begin with the object around. */
static bool local_class_has_outer(const struct annotation_reading *reading, struct text first)
{
    const struct class_file *class_file = reading->context.class_file;
    const struct attribute *attribute =
        attributes_find(&class_file->attributes, ATTRIBUTE_ENCLOSING_METHOD);
    if (!attribute)
        return false;
    const struct enclosing_method *enclosing = attribute->as.enclosing_method;
    const struct text outer = class_name_at(class_file, enclosing->class_index);
    if (first.length != outer.length + 2 || first.bytes[0] != 'L' ||
        !text_equal(text_slice(first, 1, first.length - 1), outer))
        return false;
    if (!enclosing->method)
        return has_outer_instance_field(class_file);
    const struct constant *method = &class_file->constants[enclosing->method];
    return !is_static_method_of(reading->program, outer, class_utf8(class_file, method->first),
                                class_utf8(class_file, method->second));
}

/* How many parameters that the source does not have come first in the descriptor: annotations count
   without them. */
static unsigned hidden_parameters(const struct annotation_reading *reading,
                                  const struct member *method, struct text descriptor)
{
    const struct class_file *class_file = reading->context.class_file;
    if (!is_constructor(class_file, method))
        return 0;
    if ((class_file->access & ACCESS_ENUM) && class_file->super_class &&
        text_is(class_name_at(class_file, class_file->super_class), "java/lang/Enum"))
        return 2; /* the name and the number of the constant */
    const struct attribute *attribute =
        attributes_find(&class_file->attributes, ATTRIBUTE_INNER_CLASSES);
    for (uint16_t i = 0; attribute && i < attribute->as.inner_classes->count; i++) {
        const struct inner_class *inner = &attribute->as.inner_classes->items[i];
        if (!text_equal(class_name_at(class_file, inner->inner), class_this_name(class_file)))
            continue;
        if (inner->outer)
            return inner->access & (ACCESS_STATIC | ACCESS_INTERFACE) ? 0 : 1;
        struct text first = TEXT("");
        size_t position = 1;
        descriptor_next_parameter(descriptor, &position, &first);
        return local_class_has_outer(reading, first) ? 1 : 0;
    }
    return 0;
}

/* ---- methods ---- */

struct method_target {
    struct annotation_reading *reading;
    const struct member *member;
    struct text descriptor;
    struct syntax_clauses clauses;
    struct type_owners result;
    struct syntax_parameter *parameters; /* NULL: none has owners */
    unsigned *depths;
    uint32_t parameter_count;
};

static uint32_t count_parameters(struct text descriptor)
{
    uint32_t count = 0;
    struct text parameter;
    for (size_t position = 1; descriptor_next_parameter(descriptor, &position, &parameter);)
        count++;
    return count;
}

static bool make_parameters(struct annotation_context *context, struct method_target *target)
{
    if (target->parameters)
        return true;
    const size_t count = target->parameter_count = count_parameters(target->descriptor);
    target->parameters = arena_allocate_zeroed(context->arena, count * sizeof *target->parameters,
                                               alignof(struct syntax_parameter));
    target->depths =
        arena_allocate_zeroed(context->arena, count * sizeof(unsigned), alignof(unsigned));
    if (target->parameters && target->depths)
        return true;
    target->parameters = NULL;
    target->parameter_count = 0;
    context->no_memory = true;
    return false;
}

static void add_parameter_owners(struct annotation_context *context,
                                 const struct annotation_row *row,
                                 const struct type_annotation *type, struct method_target *target)
{
    const uint32_t number = type->target.formal_parameter +
                            hidden_parameters(target->reading, target->member, target->descriptor);
    struct text parameter = TEXT("");
    size_t position = 1;
    for (uint32_t i = 0; i <= number; i++)
        if (!descriptor_next_parameter(target->descriptor, &position, &parameter))
            return; /* no compiler writes this */
    if (!make_parameters(context, target))
        return;
    struct syntax_type *syntax = &target->parameters[number].type;
    struct type_owners owners = {syntax->owners, target->depths[number]};
    add_owners(context, row, type, dimensions(parameter), &owners);
    syntax->owners = owners.locks;
    syntax->place = context->place;
    target->depths[number] = owners.depth;
}

static void visit_method_type(void *where, struct annotation_context *context,
                              const struct annotation_row *row, const struct type_annotation *type)
{
    struct method_target *target = where;
    if (!(row->places & ON_TYPE) || type->target_type >= TARGET_CODE_FIRST)
        return;
    if (type->target_type == TARGET_RESULT && is_constructor(context->class_file, target->member))
        annotation_fail(context, row, "`new` gives the owners of what a constructor makes");
    else if (type->target_type == TARGET_RESULT)
        add_owners(context, row, type, dimensions(descriptor_return(target->descriptor)),
                   &target->result);
    else if (type->target_type == TARGET_PARAMETER)
        add_parameter_owners(context, row, type, target);
    else if (type->target_type == TARGET_RECEIVER)
        annotation_fail(context, row, "the owners of `this` are the parameters of its class");
    else
        annotation_fail(context, row, "bounds and exceptions cannot have owners");
}

/* The instruction that makes an object (no arrays), or an array with that many dimensions; the
   compiler gives the offset of the object's, but of an array's only where its sizes begin.
   INSTRUCTION_NONE: there is none. */
static uint32_t find_allocation(const struct bytecode *bytecode, uint32_t offset, unsigned arrays)
{
    uint32_t number = bytecode_number_at(bytecode, offset);
    if (number >= bytecode->count)
        return INSTRUCTION_NONE;
    if (!arrays)
        return bytecode->instructions[number].opcode == OP_NEW ? number : INSTRUCTION_NONE;
    for (; number < bytecode->count; number++) {
        const struct instruction *instruction = &bytecode->instructions[number];
        if (instruction->opcode != OP_ANEWARRAY && instruction->opcode != OP_MULTIANEWARRAY)
            continue;
        const struct text made = class_name_at(bytecode->class_file, instruction->operand);
        if (dimensions(made) + (instruction->opcode == OP_ANEWARRAY) == arrays)
            return number;
    }
    return INSTRUCTION_NONE;
}

static void add_allocation(struct annotation_context *context, const struct annotation_row *row,
                           const struct type_annotation *type, struct method_target *target,
                           const struct bytecode *bytecode)
{
    unsigned arrays;
    uint32_t number = INSTRUCTION_NONE;
    if (is_at_class(type, &arrays))
        number = find_allocation(bytecode, type->target.offset, arrays);
    if (number == INSTRUCTION_NONE) {
        annotation_fail(context, row,
                        "at `new`, owners stand before the class of the object or the elements");
        return;
    }
    struct type_owners owners = {0};
    add_owners(context, row, type, arrays, &owners);
    struct syntax_allocation allocation = {
        .class_name = class_this_name(context->class_file),
        .method_name = class_utf8(context->class_file, target->member->name),
        .descriptor = target->descriptor,
        .offset = bytecode_offset(bytecode, number),
        .owners = owners.locks,
        .place = context->place};
    if (owners.locks.count && !vector_push(&target->reading->allocations, allocation))
        context->no_memory = true;
}

static void visit_new(struct annotation_context *context, const struct annotation_row *row,
                      const struct type_annotation *type, struct method_target *target)
{
    struct arena *scratch = &target->reading->scratch;
    struct bytecode bytecode;
    struct problem problem;
    problem_clear(&problem);
    arena_clear(scratch);
    if (bytecode_decode(&bytecode, scratch, context->class_file, target->member, &problem)) {
        const struct syntax_place method_place = context->place;
        context->place.line = line_at(bytecode.code, type->target.offset);
        add_allocation(context, row, type, target, &bytecode);
        context->place = method_place;
    } else if (scratch->failed) {
        context->no_memory = true;
    }
}

static void visit_code_type(void *where, struct annotation_context *context,
                            const struct annotation_row *row, const struct type_annotation *type)
{
    if (!(row->places & ON_TYPE))
        return;
    if (type->target_type == TARGET_NEW)
        visit_new(context, row, type, where);
    else if (type->target_type == TARGET_CONSTRUCTOR_REFERENCE ||
             type->target_type == TARGET_METHOD_REFERENCE ||
             type->target_type >= TARGET_ARGUMENT_FIRST)
        annotation_fail(context, row, "method references and type arguments cannot have owners");
    /* else locals, casts and the like: their owners are found by the checker */
}

static void read_method(struct annotation_reading *reading, const struct member *member)
{
    struct annotation_context *context = &reading->context;
    const struct code *code = member_code(member);
    struct method_target target = {.reading = reading,
                                   .member = member,
                                   .descriptor =
                                       class_utf8(context->class_file, member->descriptor)};
    context->member = member;
    context->is_method = true;
    context->place = (struct syntax_place){.file = reading->file, .line = line_at(code, 0)};
    read_declaration(context, &member->attributes, ON_METHOD, &target.clauses);
    read_types(context, &member->attributes, visit_method_type, &target);
    if (code)
        read_types(context, &code->attributes, visit_code_type, &target);
    if (!target.clauses.has_requires && !target.clauses.atomicity && !target.clauses.has_no_warn &&
        !target.result.locks.count && !target.parameters)
        return;
    struct syntax_method method = {
        .name = class_utf8(context->class_file, member->name),
        .descriptor = target.descriptor,
        .result = {.owners = target.result.locks, .place = context->place},
        .parameters = target.parameters,
        .parameter_count = target.parameter_count,
        .requires = target.clauses.requires,
        .has_requires = target.clauses.has_requires,
        .atomicity = target.clauses.atomicity,
        .no_warn = target.clauses.no_warn,
        .place = context->place};
    if (!vector_push(&reading->methods, method))
        context->no_memory = true;
}

/* ---- classes ---- */

static void visit_class_type(void *where, struct annotation_context *context,
                             const struct annotation_row *row, const struct type_annotation *type)
{
    struct type_owners *superclass = where;
    if (!(row->places & ON_TYPE) || type->target_type >= TARGET_CODE_FIRST)
        return;
    if (type->target_type != TARGET_SUPERTYPE)
        annotation_fail(context, row, "a type parameter cannot have owners");
    else if (type->target.supertype != SUPERTYPE_IS_SUPERCLASS)
        annotation_fail(context, row, "an interface cannot have owners");
    else
        add_owners(context, row, type, 0, superclass);
}

static void add_class(struct annotation_reading *reading, const struct syntax_clauses *clauses,
                      const struct syntax_locks *super_owners)
{
    struct annotation_context *context = &reading->context;
    const struct class_file *class_file = context->class_file;
    if (!clauses->formal_count && clauses->nature == NATURE_NONE &&
        clauses->guard.kind == GUARD_NONE && !clauses->has_no_warn && !super_owners->count &&
        !reading->fields.count && !reading->methods.count)
        return;
    const struct syntax_place place = {.file = reading->file};
    struct syntax_class class = {.name = class_this_name(class_file),
                                 .internal_name = true,
                                 .formals = clauses->formals,
                                 .formal_count = clauses->formal_count,
                                 .nature = clauses->nature,
                                 .guard = clauses->guard,
                                 .no_warn = clauses->no_warn,
                                 .place = place};
    if (super_owners->count && class_file->super_class)
        class.superclass =
            (struct syntax_type){.name = class_name_at(class_file, class_file->super_class),
                                 .owners = *super_owners,
                                 .place = place};
    class.fields = ANNOTATION_KEEP(context, &reading->fields, struct syntax_field);
    class.field_count = (uint32_t)reading->fields.count;
    class.methods = ANNOTATION_KEEP(context, &reading->methods, struct syntax_method);
    class.method_count = (uint32_t)reading->methods.count;
    if (!vector_push(&reading->classes, class))
        context->no_memory = true;
}

static void read_class(struct annotation_reading *reading, const struct class_file *class_file)
{
    struct annotation_context *context = &reading->context;
    struct syntax_clauses clauses = {0};
    struct type_owners superclass = {0};
    const struct attribute *source =
        attributes_find(&class_file->attributes, ATTRIBUTE_SOURCE_FILE);
    reading->file = source ? class_utf8(class_file, source->as.index) : TEXT("");
    context->class_file = class_file;
    context->member = NULL;
    context->place = (struct syntax_place){.file = reading->file};
    vector_clear(&reading->fields);
    vector_clear(&reading->methods);
    read_declaration(context, &class_file->attributes, ON_CLASS, &clauses);
    read_types(context, &class_file->attributes, visit_class_type, &superclass);
    for (uint16_t i = 0; i < class_file->field_count; i++)
        read_field(reading, &class_file->fields[i]);
    for (uint16_t i = 0; i < class_file->method_count; i++)
        read_method(reading, &class_file->methods[i]);
    add_class(reading, &clauses, &superclass.locks);
}

bool annotation_reader_read(struct declarations *result, struct arena *arena,
                            const struct program *program, struct syntax_errors *errors)
{
    struct annotation_reading reading = {.program = program};
    struct annotation_context *context = &reading.context;
    annotation_context_init(context, arena, errors);
    arena_init(&reading.scratch);
    for (uint32_t i = 0; i < program->application_count && !context->no_memory; i++)
        if (program->classes[i].class_file)
            read_class(&reading, program->classes[i].class_file);
    *result = (struct declarations){.source = SOURCE_ANNOTATION};
    result->classes = ANNOTATION_KEEP(context, &reading.classes, struct syntax_class);
    result->class_count = result->classes ? (uint32_t)reading.classes.count : 0;
    result->allocations = ANNOTATION_KEEP(context, &reading.allocations, struct syntax_allocation);
    result->allocation_count = result->allocations ? (uint32_t)reading.allocations.count : 0;
    vector_release(&reading.classes);
    vector_release(&reading.fields);
    vector_release(&reading.methods);
    vector_release(&reading.allocations);
    arena_release(&reading.scratch);
    annotation_context_release(context);
    return !context->no_memory && !arena->failed && !errors->arena->failed;
}
