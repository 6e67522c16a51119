/*
 * instrument: marks of blocks that are meant to be atomic. Which blocks get some, from the
 * heuristics of the Atomizer (section 4 of its paper) and the options; that each begin has its end
 * on every way out, with the same site; and how they stand to what is told of monitors.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "instrument/declared_methods.h"
#include "instrument/instrument_fixture.h"

/* ---- looking ---- */

static int32_t pushed_by(const struct instruction *instruction)
{
    if (instruction->opcode >= OP_ICONST_M1 && instruction->opcode <= OP_ICONST_5)
        return instruction->opcode - OP_ICONST_0;
    assert_true(instruction->opcode == OP_BIPUSH || instruction->opcode == OP_SIPUSH);
    return instruction->immediate;
}

/* The hook that a mark calls, and what it adds to the number of the site; empty for other checks.
 */
static struct text hook_of(struct fixture *fixture, struct text check, int32_t *base)
{
    struct bytecode bytecode;
    struct problem problem;
    problem_clear(&problem);
    const struct member *method =
        find(fixture, fixture->result->methods, fixture->result->method_count, check);
    assert_non_null(method);
    assert_true(bytecode_decode(&bytecode, &fixture->arena, fixture->result, method, &problem));
    const struct instruction *end = bytecode.instructions + bytecode.count;
    if (bytecode.count < 5 || end[-2].opcode != OP_INVOKESTATIC)
        return TEXT("");
    const struct member_reference hook = class_member_reference(fixture->result, end[-2].operand);
    const bool recorded = text_is(hook.owner, "java/lang/TurnstileRecorder");
    if (!text_starts_with(hook.name, TEXT("block")) && !recorded)
        return TEXT("");
    if (!recorded) {
        assert_text(hook.owner, "java/lang/TurnstileHook");
        assert_text(hook.descriptor, "(I)V");
    }
    *base = pushed_by(end - 4);
    return hook.name;
}

static bool is_push(const struct instruction *instruction)
{
    return instruction->opcode >= OP_ICONST_M1 && instruction->opcode <= OP_SIPUSH;
}

/* Adds "begin:LINE " or "end:LINE " with the line of the block's site. */
static void add_mark(struct fixture *fixture, const struct instruction *call, struct text hook,
                     int32_t base)
{
    struct site site;
    assert_true(sites_get(&fixture->sites, (uint32_t)(base + pushed_by(call - 1)), &site));
    assert_int_equal(site.accessed, 0);
    assert_text(site.class_name, "p/Sample");
    builder_add_format(&fixture->text, "%s:%u ", text_is(hook, "blockBegin") ? "begin" : "end",
                       (unsigned)site.line);
}

/* Adds "entered:LINE " or "leaving:LINE " with the line of the monitor's site, if it is known, and
   in front, if that tells of a block, the block's. */
static void add_monitor(struct fixture *fixture, const struct instruction *call, struct text hook,
                        int32_t base)
{
    struct site site;
    const struct text descriptor =
        class_member_reference(fixture->result, call->operand).descriptor;
    builder_add_format(&fixture->text, "%.*s", TEXT_ARGUMENTS(hook));
    if (text_is(descriptor, "(Ljava/lang/Object;III)V")) {
        assert_true(sites_get(&fixture->sites, (uint32_t)(base + pushed_by(call - 2)), &site));
        builder_add_format(&fixture->text, ":%u", (unsigned)site.line);
    } else {
        assert_text(descriptor, "(Ljava/lang/Object;II)V");
    }
    if (is_push(call - 1)) {
        assert_true(sites_get(&fixture->sites, (uint32_t)(base + pushed_by(call - 1)), &site));
        builder_add_format(&fixture->text, "@%u", (unsigned)site.line);
    }
    builder_add_byte(&fixture->text, ' ');
}

/* Calls, monitors and ways out of a method; of checks, only the marks. */
static const char *marks_of(struct fixture *fixture, const char *name)
{
    struct bytecode bytecode;
    decode(fixture, name, &bytecode);
    builder_clear(&fixture->text);
    for (uint32_t i = 0; i < bytecode.count; i++) {
        const struct instruction *instruction = &bytecode.instructions[i];
        const unsigned flow = opcode_infos[instruction->opcode].flow;
        if (instruction->opcode == OP_INVOKESTATIC) {
            const struct text called =
                class_member_reference(fixture->result, instruction->operand).name;
            int32_t base = 0;
            struct text hook = text_starts_with(called, TEXT("$turnstile$c"))
                                   ? hook_of(fixture, called, &base)
                                   : TEXT("");
            if (text_starts_with(hook, TEXT("block")))
                add_mark(fixture, instruction, hook, base);
            else if (hook.length)
                add_monitor(fixture, instruction, hook, base);
            else if (!text_starts_with(called, TEXT("$turnstile$c")))
                builder_add_format(&fixture->text, "%.*s ", TEXT_ARGUMENTS(called));
        } else if (flow == FLOW_RETURN || flow == FLOW_THROW ||
                   instruction->opcode == OP_MONITORENTER ||
                   instruction->opcode == OP_MONITOREXIT) {
            builder_add_format(&fixture->text, "%s ", opcode_infos[instruction->opcode].name);
        }
    }
    return builder_string(&fixture->text);
}

