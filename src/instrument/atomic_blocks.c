#include "instrument/atomic_blocks.h"

#include <string.h>

#include "classfile/names.h"
#include "classfile/written_type.h"
#include "instrument/declared_methods.h"
#include "instrument/targets.h"
#include "instrument/telling.h"
#include "rewrite/exits.h"
#include "rewrite/layout.h"

/* The monitor that was entered last where an instruction is executed: the number of its
   monitorenter, or one of these. */
#define MONITOR_UNKNOWN UINT32_MAX /* it is not executed */
#define MONITOR_NONE (UINT32_MAX - 1)

#define SITE_NONE UINT32_MAX /* of a monitorenter without marks */

struct atomic_blocks {
    bool method;        /* it is a block itself */
    uint32_t site;      /* then: its site */
    uint32_t *monitors; /* by instruction, before it; NULL if no synchronized block is marked */
    uint32_t *sites;    /* by monitorenter */
    uint32_t count;     /* the method and synchronized blocks */
};

/* ---- which methods ---- */

static bool is_compiler_made(const struct member *method)
{
    return (method->access & (ACCESS_SYNTHETIC | ACCESS_BRIDGE)) ||
           attributes_find(&method->attributes, ATTRIBUTE_SYNTHETIC);
}

/* What threads begin with: it goes on for as long as they do. */
static bool is_thread_body(const struct instrument_method *method)
{
    if (text_is(method->name, "run"))
        return text_is(method->descriptor, "()V");
    return text_is(method->name, "main") && method->is_static &&
           (method->edit->method->access & ACCESS_PUBLIC) &&
           text_is(method->descriptor, "([Ljava/lang/String;)V");
}

static struct text signature_of(const struct instrument_method *method)
{
    const struct attribute *attribute =
        attributes_find(&method->edit->method->attributes, ATTRIBUTE_SIGNATURE);
    return attribute ? class_utf8(method->owner->editor->class_file, attribute->as.index)
                     : TEXT("");
}

static bool is_heuristic(const struct instrument_method *method)
{
    return (method->edit->method->access &
            (ACCESS_PUBLIC | ACCESS_PROTECTED | ACCESS_SYNCHRONIZED)) &&
           !is_thread_body(method);
}

/* "Class.method" against a pattern that may have types behind it. */
static bool is_meant(const struct instrument_method *method, struct text pattern, struct text name)
{
    const ptrdiff_t open = text_find(pattern, '(');
    if (open < 0)
        return pattern_matches(pattern, name);
    const struct text before = text_slice(pattern, 0, (size_t)open);
    const struct text types = text_slice(pattern, (size_t)open + 1, pattern.length - 1);
    /* With types it is a method, not all that is in a class or package of that name. */
    if (text_find(before, '*') < 0 ? !text_equal(before, name) : !pattern_matches(before, name))
        return false;
    return written_types_may_be(types, method->descriptor, signature_of(method));
}

/* What the user's patterns say of a method. */
enum listed { LISTED_NOT, LISTED_BLOCK, LISTED_NO_BLOCK };

/* One more pattern behind those that said `before`. One for all methods of a class or package takes
   back what was said against them, so that `!*` and then `com.example.*` leave those of that
   package to what else is known of them; one that names the method makes it a block. `class_name`
   ends with the dot. */
static enum listed list_on(const struct instrument_method *method, enum listed before,
                           struct pattern *listed, struct text name, struct text class_name)
{
    const bool against = listed->text.bytes[0] == '!';
    const struct text pattern = text_slice(listed->text, against, listed->text.length);
    if (!is_meant(method, pattern, name))
        return before;
    pattern_mark(listed);
    if (against)
        return LISTED_NO_BLOCK;
    const bool all = text_find(pattern, '(') < 0 && pattern_matches(pattern, class_name);
    return before == LISTED_NO_BLOCK && all ? LISTED_NOT : LISTED_BLOCK;
}

