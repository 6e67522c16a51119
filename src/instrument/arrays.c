/*
 * Accesses of array elements.
 *
 * The check stands before the access, and leaves the array, the index and the value where they
 * were: what the access throws, and what the JVM says in a NullPointerException's message, stays as
 * it was. array_sources.h says how the words of the array are found.
 */
#include "classfile/descriptor.h"
#include "instrument/array_sources.h"

/* On the stack: an array, which becomes its words. */
static void look_up(struct instrument_method *method, struct snippet *snippet)
{
    snippet_push_int(snippet, (int32_t)method->arrays->number);
    snippet_call(snippet, OP_INVOKESTATIC, TEXT("java/lang/TurnstileArrays"), TEXT("words"),
                 TEXT("(Ljava/lang/Object;I)[J"), false);
}

/* The same for the array that comes from a source: its words may be at hand. Only where the
   source's getter could stand, too: the holder is not null. */
static void look_up_source(struct instrument_method *method, struct snippet *snippet,
                           const struct array_source *source)
{
    if (!source->kept) {
        look_up(method, snippet);
        return;
    }
    fields_push_beside(method, snippet, source->getter, source->holder, CHECK_BESIDE_WORDS,
                       look_up);
}

/* ---- names ---- */

static struct text descriptor_of(enum opcode opcode)
{
    static const char *const descriptors[] = {"[I", "[J", "[F", "[D", "[Ljava/lang/Object;",
                                              "[B", "[C", "[S"};
    return text_from(descriptors[array_is_load(opcode) ? opcode - OP_IALOAD : opcode - OP_IASTORE]);
}

static struct accessed accessed_of(const struct instrument_method *method, uint32_t instruction)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    const struct origin array = array_operand(&method->origins, instruction);
    if (array.kind == ORIGIN_FIELD || array.kind == ORIGIN_STATIC || array.kind == ORIGIN_ELEMENT) {
        struct member_reference field =
            class_member_reference(bytecode->class_file, array.constant);
        return (struct accessed){ACCESSED_ELEMENTS, field.owner, field.name, field.descriptor};
    }
    return (struct accessed){ACCESSED_ELEMENTS, TEXT(""), TEXT(""),
                             descriptor_of(bytecode->instructions[instruction].opcode)};
}

/* ---- the method's locals ---- */

/* A parameter that may be an array. */
static bool is_array_parameter(const struct instrument_method *method, uint16_t slot)
{
    size_t position = 1;
    unsigned next = method->is_static ? 0 : 1;
    struct text parameter;
    while (descriptor_next_parameter(method->descriptor, &position, &parameter)) {
        if (next == slot)
            return parameter.bytes[0] == '[' || text_is(parameter, "Ljava/lang/Object;");
        next += descriptor_slots(parameter);
    }
    return false;
}

static void store_null(struct snippet *snippet, uint16_t local)
{
    snippet_add(snippet, OP_ACONST_NULL);
    snippet_local(snippet, OP_ASTORE, local);
}

static void start_source(struct instrument_method *method, struct snippet *snippet,
                         struct array_source *source)
{
    struct method_editor *edit = method->edit;
    source->words = method_editor_new_kept_local(edit, TEXT("[J"));
    if (source->remembers)
        source->array = method_editor_new_kept_local(edit, TEXT("Ljava/lang/Object;"));
    if (source->mode != ARRAY_FOLLOWED || !is_array_parameter(method, source->slot)) {
        store_null(snippet, source->words);
        if (source->remembers)
            store_null(snippet, source->array);
        return;
    }
    snippet_local(snippet, OP_ALOAD, source->slot);
    if (source->remembers) {
        snippet_add(snippet, OP_DUP);
        snippet_local(snippet, OP_ASTORE, source->array);
    }
    look_up(method, snippet);
    snippet_local(snippet, OP_ASTORE, source->words);
}

/* On the stack: an array, which is taken. It is the one whose words are kept from now on. */
static void refresh(struct instrument_method *method, struct snippet *snippet,
                    const struct array_source *source)
{
    snippet_add(snippet, OP_DUP);
    snippet_local(snippet, OP_ASTORE, source->array);
    look_up_source(method, snippet, source);
    snippet_local(snippet, OP_ASTORE, source->words);
}

