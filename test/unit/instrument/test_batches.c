/*
 * batches: which accesses share a check. Each case is a few instructions; what must be checked
 * follows from who could see what: a check may be left out or moved only where the thread surely
 * makes the access, and acquires and releases nothing in between.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "instrument_fixture.h"

/* Fields of every class here; x and y of p/Other are another class's. */
struct fields {
    uint16_t x, y, v, s, other_x, other_y, other_z;
};

static struct fields add_fields(struct fixture *fixture)
{
    return (struct fields){
        .x = add_field(fixture, 0, "x", "I"),
        .y = add_field(fixture, 0, "y", "I"),
        .v = add_field(fixture, ACCESS_VOLATILE, "v", "I"),
        .s = add_field(fixture, ACCESS_STATIC, "s", "I"),
        .other_x = field_constant(fixture, "p/Other", "x", "I"),
        .other_y = field_constant(fixture, "p/Other", "y", "I"),
        .other_z = field_constant(fixture, "p/Other", "z", "I"),
    };
}

/* ---- a second check ---- */

static void a_second_read(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "m", "()I", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_ALOAD_0, OP_GETFIELD,
           TWO(f.x), OP_IADD, OP_IRETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"), "invokestatic:%c0 getfield:x getfield:x ");
    /* Both are watched. */
    assert_int_equal(fixture->instrument.accesses, 2);
}

static void a_read_of_what_was_written(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "m", "(Lp/Sample;)I", OP_ALOAD_1, OP_ICONST_1, OP_PUTFIELD, TWO(f.x),
           OP_ALOAD_1, OP_GETFIELD, TWO(f.x), OP_IRETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"), "invokestatic:%c0 putfield:x getfield:x ");
}

/* The next instruction behind a branch that is not taken has no other way to it. */
static void a_second_read_behind_a_branch(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "m", "()I", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_IFEQ, 0, 8, OP_ALOAD_0,
           OP_GETFIELD, TWO(f.x), OP_IRETURN, OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_IRETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"), "invokestatic:%c0 getfield:x getfield:x "
                                               "invokestatic:%c0 getfield:x ");
}

static void reads_around_a_release(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    uint16_t unknown = method_constant(fixture, "p/Other", "call", "()V");
    METHOD(fixture, 0, "volatile", "()I", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_ALOAD_0,
           OP_ICONST_0, OP_PUTFIELD, TWO(f.v), OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_IADD,
           OP_IRETURN);
    METHOD(fixture, 0, "call", "()I", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_INVOKESTATIC,
           TWO(unknown), OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_IADD, OP_IRETURN);
    METHOD(fixture, 0, "other", "(Lp/Other;)I", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_ALOAD_1,
           OP_ICONST_0, OP_PUTFIELD, TWO(f.other_x), OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_IADD,
           OP_IRETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "volatile"),
                        "invokestatic:%c0 getfield:x invokestatic:%c1 putfield:v "
                        "invokestatic:%c0 getfield:x ");
    assert_string_equal(uses_of(fixture, "call"), "invokestatic:%c0 getfield:x invokestatic:call "
                                                  "invokestatic:%c0 getfield:x ");
    /* It may be volatile. */
    assert_string_equal(uses_of(fixture, "other"),
                        "invokestatic:%c0 getfield:x invokestatic:%c2 putfield:x "
                        "invokestatic:%c0 getfield:x ");
}

