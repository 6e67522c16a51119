/*
 * sample_classes: two classes that between them hold every kind of constant and attribute.
 */
#ifndef TURNSTILE_TEST_SAMPLE_CLASSES_H
#define TURNSTILE_TEST_SAMPLE_CLASSES_H

#include "classfile/class_builder.h"

/* ---- annotations ---- */

/* @Lp/N; with no elements. */
static inline void put_marker(struct class_build *build)
{
    put_u2(&build->body, add_utf8(build, "Lp/N;"));
    put_u2(&build->body, 0);
}

static inline void put_element(struct class_build *build, const char *name, char tag)
{
    put_u2(&build->body, add_utf8(build, name));
    put_u1(&build->body, (unsigned char)tag);
}

static inline void put_constant_element(struct class_build *build, char tag, unsigned constant)
{
    put_element(build, "v", tag);
    put_u2(&build->body, constant);
}

/* One annotation with an element of each of the 13 kinds. */
static inline void put_annotation_of_all_kinds(struct class_build *build)
{
    put_u2(&build->body, add_utf8(build, "Lp/N;"));
    put_u2(&build->body, 13);
    uint16_t integer = add_u4(build, 3, 65);
    put_constant_element(build, 'B', integer);
    put_constant_element(build, 'C', integer);
    put_constant_element(build, 'D', add_u8(build, 6, 0x4000000000000000u));
    put_constant_element(build, 'F', add_u4(build, 4, 0x40000000));
    put_constant_element(build, 'I', integer);
    put_constant_element(build, 'J', add_u8(build, 5, 77));
    put_constant_element(build, 'S', integer);
    put_constant_element(build, 'Z', integer);
    put_constant_element(build, 's', add_utf8(build, "text"));
    put_element(build, "e", 'e');
    put_u2(&build->body, add_utf8(build, "Lp/Color;"));
    put_u2(&build->body, add_utf8(build, "RED"));
    put_constant_element(build, 'c', add_utf8(build, "[Lp/A;"));
    put_element(build, "a", '@');
    put_marker(build);
    put_element(build, "l", '[');
    put_u2(&build->body, 2);
    put_u1(&build->body, 's');
    put_u2(&build->body, add_utf8(build, "x"));
    put_u1(&build->body, '[');
    put_u2(&build->body, 0);
}

/* A type annotation: target type and target, a path of `steps` steps, and a marker. */
static inline void put_type_annotation(struct class_build *build, unsigned steps,
                                       const uint8_t *target, size_t target_size)
{
    put_bytes(&build->body, target, target_size);
    put_u1(&build->body, steps);
    for (unsigned i = 0; i < steps; i++) {
        put_u1(&build->body, 3);
        put_u1(&build->body, i);
    }
    put_marker(build);
}

#define TYPE_ANNOTATION(build, steps, ...)                                                         \
    put_type_annotation((build), (steps), (const uint8_t[]){__VA_ARGS__},                          \
                        sizeof((const uint8_t[]){__VA_ARGS__}))

/* ---- the parts of the rich class ---- */

static inline void put_rich_fields(struct class_build *build)
{
    put_u2(&build->body, 4);
    put_member(build, 0x0019, "I", "I"); /* public static final */
    put_u2(&build->body, 3);
    put_index_attribute(build, "ConstantValue", add_u4(build, 3, 0xFFFFFFFF));
    end_attribute(build, begin_attribute(build, "Deprecated"));
    end_attribute(build, begin_attribute(build, "Synthetic"));

    put_member(build, 0x001A, "T", "Ljava/lang/String;"); /* private static final */
    put_u2(&build->body, 3);
    uint16_t text = add_utf8(build, "text \xC0\x80 \xC3\xA4 \xE2\x82\xAC \xED\xA0\xBD\xED\xB8\x80");
    put_index_attribute(build, "ConstantValue", add_u2(build, 8, text));
    put_index_attribute(build, "Signature", add_utf8(build, "Ljava/lang/String;"));
    size_t start = begin_attribute(build, "RuntimeVisibleAnnotations");
    put_u2(&build->body, 2);
    put_annotation_of_all_kinds(build);
    put_marker(build);
    end_attribute(build, start);

    put_member(build, 0x0018, "J", "J"); /* static final */
    put_u2(&build->body, 2);
    put_index_attribute(build, "ConstantValue", add_u8(build, 5, 0x8000000000000001u));
    start = begin_attribute(build, "RuntimeInvisibleTypeAnnotations");
    put_u2(&build->body, 1);
    TYPE_ANNOTATION(build, 2, 0x13);
    end_attribute(build, start);

    put_member(build, 0x0042, "state", "[[D"); /* private volatile */
    put_u2(&build->body, 0);
}

