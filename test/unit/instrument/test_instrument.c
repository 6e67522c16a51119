/*
 * instrument: which members are added to small classes made by hand, and what stands before their
 * accesses of fields. The forms are those that instrument.h, checks.h and fields.c describe.
 * Monitors and calls, arrays, collections and library classes have tests of their own.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "instrument/instrument_fixture.h"

/* ---- shadows ---- */

static void shadows(void **state)
{
    struct fixture *fixture = *state;
    add_field(fixture, ACCESS_PUBLIC, "x", "I");
    add_field(fixture, 0, "x", "J"); /* the JVM allows that */
    add_field(fixture, ACCESS_STATIC | ACCESS_PUBLIC, "s", "Ljava/lang/String;");
    add_field(fixture, ACCESS_FINAL, "fixed", "I");
    add_field(fixture, ACCESS_STATIC | ACCESS_FINAL, "FIXED", "I");
    add_field(fixture, ACCESS_VOLATILE, "v", "I");
    METHOD(fixture, ACCESS_STATIC, "m", "()V", OP_RETURN);
    run(fixture);
    assert_int_equal(added_fields(fixture), 3);
    assert_int_equal(added_methods(fixture), 0);
    check_field(fixture, find_shadow(fixture, "x", "I"), HIDDEN | ACCESS_TRANSIENT, "J");
    check_field(fixture, find_shadow(fixture, "x", "J"), HIDDEN | ACCESS_TRANSIENT, "J");
    check_field(fixture, find_shadow(fixture, "s", "Ljava/lang/String;"),
                HIDDEN | ACCESS_TRANSIENT | ACCESS_STATIC, "J");
    assert_ptr_not_equal(find_shadow(fixture, "x", "I"), find_shadow(fixture, "x", "J"));
    assert_int_equal(fixture->instrument.fields, 3);
    assert_int_equal(fixture->instrument.classes, 1);
}

static void nothing_to_do(void **state)
{
    struct fixture *fixture = *state;
    uint16_t fixed = add_field(fixture, ACCESS_FINAL | ACCESS_STATIC, "FIXED", "I");
    uint16_t out = field_constant(fixture, "java/lang/System", "out", "Ljava/io/PrintStream;");
    METHOD(fixture, ACCESS_STATIC, "m", "()V", OP_GETSTATIC, TWO(fixed), OP_POP, OP_GETSTATIC,
           TWO(out), OP_POP, OP_RETURN);
    assert_int_equal(rewrite(fixture), CLASS_UNCHANGED);
    assert_int_equal(fixture->instrument.classes, 0);
}

/* ---- accesses of instance fields ---- */

static void a_read_of_this(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I");
    struct code *code =
        METHOD(fixture, 0, "m", "()I", OP_NOP, OP_ALOAD_0, OP_GETFIELD, TWO(x), OP_IRETURN);
    struct line_number lines[] = {{0, 10}, {1, 11}};
    struct line_numbers table = {lines, 2};
    struct attribute *attribute = class_editor_add_attribute(&fixture->editor, &code->attributes,
                                                             ATTRIBUTE_LINE_NUMBER_TABLE);
    assert_non_null(attribute);
    attribute->as.line_numbers = &table;
    run(fixture);
    assert_string_equal(code_of(fixture, "m"), "nop aload_0 aload_0 iconst_0 invokestatic:%c0 "
                                               "getfield:x ireturn ");
    assert_text(descriptor_of(fixture, "$turnstile$c0"), "(Lp/Sample;I)V");
    assert_string_equal(uses_of(fixture, "$turnstile$c0"),
                        "getfield:%w$x invokestatic:isReadCovered getstatic:%o0 "
                        "invokestatic:readField getstatic:%o0 putstatic:%o0 ");
    check_field(fixture, find_field(fixture, "$turnstile$o0"),
                HIDDEN | ACCESS_TRANSIENT | ACCESS_STATIC, "J");
    /* The site says where it is. */
    struct site site;
    struct accessed accessed;
    assert_int_equal(sites_count(&fixture->sites), 1);
    assert_true(sites_get(&fixture->sites, 1, &site));
    assert_text(site.class_name, "p/Sample");
    assert_text(site.method, "m");
    assert_int_equal(site.line, 11);
    assert_true(sites_get_accessed(&fixture->sites, site.accessed, &accessed));
    assert_int_equal(accessed.kind, ACCESSED_FIELD);
    assert_text(accessed.owner, "p/Sample");
    assert_text(accessed.name, "x");
    assert_text(accessed.descriptor, "I");
}

