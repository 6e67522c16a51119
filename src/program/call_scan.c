/*
 * The instructions of each method -> raw call sites.
 */
#include <string.h>

#include "program/call_graph_internal.h"
#include "program/hierarchy.h"

void call_scan_add(struct call_scanner *scanner, struct call_site site)
{
    if (!vector_push(&scanner->sites, site))
        scanner->failed = true;
}

void call_scan_initializer(struct call_scanner *scanner, uint32_t instruction, uint16_t constant,
                           uint32_t class_id)
{
    const struct program *program = scanner->program;
    if (class_id == PROGRAM_NONE || program->classes[class_id].missing ||
        (!program->classes[class_id].application && !scanner->scan_platform))
        return;
    /* Code of a class runs only after its own initialization has begun. */
    if (hierarchy_is_subclass(program, scanner->class_id, class_id))
        return;
    for (size_t i = 0; i < scanner->initialized.count; i++)
        if (scanner->initialized.items[i] == class_id)
            return;
    if (!vector_push(&scanner->initialized, class_id))
        scanner->failed = true;
    call_scan_add(scanner, (struct call_site){.instruction = (uint16_t)instruction,
                                              .constant = constant,
                                              .kind = CALL_INITIALIZER,
                                              .flags = RAW_INITIALIZER,
                                              .method = PROGRAM_NONE,
                                              .targets = class_id});
}

/* The method that a constant of this class resolves to, and the class that it names. Many calls
   name the same constant, so each is resolved once. */
static uint32_t resolved_method(struct call_scanner *scanner, uint16_t constant, uint32_t *owner)
{
    uint64_t *cached = &scanner->resolved.items[constant];
    if (!*cached) {
        struct resolution resolution =
            resolve_method_constant(scanner->program, scanner->class_file, constant);
        uint32_t named = resolve_owner(scanner->program, scanner->class_file, constant);
        /* The highest bit says that the rest is known. */
        *cached = UINT64_C(1) << 63 | (uint64_t)(named & INT32_MAX) << 32 | resolution.id;
    }
    uint32_t named = (uint32_t)(*cached >> 32) & INT32_MAX;
    *owner = named == INT32_MAX ? PROGRAM_NONE : named;
    return (uint32_t)*cached;
}

static bool names_array(const struct class_file *class_file, uint16_t constant)
{
    struct text owner = class_name_at(class_file, class_file->constants[constant].first);
    return owner.length && owner.bytes[0] == '[';
}

static void scan_invoke(struct call_scanner *scanner, uint32_t number, uint8_t opcode,
                        uint16_t constant)
{
    const struct program *program = scanner->program;
    uint32_t owner;
    uint32_t method = resolved_method(scanner, constant, &owner);
    struct call_site site = {.instruction = (uint16_t)number,
                             .constant = constant,
                             .kind = opcode == OP_INVOKEVIRTUAL     ? CALL_VIRTUAL
                                     : opcode == OP_INVOKEINTERFACE ? CALL_INTERFACE
                                     : opcode == OP_INVOKESPECIAL   ? CALL_SPECIAL
                                                                    : CALL_STATIC,
                             .method = method,
                             .targets = CALL_NO_TARGETS};
    if (method == PROGRAM_NONE) {
        site.unknown = CALL_UNRESOLVED;
    } else {
        site.unknown = scanner->unknown_of[method];
        uint16_t access = program->methods[method].access;
        if (opcode == OP_INVOKESPECIAL) {
            uint32_t special = resolve_special(program, scanner->class_id, owner, method);
            if (special != PROGRAM_NONE)
                site.targets = CALL_ONE_TARGET | special;
        } else if (opcode == OP_INVOKESTATIC || access & (ACCESS_PRIVATE | ACCESS_FINAL) ||
                   names_array(scanner->class_file, constant)) {
            site.targets = CALL_ONE_TARGET | method;
        } else {
            site.flags = RAW_DISPATCH;
            site.targets = owner;
        }
    }
    if (opcode == OP_INVOKESTATIC && method != PROGRAM_NONE)
        call_scan_initializer(scanner, number, constant, program->methods[method].class_id);
    call_scan_add(scanner, site);
}