static inline void put_verification_types(struct class_build *build)
{
    put_u2(&build->body, 9);
    for (unsigned tag = 0; tag <= 6; tag++)
        put_u1(&build->body, tag);
    put_u1(&build->body, 7);
    put_u2(&build->body, add_class(build, "[I"));
    put_u1(&build->body, 8);
    put_u2(&build->body, 4);
}

static inline void put_stack_map(struct class_build *build)
{
    struct build_bytes *body = &build->body;
    size_t start = begin_attribute(build, "StackMapTable");
    put_u2(body, 9);
    put_u1(body, 0);  /* same */
    put_u1(body, 63); /* same, the last of them */
    put_u1(body, 64); /* same locals, one stack item: int */
    put_u1(body, 1);
    put_u1(body, 247); /* the same, extended: Object */
    put_u2(body, 300);
    put_u1(body, 7);
    put_u2(body, add_class(build, "p/A"));
    put_u1(body, 248); /* chop 3 */
    put_u2(body, 5);
    put_u1(body, 250); /* chop 1 */
    put_u2(body, 6);
    put_u1(body, 251); /* same, extended */
    put_u2(body, 7);
    put_u1(body, 254); /* append 3: long, null, uninitialized(9) */
    put_u2(body, 8);
    put_u1(body, 4);
    put_u1(body, 5);
    put_u1(body, 8);
    put_u2(body, 9);
    put_u1(body, 255); /* full */
    put_u2(body, 10);
    put_verification_types(build);
    put_u2(body, 1);
    put_u1(body, 3);
    end_attribute(build, start);
}

static inline void put_variables(struct class_build *build)
{
    struct build_bytes *body = &build->body;
    size_t start = begin_attribute(build, "LineNumberTable");
    put_u2(body, 2);
    put_u2(body, 0);
    put_u2(body, 65535);
    put_u2(body, 4);
    put_u2(body, 1);
    end_attribute(build, start);
    uint16_t name = add_utf8(build, "x");
    start = begin_attribute(build, "LocalVariableTable");
    put_u2(body, 1);
    put_u2(body, 0);
    put_u2(body, 5);
    put_u2(body, name);
    put_u2(body, add_utf8(build, "J"));
    put_u2(body, 2);
    end_attribute(build, start);
    start = begin_attribute(build, "LocalVariableTypeTable");
    put_u2(body, 1);
    put_u2(body, 0);
    put_u2(body, 5);
    put_u2(body, name);
    put_u2(body, add_utf8(build, "TT;"));
    put_u2(body, 2);
    end_attribute(build, start);
}

static inline void put_code_type_annotations(struct class_build *build)
{
    size_t start = begin_attribute(build, "RuntimeVisibleTypeAnnotations");
    put_u2(&build->body, 12);
    TYPE_ANNOTATION(build, 0, 0x40, 0, 2, 0, 1, 0, 2, 0, 3, 0, 2, 0, 3, 0, 1);
    TYPE_ANNOTATION(build, 0, 0x41, 0, 0);
    TYPE_ANNOTATION(build, 0, 0x42, 0, 1);
    TYPE_ANNOTATION(build, 0, 0x43, 0, 2);
    TYPE_ANNOTATION(build, 0, 0x44, 0, 3);
    TYPE_ANNOTATION(build, 0, 0x45, 0, 4);
    TYPE_ANNOTATION(build, 1, 0x46, 0, 4);
    TYPE_ANNOTATION(build, 0, 0x47, 0, 4, 7);
    TYPE_ANNOTATION(build, 0, 0x48, 0, 4, 6);
    TYPE_ANNOTATION(build, 0, 0x49, 0, 4, 5);
    TYPE_ANNOTATION(build, 0, 0x4A, 0, 4, 4);
    TYPE_ANNOTATION(build, 3, 0x4B, 0, 4, 3);
    end_attribute(build, start);
}