static bool is_marked(struct fixture *fixture, const char *name)
{
    return strstr(marks_of(fixture, name), "begin:");
}

/* The first handler for anything that covers the instruction; NULL without one. */
static const struct exception_handler *handler_at(struct fixture *fixture, const char *method,
                                                  uint32_t offset)
{
    const struct code *code = member_code(find_method(fixture, method));
    for (uint16_t i = 0; i < code->handler_count; i++)
        if (code->handlers[i].catch_type == 0 && code->handlers[i].start <= offset &&
            offset < code->handlers[i].end)
            return &code->handlers[i];
    return NULL;
}

/* The offset of the n-th mark of the method, n from 0 on. */
static uint32_t offset_of_mark(struct fixture *fixture, const char *method, const char *hook,
                               unsigned number)
{
    struct bytecode bytecode;
    decode(fixture, method, &bytecode);
    for (uint32_t i = 0; i < bytecode.count; i++) {
        if (bytecode.instructions[i].opcode != OP_INVOKESTATIC)
            continue;
        int32_t base;
        const struct text called =
            class_member_reference(fixture->result, bytecode.instructions[i].operand).name;
        if (text_starts_with(called, TEXT("$turnstile$c")) &&
            text_is(hook_of(fixture, called, &base), hook) && number-- == 0)
            return bytecode.instructions[i].offset;
    }
    fail_msg("no %s", hook);
    return 0;
}

/* ---- making ---- */

static void add_lines(struct fixture *fixture, struct code *code, const struct line_number *items,
                      uint16_t count)
{
    struct attribute *attribute = class_editor_add_attribute(&fixture->editor, &code->attributes,
                                                             ATTRIBUTE_LINE_NUMBER_TABLE);
    struct line_numbers *lines = ARENA_NEW(&fixture->sample.arena, struct line_numbers);
    lines->items = arena_copy(&fixture->sample.arena, items, count * sizeof *items,
                              _Alignof(struct line_number));
    lines->count = count;
    attribute->as.line_numbers = lines;
}

/* A method that calls another, at that line. */
static struct code *calling(struct fixture *fixture, uint16_t access, const char *name,
                            const char *descriptor, uint16_t line)
{
    uint16_t call = method_constant(fixture, "p/Other", "call", "()V");
    struct code *code =
        METHOD(fixture, access, name, descriptor, OP_INVOKESTATIC, TWO(call), OP_RETURN);
    add_lines(fixture, code, &(struct line_number){0, line}, 1);
    return code;
}

static void annotate(struct fixture *fixture, const char *method, enum attribute_kind kind,
                     const char *type)
{
    struct class_file *class_file = &fixture->sample.class_file;
    for (uint16_t i = 0; i < class_file->method_count; i++) {
        struct member *member = &class_file->methods[i];
        if (!text_is(class_utf8(class_file, member->name), method))
            continue;
        struct attribute *attribute =
            class_editor_add_attribute(&fixture->editor, &member->attributes, kind);
        struct annotations *annotations = ARENA_NEW(&fixture->sample.arena, struct annotations);
        annotations->items = ARENA_NEW(&fixture->sample.arena, struct annotation);
        annotations->items->type = class_editor_utf8(&fixture->editor, text_from(type));
        annotations->count = 1;
        attribute->as.annotations = annotations;
        return;
    }
    fail_msg("no method %s", method);
}

#define MARKED "begin:7 call end:7 return end:7 athrow "
#define UNMARKED "call return "

/* ---- which methods ---- */

static void exported_and_synchronized_methods(void **state)
{
    struct fixture *fixture = *state;
    const uint16_t public_static = ACCESS_PUBLIC | ACCESS_STATIC;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    calling(fixture, ACCESS_PUBLIC, "exported", "()V", 7);
    calling(fixture, ACCESS_PROTECTED, "inherited", "()V", 7);
    calling(fixture, public_static, "shared", "()V", 7);
    calling(fixture, ACCESS_PRIVATE | ACCESS_SYNCHRONIZED, "locked", "()V", 7);
    calling(fixture, ACCESS_PRIVATE, "hidden", "()V", 7);
    calling(fixture, 0, "inPackage", "()V", 7);
    calling(fixture, public_static, "main", "([Ljava/lang/String;)V", 7);
    calling(fixture, ACCESS_PUBLIC, "run", "()V", 7);
    calling(fixture, ACCESS_STATIC, "<clinit>", "()V", 7);
    calling(fixture, ACCESS_PUBLIC | ACCESS_BRIDGE | ACCESS_SYNTHETIC, "bridge", "()V", 7);
    calling(fixture, ACCESS_PUBLIC | ACCESS_SYNTHETIC, "made", "()V", 7);
    calling(fixture, ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_SYNTHETIC, "lambda$m$0", "()V", 7);
    run(fixture);
    const char *marked[] = {"exported", "inherited", "shared"};
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
        assert_string_equal(marks_of(fixture, marked[i]), MARKED);
    assert_true(is_marked(fixture, "locked"));
    const char *unmarked[] = {"hidden", "inPackage", "main", "run", "bridge", "made", "lambda$m$0"};
    for (size_t i = 0; i < sizeof unmarked / sizeof *unmarked; i++)
        assert_string_equal(marks_of(fixture, unmarked[i]), UNMARKED);
    assert_false(is_marked(fixture, "<clinit>"));
    assert_int_equal(fixture->instrument.blocks, 4);
}

