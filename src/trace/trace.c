#include "trace/trace.h"

void trace_names_init(struct trace_names *names)
{
    *names = (struct trace_names){0};
    arena_init(&names->arena);
    textmap_init(&names->texts);
}

void trace_names_release(struct trace_names *names)
{
    vector_release(&names->text_list);
    vector_release(&names->threads);
    vector_release(&names->locks);
    vector_release(&names->syncs);
    vector_release(&names->fields);
    vector_release(&names->locations);
    vector_release(&names->stacks);
    vector_release(&names->blocks);
    vector_release(&names->variables.pages);
    vector_release(&names->variables.mixed);
    textmap_release(&names->texts);
    arena_release(&names->arena);
}

/* Replaces the text by the copy that is kept. */
static bool keep_text(struct trace_names *names, struct text *text)
{
    struct text wanted = text_slice(*text, 0, TRACE_TEXT_MAX);
    if (wanted.length == 0) {
        *text = TEXT("");
        return true;
    }
    uint32_t index;
    if (textmap_get(&names->texts, wanted, &index)) {
        *text = names->text_list.items[index];
        return true;
    }
    if (names->text_list.count >= UINT32_MAX || !vector_reserve(&names->text_list, 1))
        return false;
    const struct text copy = text_copy(&names->arena, wanted);
    if (copy.length != wanted.length ||
        !textmap_put(&names->texts, copy, (uint32_t)names->text_list.count))
        return false;
    names->text_list.items[names->text_list.count++] = copy;
    *text = copy;
    return true;
}

/* The macro's value is the number, or 0. */
#define ADD(vector, item)                                                                          \
    ((vector)->count < TRACE_NUMBER_MAX && vector_push((vector), (item))                           \
         ? (uint32_t)(vector)->count                                                               \
         : 0)

uint32_t trace_names_add_thread(struct trace_names *names, struct text name)
{
    return keep_text(names, &name) ? ADD(&names->threads, name) : 0;
}

uint32_t trace_names_add_lock(struct trace_names *names, struct text name)
{
    return keep_text(names, &name) ? ADD(&names->locks, name) : 0;
}

uint32_t trace_names_add_sync(struct trace_names *names, struct text name)
{
    return keep_text(names, &name) ? ADD(&names->syncs, name) : 0;
}

uint32_t trace_names_add_field(struct trace_names *names, const struct trace_field *field)
{
    struct trace_field copy = *field;
    if (!keep_text(names, &copy.class_name) || !keep_text(names, &copy.member) ||
        !keep_text(names, &copy.signature))
        return 0;
    return ADD(&names->fields, copy);
}

uint32_t trace_names_add_location(struct trace_names *names, const struct trace_location *location)
{
    struct trace_location copy = *location;
    if (copy.block > names->blocks.count || !keep_text(names, &copy.class_name) ||
        !keep_text(names, &copy.method) || !keep_text(names, &copy.file))
        return 0;
    return ADD(&names->locations, copy);
}

uint32_t trace_names_add_stack(struct trace_names *names, uint32_t parent, uint32_t location)
{
    if (parent > names->stacks.count || location > names->locations.count)
        return 0;
    const struct trace_stack stack = {parent, location};
    return ADD(&names->stacks, stack);
}

uint32_t trace_names_add_block(struct trace_names *names, const struct trace_block *block)
{
    struct trace_block copy = *block;
    if (copy.location > names->locations.count || !keep_text(names, &copy.class_name) ||
        !keep_text(names, &copy.method))
        return 0;
    return ADD(&names->blocks, copy);
}

/* Gives the page, which has one field, an array; there is room for it. */
static void mix_page(struct trace_variables *variables, uint32_t page)
{
    const uint32_t field = variables->pages.items[page];
    const size_t array = variables->mixed.count >> TRACE_PAGE_BITS;
    for (size_t i = 0; i < TRACE_PAGE_SIZE; i++)
        variables->mixed.items[variables->mixed.count++] = field;
    variables->pages.items[page] = TRACE_PAGE_MIXED | (uint32_t)array;
}