/* The object may be null: the check lets that through, and the access throws. */
static void a_read_of_another(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I");
    METHOD(fixture, 0, "m", "(Lp/Sample;)I", OP_ALOAD_1, OP_GETFIELD, TWO(x), OP_IRETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "aload_1 dup iconst_0 invokestatic:%c0 getfield:x ireturn ");
    assert_true(strncmp(code_of(fixture, "$turnstile$c0"), "aload_0 ifnull ", 15) == 0);
}

static void writes(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I");
    uint16_t wide = add_field(fixture, 0, "wide", "J");
    METHOD(fixture, 0, "ofThis", "()V", OP_ALOAD_0, OP_ICONST_1, OP_PUTFIELD, TWO(x), OP_RETURN);
    METHOD(fixture, 0, "ofOther", "(Lp/Sample;)V", OP_ALOAD_1, OP_ICONST_1, OP_PUTFIELD, TWO(x),
           OP_RETURN);
    METHOD(fixture, 0, "wide", "(Lp/Sample;)V", OP_ALOAD_1, OP_LCONST_0, OP_PUTFIELD, TWO(wide),
           OP_RETURN);
    METHOD(fixture, 0, "wideOfThis", "()V", OP_ALOAD_0, OP_LCONST_0, OP_PUTFIELD, TWO(wide),
           OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "ofThis"), "aload_0 iconst_1 aload_0 iconst_0 "
                                                    "invokestatic:%c0 putfield:x return ");
    assert_string_equal(code_of(fixture, "ofOther"), "aload_1 iconst_1 dup2 pop iconst_1 "
                                                     "invokestatic:%c0 putfield:x return ");
    /* The object is below two slots: it comes up for the check and goes back. */
    assert_string_equal(code_of(fixture, "wide"),
                        "aload_1 lconst_0 dup2_x1 pop2 dup iconst_2 invokestatic:%c1 dup_x2 pop "
                        "putfield:wide return ");
    assert_string_equal(code_of(fixture, "wideOfThis"), "aload_0 lconst_0 aload_0 iconst_3 "
                                                        "invokestatic:%c1 putfield:wide return ");
    /* One method for each field and kind. */
    assert_int_equal(added_methods(fixture), 2);
    assert_string_equal(uses_of(fixture, "$turnstile$c1"),
                        "getfield:%w$wide invokestatic:isWriteCovered getstatic:%o1 "
                        "invokestatic:writeField getstatic:%o1 putstatic:%o1 ");
    assert_int_equal(fixture->instrument.accesses, 4);
}

/* Local 0 is not `this` all over the method. */
static void this_overwritten(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I");
    METHOD(fixture, 0, "m", "(Lp/Sample;)V", OP_ALOAD_0, OP_ALOAD_1, OP_ASTORE_0, OP_ICONST_1,
           OP_PUTFIELD, TWO(x), OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"), "aload_0 aload_1 astore_0 iconst_1 dup2 pop "
                                               "iconst_0 invokestatic:%c0 putfield:x return ");
}