/* public <T> void m(int, long) throws ... with five bytes of code: nop nop nop nop return */
static inline void put_rich_method(struct class_build *build)
{
    struct build_bytes *body = &build->body;
    put_member(build, 0x0001, "m", "(IJ)V");
    put_u2(body, 9);
    size_t start = begin_attribute(build, "Code");
    put_u2(body, 3);
    put_u2(body, 4);
    put_u4(body, 5);
    put_bytes(body, (const uint8_t[]){0, 0, 0, 0, 0xB1}, 5);
    put_u2(body, 2);
    for (unsigned i = 0; i < 2; i++) {
        put_u2(body, 0);
        put_u2(body, 3 + i * 2);
        put_u2(body, 4);
        put_u2(body, i ? add_class(build, "java/lang/Error") : 0);
    }
    put_u2(body, 6);
    put_stack_map(build);
    put_variables(build);
    put_code_type_annotations(build);
    end_attribute(build, begin_attribute(build, "Exceptions")); /* elsewhere: unknown here */
    end_attribute(build, start);

    start = begin_attribute(build, "Exceptions");
    put_u2(body, 2);
    put_u2(body, add_class(build, "java/lang/Error"));
    put_u2(body, add_class(build, "p/E"));
    end_attribute(build, start);
    start = begin_attribute(build, "MethodParameters");
    put_u1(body, 2);
    put_u2(body, add_utf8(build, "first"));
    put_u2(body, 0x0010);
    put_u2(body, 0);
    put_u2(body, 0x1000);
    end_attribute(build, start);
    put_index_attribute(build, "Signature", add_utf8(build, "<T:Ljava/lang/Object;>(IJ)V"));
    for (int invisible = 0; invisible < 2; invisible++) {
        start = begin_attribute(build, invisible ? "RuntimeInvisibleParameterAnnotations"
                                                 : "RuntimeVisibleParameterAnnotations");
        put_u1(body, 2);
        put_u2(body, 1);
        put_marker(build);
        put_u2(body, 0);
        end_attribute(build, start);
    }
    start = begin_attribute(build, "RuntimeVisibleTypeAnnotations");
    put_u2(body, 6);
    TYPE_ANNOTATION(build, 0, 0x01, 0);
    TYPE_ANNOTATION(build, 0, 0x12, 0, 1);
    TYPE_ANNOTATION(build, 0, 0x14);
    TYPE_ANNOTATION(build, 0, 0x15);
    TYPE_ANNOTATION(build, 0, 0x16, 1);
    TYPE_ANNOTATION(build, 0, 0x17, 0, 1);
    end_attribute(build, start);
    start = begin_attribute(build, "RuntimeInvisibleAnnotations");
    put_u2(body, 1);
    put_annotation_of_all_kinds(build);
    end_attribute(build, start);
    end_attribute(build, begin_attribute(build, "Deprecated"));
}

static inline void put_rich_methods(struct class_build *build)
{
    struct build_bytes *body = &build->body;
    put_u2(body, 3);
    put_rich_method(build);
    put_member(build, 0x0401, "value", "()[I"); /* abstract */
    put_u2(body, 1);
    size_t start = begin_attribute(build, "AnnotationDefault");
    put_u1(body, '[');
    put_u2(body, 1);
    put_u1(body, 'I');
    put_u2(body, add_u4(build, 3, 5));
    end_attribute(build, start);
    put_member(build, 0x0101, "n", "()V"); /* native */
    put_u2(body, 0);
}

