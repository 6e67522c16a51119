/*
 * Who assigns and reads what, in all of the program.
 */
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/textmap.h"
#include "bytecode/decode.h"
#include "program/field_facts_internal.h"
#include "program/program_internal.h"
#include "program/resolve.h"

static const struct {
    const char *class_name;
    const char *method;
} named_field_apis[] = {
#define NAMED_FIELD_API(class_name, method) {class_name, method},
#include "program/field_facts.def"
#undef NAMED_FIELD_API
};

struct scan_worker {
    const struct program *program;
    struct arena scratch;
    uint8_t *uses;
    uint32_t *named_in; /* by class: the last whose strings were compared with its fields, plus 1 */
    VECTOR(struct static_read) reads;
    VECTOR(uint32_t) resolved; /* by constant of the class: 1 + field, PROGRAM_NONE for none */
    bool failed;
};

struct scan {
    const struct program *program;
    struct scan_worker *workers;
};

/* The application's field that the constant names, or PROGRAM_NONE. */
static uint32_t resolved_field(struct scan_worker *worker, const struct class_file *class_file,
                               uint16_t constant)
{
    uint32_t *cached = &worker->resolved.items[constant];
    if (*cached == 0) {
        struct resolution field = resolve_field_constant(worker->program, class_file, constant);
        bool own =
            field.status == RESOLVE_FOUND && field.id < worker->program->application_field_count;
        *cached = own ? field.id + 1 : PROGRAM_NONE;
    }
    return *cached == PROGRAM_NONE ? PROGRAM_NONE : *cached - 1;
}

/* Whether the method is where the field may be assigned once. */
static bool is_inside(const struct program *program, uint32_t method, uint32_t field)
{
    if (program->methods[method].class_id != program->fields[field].class_id)
        return false;
    struct text name = program_method_name(program, method);
    return program->fields[field].access & ACCESS_STATIC ? text_is(name, "<clinit>")
                                                         : text_is(name, "<init>");
}

/* From this version on the JVM lets nothing but initializers assign final fields (JVMS 6.5). */
enum { MAJOR_WITH_STRICT_FINALS = 53 };

/* What an assignment says of the field. Of a final one it is refused, but for that. */
static uint8_t use_of(const struct program *program, uint32_t method, uint32_t field)
{
    const uint32_t class_id = program->methods[method].class_id;
    if (is_inside(program, method, field))
        return FIELD_USE_INSIDE;
    if (program->fields[field].access & ACCESS_FINAL &&
        (program->fields[field].class_id != class_id ||
         program->classes[class_id].class_file->major >= MAJOR_WITH_STRICT_FINALS))
        return 0;
    return FIELD_USE_ELSEWHERE;
}

static void scan_method(struct scan_worker *worker, const struct program_class *class,
                        uint32_t method)
{
    const struct program *program = worker->program;
    const struct member *member = program_method_member(program, method);
    struct bytecode bytecode;
    struct problem problem;
    problem_clear(&problem);
    arena_clear(&worker->scratch);
    if (!member_code(member))
        return;
    if (!bytecode_decode(&bytecode, &worker->scratch, class->class_file, member, &problem)) {
        worker->failed |= worker->scratch.failed;
        /* The JVM would not run it, but what we cannot read we do not judge. */
        for (uint32_t i = 0; i < class->field_count; i++)
            worker->uses[class->first_field + i] |= FIELD_USE_BAD_CODE;
        return;
    }
    for (uint32_t i = 0; i < bytecode.count; i++) {
        const struct instruction *instruction = &bytecode.instructions[i];
        if (instruction->opcode < OP_GETSTATIC || instruction->opcode > OP_PUTFIELD ||
            instruction->opcode == OP_GETFIELD)
            continue;
        uint32_t field = resolved_field(worker, class->class_file, instruction->operand);
        if (field == PROGRAM_NONE)
            continue;
        if (instruction->opcode != OP_GETSTATIC) {
            worker->uses[field] |= use_of(program, method, field);
        } else if (!(program->fields[field].access & ACCESS_FINAL)) {
            struct static_read read = {method, field};
            if (!(worker->reads.count && vector_last(&worker->reads).method == method &&
                  vector_last(&worker->reads).field == field) &&
                !vector_push(&worker->reads, read))
                worker->failed = true;
        }
    }
}

/* Method handle constants that write fields. */
static void scan_handles(struct scan_worker *worker, const struct class_file *class_file)
{
    for (uint16_t i = 1; i < class_file->constant_count; i++) {
        const struct constant *constant = &class_file->constants[i];
        if (constant->tag != CONSTANT_METHOD_HANDLE ||
            (constant->reference_kind != REFERENCE_PUT_FIELD &&
             constant->reference_kind != REFERENCE_PUT_STATIC))
            continue;
        uint32_t field = resolved_field(worker, class_file, constant->first);
        if (field != PROGRAM_NONE && !(worker->program->fields[field].access & ACCESS_FINAL))
            worker->uses[field] |= FIELD_USE_ELSEWHERE;
    }
}

static bool is_named_field_api(struct member_reference reference)
{
    for (size_t i = 0; i < sizeof named_field_apis / sizeof *named_field_apis; i++)
        if (text_is(reference.name, named_field_apis[i].method) &&
            text_is(reference.owner, named_field_apis[i].class_name))
            return true;
    return false;
}