static void a_field_of_another_class(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = field_constant(fixture, "p/Other", "x", "I");
    METHOD(fixture, 0, "m", "(Lp/Other;)I", OP_ALOAD_1, OP_GETFIELD, TWO(x), OP_IRETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "aload_1 dup iconst_0 invokestatic:%c0 getfield:x ireturn ");
    assert_text(descriptor_of(fixture, "$turnstile$c0"), "(Ljava/lang/Object;I)V");
    /* By its offset, once that is known. */
    assert_int_equal(added_fields(fixture), 1);
    assert_non_null(find_field(fixture, "$turnstile$o0"));
    assert_non_null(strstr(uses_of(fixture, "$turnstile$c0"),
                           "getstatic:%o0 invokestatic:word invokestatic:isReadCovered "
                           "getstatic:%o0 invokestatic:readField getstatic:%o0 putstatic:%o0 "));
}

static void constructors(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I");
    uint16_t fixed = add_field(fixture, ACCESS_FINAL, "fixed", "I");
    uint16_t object = method_constant(fixture, "java/lang/Object", "<init>", "()V");
    METHOD(fixture, 0, "<init>", "(Lp/Sample;)V", OP_ALOAD_0, OP_ICONST_1, OP_PUTFIELD, TWO(x),
           OP_ALOAD_0, OP_INVOKESPECIAL, TWO(object), OP_ALOAD_0, OP_ICONST_2, OP_PUTFIELD, TWO(x),
           OP_ALOAD_0, OP_ICONST_3, OP_PUTFIELD, TWO(fixed), OP_ALOAD_1, OP_ICONST_4, OP_PUTFIELD,
           TWO(x), OP_RETURN);
    run(fixture);
    /* Nothing before super(), when `this` may not be passed on; nothing for a final field. */
    assert_string_equal(code_of(fixture, "<init>"),
                        "aload_0 iconst_1 putfield:x aload_0 invokespecial:<init> "
                        "aload_0 iconst_2 aload_0 iconst_0 invokestatic:%c0 putfield:x "
                        "aload_0 iconst_3 putfield:fixed "
                        "aload_1 iconst_4 dup2 pop iconst_1 invokestatic:%c1 putfield:x return ");
    /* A field of one's own that nobody has touched becomes this thread's; but the first times,
       which are counted, it is an access like any other. */
    assert_string_equal(
        uses_of(fixture, "$turnstile$c0"),
        "getfield:%w$x getstatic:%s0 getstatic:%s0 putstatic:%s0 "
        "invokestatic:fresh putfield:%w$x getfield:%w$x "
        "invokestatic:isWriteCovered getstatic:%o0 invokestatic:writeField getstatic:%o0 "
        "putstatic:%o0 ");
    assert_null(strstr(uses_of(fixture, "$turnstile$c1"), "fresh"));
}

/* ---- static fields ---- */

static void own_statics(void **state)
{
    struct fixture *fixture = *state;
    uint16_t s = add_field(fixture, ACCESS_STATIC, "s", "J");
    METHOD(fixture, ACCESS_STATIC, "read", "()J", OP_GETSTATIC, TWO(s), OP_LRETURN);
    METHOD(fixture, ACCESS_STATIC, "write", "()V", OP_LCONST_0, OP_PUTSTATIC, TWO(s), OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "read"), "iconst_0 invokestatic:%c0 getstatic:s lreturn ");
    assert_string_equal(code_of(fixture, "write"),
                        "lconst_0 iconst_1 invokestatic:%c1 putstatic:s return ");
    assert_text(descriptor_of(fixture, "$turnstile$c0"), "(I)V");
    assert_string_equal(uses_of(fixture, "$turnstile$c0"),
                        "getstatic:%w$s invokestatic:isReadCovered ldc:class p/Sample "
                        "getstatic:%o0 invokestatic:readField getstatic:%o0 putstatic:%o0 ");
    assert_string_equal(uses_of(fixture, "$turnstile$c1"),
                        "getstatic:%w$s invokestatic:isWriteCovered ldc:class p/Sample "
                        "getstatic:%o1 invokestatic:writeField getstatic:%o1 putstatic:%o1 ");
}

/* The first use initializes the other class, or fails: before the check, with the program's stack.
 */