/* Another object by the same name; and one that was on the stack when its local changed. */
static void a_local_that_changes(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "named", "(Lp/Sample;Lp/Sample;)I", OP_ALOAD_1, OP_GETFIELD, TWO(f.x),
           OP_ALOAD_2, OP_ASTORE_1, OP_ALOAD_1, OP_GETFIELD, TWO(f.x), OP_IADD, OP_IRETURN);
    METHOD(fixture, 0, "loaded", "(Lp/Sample;Lp/Sample;)I", OP_ALOAD_1, OP_ALOAD_2, OP_ASTORE_1,
           OP_GETFIELD, TWO(f.x), OP_ALOAD_1, OP_GETFIELD, TWO(f.x), OP_IADD, OP_IRETURN);
    METHOD(fixture, 0, "fields", "(Lp/Sample;Lp/Sample;)I", OP_ALOAD_1, OP_GETFIELD, TWO(f.x),
           OP_ALOAD_2, OP_ASTORE_1, OP_ALOAD_1, OP_GETFIELD, TWO(f.y), OP_IADD, OP_IRETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "named"),
                        "invokestatic:%c0 getfield:x invokestatic:%c0 getfield:x ");
    assert_string_equal(uses_of(fixture, "loaded"),
                        "invokestatic:%c0 getfield:x invokestatic:%c0 getfield:x ");
    assert_string_equal(uses_of(fixture, "fields"),
                        "invokestatic:%c0 getfield:x invokestatic:%c1 getfield:y ");
}

/* ---- a read that a write follows ---- */

static void an_increment(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "field", "()V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x), OP_ICONST_1,
           OP_IADD, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, 0, "static", "()V", OP_GETSTATIC, TWO(f.s), OP_ICONST_1, OP_IADD, OP_PUTSTATIC,
           TWO(f.s), OP_RETURN);
    METHOD(fixture, 0, "another", "(Lp/Sample;)V", OP_ALOAD_1, OP_DUP, OP_GETFIELD, TWO(f.x),
           OP_ICONST_1, OP_IADD, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "field"), "invokestatic:%c0 getfield:x putfield:x ");
    assert_string_equal(uses_of(fixture, "static"), "invokestatic:%c1 getstatic:s putstatic:s ");
    assert_string_equal(uses_of(fixture, "another"), "invokestatic:%c0 getfield:x putfield:x ");
    assert_non_null(strstr(uses_of(fixture, "$turnstile$c0"), "isWriteCovered"));
    assert_non_null(strstr(uses_of(fixture, "$turnstile$c1"), "isWriteCovered"));
}

/* The division may fail; the other object may be null, or its field volatile; the write is to
   another object, or on one way only. */
static void a_write_that_may_not_follow(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "divide", "(I)V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x), OP_ILOAD_1,
           OP_IDIV, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, 0, "null", "(Lp/Sample;)V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x),
           OP_ALOAD_1, OP_GETFIELD, TWO(f.y), OP_IADD, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, 0, "other", "(Lp/Sample;)V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x),
           OP_ALOAD_0, OP_GETFIELD, TWO(f.v), OP_IADD, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, 0, "object", "(Lp/Sample;)V", OP_ALOAD_1, OP_ALOAD_0, OP_GETFIELD, TWO(f.x),
           OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, 0, "branch", "()V", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_IFEQ, 0, 8,
           OP_ALOAD_0, OP_ICONST_0, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    run(fixture);
    const char *both = "invokestatic:%c0 getfield:x invokestatic:%c1 putfield:x ";
    assert_string_equal(uses_of(fixture, "divide"), both);
    assert_non_null(strstr(uses_of(fixture, "$turnstile$c0"), "isReadCovered"));
    assert_string_equal(uses_of(fixture, "null"),
                        "invokestatic:%c0 getfield:x invokestatic:%c2 getfield:y "
                        "invokestatic:%c1 putfield:x ");
    assert_string_equal(uses_of(fixture, "other"),
                        "invokestatic:%c0 getfield:x invokestatic:%c3 getfield:v "
                        "invokestatic:%c1 putfield:x ");
    assert_string_equal(uses_of(fixture, "object"), both);
    assert_string_equal(uses_of(fixture, "branch"), both);
}

/* ---- several fields ---- */

