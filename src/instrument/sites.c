#include "instrument/sites.h"

#include <string.h>

#include "base/memory.h"

bool sites_init(struct sites *table)
{
    memset(table, 0, sizeof *table);
    arena_init(&table->arena);
    textmap_init(&table->text_numbers);
    textmap_init(&table->accessed_numbers);
    builder_init(&table->key);
    if (pthread_mutex_init(&table->lock, NULL) != 0)
        return false;
    const struct accessed elements = {.kind = ACCESSED_ELEMENTS},
                          objects = {.kind = ACCESSED_COLLECTION};
    return sites_accessed(table, &elements) == 1 && sites_accessed(table, &objects) == 2;
}

static void release_index(struct sites_index *index)
{
    for (size_t i = 0; i < SITES_CHUNKS; i++)
        memory_release(atomic_load(&index->chunks[i]));
}

void sites_release(struct sites *table)
{
    pthread_mutex_destroy(&table->lock);
    vector_release(&table->accessed);
    vector_release(&table->sites);
    release_index(&table->accessed_of);
    release_index(&table->variable_of);
    release_index(&table->start_of);
    vector_release(&table->texts);
    textmap_release(&table->text_numbers);
    textmap_release(&table->accessed_numbers);
    builder_release(&table->key);
    arena_release(&table->arena);
}

bool sites_index_set(struct sites_index *index, uint32_t number, uint32_t value)
{
    if (number >= SITES_CHUNK * SITES_CHUNKS)
        return false;
    _Atomic uint32_t *chunk = atomic_load(&index->chunks[number / SITES_CHUNK]);
    if (!chunk) {
        _Atomic uint32_t *made = memory_allocate(SITES_CHUNK * sizeof *made);
        if (!made)
            return false;
        for (size_t i = 0; i < SITES_CHUNK; i++)
            atomic_init(&made[i], 0);
        if (atomic_compare_exchange_strong(&index->chunks[number / SITES_CHUNK], &chunk, made))
            chunk = made;
        else
            memory_release(made);
    }
    atomic_store_explicit(&chunk[number % SITES_CHUNK], value, memory_order_relaxed);
    return true;
}

/* Makes a text the table's own copy of it; false if memory ran out. */
static bool intern(struct sites *table, struct text *text)
{
    uint32_t number = 0;
    if (text->length == 0) {
        *text = TEXT("");
        return true;
    }
    if (textmap_get(&table->text_numbers, *text, &number)) {
        *text = table->texts.items[number];
        return true;
    }
    struct text copy = text_copy(&table->arena, *text);
    if (table->arena.failed || !vector_push(&table->texts, copy))
        return false;
    if (!textmap_put(&table->text_numbers, copy, (uint32_t)table->texts.count - 1)) {
        table->texts.count--;
        return false;
    }
    *text = copy;
    return true;
}

static struct text key_of(struct sites *table, const struct accessed *accessed)
{
    builder_clear(&table->key);
    builder_add_byte(&table->key, (char)('0' + accessed->kind));
    builder_add(&table->key, accessed->owner);
    builder_add_byte(&table->key, '.');
    builder_add(&table->key, accessed->name);
    builder_add_byte(&table->key, ';');
    builder_add(&table->key, accessed->descriptor);
    return builder_text(&table->key);
}

/* The number of the one variable that all of a kind count as; 0: each is one of its own. */
static uint32_t common_variable(const struct accessed *accessed)
{
    return accessed->kind == ACCESSED_ELEMENTS ? 1 : accessed->kind == ACCESSED_COLLECTION ? 2 : 0;
}

static uint32_t add_accessed(struct sites *table, const struct accessed *accessed)
{
    struct text key = key_of(table, accessed);
    uint32_t number = 0;
    if (table->key.failed)
        return 0;
    if (textmap_get(&table->accessed_numbers, key, &number))
        return number;
    struct accessed copy = *accessed;
    key = text_copy(&table->arena, key);
    number = (uint32_t)table->accessed.count + 1;
    if (table->arena.failed || !intern(table, &copy.owner) || !intern(table, &copy.name) ||
        !intern(table, &copy.descriptor) ||
        !sites_index_set(&table->variable_of, number, common_variable(accessed)) ||
        !vector_push(&table->accessed, copy))
        return 0;
    if (!textmap_put(&table->accessed_numbers, key, number)) {
        table->accessed.count--;
        return 0;
    }
    return number;
}

/* The table outlives a shortage of memory. */
static void begin_adding(struct sites *table)
{
    pthread_mutex_lock(&table->lock);
    table->arena.failed = false;
}

uint32_t sites_accessed(struct sites *table, const struct accessed *accessed)
{
    begin_adding(table);
    uint32_t number = add_accessed(table, accessed);
    pthread_mutex_unlock(&table->lock);
    return number;
}

/* For want of memory it may be left out. */
static void note_start(struct sites *table, uint32_t number)
{
    const struct site *site = &table->sites.items[number - 1];
    bool only = true;
    const uint32_t known = sites_start_of(table, site->accessed, &only);
    if (!known)
        sites_index_set(&table->start_of, site->accessed, number * 2);
    else if (table->sites.items[known - 1].line != site->line)
        sites_index_set(&table->start_of, site->accessed, known * 2 + 1);
}

static uint32_t add_sites(struct sites *table, const struct site *sites, size_t count)
{
    const size_t before = table->sites.count;
    if (!vector_reserve(&table->sites, count))
        return 0;
    for (size_t i = 0; i < count; i++) {
        struct site copy = sites[i];
        if (!intern(table, &copy.class_name) || !intern(table, &copy.method) ||
            !intern(table, &copy.file) ||
            !sites_index_set(&table->accessed_of, (uint32_t)(before + i + 1), copy.accessed)) {
            table->sites.count = before;
            return 0;
        }
        table->sites.items[table->sites.count++] = copy;
    }
    for (size_t i = 0; i < count; i++)
        if (sites[i].starts)
            note_start(table, (uint32_t)(before + i + 1));
    return (uint32_t)before + 1;
}

uint32_t sites_add(struct sites *table, const struct site *sites, size_t count)
{
    begin_adding(table);
    uint32_t first = add_sites(table, sites, count);
    pthread_mutex_unlock(&table->lock);
    return first;
}

void sites_set_variable(struct sites *table, uint32_t accessed, uint32_t variable)
{
    pthread_mutex_lock(&table->lock);
    sites_index_set(&table->variable_of, accessed, accessed == variable ? 0 : variable);
    pthread_mutex_unlock(&table->lock);
}

bool sites_get(struct sites *table, uint32_t number, struct site *site)
{
    pthread_mutex_lock(&table->lock);
    bool there = number > 0 && number <= table->sites.count;
    if (there)
        *site = table->sites.items[number - 1];
    pthread_mutex_unlock(&table->lock);
    return there;
}

bool sites_get_accessed(struct sites *table, uint32_t number, struct accessed *accessed)
{
    pthread_mutex_lock(&table->lock);
    bool there = number > 0 && number <= table->accessed.count;
    if (there)
        *accessed = table->accessed.items[number - 1];
    pthread_mutex_unlock(&table->lock);
    return there;
}

uint32_t sites_count(struct sites *table)
{
    pthread_mutex_lock(&table->lock);
    uint32_t count = (uint32_t)table->sites.count;
    pthread_mutex_unlock(&table->lock);
    return count;
}