/* Puts the field into what is left of the last page: how many variables that are. */
static uint32_t fill_last_page(struct trace_variables *variables, uint32_t field, uint32_t count)
{
    const uint32_t used = variables->count % TRACE_PAGE_SIZE;
    if (used == 0)
        return 0;
    const uint32_t room = TRACE_PAGE_SIZE - used;
    const uint32_t filled = count < room ? count : room;
    const uint32_t page = variables->count >> TRACE_PAGE_BITS;
    if (!(variables->pages.items[page] & TRACE_PAGE_MIXED)) {
        if (variables->pages.items[page] == field)
            return filled;
        mix_page(variables, page);
    }
    const uint32_t array = variables->pages.items[page] & ~TRACE_PAGE_MIXED;
    uint32_t *fields = variables->mixed.items + ((size_t)array << TRACE_PAGE_BITS);
    for (uint32_t i = 0; i < filled; i++)
        fields[used + i] = field;
    return filled;
}

uint32_t trace_names_add_variables(struct trace_names *names, uint32_t field, uint32_t count)
{
    struct trace_variables *variables = &names->variables;
    if (field > names->fields.count || count == 0 ||
        count > TRACE_VARIABLE_MAX - variables->count ||
        !vector_reserve(&variables->mixed, TRACE_PAGE_SIZE) ||
        !vector_reserve(&variables->pages, (count >> TRACE_PAGE_BITS) + 1))
        return 0;
    const uint32_t first = variables->count + 1;
    const uint32_t filled = fill_last_page(variables, field, count);
    for (uint32_t done = filled; done < count;) {
        variables->pages.items[variables->pages.count++] = field;
        const uint32_t left = count - done;
        done += left < TRACE_PAGE_SIZE ? left : TRACE_PAGE_SIZE;
    }
    variables->count += count;
    return first;
}

/* The item of that number, or one without texts. */
#define ITEM(vector, number, type)                                                                 \
    ((size_t)(number)-1 < (vector)->count ? (vector)->items[(number)-1] : (type){0})

/* An empty text still has bytes, for those who print it. */
static struct text text_or_empty(struct text text)
{
    return text.bytes ? text : TEXT("");
}

struct text trace_names_thread(const struct trace_names *names, uint32_t thread)
{
    return text_or_empty(ITEM(&names->threads, thread, struct text));
}

struct text trace_names_lock(const struct trace_names *names, uint32_t lock)
{
    return text_or_empty(ITEM(&names->locks, lock, struct text));
}

struct text trace_names_sync(const struct trace_names *names, uint32_t sync)
{
    return text_or_empty(ITEM(&names->syncs, sync, struct text));
}

struct trace_field trace_names_field(const struct trace_names *names, uint32_t field)
{
    struct trace_field item = ITEM(&names->fields, field, struct trace_field);
    item.class_name = text_or_empty(item.class_name);
    item.member = text_or_empty(item.member);
    item.signature = text_or_empty(item.signature);
    return item;
}

struct trace_location trace_names_location(const struct trace_names *names, uint32_t location)
{
    struct trace_location item = ITEM(&names->locations, location, struct trace_location);
    item.class_name = text_or_empty(item.class_name);
    item.method = text_or_empty(item.method);
    item.file = text_or_empty(item.file);
    return item;
}

struct trace_block trace_names_block(const struct trace_names *names, uint32_t block)
{
    struct trace_block item = ITEM(&names->blocks, block, struct trace_block);
    item.class_name = text_or_empty(item.class_name);
    item.method = text_or_empty(item.method);
    return item;
}

struct trace_stack trace_names_stack(const struct trace_names *names, uint32_t stack)
{
    return ITEM(&names->stacks, stack, struct trace_stack);
}

size_t trace_names_frames(const struct trace_names *names, uint32_t stack, uint32_t location,
                          uint32_t *frames, size_t capacity)
{
    size_t count = 0;
    /* Parents have smaller numbers: this ends. */
    for (uint32_t at = stack; at && count < capacity;) {
        const struct trace_stack node = trace_names_stack(names, at);
        if (node.location == 0 && node.parent == 0)
            break;
        frames[count++] = node.location;
        at = node.parent;
    }
    if (count == 0 && location && capacity)
        frames[count++] = location;
    return count;
}