static void reads_of_one_object(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "m", "(Lp/Sample;)I", OP_ALOAD_1, OP_GETFIELD, TWO(f.x), OP_ALOAD_1,
           OP_GETFIELD, TWO(f.y), OP_IADD, OP_IRETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"), "aload_1 dup invokestatic:%c2 getfield:x aload_1 "
                                               "getfield:y iadd ireturn ");
    /* If the words do not look alike, each is checked. */
    assert_text(descriptor_of(fixture, "$turnstile$c2"), "(Lp/Sample;)V");
    assert_string_equal(uses_of(fixture, "$turnstile$c2"),
                        "getfield:%w$x getfield:%w$y invokestatic:areReadsCovered "
                        "invokestatic:%c0 invokestatic:%c1 ");
    assert_non_null(strstr(uses_of(fixture, "$turnstile$c0"), "getfield:%w$x"));
    assert_non_null(strstr(uses_of(fixture, "$turnstile$c1"), "getfield:%w$y"));
    assert_int_equal(fixture->instrument.accesses, 2);
    /* Each site is where the access is. */
    struct site site;
    struct accessed accessed;
    assert_int_equal(sites_count(&fixture->sites), 2);
    assert_true(sites_get(&fixture->sites, 2, &site));
    assert_true(sites_get_accessed(&fixture->sites, site.accessed, &accessed));
    assert_text(accessed.name, "y");
}

static void increments_of_one_object(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "m", "()V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x), OP_ICONST_1, OP_IADD,
           OP_PUTFIELD, TWO(f.x), OP_ALOAD_0, OP_ICONST_0, OP_PUTFIELD, TWO(f.y), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"),
                        "invokestatic:%c2 getfield:x putfield:x putfield:y ");
    assert_string_equal(uses_of(fixture, "$turnstile$c2"),
                        "getfield:%w$x getfield:%w$y invokestatic:areWritesCovered "
                        "invokestatic:%c0 invokestatic:%c1 ");
}

/* Between the two reads of one object: a null, an acquire (known or possible), a way in. */
static void reads_that_may_not_follow(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "null", "(Lp/Sample;Lp/Sample;)V", OP_ALOAD_1, OP_GETFIELD, TWO(f.x),
           OP_ALOAD_2, OP_GETFIELD, TWO(f.x), OP_ALOAD_1, OP_GETFIELD, TWO(f.y), OP_RETURN);
    METHOD(fixture, 0, "acquire", "()V", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_ALOAD_0, OP_GETFIELD,
           TWO(f.v), OP_ALOAD_0, OP_GETFIELD, TWO(f.y), OP_RETURN);
    METHOD(fixture, 0, "other", "(Lp/Other;)V", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_ALOAD_1,
           OP_GETFIELD, TWO(f.other_x), OP_ALOAD_0, OP_GETFIELD, TWO(f.y), OP_RETURN);
    struct code *code =
        METHOD(fixture, 0, "way", "(I)V", OP_ILOAD_1, OP_IFEQ, 0, 7, OP_ALOAD_0, OP_GETFIELD,
               TWO(f.x), OP_POP, OP_ALOAD_0, OP_GETFIELD, TWO(f.y), OP_RETURN);
    assert_non_null(code);
    fixture->sample.class_file.major = 49; /* no stack maps */
    run(fixture);
    assert_string_equal(uses_of(fixture, "null"), "invokestatic:%c0 getfield:x invokestatic:%c0 "
                                                  "getfield:x invokestatic:%c1 getfield:y ");
    assert_string_equal(uses_of(fixture, "acquire"),
                        "invokestatic:%c0 getfield:x invokestatic:%c2 getfield:v "
                        "invokestatic:%c1 getfield:y ");
    assert_string_equal(uses_of(fixture, "other"),
                        "invokestatic:%c0 getfield:x invokestatic:%c3 getfield:x "
                        "invokestatic:%c1 getfield:y ");
    assert_string_equal(uses_of(fixture, "way"),
                        "invokestatic:%c0 getfield:x invokestatic:%c1 getfield:y ");
}

