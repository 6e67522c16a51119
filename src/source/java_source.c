#include "source/java_source.h"

#include "base/builder.h"
#include "source/java_source_internal.h"

/* ---- brackets ---- */

struct bracket_stack {
    VECTOR(uint32_t) open;   /* tokens */
    VECTOR(uint32_t) blocks; /* numbers of those that are open */
    uint32_t brace_count;    /* braces among the open ones */
};

static void open_bracket(struct java_source *source, struct bracket_stack *stack, uint32_t token,
                         char symbol)
{
    if (!vector_push(&stack->open, token)) {
        source->failed = true;
        return;
    }
    if (symbol != '{')
        return;
    stack->brace_count++;
    struct java_block block = {.open = token,
                               .close = (uint32_t)source->tokens.tokens.count - 1,
                               .parent =
                                   stack->blocks.count ? vector_last(&stack->blocks) : JAVA_NONE};
    if (!vector_push(&source->blocks, block) ||
        !vector_push(&stack->blocks, (uint32_t)source->blocks.count - 1))
        source->failed = true;
}

static void pair(struct java_source *source, uint32_t open, uint32_t close)
{
    source->matches[open] = close;
    source->matches[close] = open;
}

/* A brace closes over whatever else was left open; the others close only their own kind. */
static void close_brace(struct java_source *source, struct bracket_stack *stack, uint32_t token)
{
    if (stack->brace_count == 0)
        return;
    uint32_t open;
    do {
        open = vector_pop(&stack->open);
    } while (!java_token_is_symbol(&source->tokens, open, '{'));
    stack->brace_count--;
    pair(source, open, token);
    source->blocks.items[vector_pop(&stack->blocks)].close = token;
}

static void close_bracket(struct java_source *source, struct bracket_stack *stack, uint32_t token,
                          char opening)
{
    if (stack->open.count &&
        java_token_is_symbol(&source->tokens, vector_last(&stack->open), opening))
        pair(source, vector_pop(&stack->open), token);
}

/* Braces that are never closed reach to the end of the file. */
static void find_brackets(struct java_source *source)
{
    struct bracket_stack stack = {.brace_count = 0};
    uint32_t count = (uint32_t)source->tokens.tokens.count;
    for (uint32_t i = 0; i < count; i++)
        source->matches[i] = JAVA_NONE;
    for (uint32_t i = 0; i < count && !source->failed; i++) {
        char symbol = source->tokens.tokens.items[i].symbol;
        if (symbol == '{' || symbol == '(' || symbol == '[')
            open_bracket(source, &stack, i, symbol);
        else if (symbol == '}')
            close_brace(source, &stack, i);
        else if (symbol == ')' || symbol == ']')
            close_bracket(source, &stack, i, symbol == ')' ? '(' : '[');
    }
    for (size_t i = 0; i < stack.open.count; i++)
        if (java_token_is_symbol(&source->tokens, stack.open.items[i], '{'))
            source->matches[stack.open.items[i]] = count - 1;
    vector_release(&stack.open);
    vector_release(&stack.blocks);
}

uint32_t java_source_block_at(const struct java_source *source, uint32_t token)
{
    size_t low = 0, high = source->blocks.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->blocks.items[middle].open < token)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t block = low ? (uint32_t)low - 1 : JAVA_NONE;
    while (block != JAVA_NONE && source->blocks.items[block].close < token)
        block = source->blocks.items[block].parent;
    return block;
}

/* ---- names ---- */

static struct text join(struct java_source *source, struct text first, char separator,
                        struct text second)
{
    if (first.length == 0)
        return second;
    char *bytes = arena_allocate(&source->arena, first.length + second.length + 2, 1);
    if (!bytes) {
        source->failed = true;
        return TEXT("");
    }
    memcpy(bytes, first.bytes, first.length);
    bytes[first.length] = separator;
    if (second.length)
        memcpy(bytes + first.length + 1, second.bytes, second.length);
    bytes[first.length + 1 + second.length] = '\0';
    return text_of(bytes, first.length + 1 + second.length);
}

