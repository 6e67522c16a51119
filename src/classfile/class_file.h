/*
 * class_file: one class file as a checked model.
 *
 * The model follows the format of the JVM specification, chapter 4, up to Java 25 (major 69):
 * the same constants at the same indices, attributes in the same order, every part decoded. It
 * keeps exactly what is needed to write the same bytes again.
 *
 * What a model promises (class_read establishes it, whoever edits a model keeps it):
 *   - every constant-pool index refers to a constant of the kind that stands in the comment beside
 *     it; an index that may be 0 is marked "or 0";
 *   - names and descriptors in Utf8 constants are well-formed modified UTF-8; member descriptors
 *     and NameAndType descriptors are well-formed descriptors;
 *   - counts agree with their arrays.
 * It does not promise that bytecode is well-formed: bytecode/decode.h checks that.
 *
 * Who owns what: everything hangs in the arena given to class_read, except Utf8 bytes, code, raw
 * attributes and `source`, which point into the input. Both must outlive the model.
 */
#ifndef TURNSTILE_CLASSFILE_CLASS_FILE_H
#define TURNSTILE_CLASSFILE_CLASS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

enum { CLASS_OLDEST_MAJOR = 45, CLASS_NEWEST_MAJOR = 69 };

enum access_flag {
    ACCESS_PUBLIC = 0x0001,
    ACCESS_PRIVATE = 0x0002,
    ACCESS_PROTECTED = 0x0004,
    ACCESS_STATIC = 0x0008,
    ACCESS_FINAL = 0x0010,
    ACCESS_SUPER = 0x0020,        /* class */
    ACCESS_SYNCHRONIZED = 0x0020, /* method */
    ACCESS_OPEN = 0x0020,         /* module */
    ACCESS_TRANSITIVE = 0x0020,   /* requires */
    ACCESS_VOLATILE = 0x0040,     /* field */
    ACCESS_BRIDGE = 0x0040,       /* method */
    ACCESS_STATIC_PHASE = 0x0040, /* requires */
    ACCESS_TRANSIENT = 0x0080,    /* field */
    ACCESS_VARARGS = 0x0080,      /* method */
    ACCESS_NATIVE = 0x0100,
    ACCESS_INTERFACE = 0x0200,
    ACCESS_ABSTRACT = 0x0400,
    ACCESS_STRICT = 0x0800,
    ACCESS_SYNTHETIC = 0x1000,
    ACCESS_ANNOTATION = 0x2000,
    ACCESS_ENUM = 0x4000,
    ACCESS_MANDATED = 0x8000,
    ACCESS_MODULE = 0x8000
};

/* ---- constants ---- */

enum constant_tag {
    CONSTANT_UNUSABLE = 0, /* index 0, and the index behind a long or double */
    CONSTANT_UTF8 = 1,
    CONSTANT_INTEGER = 3,
    CONSTANT_FLOAT = 4,
    CONSTANT_LONG = 5,
    CONSTANT_DOUBLE = 6,
    CONSTANT_CLASS = 7,
    CONSTANT_STRING = 8,
    CONSTANT_FIELD = 9,
    CONSTANT_METHOD = 10,
    CONSTANT_INTERFACE_METHOD = 11,
    CONSTANT_NAME_AND_TYPE = 12,
    CONSTANT_METHOD_HANDLE = 15,
    CONSTANT_METHOD_TYPE = 16,
    CONSTANT_DYNAMIC = 17,
    CONSTANT_INVOKE_DYNAMIC = 18,
    CONSTANT_MODULE = 19,
    CONSTANT_PACKAGE = 20
};

enum reference_kind {
    REFERENCE_GET_FIELD = 1,
    REFERENCE_GET_STATIC,
    REFERENCE_PUT_FIELD,
    REFERENCE_PUT_STATIC,
    REFERENCE_INVOKE_VIRTUAL,
    REFERENCE_INVOKE_STATIC,
    REFERENCE_INVOKE_SPECIAL,
    REFERENCE_NEW_INVOKE_SPECIAL,
    REFERENCE_INVOKE_INTERFACE
};

/* What instructions may use a constant for, as far as the constant alone tells: what the decoder
   would otherwise look up at each use. A bit that is not set says nothing. */