/* Arithmetic goes on; a loop may not end, and what a callee does with an object may fail. */
static void calls_between(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    uint16_t negate = method_constant(fixture, "p/Sample", "negate", "()V");
    uint16_t loop = method_constant(fixture, "p/Sample", "loop", "()V");
    uint16_t use = method_constant(fixture, "p/Sample", "use", "()V");
    fixture->sample.class_file.major = 49;
    METHOD(fixture, ACCESS_STATIC, "negate", "()V", OP_ICONST_1, OP_INEG, OP_IFEQ, 0, 3, OP_RETURN);
    METHOD(fixture, ACCESS_STATIC, "loop", "()V", OP_GOTO, 0, 0);
    METHOD(fixture, ACCESS_STATIC, "use", "()V", OP_ACONST_NULL, OP_GETFIELD, TWO(f.x), OP_POP,
           OP_RETURN);
#define CALLS(name, call)                                                                          \
    METHOD(fixture, 0, name, "()V", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_INVOKESTATIC, TWO(call), \
           OP_ALOAD_0, OP_GETFIELD, TWO(f.y), OP_RETURN)
    CALLS("sure", negate);
    CALLS("endless", loop);
    CALLS("fails", use);
#undef CALLS
    run(fixture);
    assert_string_equal(uses_of(fixture, "sure"),
                        "invokestatic:%c2 getfield:x invokestatic:negate getfield:y ");
    assert_string_equal(uses_of(fixture, "endless"),
                        "invokestatic:%c0 getfield:x invokestatic:loop invokestatic:%c1 "
                        "getfield:y ");
    assert_string_equal(uses_of(fixture, "fails"),
                        "invokestatic:%c0 getfield:x invokestatic:use invokestatic:%c1 "
                        "getfield:y ");
}

/* ---- another class's fields ---- */

static void reads_of_another_class(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "m", "(Lp/Other;)I", OP_ALOAD_1, OP_GETFIELD, TWO(f.other_x), OP_ALOAD_1,
           OP_GETFIELD, TWO(f.other_y), OP_IADD, OP_IRETURN);
    run(fixture);
    /* The flag says whether it is a batch. If not, each has its check; the last one finds out. */
    assert_string_equal(code_of(fixture, "m"),
                        "iconst_0 istore aload_1 getstatic:%b0 dup istore ifle "
                        "dup invokestatic:%c2 goto dup iconst_0 invokestatic:%c0 getfield:x "
                        "aload_1 iload ifgt dup iconst_1 invokestatic:%c1 iload ifne "
                        "invokestatic:%c3 getfield:y iadd ireturn ");
    assert_text(descriptor_of(fixture, "$turnstile$c2"), "(Ljava/lang/Object;)V");
    assert_string_equal(uses_of(fixture, "$turnstile$c2"),
                        "getstatic:%o0 invokestatic:word getstatic:%o1 invokestatic:word "
                        "invokestatic:areReadsCovered invokestatic:%c0 invokestatic:%c1 ");
    assert_text(descriptor_of(fixture, "$turnstile$c3"), "()V");
    assert_string_equal(uses_of(fixture, "$turnstile$c3"),
                        "getstatic:%o0 invokestatic:joined getstatic:%o1 invokestatic:joined "
                        "putstatic:%b0 ");
    check_field(fixture, find_field(fixture, "$turnstile$b0"),
                HIDDEN | ACCESS_TRANSIENT | ACCESS_STATIC, "I");
}

