/*
 * trace: what the numbers in the events of a trace stand for.
 *
 * Each kind of thing has numbers of its own, from 1 on and without gaps, in the order in which they
 * were added; 0 stands for none or not known. Tables only grow, and nothing that was added changes.
 * Texts are copied and kept once.
 *
 * Variables are many: all that is kept of one is its field. They are added in ranges, such as the
 * elements of an array, which cost next to nothing; others cost four bytes.
 *
 * A table is used by one thread at a time. When memory runs out, what was to be added is not there
 * (0 is returned) and the rest is as it was.
 */
#ifndef TURNSTILE_TRACE_TRACE_H
#define TURNSTILE_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/textmap.h"
#include "base/vector.h"

enum {
    TRACE_TEXT_MAX = 0xFFFF,      /* bytes of one name; longer ones are cut */
    TRACE_NUMBER_MAX = 0x7FFFFFFF /* of threads, fields, locks ... */
};
#define TRACE_VARIABLE_MAX 0xFFFFFFFEu

/* Class names are Java binary names with dots; a line of 0 is not known. */
struct trace_location {
    struct text class_name;
    struct text method;
    struct text file;
    uint32_t line;
    uint32_t block; /* whose lock is taken or given up there, or 0 */
    bool unshared;  /* what is accessed there is part of an object that no other thread can know */
};

/* A node of the tree of stacks. */
struct trace_stack {
    uint32_t parent; /* the stack of the caller, with a smaller number; 0: nobody called */
    uint32_t location;
};

/* What kind of variable: the class and member that reports show ("Account", "balance", "I"; for
   array elements the member "field[]"). */
struct trace_field {
    struct text class_name;
    struct text member;
    struct text signature;
};

/* What should be atomic. */
struct trace_block {
    struct text class_name;
    struct text method;
    uint32_t location;
};

/* To the field of each variable. Variables stand in pages; a page of one field has no array. */
struct trace_variables {
    uint32_t count;
    VECTOR(uint32_t) pages;
    VECTOR(uint32_t) mixed; /* the arrays of pages with several fields, one behind the other */
};

enum { TRACE_PAGE_BITS = 8, TRACE_PAGE_SIZE = 1 << TRACE_PAGE_BITS };
#define TRACE_PAGE_MIXED 0x80000000u

/* Item 0 is number 1. */
struct trace_names {
    struct arena arena;
    struct textmap texts; /* to the index in `text_list` */
    VECTOR(struct text) text_list;
    VECTOR(struct text) threads;
    VECTOR(struct text) locks;
    VECTOR(struct text) syncs;
    VECTOR(struct trace_field) fields;
    VECTOR(struct trace_location) locations;
    VECTOR(struct trace_stack) stacks;
    VECTOR(struct trace_block) blocks;
    struct trace_variables variables;
    bool plain; /* the names are those of an STD file (std.h): of one kind no two are the same.
                   Variables have only a member, locations only a file, blocks only a method */
};

void trace_names_init(struct trace_names *names);
void trace_names_release(struct trace_names *names);

/* The number of the new thing, or 0. Numbers in what is added must be known or 0. */
uint32_t trace_names_add_thread(struct trace_names *names, struct text name);
uint32_t trace_names_add_lock(struct trace_names *names, struct text name);
uint32_t trace_names_add_sync(struct trace_names *names, struct text name);
uint32_t trace_names_add_field(struct trace_names *names, const struct trace_field *field);
uint32_t trace_names_add_location(struct trace_names *names, const struct trace_location *location);
uint32_t trace_names_add_stack(struct trace_names *names, uint32_t parent, uint32_t location);
uint32_t trace_names_add_block(struct trace_names *names, const struct trace_block *block);

/* `count` variables of one field, with numbers in a row: the first. */
uint32_t trace_names_add_variables(struct trace_names *names, uint32_t field, uint32_t count);

/* Any number may be asked for: those that are not known have empty texts and zeros. */
struct text trace_names_thread(const struct trace_names *names, uint32_t thread);
struct text trace_names_lock(const struct trace_names *names, uint32_t lock);
struct text trace_names_sync(const struct trace_names *names, uint32_t sync);
struct trace_field trace_names_field(const struct trace_names *names, uint32_t field);
struct trace_location trace_names_location(const struct trace_names *names, uint32_t location);
struct trace_block trace_names_block(const struct trace_names *names, uint32_t block);
struct trace_stack trace_names_stack(const struct trace_names *names, uint32_t stack);

/* The field of a variable; 0 for one that is not known. */
static inline uint32_t trace_names_field_of(const struct trace_names *names, uint32_t variable)
{
    const uint32_t index = variable - 1;
    if (index >= names->variables.count)
        return 0;
    const uint32_t page = names->variables.pages.items[index >> TRACE_PAGE_BITS];
    if (!(page & TRACE_PAGE_MIXED))
        return page;
    const size_t array = (size_t)(page & ~TRACE_PAGE_MIXED) << TRACE_PAGE_BITS;
    return names->variables.mixed.items[array + index % TRACE_PAGE_SIZE];
}

/* Whether the location, which need not be known, is an unshared one. */
static inline bool trace_names_is_unshared(const struct trace_names *names, uint32_t location)
{
    return location - 1 < names->locations.count && names->locations.items[location - 1].unshared;
}

/* The locations of a stack, the innermost first, at most `capacity` of them: how many. A stack that
   is not known has the one location, if that is known. */
size_t trace_names_frames(const struct trace_names *names, uint32_t stack, uint32_t location,
                          uint32_t *frames, size_t capacity);

#endif
