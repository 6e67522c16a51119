#include "classfile/attribute_writer.h"

#include <string.h>

typedef void (*write_function)(struct writer *writer, const struct attribute *attribute);

static const write_function write_functions[] = {
    [ATTRIBUTE_UNKNOWN] = attribute_write_bytes,
#define ATTRIBUTE(kind, name, form, places, since) [ATTRIBUTE_##kind] = attribute_write_##form,
#include "classfile/attributes.def"
#undef ATTRIBUTE
};

void attribute_write_all(struct writer *writer, const struct attributes *attributes)
{
    writer_u2(writer, attributes->count);
    for (uint16_t i = 0; i < attributes->count; i++) {
        const struct attribute *attribute = &attributes->items[i];
        uint8_t *header = writer_extend(writer, 6);
        if (!header)
            return;
        writer_store_u2(header, attribute->name_index);
        size_t start = writer->size;
        write_functions[attribute->kind](writer, attribute);
        writer_patch_u4(writer, start - 4, (uint32_t)(writer->size - start));
    }
}

/* ---- forms that need little ---- */

void attribute_write_empty(struct writer *writer, const struct attribute *attribute)
{
    (void)writer, (void)attribute;
}

void attribute_write_bytes(struct writer *writer, const struct attribute *attribute)
{
    writer_bytes(writer, attribute->as.raw, attribute->length);
}

static void write_index(struct writer *writer, const struct attribute *attribute)
{
    writer_u2(writer, attribute->as.index);
}

void attribute_write_flags(struct writer *writer, const struct attribute *attribute)
{
    write_index(writer, attribute);
}

void attribute_write_utf8(struct writer *writer, const struct attribute *attribute)
{
    write_index(writer, attribute);
}

void attribute_write_class(struct writer *writer, const struct attribute *attribute)
{
    write_index(writer, attribute);
}

void attribute_write_constant_value(struct writer *writer, const struct attribute *attribute)
{
    write_index(writer, attribute);
}

void attribute_write_indices(struct writer *writer, const uint16_t *items, uint16_t count)
{
    uint8_t *to = writer_extend(writer, 2 + 2 * (size_t)count);
    if (!to)
        return;
    writer_store_u2(to, count);
    for (uint16_t i = 0; i < count; i++)
        writer_store_u2(to + 2 + 2 * (size_t)i, items[i]);
}

static void write_list(struct writer *writer, const struct index_list *list)
{
    attribute_write_indices(writer, list->items, list->count);
}

void attribute_write_classes(struct writer *writer, const struct attribute *attribute)
{
    write_list(writer, attribute->as.indices);
}

void attribute_write_packages(struct writer *writer, const struct attribute *attribute)
{
    write_list(writer, attribute->as.indices);
}

void attribute_write_inner_classes(struct writer *writer, const struct attribute *attribute)
{
    const struct inner_classes *table = attribute->as.inner_classes;
    uint8_t *to = writer_extend(writer, 2 + 8 * (size_t)table->count);
    if (!to)
        return;
    writer_store_u2(to, table->count);
    to += 2;
    for (uint16_t i = 0; i < table->count; i++, to += 8) {
        const struct inner_class *item = &table->items[i];
        writer_store_u2(to, item->inner);
        writer_store_u2(to + 2, item->outer);
        writer_store_u2(to + 4, item->name);
        writer_store_u2(to + 6, item->access);
    }
}

void attribute_write_enclosing_method(struct writer *writer, const struct attribute *attribute)
{
    writer_u2(writer, attribute->as.enclosing_method->class_index);
    writer_u2(writer, attribute->as.enclosing_method->method);
}

void attribute_write_bootstrap_methods(struct writer *writer, const struct attribute *attribute)
{
    const struct bootstrap_methods *table = attribute->as.bootstrap_methods;
    writer_u2(writer, table->count);
    for (uint16_t i = 0; i < table->count; i++) {
        const struct bootstrap_method *method = &table->items[i];
        writer_u2(writer, method->method);
        attribute_write_indices(writer, method->arguments, method->argument_count);
    }
}

void attribute_write_method_parameters(struct writer *writer, const struct attribute *attribute)
{
    const struct method_parameters *table = attribute->as.method_parameters;
    writer_u1(writer, table->count);
    for (uint8_t i = 0; i < table->count; i++) {
        writer_u2(writer, table->items[i].name);
        writer_u2(writer, table->items[i].access);
    }
}

void attribute_write_record(struct writer *writer, const struct attribute *attribute)
{
    const struct record *record = attribute->as.record;
    writer_u2(writer, record->count);
    for (uint16_t i = 0; i < record->count; i++) {
        writer_u2(writer, record->items[i].name);
        writer_u2(writer, record->items[i].descriptor);
        attribute_write_all(writer, &record->items[i].attributes);
    }
}

/* ---- code ---- */

void attribute_write_code(struct writer *writer, const struct attribute *attribute)
{
    const struct code *code = attribute->as.code;
    uint8_t *to = writer_extend(writer, 10 + code->length + 8 * (size_t)code->handler_count);
    if (!to)
        return;
    writer_store_u2(to, code->max_stack);
    writer_store_u2(to + 2, code->max_locals);
    writer_store_u4(to + 4, code->length);
    memcpy(to + 8, code->bytes, code->length);
    to += 8 + code->length;
    writer_store_u2(to, code->handler_count);
    to += 2;
    for (uint16_t i = 0; i < code->handler_count; i++, to += 8) {
        const struct exception_handler *handler = &code->handlers[i];
        writer_store_u2(to, handler->start);
        writer_store_u2(to + 2, handler->end);
        writer_store_u2(to + 4, handler->handler);
        writer_store_u2(to + 6, handler->catch_type);
    }
    attribute_write_all(writer, &code->attributes);
}

