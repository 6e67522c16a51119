#include "classfile/class_writer.h"

#include "classfile/attribute_writer.h"
#include "classfile/constant_pool.h"

static void write_members(struct writer *writer, const struct member *members, uint16_t count)
{
    writer_u2(writer, count);
    for (uint16_t i = 0; i < count; i++) {
        uint8_t *to = writer_extend(writer, 6);
        if (!to)
            return;
        writer_store_u2(to, members[i].access);
        writer_store_u2(to + 2, members[i].name);
        writer_store_u2(to + 4, members[i].descriptor);
        attribute_write_all(writer, &members[i].attributes);
    }
}

void class_write(struct writer *writer, const struct class_file *class_file)
{
    writer_u4(writer, 0xCAFEBABE);
    writer_u2(writer, class_file->minor);
    writer_u2(writer, class_file->major);
    constant_pool_write(writer, class_file);
    writer_u2(writer, class_file->access);
    writer_u2(writer, class_file->this_class);
    writer_u2(writer, class_file->super_class);
    attribute_write_indices(writer, class_file->interfaces, class_file->interface_count);
    write_members(writer, class_file->fields, class_file->field_count);
    write_members(writer, class_file->methods, class_file->method_count);
    attribute_write_all(writer, &class_file->attributes);
}
