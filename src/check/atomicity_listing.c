/*
 * The inferred atomicities as a .locks file.
 */
#include "check/atomicity_inference.h"
#include "classfile/descriptor.h"
#include "classfile/names.h"

static const char *primitive_name(char letter)
{
    switch (letter) {
    case 'Z':
        return "boolean";
    case 'B':
        return "byte";
    case 'C':
        return "char";
    case 'S':
        return "short";
    case 'I':
        return "int";
    case 'J':
        return "long";
    case 'F':
        return "float";
    case 'D':
        return "double";
    default:
        return "void";
    }
}

static void print_type(struct text descriptor, struct builder *to)
{
    size_t dimensions = 0;
    while (dimensions < descriptor.length && descriptor.bytes[dimensions] == '[')
        dimensions++;
    const struct text element = text_slice(descriptor, dimensions, descriptor.length);
    if (element.length && element.bytes[0] == 'L')
        names_add_dotted(to, text_slice(element, 1, element.length - 1));
    else
        builder_add_string(to, primitive_name(element.length ? element.bytes[0] : 'V'));
    for (size_t i = 0; i < dimensions; i++)
        builder_add_string(to, "[]");
}

/* With their names, as far as they are known, because the atomicity may speak of them. */
static void print_parameters(const struct atomicity_inference *inference, uint32_t method,
                             struct builder *to)
{
    const struct program *program = inference->checker->program;
    const struct text descriptor = program_method_descriptor(program, method);
    const uint32_t receiver = !(program->methods[method].access & ACCESS_STATIC);
    size_t position = 1;
    struct text parameter;
    for (uint32_t i = 0; descriptor_next_parameter(descriptor, &position, &parameter); i++) {
        builder_add_string(to, i ? ", " : "");
        print_type(parameter, to);
        const struct text name = atomicity_inference_parameter(inference, method, i + receiver);
        if (!text_starts_with(name, TEXT("#"))) {
            builder_add_byte(to, ' ');
            builder_add(to, name);
        }
    }
}

static void print_method(struct atomicity_inference *inference, uint32_t method, struct builder *to)
{
    const struct program *program = inference->checker->program;
    const struct text name = program_method_name(program, method);
    const bool is_constructor = text_is(name, "<init>");
    const struct text value = atomicity_inference_text(inference, method);
    /* Parameters of constructors are counted without those that the compiler adds. */
    if (is_constructor && text_find(value, '#') >= 0)
        return;
    builder_add_string(to, "    ");
    if (!is_constructor) {
        print_type(descriptor_return(program_method_descriptor(program, method)), to);
        builder_add_byte(to, ' ');
    }
    builder_add(to, name);
    builder_add_byte(to, '(');
    print_parameters(inference, method, to);
    builder_add_string(to, ")  atomicity ");
    builder_add(to, value);
    builder_add_string(to, ";\n");
}

static bool is_listed(const struct atomicity_inference *inference, uint32_t method)
{
    const struct program *program = inference->checker->program;
    return inference->codes[method] && !(program->methods[method].access & ACCESS_SYNTHETIC) &&
           !text_is(program_method_name(program, method), "<clinit>");
}

static void print_class(struct atomicity_inference *inference, uint32_t class_id,
                        struct builder *to)
{
    const struct program_class *class = &inference->checker->program->classes[class_id];
    const struct class_locks *locks = lock_types_class(inference->checker->types, class_id);
    bool begun = false;
    for (uint32_t i = 0; i < class->method_count; i++) {
        if (!is_listed(inference, class->first_method + i))
            continue;
        if (!begun) {
            builder_add_string(to, "class ");
            names_add_dotted(to, class->name);
            for (uint32_t k = 0; k < locks->formal_count; k++) {
                builder_add_string(to, k ? ", " : "<");
                builder_add(to, locks->formals[k]);
            }
            builder_add_string(to, locks->formal_count ? "> {\n" : " {\n");
            begun = true;
        }
        print_method(inference, class->first_method + i, to);
    }
    if (begun)
        builder_add_string(to, "}\n\n");
}

bool atomicity_inference_print(struct atomicity_inference *inference, struct builder *to)
{
    builder_add_string(to, "inferred;\n\n");
    for (uint32_t i = 0; i < inference->checker->program->application_count; i++)
        print_class(inference, i, to);
    return !to->failed && !inference->arena.failed;
}