/* Only what the JVM starts with, and what Runnable declares. */
static void other_mains_and_runs(void **state)
{
    struct fixture *fixture = *state;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    calling(fixture, ACCESS_PUBLIC, "main", "([Ljava/lang/String;)V", 7);
    calling(fixture, ACCESS_PUBLIC, "run", "(I)V", 7);
    run(fixture);
    assert_string_equal(marks_of(fixture, "main"), MARKED);
    assert_string_equal(marks_of(fixture, "run"), MARKED);
}

static void synchronized_run(void **state)
{
    struct fixture *fixture = *state;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    calling(fixture, ACCESS_PUBLIC | ACCESS_SYNCHRONIZED, "run", "()V", 7);
    run(fixture);
    assert_false(is_marked(fixture, "run"));
}

static void constructors(void **state)
{
    struct fixture *fixture = *state;
    uint16_t object = method_constant(fixture, "java/lang/Object", "<init>", "()V");
    uint16_t field = add_field(fixture, 0, "f", "I");
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    METHOD(fixture, ACCESS_PUBLIC, "<init>", "()V", OP_ALOAD_0, OP_INVOKESPECIAL, TWO(object),
           OP_ALOAD_0, OP_ICONST_1, OP_PUTFIELD, TWO(field), OP_RETURN);
    run(fixture);
    assert_false(is_marked(fixture, "<init>"));
}

/* What concerns no other thread needs no marks; each of the others does. */
static void trivial_methods(void **state)
{
    struct fixture *fixture = *state;
    uint16_t own = add_field(fixture, 0, "f", "I");
    uint16_t call = method_constant(fixture, "p/Other", "call", "()V");
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    METHOD(fixture, ACCESS_PUBLIC, "sum", "(II)I", OP_ILOAD_1, OP_ILOAD_2, OP_IADD, OP_IRETURN);
    METHOD(fixture, ACCESS_PUBLIC, "empty", "()V", OP_RETURN);
    METHOD(fixture, ACCESS_PUBLIC, "get", "()I", OP_ALOAD_0, OP_GETFIELD, TWO(own), OP_IRETURN);
    METHOD(fixture, ACCESS_PUBLIC, "load", "([I)I", OP_ALOAD_1, OP_ICONST_0, OP_IALOAD, OP_IRETURN);
    METHOD(fixture, ACCESS_PUBLIC, "store", "([J)V", OP_ALOAD_1, OP_ICONST_0, OP_LCONST_1,
           OP_LASTORE, OP_RETURN);
    METHOD(fixture, ACCESS_PUBLIC, "calls", "()V", OP_INVOKESTATIC, TWO(call), OP_RETURN);
    METHOD(fixture, ACCESS_SYNCHRONIZED, "locked", "()V", OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "sum"), "iload_1 iload_2 iadd ireturn ");
    assert_string_equal(code_of(fixture, "empty"), "return ");
    const char *marked[] = {"get", "load", "store", "calls", "locked"};
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
        assert_true(is_marked(fixture, marked[i]));
}

static void annotated_methods(void **state)
{
    struct fixture *fixture = *state;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_ANNOTATED;
    static const struct {
        const char *method, *type;
        enum attribute_kind kind;
        bool marked;
    } rows[] = {
        {"a", "Lturnstile/annotation/Atomic;", ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, true},
        {"b", "Lnet/jcip/annotations/Atomic;", ATTRIBUTE_RUNTIME_INVISIBLE_ANNOTATIONS, true},
        {"c", "LAtomic;", ATTRIBUTE_RUNTIME_INVISIBLE_ANNOTATIONS, true},
        {"d", "Lp/Outer$Atomic;", ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, true},
        {"e", "Lp/NonAtomic;", ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, false},
        {"f", "Lp/AtomicX;", ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, false},
        {"g", "LNonAtomic;", ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        calling(fixture, ACCESS_PRIVATE, rows[i].method, "()V", 7);
        annotate(fixture, rows[i].method, rows[i].kind, rows[i].type);
    }
    /* Whoever says so means it. */
    calling(fixture, ACCESS_PUBLIC, "run", "()V", 7);
    annotate(fixture, "run", ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, "Lp/Atomic;");
    /* javac copies annotations to bridges. */
    calling(fixture, ACCESS_PUBLIC | ACCESS_BRIDGE | ACCESS_SYNTHETIC, "bridge", "()V", 7);
    annotate(fixture, "bridge", ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, "Lp/Atomic;");
    calling(fixture, ACCESS_PUBLIC, "exported", "()V", 7);
    run(fixture);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(marks_of(fixture, rows[i].method), rows[i].marked ? MARKED : UNMARKED);
    assert_string_equal(marks_of(fixture, "run"), MARKED);
    assert_string_equal(marks_of(fixture, "bridge"), UNMARKED);
    assert_string_equal(marks_of(fixture, "exported"), UNMARKED);
}

/* The list is NULL behind the last. */
static void use_patterns(struct fixture *fixture, struct pattern_list *methods,
                         const char *const *patterns)
{
    *methods = (struct pattern_list){0};
    for (; *patterns; patterns++)
        assert_true(pattern_list_add(methods, &fixture->arena, text_from(*patterns)));
    fixture->instrument.atomic_methods = methods;
}

static void patterns(void **state)
{
    static const enum instrument_atomic modes[] = {INSTRUMENT_ATOMIC_HEURISTICS,
                                                   INSTRUMENT_ATOMIC_ANNOTATED};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct fixture *fixture = restart(state, 61);
        struct pattern_list methods;
        fixture->instrument.atomic = modes[i];
        use_patterns(fixture, &methods,
                     (const char *const[]){"p.Sample.r*", "!p.Sample.recover", NULL});
        calling(fixture, ACCESS_PRIVATE, "reset", "()V", 7);
        calling(fixture, ACCESS_PUBLIC, "run", "()V", 7);
        calling(fixture, ACCESS_PRIVATE, "recover", "()V", 7);
        calling(fixture, ACCESS_PRIVATE, "other", "()V", 7);
        calling(fixture, ACCESS_PUBLIC | ACCESS_SYNTHETIC, "rmade", "()V", 7);
        annotate(fixture, "recover", ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, "Lp/Atomic;");
        run(fixture);
        assert_string_equal(marks_of(fixture, "reset"), MARKED);
        assert_string_equal(marks_of(fixture, "run"), MARKED);
        assert_string_equal(marks_of(fixture, "recover"), UNMARKED);
        assert_string_equal(marks_of(fixture, "other"), UNMARKED);
        assert_string_equal(marks_of(fixture, "rmade"), UNMARKED);
        pattern_list_release(&methods);
    }
}