enum constant_use {
    SUITS_NONE = 1, /* index 0 only: by instructions that use no constant */
    SUITS_FIELD = 2,
    SUITS_CALL = 4,         /* a method, its name not in angle brackets */
    SUITS_CALL_SPECIAL = 8, /* a method, <init> too */
    SUITS_CLASS = 16,
    SUITS_CLASS_NO_ARRAY = 32,
    SUITS_LOAD = 64,        /* a number or string of one slot */
    SUITS_LOAD_DOUBLE = 128 /* a number of two */
};

struct constant {
    uint8_t tag;            /* enum constant_tag */
    uint8_t reference_kind; /* method handle: enum reference_kind */
    /*
     * tag                       first                         second
     * class, string, module,
     * package, method type      Utf8                          -
     * field, (interface) method class                         name and type
     * name and type             Utf8 name                     Utf8 descriptor
     * method handle             field or method               -
     * (invoke) dynamic          bootstrap method number       name and type
     * Utf8                      length in bytes               -
     */
    uint16_t first;
    uint16_t second;
    uint8_t uses;  /* enum constant_use: see class_constant_uses */
    uint8_t slots; /* (interface) method: of its parameters and `this`; 0: not known */
    union {
        const char *utf8; /* Utf8: `first` bytes of modified UTF-8 */
        uint64_t bits;    /* integer and float: low 32 bits; long and double: all */
    } value;
};

/* ---- attributes ---- */

/* attributes.def lists name, kind, where it may stand and since which version. An attribute that
   is unknown, stands elsewhere or is newer than its class file is ATTRIBUTE_UNKNOWN and kept raw,
   as the JVM ignores it. So is one with junk that the JVM does not mind: annotations and parameter
   names, which only reflection decodes, the value of a field that is not static, frames in
   version 50. */
enum attribute_kind {
    ATTRIBUTE_UNKNOWN,
#define ATTRIBUTE(kind, name, form, places, since) ATTRIBUTE_##kind,
#include "classfile/attributes.def"
#undef ATTRIBUTE
    ATTRIBUTE_KIND_COUNT
};

struct attribute {
    enum attribute_kind kind;
    uint16_t name_index; /* Utf8 */
    uint32_t length;     /* of the content as it was read; the writer computes its own */
    union {
        const uint8_t *raw; /* UNKNOWN, SOURCE_DEBUG_EXTENSION: `length` bytes */
        /* CONSTANT_VALUE, SIGNATURE, SOURCE_FILE, NEST_HOST, MODULE_MAIN_CLASS, MODULE_TARGET;
           MODULE_RESOLUTION: its flags */
        uint16_t index;
        /* EXCEPTIONS, NEST_MEMBERS, PERMITTED_SUBCLASSES: classes; MODULE_PACKAGES: packages */
        struct index_list *indices;
        struct code *code;                         /* CODE */
        struct stack_map *stack_map;               /* STACK_MAP_TABLE */
        struct line_numbers *line_numbers;         /* LINE_NUMBER_TABLE */
        struct local_variables *local_variables;   /* LOCAL_VARIABLE_TABLE, .._TYPE_TABLE */
        struct inner_classes *inner_classes;       /* INNER_CLASSES */
        struct enclosing_method *enclosing_method; /* ENCLOSING_METHOD */
        struct annotations *annotations;           /* RUNTIME_(IN)VISIBLE_ANNOTATIONS */
        struct parameter_annotations *parameter_annotations;
        struct type_annotations *type_annotations;
        struct element_value *default_value;         /* ANNOTATION_DEFAULT */
        struct bootstrap_methods *bootstrap_methods; /* BOOTSTRAP_METHODS */
        struct method_parameters *method_parameters; /* METHOD_PARAMETERS */
        struct module *module;                       /* MODULE */
        struct module_hashes *module_hashes;         /* MODULE_HASHES */
        struct record *record;                       /* RECORD */
    } as;                                            /* SYNTHETIC, DEPRECATED: nothing */
};

struct attributes {
    struct attribute *items;
    uint16_t count;
};

struct index_list {
    uint16_t *items;
    uint16_t count;
};

struct exception_handler {
    uint16_t start, end; /* code offsets, end excluded */
    uint16_t handler;
    uint16_t catch_type; /* class, or 0 for any */
};

struct code {
    uint16_t max_stack, max_locals;
    uint32_t length; /* 1 to 65,535 */
    const uint8_t *bytes;
    uint16_t margin; /* so many bytes behind the code may be looked at as well */
    size_t origin;   /* offset of bytes[0] in the class file, for messages */
    struct exception_handler *handlers;
    uint16_t handler_count;
    struct attributes attributes;
};

