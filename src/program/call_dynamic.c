/*
 * invokedynamic and dynamic constants -> raw call sites and lambdas.
 */
#include "classfile/descriptor.h"
#include "program/call_graph_internal.h"

enum bootstrap_effect {
    BOOTSTRAP_UNKNOWN,
    BOOTSTRAP_LAMBDA,
    BOOTSTRAP_TO_STRING,
    BOOTSTRAP_COMPONENTS,
    BOOTSTRAP_CALL,
    BOOTSTRAP_NOTHING
};

static const struct {
    const char *class_name;
    const char *method;
    enum bootstrap_effect effect;
} known_bootstraps[] = {
#define BOOTSTRAP(class_name, method, effect) {class_name, method, BOOTSTRAP_##effect},
#include "program/bootstraps.def"
#undef BOOTSTRAP
};

/* Flags of LambdaMetafactory.altMetafactory. */
enum { FLAG_MARKERS = 2, FLAG_BRIDGES = 4 };

/* A dynamic site under work. */
struct dynamic {
    struct call_scanner *scanner;
    const struct class_file *class_file;
    uint32_t instruction;
    uint16_t constant;
    struct text name;
    struct text descriptor;
    const struct bootstrap_method *bootstrap;
};

static const struct constant *argument_constant(const struct dynamic *dynamic, uint32_t number)
{
    if (number >= dynamic->bootstrap->argument_count)
        return NULL;
    return &dynamic->class_file->constants[dynamic->bootstrap->arguments[number]];
}

static bool argument_is(const struct dynamic *dynamic, uint32_t number, uint8_t tag)
{
    const struct constant *constant = argument_constant(dynamic, number);
    return constant && constant->tag == tag;
}

static struct call_site new_site(const struct dynamic *dynamic, enum call_unknown unknown)
{
    return (struct call_site){.instruction = (uint16_t)dynamic->instruction,
                              .constant = dynamic->constant,
                              .kind = CALL_DYNAMIC,
                              .unknown = (uint8_t)unknown,
                              .method = PROGRAM_NONE,
                              .targets = CALL_NO_TARGETS};
}

/* ---- handles ---- */

/* Resolves what a method handle calls. False for handles of fields. */
static bool resolve_handle(struct call_scanner *scanner, uint16_t handle, uint8_t *kind,
                           uint32_t *owner, uint32_t *method)
{
    const struct class_file *class_file = scanner->class_file;
    const struct constant *constant = &class_file->constants[handle];
    *kind = constant->reference_kind;
    if (*kind < REFERENCE_INVOKE_VIRTUAL)
        return false;
    *owner = resolve_owner(scanner->program, class_file, constant->first);
    *method = resolve_method_constant(scanner->program, class_file, constant->first).id;
    if (*method != PROGRAM_NONE && *kind == REFERENCE_INVOKE_SPECIAL)
        *method = resolve_special(scanner->program, scanner->class_id, *owner, *method);
    return true;
}

/* Whether the JVM chooses by the receiver's class. */
static bool is_dispatched(const struct program *program, uint8_t kind, uint32_t method)
{
    return (kind == REFERENCE_INVOKE_VIRTUAL || kind == REFERENCE_INVOKE_INTERFACE) &&
           !(program->methods[method].access & (ACCESS_PRIVATE | ACCESS_FINAL | ACCESS_STATIC));
}

static void handle_initializes(struct call_scanner *scanner, uint32_t instruction,
                               uint16_t constant, uint8_t kind, uint32_t method)
{
    if (method != PROGRAM_NONE &&
        (kind == REFERENCE_INVOKE_STATIC || kind == REFERENCE_NEW_INVOKE_SPECIAL))
        call_scan_initializer(scanner, instruction, constant,
                              scanner->program->methods[method].class_id);
}