static void statics_of_others(void **state)
{
    struct fixture *fixture = *state;
    uint16_t wide = field_constant(fixture, "p/Other", "wide", "J");
    uint16_t s = field_constant(fixture, "p/Other", "s", "I");
    METHOD(fixture, ACCESS_STATIC, "m", "()V", OP_GETSTATIC, TWO(wide), OP_POP2, OP_ICONST_1,
           OP_PUTSTATIC, TWO(s), OP_RETURN);
    run(fixture);
    assert_string_equal(
        code_of(fixture, "m"),
        "getstatic:wide pop2 iconst_0 invokestatic:%c0 getstatic:wide pop2 iconst_1 "
        "getstatic:s pop iconst_1 invokestatic:%c1 putstatic:s return ");
    /* The class that declares the field is asked for once and kept. */
    check_field(fixture, find_field(fixture, "$turnstile$h0"),
                HIDDEN | ACCESS_TRANSIENT | ACCESS_STATIC, "Ljava/lang/Object;");
    const char *uses = uses_of(fixture, "$turnstile$c0");
    assert_non_null(strstr(uses, "ldc:class p/Other invokestatic:holder putstatic:%h0 "));
    assert_non_null(strstr(uses,
                           "invokestatic:word invokestatic:isReadCovered getstatic:%h0 "
                           "getstatic:%o0 invokestatic:readField getstatic:%o0 putstatic:%o0 "));
}

/* ---- arrays ---- */

/* A final field holds the same array each time: its words are kept beside it, once they were looked
   up. Not so for a field that may change. */
static void words_beside_final_fields(void **state)
{
    struct fixture *fixture = *state;
    uint16_t fixed = add_field(fixture, ACCESS_FINAL, "fixed", "[I");
    uint16_t shared = add_field(fixture, ACCESS_FINAL | ACCESS_STATIC, "shared", "[I");
    uint16_t open = add_field(fixture, 0, "open", "[I");
    add_field(fixture, ACCESS_FINAL, "unused", "[I");
    METHOD(fixture, 0, "fixed", "()I", OP_ALOAD_0, OP_GETFIELD, TWO(fixed), OP_ICONST_2, OP_IALOAD,
           OP_IRETURN);
    METHOD(fixture, 0, "shared", "()I", OP_GETSTATIC, TWO(shared), OP_ICONST_2, OP_IALOAD,
           OP_IRETURN);
    METHOD(fixture, 0, "open", "()I", OP_ALOAD_0, OP_GETFIELD, TWO(open), OP_ICONST_2, OP_IALOAD,
           OP_IRETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "fixed"),
                        "aload_0 getfield:fixed iconst_2 dup2 swap "
                        "aload_0 getfield:%a$fixed dup ifnonnull "
                        "pop dup iconst_0 invokestatic:words dup aload_0 swap putfield:%a$fixed "
                        "swap pop swap iconst_0 invokestatic:%c0 iaload ireturn ");
    assert_string_equal(code_of(fixture, "shared"),
                        "getstatic:shared iconst_2 dup2 swap getstatic:%a$shared dup ifnonnull "
                        "pop dup iconst_1 invokestatic:words dup putstatic:%a$shared "
                        "swap pop swap iconst_1 invokestatic:%c1 iaload ireturn ");
    assert_non_null(strstr(uses_of(fixture, "open"), "getfield:open invokestatic:words "));
    const uint16_t hidden = HIDDEN | ACCESS_TRANSIENT;
    const struct text name =
        checks_beside_name(&fixture->arena, CHECK_BESIDE_WORDS, TEXT("fixed"), TEXT("[I"));
    check_field(fixture, find(fixture, fixture->result->fields, fixture->result->field_count, name),
                hidden, "[J");
    /* Two of them, and the shadow and the offsets of `open`, which is a field like others. */
    unsigned words = 0;
    for (uint16_t i = 0; i < fixture->result->field_count; i++)
        words += text_is(class_utf8(fixture->result, fixture->result->fields[i].descriptor), "[J");
    assert_int_equal(words, 2);
}

