#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/memory.h"
#include "bytecode/dump.h"
#include "bytecode/sample.h"

struct shown {
    struct builder builder;
    char *messages;
    size_t messages_size;
    unsigned errors;
};

static void show(struct shown *shown, const struct sample *sample, bool code, bool frames)
{
    struct diagnostics diagnostics;
    const struct dump_options options = {.code = code, .frames = frames};
    builder_init(&shown->builder);
    FILE *stream = open_memstream(&shown->messages, &shown->messages_size);
    diagnostics_init(&diagnostics, stream, DIAGNOSTICS_COLOR_NEVER);
    dump_class(&shown->builder, &sample->class_file, &options, TEXT("x.class"), &diagnostics);
    shown->errors = diagnostics.errors;
    diagnostics_release(&diagnostics);
    fclose(stream);
}

static void release(struct shown *shown)
{
    builder_release(&shown->builder);
    free(shown->messages);
}

static void assert_shows(const struct shown *shown, const char *part)
{
    if (!strstr(builder_string(&shown->builder), part))
        fail_msg("'%s' is not in:\n%s", part, builder_string(&shown->builder));
}

static void assert_hides(const struct shown *shown, const char *part)
{
    if (strstr(builder_string(&shown->builder), part))
        fail_msg("'%s' is in:\n%s", part, builder_string(&shown->builder));
}

#define SET_CODE(sample, ...)                                                                      \
    sample_set_code((sample), (const uint8_t[]){__VA_ARGS__},                                      \
                    sizeof((const uint8_t[]){__VA_ARGS__}))

static void header_and_members(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    uint16_t interfaces[] = {sample_named(&sample, CONSTANT_CLASS, "java/lang/Runnable"),
                             sample_named(&sample, CONSTANT_CLASS, "p/Q$R")};
    sample.class_file.interfaces = interfaces;
    sample.class_file.interface_count = 2;
    struct attribute value = {
        .kind = ATTRIBUTE_CONSTANT_VALUE,
        .as.index = sample_constant(
            &sample, (struct constant){.tag = CONSTANT_INTEGER, .value.bits = '\''})};
    struct member field = {.access = ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_FINAL,
                           .name = sample_utf8(&sample, "quote"),
                           .descriptor = sample_utf8(&sample, "C"),
                           .attributes = {&value, 1}};
    sample.class_file.fields = &field;
    sample.class_file.field_count = 1;
    uint16_t thrown[] = {sample_named(&sample, CONSTANT_CLASS, "java/io/IOException")};
    struct index_list list = {thrown, 1};
    struct attribute method_attributes[] = {sample.code_attribute,
                                            {.kind = ATTRIBUTE_EXCEPTIONS, .as.indices = &list}};
    sample.method.attributes = (struct attributes){method_attributes, 2};
    sample.method.access = ACCESS_PUBLIC | ACCESS_SYNCHRONIZED | ACCESS_VARARGS;
    sample.method.descriptor = sample_utf8(&sample, "(I[[J[Ljava/lang/String;)Lp/Q;");
    SET_CODE(&sample, OP_ACONST_NULL, OP_ARETURN);
    show(&shown, &sample, false, false);
    assert_shows(&shown, "public class p.Sample extends java.lang.Object implements "
                         "java.lang.Runnable, p.Q$R\n");
    assert_shows(&shown, "version 61.0 (Java 17)\n");
    assert_shows(&shown, "private static final char quote = '\\'';\n");
    assert_shows(&shown, "public synchronized p.Q m(int, long[][], java.lang.String...) throws "
                         "java.io.IOException;\n");
    assert_shows(&shown, "flags public synchronized varargs (0x00a1)\n");
    assert_shows(&shown, "code of 2 bytes, stack 10, locals 10\n");
    assert_hides(&shown, "aconst_null");
    assert_int_equal(shown.errors, 0);
    release(&shown);
    sample_release(&sample);
}

static void old_versions_have_old_names(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 46);
    SET_CODE(&sample, OP_RETURN);
    show(&shown, &sample, false, false);
    assert_shows(&shown, "version 46.0 (Java 1.2)\n");
    release(&shown);
    sample_release(&sample);
}

