/*
 * instrument_fixture: a class p/Sample made by hand, instrumented, and read again. Include it
 * behind <cmocka.h>.
 */
#ifndef TURNSTILE_TEST_INSTRUMENT_FIXTURE_H
#define TURNSTILE_TEST_INSTRUMENT_FIXTURE_H

#include "base/builder.h"
#include "bytecode/sample.h"
#include "classfile/class_reader.h"
#include "classfile/class_writer.h"
#include "instrument/checks.h"
#include "instrument/instrument.h"
#include "support.h"

#define HIDDEN (ACCESS_PRIVATE | ACCESS_SYNTHETIC)

struct fixture {
    struct sample sample; /* class p/Sample, for the test to fill */
    struct class_editor editor;
    struct writer bytes;
    struct class_rewriter rewriter;
    struct sites sites;
    struct instrument instrument;
    unsigned left;
    struct arena arena;
    struct class_file *result;
    struct builder text;
};

static inline void tell_left(void *context, const struct class_file *class_file,
                             const struct member *method, enum class_left reason,
                             const struct problem *problem)
{
    struct fixture *fixture = context;
    (void)class_file, (void)method, (void)reason, (void)problem;
    fixture->left++;
}

static inline void start(struct fixture *fixture, uint16_t major)
{
    memset(fixture, 0, sizeof *fixture);
    sample_init(&fixture->sample, major);
    fixture->sample.class_file.methods = NULL;
    fixture->sample.class_file.method_count = 0;
    class_editor_init(&fixture->editor, &fixture->sample.class_file);
    writer_init(&fixture->bytes);
    class_rewriter_init(&fixture->rewriter);
    assert_true(sites_init(&fixture->sites));
    fixture->instrument = (struct instrument){
        .sites = &fixture->sites, .arrays = true, .context = fixture, .left = tell_left};
    arena_init(&fixture->arena);
    builder_init(&fixture->text);
}

static inline void end(struct fixture *fixture)
{
    builder_release(&fixture->text);
    arena_release(&fixture->arena);
    sites_release(&fixture->sites);
    class_rewriter_release(&fixture->rewriter);
    writer_release(&fixture->bytes);
    class_editor_release(&fixture->editor);
    sample_release(&fixture->sample);
}

static inline int set_up(void **state)
{
    struct fixture *fixture = malloc(sizeof *fixture);
    start(fixture, 61);
    *state = fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    end(*state);
    free(*state);
    return 0;
}

static inline struct fixture *restart(void **state, uint16_t major)
{
    end(*state);
    start(*state, major);
    return *state;
}

/* ---- making a class ---- */

static inline uint16_t field_constant(struct fixture *fixture, const char *owner, const char *name,
                                      const char *descriptor)
{
    return class_editor_member(&fixture->editor, CONSTANT_FIELD, text_from(owner), text_from(name),
                               text_from(descriptor));
}

static inline uint16_t method_constant(struct fixture *fixture, const char *owner, const char *name,
                                       const char *descriptor)
{
    return class_editor_member(&fixture->editor, CONSTANT_METHOD, text_from(owner), text_from(name),
                               text_from(descriptor));
}

/* A field of the class, and the constant for it. */
static inline uint16_t add_field(struct fixture *fixture, uint16_t access, const char *name,
                                 const char *descriptor)
{
    assert_non_null(
        class_editor_add_field(&fixture->editor, access, text_from(name), text_from(descriptor)));
    return field_constant(fixture, "p/Sample", name, descriptor);
}

