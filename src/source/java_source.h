/*
 * java_source: what is declared where in one Java source file.
 *
 * No parser of the language: it looks for declarations and blocks among the tokens, and passes over
 * expressions and statements. Any text gives some index; where the text is not Java, what stands
 * there is left out, and looking goes on behind the next `;` or `}`. Nothing nests deeper than a
 * fixed limit.
 *
 * Places are numbers of tokens. Each token belongs to one thing (java_owner): the header of a class
 * or method, the type or a declarator of a field, or code; so whoever has a place asks the tokens
 * before and behind it what is there.
 *
 * Texts point into the source or into the index.
 */
#ifndef TURNSTILE_SOURCE_JAVA_SOURCE_H
#define TURNSTILE_SOURCE_JAVA_SOURCE_H

#include "base/arena.h"
#include "source/java_tokens.h"

#define JAVA_NONE UINT32_MAX

enum java_class_kind {
    JAVA_CLASS,
    JAVA_INTERFACE,
    JAVA_ENUM,
    JAVA_RECORD,
    JAVA_ANNOTATION,
    JAVA_ANONYMOUS,
    JAVA_CONSTANT_BODY, /* of an enum constant: another anonymous class */
    JAVA_IMPLICIT       /* of a compact source file: no header, no braces */
};

struct java_type {
    uint32_t first, end; /* tokens, `end` behind the last; first == end: no type */
    uint32_t last_name;  /* the last word of its name */
    uint32_t arguments_open, arguments_close; /* < and > behind that, or JAVA_NONE */
    struct text name;    /* without type arguments and annotations: "int", "java.util.Map.Entry" */
    uint32_t dimensions; /* brackets; `...` counts as one */
};

/* Of a method, a record or, with its first bound as the type, of a generic class or method. */
struct java_parameter {
    struct text name;
    struct java_type type;
};

struct java_class {
    uint8_t kind;        /* enum java_class_kind */
    bool local;          /* stands in code: its binary name has a number that the compiler chose */
    uint32_t outer;      /* class around it, or JAVA_NONE */
    uint32_t method;     /* method around it, or JAVA_NONE */
    uint32_t first;      /* first token: a modifier; `new` of anonymous ones */
    uint32_t name_token; /* JAVA_NONE: has no name */
    uint32_t arguments_open, arguments_close; /* its own type parameters, or JAVA_NONE */
    const struct java_parameter *variables;   /* those, each with its first bound */
    uint32_t variable_count;
    uint32_t open, close; /* braces; close is the last token if there is none */
    struct text name;     /* empty: has none */
    /* Internal, "p/Outer$Inner"; empty in and below code. */
    struct text binary_name;
    struct java_type superclass;             /* behind `extends` or `new`; first == end: none */
    const struct java_parameter *components; /* of a record */
    uint32_t component_count;
};

struct java_field {
    uint32_t class_number;
    uint32_t first; /* of the declaration, which several fields may share */
    uint32_t name_token;
    uint32_t end; /* the `,` or `;` behind it, or where the declaration breaks off */
    bool first_of_declaration;
    bool component; /* of a record's header */
    struct text name;
    struct java_type type; /* with the brackets behind the name counted in */
};

struct java_method {
    uint32_t class_number;
    uint32_t first, name_token;
    uint32_t arguments_open, arguments_close; /* type parameters, or JAVA_NONE */
    const struct java_parameter *variables;   /* those, each with its first bound */
    uint32_t variable_count;
    uint32_t parameters_open, parameters_close; /* parentheses; JAVA_NONE: a compact constructor */
    uint32_t end;                               /* the `{` of the body or the `;` */
    uint32_t body_close;                        /* its `}`; JAVA_NONE: no body */
    bool constructor;
    struct text name;                        /* <init> for constructors */
    struct java_type result;                 /* first == end: none */
    const struct java_parameter *parameters; /* without the receiver */
    uint32_t parameter_count;
};

/* Braces, whatever they are for; in the order of their opening. */
struct java_block {
    uint32_t open, close;
    uint32_t parent; /* number of the block around it, or JAVA_NONE */
};

enum java_owner_kind {
    JAVA_OWNER_NONE,
    JAVA_OWNER_CLASS,      /* header up to and with the opening brace */
    JAVA_OWNER_CLASS_END,  /* the closing brace */
    JAVA_OWNER_FIELD_TYPE, /* modifiers and type; the number is that of the first field */
    JAVA_OWNER_FIELD,      /* name, brackets, `=`, and the `,` or `;`; not the initializer */
    JAVA_OWNER_METHOD,     /* header, with the opening brace or the `;` */
    JAVA_OWNER_METHOD_END,
    JAVA_OWNER_CODE /* bodies and initializers; enum constants */
};

struct java_owner {
    uint8_t kind;    /* enum java_owner_kind */
    uint32_t number; /* of the class, field or method */
};

struct java_source {
    struct java_tokens tokens;
    struct arena arena;
    struct text package;         /* "p/q"; empty: none */
    VECTOR(struct text) imports; /* "java.util.Map", "java.util.*", "static a.B.c" */
    VECTOR(struct java_class)
    classes;                          /* in the order of their first tokens, except that an
                                         implicit one comes where its first member stands */
    VECTOR(struct java_field) fields; /* in the order of their names */
    VECTOR(struct java_method) methods;
    VECTOR(struct java_block) blocks;
    struct java_owner *owners; /* by token */
    uint32_t *matches;         /* by token: the other bracket of a pair, or JAVA_NONE */
    bool failed;               /* memory ran out */
};

/* The file's name ("Name.java") is that of a compact source file's class. The text must outlive the
   index. False when there is no memory. To be released in any case. */
bool java_source_read(struct java_source *source, struct text text, struct text file_name);
void java_source_release(struct java_source *source);

/* The innermost block around the place before that token, or JAVA_NONE. */
uint32_t java_source_block_at(const struct java_source *source, uint32_t token);

/* The name of the type in class files' terms: that of a type variable's first bound, or
   java.lang.Object; else the name itself. `method` may be JAVA_NONE. */
struct text java_source_erase(const struct java_source *source, uint32_t class_number,
                              uint32_t method, struct text name);

/* Whether the place before the token is directly behind the type: behind its name, type arguments
   or brackets, and not inside of the arguments. */
bool java_type_ends_before(const struct java_type *type, uint32_t token);

#endif