/* EnumSet, EnumMap and Enum.valueOf ask the class that they are given for its constants, which
   initializes it. */
static void scan_class_literal(struct call_scanner *scanner, uint32_t number, uint16_t constant)
{
    const struct program *program = scanner->program;
    uint32_t class_id = program_find_class(program, class_name_at(scanner->class_file, constant));
    if (class_id != PROGRAM_NONE && program->classes[class_id].access & ACCESS_ENUM)
        call_scan_initializer(scanner, number, constant, class_id);
}

static void scan_load_constant(struct call_scanner *scanner, uint32_t number, uint16_t constant)
{
    uint8_t tag = scanner->class_file->constants[constant].tag;
    if (tag == CONSTANT_DYNAMIC) {
        call_scan_dynamic(scanner, number, constant);
    } else if (tag == CONSTANT_METHOD_HANDLE) {
        struct call_lambda lambda = {.interface = PROGRAM_NONE};
        call_scan_handle(scanner, number, constant, &lambda);
    } else if (tag == CONSTANT_CLASS) {
        scan_class_literal(scanner, number, constant);
    }
}

static void scan_instruction(struct call_scanner *scanner, const struct instruction *instruction,
                             uint32_t number)
{
    const struct program *program = scanner->program;
    const struct class_file *class_file = scanner->class_file;
    switch (instruction->opcode) {
    case OP_INVOKEVIRTUAL:
    case OP_INVOKESPECIAL:
    case OP_INVOKESTATIC:
    case OP_INVOKEINTERFACE:
        scan_invoke(scanner, number, instruction->opcode, instruction->operand);
        break;
    case OP_INVOKEDYNAMIC:
        call_scan_dynamic(scanner, number, instruction->operand);
        break;
    case OP_LDC:
    case OP_LDC_W:
    case OP_LDC2_W:
        scan_load_constant(scanner, number, instruction->operand);
        break;
    case OP_NEW:
        call_scan_initializer(
            scanner, number, instruction->operand,
            program_find_class(program, class_name_at(class_file, instruction->operand)));
        break;
    case OP_GETSTATIC:
    case OP_PUTSTATIC: {
        struct resolution field = resolve_field_constant(program, class_file, instruction->operand);
        if (field.status == RESOLVE_FOUND)
            call_scan_initializer(scanner, number, instruction->operand,
                                  program->fields[field.id].class_id);
        break;
    }
    default:
        break;
    }
}

static void scan_method(struct call_scanner *scanner, uint32_t method)
{
    const struct member *member = program_method_member(scanner->program, method);
    if (!member_code(member))
        return;
    struct bytecode bytecode;
    struct problem problem;
    problem_clear(&problem);
    arena_clear(&scanner->scratch);
    vector_clear(&scanner->initialized);
    scanner->method = method;
    scanner->method_first_site = scanner->sites.count;
    if (!bytecode_decode(&bytecode, &scanner->scratch, scanner->class_file, member, &problem)) {
        if (scanner->scratch.failed) {
            scanner->failed = true;
            return;
        }
        scanner->bad_method_count++;
        diagnostics_problem(scanner->diagnostics, DIAGNOSTICS_ERROR,
                            program_class_of_method(scanner->program, method)->path, &problem);
        return;
    }
    for (uint32_t i = 0; i < bytecode.count; i++)
        scan_instruction(scanner, &bytecode.instructions[i], i);
}

void call_scan_class(struct call_scanner *scanner, uint32_t class_id, uint32_t *site_counts)
{
    const struct program_class *class = &scanner->program->classes[class_id];
    if (scanner->failed || !class->class_file)
        return;
    scanner->class_id = class_id;
    scanner->class_file = class->class_file;
    vector_clear(&scanner->resolved);
    if (!vector_reserve(&scanner->resolved, class->class_file->constant_count)) {
        scanner->failed = true;
        return;
    }
    memset(scanner->resolved.items, 0,
           class->class_file->constant_count * sizeof *scanner->resolved.items);
    for (uint32_t i = 0; i < class->method_count && !scanner->failed; i++) {
        size_t before = scanner->sites.count;
        scan_method(scanner, class->first_method + i);
        site_counts[class->first_method + i] = (uint32_t)(scanner->sites.count - before);
    }
}