static inline struct code *add_method(struct fixture *fixture, uint16_t access, const char *name,
                                      const char *descriptor, const uint8_t *bytes, size_t length)
{
    struct member *method =
        class_editor_add_method(&fixture->editor, access, text_from(name), text_from(descriptor));
    assert_non_null(method);
    struct attribute *attribute =
        class_editor_add_attribute(&fixture->editor, &method->attributes, ATTRIBUTE_CODE);
    struct code *code = ARENA_NEW(&fixture->sample.arena, struct code);
    assert_non_null(attribute);
    *code = (struct code){.max_stack = 10,
                          .max_locals = 10,
                          .length = (uint32_t)length,
                          .bytes = arena_copy(&fixture->sample.arena, bytes, length, 1)};
    attribute->as.code = code;
    return code;
}

#define METHOD(fixture, access, name, descriptor, ...)                                             \
    add_method((fixture), (access), (name), (descriptor), (const uint8_t[]){__VA_ARGS__},          \
               sizeof((const uint8_t[]){__VA_ARGS__}))

static inline void add_handlers(struct fixture *fixture, struct code *code,
                                const struct exception_handler *handlers, uint16_t count)
{
    code->handlers = arena_copy(&fixture->sample.arena, handlers, count * sizeof *handlers,
                                _Alignof(struct exception_handler));
    code->handler_count = count;
}

/* ---- rewriting, and looking ---- */

static inline struct text name_of(const struct fixture *fixture, const struct member *member)
{
    return class_utf8(fixture->result, member->name);
}

static inline void check_added(const struct fixture *fixture, const struct member *member,
                               const struct text prefix)
{
    assert_true(text_starts_with(name_of(fixture, member), prefix));
    assert_int_equal(member->access & HIDDEN, HIDDEN);
}

static inline enum class_rewritten rewrite(struct fixture *fixture)
{
    struct problem problem;
    problem_clear(&problem);
    writer_clear(&fixture->bytes);
    class_write(&fixture->bytes, &fixture->sample.class_file);
    return instrument_class(&fixture->instrument, &fixture->rewriter, NULL, fixture->bytes.bytes,
                            fixture->bytes.size, &problem);
}

/* Rewrites and reads the result. Whatever is new is hidden and has the prefix. */
static inline void run(struct fixture *fixture)
{
    const struct class_file *before = &fixture->sample.class_file;
    struct problem problem;
    problem_clear(&problem);
    assert_int_equal(rewrite(fixture), CLASS_REWRITTEN);
    assert_int_equal(fixture->left, 0);
    fixture->result = class_read(&fixture->arena, fixture->rewriter.writer.bytes,
                                 fixture->rewriter.writer.size, &problem);
    if (!fixture->result)
        fail_msg("%s", problem.reason);
    const struct class_file *after = fixture->result;
    for (uint16_t i = before->field_count; i < after->field_count; i++) {
        check_added(fixture, &after->fields[i], TEXT("$turnstile$"));
        assert_true(after->fields[i].access & ACCESS_TRANSIENT);
    }
    for (uint16_t i = before->method_count; i < after->method_count; i++) {
        check_added(fixture, &after->methods[i], TEXT("$turnstile$c"));
        assert_true(after->methods[i].access & ACCESS_STATIC);
    }
}

static inline unsigned added_fields(const struct fixture *fixture)
{
    return (unsigned)(fixture->result->field_count - fixture->sample.class_file.field_count);
}

static inline unsigned added_methods(const struct fixture *fixture)
{
    return (unsigned)(fixture->result->method_count - fixture->sample.class_file.method_count);
}

static inline const struct member *find(const struct fixture *fixture, const struct member *members,
                                        uint16_t count, struct text name)
{
    for (uint16_t i = 0; i < count; i++)
        if (text_equal(name_of(fixture, &members[i]), name))
            return &members[i];
    return NULL;
}

static inline const struct member *find_field(const struct fixture *fixture, const char *name)
{
    return find(fixture, fixture->result->fields, fixture->result->field_count, text_from(name));
}

static inline const struct member *find_method(const struct fixture *fixture, const char *name)
{
    return find(fixture, fixture->result->methods, fixture->result->method_count, text_from(name));
}