/* ---- volatiles ---- */

static void volatiles(void **state)
{
    struct fixture *fixture = *state;
    uint16_t v = add_field(fixture, ACCESS_VOLATILE, "v", "I");
    uint16_t s = add_field(fixture, ACCESS_VOLATILE | ACCESS_STATIC, "s", "I");
    METHOD(fixture, 0, "m", "()V", OP_ALOAD_0, OP_GETFIELD, TWO(v), OP_PUTSTATIC, TWO(s),
           OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "aload_0 aload_0 iconst_0 invokestatic:%c0 getfield:v iconst_1 "
                        "invokestatic:%c1 putstatic:s return ");
    assert_string_equal(uses_of(fixture, "$turnstile$c0"), "invokestatic:volatileRead ");
    assert_string_equal(uses_of(fixture, "$turnstile$c1"),
                        "ldc:class p/Sample invokestatic:volatileWrite ");
    assert_int_equal(added_fields(fixture), 0);
}

/* ---- what the options say ---- */

/* Volatiles order threads whoever looks at them, and a field of another class may be one. */
static void watched_only(void **state)
{
    struct fixture *fixture = *state;
    struct pattern_list watch = {0};
    assert_true(pattern_list_add(&watch, &fixture->arena, TEXT("p.Sample.x")));
    fixture->instrument.watch = &watch;
    uint16_t x = add_field(fixture, 0, "x", "I");
    uint16_t y = add_field(fixture, 0, "y", "I");
    uint16_t v = add_field(fixture, ACCESS_VOLATILE, "v", "I");
    uint16_t other = field_constant(fixture, "p/Other", "x", "I");
    METHOD(fixture, 0, "m", "(Lp/Other;)V", OP_ALOAD_0, OP_ALOAD_0, OP_GETFIELD, TWO(x),
           OP_PUTFIELD, TWO(y), OP_ALOAD_0, OP_GETFIELD, TWO(v), OP_POP, OP_ALOAD_1, OP_GETFIELD,
           TWO(other), OP_POP, OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "aload_0 aload_0 aload_0 iconst_0 invokestatic:%c0 getfield:x putfield:y "
                        "aload_0 aload_0 iconst_1 invokestatic:%c1 getfield:v pop "
                        "aload_1 dup iconst_2 invokestatic:%c2 getfield:x pop return ");
    assert_string_equal(uses_of(fixture, "$turnstile$c1"), "invokestatic:volatileRead ");
    assert_non_null(find_shadow(fixture, "x", "I"));
    assert_null(find_shadow(fixture, "y", "I"));
    pattern_list_release(&watch);
}

static void one_word_for_an_object(void **state)
{
    struct fixture *fixture = *state;
    fixture->instrument.object_words = true;
    uint16_t x = add_field(fixture, 0, "x", "I");
    uint16_t y = add_field(fixture, 0, "y", "I");
    uint16_t s = add_field(fixture, ACCESS_STATIC, "s", "I");
    METHOD(fixture, 0, "m", "()V", OP_ALOAD_0, OP_ALOAD_0, OP_GETFIELD, TWO(x), OP_PUTFIELD, TWO(y),
           OP_GETSTATIC, TWO(s), OP_POP, OP_RETURN);
    run(fixture);
    check_field(fixture, find_field(fixture, "$turnstile$w"), HIDDEN | ACCESS_TRANSIENT, "J");
    assert_null(find_shadow(fixture, "x", "I"));
    assert_null(find_shadow(fixture, "y", "I"));
    assert_non_null(find_shadow(fixture, "s", "I"));
    assert_true(strncmp(uses_of(fixture, "$turnstile$c0"), "getfield:%w ", 12) == 0);
    assert_true(strncmp(uses_of(fixture, "$turnstile$c1"), "getfield:%w ", 12) == 0);
    assert_true(strncmp(uses_of(fixture, "$turnstile$c2"), "getstatic:%w$s ", 15) == 0);
    assert_int_equal(sites_variable_at(&fixture->sites, 1), sites_variable_at(&fixture->sites, 2));
    assert_int_not_equal(sites_variable_at(&fixture->sites, 1),
                         sites_variable_at(&fixture->sites, 3));
    /* Each place still tells which field it was. */
    struct site site;
    struct accessed accessed;
    assert_true(sites_get(&fixture->sites, 2, &site));
    assert_true(sites_get_accessed(&fixture->sites, site.accessed, &accessed));
    assert_text(accessed.name, "y");
}

