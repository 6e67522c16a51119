#include "base/finding.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/builder.h"
#include "base/order.h"

static const struct finding_rule_info rules[FINDING_RULE_COUNT] = {
#define RULE(name, id, kind, title, help) [FINDING_##name] = {id, title, help, FINDING_KIND_##kind},
#include "base/rules.def"
};

static const char *const kinds[FINDING_KIND_COUNT] = {
    [FINDING_KIND_RACES] = "races",
    [FINDING_KIND_ATOMICITY] = "atomicity",
    [FINDING_KIND_DEADLOCKS] = "deadlocks",
    [FINDING_KIND_WARNINGS] = "warnings",
};

static const char *const grades[FINDING_GRADE_COUNT] = {
    [FINDING_GRADE_NONE] = "",
    [FINDING_GRADE_DISCIPLINE] = "discipline",
    [FINDING_GRADE_PREDICTED] = "predicted",
    [FINDING_GRADE_OBSERVED] = "observed",
};

static const char *const bases[FINDING_BASIS_COUNT] = {
    [FINDING_BASIS_NONE] = "",
    [FINDING_BASIS_DECLARED] = "declared",
    [FINDING_BASIS_INFERRED] = "inferred",
    [FINDING_BASIS_DEFAULT] = "default",
    [FINDING_BASIS_BELIEF] = "belief",
};

const struct finding_rule_info *finding_rule_info(enum finding_rule rule)
{
    return &rules[rule];
}

const char *finding_kind_name(enum finding_kind kind)
{
    return kinds[kind];
}

const char *finding_grade_name(enum finding_grade grade)
{
    return grades[grade];
}

const char *finding_basis_name(enum finding_basis basis)
{
    return bases[basis];
}

bool finding_rule_parse(struct text id, enum finding_rule *rule)
{
    for (unsigned i = 0; i < FINDING_RULE_COUNT; i++) {
        if (text_is(id, rules[i].id)) {
            *rule = (enum finding_rule)i;
            return true;
        }
    }
    return false;
}

/* The position of the name, or 0 (none) if it is not there. */
static unsigned find_name(const char *const *names, unsigned count, struct text name)
{
    for (unsigned i = 1; i < count; i++)
        if (text_is(name, names[i]))
            return i;
    return 0;
}

bool finding_grade_parse(struct text name, enum finding_grade *grade)
{
    *grade = (enum finding_grade)find_name(grades, FINDING_GRADE_COUNT, name);
    return *grade != FINDING_GRADE_NONE || name.length == 0;
}

bool finding_basis_parse(struct text name, enum finding_basis *basis)
{
    *basis = (enum finding_basis)find_name(bases, FINDING_BASIS_COUNT, name);
    return *basis != FINDING_BASIS_NONE || name.length == 0;
}

/* FNV-1a, 64 bits. Not text_hash, which may change from version to version and from machine to
   machine: fingerprints are kept in files. */
#define FNV_START 0xCBF29CE484222325u
#define FNV_PRIME 0x100000001B3u

static uint64_t hash_byte(uint64_t hash, uint8_t byte)
{
    return (hash ^ byte) * FNV_PRIME;
}

/* The byte 255 is in no UTF-8 text, so it keeps neighbours apart. */
static uint64_t hash_text(uint64_t hash, struct text text)
{
    for (size_t i = 0; i < text.length; i++)
        hash = hash_byte(hash, (uint8_t)text.bytes[i]);
    return hash_byte(hash, 255);
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    for (int shift = 56; shift >= 0; shift -= 8)
        hash = hash_byte(hash, (uint8_t)(number >> shift));
    return hash;
}

/* Names of classes that the JVM makes up differ from run to run: of `A$$Lambda$14/0x00007f00c0`
   (or `A$$Lambda/0x00007f00c0`) only `A$$Lambda` is the same. */
static struct text lasting_name(struct text class_name)
{
    const struct text mark = TEXT("$$Lambda");
    ptrdiff_t slash = text_find(class_name, '/');
    if (slash >= 0)
        class_name = text_slice(class_name, 0, (size_t)slash);
    ptrdiff_t lambda = text_find_part(class_name, mark);
    return lambda < 0 ? class_name : text_slice(class_name, 0, (size_t)lambda + mark.length);
}

