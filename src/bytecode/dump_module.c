#include "bytecode/dump_internal.h"

static void dump_item(struct dump *dump, uint16_t index)
{
    dump_java_name(dump, class_name_at(dump->class_file, index));
}

static void dump_list(struct dump *dump, const char *word, const struct index_list *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        builder_add_string(dump->builder, i == 0 ? word : ", ");
        dump_item(dump, list->items[i]);
    }
}

static void dump_version(struct dump *dump, uint16_t version)
{
    if (version != 0) {
        builder_add_byte(dump->builder, '@');
        dump_name(dump, class_utf8(dump->class_file, version));
    }
}

static void dump_packages(struct dump *dump, const char *word, const struct module_package *items,
                          unsigned count, unsigned indent)
{
    for (unsigned i = 0; i < count; i++) {
        dump_indent(dump, indent);
        builder_add_string(dump->builder, word);
        dump_flags(dump, items[i].flags, FLAGS_OF_PACKAGE, true);
        dump_item(dump, items[i].package);
        dump_list(dump, " to ", &items[i].to);
        builder_add_byte(dump->builder, '\n');
    }
}

void dump_module(struct dump *dump, const struct module *module, unsigned indent)
{
    dump_indent(dump, indent);
    dump_flags(dump, module->flags, FLAGS_OF_MODULE, true);
    builder_add_string(dump->builder, "module ");
    dump_item(dump, module->name);
    dump_version(dump, module->version);
    builder_add_byte(dump->builder, '\n');
    indent += INDENT_STEP;
    for (unsigned i = 0; i < module->requires_count; i++) {
        const struct module_requires *requires = &module->requires[i];
        dump_indent(dump, indent);
        builder_add_string(dump->builder, "requires ");
        dump_flags(dump, requires->flags, FLAGS_OF_REQUIRES, true);
        dump_item(dump, requires->module);
        dump_version(dump, requires->version);
        builder_add_byte(dump->builder, '\n');
    }
    dump_packages(dump, "exports ", module->exports, module->exports_count, indent);
    dump_packages(dump, "opens ", module->opens, module->opens_count, indent);
    for (unsigned i = 0; i < module->uses.count; i++) {
        dump_indent(dump, indent);
        builder_add_string(dump->builder, "uses ");
        dump_item(dump, module->uses.items[i]);
        builder_add_byte(dump->builder, '\n');
    }
    for (unsigned i = 0; i < module->provides_count; i++) {
        dump_indent(dump, indent);
        builder_add_string(dump->builder, "provides ");
        dump_item(dump, module->provides[i].service);
        dump_list(dump, " with ", &module->provides[i].with);
        builder_add_byte(dump->builder, '\n');
    }
}

void dump_module_hashes(struct dump *dump, const struct module_hashes *hashes, unsigned indent)
{
    const struct class_file *class_file = dump->class_file;
    for (unsigned i = 0; i < hashes->count; i++) {
        const struct module_hash *hash = &hashes->items[i];
        const bool utf8 = class_file->constants[hash->module].tag == CONSTANT_UTF8;
        dump_indent(dump, indent);
        builder_add_string(dump->builder, "hash ");
        dump_name(dump, utf8 ? class_utf8(class_file, hash->module)
                             : class_name_at(class_file, hash->module));
        builder_add_byte(dump->builder, ' ');
        dump_name(dump, class_utf8(class_file, hashes->algorithm));
        builder_add_byte(dump->builder, ' ');
        for (unsigned j = 0; j < hash->length; j++)
            builder_add_format(dump->builder, "%02x", hash->bytes[j]);
        builder_add_byte(dump->builder, '\n');
    }
}
