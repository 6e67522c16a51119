#include <pthread.h>

#include "instrument/collections.h"

enum row_kind {
    ROW_TYPE,
    ROW_READ,
    ROW_WRITE,
    ROW_NONE,
    ROW_VIEW,
    ROW_READ_VIEW,
    ROW_WRITE_SELF,
    ROW_ARGUMENT_READ,
    ROW_ARGUMENT_WRITE,
};

struct row {
    enum row_kind kind;
    unsigned argument;   /* its number, in rows about one */
    struct text text;    /* names of methods; of a type, its own */
    struct text chain;   /* of a type */
    struct text parents; /* of a type */
};

#define ROW(kind, argument, methods) {kind, argument, {methods, sizeof methods - 1}, {0}, {0}},

static const struct row rows[] = {
#define TYPE(class, chain, parents)                                                                \
    {ROW_TYPE,                                                                                     \
     0,                                                                                            \
     {class, sizeof class - 1},                                                                    \
     {#chain, sizeof #chain - 1},                                                                  \
     {parents, sizeof parents - 1}},
#define READ(methods) ROW(ROW_READ, 0, methods)
#define WRITE(methods) ROW(ROW_WRITE, 0, methods)
#define NONE(methods) ROW(ROW_NONE, 0, methods)
#define VIEW(methods) ROW(ROW_VIEW, 0, methods)
#define READ_VIEW(methods) ROW(ROW_READ_VIEW, 0, methods)
#define WRITE_SELF(methods) ROW(ROW_WRITE_SELF, 0, methods)
#define ARGUMENT_READ(number, methods) ROW(ROW_ARGUMENT_READ, number, methods)
#define ARGUMENT_WRITE(number, methods) ROW(ROW_ARGUMENT_WRITE, number, methods)
#include "instrument/collections.def"
};

static const char *const word_classes[] = {
#define COLLECTION_WORD(class) class,
#include "instrument/collections.def"
};

enum {
    ROW_COUNT = sizeof rows / sizeof rows[0],
    WORD_COUNT = sizeof word_classes / sizeof word_classes[0],
    TYPE_COUNT = 0
#define TYPE(class, chain, parents) +1
#include "instrument/collections.def"
    ,
    SLOT_COUNT = 512 /* of the hash table: a power of two, a few times the number of types */
};

_Static_assert(TYPE_COUNT * 2 < SLOT_COUNT, "the hash table is too small");

static struct collection_type types[TYPE_COUNT];
static uint8_t slots[SLOT_COUNT]; /* the number of a type, from 1 on; 0: free */
_Static_assert(TYPE_COUNT < UINT8_MAX, "numbers of types do not fit");

/* Names of methods, numbered in the order of the table; and its words, each of which says something
   of a method of a type. The slots of both are enough for a few times as many. */
enum { NAME_SLOT_COUNT = 2048, WORD_SLOT_COUNT = 2048 };

struct name {
    struct text text; /* empty: free */
    int number;       /* NOTHING: it is in rows about arguments only */
};

static struct name names[NAME_SLOT_COUNT];

struct word {
    struct text descriptor; /* how the method's begins */
    uint16_t name;          /* its slot */
    uint8_t type;           /* its number, from 1 on; 0: free */
    uint8_t kind;           /* enum row_kind */
    uint8_t argument;
};

/* All words of the same type and name are found one after the other from their first slot on, in
   the order of the table; others may be between them. */
static struct word words[WORD_SLOT_COUNT];

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The next word of a text, which is cut off from it. False at the end. */
static bool next_word(struct text *text, struct text *word)
{
    ptrdiff_t space = text_find(*text, ' ');
    size_t length = space < 0 ? text->length : (size_t)space;
    *word = text_slice(*text, 0, length);
    *text = text_slice(*text, length + 1, text->length);
    return word->length;
}

/* Its slot, or the free one where it would be. */
static struct name *find_name(struct text text)
{
    size_t slot = text_hash(text) % NAME_SLOT_COUNT;
    while (names[slot].text.length && !text_equal(names[slot].text, text))
        slot = (slot + 1) % NAME_SLOT_COUNT;
    return &names[slot];
}

static const struct collection_type *find_type(struct text name)
{
    for (size_t slot = text_hash(name) % SLOT_COUNT; slots[slot]; slot = (slot + 1) % SLOT_COUNT)
        if (text_equal(types[slots[slot] - 1].name, name))
            return &types[slots[slot] - 1];
    return NULL;
}

static void add_parents(struct collection_type *type, struct text parents)
{
    struct text parent;
    for (size_t i = 0; i < COLLECTION_PARENTS_MAX && next_word(&parents, &parent); i++)
        type->parents[i] = find_type(parent);
}

static struct collection_call call_of(enum row_kind kind)
{
    switch (kind) {
    case ROW_READ:
        return (struct collection_call){COLLECTION_READ, COLLECTION_OTHER};
    case ROW_WRITE:
        return (struct collection_call){COLLECTION_WRITE, COLLECTION_OTHER};
    case ROW_NONE:
        return (struct collection_call){COLLECTION_NONE, COLLECTION_OTHER};
    case ROW_VIEW:
        return (struct collection_call){COLLECTION_NONE, COLLECTION_VIEW};
    case ROW_READ_VIEW:
        return (struct collection_call){COLLECTION_READ, COLLECTION_VIEW};
    case ROW_WRITE_SELF:
        return (struct collection_call){COLLECTION_WRITE, COLLECTION_SELF};
    default:
        return (struct collection_call){COLLECTION_UNKNOWN, COLLECTION_OTHER};
    }
}

struct table_counts {
    int names;
    size_t words;
};

static size_t word_slot(size_t type, size_t name)
{
    const uint32_t hash = (uint32_t)(name * TYPE_COUNT + type) * 0x9E3779B1u;
    return (hash >> 16) % WORD_SLOT_COUNT;
}

static void add_word(const struct row *row, size_t type, size_t name, struct text descriptor)
{
    size_t slot = word_slot(type, name);
    while (words[slot].type)
        slot = (slot + 1) % WORD_SLOT_COUNT;
    words[slot] = (struct word){.descriptor = descriptor,
                                .name = (uint16_t)name,
                                .type = (uint8_t)type,
                                .kind = (uint8_t)row->kind,
                                .argument = (uint8_t)row->argument};
}

/* A word is a name, or a name and the start of a descriptor. */
static void add_words(const struct row *row, size_t type, struct table_counts *counts)
{
    struct text rest = row->text, whole;
    while (next_word(&rest, &whole) && counts->words < WORD_SLOT_COUNT / 2) {
        const ptrdiff_t parenthesis = text_find(whole, '(');
        const size_t length = parenthesis >= 0 ? (size_t)parenthesis : whole.length;
        const struct text text = text_slice(whole, 0, length);
        struct name *name = find_name(text);
        if (!name->text.length)
            *name = (struct name){text, COLLECTIONS_NAME_NOTHING};
        if (name->number == COLLECTIONS_NAME_NOTHING && call_of(row->kind).effect)
            name->number = counts->names++;
        add_word(row, type, (size_t)(name - names), text_slice(whole, length, whole.length));
        counts->words++;
    }
}

static void add_type(const struct row *row, size_t number)
{
    struct collection_type *type = &types[number - 1];
    *type = (struct collection_type){.name = row->text, .chain = row->chain};
    add_parents(type, row->parents);
    size_t slot = text_hash(type->name) % SLOT_COUNT;
    while (slots[slot])
        slot = (slot + 1) % SLOT_COUNT;
    slots[slot] = (uint8_t)number;
}

/* Parents stand before those that name them: so there can be no cycle. */
static void make_table(void)
{
    struct table_counts counts = {0};
    size_t type = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].kind == ROW_TYPE)
            add_type(&rows[i], ++type);
        else
            add_words(&rows[i], type, &counts);
    }
}