/* The top frame only: who calls it differs with the schedule, and changes when code is moved. */
static uint64_t hash_stack(const struct finding_stack *stack, bool with_line)
{
    static const struct finding_frame nowhere;
    const struct finding_frame *top = stack->frame_count ? &stack->frames[0] : &nowhere;
    uint64_t hash = hash_text(FNV_START, lasting_name(top->class_name));
    hash = hash_text(hash, top->method);
    return with_line ? hash_number(hash, top->line) : hash;
}

bool finding_started_thread(struct text role, struct text *name)
{
    const struct text before = TEXT("thread \"");
    const struct text after = TEXT("\" started");
    if (role.length < before.length + after.length || !text_starts_with(role, before) ||
        !text_ends_with(role, after))
        return false;
    *name = text_slice(role, before.length, role.length - after.length);
    return true;
}

/* What does not tell findings apart: where a thread was started, what others did meanwhile, and
   where a thread of a deadlock got what it holds, which only traces know. */
static bool is_beside(const struct finding_stack *stack)
{
    struct text name;
    return finding_started_thread(stack->role, &name) ||
           text_starts_with(stack->role, TEXT("meanwhile")) || text_is(stack->role, "holds");
}

/* Hashes that differ in their last byte only differ by nearly the same as the bytes do, so that
   lines 15 and 16 of a method would have the same sum as 14 and 17. */
static uint64_t scatter(uint64_t hash)
{
    hash = (hash ^ hash >> 32) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

/* A sum, because it does not depend on the order. */
static uint64_t hash_stacks(const struct finding *finding, bool with_lines)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < finding->stack_count; i++) {
        if (is_beside(&finding->stacks[i]))
            continue;
        const uint64_t hash = hash_stack(&finding->stacks[i], with_lines);
        sum += with_lines ? scatter(hash) : hash;
    }
    return sum;
}

static uint64_t as_key(uint64_t hash)
{
    return hash == INTMAP_NO_KEY ? 0 : hash;
}

uint64_t finding_fingerprint(const struct finding *finding)
{
    uint64_t hash = hash_text(FNV_START, text_from(rules[finding->rule].id));
    hash = hash_text(hash, lasting_name(finding->class_name));
    hash = hash_text(hash, finding->member);
    hash = hash_text(hash, finding->signature);
    return hash_number(hash, hash_stacks(finding, false));
}

/* A race stands at one of its two accesses, and the schedule may have chosen which: a line that a
   stack ends at adds nothing to the identity. */
static bool stands_at_a_stack(const struct finding *finding)
{
    for (size_t i = 0; i < finding->stack_count; i++) {
        const struct finding_stack *stack = &finding->stacks[i];
        if (!is_beside(stack) && stack->frame_count && stack->frames[0].line == finding->line &&
            text_equal(stack->frames[0].file, finding->file))
            return true;
    }
    return false;
}

static uint64_t identity_of(const struct finding *finding, uint64_t fingerprint)
{
    uint64_t hash = hash_number(FNV_START, fingerprint);
    hash = hash_number(hash, hash_stacks(finding, true));
    if (!stands_at_a_stack(finding)) {
        hash = hash_text(hash, finding->file);
        hash = hash_number(hash, finding->line);
    }
    return as_key(hash);
}

void finding_fingerprint_print(uint64_t fingerprint, char to[FINDING_FINGERPRINT_SIZE])
{
    snprintf(to, FINDING_FINGERPRINT_SIZE, "%016llx", (unsigned long long)fingerprint);
}