/* ---- kinds of classes ---- */

/* Fields of interfaces are public and final, so nothing is kept there. */
static void interfaces(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.class_file.access = ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT;
    add_field(fixture, ACCESS_PUBLIC | ACCESS_STATIC | ACCESS_FINAL, "FIXED", "I");
    uint16_t x = field_constant(fixture, "p/Other", "x", "I");
    METHOD(fixture, ACCESS_PUBLIC, "m", "(Lp/Other;)V", OP_ALOAD_1, OP_GETFIELD, TWO(x), OP_POP,
           OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "aload_1 dup iconst_0 invokestatic:%c0 getfield:x pop return ");
    assert_int_equal(added_fields(fixture), 0);
    assert_string_equal(uses_of(fixture, "$turnstile$c0"), "invokestatic:readField ");
    /* JVMS 4.4.2: a method of an interface is named by an InterfaceMethodref. */
    struct bytecode bytecode;
    decode(fixture, "m", &bytecode);
    for (uint32_t i = 0; i < bytecode.count; i++)
        if (bytecode.instructions[i].opcode == OP_INVOKESTATIC)
            assert_true(class_member_reference(fixture->result, bytecode.instructions[i].operand)
                            .interface);
}

/* JVMS 4.6: before version 52 all methods of an interface are public and abstract. So there are no
   checks, but what the initializer does for order is told. */
static void old_interfaces(void **state)
{
    struct fixture *fixture = restart(state, 51);
    fixture->sample.class_file.access = ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT;
    uint16_t data = field_constant(fixture, "p/Other", "data", "[I");
    uint16_t list = field_constant(fixture, "p/Other", "list", "Ljava/util/ArrayList;");
    uint16_t clear = method_constant(fixture, "java/util/ArrayList", "clear", "()V");
    METHOD(fixture, ACCESS_STATIC, "<clinit>", "()V", OP_GETSTATIC, TWO(data), OP_ICONST_0,
           OP_IALOAD, OP_POP, OP_GETSTATIC, TWO(list), OP_INVOKEVIRTUAL, TWO(clear), OP_RETURN);
    run(fixture);
    assert_int_equal(added_methods(fixture), 0);
    assert_int_equal(added_fields(fixture), 0);
    assert_string_equal(code_of(fixture, "<clinit>"),
                        "invokestatic:initializing getstatic:data iconst_0 iaload pop "
                        "getstatic:list invokevirtual:clear invokestatic:initialized return "
                        "invokestatic:initialized athrow ");
}

static bool is_identifier(struct text name)
{
    for (size_t i = 0; i < name.length; i++) {
        const char c = name.bytes[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '$' || c == '_' ||
              (i && c >= '0' && c <= '9')))
            return false;
    }
    return name.length;
}

/* JVMS 4.2.2, and ldc in 6.5: before version 49 names are identifiers of the Java language, and ldc
   loads no classes. */