enum verification_tag {
    VERIFICATION_TOP,
    VERIFICATION_INTEGER,
    VERIFICATION_FLOAT,
    VERIFICATION_DOUBLE,
    VERIFICATION_LONG,
    VERIFICATION_NULL,
    VERIFICATION_UNINITIALIZED_THIS,
    VERIFICATION_OBJECT,
    VERIFICATION_UNINITIALIZED
};

struct verification_type {
    uint8_t tag;    /* enum verification_tag */
    uint16_t value; /* OBJECT: class; UNINITIALIZED: offset of the `new`; else 0 */
};

enum {
    FRAME_SAME_LAST = 63,
    FRAME_SAME_ONE_STACK = 64,
    FRAME_SAME_ONE_STACK_LAST = 127,
    FRAME_SAME_ONE_STACK_EXTENDED = 247,
    FRAME_CHOP_FIRST = 248,
    FRAME_SAME_EXTENDED = 251,
    FRAME_APPEND_LAST = 254,
    FRAME_FULL = 255
};

struct stack_map_frame {
    uint8_t type;          /* as encoded; the same frame has several encodings */
    uint16_t offset_delta; /* also for the types that encode it in `type` */
    uint16_t local_count;  /* append: the added ones; full: all; else 0 */
    uint16_t stack_count;
    struct verification_type *locals;
    struct verification_type *stack;
};

struct stack_map {
    struct stack_map_frame *frames;
    uint16_t count;
};

struct line_number {
    uint16_t start;
    uint16_t line;
};

struct line_numbers {
    struct line_number *items;
    uint16_t count;
};

struct local_variable {
    uint16_t start, length;
    uint16_t name;       /* Utf8 */
    uint16_t descriptor; /* Utf8: descriptor or signature */
    uint16_t index;
};

struct local_variables {
    struct local_variable *items;
    uint16_t count;
};

struct inner_class {
    uint16_t inner; /* class */
    uint16_t outer; /* class or 0 */
    uint16_t name;  /* Utf8 or 0 */
    uint16_t access;
};

struct inner_classes {
    struct inner_class *items;
    uint16_t count;
};

struct enclosing_method {
    uint16_t class_index; /* class */
    uint16_t method;      /* name and type or 0 */
};

struct element_value {
    uint8_t tag; /* one of B C D F I J S Z s e c @ [ */
    union {
        uint16_t constant; /* B C D F I J S Z s */
        struct {
            uint16_t type;             /* Utf8 */
            uint16_t name;             /* Utf8 */
        } enumerator;                  /* e */
        uint16_t class_index;          /* c: Utf8, a return descriptor */
        struct annotation *annotation; /* @ */
        struct {
            struct element_value *items;
            uint16_t count;
        } array; /* [ */
    } as;
};

struct annotation_element {
    uint16_t name; /* Utf8 */
    struct element_value value;
};

struct annotation {
    uint16_t type; /* Utf8, a field descriptor */
    uint16_t element_count;
    struct annotation_element *elements;
};

struct annotations {
    struct annotation *items;
    uint16_t count;
};

struct parameter_annotations {
    struct annotations *parameters;
    uint8_t count;
};

struct local_target_range {
    uint16_t start, length;
    uint16_t index;
};

struct type_path_step {
    uint8_t kind;
    uint8_t argument;
};

struct type_annotation {
    uint8_t target_type; /* 0x00 to 0x4B */
    union {
        uint8_t type_parameter; /* 0x00 0x01 */
        uint16_t supertype;     /* 0x10: 65535 for the superclass */
        struct {
            uint8_t parameter;
            uint8_t bound;
        } bound;                  /* 0x11 0x12 */
        uint8_t formal_parameter; /* 0x16; 0x13 to 0x15 have nothing */
        uint16_t throws_index;    /* 0x17 */
        struct {
            struct local_target_range *ranges;
            uint16_t count;
        } local;                  /* 0x40 0x41 */
        uint16_t exception_index; /* 0x42 */
        uint16_t offset;          /* 0x43 to 0x46 */
        struct {
            uint16_t offset;
            uint8_t index;
        } argument; /* 0x47 to 0x4B */
    } target;
    struct type_path_step *path;
    uint8_t path_length;
    struct annotation annotation;
};

struct type_annotations {
    struct type_annotation *items;
    uint16_t count;
};

