#include "rewrite/snippet.h"

#include <stdatomic.h>
#include <string.h>

#include "classfile/descriptor.h"

/* Versions are made of the number of the snippet and of that of its changes. */
static atomic_uint_least64_t snippets_made;
enum { CHANGE_BITS = 32 };

static void note_change(struct snippet *snippet)
{
    snippet->version++;
}

void snippet_init(struct snippet *snippet, struct class_editor *editor)
{
    memset(snippet, 0, sizeof *snippet);
    snippet->editor = editor;
    const uint64_t number = 1 + atomic_fetch_add_explicit(&snippets_made, 1, memory_order_relaxed);
    snippet->version = number << CHANGE_BITS;
    snippet->copied = SNIPPET_NO_COPY;
}

void snippet_release(struct snippet *snippet)
{
    vector_release(&snippet->instructions);
    vector_release(&snippet->labels);
    note_change(snippet);
}

void snippet_clear(struct snippet *snippet)
{
    vector_clear(&snippet->instructions);
    vector_clear(&snippet->labels);
    snippet->copied = SNIPPET_NO_COPY;
    snippet->failed = false;
    note_change(snippet);
}

static void append(struct snippet *snippet, struct instruction instruction)
{
    instruction.offset = 0;
    note_change(snippet);
    if (!vector_push(&snippet->instructions, instruction))
        snippet->failed = true;
}

void snippet_add(struct snippet *snippet, enum opcode opcode)
{
    if (opcode_infos[opcode].operands != OPERANDS_NONE)
        snippet->failed = true;
    append(snippet, (struct instruction){.opcode = (uint8_t)opcode});
}

/* xload_0 to xload_3 and xstore_0 to xstore_3 follow each other in the order of the types. */
static bool short_form(enum opcode opcode, uint16_t local, enum opcode *shorter)
{
    if (local > 3)
        return false;
    if (opcode >= OP_ILOAD && opcode <= OP_ALOAD)
        *shorter = (enum opcode)(OP_ILOAD_0 + (opcode - OP_ILOAD) * 4 + local);
    else if (opcode >= OP_ISTORE && opcode <= OP_ASTORE)
        *shorter = (enum opcode)(OP_ISTORE_0 + (opcode - OP_ISTORE) * 4 + local);
    else
        return false;
    return true;
}

void snippet_local(struct snippet *snippet, enum opcode opcode, uint16_t local)
{
    enum opcode shorter = opcode;
    if (opcode_infos[opcode].operands != OPERANDS_LOCAL || opcode == OP_RET)
        snippet->failed = true;
    bool is_short = short_form(opcode, local, &shorter);
    append(snippet, (struct instruction){.opcode = (uint8_t)shorter,
                                         .wide = !is_short && local > UINT8_MAX,
                                         .operand = local});
}

enum opcode snippet_load_of(struct text descriptor)
{
    switch (descriptor.bytes[0]) {
    case 'J':
        return OP_LLOAD;
    case 'F':
        return OP_FLOAD;
    case 'D':
        return OP_DLOAD;
    case 'L':
    case '[':
        return OP_ALOAD;
    default:
        return OP_ILOAD;
    }
}

/* The loads and the stores of the five types are in the same order. */
enum opcode snippet_store_of(struct text descriptor)
{
    return (enum opcode)(snippet_load_of(descriptor) - OP_ILOAD + OP_ISTORE);
}

void snippet_increment(struct snippet *snippet, uint16_t local, int16_t amount)
{
    bool wide = local > UINT8_MAX || amount < INT8_MIN || amount > INT8_MAX;
    append(snippet, (struct instruction){
                        .opcode = OP_IINC, .wide = wide, .operand = local, .immediate = amount});
}

static void append_constant(struct snippet *snippet, enum opcode opcode, uint16_t index)
{
    if (!index)
        snippet->failed = true;
    append(snippet, (struct instruction){.opcode = (uint8_t)opcode, .operand = index});
}

static void load_constant(struct snippet *snippet, uint16_t index)
{
    append_constant(snippet, index <= UINT8_MAX ? OP_LDC : OP_LDC_W, index);
}

