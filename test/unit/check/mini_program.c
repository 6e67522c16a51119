#include "check/mini_program.h"

static const char *const class_names[] = {"A", "B", "C", "D", "E", "F", "G", "H", "I"};

unsigned mini_path_type(const struct mini_program *program, const uint8_t *types,
                        const struct mini_path *path)
{
    if (path->count)
        return mini_field_of(program, path->steps[path->count - 1])->type;
    return path->base == MINI_LOCAL ? types[path->number] : MINI_OBJECT;
}

bool mini_is_subclass(const struct mini_program *program, unsigned class, unsigned of)
{
    while (mini_is_class(class) && class != of)
        class = program->classes[class].superclass;
    return class == of;
}

bool mini_path_equal(const struct mini_path *one, const struct mini_path *other)
{
    bool equal =
        one->base == other->base && one->number == other->number && one->count == other->count;
    for (unsigned i = 0; equal && i < one->count; i++)
        equal = one->steps[i].class == other->steps[i].class &&
                one->steps[i].field == other->steps[i].field;
    return equal;
}

bool mini_path_substitute(const struct mini_path *path, const struct mini_path *self,
                          const struct mini_path *arguments, struct mini_path *result)
{
    if (path->base != MINI_LOCAL) {
        *result = *path;
        return path->base != MINI_GHOST;
    }
    *result = path->number ? arguments[path->number] : *self;
    if (result->base == MINI_NULL || result->count + path->count > MINI_STEPS)
        return false;
    for (unsigned i = 0; i < path->count; i++)
        result->steps[result->count++] = path->steps[i];
    return true;
}

const char *mini_class_name(const struct mini_program *program, unsigned class)
{
    return program->classes[class].is_main ? "Main" : class_names[class];
}

const char *mini_type_name(const struct mini_program *program, unsigned type)
{
    switch (type) {
    case MINI_INT:
        return "int";
    case MINI_OBJECT:
        return "Object";
    case MINI_MUTEX:
        return "ReentrantLock";
    case MINI_READ_WRITE:
        return "ReentrantReadWriteLock";
    case MINI_VOID:
        return "void";
    default:
        return mini_class_name(program, type);
    }
}

/* ---- printing ---- */

void mini_path_print(const struct mini_program *program, const struct mini_path *path,
                     struct builder *to)
{
    switch (path->base) {
    case MINI_NULL:
        builder_add_string(to, "null");
        return;
    case MINI_GHOST:
        builder_add_string(to, "g");
        return;
    case MINI_CLASS:
        builder_add_format(to, "p.%s.class", mini_class_name(program, path->number));
        return;
    case MINI_STATIC:
        builder_add_format(to, "p.%s", mini_class_name(program, path->number));
        break;
    default:
        if (path->number)
            builder_add_format(to, "v%u", path->number);
        else
            builder_add_string(to, "this");
    }
    for (unsigned i = 0; i < path->count; i++)
        builder_add_format(to, ".f%u_%u", path->steps[i].class, path->steps[i].field);
}

static void print_locks(const struct mini_program *program, const char *word,
                        const struct mini_path *locks, unsigned count, struct builder *to)
{
    for (unsigned i = 0; i < count; i++) {
        builder_add_string(to, i ? ", " : word);
        mini_path_print(program, &locks[i], to);
    }
}

static void print_owner(const struct mini_program *program, bool owned,
                        const struct mini_path *owner, struct builder *to)
{
    if (!owned)
        return;
    builder_add_string(to, "<");
    mini_path_print(program, owner, to);
    builder_add_string(to, ">");
}

static void print_type(const struct mini_program *program, unsigned type, struct builder *to)
{
    if (mini_is_class(type))
        builder_add_string(to, "p.");
    else if (type == MINI_MUTEX || type == MINI_READ_WRITE)
        builder_add_string(to, "java.util.concurrent.locks.");
    else if (type == MINI_OBJECT)
        builder_add_string(to, "java.lang.");
    builder_add_string(to, mini_type_name(program, type));
}

static void print_field(const struct mini_program *program, unsigned class, unsigned number,
                        struct builder *to)
{
    static const char *const words[] = {"", " guarded_by ", " write_guarded_by "};
    const struct mini_field *field = &program->classes[class].fields[number];
    builder_add_format(to, "    %s%s%s", field->is_static ? "static " : "",
                       field->is_final ? "final " : "", field->is_volatile ? "volatile " : "");
    print_type(program, field->type, to);
    print_owner(program, field->owned, &field->owner, to);
    builder_add_format(to, " f%u_%u", class, number);
    print_locks(program, words[field->guard], field->locks, field->lock_count, to);
    builder_add_string(to, ";\n");
}