struct bootstrap_method {
    uint16_t method; /* method handle */
    uint16_t argument_count;
    uint16_t *arguments; /* loadable constants */
};

struct bootstrap_methods {
    struct bootstrap_method *items;
    uint16_t count;
};

struct method_parameter {
    uint16_t name; /* Utf8 or 0 */
    uint16_t access;
};

struct method_parameters {
    struct method_parameter *items;
    uint8_t count;
};

struct module_requires {
    uint16_t module; /* module */
    uint16_t flags;
    uint16_t version; /* Utf8 or 0 */
};

/* One `exports` or `opens`. */
struct module_package {
    uint16_t package; /* package */
    uint16_t flags;
    struct index_list to; /* modules */
};

struct module_provides {
    uint16_t service;       /* class */
    struct index_list with; /* classes */
};

struct module {
    uint16_t name; /* module */
    uint16_t flags;
    uint16_t version; /* Utf8 or 0 */
    uint16_t requires_count, exports_count, opens_count, provides_count;
    struct module_requires *requires;
    struct module_package *exports;
    struct module_package *opens;
    struct index_list uses; /* classes */
    struct module_provides *provides;
};

struct module_hash {
    uint16_t module; /* Utf8: as the JDK writes it, or module */
    uint16_t length;
    const uint8_t *bytes;
};

struct module_hashes {
    uint16_t algorithm; /* Utf8 */
    uint16_t count;
    struct module_hash *items;
};

struct record_component {
    uint16_t name;       /* Utf8 */
    uint16_t descriptor; /* Utf8 */
    struct attributes attributes;
};

struct record {
    struct record_component *items;
    uint16_t count;
};

/* ---- the class ---- */

/* A field or a method. */
struct member {
    uint16_t access;
    uint16_t name;       /* Utf8 */
    uint16_t descriptor; /* Utf8 */
    struct attributes attributes;
};

struct class_file {
    struct arena *arena; /* not owned: where whatever is added to the model goes */
    uint16_t minor, major;
    struct constant *constants;
    uint16_t constant_count; /* one more than the last index */
    /* The constants below source_count are those of these bytes of the input still, which are
       written again as they are. Whoever changes one of them makes this 0. */
    uint16_t source_count;
    const uint8_t *source; /* behind the count of the constants */
    size_t source_size;
    uint16_t access;
    uint16_t this_class;  /* class */
    uint16_t super_class; /* class, or 0 in java.lang.Object and modules */
    uint16_t interface_count, field_count, method_count;
    uint16_t *interfaces; /* classes */
    struct member *fields;
    struct member *methods;
    struct attributes attributes;
};

/* ---- reading the model: indices must be of the kind that the name says ---- */

static inline struct text class_utf8(const struct class_file *class_file, uint16_t index)
{
    const struct constant *constant = &class_file->constants[index];
    return (struct text){constant->value.utf8, constant->first};
}

/* The name behind a class, string, module, package or method-type constant. */
static inline struct text class_name_at(const struct class_file *class_file, uint16_t index)
{
    return class_utf8(class_file, class_file->constants[index].first);
}

/* The internal name, "java/util/Map$Entry". */
static inline struct text class_this_name(const struct class_file *class_file)
{
    return class_name_at(class_file, class_file->this_class);
}

/* The enum constant_use of a method with this name. */
static inline uint8_t class_method_uses(struct text name)
{
    if (!name.length || name.bytes[0] != '<')
        return SUITS_CALL | SUITS_CALL_SPECIAL;
    return text_equal(name, TEXT("<init>")) ? SUITS_CALL_SPECIAL : 0;
}

/* What constant.uses should be for this constant; whoever makes constants stores it there. */
uint8_t class_constant_uses(const struct class_file *class_file, const struct constant *constant);

/* What a field or method constant refers to, or (with an empty owner) a (invoke) dynamic one. */
struct member_reference {
    struct text owner;
    struct text name;
    struct text descriptor;
    bool interface; /* the constant is an interface method */
};

struct member_reference class_member_reference(const struct class_file *class_file, uint16_t index);

/* The first attribute of that kind, or NULL. */
struct attribute *attributes_find(const struct attributes *attributes, enum attribute_kind kind);

/* Those of a method's flags that count: a class initializer is static and nothing else, also where
   files up to version 50 say otherwise. */
uint16_t class_method_access(const struct class_file *class_file, const struct member *method);

/* The Code of a method, or NULL if it is abstract or native. */
struct code *member_code(const struct member *method);

#endif