static void instructions(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    const uint16_t method = sample_member(&sample, CONSTANT_METHOD, "println", "(I)V");
    const uint16_t interface = sample_member(&sample, CONSTANT_INTERFACE_METHOD, "size", "()I");
    const uint16_t text = sample_named(&sample, CONSTANT_STRING, "a\"b\n");
    const uint16_t dynamic = sample_dynamic(&sample, CONSTANT_INVOKE_DYNAMIC, "run", "()V");
    /* IEEE 754: 0.1f is 3DCCCCCD, 1.0 is 3FF0000000000000. */
    const uint16_t single = sample_constant(
        &sample, (struct constant){.tag = CONSTANT_FLOAT, .value.bits = 0x3DCCCCCD});
    const uint16_t wide =
        sample_constant(&sample, (struct constant){.tag = CONSTANT_DOUBLE,
                                                   .value.bits = UINT64_C(0x3FF0000000000000)});
    sample_constant(&sample, (struct constant){0});
    sample.code.max_locals = 301;
    SET_CODE(&sample, OP_INVOKEVIRTUAL, TWO(method), OP_INVOKEINTERFACE, TWO(interface), 1, 0,
             OP_LDC, (uint8_t)text, OP_INVOKEDYNAMIC, TWO(dynamic), 0, 0, OP_WIDE, OP_IINC,
             TWO(300), TWO(-500), OP_NEWARRAY, 8, OP_GOTO, TWO(-23), OP_LDC, (uint8_t)single,
             OP_LDC2_W, TWO(wide), OP_RETURN);
    show(&shown, &sample, true, false);
    char line[120];
    snprintf(line, sizeof line, " 0: invokevirtual #%u  p/Other.println:(I)V\n", method);
    assert_shows(&shown, line);
    snprintf(line, sizeof line, " 3: invokeinterface #%u, 1  p/Other.size:()I\n", interface);
    assert_shows(&shown, line);
    snprintf(line, sizeof line, " 8: ldc #%u  \"a\\\"b\\n\"\n", text);
    assert_shows(&shown, line);
    snprintf(line, sizeof line, " 10: invokedynamic #%u  run:()V bootstrap 0\n", dynamic);
    assert_shows(&shown, line);
    assert_shows(&shown, " 15: wide iinc 300, -500\n");
    assert_shows(&shown, " 21: newarray byte\n");
    assert_shows(&shown, " 23: goto 0\n");
    snprintf(line, sizeof line, " 26: ldc #%u  0.1f\n", single);
    assert_shows(&shown, line);
    snprintf(line, sizeof line, " 28: ldc2_w #%u  1.0\n", wide);
    assert_shows(&shown, line);
    release(&shown);
    sample_release(&sample);
}

