/* Every attribute is decoded as JVMS 4.7 says, and written back as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "classfile/reading.h"
#include "classfile/sample_classes.h"

struct fixture {
    struct class_build build;
    struct arena arena;
    struct class_file *class_file;
};

static struct fixture fixture;

static int read_rich_class(void **state)
{
    (void)state;
    arena_init(&fixture.arena);
    build_rich_class(&fixture.build);
    fixture.class_file = expect_good(&fixture.arena, &fixture.build);
    return 0;
}

static int read_module(void **state)
{
    (void)state;
    arena_init(&fixture.arena);
    build_module(&fixture.build);
    fixture.class_file = expect_good(&fixture.arena, &fixture.build);
    return 0;
}

static int release(void **state)
{
    (void)state;
    arena_release(&fixture.arena);
    return 0;
}

static const struct attribute *find(const struct attributes *attributes, enum attribute_kind kind)
{
    const struct attribute *attribute = attributes_find(attributes, kind);
    assert_non_null(attribute);
    return attribute;
}

static void expect_text(uint16_t utf8, const char *expected)
{
    struct text text = class_utf8(fixture.class_file, utf8);
    if (!text_is(text, expected))
        fail_msg("\"%.*s\" is not \"%s\"", TEXT_ARGUMENTS(text), expected);
}

static void expect_class(uint16_t index, const char *expected)
{
    assert_true(text_is(class_name_at(fixture.class_file, index), expected));
}

static void class_itself(void **state)
{
    (void)state;
    const struct class_file *class_file = fixture.class_file;
    assert_int_equal(class_file->major, 69);
    assert_int_equal(class_file->access, 0x0421);
    assert_true(text_is(class_this_name(class_file), "p/A"));
    expect_class(class_file->super_class, "java/lang/Object");
    assert_int_equal(class_file->interface_count, 1);
    expect_class(class_file->interfaces[0], "java/lang/Runnable");
    assert_int_equal(class_file->field_count, 4);
    assert_int_equal(class_file->method_count, 3);
    assert_null(member_code(&class_file->methods[1]));
    assert_null(member_code(&class_file->methods[2]));
}

static void fields(void **state)
{
    (void)state;
    const struct class_file *class_file = fixture.class_file;
    const struct member *field = &class_file->fields[0];
    assert_int_equal(field->access, 0x0019);
    expect_text(field->name, "I");
    expect_text(field->descriptor, "I");
    uint16_t value = find(&field->attributes, ATTRIBUTE_CONSTANT_VALUE)->as.index;
    assert_int_equal(class_file->constants[value].value.bits, 0xFFFFFFFF);
    find(&field->attributes, ATTRIBUTE_DEPRECATED);
    find(&field->attributes, ATTRIBUTE_SYNTHETIC);
    field = &class_file->fields[1];
    value = find(&field->attributes, ATTRIBUTE_CONSTANT_VALUE)->as.index;
    assert_int_equal(class_file->constants[value].tag, CONSTANT_STRING);
    expect_text(find(&field->attributes, ATTRIBUTE_SIGNATURE)->as.index, "Ljava/lang/String;");
    value = find(&class_file->fields[2].attributes, ATTRIBUTE_CONSTANT_VALUE)->as.index;
    assert_int_equal(class_file->constants[value].value.bits, 0x8000000000000001);
}

/* What put_annotation_of_all_kinds writes. */
static void expect_all_kinds(const struct annotation *annotation)
{
    expect_text(annotation->type, "Lp/N;");
    assert_int_equal(annotation->element_count, 13);
    const struct constant *constants = fixture.class_file->constants;
    for (int i = 0; i < 13; i++)
        assert_int_equal(annotation->elements[i].value.tag, "BCDFIJSZsec@["[i]);
    const struct annotation_element *elements = annotation->elements;
    expect_text(elements[0].name, "v");
    assert_int_equal(constants[elements[0].value.as.constant].value.bits, 65);
    assert_int_equal(constants[elements[5].value.as.constant].value.bits, 77);
    expect_text(elements[8].value.as.constant, "text");
    expect_text(elements[9].value.as.enumerator.type, "Lp/Color;");
    expect_text(elements[9].value.as.enumerator.name, "RED");
    expect_text(elements[10].value.as.class_index, "[Lp/A;");
    expect_text(elements[11].value.as.annotation->type, "Lp/N;");
    assert_int_equal(elements[11].value.as.annotation->element_count, 0);
    assert_int_equal(elements[12].value.as.array.count, 2);
    assert_int_equal(elements[12].value.as.array.items[0].tag, 's');
    assert_int_equal(elements[12].value.as.array.items[1].tag, '[');
    assert_int_equal(elements[12].value.as.array.items[1].as.array.count, 0);
}

