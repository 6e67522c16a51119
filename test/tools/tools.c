/*
 * tools NAME ARGUMENT...: runs one of the tools in tools.def.
 */
#include "tools.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argument_count, char **arguments);
} tools[] = {
#define TOOL(name) {#name, tool_##name},
#include "tools.def"
#undef TOOL
};

int main(int argument_count, char **arguments)
{
    for (size_t i = 0; argument_count > 1 && i < sizeof tools / sizeof tools[0]; i++)
        if (strcmp(arguments[1], tools[i].name) == 0)
            return tools[i].run(argument_count - 1, arguments + 1);
    fputs("usage: tools NAME ARGUMENT..., with one of these names:\n", stderr);
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
        fprintf(stderr, "  %s\n", tools[i].name);
    return 2;
}
