#include "classfile/class_file.h"

struct member_reference class_member_reference(const struct class_file *class_file, uint16_t index)
{
    const struct constant *constant = &class_file->constants[index];
    const struct constant *name_and_type = &class_file->constants[constant->second];
    struct member_reference reference = {
        .owner = TEXT(""),
        .name = class_utf8(class_file, name_and_type->first),
        .descriptor = class_utf8(class_file, name_and_type->second),
        .interface = constant->tag == CONSTANT_INTERFACE_METHOD,
    };
    if (constant->tag != CONSTANT_DYNAMIC && constant->tag != CONSTANT_INVOKE_DYNAMIC)
        reference.owner = class_name_at(class_file, constant->first);
    return reference;
}

struct attribute *attributes_find(const struct attributes *attributes, enum attribute_kind kind)
{
    for (uint16_t i = 0; i < attributes->count; i++)
        if (attributes->items[i].kind == kind)
            return &attributes->items[i];
    return NULL;
}

uint16_t class_method_access(const struct class_file *class_file, const struct member *method)
{
    struct text name = class_utf8(class_file, method->name);
    bool initializes = name.length && name.bytes[0] == '<' && text_equal(name, TEXT("<clinit>"));
    return initializes ? ACCESS_STATIC : method->access;
}

struct code *member_code(const struct member *method)
{
    struct attribute *attribute = attributes_find(&method->attributes, ATTRIBUTE_CODE);
    return attribute ? attribute->as.code : NULL;
}

uint8_t class_constant_uses(const struct class_file *class_file, const struct constant *constant)
{
    struct text name;
    switch (constant->tag) {
    case CONSTANT_INTEGER:
    case CONSTANT_FLOAT:
    case CONSTANT_STRING:
        return SUITS_LOAD;
    case CONSTANT_LONG:
    case CONSTANT_DOUBLE:
        return SUITS_LOAD_DOUBLE;
    case CONSTANT_CLASS:
        name = class_utf8(class_file, constant->first);
        return name.length && name.bytes[0] == '[' ? SUITS_CLASS
                                                   : SUITS_CLASS | SUITS_CLASS_NO_ARRAY;
    case CONSTANT_FIELD:
        return SUITS_FIELD;
    case CONSTANT_METHOD:
        name = class_utf8(class_file, class_file->constants[constant->second].first);
        return class_method_uses(name);
    default:
        return 0;
    }
}