/* A field that is read in between must not be volatile either. */
static void a_third_read_in_between(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "m", "(Lp/Other;Lp/Other;)V", OP_ALOAD_2, OP_GETFIELD, TWO(f.other_z),
           OP_ALOAD_1, OP_GETFIELD, TWO(f.other_x), OP_ALOAD_2, OP_GETFIELD, TWO(f.other_z),
           OP_ALOAD_1, OP_GETFIELD, TWO(f.other_y), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"),
                        "invokestatic:%c0 getfield:z "
                        "getstatic:%b0 invokestatic:%c3 invokestatic:%c1 getfield:x "
                        "invokestatic:%c0 getfield:z "
                        "invokestatic:%c2 invokestatic:%c4 getfield:y ");
    assert_string_equal(uses_of(fixture, "$turnstile$c4"),
                        "getstatic:%o1 invokestatic:joined getstatic:%o2 invokestatic:joined "
                        "getstatic:%o0 invokestatic:passed putstatic:%b0 ");
}

/* A write may be a release, as far as anybody knows here. */
static void writes_of_another_class(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "m", "(Lp/Other;)V", OP_ALOAD_1, OP_ICONST_0, OP_PUTFIELD, TWO(f.other_x),
           OP_ALOAD_1, OP_ICONST_0, OP_PUTFIELD, TWO(f.other_y), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"),
                        "invokestatic:%c0 putfield:x invokestatic:%c1 putfield:y ");
}

/* ---- builders ---- */

#define BUILDER "Ljava/lang/StringBuilder;"

/* append gives the builder back, and a final field holds the same one each time. */
static void appends_in_a_row(void **state)
{
    struct fixture *fixture = *state;
    uint16_t fixed = add_field(fixture, ACCESS_FINAL, "fixed", BUILDER);
    uint16_t open = add_field(fixture, 0, "open", BUILDER);
    uint16_t append = method_constant(fixture, "java/lang/StringBuilder", "append", "(I)" BUILDER);
    uint16_t object = method_constant(fixture, "java/lang/StringBuilder", "append",
                                      "(Ljava/lang/Object;)" BUILDER);
    uint16_t length = method_constant(fixture, "java/lang/StringBuilder", "length", "()I");
    METHOD(fixture, 0, "chain", "()V", OP_ALOAD_0, OP_GETFIELD, TWO(fixed), OP_ICONST_1,
           OP_INVOKEVIRTUAL, TWO(append), OP_ICONST_2, OP_INVOKEVIRTUAL, TWO(append), OP_POP,
           OP_ALOAD_0, OP_GETFIELD, TWO(fixed), OP_INVOKEVIRTUAL, TWO(length), OP_RETURN);
    METHOD(fixture, 0, "local", "(" BUILDER ")V", OP_ALOAD_1, OP_INVOKEVIRTUAL, TWO(length),
           OP_ALOAD_1, OP_ICONST_1, OP_INVOKEVIRTUAL, TWO(append), OP_ICONST_2, OP_INVOKEVIRTUAL,
           TWO(append), OP_RETURN);
    /* Whose text is asked for may do anything. */
    METHOD(fixture, 0, "object", "(" BUILDER ")V", OP_ALOAD_1, OP_ICONST_1, OP_INVOKEVIRTUAL,
           TWO(append), OP_ALOAD_0, OP_INVOKEVIRTUAL, TWO(object), OP_ICONST_1, OP_INVOKEVIRTUAL,
           TWO(append), OP_RETURN);
    /* It may have become another one. */
    METHOD(fixture, 0, "changes", "()V", OP_ALOAD_0, OP_GETFIELD, TWO(open), OP_INVOKEVIRTUAL,
           TWO(length), OP_ALOAD_0, OP_GETFIELD, TWO(open), OP_INVOKEVIRTUAL, TWO(length),
           OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "chain"),
                        "getfield:fixed invokestatic:%c0 invokevirtual:append "
                        "invokevirtual:append getfield:fixed invokevirtual:length ");
    assert_string_equal(uses_of(fixture, "local"),
                        "invokestatic:%c1 invokevirtual:length "
                        "invokestatic:%c0 invokevirtual:append invokevirtual:append ");
    assert_string_equal(uses_of(fixture, "object"),
                        "invokestatic:%c0 invokevirtual:append invokevirtual:append "
                        "invokestatic:%c0 invokevirtual:append ");
    assert_string_equal(uses_of(fixture, "changes"),
                        "invokestatic:%c2 getfield:open invokestatic:%c1 invokevirtual:length "
                        "getfield:open invokestatic:%c1 invokevirtual:length ");
}