void snippet_push_int(struct snippet *snippet, int32_t value)
{
    if (value >= -1 && value <= 5)
        snippet_add(snippet, (enum opcode)(OP_ICONST_0 + value));
    else if (value >= INT8_MIN && value <= INT8_MAX)
        append(snippet, (struct instruction){.opcode = OP_BIPUSH, .immediate = (int16_t)value});
    else if (value >= INT16_MIN && value <= INT16_MAX)
        append(snippet, (struct instruction){.opcode = OP_SIPUSH, .immediate = (int16_t)value});
    else
        load_constant(snippet, class_editor_integer(snippet->editor, value));
}

void snippet_push_long(struct snippet *snippet, int64_t value)
{
    if (value == 0 || value == 1) {
        snippet_add(snippet, value ? OP_LCONST_1 : OP_LCONST_0);
    } else if (value >= INT16_MIN && value <= INT16_MAX) {
        snippet_push_int(snippet, (int32_t)value);
        snippet_add(snippet, OP_I2L);
    } else {
        append_constant(snippet, OP_LDC2_W, class_editor_long(snippet->editor, value));
    }
}

void snippet_push_string(struct snippet *snippet, struct text modified_utf8)
{
    load_constant(snippet, class_editor_string(snippet->editor, modified_utf8));
}

void snippet_push_class(struct snippet *snippet, struct text internal_name)
{
    load_constant(snippet, class_editor_class(snippet->editor, internal_name));
}

void snippet_type(struct snippet *snippet, enum opcode opcode, struct text internal_name)
{
    if (opcode_infos[opcode].operands != OPERANDS_CLASS)
        snippet->failed = true;
    append_constant(snippet, opcode, class_editor_class(snippet->editor, internal_name));
}

void snippet_field(struct snippet *snippet, enum opcode opcode, struct text owner, struct text name,
                   struct text descriptor)
{
    if (opcode_infos[opcode].operands != OPERANDS_FIELD)
        snippet->failed = true;
    append_constant(snippet, opcode,
                    class_editor_member(snippet->editor, CONSTANT_FIELD, owner, name, descriptor));
}

void snippet_call(struct snippet *snippet, enum opcode opcode, struct text owner, struct text name,
                  struct text descriptor, bool interface)
{
    unsigned operands = opcode_infos[opcode].operands;
    struct instruction call = {.opcode = (uint8_t)opcode};
    if (operands == OPERANDS_INTERFACE_METHOD)
        call.immediate = (int16_t)(descriptor_parameter_slots(descriptor) + 1);
    else if (operands != OPERANDS_METHOD)
        snippet->failed = true;
    call.operand = class_editor_member(snippet->editor,
                                       interface ? CONSTANT_INTERFACE_METHOD : CONSTANT_METHOD,
                                       owner, name, descriptor);
    if (!call.operand)
        snippet->failed = true;
    append(snippet, call);
}

void snippet_copy(struct snippet *snippet, const struct instruction *instruction)
{
    unsigned flow = opcode_infos[instruction->opcode].flow;
    if (flow != FLOW_NEXT && flow != FLOW_RETURN && flow != FLOW_THROW)
        snippet->failed = true;
    if (snippet->copied == SNIPPET_NO_COPY)
        snippet->copied = (uint32_t)snippet->instructions.count;
    append(snippet, *instruction);
}

snippet_label snippet_new_label(struct snippet *snippet)
{
    if (!vector_push(&snippet->labels, SNIPPET_UNBOUND)) {
        note_change(snippet);
        snippet->failed = true;
        return 0;
    }
    return (snippet_label)(snippet->labels.count - 1);
}

void snippet_bind(struct snippet *snippet, snippet_label label)
{
    note_change(snippet);
    if (label >= snippet->labels.count || snippet->labels.items[label] != SNIPPET_UNBOUND)
        snippet->failed = true;
    else
        snippet->labels.items[label] = (uint32_t)snippet->instructions.count;
}

void snippet_branch(struct snippet *snippet, enum opcode opcode, snippet_label label)
{
    unsigned flow = opcode_infos[opcode].flow;
    /* Wide branches are never needed: a snippet is far shorter than 32 KB. */
    if (opcode_infos[opcode].operands != OPERANDS_BRANCH || flow == FLOW_CALL)
        snippet->failed = true;
    append(snippet, (struct instruction){.opcode = (uint8_t)opcode, .target = label});
}