/* Without the end of the line. */
static void print_method(const struct mini_program *program, unsigned class,
                         const struct mini_method *method, struct builder *to)
{
    builder_add_format(to, "    %s%s%s", method->is_private ? "private " : "public ",
                       method->is_static ? "static " : "",
                       method->is_synchronized ? "synchronized " : "");
    if (method->is_constructor) {
        builder_add_string(to, mini_class_name(program, class));
    } else {
        print_type(program, method->result, to);
        if (method->is_run || method->is_main)
            builder_add_string(to, method->is_run ? " run" : " main");
        else
            builder_add_format(to, " m%u", method->name);
    }
    builder_add_string(to, "(");
    if (method->is_main)
        builder_add_string(to, "java.lang.String[] v0");
    for (unsigned i = 1; i < method->parameter_count; i++) {
        builder_add_string(to, i > 1 ? ", " : "");
        print_type(program, method->types[i], to);
        print_owner(program, method->owned[i], &method->owners[i], to);
        builder_add_format(to, " v%u", i);
    }
    builder_add_string(to, ")");
    print_locks(program, " requires ", method->requires, method->require_count, to);
}

static void print_class(const struct mini_program *program, unsigned class, struct builder *to)
{
    const struct mini_class *it = &program->classes[class];
    builder_add_format(to, "class p.%s%s", mini_class_name(program, class),
                       it->has_formal ? "<ghost java.lang.Object g>" : "");
    if (it->superclass != MINI_OBJECT)
        builder_add_format(to, " extends p.%s", mini_class_name(program, it->superclass));
    builder_add_string(to, " {\n");
}

void mini_locks_print(const struct mini_program *program, struct builder *to)
{
    for (unsigned class = 0; class < program->class_count; class ++) {
        const struct mini_class *it = &program->classes[class];
        print_class(program, class, to);
        for (unsigned i = 0; i < it->field_count; i++)
            print_field(program, class, i, to);
        for (unsigned i = 0; i < it->method_count; i++) {
            print_method(program, class, &it->methods[i], to);
            builder_add_string(to, ";\n");
        }
        builder_add_string(to, "}\n");
    }
}

/* ---- statements ---- */

struct printer {
    const struct mini_program *program;
    struct builder *to;
};

static void print_block(struct printer *printer, uint16_t first, unsigned depth);

static void indent(struct printer *printer, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        builder_add_string(printer->to, "    ");
}

static void print_arguments(struct printer *printer, const struct mini_statement *statement)
{
    builder_add_string(printer->to, "(");
    for (unsigned i = 0; i < statement->argument_count; i++) {
        builder_add_string(printer->to, i ? ", " : "");
        mini_path_print(printer->program, &statement->arguments[i], printer->to);
    }
    builder_add_string(printer->to, ");\n");
}

static void print_access(struct printer *printer, const struct mini_statement *statement)
{
    if (statement->kind == MINI_READ)
        builder_add_string(printer->to, "read ");
    mini_path_print(printer->program, &statement->path, printer->to);
    builder_add_format(printer->to, ".f%u_%u", statement->member.class, statement->member.field);
    if (statement->kind == MINI_WRITE)
        builder_add_string(printer->to, " = 1");
    if (statement->kind == MINI_STORE) {
        builder_add_string(printer->to, " = ");
        mini_path_print(printer->program, &statement->value, printer->to);
    }
    builder_add_string(printer->to, ";\n");
}

static void print_call(struct printer *printer, const struct mini_statement *statement)
{
    const struct mini_method *method = mini_method_of(printer->program, statement->member);
    if (method->result != MINI_VOID)
        builder_add_format(printer->to, "v%u = ", statement->local);
    if (method->is_static)
        builder_add_format(printer->to, "p.%s",
                           mini_class_name(printer->program, statement->member.class));
    else
        mini_path_print(printer->program, &statement->path, printer->to);
    builder_add_format(printer->to, ".m%u", method->name);
    print_arguments(printer, statement);
}