static void patterns_with_types(void **state)
{
    struct fixture *fixture = *state;
    struct pattern_list methods;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    use_patterns(
        fixture, &methods,
        (const char *const[]){"p.Sample.a*(int, String...)", "!p.Sample.exported()", NULL});
    calling(fixture, ACCESS_PRIVATE, "add", "(I[Ljava/lang/String;)V", 7);
    calling(fixture, ACCESS_PRIVATE, "also", "(I)V", 7);
    calling(fixture, ACCESS_PRIVATE, "other", "(I[Ljava/lang/String;)V", 7);
    calling(fixture, ACCESS_PUBLIC, "exported", "()V", 7);
    calling(fixture, ACCESS_PUBLIC, "exportedToo", "()V", 7);
    run(fixture);
    assert_string_equal(marks_of(fixture, "add"), MARKED);
    assert_string_equal(marks_of(fixture, "also"), UNMARKED);
    assert_string_equal(marks_of(fixture, "other"), UNMARKED);
    assert_string_equal(marks_of(fixture, "exported"), UNMARKED);
    assert_string_equal(marks_of(fixture, "exportedToo"), MARKED);
    pattern_list_release(&methods);
}

static void declare(struct fixture *fixture, struct declared_methods *declared, const char *line)
{
    assert_int_equal(declared_methods_read(declared, &fixture->arena, text_from(line)),
                     DECLARED_DONE);
    fixture->instrument.declared = declared;
}

/* What is declared in files counts more than annotations, both more than the heuristics. */
static void declared_in_files(void **state)
{
    static const enum instrument_atomic modes[] = {INSTRUMENT_ATOMIC_HEURISTICS,
                                                   INSTRUMENT_ATOMIC_ANNOTATED};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct fixture *fixture = restart(state, 61);
        struct declared_methods declared = {0};
        fixture->instrument.atomic = modes[i];
        declare(fixture, &declared, "method\tatomic\tis\tp/Sample\thidden\tint\t0\t0");
        declare(fixture, &declared, "method\tother\tis\tp/Sample\texported\t\t0\t0");
        declare(fixture, &declared, "method\tother\tends\tSample\tannotated\t*\t0\t0");
        declare(fixture, &declared, "method\tatomic\tis\tp/Sample\trun\t\t0\t0");
        declare(fixture, &declared, "method\tatomic\tis\tp/Sample\t<clinit>\t\t0\t0");
        calling(fixture, ACCESS_PRIVATE, "hidden", "(I)V", 7);
        calling(fixture, ACCESS_PUBLIC, "exported", "()V", 7);
        calling(fixture, ACCESS_PRIVATE, "annotated", "()V", 7);
        annotate(fixture, "annotated", ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, "Lp/Atomic;");
        calling(fixture, ACCESS_PUBLIC, "run", "()V", 7);
        calling(fixture, ACCESS_PUBLIC, "unmentioned", "()V", 7);
        calling(fixture, ACCESS_STATIC, "<clinit>", "()V", 7);
        run(fixture);
        assert_string_equal(marks_of(fixture, "hidden"), MARKED);
        assert_string_equal(marks_of(fixture, "exported"), UNMARKED);
        assert_string_equal(marks_of(fixture, "annotated"), UNMARKED);
        assert_string_equal(marks_of(fixture, "run"), MARKED);
        assert_string_equal(marks_of(fixture, "unmentioned"),
                            modes[i] == INSTRUMENT_ATOMIC_HEURISTICS ? MARKED : UNMARKED);
        assert_false(is_marked(fixture, "<clinit>"));
        declared_methods_release(&declared);
    }
}

