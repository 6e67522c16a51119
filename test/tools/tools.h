/*
 * What the system tests run besides the command itself: one program, so that it is linked once.
 * Each tool is a file, named like the tool, with a main of its own.
 */
#ifndef TURNSTILE_TEST_TOOLS_H
#define TURNSTILE_TEST_TOOLS_H

#define TOOL(name) int tool_##name(int argument_count, char **arguments);
#include "tools.def"
#undef TOOL

#endif
