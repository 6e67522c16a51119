/* Module, ModulePackages and ModuleHashes. */

#include "classfile/attribute_reader.h"

static void read_requires(struct class_parse *parse, struct reader *reader, struct module *module)
{
    const uint8_t *at = class_parse_table(reader, &module->requires_count, 6, "requires");
    module->requires =
        at ? CLASS_PARSE_ARRAY(parse, struct module_requires, module->requires_count) : NULL;
    if (!module->requires)
        return;
    for (uint16_t i = 0; i < module->requires_count; i++, at += 6) {
        struct module_requires *item = &module->requires[i];
        item->module = class_parse_u2(at);
        item->flags = class_parse_u2(at + 2);
        item->version = class_parse_u2(at + 4);
        if (!class_parse_expect(parse, at, item->module, TAG_SET(CONSTANT_MODULE),
                                "required module") ||
            !class_parse_expect_or_0(parse, at + 4, item->version, TAG_SET(CONSTANT_UTF8),
                                     "required version"))
            return;
    }
}

/* The exports or the opens. */
static struct module_package *read_packages(struct class_parse *parse, struct reader *reader,
                                            uint16_t *count, const char *what)
{
    *count = reader_u2(reader);
    *count = class_parse_count(reader, *count, 6, what);
    struct module_package *items = CLASS_PARSE_ARRAY(parse, struct module_package, *count);
    if (!items)
        return NULL;
    for (uint16_t i = 0; i < *count; i++) {
        const uint8_t *at = reader_bytes(reader, 4);
        if (!at)
            break;
        items[i].package = class_parse_u2(at);
        items[i].flags = class_parse_u2(at + 2);
        class_parse_expect(parse, at, items[i].package, TAG_SET(CONSTANT_PACKAGE), what);
        attribute_read_indices(parse, reader, TAG_SET(CONSTANT_MODULE), "target module",
                               &items[i].to);
    }
    return items;
}

static void read_provides(struct class_parse *parse, struct reader *reader, struct module *module)
{
    uint16_t count = reader_u2(reader);
    count = class_parse_count(reader, count, 4, "provides");
    module->provides_count = count;
    module->provides = CLASS_PARSE_ARRAY(parse, struct module_provides, count);
    if (!module->provides)
        return;
    for (uint16_t i = 0; i < count; i++) {
        const uint8_t *at = reader_bytes(reader, 2);
        if (!at)
            break;
        module->provides[i].service = class_parse_u2(at);
        class_parse_expect_class(parse, at, module->provides[i].service, "service");
        attribute_read_indices(parse, reader, TAG_SET(CONSTANT_CLASS), "provider",
                               &module->provides[i].with);
    }
}

void attribute_read_module(struct class_parse *parse, struct reader *reader,
                           const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    struct module *module = CLASS_PARSE_NEW(parse, struct module);
    const uint8_t *at = reader_bytes(reader, 6);
    if (!module || !at)
        return;
    attribute->as.module = module;
    module->name = class_parse_u2(at);
    module->flags = class_parse_u2(at + 2);
    module->version = class_parse_u2(at + 4);
    if (!class_parse_expect(parse, at, module->name, TAG_SET(CONSTANT_MODULE), "module") ||
        !class_parse_expect_or_0(parse, at + 4, module->version, TAG_SET(CONSTANT_UTF8), "version"))
        return;
    read_requires(parse, reader, module);
    module->exports = read_packages(parse, reader, &module->exports_count, "exported package");
    module->opens = read_packages(parse, reader, &module->opens_count, "opened package");
    attribute_read_indices(parse, reader, TAG_SET(CONSTANT_CLASS), "used service", &module->uses);
    read_provides(parse, reader, module);
}

void attribute_read_packages(struct class_parse *parse, struct reader *reader,
                             const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    attribute->as.indices = CLASS_PARSE_NEW(parse, struct index_list);
    if (attribute->as.indices)
        attribute_read_indices(parse, reader, TAG_SET(CONSTANT_PACKAGE), "package",
                               attribute->as.indices);
}

void attribute_read_module_hashes(struct class_parse *parse, struct reader *reader,
                                  const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    struct module_hashes *table = CLASS_PARSE_NEW(parse, struct module_hashes);
    const uint8_t *at = reader_bytes(reader, 4);
    if (!table || !at)
        return;
    attribute->as.module_hashes = table;
    table->algorithm = class_parse_u2(at);
    table->count = class_parse_u2(at + 2);
    if (!class_parse_expect_utf8(parse, at, table->algorithm, "algorithm"))
        return;
    table->count = class_parse_count(reader, table->count, 4, "hashes");
    table->items = CLASS_PARSE_ARRAY(parse, struct module_hash, table->count);
    if (!table->items)
        return;
    for (uint16_t i = 0; i < table->count; i++) {
        at = reader_bytes(reader, 4);
        if (!at)
            return;
        table->items[i].module = class_parse_u2(at);
        table->items[i].length = class_parse_u2(at + 2);
        table->items[i].bytes = reader_bytes(reader, table->items[i].length);
        class_parse_expect(parse, at, table->items[i].module,
                           TAG_SET(CONSTANT_MODULE) | TAG_SET(CONSTANT_UTF8), "hashed module");
    }
}