static void annotations(void **state)
{
    (void)state;
    const struct class_file *class_file = fixture.class_file;
    const struct annotations *visible =
        find(&class_file->fields[1].attributes, ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS)
            ->as.annotations;
    assert_int_equal(visible->count, 2);
    expect_all_kinds(&visible->items[0]);
    const struct member *method = &class_file->methods[0];
    expect_all_kinds(&find(&method->attributes, ATTRIBUTE_RUNTIME_INVISIBLE_ANNOTATIONS)
                          ->as.annotations->items[0]);
    for (int kind = ATTRIBUTE_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS;
         kind <= ATTRIBUTE_RUNTIME_INVISIBLE_PARAMETER_ANNOTATIONS; kind++) {
        const struct parameter_annotations *parameters =
            find(&method->attributes, (enum attribute_kind)kind)->as.parameter_annotations;
        assert_int_equal(parameters->count, 2);
        assert_int_equal(parameters->parameters[0].count, 1);
        assert_int_equal(parameters->parameters[1].count, 0);
    }
    const struct element_value *value =
        find(&class_file->methods[1].attributes, ATTRIBUTE_ANNOTATION_DEFAULT)->as.default_value;
    assert_int_equal(value->tag, '[');
    assert_int_equal(value->as.array.count, 1);
    assert_int_equal(class_file->constants[value->as.array.items[0].as.constant].value.bits, 5);
}

static void code(void **state)
{
    (void)state;
    const struct member *method = &fixture.class_file->methods[0];
    const struct code *body = member_code(method);
    assert_non_null(body);
    assert_int_equal(body->max_stack, 3);
    assert_int_equal(body->max_locals, 4);
    assert_int_equal(body->length, 5);
    assert_int_equal(body->bytes[4], 0xB1);
    assert_ptr_equal(body->bytes, fixture.build.result.bytes + body->origin);
    assert_int_equal(body->handler_count, 2);
    assert_int_equal(body->handlers[0].end, 3);
    assert_int_equal(body->handlers[0].catch_type, 0);
    assert_int_equal(body->handlers[1].end, 5);
    assert_int_equal(body->handlers[1].handler, 4);
    expect_class(body->handlers[1].catch_type, "java/lang/Error");
    /* An attribute that does not belong here is unknown, whatever is in it. */
    assert_null(attributes_find(&body->attributes, ATTRIBUTE_EXCEPTIONS));
    assert_non_null(attributes_find(&body->attributes, ATTRIBUTE_UNKNOWN));

    const struct line_numbers *lines =
        find(&body->attributes, ATTRIBUTE_LINE_NUMBER_TABLE)->as.line_numbers;
    assert_int_equal(lines->count, 2);
    assert_int_equal(lines->items[0].line, 65535);
    assert_int_equal(lines->items[1].start, 4);
    const struct local_variables *variables =
        find(&body->attributes, ATTRIBUTE_LOCAL_VARIABLE_TABLE)->as.local_variables;
    assert_int_equal(variables->count, 1);
    assert_int_equal(variables->items[0].length, 5);
    expect_text(variables->items[0].name, "x");
    expect_text(variables->items[0].descriptor, "J");
    assert_int_equal(variables->items[0].index, 2);
    variables = find(&body->attributes, ATTRIBUTE_LOCAL_VARIABLE_TYPE_TABLE)->as.local_variables;
    expect_text(variables->items[0].descriptor, "TT;");
    assert_int_equal(variables->items[0].start, 0);
}

static void stack_map(void **state)
{
    (void)state;
    const struct code *body = member_code(&fixture.class_file->methods[0]);
    const struct stack_map *table =
        find(&body->attributes, ATTRIBUTE_STACK_MAP_TABLE)->as.stack_map;
    const struct {
        unsigned type, delta, locals, stack;
    } expected[] = {{0, 0, 0, 0},     {63, 63, 0, 0}, {64, 0, 0, 1},
                    {247, 300, 0, 1}, {248, 5, 0, 0}, {250, 6, 0, 0},
                    {251, 7, 0, 0},   {254, 8, 3, 0}, {255, 10, 9, 1}};
    assert_int_equal(table->count, 9);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(table->frames[i].type, expected[i].type);
        assert_int_equal(table->frames[i].offset_delta, expected[i].delta);
        assert_int_equal(table->frames[i].local_count, expected[i].locals);
        assert_int_equal(table->frames[i].stack_count, expected[i].stack);
    }
    assert_int_equal(table->frames[2].stack[0].tag, VERIFICATION_INTEGER);
    assert_int_equal(table->frames[3].stack[0].tag, VERIFICATION_OBJECT);
    expect_class(table->frames[3].stack[0].value, "p/A");
    assert_int_equal(table->frames[7].locals[2].tag, VERIFICATION_UNINITIALIZED);
    assert_int_equal(table->frames[7].locals[2].value, 9);
    for (unsigned tag = 0; tag <= 8; tag++)
        assert_int_equal(table->frames[8].locals[tag].tag, tag);
    expect_class(table->frames[8].locals[7].value, "[I");
    assert_int_equal(table->frames[8].stack[0].tag, VERIFICATION_DOUBLE);
}