/* Fields of the class, and those that it inherits: handles are found by a subclass, too. */
static void mark_named_fields(struct scan_worker *worker, uint32_t class_id, uint32_t named_in,
                              const struct textmap *names)
{
    const struct program *program = worker->program;
    for (; class_id != PROGRAM_NONE && worker->named_in[class_id] != named_in + 1;
         class_id = program->classes[class_id].superclass) {
        const struct program_class *class = &program->classes[class_id];
        worker->named_in[class_id] = named_in + 1;
        for (uint32_t i = 0; class->application && i < class->field_count; i++)
            if (textmap_get(names, program_field_name(program, class->first_field + i), NULL))
                worker->uses[class->first_field + i] |= FIELD_USE_NAMED;
    }
}

/* In a class that uses such an API, a string that is a field's name counts against that field of
   this class and of all classes that it names, and of their superclasses. */
static void scan_names(struct scan_worker *worker, uint32_t class_id,
                       const struct class_file *class_file)
{
    bool uses_api = false;
    for (uint16_t i = 1; i < class_file->constant_count && !uses_api; i++)
        uses_api = class_file->constants[i].tag == CONSTANT_METHOD &&
                   is_named_field_api(class_member_reference(class_file, i));
    if (!uses_api)
        return;
    struct textmap names;
    textmap_init(&names);
    for (uint16_t i = 1; i < class_file->constant_count; i++) {
        const struct constant *constant = &class_file->constants[i];
        struct text name;
        if (constant->tag == CONSTANT_STRING)
            name = class_name_at(class_file, i);
        else if (constant->tag == CONSTANT_DYNAMIC)
            name = class_member_reference(class_file, i).name;
        else
            continue;
        if (!textmap_put(&names, name, 0))
            worker->failed = true;
    }
    mark_named_fields(worker, class_id, class_id, &names);
    for (uint16_t i = 1; i < class_file->constant_count; i++)
        if (class_file->constants[i].tag == CONSTANT_CLASS)
            mark_named_fields(worker,
                              program_find_class(worker->program, class_name_at(class_file, i)),
                              class_id, &names);
    textmap_release(&names);
}

static void scan_class(void *context, size_t item, unsigned number)
{
    struct scan *scan = context;
    struct scan_worker *worker = &scan->workers[number];
    const struct program_class *class = &scan->program->classes[item];
    const struct class_file *class_file = class->class_file;
    if (worker->failed || !class_file)
        return;
    vector_clear(&worker->resolved);
    if (!vector_reserve(&worker->resolved, class_file->constant_count)) {
        worker->failed = true;
        return;
    }
    memset(worker->resolved.items, 0, class_file->constant_count * sizeof *worker->resolved.items);
    for (uint32_t i = 0; i < class->method_count; i++)
        scan_method(worker, class, class->first_method + i);
    scan_handles(worker, class_file);
    scan_names(worker, (uint32_t)item, class_file);
}

static bool start_workers(struct scan *scan, unsigned count)
{
    size_t fields = scan->program->application_field_count, classes = scan->program->class_count;
    memset(scan->workers, 0, count * sizeof *scan->workers);
    bool ok = true;
    for (unsigned i = 0; i < count; i++) {
        struct scan_worker *worker = &scan->workers[i];
        worker->program = scan->program;
        arena_init(&worker->scratch);
        worker->uses = memory_allocate(fields);
        worker->named_in = memory_allocate(classes * sizeof *worker->named_in);
        if (worker->uses && worker->named_in) {
            memset(worker->uses, 0, fields);
            memset(worker->named_in, 0, classes * sizeof *worker->named_in);
        } else {
            ok = false;
        }
    }
    return ok;
}

static bool gather(struct field_uses *uses, struct scan *scan, unsigned count)
{
    size_t fields = scan->program->application_field_count;
    uses->uses = memory_allocate(fields);
    if (!uses->uses)
        return false;
    memset(uses->uses, 0, fields);
    for (unsigned i = 0; i < count; i++) {
        struct scan_worker *worker = &scan->workers[i];
        if (worker->failed)
            return false;
        for (size_t j = 0; j < fields; j++)
            uses->uses[j] |= worker->uses[j];
        for (size_t j = 0; j < worker->reads.count; j++)
            if (!vector_push(&uses->reads, worker->reads.items[j]))
                return false;
    }
    return true;
}

bool field_scan(struct field_uses *uses, const struct call_graph *graph, struct problem *problem)
{
    const struct program *program = graph->program;
    unsigned count = program->workers;
    struct scan scan = {program, memory_allocate(count * sizeof *scan.workers)};
    memset(uses, 0, sizeof *uses);
    bool ok = scan.workers && start_workers(&scan, count);
    if (ok) {
        parallel_for(program->application_count, count, scan_class, &scan);
        ok = gather(uses, &scan, count);
    }
    for (unsigned i = 0; scan.workers && i < count; i++) {
        memory_release(scan.workers[i].uses);
        memory_release(scan.workers[i].named_in);
        vector_release(&scan.workers[i].reads);
        vector_release(&scan.workers[i].resolved);
        arena_release(&scan.workers[i].scratch);
    }
    memory_release(scan.workers);
    if (!ok)
        program_no_memory(problem);
    return ok;
}

void field_uses_release(struct field_uses *uses)
{
    memory_release(uses->uses);
    vector_release(&uses->reads);
}