static void version_48(void **state)
{
    struct fixture *fixture = restart(state, 48);
    uint16_t s = add_field(fixture, ACCESS_STATIC, "s", "Ljava/lang/String;");
    uint16_t other = field_constant(fixture, "p/q/Other", "s", "[I");
    METHOD(fixture, ACCESS_STATIC | ACCESS_SYNCHRONIZED, "m", "()V", OP_GETSTATIC, TWO(s), OP_POP,
           OP_GETSTATIC, TWO(other), OP_POP, OP_RETURN);
    run(fixture);
    const struct class_file *result = fixture->result;
    for (uint16_t i = 0; i < result->field_count; i++)
        assert_true(is_identifier(name_of(fixture, &result->fields[i])));
    for (uint16_t i = 0; i < result->method_count; i++) {
        struct builder name;
        assert_true(is_identifier(name_of(fixture, &result->methods[i])));
        builder_init(&name);
        builder_add(&name, name_of(fixture, &result->methods[i]));
        assert_null(strstr(uses_of(fixture, builder_string(&name)), "ldc:class"));
        builder_release(&name);
    }
    assert_non_null(
        strstr(uses_of(fixture, "$turnstile$c0"), "ldc:string p.Sample invokestatic:forName "));
    assert_non_null(strstr(uses_of(fixture, "$turnstile$c1"), "ldc:string p.q.Other "));
    assert_non_null(strstr(uses_of(fixture, "m"), "ldc:string p.Sample invokestatic:forName "
                                                  "invokestatic:entered "));
}

/* ---- without memory ---- */

static bool instrument_once(void *context)
{
    struct fixture *fixture = context;
    fixture->left = 0;
    enum class_rewritten result = rewrite(fixture);
    if (result == CLASS_REWRITTEN)
        return fixture->left == 0;
    assert_true(result == CLASS_LEFT || result == CLASS_UNREADABLE);
    return false;
}

/* A class is rewritten as a whole or stays; the next try can succeed. */
static void memory_runs_out(void **state)
{
    for (uint16_t major = 48; major <= 61; major += 13) {
        struct fixture *fixture = restart(state, major);
        uint16_t x = add_field(fixture, 0, "x", "I");
        uint16_t s = field_constant(fixture, "p/Other", "s", "I");
        uint16_t add =
            method_constant(fixture, "java/util/ArrayList", "add", "(Ljava/lang/Object;)Z");
        uint16_t wait = method_constant(fixture, "java/lang/Object", "wait", "(J)V");
        uint16_t object = method_constant(fixture, "java/lang/Object", "<init>", "()V");
        METHOD(fixture, ACCESS_SYNCHRONIZED, "m", "()V", OP_ALOAD_0, OP_GETSTATIC, TWO(s),
               OP_PUTFIELD, TWO(x), OP_RETURN);
        METHOD(fixture, ACCESS_STATIC, "n", "([ILjava/util/ArrayList;)V", OP_ALOAD_0, OP_ICONST_0,
               OP_ICONST_1, OP_IASTORE, OP_ALOAD_1, OP_ACONST_NULL, OP_INVOKEVIRTUAL, TWO(add),
               OP_POP, OP_ALOAD_1, OP_MONITORENTER, OP_ALOAD_1, OP_LCONST_1, OP_INVOKEVIRTUAL,
               TWO(wait), OP_ALOAD_1, OP_MONITOREXIT, OP_RETURN);
        METHOD(fixture, 0, "<init>", "()V", OP_ALOAD_0, OP_INVOKESPECIAL, TWO(object), OP_ALOAD_0,
               OP_ICONST_1, OP_PUTFIELD, TWO(x), OP_RETURN);
        assert_true(support_fail_each_request(instrument_once, fixture) > 5);
        run(fixture);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(shadows),
        TEST(nothing_to_do),
        TEST(a_read_of_this),
        TEST(a_read_of_another),
        TEST(writes),
        TEST(this_overwritten),
        TEST(a_field_of_another_class),
        TEST(constructors),
        TEST(own_statics),
        TEST(statics_of_others),
        TEST(words_beside_final_fields),
        TEST(volatiles),
        TEST(watched_only),
        TEST(one_word_for_an_object),
        TEST(interfaces),
        TEST(old_interfaces),
        TEST(version_48),
        TEST(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