static void nothing_asked_for(void **state)
{
    struct fixture *fixture = *state;
    struct pattern_list methods;
    use_patterns(fixture, &methods, (const char *const[]){"*", "!none", NULL});
    calling(fixture, ACCESS_PUBLIC, "exported", "()V", 7);
    calling(fixture, ACCESS_PUBLIC, "annotated", "()V", 7);
    annotate(fixture, "annotated", ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS, "Lp/Atomic;");
    assert_int_equal(rewrite(fixture), CLASS_UNCHANGED);
    assert_int_equal(sites_count(&fixture->sites), 0);
    pattern_list_release(&methods);
}

/* ---- methods ---- */

/* Two returns, and whatever is thrown in between. */
static void ways_out_of_a_method(void **state)
{
    struct fixture *fixture = restart(state, 49);
    uint16_t call = method_constant(fixture, "p/Other", "call", "()V");
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    METHOD(fixture, ACCESS_PUBLIC | ACCESS_STATIC, "m", "(I)I", OP_ILOAD_0, OP_IFEQ, TWO(8),
           OP_INVOKESTATIC, TWO(call), OP_ICONST_1, OP_IRETURN, OP_ICONST_2, OP_IRETURN);
    run(fixture);
    assert_string_equal(marks_of(fixture, "m"),
                        "begin:0 call end:0 ireturn end:0 ireturn end:0 athrow ");
    /* The begin and each end are told once, whatever they throw. */
    assert_null(handler_at(fixture, "m", offset_of_mark(fixture, "m", "blockBegin", 0)));
    for (unsigned i = 0; i < 3; i++)
        assert_null(handler_at(fixture, "m", offset_of_mark(fixture, "m", "blockEnd", i)));
}

/* The lock is entered and left inside of the block. */
static void synchronized_methods(void **state)
{
    struct fixture *fixture = *state;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    calling(fixture, ACCESS_SYNCHRONIZED, "own", "()V", 7);
    calling(fixture, ACCESS_SYNCHRONIZED | ACCESS_STATIC, "shared", "()V", 8);
    run(fixture);
    assert_string_equal(marks_of(fixture, "own"),
                        "begin:7 entered call leaving end:7 return leaving end:7 athrow ");
    assert_string_equal(marks_of(fixture, "shared"),
                        "begin:8 entered call leaving end:8 return leaving end:8 athrow ");
    /* One method for all begins of the class, and one for all ends. */
    assert_int_equal(added_methods(fixture), 2);
    assert_string_equal(code_of(fixture, "$turnstile$c0"),
                        "iload_0 iconst_1 iadd invokestatic:blockBegin return ");
    assert_string_equal(code_of(fixture, "$turnstile$c1"),
                        "iload_0 iconst_1 iadd invokestatic:blockEnd return ");
}

static void sites_of_blocks(void **state)
{
    struct fixture *fixture = *state;
    struct site site;
    struct accessed accessed;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    calling(fixture, ACCESS_PUBLIC, "m", "()V", 7);
    run(fixture);
    assert_int_equal(sites_count(&fixture->sites), 1);
    assert_true(sites_get(&fixture->sites, 1, &site));
    assert_text(site.class_name, "p/Sample");
    assert_text(site.method, "m");
    assert_int_equal(site.line, 7);
    assert_int_equal(sites_variable_at(&fixture->sites, 1), 0);
    assert_false(sites_get_accessed(&fixture->sites, site.accessed, &accessed));
}

/* Version 8 and later: an interface has methods with code. */
static void methods_of_interfaces(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.class_file.access = ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    calling(fixture, ACCESS_PUBLIC, "m", "()V", 7);
    run(fixture);
    assert_string_equal(marks_of(fixture, "m"), MARKED);
}

/* ---- synchronized blocks ---- */

/* synchronized (parameter) { call(); }, as javac writes it, in lines from 20 on. */
static void add_block(struct fixture *fixture, uint16_t access, const char *name)
{
    uint16_t call = method_constant(fixture, "p/Other", "call", "()V");
    struct code *code = METHOD(fixture, access, name, "(Ljava/lang/Object;)V", OP_NOP, OP_ALOAD_1,
                               OP_DUP, OP_ASTORE_2, OP_MONITORENTER, OP_INVOKESTATIC, TWO(call),
                               OP_ALOAD_2, OP_MONITOREXIT, OP_GOTO, TWO(8), OP_ASTORE_3, OP_ALOAD_2,
                               OP_MONITOREXIT, OP_ALOAD_3, OP_ATHROW, OP_RETURN);
    const struct exception_handler handlers[] = {{5, 10, 13, 0}, {13, 16, 13, 0}};
    const struct line_number lines[] = {{0, 20}, {1, 21}, {5, 22}, {8, 23}, {18, 24}};
    add_handlers(fixture, code, handlers, 2);
    add_lines(fixture, code, lines, 5);
}

/* The handler, and, behind all the method's code, what exceptions go through on their way to it. */
#define BLOCK                                                                                      \
    "begin:21 number monitorenter entered call leaving monitorexit end:21 monitorexit end:21 "     \
    "athrow "
#define DETOUR "leaving athrow "