static void method_attributes(void **state)
{
    (void)state;
    const struct attributes *attributes = &fixture.class_file->methods[0].attributes;
    const struct index_list *exceptions = find(attributes, ATTRIBUTE_EXCEPTIONS)->as.indices;
    assert_int_equal(exceptions->count, 2);
    expect_class(exceptions->items[1], "p/E");
    const struct method_parameters *parameters =
        find(attributes, ATTRIBUTE_METHOD_PARAMETERS)->as.method_parameters;
    assert_int_equal(parameters->count, 2);
    expect_text(parameters->items[0].name, "first");
    assert_int_equal(parameters->items[0].access, 0x0010);
    assert_int_equal(parameters->items[1].name, 0);
}

static const struct type_annotation *expect_targets(const struct attributes *attributes,
                                                    enum attribute_kind kind,
                                                    const uint8_t *targets, unsigned count)
{
    const struct type_annotations *table = find(attributes, kind)->as.type_annotations;
    assert_int_equal(table->count, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(table->items[i].target_type, targets[i]);
        expect_text(table->items[i].annotation.type, "Lp/N;");
    }
    return table->items;
}

static void type_annotations(void **state)
{
    (void)state;
    const struct class_file *class_file = fixture.class_file;
    const enum attribute_kind visible = ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS;
    const struct type_annotation *items =
        expect_targets(&class_file->attributes, visible, (const uint8_t[]){0x00, 0x10, 0x11}, 3);
    assert_int_equal(items[0].target.type_parameter, 1);
    assert_int_equal(items[1].target.supertype, 65535);
    assert_int_equal(items[2].target.bound.parameter, 0);
    assert_int_equal(items[2].target.bound.bound, 1);

    items =
        expect_targets(&class_file->fields[2].attributes,
                       ATTRIBUTE_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS, (const uint8_t[]){0x13}, 1);
    assert_int_equal(items[0].path_length, 2);
    assert_int_equal(items[0].path[1].kind, 3);
    assert_int_equal(items[0].path[1].argument, 1);

    items = expect_targets(&class_file->methods[0].attributes, visible,
                           (const uint8_t[]){0x01, 0x12, 0x14, 0x15, 0x16, 0x17}, 6);
    assert_int_equal(items[1].target.bound.bound, 1);
    assert_int_equal(items[4].target.formal_parameter, 1);
    assert_int_equal(items[5].target.throws_index, 1);

    items = expect_targets(
        &member_code(&class_file->methods[0])->attributes, visible,
        (const uint8_t[]){0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B},
        12);
    assert_int_equal(items[0].target.local.count, 2);
    assert_int_equal(items[0].target.local.ranges[0].start, 1);
    assert_int_equal(items[0].target.local.ranges[0].length, 2);
    assert_int_equal(items[0].target.local.ranges[1].index, 1);
    assert_int_equal(items[1].target.local.count, 0);
    assert_int_equal(items[2].target.exception_index, 1);
    assert_int_equal(items[6].target.offset, 4);
    assert_int_equal(items[6].path_length, 1);
    for (int i = 7; i < 12; i++) {
        assert_int_equal(items[i].target.argument.offset, 4);
        assert_int_equal(items[i].target.argument.index, 14 - i);
    }
}

static void class_attributes(void **state)
{
    (void)state;
    const struct attributes *attributes = &fixture.class_file->attributes;
    expect_text(find(attributes, ATTRIBUTE_SOURCE_FILE)->as.index, "A.java");
    const struct inner_classes *inner = find(attributes, ATTRIBUTE_INNER_CLASSES)->as.inner_classes;
    assert_int_equal(inner->count, 2);
    expect_class(inner->items[0].inner, "p/A$B");
    expect_class(inner->items[0].outer, "p/A");
    expect_text(inner->items[0].name, "B");
    assert_int_equal(inner->items[0].access, 9);
    assert_int_equal(inner->items[1].outer, 0);
    const struct enclosing_method *enclosing =
        find(attributes, ATTRIBUTE_ENCLOSING_METHOD)->as.enclosing_method;
    expect_class(enclosing->class_index, "p/Outer");
    expect_text(fixture.class_file->constants[enclosing->method].first, "main");
    const struct attribute *extension = find(attributes, ATTRIBUTE_SOURCE_DEBUG_EXTENSION);
    assert_int_equal(extension->length, 5);
    assert_memory_equal(extension->as.raw, "SMAP\xFF", 5);
    expect_class(find(attributes, ATTRIBUTE_NEST_MEMBERS)->as.indices->items[0], "p/A$B");
    expect_class(find(attributes, ATTRIBUTE_PERMITTED_SUBCLASSES)->as.indices->items[0], "p/Sub");
    const struct attribute *unknown = find(attributes, ATTRIBUTE_UNKNOWN);
    expect_text(unknown->name_index, "com.example.Unknown");
    assert_memory_equal(unknown->as.raw, "\x01\x02\x03", 3);
}

