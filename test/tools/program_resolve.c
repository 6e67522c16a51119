/*
 * program_resolve [--platform HOME] QUERIES PATH...: answers the queries of ResolveOracle.java, one
 * a line, about the program in the paths. What stands behind the equals sign of a query is ignored;
 * the line is printed with our answer in its place.
 */
#include <stdio.h>
#include <string.h>

#include "program/program.h"
#include "program/resolve.h"
#include "tools.h"

enum { MOST_WORDS = 8 };

static unsigned split(char *line, char **words)
{
    unsigned count = 0;
    for (char *word = strtok(line, " \n"); word && count < MOST_WORDS; word = strtok(NULL, " \n"))
        words[count++] = word;
    return count;
}

static uint32_t resolve_method(const struct program *program, uint32_t class_id, char **words)
{
    uint32_t selector = program_find_selector(program, text_from(words[2]), text_from(words[3]));
    if (class_id == PROGRAM_NONE)
        return PROGRAM_NONE;
    return program->classes[class_id].access & ACCESS_INTERFACE
               ? resolve_interface_method(program, class_id, selector).id
               : resolve_class_method(program, class_id, selector, text_from(words[2])).id;
}

static void answer(const struct program *program, char **words)
{
    uint32_t class_id = program_find_class(program, text_from(words[1]));
    uint32_t owner = PROGRAM_NONE;
    if (strcmp(words[0], "field") == 0) {
        uint32_t field =
            resolve_field(program, class_id,
                          program_find_selector(program, text_from(words[2]), text_from(words[3])))
                .id;
        if (field != PROGRAM_NONE)
            owner = program->fields[field].class_id;
    } else {
        uint32_t method = resolve_method(program, class_id, words);
        if (strcmp(words[0], "select") == 0 && method != PROGRAM_NONE) {
            method =
                resolve_select(program, program_find_class(program, text_from(words[4])), method);
            if (method != PROGRAM_NONE && program->methods[method].access & ACCESS_ABSTRACT)
                method = PROGRAM_NONE;
        }
        if (method != PROGRAM_NONE)
            owner = program->methods[method].class_id;
    }
    struct text name = owner == PROGRAM_NONE ? TEXT("error") : program->classes[owner].name;
    printf("= %.*s\n", TEXT_ARGUMENTS(name));
}

int tool_program_resolve(int count, char **arguments)
{
    struct program_options options = {0};
    struct diagnostics diagnostics;
    struct problem problem;
    struct program program;
    int first = 1;
    if (count > 2 && strcmp(arguments[1], "--platform") == 0) {
        options.platform = arguments[2];
        first = 3;
    }
    if (count < first + 2)
        return 2;
    problem_clear(&problem);
    diagnostics_init(&diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
    FILE *queries = fopen(arguments[first], "r");
    bool ok = queries && program_init(&program, &options, &diagnostics, &problem);
    for (int i = first + 1; ok && i < count; i++)
        ok = program_add_path(&program, arguments[i], &diagnostics, &problem);
    ok = ok && program_link(&program, &diagnostics, &problem);
    if (!ok) {
        fprintf(stderr, "program_resolve: %s\n", problem.set ? problem.reason : "failed");
        return 2;
    }
    char line[8192];
    while (fgets(line, sizeof line, queries)) {
        char *words[MOST_WORDS];
        char *end = strstr(line, " =");
        if (!end)
            continue;
        fwrite(line, 1, (size_t)(end - line) + 1, stdout);
        *end = 0;
        if (split(line, words) >= 4)
            answer(&program, words);
    }
    fclose(queries);
    program_release(&program);
    diagnostics_release(&diagnostics);
    return 0;
}