/* Before a store to a local that is followed; on the stack: what is stored. */
static bool follow(struct instrument_method *method, uint32_t instruction,
                   const struct array_source *source)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    struct snippet *snippet = instrument_snippet(method);
    const struct origin value = origins_operand(&method->origins, instruction, 0);
    const bool object =
        value.kind == ORIGIN_THIS ||
        (value.kind == ORIGIN_NEW && bytecode->instructions[value.instruction].opcode == OP_NEW);
    if (object || value.kind == ORIGIN_NULL) {
        /* A `null` often says that the array should go. What is no array may be no object yet. */
        store_null(snippet, source->words);
        if (source->remembers)
            store_null(snippet, source->array);
    } else if (!source->remembers) {
        snippet_add(snippet, OP_DUP);
        look_up(method, snippet);
        snippet_local(snippet, OP_ASTORE, source->words);
    } else {
        snippet_label known = snippet_new_label(snippet);
        snippet_add(snippet, OP_DUP);
        snippet_local(snippet, OP_ALOAD, source->array);
        snippet_branch(snippet, OP_IF_ACMPEQ, known);
        snippet_add(snippet, OP_DUP);
        refresh(method, snippet, source);
        snippet_bind(snippet, known);
    }
    return method_editor_before(method->edit, instruction, snippet);
}

static bool follow_locals(struct instrument_method *method)
{
    const struct array_caches *caches = method->arrays;
    const struct bytecode *bytecode = &method->edit->bytecode;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const int32_t local = origins_stored_local(&bytecode->instructions[i]);
        if (local < 0 || caches->by_local[local] == ARRAY_NO_SOURCE)
            continue;
        if (!follow(method, i, &caches->items[caches->by_local[local]]))
            return false;
    }
    return true;
}

/* ---- loops ---- */

static struct snippet *refresh_snippet(struct instrument_method *method,
                                       const struct array_source *source)
{
    struct snippet *snippet = instrument_snippet(method);
    const struct instruction *getter = &method->edit->bytecode.instructions[source->getter];
    snippet_label same = snippet_new_label(snippet), end = snippet_new_label(snippet);
    if (getter->opcode == OP_GETFIELD) {
        if (method->is_static || source->holder) {
            snippet_local(snippet, OP_ALOAD, source->holder);
            snippet_branch(snippet, OP_IFNULL, end);
        }
        snippet_local(snippet, OP_ALOAD, source->holder);
    }
    snippet_copy(snippet, getter);
    snippet_add(snippet, OP_DUP);
    snippet_local(snippet, OP_ALOAD, source->array);
    snippet_branch(snippet, OP_IF_ACMPEQ, same);
    refresh(method, snippet, source);
    snippet_branch(snippet, OP_GOTO, end);
    snippet_bind(snippet, same);
    snippet_add(snippet, OP_POP);
    snippet_bind(snippet, end);
    return snippet;
}

/* On the way into the loop, but not from one round to the next. */
static bool refresh_before(struct instrument_method *method, uint32_t loop,
                           const struct array_source *source)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    if (!loop)
        return method_editor_at_entry(method->edit, refresh_snippet(method, source));
    const struct instruction *before = &bytecode->instructions[loop - 1];
    const enum opcode_flow flow = opcode_infos[before->opcode].flow;
    if (flow == FLOW_NEXT || flow == FLOW_BRANCH)
        return method_editor_after(method->edit, loop - 1, refresh_snippet(method, source));
    /* Some compilers jump to the condition, which is at the loop's end. */
    if (flow == FLOW_GOTO && before->target > loop &&
        before->target <= method->arrays->ways.ends[loop])
        return method_editor_before(method->edit, loop - 1, refresh_snippet(method, source));
    return true;
}

static bool refresh_loops(struct instrument_method *method)
{
    const struct array_caches *caches = method->arrays;
    for (uint32_t i = 0; i < caches->refresh_count; i++) {
        const struct array_refresh *refreshed = &caches->refreshes[i];
        if (!refresh_before(method, refreshed->loop, &caches->items[refreshed->source]))
            return false;
    }
    return true;
}

bool arrays_begin(struct instrument_method *method)
{
    if (!array_sources_find(method))
        return false;
    struct array_caches *caches = method->arrays;
    if (!caches)
        return true;
    struct snippet *snippet = instrument_snippet(method);
    bool kept = false;
    for (uint32_t i = 0; i < caches->count; i++) {
        if (caches->items[i].mode == ARRAY_LOOKED_UP)
            continue;
        start_source(method, snippet, &caches->items[i]);
        kept = true;
    }
    return (!kept || method_editor_at_entry(method->edit, snippet)) &&
           (!caches->followed || follow_locals(method)) && refresh_loops(method);
}

bool arrays_end(struct instrument_method *method)
{
    method->arrays = NULL;
    return true;
}

/* ---- accesses ---- */

/* Whether all elements of an array share the first word. */
static bool is_whole(const struct instrument_method *method)
{
    return method->owner->instrument->array_objects;
}

/* On the stack: the array and the index, which stay. Pushes the words and the index of the word. */
static void push_looked_up(struct instrument_method *method, struct snippet *snippet,
                           const struct array_source *source, bool whole)
{
    snippet_add(snippet, OP_DUP2);
    if (whole) {
        snippet_add(snippet, OP_POP);
        look_up_source(method, snippet, source);
        snippet_add(snippet, OP_ICONST_0);
    } else {
        snippet_add(snippet, OP_SWAP);
        look_up_source(method, snippet, source);
        snippet_add(snippet, OP_SWAP);
    }
}