static void a_synchronized_block(void **state)
{
    struct fixture *fixture = restart(state, 49);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    add_block(fixture, ACCESS_PRIVATE, "m");
    run(fixture);
    assert_string_equal(marks_of(fixture, "m"), BLOCK "return " DETOUR);
    assert_int_equal(fixture->instrument.blocks, 1);
    /* monitorenter throws if the object is null: then nothing has begun. The branch is not in the
       method itself: see atomic_blocks.c. */
    assert_non_null(strstr(code_of(fixture, "m"),
                           "nop aload_1 dup astore_2 dup iconst_0 invokestatic:%c0 dup dup "
                           "astore invokestatic:number istore monitorenter "));
    assert_string_equal(code_of(fixture, "$turnstile$c0"),
                        "aload_0 ifnull iload_1 iconst_1 iadd invokestatic:blockBegin return ");
    /* The handler leaves the monitor: it must not be entered when that is left already. */
    for (unsigned i = 0; i < 2; i++)
        assert_null(handler_at(fixture, "m", offset_of_mark(fixture, "m", "blockEnd", i)));
}

/* The block of the method is around that; in one that is no block, the latter stands alone. */
static void blocks_in_methods(void **state)
{
    struct fixture *fixture = restart(state, 49);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    add_block(fixture, ACCESS_PUBLIC, "exported");
    add_block(fixture, ACCESS_PRIVATE | ACCESS_SYNTHETIC, "lambda$m$0");
    run(fixture);
    assert_string_equal(marks_of(fixture, "exported"),
                        "begin:20 " BLOCK "end:20 return end:20 athrow " DETOUR);
    assert_string_equal(marks_of(fixture, "lambda$m$0"), BLOCK "return " DETOUR);
    /* What leaves the inner block by an exception leaves the outer one, too. */
    const struct exception_handler *handler =
        handler_at(fixture, "exported", offset_of_mark(fixture, "exported", "blockEnd", 1));
    assert_non_null(handler);
    assert_true(handler->handler > offset_of_mark(fixture, "exported", "blockEnd", 2));
}

static void exempt_blocks(void **state)
{
    struct fixture *fixture = restart(state, 49);
    struct pattern_list methods;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    use_patterns(fixture, &methods, (const char *const[]){"q.Other", "!p.Sample.m", NULL});
    add_block(fixture, ACCESS_PUBLIC, "m");
    add_block(fixture, ACCESS_PRIVATE, "n");
    run(fixture);
    assert_false(is_marked(fixture, "m"));
    assert_string_equal(marks_of(fixture, "n"), BLOCK "return " DETOUR);
    pattern_list_release(&methods);
}

/* The last pattern that means a method counts. One for a whole class or package behind a '!' leaves
   it to the heuristics and to what is declared. */
