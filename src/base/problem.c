#include "base/problem.h"

#include <stdio.h>

void problem_clear(struct problem *problem)
{
    problem->set = false;
    problem->offset = PROBLEM_NO_OFFSET;
    problem->reason[0] = '\0';
}

void problem_set_list(struct problem *problem, size_t offset, const char *format, va_list arguments)
{
    if (problem->set)
        return;
    problem->set = true;
    problem->offset = offset;
    vsnprintf(problem->reason, sizeof problem->reason, format, arguments);
}

void problem_set(struct problem *problem, size_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    problem_set_list(problem, offset, format, arguments);
    va_end(arguments);
}