static enum listed find_listed(struct instrument_method *method)
{
    struct instrument_class *owner = method->owner;
    const struct pattern_list *list = owner->instrument->atomic_methods;
    if (!list || !list->items.count)
        return LISTED_NOT;
    struct builder name;
    builder_init(&name);
    names_add_dotted(&name, owner->name);
    builder_add_byte(&name, '.');
    const size_t length = builder_text(&name).length;
    builder_add(&name, method->name);
    const struct text whole = builder_text(&name);
    enum listed listed = LISTED_NOT;
    for (size_t i = 0; i < list->items.count; i++)
        listed =
            list_on(method, listed, &list->items.items[i], whole, text_slice(whole, 0, length));
    if (name.failed)
        owner->failed = true;
    builder_release(&name);
    return listed;
}

/* What .locks files and comments say, or annotations. */
static enum atomicity_claim claim_of(const struct instrument_method *method)
{
    struct instrument_class *owner = method->owner;
    const struct declared_methods *declared = owner->instrument->declared;
    enum atomicity_claim claim = CLAIM_NONE;
    if (declared && declared->methods.count) {
        struct declared_asked asked = {.class_name = owner->name,
                                       .name = method->name,
                                       .descriptor = method->descriptor,
                                       .signature = signature_of(method)};
        for (uint32_t i = 0; method->lines && i < method->lines->count; i++) {
            const uint32_t line = method->lines->items[i].line;
            if (!asked.first_line || line < asked.first_line)
                asked.first_line = line;
            if (line > asked.last_line)
                asked.last_line = line;
        }
        claim = declared_methods_find(declared, &asked);
    }
    if (claim == CLAIM_NONE &&
        !atomicity_claim_annotated(&claim, owner->editor->class_file, method->edit->method))
        owner->failed = true;
    return claim;
}

/* Nothing in it concerns other threads. */
static bool is_trivial(const struct instrument_method *method)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    if (method->edit->method->access & ACCESS_SYNCHRONIZED)
        return false;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const unsigned opcode = bytecode->instructions[i].opcode;
        if ((opcode >= OP_IALOAD && opcode <= OP_SALOAD) ||
            (opcode >= OP_IASTORE && opcode <= OP_SASTORE) ||
            (opcode >= OP_GETSTATIC && opcode <= OP_INVOKEDYNAMIC) || opcode == OP_MONITORENTER)
            return false;
    }
    return true;
}

static bool is_block(struct instrument_method *method, enum listed listed)
{
    const struct instrument *instrument = method->owner->instrument;
    if (method->is_constructor || method->is_initializer ||
        is_compiler_made(method->edit->method) || is_trivial(method))
        return false;
    if (listed == LISTED_BLOCK)
        return true;
    const enum atomicity_claim claim = claim_of(method);
    if (claim == CLAIM_NONE)
        return instrument->atomic == INSTRUMENT_ATOMIC_HEURISTICS && is_heuristic(method);
    return claim == CLAIM_ATOMIC;
}

/* ---- which monitors ---- */

/* A walk over all ways through the method. */
struct walk {
    const struct bytecode *bytecode;
    uint32_t *monitors;
    uint32_t *waiting; /* instructions to go on from */
    uint32_t waiting_count;
    bool unpaired; /* two ways to an instruction do not agree, or a monitor stays entered */
};

/* Comes to an instruction with that monitor entered last. */
static void reach(struct walk *walk, uint32_t instruction, uint32_t monitor)
{
    if (instruction >= walk->bytecode->count) {
        walk->unpaired = true;
    } else if (walk->monitors[instruction] == MONITOR_UNKNOWN) {
        walk->monitors[instruction] = monitor;
        walk->waiting[walk->waiting_count++] = instruction;
    } else if (walk->monitors[instruction] != monitor) {
        walk->unpaired = true;
    }
}

/* Not monitorexit: it throws only if the monitor is not the thread's; then there is none to leave.
 */
