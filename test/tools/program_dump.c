/*
 * program_dump [--platform HOME] PATH...: the call graph of a program as text.
 */
#include <stdio.h>
#include <string.h>

#include "program/dump_call_graph.h"

int main(int count, char **arguments)
{
    struct program_options options = {0};
    struct dump_call_graph_options dump_options = {0};
    struct diagnostics diagnostics;
    struct problem problem;
    struct program program;
    int first = 1;
    if (count > 2 && strcmp(arguments[1], "--platform") == 0) {
        options.platform = arguments[2];
        first = 3;
    }
    problem_clear(&problem);
    diagnostics_init(&diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
    bool ok = program_init(&program, &options, &diagnostics, &problem);
    for (int i = first; ok && i < count; i++)
        ok = program_add_path(&program, arguments[i], &diagnostics, &problem);
    ok = ok && program_link(&program, &diagnostics, &problem) &&
         program_dump_call_graph(&program, &dump_options, stdout, &diagnostics, &problem);
    if (problem.set)
        fprintf(stderr, "program_dump: %s\n", problem.reason);
    program_release(&program);
    diagnostics_release(&diagnostics);
    return ok ? 0 : 2;
}