static void name_class(struct java_source *source, struct java_class *class)
{
    class->binary_name = TEXT("");
    if (class->local || class->name.length == 0)
        return;
    if (class->outer == JAVA_NONE)
        class->binary_name = join(source, source->package, '/', class->name);
    else if (source->classes.items[class->outer].binary_name.length)
        class->binary_name =
            join(source, source->classes.items[class->outer].binary_name, '$', class->name);
}

/* Outer classes come before inner ones, but for the implicit one, of which the file's other classes
   are members. */
static void name_classes(struct java_source *source, uint32_t implicit)
{
    if (implicit != JAVA_NONE)
        name_class(source, &source->classes.items[implicit]);
    for (uint32_t i = 0; i < source->classes.count; i++) {
        struct java_class *class = &source->classes.items[i];
        if (i == implicit)
            continue;
        if (class->outer == JAVA_NONE)
            class->outer = implicit;
        name_class(source, class);
    }
}

/* ---- type variables ---- */

/* The variable of that name, from the inside to the outside, or NULL. */
static const struct java_parameter *find_variable(const struct java_source *source,
                                                  uint32_t class_number, uint32_t method,
                                                  struct text name)
{
    while (class_number != JAVA_NONE || method != JAVA_NONE) {
        const struct java_parameter *variables;
        uint32_t count;
        if (method != JAVA_NONE) {
            variables = source->methods.items[method].variables;
            count = source->methods.items[method].variable_count;
            method = JAVA_NONE;
        } else {
            const struct java_class *around = &source->classes.items[class_number];
            variables = around->variables;
            count = around->variable_count;
            class_number = around->outer;
            method = around->method;
        }
        for (uint32_t i = 0; i < count; i++)
            if (text_equal(variables[i].name, name))
                return &variables[i];
    }
    return NULL;
}

struct text java_source_erase(const struct java_source *source, uint32_t class_number,
                              uint32_t method, struct text name)
{
    /* A bound may be another variable; a circle of them is no Java. */
    for (unsigned i = 0; i < 8; i++) {
        if (text_find(name, '.') >= 0)
            return name;
        const struct java_parameter *variable = find_variable(source, class_number, method, name);
        if (!variable)
            return name;
        if (variable->type.first == variable->type.end)
            return TEXT("java.lang.Object");
        name = variable->type.name;
    }
    return name;
}

/* ---- all ---- */

bool java_source_read(struct java_source *source, struct text text, struct text file_name)
{
    *source = (struct java_source){.package = TEXT("")};
    arena_init(&source->arena);
    if (!java_tokens_read(&source->tokens, text)) {
        source->failed = true;
        return false;
    }
    size_t count = source->tokens.tokens.count;
    source->matches = ARENA_ARRAY(&source->arena, uint32_t, count);
    source->owners = arena_allocate_zeroed(&source->arena, count * sizeof *source->owners,
                                           alignof(struct java_owner));
    if (!source->matches || !source->owners) {
        source->failed = true;
        return false;
    }
    find_brackets(source);
    struct java_parser parser = {.source = source,
                                 .tokens = &source->tokens,
                                 .class_number = JAVA_NONE,
                                 .method = JAVA_NONE,
                                 .implicit = JAVA_NONE,
                                 .file_name = file_name};
    if (!source->failed)
        java_read_file(&parser);
    if (!source->failed)
        name_classes(source, parser.implicit);
    return !source->failed;
}

void java_source_release(struct java_source *source)
{
    java_tokens_release(&source->tokens);
    vector_release(&source->imports);
    vector_release(&source->classes);
    vector_release(&source->fields);
    vector_release(&source->methods);
    vector_release(&source->blocks);
    arena_release(&source->arena);
}
