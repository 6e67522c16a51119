#include "program/declarers.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "program/hierarchy.h"
#include "program/program.h"

/* ---- queries ---- */

static struct declarers_range steps_of(const struct declarers *declarers, uint32_t selector)
{
    uint32_t first = declarers->first_step[selector];
    return (struct declarers_range){declarers->steps + first,
                                    declarers->first_step[selector + 1] - first};
}

/* How many of the steps begin at the place or before. */
static uint32_t count_until(struct declarers_range range, uint32_t place)
{
    uint32_t low = 0, high = range.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (range.items[middle].place <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t declarers_nearest(const struct program *program, const struct declarers *declarers,
                           uint32_t class_id, uint32_t selector)
{
    if (class_id == PROGRAM_NONE || selector == PROGRAM_NONE)
        return PROGRAM_NONE;
    struct declarers_range range = steps_of(declarers, selector);
    uint32_t count = count_until(range, program->classes[class_id].tree_first);
    return count ? range.items[count - 1].member : PROGRAM_NONE;
}

struct declarers_range declarers_in_tree(const struct declarers *declarers, uint32_t selector,
                                         uint32_t first, uint32_t end)
{
    struct declarers_range range = steps_of(declarers, selector);
    uint32_t before = count_until(range, first);
    range.count = end > first ? count_until(range, end - 1) - before : 0;
    range.items += before;
    return range;
}

struct declarers_walk declarers_walk(const struct program *program,
                                     const struct declarers *declarers, uint32_t class_id,
                                     uint32_t selector)
{
    struct declarers_walk walk = {
        .program = program, .declarers = declarers, .class_id = class_id, .selector = selector};
    if (class_id == PROGRAM_NONE || selector == PROGRAM_NONE)
        return walk;
    uint32_t first = declarers->first_interface[selector];
    uint32_t end = declarers->first_interface[selector + 1];
    walk.end = program->classes[class_id].all_interfaces.count;
    walk.by_declarer = end - first < walk.end;
    if (walk.by_declarer) {
        walk.next = first;
        walk.end = end;
    } else if (first == end) {
        walk.end = 0;
    }
    return walk;
}

uint32_t declarers_next(struct declarers_walk *walk)
{
    const struct program *program = walk->program;
    const struct declarers *declarers = walk->declarers;
    while (walk->next < walk->end) {
        uint32_t place = walk->next++;
        walk->steps++;
        if (walk->by_declarer) {
            uint32_t member = declarers->interfaces[place];
            if (hierarchy_has_interface(program, walk->class_id,
                                        declarers->members[member].class_id))
                return member;
            continue;
        }
        uint32_t interface = program->classes[walk->class_id].all_interfaces.items[place];
        uint32_t member = declarers->members == program->methods
                              ? program_declared_method(program, interface, walk->selector)
                              : program_declared_field(program, interface, walk->selector);
        if (member != PROGRAM_NONE)
            return member;
    }
    return PROGRAM_NONE;
}

/* ---- building ---- */

struct build {
    struct program *program;
    struct declarers *declarers;
    const struct program_member *members;
    uint32_t member_count;
    bool methods;
    uint32_t *first; /* by selector: where its members begin in `sorted` */
    uint32_t *sorted;
    uint32_t *open; /* the members whose classes' subtrees have not ended, outermost first */
    uint32_t step_count, interface_count;
};

static bool make_room(struct build *build)
{
    size_t selectors = (size_t)build->program->selector_count + 1;
    struct arena *arena = &build->program->arena;
    struct declarers *declarers = build->declarers;
    declarers->members = build->members;
    declarers->first_step = ARENA_ARRAY(arena, uint32_t, selectors);
    declarers->first_interface = ARENA_ARRAY(arena, uint32_t, selectors);
    build->first = memory_allocate((selectors + 1) * sizeof *build->first);
    build->sorted = memory_allocate(build->member_count * sizeof *build->sorted);
    build->open = memory_allocate(build->member_count * sizeof *build->open);
    return declarers->first_step && declarers->first_interface && build->first && build->sorted &&
           build->open;
}

/* By selector, and there in the order of the tree. */
static void sort_members(struct build *build)
{
    const struct program *program = build->program;
    size_t selectors = program->selector_count;
    /* Two places ahead, so that filling leaves the beginnings where they belong. */
    memset(build->first, 0, (selectors + 2) * sizeof *build->first);
    for (uint32_t i = 0; i < build->member_count; i++)
        build->first[build->members[i].selector + 2]++;
    for (size_t i = 2; i < selectors + 2; i++)
        build->first[i] += build->first[i - 1];
    for (uint32_t place = 0; place < program->class_count; place++) {
        const struct program_class *class = &program->classes[program->tree[place]];
        uint32_t member = build->methods ? class->first_method : class->first_field;
        uint32_t end = member + (build->methods ? class->method_count : class->field_count);
        for (; member < end; member++)
            build->sorted[build->first[build->members[member].selector + 1]++] = member;
    }
}

static const struct program_class *class_of(const struct build *build, uint32_t member)
{
    return &build->program->classes[build->members[member].class_id];
}

static void add_step(struct build *build, uint32_t first, uint32_t place, uint32_t member)
{
    struct declarers_step *steps = build->declarers->steps;
    if (build->step_count > first && steps[build->step_count - 1].place == place)
        build->step_count--;
    steps[build->step_count++] = (struct declarers_step){place, member};
}

/* Behind the subtrees that end at the place or before, what is around them counts again. */
static uint32_t close_subtrees(struct build *build, uint32_t first, uint32_t depth, uint32_t place)
{
    while (depth && class_of(build, build->open[depth - 1])->tree_end <= place) {
        uint32_t end = class_of(build, build->open[--depth])->tree_end;
        add_step(build, first, end, depth ? build->open[depth - 1] : PROGRAM_NONE);
    }
    return depth;
}

static void add_steps(struct build *build, const uint32_t *members, uint32_t count)
{
    uint32_t first = build->step_count, depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct program_class *class = class_of(build, members[i]);
        /* The first of two equal members counts. */
        if (i && class_of(build, members[i - 1]) == class)
            continue;
        depth = close_subtrees(build, first, depth, class->tree_first);
        add_step(build, first, class->tree_first, members[i]);
        build->open[depth++] = members[i];
    }
    close_subtrees(build, first, depth, UINT32_MAX);
}

static int compare_numbers(const void *left, const void *right)
{
    return order_of(*(const uint32_t *)left, *(const uint32_t *)right);
}

static void add_interfaces(struct build *build, const uint32_t *members, uint32_t count)
{
    uint32_t *added = build->declarers->interfaces + build->interface_count;
    uint32_t added_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (hierarchy_is_superinterface(build->program, build->members[members[i]].class_id) &&
            !(i && class_of(build, members[i - 1]) == class_of(build, members[i])))
            added[added_count++] = members[i];
    /* Members have numbers in the order of their classes. */
    if (added_count)
        qsort(added, added_count, sizeof *added, compare_numbers);
    build->interface_count += added_count;
}

static bool fill_steps(struct build *build)
{
    struct declarers *declarers = build->declarers;
    struct arena *arena = &build->program->arena;
    uint32_t selectors = build->program->selector_count;
    size_t most = 2 * (size_t)build->member_count;
    declarers->steps = ARENA_ARRAY(arena, struct declarers_step, most);
    if (!declarers->steps)
        return false;
    for (uint32_t i = 0; i < selectors; i++) {
        declarers->first_step[i] = build->step_count;
        add_steps(build, build->sorted + build->first[i], build->first[i + 1] - build->first[i]);
    }
    declarers->first_step[selectors] = build->step_count;
    arena_shrink(arena, declarers->steps, build->step_count * sizeof *declarers->steps,
                 most * sizeof *declarers->steps);
    return true;
}

static bool fill_interfaces(struct build *build)
{
    struct declarers *declarers = build->declarers;
    struct arena *arena = &build->program->arena;
    uint32_t selectors = build->program->selector_count;
    declarers->interfaces = ARENA_ARRAY(arena, uint32_t, build->member_count);
    if (!declarers->interfaces)
        return false;
    for (uint32_t i = 0; i < selectors; i++) {
        declarers->first_interface[i] = build->interface_count;
        add_interfaces(build, build->sorted + build->first[i],
                       build->first[i + 1] - build->first[i]);
    }
    declarers->first_interface[selectors] = build->interface_count;
    arena_shrink(arena, declarers->interfaces,
                 build->interface_count * sizeof *declarers->interfaces,
                 build->member_count * sizeof *declarers->interfaces);
    return true;
}

static bool build_declarers(struct build *build)
{
    bool ok = make_room(build);
    if (ok) {
        sort_members(build);
        ok = fill_steps(build) && fill_interfaces(build);
    }
    memory_release(build->first);
    memory_release(build->sorted);
    memory_release(build->open);
    return ok;
}

bool declarers_build(struct program *program)
{
    struct build methods = {.program = program,
                            .declarers = &program->method_declarers,
                            .members = program->methods,
                            .member_count = program->method_count,
                            .methods = true};
    struct build fields = {.program = program,
                           .declarers = &program->field_declarers,
                           .members = program->fields,
                           .member_count = program->field_count};
    return build_declarers(&methods) && build_declarers(&fields);
}
