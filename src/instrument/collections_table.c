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

/* Names of methods, in the order of the table. The slots are enough for a few times as many. */
enum { NAME_SLOT_COUNT = 2048 };

struct name {
    struct text text; /* empty: free */
    int number;
};

static struct name names[NAME_SLOT_COUNT];

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

static void number_names(void)
{
    int count = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        struct text rest = rows[i].text, word;
        while (call_of(rows[i].kind).effect && next_word(&rest, &word) &&
               count < NAME_SLOT_COUNT / 2) {
            ptrdiff_t parenthesis = text_find(word, '(');
            if (parenthesis >= 0)
                word = text_slice(word, 0, (size_t)parenthesis);
            struct name *name = find_name(word);
            if (!name->text.length)
                *name = (struct name){word, count++};
        }
    }
}

/* Parents stand before those that name them: so there can be no cycle. */
static void make_table(void)
{
    size_t count = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].kind == ROW_TYPE) {
            struct collection_type *type = &types[count++];
            *type = (struct collection_type){
                .name = rows[i].text, .chain = rows[i].chain, .first = i + 1};
            add_parents(type, rows[i].parents);
            size_t slot = text_hash(type->name) % SLOT_COUNT;
            while (slots[slot])
                slot = (slot + 1) % SLOT_COUNT;
            slots[slot] = (uint8_t)count;
        }
        if (count)
            types[count - 1].end = i + 1;
    }
    number_names();
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

/* A word is a name, or a name and the start of a descriptor. */
static bool fits(struct text word, struct text name, struct text descriptor)
{
    if (!text_starts_with(word, name))
        return false;
    return text_starts_with(descriptor, text_slice(word, name.length, word.length)) &&
           (word.length == name.length || word.bytes[name.length] == '(');
}

static bool has_method(const struct row *row, struct text name, struct text descriptor)
{
    struct text rest = row->text, word;
    while (next_word(&rest, &word))
        if (fits(word, name, descriptor))
            return true;
    return false;
}

struct collection_call collections_call(const struct collection_type *type, struct text name,
                                        struct text descriptor)
{
    for (size_t i = type->first; i < type->end; i++)
        if (call_of(rows[i].kind).effect != COLLECTION_UNKNOWN &&
            has_method(&rows[i], name, descriptor))
            return call_of(rows[i].kind);
    struct collection_call call = {COLLECTION_UNKNOWN, COLLECTION_OTHER};
    for (size_t i = 0; i < COLLECTION_PARENTS_MAX && type->parents[i] && !call.effect; i++)
        call = collections_call(type->parents[i], name, descriptor);
    return call;
}

enum collection_effect collections_argument(const struct collection_type *type, struct text name,
                                            struct text descriptor, unsigned argument)
{
    for (size_t i = type->first; i < type->end; i++)
        if ((rows[i].kind == ROW_ARGUMENT_READ || rows[i].kind == ROW_ARGUMENT_WRITE) &&
            rows[i].argument == argument && has_method(&rows[i], name, descriptor))
            return rows[i].kind == ROW_ARGUMENT_READ ? COLLECTION_READ : COLLECTION_WRITE;
    enum collection_effect effect = COLLECTION_UNKNOWN;
    for (size_t i = 0; i < COLLECTION_PARENTS_MAX && type->parents[i] && !effect; i++)
        effect = collections_argument(type->parents[i], name, descriptor, argument);
    return effect;
}

const char *collections_word_class(size_t number)
{
    return number < WORD_COUNT ? word_classes[number] : NULL;
}

int collections_name_number(struct text method_name)
{
    pthread_once(&once, make_table);
    const struct name *name = find_name(method_name);
    return name->text.length ? name->number % COLLECTIONS_NAME_LIMIT : COLLECTIONS_NAME_NOTHING;
}