/* Stores the types and gives the place behind them. The kinds come mixed: a value that is not there
   is written all the same, and then overwritten by what follows. */
static uint8_t *store_types(uint8_t *to, const struct verification_type *types, uint16_t count)
{
    for (uint16_t i = 0; i < count; i++) {
        to[0] = types[i].tag;
        writer_store_u2(to + 1, types[i].value);
        to += types[i].tag >= VERIFICATION_OBJECT ? 3 : 1;
    }
    return to;
}

static uint8_t *store_frame(uint8_t *to, const struct stack_map_frame *frame)
{
    *to++ = frame->type;
    if (frame->type >= FRAME_SAME_ONE_STACK_EXTENDED) {
        writer_store_u2(to, frame->offset_delta);
        to += 2;
    }
    if (frame->type == FRAME_FULL) {
        writer_store_u2(to, frame->local_count);
        to += 2;
    }
    to = store_types(to, frame->locals, frame->local_count);
    if (frame->type == FRAME_FULL) {
        writer_store_u2(to, frame->stack_count);
        to += 2;
    }
    return store_types(to, frame->stack, frame->stack_count);
}

void attribute_write_stack_map(struct writer *writer, const struct attribute *attribute)
{
    /* Type, offset and two counts; a type with its value. */
    enum { LONGEST_FRAME = 7, LONGEST_TYPE = 3 };
    const struct stack_map *table = attribute->as.stack_map;
    size_t most = 2 + LONGEST_FRAME * (size_t)table->count;
    for (uint16_t i = 0; i < table->count; i++)
        most +=
            LONGEST_TYPE * ((size_t)table->frames[i].local_count + table->frames[i].stack_count);
    uint8_t *to = writer_extend(writer, most);
    if (!to)
        return;
    uint8_t *start = to;
    writer_store_u2(to, table->count);
    to += 2;
    for (uint16_t i = 0; i < table->count; i++)
        to = store_frame(to, &table->frames[i]);
    writer->size -= most - (size_t)(to - start);
}

void attribute_write_line_numbers(struct writer *writer, const struct attribute *attribute)
{
    const struct line_numbers *table = attribute->as.line_numbers;
    uint8_t *to = writer_extend(writer, 2 + 4 * (size_t)table->count);
    if (!to)
        return;
    writer_store_u2(to, table->count);
    to += 2;
    for (uint16_t i = 0; i < table->count; i++, to += 4) {
        writer_store_u2(to, table->items[i].start);
        writer_store_u2(to + 2, table->items[i].line);
    }
}

void attribute_write_local_variables(struct writer *writer, const struct attribute *attribute)
{
    const struct local_variables *table = attribute->as.local_variables;
    uint8_t *to = writer_extend(writer, 2 + 10 * (size_t)table->count);
    if (!to)
        return;
    writer_store_u2(to, table->count);
    to += 2;
    for (uint16_t i = 0; i < table->count; i++, to += 10) {
        const struct local_variable *variable = &table->items[i];
        writer_store_u2(to, variable->start);
        writer_store_u2(to + 2, variable->length);
        writer_store_u2(to + 4, variable->name);
        writer_store_u2(to + 6, variable->descriptor);
        writer_store_u2(to + 8, variable->index);
    }
}

/* ---- modules ---- */

static void write_module_packages(struct writer *writer, const struct module_package *items,
                                  uint16_t count)
{
    writer_u2(writer, count);
    for (uint16_t i = 0; i < count; i++) {
        writer_u2(writer, items[i].package);
        writer_u2(writer, items[i].flags);
        write_list(writer, &items[i].to);
    }
}

void attribute_write_module(struct writer *writer, const struct attribute *attribute)
{
    const struct module *module = attribute->as.module;
    writer_u2(writer, module->name);
    writer_u2(writer, module->flags);
    writer_u2(writer, module->version);
    writer_u2(writer, module->requires_count);
    for (uint16_t i = 0; i < module->requires_count; i++) {
        writer_u2(writer, module->requires[i].module);
        writer_u2(writer, module->requires[i].flags);
        writer_u2(writer, module->requires[i].version);
    }
    write_module_packages(writer, module->exports, module->exports_count);
    write_module_packages(writer, module->opens, module->opens_count);
    write_list(writer, &module->uses);
    writer_u2(writer, module->provides_count);
    for (uint16_t i = 0; i < module->provides_count; i++) {
        writer_u2(writer, module->provides[i].service);
        write_list(writer, &module->provides[i].with);
    }
}

void attribute_write_module_hashes(struct writer *writer, const struct attribute *attribute)
{
    const struct module_hashes *table = attribute->as.module_hashes;
    writer_u2(writer, table->algorithm);
    writer_u2(writer, table->count);
    for (uint16_t i = 0; i < table->count; i++) {
        writer_u2(writer, table->items[i].module);
        writer_u2(writer, table->items[i].length);
        writer_bytes(writer, table->items[i].bytes, table->items[i].length);
    }
}