const struct collection_type *collections_type(struct text internal_name)
{
    pthread_once(&once, make_table);
    return find_type(internal_name);
}

const struct collection_type *collections_type_at(size_t number)
{
    pthread_once(&once, make_table);
    return number < TYPE_COUNT ? &types[number] : NULL;
}

enum { NO_ARGUMENT = -1 };

/* Whether the word tells of this argument; or, without one, of the object. */
static bool tells_of(const struct word *word, int argument)
{
    if (argument == NO_ARGUMENT)
        return call_of(word->kind).effect;
    return (word->kind == ROW_ARGUMENT_READ || word->kind == ROW_ARGUMENT_WRITE) &&
           word->argument == argument;
}

/* NULL if there is none. */
static const struct word *find_word(const struct collection_type *type, size_t name,
                                    struct text descriptor, int argument)
{
    const size_t number = (size_t)(type - types) + 1;
    for (size_t slot = word_slot(number, name); words[slot].type;
         slot = (slot + 1) % WORD_SLOT_COUNT) {
        const struct word *word = &words[slot];
        if (word->type == number && word->name == name && tells_of(word, argument) &&
            text_starts_with(descriptor, word->descriptor))
            return word;
    }
    const struct word *word = NULL;
    for (size_t i = 0; i < COLLECTION_PARENTS_MAX && type->parents[i] && !word; i++)
        word = find_word(type->parents[i], name, descriptor, argument);
    return word;
}

/* ROW_TYPE if there is none. */
static enum row_kind find_kind(const struct collection_type *type, struct text name,
                               struct text descriptor, int argument)
{
    const struct name *found = find_name(name);
    const struct word *word =
        found->text.length ? find_word(type, (size_t)(found - names), descriptor, argument) : NULL;
    return word ? word->kind : ROW_TYPE;
}

struct collection_call collections_call(const struct collection_type *type, struct text name,
                                        struct text descriptor)
{
    return call_of(find_kind(type, name, descriptor, NO_ARGUMENT));
}

enum collection_effect collections_argument(const struct collection_type *type, struct text name,
                                            struct text descriptor, unsigned argument)
{
    switch (find_kind(type, name, descriptor, (int)argument)) {
    case ROW_ARGUMENT_READ:
        return COLLECTION_READ;
    case ROW_ARGUMENT_WRITE:
        return COLLECTION_WRITE;
    default:
        return COLLECTION_UNKNOWN;
    }
}

bool collections_has_name(struct text method_name)
{
    pthread_once(&once, make_table);
    return find_name(method_name)->text.length;
}

const char *collections_word_class(size_t number)
{
    return number < WORD_COUNT ? word_classes[number] : NULL;
}

int collections_name_number(struct text method_name)
{
    pthread_once(&once, make_table);
    const struct name *name = find_name(method_name);
    return name->text.length && name->number >= 0 ? name->number % COLLECTIONS_NAME_LIMIT
                                                  : COLLECTIONS_NAME_NOTHING;
}