/* The shadow of a field of the class, or NULL. */
static inline const struct member *find_shadow(struct fixture *fixture, const char *name,
                                               const char *descriptor)
{
    struct text shadow =
        checks_shadow_name(&fixture->arena, false, text_from(name), text_from(descriptor));
    return find(fixture, fixture->result->fields, fixture->result->field_count, shadow);
}

static inline void check_field(const struct fixture *fixture, const struct member *field,
                               uint16_t access, const char *descriptor)
{
    assert_non_null(field);
    assert_int_equal(field->access, access);
    assert_text(class_utf8(fixture->result, field->descriptor), descriptor);
}

/* "$turnstile$" as %, and shadows without their hashes. */
static inline void add_member_name(struct builder *text, struct text name)
{
    const struct text prefix = TEXT("$turnstile$");
    if (!text_starts_with(name, prefix)) {
        builder_add(text, name);
        return;
    }
    name = text_of(name.bytes + prefix.length, name.length - prefix.length);
    if (name.length > 1 && name.bytes[1] == '$')
        name.length -= 17;
    builder_add_byte(text, '%');
    builder_add(text, name);
}

static inline void add_instruction(struct fixture *fixture, const struct instruction *instruction)
{
    const struct class_file *result = fixture->result;
    const struct opcode_info *info = &opcode_infos[instruction->opcode];
    builder_add_string(&fixture->text, info->name);
    switch (info->operands) {
    case OPERANDS_FIELD:
    case OPERANDS_METHOD:
    case OPERANDS_INTERFACE_METHOD:
        builder_add_byte(&fixture->text, ':');
        add_member_name(&fixture->text, class_member_reference(result, instruction->operand).name);
        break;
    case OPERANDS_CONSTANT_NARROW:
    case OPERANDS_CONSTANT_WIDE: {
        const struct constant *constant = &result->constants[instruction->operand];
        builder_add_string(&fixture->text, constant->tag == CONSTANT_CLASS    ? ":class "
                                           : constant->tag == CONSTANT_STRING ? ":string "
                                                                              : ":number");
        if (constant->tag == CONSTANT_CLASS || constant->tag == CONSTANT_STRING)
            builder_add(&fixture->text, class_name_at(result, instruction->operand));
        break;
    }
    default:
        break;
    }
    builder_add_byte(&fixture->text, ' ');
}

static inline void decode(struct fixture *fixture, const char *name, struct bytecode *bytecode)
{
    struct problem problem;
    problem_clear(&problem);
    const struct member *method = find_method(fixture, name);
    assert_non_null(method);
    if (!bytecode_decode(bytecode, &fixture->arena, fixture->result, method, &problem))
        fail_msg("%s", problem.reason);
}

/* The instructions of a method of the result. */
static inline const char *code_of(struct fixture *fixture, const char *name)
{
    struct bytecode bytecode;
    decode(fixture, name, &bytecode);
    builder_clear(&fixture->text);
    for (uint32_t i = 0; i < bytecode.count; i++)
        add_instruction(fixture, &bytecode.instructions[i]);
    return builder_string(&fixture->text);
}

/* Only those with a field, method or class. */
static inline const char *uses_of(struct fixture *fixture, const char *name)
{
    struct bytecode bytecode;
    decode(fixture, name, &bytecode);
    builder_clear(&fixture->text);
    for (uint32_t i = 0; i < bytecode.count; i++)
        if (opcode_infos[bytecode.instructions[i].opcode].operands >= OPERANDS_CONSTANT_NARROW &&
            opcode_infos[bytecode.instructions[i].opcode].operands <= OPERANDS_INTERFACE_METHOD)
            add_instruction(fixture, &bytecode.instructions[i]);
    return builder_string(&fixture->text);
}

static inline struct text descriptor_of(const struct fixture *fixture, const char *method)
{
    const struct member *member = find_method(fixture, method);
    assert_non_null(member);
    return class_utf8(fixture->result, member->descriptor);
}

#endif