bool finding_fingerprint_parse(struct text text, uint64_t *fingerprint)
{
    if (text.length != FINDING_FINGERPRINT_SIZE - 1)
        return false;
    uint64_t value = 0;
    for (size_t i = 0; i < text.length; i++) {
        char digit = text.bytes[i];
        unsigned number;
        if (digit >= '0' && digit <= '9')
            number = (unsigned)(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            number = (unsigned)(digit - 'a') + 10;
        else if (digit >= 'A' && digit <= 'F')
            number = (unsigned)(digit - 'A') + 10;
        else
            return false;
        value = value << 4 | number;
    }
    *fingerprint = value;
    return true;
}

struct text finding_shared_lock(struct arena *arena, struct text name)
{
    struct builder builder;
    builder_init(&builder);
    builder_add(&builder, name);
    builder_add_string(&builder, " (shared)");
    const struct text copy = text_copy(arena, builder_text(&builder));
    builder_release(&builder);
    return copy;
}

void finding_list_init(struct finding_list *list)
{
    *list = (struct finding_list){.items = VECTOR_EMPTY};
    arena_init(&list->arena);
    intmap_init(&list->by_identity);
}

void finding_list_release(struct finding_list *list)
{
    vector_release(&list->items);
    intmap_release(&list->by_identity);
    arena_release(&list->arena);
}

static const struct text *copy_texts(struct arena *arena, const struct text *texts, size_t count)
{
    struct text *copies = ARENA_ARRAY(arena, struct text, count);
    for (size_t i = 0; copies && i < count; i++)
        copies[i] = text_copy(arena, texts[i]);
    return copies;
}

static const struct finding_frame *copy_frames(struct arena *arena,
                                               const struct finding_frame *frames, size_t count)
{
    struct finding_frame *copies = ARENA_ARRAY(arena, struct finding_frame, count);
    for (size_t i = 0; copies && i < count; i++) {
        copies[i].class_name = text_copy(arena, frames[i].class_name);
        copies[i].method = text_copy(arena, frames[i].method);
        copies[i].file = text_copy(arena, frames[i].file);
        copies[i].line = frames[i].line;
    }
    return copies;
}

static const struct finding_stack *copy_stacks(struct arena *arena,
                                               const struct finding_stack *stacks, size_t count)
{
    struct finding_stack *copies = ARENA_ARRAY(arena, struct finding_stack, count);
    for (size_t i = 0; copies && i < count; i++) {
        const struct finding_stack *stack = &stacks[i];
        copies[i].role = text_copy(arena, stack->role);
        copies[i].thread = text_copy(arena, stack->thread);
        copies[i].locks = copy_texts(arena, stack->locks, stack->lock_count);
        copies[i].lock_count = stack->lock_count;
        copies[i].frames = copy_frames(arena, stack->frames, stack->frame_count);
        copies[i].frame_count = stack->frame_count;
        copies[i].locks_unknown = stack->locks_unknown;
        copies[i].callers_unknown = stack->callers_unknown;
        copies[i].presumed = stack->presumed;
    }
    return copies;
}

/* False when the arena has run out of memory; then the copy is not to be used. */
static bool copy_finding(struct arena *arena, const struct finding *finding, struct finding *copy)
{
    /* A failure of an earlier addition was reported then. */
    arena->failed = false;
    *copy = *finding;
    copy->class_name = text_copy(arena, finding->class_name);
    copy->member = text_copy(arena, finding->member);
    copy->signature = text_copy(arena, finding->signature);
    copy->file = text_copy(arena, finding->file);
    copy->message = text_copy(arena, finding->message);
    copy->help = finding->help.length ? text_copy(arena, finding->help)
                                      : text_from(rules[finding->rule].help);
    copy->locks = copy_texts(arena, finding->locks, finding->lock_count);
    copy->stacks = copy_stacks(arena, finding->stacks, finding->stack_count);
    copy->traces = copy_texts(arena, finding->traces, finding->trace_count);
    return !arena->failed;
}

static bool is_from(const struct finding *finding, struct text trace)
{
    for (size_t i = 0; i < finding->trace_count; i++)
        if (text_equal(finding->traces[i], trace))
            return true;
    return false;
}

/* The traces of both, those of `old` first. False without memory: then it is as it was. */
static bool join_traces(struct arena *arena, struct finding *to, const struct finding *old,
                        const struct finding *more)
{
    struct text *all = ARENA_ARRAY(arena, struct text, old->trace_count + more->trace_count);
    size_t count = 0;
    if (!all)
        return false;
    for (; count < old->trace_count; count++)
        all[count] = old->traces[count];
    for (size_t i = 0; i < more->trace_count; i++)
        if (!is_from(old, more->traces[i]))
            all[count++] = text_copy(arena, more->traces[i]);
    if (arena->failed)
        return false;
    to->traces = all;
    to->trace_count = count;
    return true;
}

static const struct finding *add_new(struct finding_list *list, const struct finding *copy,
                                     uint64_t identity)
{
    struct finding *kept = arena_copy(&list->arena, copy, sizeof *copy, alignof(struct finding));
    if (!kept || !vector_reserve(&list->items, 1) ||
        !intmap_put(&list->by_identity, identity, (uintptr_t)kept))
        return NULL;
    list->items.items[list->items.count++] = kept;
    return kept;
}

const struct finding *finding_list_add(struct finding_list *list, const struct finding *finding)
{
    size_t times = finding->count ? finding->count : 1;
    uint64_t fingerprint = finding_fingerprint(finding);
    uint64_t identity = identity_of(finding, fingerprint);
    uint64_t address = 0;
    struct finding *old = NULL;
    if (intmap_get(&list->by_identity, identity, &address))
        old = (struct finding *)(uintptr_t)address;
    if (old && finding->grade <= old->grade) {
        list->arena.failed = false;
        if (finding->trace_count && !join_traces(&list->arena, old, old, finding))
            return NULL;
        old->count += times;
        return old;
    }
    struct finding copy;
    if (!copy_finding(&list->arena, finding, &copy))
        return NULL;
    copy.fingerprint = fingerprint;
    copy.count = times;
    if (!old)
        return add_new(list, &copy, identity);
    if (old->trace_count && !join_traces(&list->arena, &copy, old, finding))
        return NULL;
    copy.count += old->count;
    *old = copy;
    return old;
}

static int compare_findings(const void *left, const void *right)
{
    const struct finding *a = *(const struct finding *const *)left;
    const struct finding *b = *(const struct finding *const *)right;
    int order = order_of(a->basis, b->basis);
    if (!order)
        order = order_of(b->surety, a->surety);
    if (!order)
        order = text_compare(a->file, b->file);
    if (!order)
        order = text_compare(a->class_name, b->class_name);
    if (!order)
        order = order_of(a->line, b->line);
    if (!order)
        order = order_of(a->rule, b->rule);
    if (!order)
        order = text_compare(a->member, b->member);
    if (!order)
        order = text_compare(a->signature, b->signature);
    if (!order)
        order = order_of(a->fingerprint, b->fingerprint);
    if (!order)
        order = order_of(hash_stacks(a, true), hash_stacks(b, true));
    return order;
}

void finding_list_sort(struct finding_list *list)
{
    if (list->items.count)
        qsort(list->items.items, list->items.count, sizeof *list->items.items, compare_findings);
}

size_t finding_list_cut(struct finding_list *list, size_t most)
{
    size_t left[FINDING_KIND_COUNT][FINDING_GRADE_COUNT] = {{0}}; /* how many of them stay */
    for (size_t i = 0; i < list->items.count; i++)
        left[rules[list->items.items[i]->rule].kind][list->items.items[i]->grade]++;
    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        size_t room = most;
        for (size_t grade = FINDING_GRADE_COUNT; grade-- > 0;) {
            left[kind][grade] = left[kind][grade] < room ? left[kind][grade] : room;
            room -= left[kind][grade];
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < list->items.count; i++) {
        struct finding *finding = list->items.items[i];
        size_t *stay = &left[rules[finding->rule].kind][finding->grade];
        if (!*stay)
            continue;
        --*stay;
        list->items.items[kept++] = finding;
    }
    const size_t gone = list->items.count - kept;
    list->items.count = kept;
    return gone;
}

struct finding_counts finding_list_count(const struct finding_list *list)
{
    struct finding_counts counts = {.all = list->items.count};
    for (size_t i = 0; i < list->items.count; i++) {
        enum finding_rule rule = list->items.items[i]->rule;
        counts.by_rule[rule]++;
        counts.by_kind[rules[rule].kind]++;
    }
    return counts;
}