/* As Java's shortest decimals, by IEEE 754. */
static void numbers(void **state)
{
    (void)state;
    static const struct {
        uint8_t tag;
        uint64_t bits;
        const char *text;
    } known[] = {{CONSTANT_FLOAT, 0x00000001, "1e-45f"},
                 {CONSTANT_FLOAT, 0x7F800000, "Infinityf"},
                 {CONSTANT_FLOAT, 0x7FC00000, "NaNf"},
                 {CONSTANT_FLOAT, 0x80000000, "-0.0f"},
                 {CONSTANT_FLOAT, 0x4B800001, "16777218.0f"},
                 {CONSTANT_FLOAT, 0x42C80000, "100.0f"},
                 {CONSTANT_INTEGER, 0x80000000, "-2147483648"},
                 {CONSTANT_LONG, UINT64_C(0x8000000000000000), "-9223372036854775808L"},
                 {CONSTANT_DOUBLE, UINT64_C(0x3FD5555555555555), "0.3333333333333333"},
                 {CONSTANT_DOUBLE, UINT64_C(0xFFF0000000000000), "-Infinity"},
                 {CONSTANT_DOUBLE, UINT64_C(0x7FEFFFFFFFFFFFFF), "1.7976931348623157e+308"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct sample sample;
        struct shown shown;
        sample_init(&sample, 61);
        const uint16_t constant = sample_constant(
            &sample, (struct constant){.tag = known[i].tag, .value.bits = known[i].bits});
        if (known[i].tag == CONSTANT_LONG || known[i].tag == CONSTANT_DOUBLE)
            SET_CODE(&sample, OP_LDC2_W, TWO(constant), OP_RETURN);
        else
            SET_CODE(&sample, OP_LDC, (uint8_t)constant, OP_RETURN);
        show(&shown, &sample, true, false);
        char line[80];
        snprintf(line, sizeof line, "#%u  %s\n", constant, known[i].text);
        assert_shows(&shown, line);
        release(&shown);
        sample_release(&sample);
    }
}

static void switches_handlers_and_lines(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    struct exception_handler handlers[] = {{0, 28, 29, sample.class_file.super_class},
                                           {0, 28, 29, 0}};
    sample.code.handlers = handlers;
    sample.code.handler_count = 2;
    struct line_number lines[] = {{28, 7}, {0, 5}, {0, 6}, {999, 8}};
    struct line_numbers table = {lines, 4};
    struct attribute attribute = {.kind = ATTRIBUTE_LINE_NUMBER_TABLE, .as.line_numbers = &table};
    sample.code.attributes = (struct attributes){&attribute, 1};
    SET_CODE(&sample, OP_TABLESWITCH, 0, 0, 0, FOUR(28), FOUR(-1), FOUR(1), FOUR(28), FOUR(29),
             FOUR(28), OP_RETURN, OP_ATHROW);
    show(&shown, &sample, true, false);
    assert_shows(&shown, "line 5\n      line 6\n          0: tableswitch 3 cases\n");
    assert_shows(&shown, " -1: 28\n");
    assert_shows(&shown, " 0: 29\n");
    assert_shows(&shown, " 1: 28\n");
    assert_shows(&shown, " default: 28\n      line 7\n         28: return\n");
    assert_shows(&shown, "handler 0 to 28 goes to 29 for java/lang/Object\n");
    assert_shows(&shown, "handler 0 to 28 goes to 29 for any\n");
    assert_hides(&shown, "line 8");
    release(&shown);
    sample_release(&sample);
}

static void frames_stand_before_instructions(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    sample.code.max_locals = 4;
    SET_CODE(&sample, OP_LCONST_0, OP_LSTORE_1, OP_ICONST_2, OP_POP, OP_RETURN);
    show(&shown, &sample, true, true);
    assert_shows(&shown, "locals [] stack []\n          0: lconst_0\n");
    assert_shows(&shown, "locals [] stack [long]\n          1: lstore_1\n");
    assert_shows(&shown, "locals [top, long] stack [int]\n          3: pop\n");
    assert_int_equal(shown.errors, 0);
    release(&shown);
    sample_release(&sample);
}

/* One by one the places would be gigabytes of text for a method as long as this may be. */
static void empty_places_are_counted(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    sample.code.max_locals = 65535;
    SET_CODE(&sample, OP_ICONST_0, OP_ISTORE_1, OP_LCONST_0, OP_WIDE, OP_LSTORE, TWO(65533),
             OP_ICONST_0, OP_ISTORE, 66, OP_RETURN);
    show(&shown, &sample, true, true);
    assert_shows(&shown, "locals [top, int, top x 65531, long] stack [int]\n"
                         "          8: istore 66\n");
    assert_shows(&shown, "locals [top, int, top, top, ");
    assert_shows(&shown, "top, int, top x 65466, long] stack []\n         10: return\n");
    assert_int_equal(shown.errors, 0);
    release(&shown);
    sample_release(&sample);
}

static void take(void *context, struct builder *builder)
{
    struct builder *taken = context;
    builder_add(taken, builder_text(builder));
    builder_clear(builder);
}

/* What is taken away piece by piece is the same text; and the pieces are small, though all of it is
   large. */
static void assert_in_pieces(const struct sample *sample, size_t least)
{
    struct shown whole;
    struct builder builder, taken;
    show(&whole, sample, true, true);
    builder_init(&builder);
    builder_init(&taken);
    struct diagnostics diagnostics;
    const struct dump_options options = {
        .code = true, .frames = true, .flush = take, .context = &taken};
    diagnostics_init(&diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
    dump_class(&builder, &sample->class_file, &options, TEXT("x.class"), &diagnostics);
    diagnostics_release(&diagnostics);
    assert_true(builder.capacity < 4096 && taken.length > least);
    builder_add(&taken, builder_text(&builder));
    assert_string_equal(builder_string(&taken), builder_string(&whole.builder));
    builder_release(&builder);
    builder_release(&taken);
    release(&whole);
}

static void long_code_in_pieces(void **state)
{
    (void)state;
    enum { NOPS = 3000 };
    static uint8_t code[NOPS + 1];
    struct sample sample;
    memset(code, OP_NOP, NOPS);
    code[NOPS] = OP_RETURN;
    sample_init(&sample, 48);
    sample_set_code(&sample, code, sizeof code);
    assert_in_pieces(&sample, 64 * 1024);
    sample_release(&sample);
}

/* Lists are long wherever the format has them, within a line too: a class file of 200 KB can name
   the same 64 KB 65535 times. */
static void long_lists_in_pieces(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static uint16_t items[MANY];
    static struct element_value values[MANY];
    struct sample sample;
    sample_init(&sample, 61);
    const uint16_t class = sample_named(&sample, CONSTANT_CLASS, "p/VeryLongName");
    const uint16_t one =
        sample_constant(&sample, (struct constant){.tag = CONSTANT_INTEGER, .value.bits = 1});
    for (unsigned i = 0; i < MANY; i++) {
        items[i] = class;
        values[i] = (struct element_value){.tag = 'I', .as.constant = one};
    }
    struct index_list list = {items, MANY};
    struct element_value array = {.tag = '[', .as.array = {values, MANY}};
    struct bootstrap_method method = {class, MANY, items};
    struct bootstrap_methods methods = {&method, 1};
    struct attribute attributes[] = {
        {.kind = ATTRIBUTE_PERMITTED_SUBCLASSES, .as.indices = &list},
        {.kind = ATTRIBUTE_ANNOTATION_DEFAULT, .as.default_value = &array},
        {.kind = ATTRIBUTE_BOOTSTRAP_METHODS, .as.bootstrap_methods = &methods}};
    static char lines[MANY * 8];
    memset(lines, 'x', sizeof lines);
    struct attribute line = {.kind = ATTRIBUTE_SOURCE_DEBUG_EXTENSION,
                             .length = sizeof lines,
                             .as.raw = (const uint8_t *)lines};
    struct attribute method_attributes[] = {sample.code_attribute,
                                            {.kind = ATTRIBUTE_EXCEPTIONS, .as.indices = &list}};
    sample.class_file.interfaces = items;
    sample.class_file.interface_count = MANY;
    sample.method.attributes = (struct attributes){method_attributes, 2};
    SET_CODE(&sample, OP_RETURN);
    assert_in_pieces(&sample, MANY * sizeof "p/VeryLongName" * 2);
    for (unsigned i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        sample.class_file.attributes = (struct attributes){&attributes[i], 1};
        assert_in_pieces(&sample, MANY * sizeof "p/VeryLongName" * 2 + MANY * sizeof ", 1");
    }
    sample.class_file.attributes = (struct attributes){&line, 1};
    assert_in_pieces(&sample, MANY * sizeof "p/VeryLongName" * 2 + sizeof lines);
    sample_release(&sample);
}

/* The frames cannot be known, but the instructions are shown all the same, and the user is told. */
static void frames_that_fail(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    SET_CODE(&sample, OP_NOP, OP_POP, OP_RETURN);
    show(&shown, &sample, true, true);
    assert_shows(&shown, " 0: nop\n");
    assert_shows(&shown, " 1: pop\n");
    assert_shows(&shown, " 2: return\n");
    assert_int_equal(shown.errors, 1);
    release(&shown);
    sample_release(&sample);
}

static void bad_code_is_reported(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    SET_CODE(&sample, OP_NOP, 250, OP_RETURN);
    show(&shown, &sample, true, false);
    assert_shows(&shown, "static void m();\n");
    assert_hides(&shown, "nop");
    assert_int_equal(shown.errors, 1);
    assert_non_null(strstr(shown.messages, "x.class"));
    assert_non_null(strstr(shown.messages, "1001"));
    assert_non_null(strstr(shown.messages, "opcode 250 does not exist"));
    release(&shown);
    sample_release(&sample);
}

/* Nothing in a class may make a terminal do anything. */
static void hostile_names(void **state)
{
    (void)state;
    static const char hostile[] = "\x1b[31m\r\n\b\x7f\t\xc2\x9b"
                                  "1;\xe2\x80\xae";
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    sample.method.name = sample_utf8(&sample, hostile);
    sample.class_file.this_class = sample_named(&sample, CONSTANT_CLASS, hostile);
    const uint16_t text = sample_named(&sample, CONSTANT_STRING, hostile);
    const uint16_t call = sample_member(&sample, CONSTANT_METHOD, hostile, "()V");
    struct attribute attributes[] = {
        {.kind = ATTRIBUTE_SOURCE_FILE, .as.index = sample_utf8(&sample, hostile)},
        {.kind = ATTRIBUTE_UNKNOWN,
         .name_index = sample_utf8(&sample, hostile),
         .length = sizeof hostile,
         .as.raw = (const uint8_t *)hostile},
        {.kind = ATTRIBUTE_SOURCE_DEBUG_EXTENSION,
         .length = sizeof hostile,
         .as.raw = (const uint8_t *)hostile}};
    sample.class_file.attributes = (struct attributes){attributes, 3};
    SET_CODE(&sample, OP_LDC, (uint8_t)text, OP_INVOKESTATIC, TWO(call), OP_ASTORE_0, OP_RETURN);
    show(&shown, &sample, true, true);
    const struct text all = builder_text(&shown.builder);
    for (size_t i = 0; i < all.length; i++) {
        const unsigned char byte = (unsigned char)all.bytes[i];
        assert_true(byte == '\n' || (byte >= ' ' && byte != 0x7F));
        /* C1 controls are C2 80 to C2 9F. */
        assert_false(byte == 0xC2 && (unsigned char)all.bytes[i + 1] < 0xA0);
    }
    assert_null(strstr(all.bytes, "\xe2\x80\xae"));
    assert_null(strchr(shown.messages, '\x1b'));
    release(&shown);
    sample_release(&sample);
}

/* A dynamic constant may have itself as an argument of its bootstrap method. */
static void cyclic_dynamic_constants(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    const uint16_t constant = sample_dynamic(&sample, CONSTANT_DYNAMIC, "self", "I");
    const uint16_t method = sample_member(&sample, CONSTANT_METHOD, "boot", "()V");
    const uint16_t handle =
        sample_constant(&sample, (struct constant){.tag = CONSTANT_METHOD_HANDLE,
                                                   .reference_kind = REFERENCE_INVOKE_STATIC,
                                                   .first = method});
    uint16_t arguments[] = {constant};
    struct bootstrap_method item = {handle, 1, arguments};
    struct bootstrap_methods methods = {&item, 1};
    struct attribute attribute = {.kind = ATTRIBUTE_BOOTSTRAP_METHODS,
                                  .as.bootstrap_methods = &methods};
    sample.class_file.attributes = (struct attributes){&attribute, 1};
    SET_CODE(&sample, OP_LDC, (uint8_t)constant, OP_POP, OP_RETURN);
    show(&shown, &sample, true, false);
    assert_shows(&shown, "bootstrap 0: method handle invokestatic p/Other.boot:()V\n");
    assert_shows(&shown, "  dynamic self:I bootstrap 0\n");
    release(&shown);
    sample_release(&sample);
}

static void annotations(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    const uint16_t one =
        sample_constant(&sample, (struct constant){.tag = CONSTANT_INTEGER, .value.bits = 1});
    struct element_value items[] = {{.tag = 'I', .as.constant = one},
                                    {.tag = 'Z', .as.constant = one}};
    struct annotation_element elements[] = {
        {sample_utf8(&sample, "value"), {.tag = 's', .as.constant = sample_utf8(&sample, "a\"b")}},
        {sample_utf8(&sample, "kind"),
         {.tag = 'e',
          .as.enumerator = {sample_utf8(&sample, "Lp/Kind;"), sample_utf8(&sample, "BIG")}}},
        {sample_utf8(&sample, "type"), {.tag = 'c', .as.class_index = sample_utf8(&sample, "[I")}},
        {sample_utf8(&sample, "list"), {.tag = '[', .as.array = {items, 2}}}};
    struct annotation annotation = {sample_utf8(&sample, "Lp/Marked;"), 4, elements};
    struct annotations list = {&annotation, 1};
    struct type_path_step step = {3, 1};
    struct type_annotation type_annotation = {.target_type = 0x16,
                                              .target.formal_parameter = 2,
                                              .path = &step,
                                              .path_length = 1,
                                              .annotation = {annotation.type, 0, NULL}};
    struct type_annotations type_list = {&type_annotation, 1};
    struct attribute attributes[] = {
        {.kind = ATTRIBUTE_RUNTIME_INVISIBLE_ANNOTATIONS, .as.annotations = &list},
        {.kind = ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS, .as.type_annotations = &type_list}};
    sample.class_file.attributes = (struct attributes){attributes, 2};
    SET_CODE(&sample, OP_RETURN);
    show(&shown, &sample, false, false);
    assert_shows(&shown, "@p.Marked(value = \"a\\\"b\", kind = p.Kind.BIG, type = int[].class, "
                         "list = {1, true})  (not kept at run time)\n");
    assert_shows(&shown, "@p.Marked on parameter 2, type argument 1\n");
    release(&shown);
    sample_release(&sample);
}

static void deep_annotations(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    struct element_value *values = calloc(DEPTH + 1, sizeof *values);
    for (unsigned i = 0; i < DEPTH; i++) {
        values[i].tag = '[';
        values[i].as.array.items = &values[i + 1];
        values[i].as.array.count = i + 1 < DEPTH;
    }
    struct attribute attribute = {.kind = ATTRIBUTE_ANNOTATION_DEFAULT, .as.default_value = values};
    sample.class_file.attributes = (struct attributes){&attribute, 1};
    SET_CODE(&sample, OP_RETURN);
    show(&shown, &sample, false, false);
    assert_shows(&shown, "default {{{{");
    assert_shows(&shown, "...");
    release(&shown);
    free(values);
    sample_release(&sample);
}

static void module(void **state)
{
    (void)state;
    struct sample sample;
    struct shown shown;
    sample_init(&sample, 61);
    sample.class_file.access = ACCESS_MODULE;
    sample.class_file.super_class = 0;
    sample.class_file.method_count = 0;
    sample.class_file.this_class = sample_named(&sample, CONSTANT_CLASS, "module-info");
    struct module_requires requires = {sample_named(&sample, CONSTANT_MODULE, "java.base"),
                                       ACCESS_MANDATED, sample_utf8(&sample, "17")};
    uint16_t friends[] = {sample_named(&sample, CONSTANT_MODULE, "b.c")};
    struct module_package exports = {
        sample_named(&sample, CONSTANT_PACKAGE, "p/q"), 0, {friends, 1}};
    uint16_t providers[] = {sample_named(&sample, CONSTANT_CLASS, "p/q/Impl")};
    struct module_provides provides = {sample_named(&sample, CONSTANT_CLASS, "s/Service"),
                                       {providers, 1}};
    struct module content = {.name = sample_named(&sample, CONSTANT_MODULE, "my.module"),
                             .flags = ACCESS_OPEN,
                             .requires_count = 1,
                             .requires = &requires,
                             .exports_count = 1,
                             .exports = &exports,
                             .provides_count = 1,
                             .provides = &provides};
    struct attribute attribute = {.kind = ATTRIBUTE_MODULE, .as.module = &content};
    sample.class_file.attributes = (struct attributes){&attribute, 1};
    show(&shown, &sample, true, true);
    assert_shows(&shown, "open module my.module\n");
    assert_shows(&shown, "requires mandated java.base@17\n");
    assert_shows(&shown, "exports p.q to b.c\n");
    assert_shows(&shown, "provides s.Service with p.q.Impl\n");
    release(&shown);
    sample_release(&sample);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (long requests = 0;; requests++) {
        struct sample sample;
        struct shown shown;
        sample_init(&sample, 61);
        SET_CODE(&sample, OP_ICONST_0, OP_POP, OP_RETURN);
        memory_fail_after(requests);
        show(&shown, &sample, true, true);
        memory_fail_after(-1);
        const bool done = shown.errors == 0 && !shown.builder.failed;
        release(&shown);
        sample_release(&sample);
        if (done) {
            assert_true(requests > 0);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_and_members),
        cmocka_unit_test(old_versions_have_old_names),
        cmocka_unit_test(instructions),
        cmocka_unit_test(numbers),
        cmocka_unit_test(switches_handlers_and_lines),
        cmocka_unit_test(frames_stand_before_instructions),
        cmocka_unit_test(empty_places_are_counted),
        cmocka_unit_test(long_code_in_pieces),
        cmocka_unit_test(long_lists_in_pieces),
        cmocka_unit_test(frames_that_fail),
        cmocka_unit_test(bad_code_is_reported),
        cmocka_unit_test(hostile_names),
        cmocka_unit_test(cyclic_dynamic_constants),
        cmocka_unit_test(annotations),
        cmocka_unit_test(deep_annotations),
        cmocka_unit_test(module),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
