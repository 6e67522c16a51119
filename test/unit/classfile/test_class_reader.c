/* What the reader refuses, and what it keeps although it looks odd, because the JVM loads it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "classfile/reading.h"
#include "classfile/sample_classes.h"

static struct class_build build;
static struct arena arena;

static int begin(void **state)
{
    (void)state;
    arena_init(&arena);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static void no_attributes(void)
{
    put_u2(&build.body, 0);
}

/* ---- the outside ---- */

static void checks_the_magic_number(void **state)
{
    (void)state;
    struct problem problem;
    assert_null(class_read(&arena, "PK\3\4 and so on", 15, &problem));
    assert_string_equal(problem.reason, "not a class file: starts with 0x504B0304, not 0xCAFEBABE");
    assert_int_equal(problem.offset, 0);
    assert_null(class_read(&arena, "", 0, &problem));
    assert_int_equal(problem.offset, 0);
}

static void checks_the_version(void **state)
{
    (void)state;
    const struct {
        unsigned major, minor;
        const char *reason; /* NULL: good */
    } cases[] = {
        {45, 3, NULL},
        {45, 65535, NULL},
        {50, 7, NULL},
        {55, 9, NULL},
        {56, 0, NULL},
        {69, 0, NULL},
        {69, 65535, NULL},
        {68, 65535, NULL},
        {70, 0, "class file version 70 is newer than 69, the newest that this version knows"},
        {44, 0, "class file version 44 is older than 45"},
        {56, 1, "class file version 56.1 does not exist"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        class_build_init(&build, cases[i].major);
        build.minor = (uint16_t)cases[i].minor;
        put_plain_class(&build);
        no_attributes();
        if (cases[i].reason)
            expect_bad(&build, cases[i].reason);
        else
            expect_good(&arena, &build);
    }
}

static void refuses_bytes_behind_the_class(void **state)
{
    (void)state;
    class_build_init(&build, 69);
    put_plain_class(&build);
    no_attributes();
    put_u1(&build.body, 0);
    expect_bad(&build, "1 byte behind the end of the class");
}

/* ---- the class ---- */

static void put_class_without_members(unsigned access, const char *name, const char *super)
{
    put_class(&build, access, name, super);
    for (int i = 0; i < 4; i++)
        put_u2(&build.body, 0);
}

static void checks_the_superclass(void **state)
{
    (void)state;
    class_build_init(&build, 69);
    put_class_without_members(0x21, "java/lang/Object", NULL);
    assert_int_equal(expect_good(&arena, &build)->super_class, 0);
    class_build_init(&build, 69);
    put_class_without_members(0x21, "p/A", NULL);
    expect_bad(&build, "superclass index is 0");
    class_build_init(&build, 69);
    put_class_without_members(0x21, "p/A", "[I");
    expect_bad(&build, "the superclass is an array");
    class_build_init(&build, 69);
    put_class_without_members(0x21, "[I", "java/lang/Object");
    expect_bad(&build, "called like an array");
    class_build_init(&build, 69);
    put_class_without_members(0x0601, "p/I", "p/A");
    expect_bad(&build, "not java/lang/Object");
}

static void checks_class_flags(void **state)
{
    (void)state;
    const struct {
        unsigned access, major;
        bool good;
    } cases[] = {
        {0x0000, 69, true},  {0x0031, 69, true},  {0x0421, 69, true},  {0x0601, 69, true},
        {0x2601, 69, true},  {0x4031, 69, true},  {0x0430, 69, false}, /* abstract final */
        {0x0201, 69, false},                                           /* interface, not abstract */
        {0x0201, 49, true},                       /* for which old files are excused */
        {0x0621, 69, false},                      /* interface with super */
        {0x0621, 48, true},  {0x2021, 69, false}, /* annotation, no interface */
        {0x2021, 48, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        class_build_init(&build, cases[i].major);
        put_class_without_members(cases[i].access, "p/A", "java/lang/Object");
        if (cases[i].good)
            expect_good(&arena, &build);
        else
            expect_bad(&build, "of the class are not allowed together");
    }
}

static void checks_interfaces(void **state)
{
    (void)state;
    class_build_init(&build, 69);
    put_class(&build, 0x21, "p/A", "java/lang/Object");
    put_u2(&build.body, 1);
    put_u2(&build.body, add_class(&build, "[I"));
    for (int i = 0; i < 3; i++)
        put_u2(&build.body, 0);
    expect_bad(&build, "interface 0 is an array");
    class_build_init(&build, 69);
    put_class(&build, 0x21, "p/A", "java/lang/Object");
    put_u2(&build.body, 40000);
    expect_bad(&build, "40000 interface cannot fit");
}

/* ---- members ---- */

/* A class with one field or method, whose attributes are to follow. */
static void begin_member(unsigned major, unsigned class_access, bool method, unsigned access,
                         const char *name, const char *descriptor)
{
    class_build_init(&build, major);
    put_class(&build, class_access, "p/A", "java/lang/Object");
    put_u2(&build.body, 0);
    put_u2(&build.body, method ? 0 : 1);
    if (method)
        put_u2(&build.body, 1);
    put_member(&build, access, name, descriptor);
}

/* The member's attributes are complete: the rest of the class. */
static void end_member(bool method)
{
    if (!method)
        put_u2(&build.body, 0);
    put_u2(&build.body, 0);
}

static void put_code(unsigned max_locals, unsigned length)
{
    size_t start = begin_attribute(&build, "Code");
    put_u2(&build.body, 0);
    put_u2(&build.body, max_locals);
    put_u4(&build.body, length);
    for (unsigned i = 0; i < length; i++)
        put_u1(&build.body, 0xB1);
    put_u2(&build.body, 0);
    put_u2(&build.body, 0);
    end_attribute(&build, start);
}

static void checks_field_flags(void **state)
{
    (void)state;
    const struct {
        unsigned class_access, access;
        bool good;
    } cases[] = {{0x21, 0x0000, true},   {0x21, 0x0001, true},    {0x21, 0x0006, false},
                 {0x21, 0x0050, false},  {0x21, 0x10C8, true},    {0x0601, 0x0019, true},
                 {0x0601, 0x1019, true}, {0x0601, 0x0011, false}, {0x0601, 0x0059, false},
                 {0x0601, 0x001A, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin_member(69, cases[i].class_access, false, cases[i].access, "f", "I");
        no_attributes();
        end_member(false);
        if (cases[i].good)
            expect_good(&arena, &build);
        else
            expect_bad(&build, "field f: flags");
    }
}

static void checks_method_flags(void **state)
{
    (void)state;
    const struct {
        unsigned major, class_access, access;
        const char *name;
        bool good;
    } cases[] = {
        {69, 0x0421, 0x0401, "m", true},       {69, 0x0421, 0x0403, "m", false},
        {69, 0x0421, 0x0408, "m", false},      {69, 0x0421, 0x0410, "m", false},
        {69, 0x0421, 0x0500, "m", false},      {69, 0x0421, 0x0420, "m", false},
        {48, 0x0421, 0x0420, "m", true},       {60, 0x0421, 0x0C00, "m", false},
        {61, 0x0421, 0x0C00, "m", true},       {69, 0x0421, 0x0101, "m", true},
        {69, 0x0421, 0x0401, "<init>", false}, {69, 0x0421, 0x0101, "<init>", false},
        {69, 0x0601, 0x0401, "m", true},       {69, 0x0601, 0x0400, "m", false},
        {69, 0x0601, 0x0405, "m", false},      {69, 0x0601, 0x0101, "m", false},
        {51, 0x0601, 0x0401, "m", true},       {51, 0x0601, 0x1481, "m", true},
        {69, 0x0601, 0x0401, "<init>", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin_member(cases[i].major, cases[i].class_access, true, cases[i].access, cases[i].name,
                     "()V");
        no_attributes();
        end_member(true);
        if (cases[i].good)
            expect_good(&arena, &build);
        else
            expect_bad(&build, "method ");
    }
}

static void class_initializers_have_only_static(void **state)
{
    (void)state;
    begin_member(51, 0x21, true, 0x0408, "<clinit>", "()V"); /* abstract does not count */
    put_u2(&build.body, 1);
    put_code(0, 1);
    end_member(true);
    expect_good(&arena, &build);
    begin_member(51, 0x21, true, 0x0001, "<clinit>", "()V");
    put_u2(&build.body, 1);
    put_code(1, 1);
    end_member(true);
    expect_bad(&build, "<clinit> is not static");
    build.major = 50;
    expect_good(&arena, &build);
}

static void checks_that_code_is_there(void **state)
{
    (void)state;
    begin_member(69, 0x21, true, 0x0001, "m", "()V");
    no_attributes();
    end_member(true);
    expect_bad(&build, "method m: has no code, but is neither abstract nor native");
    const unsigned without_code[] = {0x0101, 0x0401};
    for (int i = 0; i < 2; i++) {
        begin_member(69, 0x0421, true, without_code[i], "m", "()V");
        put_u2(&build.body, 1);
        put_code(1, 1);
        end_member(true);
        expect_bad(&build, "method m: Code: an abstract or native method cannot have code");
    }
}

static void checks_the_code(void **state)
{
    (void)state;
    const struct {
        unsigned locals, length;
        const char *reason;
    } cases[] = {{3, 1, NULL},
                 {3, 65535, NULL},
                 {3, 0, "Code: code length 0 is not between 1 and 65535"},
                 {3, 65536, "Code: code length 65536 is not between 1 and 65535"},
                 {2, 1, "Code: 3 slots of parameters do not fit into 2 locals"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin_member(69, 0x21, true, 0x0001, "m", "(J)V");
        put_u2(&build.body, 1);
        put_code(cases[i].locals, cases[i].length);
        end_member(true);
        if (cases[i].reason)
            expect_bad(&build, cases[i].reason);
        else
            expect_good(&arena, &build);
    }
}

static void refuses_members_that_stand_twice(void **state)
{
    (void)state;
    class_build_init(&build, 69);
    put_class(&build, 0x21, "p/A", "java/lang/Object");
    put_u2(&build.body, 0);
    put_u2(&build.body, 3);
    const char *const descriptors[] = {"I", "J", "I"};
    for (int i = 0; i < 3; i++) {
        put_member(&build, 0, "f", descriptors[i]);
        no_attributes();
    }
    put_u2(&build.body, 0);
    no_attributes();
    expect_bad(&build, "field f with descriptor I stands twice");
}

/* Names of one length that differ only where a quick look does not see it, and a second of one. */
static void finds_a_member_among_many_that_are_alike(void **state)
{
    (void)state;
    enum { MANY = 200 };
    for (int again = 0; again < 2; again++) {
        class_build_init(&build, 69);
        put_class(&build, 0x21, "p/A", "java/lang/Object");
        put_u2(&build.body, 0);
        put_u2(&build.body, MANY + (unsigned)again);
        for (int i = 0; i < MANY + again; i++) {
            char name[40];
            snprintf(name, sizeof name, "name%03dthat_ends_alike", i == MANY ? 57 : i);
            put_member(&build, 0, name, "I");
            no_attributes();
        }
        put_u2(&build.body, 0);
        no_attributes();
        if (again)
            expect_bad(&build, "field name057that_ends_alike with descriptor I stands twice");
        else
            expect_good(&arena, &build);
    }
}

static void takes_many_members(void **state)
{
    (void)state;
    class_build_init(&build, 69);
    put_class(&build, 0x21, "p/A", "java/lang/Object");
    put_u2(&build.body, 0);
    put_u2(&build.body, 5000);
    uint16_t descriptor = add_utf8(&build, "I");
    for (unsigned i = 0; i < 5000; i++) {
        const char name[] = {(char)('a' + i % 20), (char)('a' + i / 20 % 20), (char)('a' + i / 400),
                             0};
        put_u2(&build.body, 0);
        put_u2(&build.body, add_utf8(&build, name));
        put_u2(&build.body, descriptor);
        put_u2(&build.body, 0);
    }
    put_u2(&build.body, 0);
    no_attributes();
    assert_int_equal(expect_good(&arena, &build)->field_count, 5000);
}

static void counts_this_among_parameters(void **state)
{
    (void)state;
    char descriptor[300] = "(";
    memset(descriptor + 1, 'I', 255);
    strcpy(descriptor + 256, ")V");
    begin_member(69, 0x0421, true, 0x0401, "m", descriptor);
    no_attributes();
    end_member(true);
    expect_bad(&build, "256 slots of parameters");
}

/* ---- attributes ---- */

static void begin_class_attributes(unsigned major, unsigned access, unsigned count)
{
    class_build_init(&build, major);
    put_class(&build, access, "p/A", "java/lang/Object");
    for (int i = 0; i < 3; i++)
        put_u2(&build.body, 0);
    put_u2(&build.body, count);
}

static void names_the_attribute_that_does_not_fit(void **state)
{
    (void)state;
    begin_class_attributes(69, 0x21, 1);
    size_t start = begin_attribute(&build, "SourceFile");
    put_u2(&build.body, add_utf8(&build, "A.java"));
    put_u1(&build.body, 0);
    end_attribute(&build, start);
    expect_bad(&build, "SourceFile: 1 byte too many");

    begin_class_attributes(69, 0x21, 1);
    start = begin_attribute(&build, "InnerClasses");
    put_u2(&build.body, 2);
    put_u4(&build.body, 0);
    put_u4(&build.body, 0);
    end_attribute(&build, start);
    expect_bad(&build, "InnerClasses: 2 inner classes cannot fit into the 8 bytes left");

    begin_class_attributes(69, 0x21, 1);
    start = begin_attribute(&build, "Synthetic");
    put_u1(&build.body, 0);
    end_attribute(&build, start);
    expect_bad(&build, "Synthetic: 1 byte too many");

    begin_class_attributes(69, 0x21, 1);
    end_attribute(&build, begin_attribute(&build, "NestMembers"));
    expect_bad(&build, "NestMembers: ends too early");

    begin_class_attributes(69, 0x21, 1);
    begin_attribute(&build, "Unknown");
    build.body.bytes[build.body.size - 1] = 100;
    expect_bad(&build, "attribute Unknown: its length is 100, but only 0 bytes are left");

    begin_class_attributes(69, 0x21, 1);
    put_u2(&build.body, 2);
    put_u4(&build.body, 0);
    expect_bad(&build, "attribute name index 2 is of kind Class, not Utf8");
}

static void refuses_second_attributes(void **state)
{
    (void)state;
    begin_class_attributes(69, 0x21, 2);
    for (int i = 0; i < 2; i++)
        put_index_attribute(&build, "SourceFile", 1);
    expect_bad(&build, "a second SourceFile attribute");
    begin_class_attributes(69, 0x21, 2);
    for (int i = 0; i < 2; i++)
        end_attribute(&build, begin_attribute(&build, "Deprecated"));
    expect_good(&arena, &build); /* says the same twice */
    begin_class_attributes(69, 0x21, 2);
    put_index_attribute(&build, "NestHost", add_class(&build, "p/B"));
    put_class_list(&build, "NestMembers", "p/B");
    expect_bad(&build, "both NestHost and NestMembers");
    begin_class_attributes(69, 0x31, 1);
    put_class_list(&build, "PermittedSubclasses", "p/B");
    expect_bad(&build, "final but has PermittedSubclasses");
}

static void repeats_tables_for_debuggers(void **state)
{
    (void)state;
    begin_member(69, 0x21, true, 0x0009, "m", "()V");
    put_u2(&build.body, 1);
    size_t code = begin_attribute(&build, "Code");
    put_u4(&build.body, 0x00000001);
    put_u4(&build.body, 1);
    put_u1(&build.body, 0xB1);
    put_u2(&build.body, 0);
    put_u2(&build.body, 3);
    for (int i = 0; i < 3; i++) {
        size_t start = begin_attribute(&build, "LineNumberTable");
        put_u2(&build.body, 1);
        put_u4(&build.body, (uint32_t)i);
        end_attribute(&build, start);
    }
    end_attribute(&build, code);
    end_member(true);
    struct class_file *class_file = expect_good(&arena, &build);
    assert_int_equal(member_code(&class_file->methods[0])->attributes.count, 3);
}

/* A method with one attribute inside its code, of five bytes, with two locals. */
static void expect_code_attribute(unsigned major, const char *name, const uint8_t *content,
                                  size_t size, const char *reason)
{
    begin_member(major, 0x21, true, 0x0009, "m", "()V");
    put_u2(&build.body, 1);
    size_t code = begin_attribute(&build, "Code");
    put_u4(&build.body, 0x00000002);
    put_u4(&build.body, 5);
    put_bytes(&build.body, "\0\0\0\0\xB1", 5);
    put_u2(&build.body, 0);
    put_u2(&build.body, 1);
    size_t start = begin_attribute(&build, name);
    put_bytes(&build.body, content, size);
    end_attribute(&build, start);
    end_attribute(&build, code);
    end_member(true);
    assert_int_equal(add_utf8(&build, "J"), 9);
    if (reason)
        expect_bad(&build, reason);
    else
        expect_good(&arena, &build);
}

#define CODE_ATTRIBUTE(major, name, reason, ...)                                                   \
    expect_code_attribute((major), (name), (const uint8_t[]){__VA_ARGS__},                         \
                          sizeof((const uint8_t[]){__VA_ARGS__}), (reason))

static void checks_tables_for_debuggers(void **state)
{
    (void)state;
    CODE_ATTRIBUTE(69, "LineNumberTable", NULL, 0, 1, 0, 4, 0, 9);
    CODE_ATTRIBUTE(69, "LineNumberTable", "line 9 starts at 5, behind the code", 0, 1, 0, 5, 0, 9);
    /* Constants 5 and 6 are the member's name m and descriptor ()V; 9 is J, which takes two locals.
     */
    CODE_ATTRIBUTE(69, "LocalVariableTable", NULL, 0, 1, 0, 0, 0, 5, 0, 5, 0, 9, 0, 0);
    CODE_ATTRIBUTE(69, "LocalVariableTable", "in local 1, but there are 2 locals", 0, 1, 0, 0, 0, 5,
                   0, 5, 0, 9, 0, 1);
    CODE_ATTRIBUTE(69, "LocalVariableTypeTable", NULL, 0, 1, 0, 0, 0, 5, 0, 5, 0, 6, 0, 1);
    CODE_ATTRIBUTE(69, "LocalVariableTypeTable", "from 0, 6 bytes long, is beyond the code", 0, 1,
                   0, 0, 0, 6, 0, 5, 0, 6, 0, 1);
    CODE_ATTRIBUTE(69, "LocalVariableTypeTable", "from 5, 0 bytes long, is beyond the code", 0, 1,
                   0, 5, 0, 0, 0, 5, 0, 6, 0, 1);
    CODE_ATTRIBUTE(69, "LocalVariableTypeTable", "in local 2, but there are 2 locals", 0, 1, 0, 0,
                   0, 5, 0, 5, 0, 6, 0, 2);
    CODE_ATTRIBUTE(69, "LocalVariableTable", "\"()V\" is not a field descriptor", 0, 1, 0, 0, 0, 5,
                   0, 5, 0, 6, 0, 1);
}

static void checks_frames(void **state)
{
    (void)state;
    CODE_ATTRIBUTE(69, "StackMapTable", NULL, 0, 1, 64, 8, 0, 3);
    CODE_ATTRIBUTE(69, "StackMapTable", "method m: Code: StackMapTable: unknown frame type 128", 0,
                   1, 128);
    CODE_ATTRIBUTE(69, "StackMapTable", "unknown frame type 246", 0, 1, 246);
    CODE_ATTRIBUTE(69, "StackMapTable", "unknown verification type 9", 0, 1, 64, 9);
    CODE_ATTRIBUTE(69, "StackMapTable", "class index 1 is of kind Utf8", 0, 1, 64, 7, 0, 1);
    CODE_ATTRIBUTE(69, "StackMapTable", "frames cannot fit", 0, 9, 0);
    CODE_ATTRIBUTE(69, "StackMapTable", "types in a frame cannot fit", 0, 1, 255, 0, 0, 255, 255);
    /* Java 6 verifies such a class the old way; before that the attribute means nothing. */
    CODE_ATTRIBUTE(50, "StackMapTable", NULL, 0, 1, 128);
    CODE_ATTRIBUTE(49, "StackMapTable", NULL, 0, 1, 128);
}

static void checks_handlers(void **state)
{
    (void)state;
    const struct {
        unsigned start, end, handler, type;
        const char *reason;
    } cases[] = {{0, 5, 4, 0, NULL},
                 {0, 5, 5, 0, "does not fit"},
                 {0, 6, 0, 0, "does not fit"},
                 {2, 2, 0, 0, "does not fit"},
                 {0, 5, 0, 1, "catch type index 1 is of kind Utf8"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin_member(69, 0x21, true, 0x0009, "m", "()V");
        put_u2(&build.body, 1);
        size_t code = begin_attribute(&build, "Code");
        put_u4(&build.body, 0);
        put_u4(&build.body, 5);
        put_bytes(&build.body, "\0\0\0\0\xB1", 5);
        put_u2(&build.body, 1);
        put_u2(&build.body, cases[i].start);
        put_u2(&build.body, cases[i].end);
        put_u2(&build.body, cases[i].handler);
        put_u2(&build.body, cases[i].type);
        put_u2(&build.body, 0);
        end_attribute(&build, code);
        end_member(true);
        if (cases[i].reason)
            expect_bad(&build, cases[i].reason);
        else
            expect_good(&arena, &build);
    }
}

static void checks_constant_values(void **state)
{
    (void)state;
    const struct {
        const char *descriptor;
        unsigned tag;
        bool good;
    } cases[] = {{"I", 3, true},
                 {"Z", 3, true},
                 {"C", 3, true},
                 {"J", 5, true},
                 {"F", 4, true},
                 {"D", 6, true},
                 {"J", 3, false},
                 {"I", 4, false},
                 {"D", 5, false},
                 {"[I", 3, false},
                 {"Lp/A;", 8, false},
                 {"Ljava/lang/String;", 8, true},
                 {"Ljava/lang/String;", 3, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned access = 0; access <= 8; access += 8) {
            begin_member(69, 0x21, false, access, "f", cases[i].descriptor);
            put_u2(&build.body, 1);
            unsigned tag = cases[i].tag;
            uint16_t value = tag == 8   ? add_u2(&build, 8, 1)
                             : tag >= 5 ? add_u8(&build, tag, 1)
                                        : add_u4(&build, tag, 1);
            put_index_attribute(&build, "ConstantValue", value);
            end_member(false);
            if (access && !cases[i].good) {
                expect_bad(&build, "field f: ConstantValue: ");
                continue;
            }
            /* In a field that is not static the JVM ignores it, whatever it is. */
            const struct attributes *attributes =
                &expect_good(&arena, &build)->fields[0].attributes;
            assert_int_equal(attributes->items[0].kind,
                             cases[i].good ? ATTRIBUTE_CONSTANT_VALUE : ATTRIBUTE_UNKNOWN);
        }
    }
}

static void repeats_constant_values_that_do_not_count(void **state)
{
    (void)state;
    for (unsigned access = 0; access <= 8; access += 8) {
        begin_member(69, 0x21, false, access, "f", "I");
        put_u2(&build.body, 2);
        for (unsigned i = 0; i < 2; i++)
            put_index_attribute(&build, "ConstantValue", add_u4(&build, 3, i));
        end_member(false);
        if (access)
            expect_bad(&build, "field f: a second ConstantValue attribute");
        else
            expect_good(&arena, &build);
    }
}

static void keeps_attributes_that_are_too_new(void **state)
{
    (void)state;
    const struct {
        const char *name;
        unsigned since;
    } cases[] = {{"Signature", 49},          {"EnclosingMethod", 49}, {"BootstrapMethods", 51},
                 {"NestMembers", 55},        {"NestHost", 55},        {"Record", 60},
                 {"PermittedSubclasses", 61}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin_class_attributes(cases[i].since - 1, 0x21, 1);
        size_t start = begin_attribute(&build, cases[i].name);
        put_u1(&build.body, 0xFF);
        end_attribute(&build, start);
        struct class_file *class_file = expect_good(&arena, &build);
        assert_int_equal(class_file->attributes.items[0].kind, ATTRIBUTE_UNKNOWN);
        build.major = (uint16_t)cases[i].since;
        expect_bad(&build, cases[i].name);
    }
    begin_class_attributes(69, 0x21, 1); /* a module's, in a class that declares none */
    put_index_attribute(&build, "ModuleTarget", 0);
    assert_int_equal(expect_good(&arena, &build)->attributes.items[0].kind, ATTRIBUTE_UNKNOWN);
}

static void keeps_annotations_that_only_reflection_would_refuse(void **state)
{
    (void)state;
    static const char *const names[] = {"RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations",
                                        "RuntimeVisibleTypeAnnotations",
                                        "RuntimeInvisibleTypeAnnotations"};
    static const uint8_t junk[][6] = {
        {0, 1, 0, 2, 0, 0},    /* the type is no Utf8 */
        {0, 9, 0, 1, 0, 0},    /* more than there are */
        {0, 0, 0, 0, 0, 0},    /* bytes left over */
        {0, 1, 0x18, 0, 0, 0}, /* no such target */
    };
    for (size_t name = 0; name < sizeof names / sizeof names[0]; name++) {
        for (size_t i = 0; i < sizeof junk / sizeof junk[0]; i++) {
            begin_class_attributes(69, 0x21, 2);
            size_t start = begin_attribute(&build, names[name]);
            put_bytes(&build.body, junk[i], sizeof junk[i]);
            end_attribute(&build, start);
            put_index_attribute(&build, "SourceFile", 1);
            struct class_file *class_file = expect_good(&arena, &build);
            assert_int_equal(class_file->attributes.items[0].kind, ATTRIBUTE_UNKNOWN);
            assert_int_equal(class_file->attributes.items[1].kind, ATTRIBUTE_SOURCE_FILE);
        }
    }
}

static void keeps_inner_classes_of_any_length_in_old_files(void **state)
{
    (void)state;
    for (unsigned major = 48; major <= 49; major++) {
        for (unsigned count = 0; count <= 2; count++) {
            begin_class_attributes(major, 0x21, 1);
            size_t start = begin_attribute(&build, "InnerClasses");
            put_u2(&build.body, count);
            put_u2(&build.body, 2); /* the class itself */
            put_u4(&build.body, 0);
            put_u2(&build.body, 1);
            end_attribute(&build, start);
            if (major == 49 && count != 1)
                expect_bad(&build, "InnerClasses: ");
            else
                assert_int_equal(expect_good(&arena, &build)->attributes.items[0].kind,
                                 count == 1 ? ATTRIBUTE_INNER_CLASSES : ATTRIBUTE_UNKNOWN);
        }
        begin_class_attributes(major, 0x21, 1);
        size_t start = begin_attribute(&build, "InnerClasses");
        put_u2(&build.body, 1);
        put_u4(&build.body, 0);
        put_u4(&build.body, 0);
        end_attribute(&build, start);
        expect_bad(&build, "InnerClasses: inner class index is 0");
    }
}

static void checks_bootstrap_methods(void **state)
{
    (void)state;
    begin_class_attributes(55, 0x21, 1);
    put_bootstrap_methods(&build);
    expect_good(&arena, &build);
    add_u2_u2(&build, 18, 2, add_name_and_type(&build, "run", "()V"));
    expect_bad(&build, "bootstrap method number 2, but the class has 2");
    begin_class_attributes(55, 0x21, 1);
    size_t start = begin_attribute(&build, "BootstrapMethods");
    put_u2(&build.body, 1);
    put_u2(&build.body, 2);
    put_u2(&build.body, 0);
    end_attribute(&build, start);
    expect_bad(&build, "bootstrap method index 2 is of kind Class, not MethodHandle");
    begin_class_attributes(55, 0x21, 1);
    uint16_t handle = add_method_handle(&build, 6, add_member(&build, 10, "p/B", "b", "()V"));
    start = begin_attribute(&build, "BootstrapMethods");
    put_u2(&build.body, 1);
    put_u2(&build.body, handle);
    put_u2(&build.body, 1);
    put_u2(&build.body, 1);
    end_attribute(&build, start);
    expect_bad(&build, "bootstrap argument index 1 is of kind Utf8, not loadable");
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(checks_the_magic_number),
        TEST(checks_the_version),
        TEST(refuses_bytes_behind_the_class),
        TEST(checks_the_superclass),
        TEST(checks_class_flags),
        TEST(checks_interfaces),
        TEST(checks_field_flags),
        TEST(checks_method_flags),
        TEST(class_initializers_have_only_static),
        TEST(checks_that_code_is_there),
        TEST(checks_the_code),
        TEST(refuses_members_that_stand_twice),
        TEST(finds_a_member_among_many_that_are_alike),
        TEST(takes_many_members),
        TEST(counts_this_among_parameters),
        TEST(names_the_attribute_that_does_not_fit),
        TEST(refuses_second_attributes),
        TEST(repeats_tables_for_debuggers),
        TEST(checks_tables_for_debuggers),
        TEST(checks_frames),
        TEST(checks_handlers),
        TEST(checks_constant_values),
        TEST(repeats_constant_values_that_do_not_count),
        TEST(keeps_attributes_that_are_too_new),
        TEST(keeps_annotations_that_only_reflection_would_refuse),
        TEST(keeps_inner_classes_of_any_length_in_old_files),
        TEST(checks_bootstrap_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