static void add_lambda(struct call_scanner *scanner, uint32_t instruction, uint16_t constant,
                       uint16_t handle, const struct call_lambda *lambda)
{
    uint8_t kind;
    uint32_t owner, method;
    if (!resolve_handle(scanner, handle, &kind, &owner, &method))
        return;
    handle_initializes(scanner, instruction, constant, kind, method);
    struct raw_lambda raw = {.lambda = *lambda, .dispatch_class = PROGRAM_NONE};
    raw.lambda.maker = scanner->method;
    /* Counted from the method's first site here, from the graph's first in the end. */
    raw.lambda.site = (uint32_t)(scanner->sites.count - scanner->method_first_site);
    raw.lambda.implementation = method;
    raw.lambda.targets = CALL_NO_TARGETS;
    if (method != PROGRAM_NONE) {
        if (is_dispatched(scanner->program, kind, method))
            raw.dispatch_class = owner;
        else
            raw.lambda.targets = CALL_ONE_TARGET | method;
    }
    struct call_site site = {.instruction = (uint16_t)instruction,
                             .constant = constant,
                             .kind = CALL_LAMBDA,
                             .unknown = method == PROGRAM_NONE ? CALL_UNRESOLVED
                                                               : scanner->unknown_of[method],
                             .flags = RAW_LAMBDA,
                             .method = method,
                             .targets = (uint32_t)scanner->lambdas.count};
    if (!vector_push(&scanner->lambdas, raw))
        scanner->failed = true;
    else
        call_scan_add(scanner, site);
}

void call_scan_handle(struct call_scanner *scanner, uint32_t instruction, uint16_t constant,
                      const struct call_lambda *lambda)
{
    add_lambda(scanner, instruction, constant, constant, lambda);
}

/* ---- lambdas ---- */

struct lambda_lists {
    uint32_t *markers, *selectors;
    uint32_t marker_count, selector_count;
};

static void add_selector(const struct dynamic *dynamic, struct lambda_lists *lists,
                         uint32_t argument)
{
    if (!argument_is(dynamic, argument, CONSTANT_METHOD_TYPE))
        return;
    struct text descriptor =
        class_name_at(dynamic->class_file, dynamic->bootstrap->arguments[argument]);
    uint32_t selector = program_find_selector(dynamic->scanner->program, dynamic->name, descriptor);
    if (selector != PROGRAM_NONE)
        lists->selectors[lists->selector_count++] = selector;
}

static void add_marker(const struct dynamic *dynamic, struct lambda_lists *lists, uint32_t argument)
{
    if (!argument_is(dynamic, argument, CONSTANT_CLASS))
        return;
    struct text name = class_name_at(dynamic->class_file, dynamic->bootstrap->arguments[argument]);
    uint32_t marker = program_find_class(dynamic->scanner->program, name);
    if (marker != PROGRAM_NONE)
        lists->markers[lists->marker_count++] = marker;
}

/* An integer argument that says how many others follow; never more than there are. */
static uint32_t argument_count_at(const struct dynamic *dynamic, uint32_t number)
{
    if (!argument_is(dynamic, number, CONSTANT_INTEGER))
        return 0;
    uint32_t count = (uint32_t)argument_constant(dynamic, number)->value.bits;
    uint32_t left = dynamic->bootstrap->argument_count - number - 1u;
    return count < left ? count : left;
}

/* altMetafactory: flags, then marker interfaces, then bridge types, each with a count before. */
static void add_alternatives(const struct dynamic *dynamic, struct lambda_lists *lists)
{
    if (!argument_is(dynamic, 3, CONSTANT_INTEGER))
        return;
    uint32_t flags = (uint32_t)argument_constant(dynamic, 3)->value.bits;
    uint32_t position = 4;
    if (flags & FLAG_MARKERS) {
        uint32_t count = argument_count_at(dynamic, position++);
        while (count-- > 0)
            add_marker(dynamic, lists, position++);
    }
    if (flags & FLAG_BRIDGES) {
        uint32_t count = argument_count_at(dynamic, position++);
        while (count-- > 0)
            add_selector(dynamic, lists, position++);
    }
}