static inline void put_bootstrap_methods(struct class_build *build)
{
    struct build_bytes *body = &build->body;
    uint16_t method = add_member(build, 10, "p/B", "bootstrap", "()Ljava/lang/Object;");
    uint16_t handle = add_method_handle(build, 6, method);
    uint16_t field = add_member(build, 9, "p/B", "f", "I");
    uint16_t init = add_member(build, 10, "p/B", "<init>", "()V");
    uint16_t interface = add_member(build, 11, "p/I", "run", "()V");
    uint16_t dynamic = add_u2_u2(build, 17, 1, add_name_and_type(build, "d", "I"));
    add_u2_u2(build, 18, 0, add_name_and_type(build, "run", "()Lp/I;"));
    size_t start = begin_attribute(build, "BootstrapMethods");
    put_u2(body, 2);
    put_u2(body, handle);
    put_u2(body, 0);
    put_u2(body, handle);
    put_u2(body, 12);
    for (unsigned kind = 1; kind <= 4; kind++)
        put_u2(body, add_method_handle(build, kind, field));
    put_u2(body, add_method_handle(build, 5, method));
    put_u2(body, add_method_handle(build, 7, method));
    put_u2(body, add_method_handle(build, 8, init));
    put_u2(body, add_method_handle(build, 9, interface));
    put_u2(body, add_method_handle(build, 6, interface));
    put_u2(body, add_u2(build, 16, add_utf8(build, "(I)V")));
    put_u2(body, dynamic); /* its own bootstrap method: a cycle */
    put_u2(body, add_u8(build, 6, 0x7FF8000000000001u));
    end_attribute(build, start);
}

static inline void put_record(struct class_build *build)
{
    struct build_bytes *body = &build->body;
    size_t start = begin_attribute(build, "Record");
    put_u2(body, 2);
    put_u2(body, add_utf8(build, "left"));
    put_u2(body, add_utf8(build, "I"));
    put_u2(body, 0);
    put_u2(body, add_utf8(build, "right"));
    put_u2(body, add_utf8(build, "Ljava/util/List;"));
    put_u2(body, 2);
    put_index_attribute(build, "Signature", add_utf8(build, "Ljava/util/List<TT;>;"));
    size_t inside = begin_attribute(build, "RuntimeVisibleAnnotations");
    put_u2(body, 1);
    put_marker(build);
    end_attribute(build, inside);
    end_attribute(build, start);
}

static inline void put_class_list(struct class_build *build, const char *name, const char *member)
{
    size_t start = begin_attribute(build, name);
    put_u2(&build->body, 1);
    put_u2(&build->body, add_class(build, member));
    end_attribute(build, start);
}

static inline void put_rich_class_attributes(struct class_build *build)
{
    struct build_bytes *body = &build->body;
    put_u2(body, 12);
    put_index_attribute(build, "SourceFile", add_utf8(build, "A.java"));
    put_index_attribute(build, "Signature", add_utf8(build, "Ljava/lang/Object;"));
    size_t start = begin_attribute(build, "InnerClasses");
    put_u2(body, 2);
    put_u2(body, add_class(build, "p/A$B"));
    put_u2(body, add_class(build, "p/A"));
    put_u2(body, add_utf8(build, "B"));
    put_u2(body, 0x0009);
    put_u2(body, add_class(build, "p/A$1"));
    put_u2(body, 0);
    put_u2(body, 0);
    put_u2(body, 0);
    end_attribute(build, start);
    start = begin_attribute(build, "EnclosingMethod");
    put_u2(body, add_class(build, "p/Outer"));
    put_u2(body, add_name_and_type(build, "main", "([Ljava/lang/String;)V"));
    end_attribute(build, start);
    start = begin_attribute(build, "SourceDebugExtension");
    put_bytes(body, "SMAP\xFF", 5);
    end_attribute(build, start);
    put_bootstrap_methods(build);
    put_class_list(build, "NestMembers", "p/A$B");
    put_class_list(build, "PermittedSubclasses", "p/Sub");
    put_record(build);
    start = begin_attribute(build, "RuntimeVisibleTypeAnnotations");
    put_u2(body, 3);
    TYPE_ANNOTATION(build, 0, 0x00, 1);
    TYPE_ANNOTATION(build, 0, 0x10, 0xFF, 0xFF);
    TYPE_ANNOTATION(build, 0, 0x11, 0, 1);
    end_attribute(build, start);
    start = begin_attribute(build, "com.example.Unknown");
    put_bytes(body, "\x01\x02\x03", 3);
    end_attribute(build, start);
    put_index_attribute(build, "NestHost!", 0xFFFF); /* unknown: its content means nothing */
}