static bool may_throw(unsigned opcode)
{
    if (opcode >= OP_GETSTATIC)
        return opcode != OP_MONITOREXIT && opcode != OP_IFNULL && opcode != OP_IFNONNULL &&
               opcode != OP_GOTO_W && opcode != OP_JSR_W;
    return (opcode >= OP_LDC && opcode <= OP_LDC2_W) ||
           (opcode >= OP_IALOAD && opcode <= OP_SALOAD) ||
           (opcode >= OP_IASTORE && opcode <= OP_SASTORE) || opcode == OP_IDIV ||
           opcode == OP_LDIV || opcode == OP_IREM || opcode == OP_LREM;
}

static bool catches_all(const struct bytecode *bytecode, const struct handler *handler)
{
    return !handler->catch_type ||
           text_is(class_name_at(bytecode->class_file, handler->catch_type), "java/lang/Throwable");
}

static void reach_handlers(struct walk *walk, uint32_t instruction, uint32_t monitor)
{
    const struct bytecode *bytecode = walk->bytecode;
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++) {
        const struct handler *handler = &bytecode->handlers[i];
        if (instruction < handler->start || instruction >= handler->end)
            continue;
        reach(walk, handler->handler, monitor);
        if (catches_all(bytecode, handler))
            return;
    }
    walk->unpaired |= monitor != MONITOR_NONE;
}

static void step(struct walk *walk, uint32_t instruction)
{
    const struct bytecode *bytecode = walk->bytecode;
    const unsigned opcode = bytecode->instructions[instruction].opcode;
    const unsigned flow = opcode_infos[opcode].flow;
    const uint32_t before = walk->monitors[instruction];
    uint32_t after = before;
    if (may_throw(opcode))
        reach_handlers(walk, instruction, before);
    if (opcode == OP_MONITORENTER) {
        after = instruction;
    } else if (opcode == OP_MONITOREXIT) {
        if (before == MONITOR_NONE) {
            walk->unpaired = true;
            return;
        }
        after = walk->monitors[before];
    }
    if (flow == FLOW_CALL || flow == FLOW_RET || (flow == FLOW_RETURN && after != MONITOR_NONE))
        walk->unpaired = true;
    const uint32_t targets = targets_count(bytecode, instruction);
    for (uint32_t i = 0; i < targets; i++)
        reach(walk, targets_at(bytecode, instruction, i), after);
    if (flow == FLOW_NEXT || flow == FLOW_BRANCH)
        reach(walk, instruction + 1, after);
}

/* The end of a block stands before the instruction behind the monitorexit, not behind the
   monitorexit: handlers that leave the monitor cover all up to there, and must not be entered again
   when it is left. So nobody else may come to that instruction. */
static bool can_end(const struct bytecode *bytecode, const uint32_t *monitors, struct arena *arena)
{
    struct target_sources sources;
    if (!targets_find_sources(&sources, bytecode, arena))
        return false;
    targets_add_handlers(&sources, bytecode);
    for (uint32_t i = 0; i < bytecode->count; i++)
        if (bytecode->instructions[i].opcode == OP_MONITOREXIT && monitors[i] != MONITOR_UNKNOWN &&
            sources.lowest[i + 1] != INSTRUCTION_NONE)
            return false;
    return true;
}

static bool has_monitors(const struct bytecode *bytecode)
{
    for (uint32_t i = 0; i < bytecode->count; i++)
        if (bytecode->instructions[i].opcode == OP_MONITORENTER)
            return true;
    return false;
}

/* For each instruction the monitor that was entered last and not left yet; NULL if that depends on
   the way, or memory ran out. */
static uint32_t *find_monitors(struct instrument_method *method)
{
    const uint64_t steps_max = 1u << 24; /* of instructions over handlers */
    const struct bytecode *bytecode = &method->edit->bytecode;
    struct arena *arena = method->edit->arena;
    if (!has_monitors(bytecode) ||
        (uint64_t)bytecode->count * bytecode->code->handler_count > steps_max)
        return NULL;
    struct walk walk = {.bytecode = bytecode,
                        .monitors = ARENA_ARRAY(arena, uint32_t, bytecode->count),
                        .waiting = ARENA_ARRAY(arena, uint32_t, bytecode->count)};
    if (!walk.monitors || !walk.waiting)
        return NULL;
    memset(walk.monitors, 0xFF, bytecode->count * sizeof *walk.monitors); /* MONITOR_UNKNOWN */
    reach(&walk, 0, MONITOR_NONE);
    while (walk.waiting_count && !walk.unpaired)
        step(&walk, walk.waiting[--walk.waiting_count]);
    return !walk.unpaired && can_end(bytecode, walk.monitors, arena) ? walk.monitors : NULL;
}