static void scan_lambda(const struct dynamic *dynamic)
{
    struct call_scanner *scanner = dynamic->scanner;
    if (!argument_is(dynamic, 1, CONSTANT_METHOD_HANDLE)) {
        call_scan_add(scanner, new_site(dynamic, CALL_UNKNOWN_BOOTSTRAP));
        return;
    }
    struct lambda_lists lists = {0};
    size_t most = dynamic->bootstrap->argument_count;
    lists.markers = ARENA_ARRAY(&scanner->kept, uint32_t, most > 3 ? most : 0);
    lists.selectors = ARENA_ARRAY(&scanner->kept, uint32_t, most > 3 ? most : 1);
    if (!lists.markers || !lists.selectors) {
        scanner->failed = true;
        return;
    }
    add_selector(dynamic, &lists, 0);
    if (most > 3)
        add_alternatives(dynamic, &lists);
    struct text interface = dynamic->descriptor;
    if (interface.bytes[0] == '(')
        interface = descriptor_return(interface);
    struct call_lambda lambda = {
        .interface = interface.length > 2 && interface.bytes[0] == 'L'
                         ? program_find_class(scanner->program,
                                              text_slice(interface, 1, interface.length - 1))
                         : PROGRAM_NONE,
        .markers = {lists.markers, lists.marker_count},
        .selectors = {lists.selectors, lists.selector_count}};
    add_lambda(scanner, dynamic->instruction, dynamic->constant, dynamic->bootstrap->arguments[1],
               &lambda);
}

/* ---- what known bootstraps call ---- */

/* A call of one of java.lang.Object's methods on something of this declared type. Final platform
   classes (String, Integer) and arrays call nothing of the application. */
static void implied_call(const struct dynamic *dynamic, struct text type, struct text name,
                         struct text descriptor)
{
    struct call_scanner *scanner = dynamic->scanner;
    const struct program *program = scanner->program;
    if (type.length < 3 || type.bytes[0] != 'L')
        return;
    uint32_t class_id = program_find_class(program, text_slice(type, 1, type.length - 1));
    struct call_site site = new_site(dynamic, CALL_UNRESOLVED);
    if (class_id != PROGRAM_NONE) {
        const struct program_class *class = &program->classes[class_id];
        if (!class->application && class->access & ACCESS_FINAL)
            return;
        uint32_t selector = program_find_selector(program, name, descriptor);
        struct resolution resolution =
            class->access & ACCESS_INTERFACE
                ? resolve_interface_method(program, class_id, selector)
                : resolve_class_method(program, class_id, selector, name);
        site.method = resolution.id;
    }
    if (site.method != PROGRAM_NONE) {
        site.unknown = CALL_KNOWN;
        site.flags = RAW_DISPATCH;
        site.targets = class_id;
    }
    for (size_t i = scanner->sites.count; i-- > scanner->method_first_site;) {
        const struct call_site *other = &scanner->sites.items[i];
        if (other->instruction != site.instruction)
            break;
        if (other->method == site.method && other->targets == site.targets)
            return;
    }
    call_scan_add(scanner, site);
}

static void scan_to_string(const struct dynamic *dynamic)
{
    size_t position = 1;
    struct text parameter;
    if (dynamic->descriptor.bytes[0] != '(')
        return;
    while (descriptor_next_parameter(dynamic->descriptor, &position, &parameter))
        implied_call(dynamic, parameter, TEXT("toString"), TEXT("()Ljava/lang/String;"));
}

static void scan_components(const struct dynamic *dynamic)
{
    struct text descriptor = text_is(dynamic->name, "equals")     ? TEXT("(Ljava/lang/Object;)Z")
                             : text_is(dynamic->name, "hashCode") ? TEXT("()I")
                                                                  : TEXT("()Ljava/lang/String;");
    for (uint16_t i = 0; i < dynamic->bootstrap->argument_count; i++) {
        const struct constant *constant = argument_constant(dynamic, i);
        if (constant->tag != CONSTANT_METHOD_HANDLE ||
            constant->reference_kind > REFERENCE_GET_STATIC)
            continue;
        struct member_reference field =
            class_member_reference(dynamic->class_file, constant->first);
        implied_call(dynamic, field.descriptor, dynamic->name, descriptor);
    }
}