/* ---- where every access must be seen ---- */

/* Each has its check; one tells of a read and the write behind it. */
static void no_batches(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    fixture->instrument.recorded = true;
    METHOD(fixture, 0, "m", "()V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x), OP_ICONST_1, OP_IADD,
           OP_PUTFIELD, TWO(f.x), OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_ALOAD_0, OP_GETFIELD,
           TWO(f.x), OP_IADD, OP_POP, OP_RETURN);
    METHOD(fixture, 0, "static", "()V", OP_GETSTATIC, TWO(f.s), OP_ICONST_1, OP_IADD, OP_PUTSTATIC,
           TWO(f.s), OP_RETURN);
    METHOD(fixture, 0, "another", "(Lp/Sample;)V", OP_ALOAD_1, OP_DUP, OP_GETFIELD, TWO(f.x),
           OP_ICONST_1, OP_IADD, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"), "invokestatic:%c0 getfield:x putfield:x "
                                               "invokestatic:%c1 getfield:x "
                                               "invokestatic:%c1 getfield:x ");
    assert_string_equal(uses_of(fixture, "static"), "invokestatic:%c2 getstatic:s putstatic:s ");
    assert_string_equal(uses_of(fixture, "another"), "invokestatic:%c0 getfield:x putfield:x ");
    const char *const checks[] = {"$turnstile$c0", "$turnstile$c1", "$turnstile$c2"};
    for (size_t i = 0; i < 3; i++) {
        const bool update = i != 1;
        const char *uses = uses_of(fixture, checks[i]);
        assert_int_equal(strstr(uses, "isUpdateRecorded") != NULL, update);
        assert_int_equal(strstr(uses, "updateField") != NULL, update);
        assert_int_equal(strstr(uses, "isReadRecorded") != NULL, !update);
        assert_int_equal(strstr(uses, "readField") != NULL, !update);
    }
}

/* Between the two is another access, a read of the same field too; or a call, which may have some;
   or the write may not follow. */
static void no_update(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    uint16_t own = method_constant(fixture, "p/Sample", "own", "()I");
    fixture->instrument.recorded = true;
    METHOD(fixture, 0, "between", "()V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x), OP_ALOAD_0,
           OP_GETFIELD, TWO(f.y), OP_IADD, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, 0, "twice", "()V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x), OP_ALOAD_0,
           OP_GETFIELD, TWO(f.x), OP_IADD, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, ACCESS_STATIC, "own", "()I", OP_ICONST_1, OP_IRETURN);
    METHOD(fixture, 0, "call", "()V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x), OP_INVOKESTATIC,
           TWO(own), OP_IADD, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, 0, "divide", "(I)V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x), OP_ILOAD_1,
           OP_IDIV, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, 0, "object", "(Lp/Sample;)V", OP_ALOAD_1, OP_ALOAD_0, OP_GETFIELD, TWO(f.x),
           OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, 0, "branch", "()V", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_IFEQ, 0, 8,
           OP_ALOAD_0, OP_ICONST_0, OP_PUTFIELD, TWO(f.x), OP_RETURN);
    METHOD(fixture, 0, "volatile", "()V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.v), OP_ICONST_1,
           OP_IADD, OP_PUTFIELD, TWO(f.v), OP_RETURN);
    METHOD(fixture, 0, "other", "(Lp/Other;)V", OP_ALOAD_1, OP_DUP, OP_GETFIELD, TWO(f.other_x),
           OP_ICONST_1, OP_IADD, OP_PUTFIELD, TWO(f.other_x), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "between"),
                        "invokestatic:%c0 getfield:x invokestatic:%c1 getfield:y "
                        "invokestatic:%c2 putfield:x ");
    assert_string_equal(uses_of(fixture, "twice"),
                        "invokestatic:%c0 getfield:x invokestatic:%c3 getfield:x putfield:x ");
    assert_string_equal(uses_of(fixture, "call"), "invokestatic:%c0 getfield:x invokestatic:own "
                                                  "invokestatic:%c2 putfield:x ");
    const char *both = "invokestatic:%c0 getfield:x invokestatic:%c2 putfield:x ";
    assert_string_equal(uses_of(fixture, "divide"), both);
    assert_string_equal(uses_of(fixture, "object"), both);
    assert_string_equal(uses_of(fixture, "branch"), both);
    assert_string_equal(uses_of(fixture, "volatile"),
                        "invokestatic:%c4 getfield:v invokestatic:%c5 putfield:v ");
    assert_string_equal(uses_of(fixture, "other"),
                        "invokestatic:%c6 getfield:x invokestatic:%c7 putfield:x ");
    assert_non_null(strstr(uses_of(fixture, "$turnstile$c0"), "isReadRecorded"));
    assert_non_null(strstr(uses_of(fixture, "$turnstile$c2"), "isWriteRecorded"));
    assert_non_null(strstr(uses_of(fixture, "$turnstile$c3"), "isUpdateRecorded"));
}

