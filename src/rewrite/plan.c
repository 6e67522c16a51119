#include "rewrite/plan.h"

#include <string.h>

void plan_init(struct plan *plan, struct arena *arena)
{
    *plan = (struct plan){.arena = arena};
    struct plan_images *all[] = {&plan->entry, &plan->returns, &plan->throws};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        all[i]->items = all[i]->few;
        all[i]->capacity = sizeof all[i]->few / sizeof *all[i]->few;
    }
}

/* The image of a snippet that may have been used in another method too. Most are not, and theirs
   goes away with the method; one that is used again unchanged gets an image for the whole class. */
static const struct code_image *make_image(struct plan *plan, const struct snippet *snippet,
                                           struct problem *problem)
{
    struct class_editor *editor = snippet->editor;
    const struct code_image *shared = editor->shared_image;
    if (shared && code_image_is_current(shared, snippet) && !class_editor_failed(editor))
        return shared;
    const bool again = editor->last_version == snippet->version;
    editor->last_version = snippet->version;
    const struct code_image *image =
        code_image_new(again ? editor->class_file->arena : plan->arena, snippet, problem);
    if (again && image)
        editor->shared_image = image;
    return image;
}

/* Not inlined, or every plan would pay for the registers that this takes. */
__attribute__((noinline)) const struct code_image *
plan_other_image(struct plan *plan, const struct snippet *snippet, struct problem *problem)
{
    if (plan->last && code_image_is_of(plan->last, snippet))
        return plan->last;
    const struct code_image *image = make_image(plan, snippet, problem);
    if (image)
        plan->last = image;
    return image;
}

/* Room for one more of `size` bytes behind `count`: the array, or a bigger copy of it in the arena;
   NULL if memory ran out. */
static void *grown(struct arena *arena, void *items, uint32_t count, uint32_t *capacity,
                   uint32_t first_capacity, size_t size)
{
    if (count < *capacity)
        return items;
    uint32_t wanted = *capacity ? *capacity * 2 : first_capacity;
    void *bigger = arena_allocate_array(arena, wanted, size, alignof(max_align_t));
    if (!bigger)
        return NULL;
    if (count)
        memcpy(bigger, items, count * size);
    *capacity = wanted;
    return bigger;
}

static void note_image(struct plan *plan, const struct code_image *image)
{
    if (image->length > plan->longest)
        plan->longest = image->length;
    if (image->local_end > plan->local_end)
        plan->local_end = image->local_end;
    if (image->lowest_store == 0)
        plan->writes_this = true;
    if (image->targets || !image->falls_through)
        plan->types_needed = true;
}

static void note_growth(int32_t *growth, const struct code_image *image)
{
    if (image->growth > *growth)
        *growth = image->growth;
}

/* Room for one more item. Often there is one for each instruction, and the one at the end. */
static bool grow_items(struct plan *plan)
{
    struct plan_item *items =
        grown(plan->arena, plan->items, plan->item_count, &plan->item_capacity,
              plan->instructions + 1, sizeof *plan->items);
    if (!items)
        return false;
    plan->items = items;
    return true;
}

bool plan_add(struct plan *plan, uint32_t place, const struct code_image *image)
{
    if (plan->item_count == plan->item_capacity && !grow_items(plan))
        return false;
    plan->unsorted |= place < plan->last_place;
    plan->last_place = place;
    plan->items[plan->item_count++] = (struct plan_item){place, image->length, image};
    if (image != plan->noted) {
        note_image(plan, image);
        note_growth(&plan->growth, image);
        plan->noted = image;
    }
    return true;
}

bool plan_add_image(struct plan *plan, struct plan_images *images, const struct code_image *image)
{
    const struct code_image **items = grown(plan->arena, images->items, images->count,
                                            &images->capacity, 4, sizeof *images->items);
    if (!items)
        return false;
    images->items = items;
    items[images->count++] = image;
    images->length += image->length;
    plan->length += image->length;
    note_image(plan, image);
    note_growth(images == &plan->throws ? &plan->throw_growth : &plan->growth, image);
    return true;
}

bool plan_add_detour(struct plan *plan, uint32_t handler, const struct code_image *image)
{
    struct plan_detour *detours = grown(plan->arena, plan->detours, plan->detour_count,
                                        &plan->detour_capacity, 4, sizeof *plan->detours);
    const struct code_image **items = ARENA_ARRAY(plan->arena, const struct code_image *, 1);
    if (!detours || !items)
        return false;
    *items = image;
    plan->detours = detours;
    detours[plan->detour_count++] = (struct plan_detour){
        handler, {.items = items, .count = 1, .capacity = 1, .length = image->length}};
    plan->length += image->length;
    note_image(plan, image);
    note_growth(&plan->throw_growth, image);
    return true;
}

bool plan_add_kept(struct plan *plan, uint16_t local, struct text descriptor)
{
    struct plan_kept *kept = grown(plan->arena, plan->kept, plan->kept_count, &plan->kept_capacity,
                                   4, sizeof *plan->kept);
    if (!kept)
        return false;
    plan->kept = kept;
    struct text copy = text_copy(plan->arena, descriptor);
    if (copy.length != descriptor.length)
        return false;
    kept[plan->kept_count++] = (struct plan_kept){copy, local};
    return true;
}

/* Counting sort: linear and stable. */
static bool sort_items(struct plan *plan)
{
    size_t places = (size_t)plan->instructions * 4 + 1;
    uint32_t *starts =
        arena_allocate_zeroed(plan->arena, places * sizeof *starts, alignof(uint32_t));
    struct plan_item *sorted = ARENA_ARRAY(plan->arena, struct plan_item, plan->item_capacity);
    if (!starts || !sorted)
        return false;
    for (uint32_t i = 0; i < plan->item_count; i++)
        starts[plan->items[i].place + 1]++;
    for (size_t place = 1; place < places; place++)
        starts[place] += starts[place - 1];
    for (uint32_t i = 0; i < plan->item_count; i++)
        sorted[starts[plan->items[i].place]++] = plan->items[i];
    plan->items = sorted;
    plan->unsorted = false;
    return true;
}

bool plan_sort(struct plan *plan)
{
    if ((plan->unsorted && !sort_items(plan)) || !grow_items(plan))
        return false;
    plan->items[plan->item_count] = (struct plan_item){.place = PLAN_NOWHERE};
    return true;
}