/* ---- marks ---- */

static bool mark(struct instrument_method *method, struct snippet *snippet, enum check_kind kind,
                 uint32_t site)
{
    return checks_call(method->owner, snippet, kind, 0, 0, site);
}

/* Its begin and end are told with its lock. */
static bool is_joined(const struct instrument_method *method)
{
    return monitors_are_placed(method->owner) && method->edit->method->access & ACCESS_SYNCHRONIZED;
}

static bool begin_method(struct instrument_method *method, struct atomic_blocks *blocks)
{
    struct snippet *snippet = instrument_snippet(method);
    blocks->count++;
    blocks->site = instrument_site(method, 0);
    if (is_joined(method))
        return true;
    return mark(method, snippet, CHECK_BLOCK_BEGIN, blocks->site) &&
           method_editor_at_entry(method->edit, snippet);
}

/* Whether synchronized blocks entered there are marked; `line` 0: whether any are. */
static bool marks_monitors(const struct instrument_method *method, uint32_t line)
{
    const struct instrument_class *owner = method->owner;
    const struct instrument *instrument = owner->instrument;
    return instrument->atomic == INSTRUMENT_ATOMIC_HEURISTICS ||
           (instrument->declared &&
            declared_methods_has_block(instrument->declared, owner->name, owner->file, line));
}

static bool number_monitors(struct instrument_method *method, struct atomic_blocks *blocks)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    bool any = false;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const uint32_t line = instrument_line(method, i);
        blocks->sites[i] = SITE_NONE;
        if (bytecode->instructions[i].opcode != OP_MONITORENTER ||
            blocks->monitors[i] == MONITOR_UNKNOWN ||
            !marks_monitors(method, line ? line : UINT32_MAX))
            continue;
        blocks->sites[i] = instrument_site(method, i);
        blocks->count++;
        any = true;
    }
    return any;
}

bool atomic_blocks_begin(struct instrument_method *method)
{
    struct instrument_class *owner = method->owner;
    const struct instrument *instrument = owner->instrument;
    if (instrument->atomic == INSTRUMENT_ATOMIC_NONE || owner->no_checks)
        return true;
    const enum listed listed = find_listed(method);
    if (listed == LISTED_NO_BLOCK)
        return true;
    struct arena *arena = method->edit->arena;
    struct atomic_blocks blocks = {.method = is_block(method, listed)};
    if (marks_monitors(method, 0))
        blocks.monitors = find_monitors(method);
    if (blocks.monitors)
        blocks.sites = ARENA_ARRAY(arena, uint32_t, method->edit->bytecode.count);
    if (arena->failed)
        return false;
    if (blocks.method && !begin_method(method, &blocks))
        return false;
    if (blocks.monitors && !number_monitors(method, &blocks))
        blocks.monitors = NULL;
    if (!blocks.method && !blocks.monitors)
        return true;
    method->blocks = arena_copy(arena, &blocks, sizeof blocks, alignof(struct atomic_blocks));
    return method->blocks;
}

/* A block was left, and that is told already. */
static void left(struct snippet *snippet)
{
    snippet_call(snippet, OP_INVOKESTATIC, TEXT("java/lang/TurnstileRecorder"), TEXT("left"),
                 TEXT("()V"), false);
}

bool atomic_blocks_end(struct instrument_method *method)
{
    if (!method->blocks || !method->blocks->method)
        return true;
    struct snippet *snippet = instrument_snippet(method);
    if (is_joined(method))
        left(snippet);
    else if (!mark(method, snippet, CHECK_BLOCK_END, method->blocks->site))
        return false;
    return method_editor_at_return(method->edit, snippet) &&
           method_editor_at_throw(method->edit, snippet);
}