/* The same. */
static void push_kept(struct instrument_method *method, struct snippet *snippet,
                      const struct array_source *source, bool whole)
{
    if (source->mode == ARRAY_CACHED) {
        snippet_label known = snippet_new_label(snippet);
        snippet_add(snippet, OP_DUP2);
        snippet_add(snippet, OP_POP);
        snippet_local(snippet, OP_ALOAD, source->array);
        snippet_branch(snippet, OP_IF_ACMPEQ, known);
        snippet_add(snippet, OP_DUP2);
        snippet_add(snippet, OP_POP);
        refresh(method, snippet, source);
        snippet_bind(snippet, known);
    }
    if (whole) {
        snippet_local(snippet, OP_ALOAD, source->words);
        snippet_add(snippet, OP_ICONST_0);
    } else {
        snippet_add(snippet, OP_DUP);
        snippet_local(snippet, OP_ALOAD, source->words);
        snippet_add(snippet, OP_SWAP);
    }
}

static void push_words(struct instrument_method *method, struct snippet *snippet,
                       const struct array_source *source, bool whole)
{
    if (source->mode == ARRAY_LOOKED_UP)
        push_looked_up(method, snippet, source, whole);
    else
        push_kept(method, snippet, source, whole);
}

/* The same for a store whose words are known: on the stack is the value, too. False if that cannot
   be done with the value on top. */
static bool push_below_value(struct snippet *snippet, const struct array_source *source, bool whole,
                             unsigned value_slots)
{
    if (source->mode != ARRAY_FOLLOWED || (!whole && value_slots != 1))
        return false;
    if (!whole) {
        snippet_add(snippet, OP_DUP2);
        snippet_add(snippet, OP_POP);
    }
    snippet_local(snippet, OP_ALOAD, source->words);
    snippet_add(snippet, whole ? OP_ICONST_0 : OP_SWAP);
    return true;
}

/* The local that holds the value of a store while the array and the index are on top. */
static uint16_t scratch_local(struct instrument_method *method, unsigned slots)
{
    uint16_t *local = &method->arrays->scratch[slots - 1];
    if (!*local)
        *local = method_editor_new_local(method->edit, slots);
    return *local;
}

/* iastore: istore, iload; and so on. */
static enum opcode local_store_of(enum opcode store)
{
    static const uint8_t opcodes[] = {OP_ISTORE, OP_LSTORE, OP_FSTORE, OP_DSTORE,
                                      OP_ASTORE, OP_ISTORE, OP_ISTORE, OP_ISTORE};
    return opcodes[store - OP_IASTORE];
}

static bool check(struct instrument_method *method, uint32_t instruction,
                  const struct array_source *source, struct snippet *snippet)
{
    const enum opcode opcode = method->edit->bytecode.instructions[instruction].opcode;
    const struct array_caches *caches = method->arrays;
    const struct accessed accessed = accessed_of(method, instruction);
    const uint32_t site = instrument_access_site(method, instruction, &accessed,
                                                 array_operand(&method->origins, instruction));
    const enum check_kind kind =
        caches->checks[instruction] == ARRAY_CHECK_WRITE ? CHECK_ELEMENT_WRITE : CHECK_ELEMENT_READ;
    const bool whole = is_whole(method);
    const unsigned slots = array_element_slots(opcode);
    if (array_is_load(opcode)) {
        push_words(method, snippet, source, whole);
        return checks_call(method->owner, snippet, kind, 0, caches->group, site);
    }
    if (push_below_value(snippet, source, whole, slots))
        return checks_call(method->owner, snippet, kind, 0, caches->group, site);
    const enum opcode store = local_store_of(opcode);
    const uint16_t value = scratch_local(method, slots);
    snippet_local(snippet, store, value);
    push_words(method, snippet, source, whole);
    bool called = checks_call(method->owner, snippet, kind, 0, caches->group, site);
    snippet_local(snippet, store - OP_ISTORE + OP_ILOAD, value);
    return called;
}

bool arrays_plan(struct instrument_method *method, uint32_t instruction)
{
    const struct array_caches *caches = method->arrays;
    if (!caches || caches->checks[instruction] == ARRAY_CHECK_NONE)
        return true;
    const struct accessed accessed = accessed_of(method, instruction);
    if (!instrument_wants(method->owner, &accessed))
        return true;
    struct snippet *snippet = instrument_snippet(method);
    if (!check(method, instruction, &caches->items[caches->sources[instruction]], snippet) ||
        !method_editor_before(method->edit, instruction, snippet))
        return false;
    atomic_fetch_add_explicit(&method->owner->instrument->elements, 1, memory_order_relaxed);
    return true;
}