/* Every attribute but NestHost and those of modules. */
static inline const struct build_bytes *build_rich_class(struct class_build *build)
{
    class_build_init(build, 69);
    put_class(build, 0x0421, "p/A", "java/lang/Object");
    put_u2(&build->body, 1);
    put_u2(&build->body, add_class(build, "java/lang/Runnable"));
    put_rich_fields(build);
    put_rich_methods(build);
    put_rich_class_attributes(build);
    return class_build_finish(build);
}

/* ---- a module declaration ---- */

static inline uint16_t add_named(struct class_build *build, unsigned tag, const char *name)
{
    uint16_t utf8 = add_utf8(build, name);
    return add_u2(build, tag, utf8);
}

static inline void put_module(struct class_build *build)
{
    struct build_bytes *body = &build->body;
    uint16_t base = add_named(build, 19, "java.base");
    uint16_t package = add_named(build, 20, "p/api");
    uint16_t version = add_utf8(build, "1.0");
    size_t start = begin_attribute(build, "Module");
    put_u2(body, add_named(build, 19, "m"));
    put_u2(body, 0x0020);
    put_u2(body, version);
    put_u2(body, 2); /* requires */
    put_u2(body, base);
    put_u2(body, 0x8000);
    put_u2(body, 0);
    put_u2(body, base);
    put_u2(body, 0x0040);
    put_u2(body, version);
    put_u2(body, 2); /* exports */
    put_u2(body, package);
    put_u2(body, 0);
    put_u2(body, 0);
    put_u2(body, package);
    put_u2(body, 0x1000);
    put_u2(body, 1);
    put_u2(body, base);
    put_u2(body, 1); /* opens */
    put_u2(body, package);
    put_u2(body, 0);
    put_u2(body, 2);
    put_u2(body, base);
    put_u2(body, base);
    put_u2(body, 1); /* uses */
    put_u2(body, add_class(build, "p/Service"));
    put_u2(body, 1); /* provides */
    put_u2(body, add_class(build, "p/Service"));
    put_u2(body, 1);
    put_u2(body, add_class(build, "p/Provider"));
    end_attribute(build, start);
}

static inline const struct build_bytes *build_module(struct class_build *build)
{
    class_build_init(build, 53);
    struct build_bytes *body = &build->body;
    put_class(build, 0x8000, "module-info", NULL);
    put_u2(body, 0);
    put_u2(body, 0);
    put_u2(body, 0);
    put_u2(body, 7);
    put_module(build);
    size_t start = begin_attribute(build, "ModulePackages");
    put_u2(body, 1);
    put_u2(body, add_named(build, 20, "p/internal"));
    end_attribute(build, start);
    put_index_attribute(build, "ModuleMainClass", add_class(build, "p/Main"));
    put_index_attribute(build, "ModuleTarget", add_utf8(build, "linux-amd64"));
    put_index_attribute(build, "ModuleResolution", 0x0002);
    start = begin_attribute(build, "ModuleHashes");
    put_u2(body, add_utf8(build, "SHA-256"));
    put_u2(body, 2);
    put_u2(body, add_utf8(build, "m.a"));
    put_u2(body, 3);
    put_bytes(body, "\x00\x01\x02", 3);
    put_u2(body, add_named(build, 19, "m.b"));
    put_u2(body, 0);
    end_attribute(build, start);
    put_index_attribute(build, "SourceFile", add_utf8(build, "module-info.java"));
    return class_build_finish(build);
}

#endif