/* Whether the instruction enters or leaves a monitor of a block with marks. */
static bool is_marked(const struct instrument_method *method, uint32_t instruction,
                      enum opcode opcode)
{
    const struct atomic_blocks *blocks = method->blocks;
    if (!blocks || !blocks->monitors || blocks->monitors[instruction] == MONITOR_UNKNOWN ||
        method->edit->bytecode.instructions[instruction].opcode != opcode)
        return false;
    return blocks->sites[opcode == OP_MONITORENTER ? instruction : blocks->monitors[instruction]] !=
           SITE_NONE;
}

bool atomic_blocks_joins(const struct instrument_method *method, uint32_t instruction,
                         uint32_t *site)
{
    const struct atomic_blocks *blocks = method->blocks;
    if (!monitors_are_placed(method->owner))
        return false;
    if (is_marked(method, instruction, OP_MONITORENTER))
        *site = blocks->sites[instruction];
    else if (is_marked(method, instruction, OP_MONITOREXIT))
        *site = blocks->sites[blocks->monitors[instruction]];
    else
        return false;
    return true;
}

bool atomic_blocks_joins_method(const struct instrument_method *method, uint32_t *site)
{
    if (!method->blocks || !method->blocks->method || !is_joined(method))
        return false;
    *site = method->blocks->site;
    return true;
}

bool atomic_blocks_before(struct instrument_method *method, uint32_t instruction)
{
    if (!is_marked(method, instruction, OP_MONITORENTER) || monitors_are_placed(method->owner))
        return true;
    /* The check looks whether the object is null. With a branch here HotSpot could no longer tell
       that the object that is entered is the one that is left, and would not compile the method. */
    struct snippet *snippet = instrument_snippet(method);
    snippet_add(snippet, OP_DUP);
    if (!mark(method, snippet, CHECK_BLOCK_ENTER, method->blocks->sites[instruction]))
        return false;
    telling_refresh(method, snippet);
    return method_editor_before(method->edit, instruction, snippet);
}

bool atomic_blocks_after(struct instrument_method *method, uint32_t instruction)
{
    if (!is_marked(method, instruction, OP_MONITOREXIT))
        return true;
    const struct atomic_blocks *blocks = method->blocks;
    struct snippet *snippet = instrument_snippet(method);
    if (monitors_are_placed(method->owner))
        left(snippet);
    else if (!mark(method, snippet, CHECK_BLOCK_END, blocks->sites[blocks->monitors[instruction]]))
        return false;
    telling_refresh(method, snippet);
    return method_editor_before(method->edit, instruction + 1, snippet);
}

uint32_t atomic_blocks_count(const struct instrument_method *method)
{
    return method->blocks ? method->blocks->count : 0;
}

/* ---- limits ---- */

/* How much longer branches and switches may become in code that a short branch cannot span. */
static uint64_t widening_of(const struct bytecode *bytecode)
{
    const unsigned condition = 5, other = 3;
    uint64_t widening = 0;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const unsigned flow = opcode_infos[bytecode->instructions[i].opcode].flow;
        if (flow == FLOW_BRANCH)
            widening += condition;
        else if (flow == FLOW_GOTO || flow == FLOW_CALL || flow == FLOW_SWITCH)
            widening += other;
    }
    return widening;
}

bool atomic_blocks_too_large(const struct instrument_method *method)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    const struct plan *plan = &method->edit->plan;
    if (!method->blocks)
        return false;
    /* Each exceptional exit ends with an athrow; a constructor has two. */
    uint64_t length = (uint64_t)bytecode->code->length + plan->entry.length +
                      EXIT_STATE_COUNT * ((uint64_t)plan->throws.length + 1);
    for (uint32_t i = 0; i < plan->item_count; i++)
        length += plan->items[i].length;
    for (uint32_t i = 0; i < bytecode->count; i++)
        if (opcode_infos[bytecode->instructions[i].opcode].flow == FLOW_RETURN)
            length += plan->returns.length;
    if (length > INT16_MAX)
        length += widening_of(bytecode);
    return length > LAYOUT_LARGEST_CODE || method->edit->too_many_locals;
}