static void last_pattern_counts(void **state)
{
    static const struct {
        const char *patterns[4];
        bool exported, run, hidden;
    } rows[] = {
        {{NULL}, true, false, false},
        {{"!*"}, false, false, false},
        {{"!*", "p.*"}, true, false, false},
        {{"!*", "p"}, true, false, false},
        {{"!*", "p.Sample"}, true, false, false},
        {{"!*", "p.Other"}, false, false, false},
        {{"!*", "p.*", "!p.Sample.exported"}, false, false, false},
        {{"!*", "p.*", "p.Sample.hidden"}, true, false, true},
        {{"!*", "p.Sample.hidden"}, false, false, true},
        {{"!p.Sample", "p.Sample.r*"}, false, true, false},
        {{"!*", "p.Sample.*(*)"}, true, true, true}, /* with types it is about methods */
        {{"p.*"}, true, true, true},
        {{"p.*", "!*"}, false, false, false},
        {{"p.Sample.hidden", "!p.*", "p.*"}, true, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture *fixture = restart(state, 49);
        struct pattern_list methods;
        fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
        use_patterns(fixture, &methods, rows[i].patterns);
        calling(fixture, ACCESS_PUBLIC, "exported", "()V", 7);
        calling(fixture, ACCESS_PUBLIC, "run", "()V", 7);
        calling(fixture, ACCESS_PRIVATE, "hidden", "()V", 7);
        add_block(fixture, ACCESS_PRIVATE, "locks"); /* there is always something to tell */
        run(fixture);
        assert_string_equal(marks_of(fixture, "exported"), rows[i].exported ? MARKED : UNMARKED);
        assert_string_equal(marks_of(fixture, "run"), rows[i].run ? MARKED : UNMARKED);
        assert_string_equal(marks_of(fixture, "hidden"), rows[i].hidden ? MARKED : UNMARKED);
        pattern_list_release(&methods);
    }
}

static void blocks_without_annotations(void **state)
{
    struct fixture *fixture = restart(state, 49);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_ANNOTATED;
    add_block(fixture, ACCESS_PRIVATE, "m");
    annotate(fixture, "m", ATTRIBUTE_RUNTIME_INVISIBLE_ANNOTATIONS, "Lp/Atomic;");
    run(fixture);
    assert_string_equal(marks_of(fixture, "m"),
                        "begin:20 number monitorenter entered call leaving monitorexit "
                        "monitorexit athrow end:20 return end:20 athrow " DETOUR);
}

/* One behind the other, with the objects in the same local, and a block inside the second: each end
   is that of its own begin. */
static void several_blocks(void **state)
{
    struct fixture *fixture = restart(state, 49);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    struct code *code =
        METHOD(fixture, ACCESS_STATIC, "m", "(Ljava/lang/Object;)V", OP_ALOAD_0, OP_DUP,
               OP_ASTORE_1, OP_MONITORENTER, OP_ALOAD_1, OP_MONITOREXIT, /* 6: */ OP_ALOAD_0,
               OP_DUP, OP_ASTORE_1, OP_MONITORENTER, /* 10: */ OP_ALOAD_0, OP_DUP, OP_ASTORE_2,
               OP_MONITORENTER, OP_ALOAD_2, OP_MONITOREXIT, /* 16: */ OP_ALOAD_1, OP_MONITOREXIT,
               OP_RETURN, /* 19: */ OP_ASTORE_3, OP_ALOAD_1, OP_MONITOREXIT, OP_ALOAD_3, OP_ATHROW);
    const struct exception_handler handlers[] = {{10, 18, 19, 0}};
    const struct line_number lines[] = {{0, 1}, {6, 2}, {10, 3}, {16, 4}};
    add_handlers(fixture, code, handlers, 1);
    add_lines(fixture, code, lines, 4);
    run(fixture);
    assert_string_equal(marks_of(fixture, "m"),
                        "begin:1 number monitorenter entered leaving monitorexit end:1 "
                        "begin:2 number monitorenter entered begin:3 number monitorenter entered "
                        "leaving monitorexit end:3 leaving monitorexit end:2 return "
                        "leaving monitorexit end:2 athrow ");
}

/* ---- where a trace is recorded ---- */

/* One call tells of the block and of its lock. */
static void recorded_blocks(void **state)
{
    struct fixture *fixture = restart(state, 49);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    fixture->instrument.recorded = true;
    add_block(fixture, ACCESS_PRIVATE, "m");
    run(fixture);
    assert_string_equal(marks_of(fixture, "m"),
                        "number monitorenter entered:21@21 call leaving:21@23 monitorexit left "
                        "monitorexit left athrow return leaving:21@23 athrow ");
    assert_int_equal(fixture->instrument.blocks, 1);
    assert_string_equal(code_of(fixture, "$turnstile$c0"),
                        "aload_0 iload_1 iload_2 iconst_1 iadd iload_3 iconst_1 iadd "
                        "invokestatic:entered return ");
    assert_string_equal(code_of(fixture, "$turnstile$c1"),
                        "aload_0 iload_1 iload_2 iconst_1 iadd iload_3 iconst_1 iadd "
                        "invokestatic:leaving return ");
}

static void recorded_methods(void **state)
{
    struct fixture *fixture = *state;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    fixture->instrument.recorded = true;
    calling(fixture, ACCESS_SYNCHRONIZED, "own", "()V", 7);
    calling(fixture, ACCESS_PUBLIC, "exported", "()V", 8);
    run(fixture);
    assert_string_equal(marks_of(fixture, "own"),
                        "entered:7@7 call leaving:7 left return leaving:7@7 left athrow ");
    assert_string_equal(marks_of(fixture, "exported"), "begin:8 call end:8 return end:8 athrow ");
}

/* Monitors that are no blocks, or not known to be, are told alone. */
static void recorded_monitors(void **state)
{
    struct fixture *fixture = restart(state, 49);
    struct pattern_list methods;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    fixture->instrument.recorded = true;
    use_patterns(fixture, &methods, (const char *const[]){"q.Other", "!p.Sample.m", NULL});
    add_block(fixture, ACCESS_PUBLIC | ACCESS_SYNCHRONIZED, "m");
    METHOD(fixture, ACCESS_STATIC, "open", "(Ljava/lang/Object;)V", OP_ALOAD_0, OP_MONITORENTER,
           OP_RETURN);
    run(fixture);
    assert_string_equal(marks_of(fixture, "m"),
                        "entered@20 number monitorenter entered@21 call leaving@23 monitorexit "
                        "monitorexit athrow leaving return leaving@24 athrow leaving@23 athrow ");
    assert_string_equal(marks_of(fixture, "open"), "number monitorenter entered@0 return ");
    pattern_list_release(&methods);
}

/* ---- blocks that cannot be paired ---- */

static void check_unpaired(struct fixture *fixture, const char *name)
{
    run(fixture);
    assert_null(strstr(marks_of(fixture, name), "begin:"));
    assert_null(strstr(marks_of(fixture, name), "end:"));
    assert_non_null(strstr(marks_of(fixture, name), "entered "));
    assert_int_equal(fixture->instrument.blocks, 0);
}

static void monitors_that_stay(void **state)
{
    struct fixture *fixture = restart(state, 49);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    METHOD(fixture, ACCESS_STATIC, "m", "(Ljava/lang/Object;)V", OP_ALOAD_0, OP_MONITORENTER,
           OP_RETURN);
    check_unpaired(fixture, "m");
}

/* The call may throw, and nobody leaves the monitor then. */
static void monitors_that_stay_after_exceptions(void **state)
{
    struct fixture *fixture = restart(state, 49);
    uint16_t call = method_constant(fixture, "p/Other", "call", "()V");
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    METHOD(fixture, ACCESS_STATIC, "m", "(Ljava/lang/Object;)V", OP_ALOAD_0, OP_MONITORENTER,
           OP_INVOKESTATIC, TWO(call), OP_ALOAD_0, OP_MONITOREXIT, OP_RETURN);
    check_unpaired(fixture, "m");
}

/* if (parameter != 0) monitorenter; monitorexit */
static void monitors_by_the_way_taken(void **state)
{
    struct fixture *fixture = restart(state, 49);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    METHOD(fixture, ACCESS_STATIC, "m", "(Ljava/lang/Object;I)V", OP_ILOAD_1, OP_IFEQ, TWO(5),
           OP_ALOAD_0, OP_MONITORENTER, OP_ALOAD_0, OP_MONITOREXIT, OP_RETURN);
    check_unpaired(fixture, "m");
}

/* if (parameter != 0) { synchronized } return: both ways come to the instruction behind the
   monitorexit, where the end would have to stand. */
static void jumps_behind_blocks(void **state)
{
    struct fixture *fixture = restart(state, 49);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    METHOD(fixture, ACCESS_STATIC, "m", "(Ljava/lang/Object;I)V", OP_ILOAD_1, OP_IFEQ, TWO(7),
           OP_ALOAD_0, OP_MONITORENTER, OP_ALOAD_0, OP_MONITOREXIT, OP_RETURN);
    check_unpaired(fixture, "m");
}

static void subroutines(void **state)
{
    struct fixture *fixture = restart(state, 49);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    METHOD(fixture, ACCESS_STATIC, "m", "(Ljava/lang/Object;)V", OP_ALOAD_0, OP_MONITORENTER,
           OP_JSR, TWO(4), OP_RETURN, OP_ASTORE_1, OP_ALOAD_0, OP_MONITOREXIT, OP_RET, 1);
    check_unpaired(fixture, "m");
}

/* ---- limits ---- */

/* So long that the check of its access fits and the marks do not. */
static void too_large(void **state)
{
    struct fixture *fixture = restart(state, 49);
    uint16_t field = add_field(fixture, ACCESS_STATIC, "f", "I");
    static uint8_t bytes[65525];
    memset(bytes, OP_NOP, sizeof bytes);
    const uint8_t last[] = {OP_GETSTATIC, TWO(field), OP_IRETURN};
    memcpy(bytes + sizeof bytes - sizeof last, last, sizeof last);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    add_method(fixture, ACCESS_PUBLIC, "huge", "()I", bytes, sizeof bytes);
    calling(fixture, ACCESS_PUBLIC, "m", "()V", 7);
    run(fixture);
    assert_int_equal(member_code(find_method(fixture, "huge"))->length, sizeof bytes + 4);
    assert_false(is_marked(fixture, "huge"));
    assert_string_equal(marks_of(fixture, "m"), MARKED);
    assert_int_equal(fixture->instrument.blocks, 1);
    /* The access, which is the first of its class, and the block of the other method. */
    assert_int_equal(sites_count(&fixture->sites), 2);
}

static void just_not_too_large(void **state)
{
    struct fixture *fixture = restart(state, 49);
    uint16_t field = add_field(fixture, ACCESS_STATIC, "f", "I");
    static uint8_t bytes[65490];
    memset(bytes, OP_NOP, sizeof bytes);
    const uint8_t last[] = {OP_GETSTATIC, TWO(field), OP_IRETURN};
    memcpy(bytes + sizeof bytes - sizeof last, last, sizeof last);
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    add_method(fixture, ACCESS_PUBLIC, "huge", "()I", bytes, sizeof bytes);
    run(fixture);
    assert_string_equal(marks_of(fixture, "huge"), "begin:0 end:0 ireturn end:0 athrow ");
}

/* Before version 52 an interface can have no check methods. */
static void interfaces_without_checks(void **state)
{
    struct fixture *fixture = restart(state, 49);
    fixture->sample.class_file.access = ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT;
    fixture->instrument.atomic = INSTRUMENT_ATOMIC_HEURISTICS;
    METHOD(fixture, ACCESS_STATIC, "<clinit>", "()V", OP_ACONST_NULL, OP_MONITORENTER,
           OP_ACONST_NULL, OP_MONITOREXIT, OP_RETURN);
    run(fixture);
    assert_int_equal(added_methods(fixture), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(exported_and_synchronized_methods),
        TEST(other_mains_and_runs),
        TEST(synchronized_run),
        TEST(constructors),
        TEST(trivial_methods),
        TEST(annotated_methods),
        TEST(patterns),
        TEST(last_pattern_counts),
        TEST(patterns_with_types),
        TEST(declared_in_files),
        TEST(nothing_asked_for),
        TEST(ways_out_of_a_method),
        TEST(synchronized_methods),
        TEST(sites_of_blocks),
        TEST(methods_of_interfaces),
        TEST(a_synchronized_block),
        TEST(blocks_in_methods),
        TEST(exempt_blocks),
        TEST(blocks_without_annotations),
        TEST(several_blocks),
        TEST(recorded_blocks),
        TEST(recorded_methods),
        TEST(recorded_monitors),
        TEST(monitors_that_stay),
        TEST(monitors_that_stay_after_exceptions),
        TEST(monitors_by_the_way_taken),
        TEST(jumps_behind_blocks),
        TEST(subroutines),
        TEST(too_large),
        TEST(just_not_too_large),
        TEST(interfaces_without_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