/* What stands before a block: "if (chance)". */
static void print_head(struct printer *printer, const struct mini_statement *statement)
{
    static const char *const before[] = {[MINI_SYNCHRONIZED] = "synchronized (",
                                         [MINI_LOCKED] = "locked (",
                                         [MINI_FINALLY] = "locked, finally (",
                                         [MINI_TRY_LOCK] = "if tryLock (",
                                         [MINI_IF] = "if (chance",
                                         [MINI_IF_NULL] = "if (null == ",
                                         [MINI_IF_SAME] = "if (",
                                         [MINI_WHILE] = "while (chance",
                                         [MINI_TRY] = "try ("};
    builder_add_string(printer->to, before[statement->kind]);
    if (statement->kind != MINI_IF && statement->kind != MINI_WHILE && statement->kind != MINI_TRY)
        mini_path_print(printer->program, &statement->path, printer->to);
    if (statement->kind == MINI_IF_SAME) {
        builder_add_string(printer->to, " == ");
        mini_path_print(printer->program, &statement->value, printer->to);
    }
    builder_add_format(printer->to, "%s) {\n", statement->shared ? ", for reading" : "");
}

static void print_simple(struct printer *printer, const struct mini_statement *statement)
{
    static const char *const words[] = {
        [MINI_LOCK] = "lock",         [MINI_UNLOCK] = "unlock", [MINI_BREAK] = "break",
        [MINI_CONTINUE] = "continue", [MINI_RETURN] = "return", [MINI_THROW] = "throw",
        [MINI_START] = "start thread"};
    builder_add_string(printer->to, words[statement->kind]);
    if (statement->kind == MINI_LOCK || statement->kind == MINI_UNLOCK ||
        statement->kind == MINI_START) {
        builder_add_string(printer->to, " ");
        mini_path_print(printer->program, &statement->path, printer->to);
    }
    builder_add_format(printer->to, "%s;\n", statement->shared ? " for reading" : "");
}

static void print_statement(struct printer *printer, const struct mini_statement *statement,
                            unsigned depth)
{
    indent(printer, depth);
    switch (statement->kind) {
    case MINI_READ:
    case MINI_WRITE:
    case MINI_STORE:
        print_access(printer, statement);
        return;
    case MINI_ASSIGN:
        builder_add_format(printer->to, "v%u = ", statement->local);
        mini_path_print(printer->program, &statement->value, printer->to);
        builder_add_string(printer->to, ";\n");
        return;
    case MINI_NEW:
        builder_add_format(printer->to, "v%u = new %s", statement->local,
                           mini_class_name(printer->program, statement->member.class));
        print_arguments(printer, statement);
        return;
    case MINI_CALL:
        print_call(printer, statement);
        return;
    case MINI_LOCK:
    case MINI_UNLOCK:
    case MINI_BREAK:
    case MINI_CONTINUE:
    case MINI_RETURN:
    case MINI_THROW:
    case MINI_START:
        print_simple(printer, statement);
        return;
    default:
        break;
    }
    print_head(printer, statement);
    print_block(printer, statement->body, depth + 1);
    if (statement->other) {
        indent(printer, depth);
        builder_add_string(printer->to, "} else {\n");
        print_block(printer, statement->other, depth + 1);
    }
    indent(printer, depth);
    builder_add_string(printer->to, "}\n");
}

static void print_block(struct printer *printer, uint16_t first, unsigned depth)
{
    for (uint16_t i = first; i; i = printer->program->statements[i].next)
        print_statement(printer, &printer->program->statements[i], depth);
}

void mini_program_print(const struct mini_program *program, struct builder *to)
{
    struct printer printer = {program, to};
    for (unsigned class = 0; class < program->class_count; class ++) {
        const struct mini_class *it = &program->classes[class];
        print_class(program, class, to);
        for (unsigned i = 0; i < it->field_count; i++)
            print_field(program, class, i, to);
        for (unsigned i = 0; i < it->method_count; i++) {
            print_method(program, class, &it->methods[i], to);
            builder_add_string(to, " {\n");
            print_block(&printer, it->methods[i].body, 2);
            if (it->methods[i].result != MINI_VOID) {
                builder_add_string(to, "        return ");
                mini_path_print(program, &it->methods[i].returned, to);
                builder_add_string(to, ";\n");
            }
            builder_add_string(to, "    }\n");
        }
        builder_add_string(to, "}\n");
    }
}