/* ConstantBootstraps.invoke: the handle is called when the constant is first loaded. */
static void scan_called_handle(const struct dynamic *dynamic)
{
    struct call_scanner *scanner = dynamic->scanner;
    uint8_t kind;
    uint32_t owner, method;
    struct call_site site = new_site(dynamic, CALL_UNKNOWN_BOOTSTRAP);
    if (argument_is(dynamic, 0, CONSTANT_METHOD_HANDLE) &&
        resolve_handle(scanner, dynamic->bootstrap->arguments[0], &kind, &owner, &method) &&
        method != PROGRAM_NONE) {
        handle_initializes(scanner, dynamic->instruction, dynamic->constant, kind, method);
        site.unknown = scanner->unknown_of[method];
        site.method = method;
        site.targets = CALL_ONE_TARGET | method;
        if (is_dispatched(scanner->program, kind, method)) {
            site.flags = RAW_DISPATCH;
            site.targets = owner;
        }
    }
    call_scan_add(scanner, site);
}

/* Some other language's bootstrap: it runs itself, and may call any handle that it is given. */
static void scan_unknown(const struct dynamic *dynamic)
{
    struct call_scanner *scanner = dynamic->scanner;
    uint8_t kind;
    uint32_t owner, method;
    struct call_site site = new_site(dynamic, CALL_UNKNOWN_BOOTSTRAP);
    if (resolve_handle(scanner, dynamic->bootstrap->method, &kind, &owner, &method) &&
        method != PROGRAM_NONE) {
        handle_initializes(scanner, dynamic->instruction, dynamic->constant, kind, method);
        site.method = method;
        site.targets = CALL_ONE_TARGET | method;
    }
    call_scan_add(scanner, site);
    struct call_lambda lambda = {.interface = PROGRAM_NONE};
    for (uint16_t i = 0; i < dynamic->bootstrap->argument_count; i++)
        if (argument_is(dynamic, i, CONSTANT_METHOD_HANDLE))
            add_lambda(scanner, dynamic->instruction, dynamic->constant,
                       dynamic->bootstrap->arguments[i], &lambda);
}

static enum bootstrap_effect effect_of(const struct dynamic *dynamic)
{
    const struct constant *handle = &dynamic->class_file->constants[dynamic->bootstrap->method];
    if (handle->reference_kind < REFERENCE_INVOKE_VIRTUAL)
        return BOOTSTRAP_UNKNOWN;
    struct member_reference method = class_member_reference(dynamic->class_file, handle->first);
    for (size_t i = 0; i < sizeof known_bootstraps / sizeof *known_bootstraps; i++)
        if (text_is(method.owner, known_bootstraps[i].class_name) &&
            (!known_bootstraps[i].method[0] || text_is(method.name, known_bootstraps[i].method)))
            return known_bootstraps[i].effect;
    return BOOTSTRAP_UNKNOWN;
}

void call_scan_dynamic(struct call_scanner *scanner, uint32_t instruction, uint16_t constant)
{
    const struct class_file *class_file = scanner->class_file;
    struct member_reference reference = class_member_reference(class_file, constant);
    struct dynamic dynamic = {.scanner = scanner,
                              .class_file = class_file,
                              .instruction = instruction,
                              .constant = constant,
                              .name = reference.name,
                              .descriptor = reference.descriptor};
    const struct attribute *attribute =
        attributes_find(&class_file->attributes, ATTRIBUTE_BOOTSTRAP_METHODS);
    uint16_t number = class_file->constants[constant].first;
    if (!attribute || number >= attribute->as.bootstrap_methods->count) {
        call_scan_add(scanner, new_site(&dynamic, CALL_UNKNOWN_BOOTSTRAP));
        return;
    }
    dynamic.bootstrap = &attribute->as.bootstrap_methods->items[number];
    switch (effect_of(&dynamic)) {
    case BOOTSTRAP_LAMBDA:
        scan_lambda(&dynamic);
        break;
    case BOOTSTRAP_TO_STRING:
        scan_to_string(&dynamic);
        break;
    case BOOTSTRAP_COMPONENTS:
        scan_components(&dynamic);
        break;
    case BOOTSTRAP_CALL:
        scan_called_handle(&dynamic);
        break;
    case BOOTSTRAP_NOTHING:
        break;
    case BOOTSTRAP_UNKNOWN:
        scan_unknown(&dynamic);
        break;
    }
}