/* ---- where a thread may tell all it does ---- */

/* x++, then x again. For races one check for the write, before the read, is enough. A thread that
   tells makes one at each access instead: for a read, for a write, for a read. */
static void sampled(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    fixture->instrument.sampled = true;
    METHOD(fixture, 0, "m", "()V", OP_ALOAD_0, OP_DUP, OP_GETFIELD, TWO(f.x), OP_ICONST_1, OP_IADD,
           OP_PUTFIELD, TWO(f.x), OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"),
                        "invokestatic:telling invokestatic:%c0 invokestatic:%c1 getfield:x "
                        "invokestatic:%c2 putfield:x invokestatic:%c1 getfield:x ");
}

/* One access: its check tells it, too. */
static void sampled_alone(void **state)
{
    struct fixture *fixture = *state;
    struct fields f = add_fields(fixture);
    fixture->instrument.sampled = true;
    METHOD(fixture, 0, "m", "()V", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_POP, OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"), "invokestatic:%c0 getfield:x ");
}

/* What nobody wants to see is in no batch, nor is what is final. */
static void unwatched(void **state)
{
    struct fixture *fixture = *state;
    struct pattern_list watch = {0};
    assert_true(pattern_list_add(&watch, &fixture->arena, TEXT("p.Sample.y")));
    fixture->instrument.watch = &watch;
    struct fields f = add_fields(fixture);
    METHOD(fixture, 0, "m", "()I", OP_ALOAD_0, OP_GETFIELD, TWO(f.x), OP_ALOAD_0, OP_GETFIELD,
           TWO(f.y), OP_IADD, OP_IRETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"), "getfield:x invokestatic:%c0 getfield:y ");
    pattern_list_release(&watch);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_second_read),
        TEST(a_read_of_what_was_written),
        TEST(a_second_read_behind_a_branch),
        TEST(reads_around_a_release),
        TEST(a_local_that_changes),
        TEST(an_increment),
        TEST(a_write_that_may_not_follow),
        TEST(reads_of_one_object),
        TEST(increments_of_one_object),
        TEST(reads_that_may_not_follow),
        TEST(calls_between),
        TEST(reads_of_another_class),
        TEST(a_third_read_in_between),
        TEST(writes_of_another_class),
        TEST(appends_in_a_row),
        TEST(no_batches),
        TEST(no_update),
        TEST(sampled),
        TEST(sampled_alone),
        TEST(unwatched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