static void bootstrap_methods(void **state)
{
    (void)state;
    const struct class_file *class_file = fixture.class_file;
    const struct bootstrap_methods *table =
        find(&class_file->attributes, ATTRIBUTE_BOOTSTRAP_METHODS)->as.bootstrap_methods;
    assert_int_equal(table->count, 2);
    assert_int_equal(table->items[0].argument_count, 0);
    assert_int_equal(table->items[1].argument_count, 12);
    const struct constant *dynamic = &class_file->constants[table->items[1].arguments[10]];
    assert_int_equal(dynamic->tag, CONSTANT_DYNAMIC);
    assert_int_equal(dynamic->first, 1);
    struct member_reference reference =
        class_member_reference(class_file, table->items[1].arguments[10]);
    assert_int_equal(reference.owner.length, 0);
    assert_true(text_is(reference.name, "d"));
    assert_true(text_is(reference.descriptor, "I"));
}

static void record(void **state)
{
    (void)state;
    const struct record *components =
        find(&fixture.class_file->attributes, ATTRIBUTE_RECORD)->as.record;
    assert_int_equal(components->count, 2);
    expect_text(components->items[0].name, "left");
    assert_int_equal(components->items[0].attributes.count, 0);
    expect_text(components->items[1].descriptor, "Ljava/util/List;");
    expect_text(find(&components->items[1].attributes, ATTRIBUTE_SIGNATURE)->as.index,
                "Ljava/util/List<TT;>;");
    find(&components->items[1].attributes, ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS);
}

static void module(void **state)
{
    (void)state;
    const struct attributes *attributes = &fixture.class_file->attributes;
    const struct module *declared = find(attributes, ATTRIBUTE_MODULE)->as.module;
    expect_class(declared->name, "m");
    assert_int_equal(declared->flags, ACCESS_OPEN);
    expect_text(declared->version, "1.0");
    assert_int_equal(declared->requires_count, 2);
    expect_class(declared->requires[0].module, "java.base");
    assert_int_equal(declared->requires[0].flags, ACCESS_MANDATED);
    assert_int_equal(declared->requires[0].version, 0);
    assert_int_equal(declared->exports_count, 2);
    expect_class(declared->exports[0].package, "p/api");
    assert_int_equal(declared->exports[0].to.count, 0);
    assert_int_equal(declared->exports[1].to.count, 1);
    assert_int_equal(declared->opens_count, 1);
    assert_int_equal(declared->opens[0].to.count, 2);
    expect_class(declared->uses.items[0], "p/Service");
    assert_int_equal(declared->provides_count, 1);
    expect_class(declared->provides[0].with.items[0], "p/Provider");

    expect_class(find(attributes, ATTRIBUTE_MODULE_PACKAGES)->as.indices->items[0], "p/internal");
    expect_class(find(attributes, ATTRIBUTE_MODULE_MAIN_CLASS)->as.index, "p/Main");
    expect_text(find(attributes, ATTRIBUTE_MODULE_TARGET)->as.index, "linux-amd64");
    assert_int_equal(find(attributes, ATTRIBUTE_MODULE_RESOLUTION)->as.index, 2);
    const struct module_hashes *hashes =
        find(attributes, ATTRIBUTE_MODULE_HASHES)->as.module_hashes;
    expect_text(hashes->algorithm, "SHA-256");
    assert_int_equal(hashes->count, 2);
    expect_text(hashes->items[0].module, "m.a");
    assert_int_equal(hashes->items[0].length, 3);
    assert_memory_equal(hashes->items[0].bytes, "\x00\x01\x02", 3);
    expect_class(hashes->items[1].module, "m.b");
    find(attributes, ATTRIBUTE_SOURCE_FILE);
}

#define RICH(test) cmocka_unit_test_setup_teardown(test, read_rich_class, release)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RICH(class_itself),
        RICH(fields),
        RICH(annotations),
        RICH(code),
        RICH(stack_map),
        RICH(method_attributes),
        RICH(type_annotations),
        RICH(class_attributes),
        RICH(bootstrap_methods),
        RICH(record),
        cmocka_unit_test_setup_teardown(module, read_module, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
