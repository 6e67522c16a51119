/* Any bytes as an archive: list what is in it, and inflate all of it. */
#include <stdio.h>
#include <stdlib.h>

#include "classfile/jar.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { ENTRY_LIMIT = 1 << 20 }; /* large entries only cost time here */

static void read_entries(struct jar *jar, struct jar_budget *budget)
{
    struct problem problem;
    problem_clear(&problem);
    struct jar_reader reader;
    if (jar_reader_init(&reader, jar, &problem)) {
        for (size_t i = 0; i < jar->entries.count; i++) {
            problem_clear(&problem);
            if (!jar_reader_read(&reader, &jar->entries.items[i], ENTRY_LIMIT, budget, &problem) &&
                !problem.set)
                abort();
        }
        jar_reader_release(&reader);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere)
        abort();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, nowhere, DIAGNOSTICS_COLOR_NEVER);
    struct jar_budget budget;
    jar_budget_init(&budget, size);
    struct jar_options options = {.release = 17,
                                  .all_versions = size % 2 == 0,
                                  .where = TEXT("fuzz.jar"),
                                  .diagnostics = &diagnostics,
                                  .budget = &budget};
    struct problem problem;
    problem_clear(&problem);
    struct jar jar;
    if (jar_open(&jar, bytes, size, &options, &problem)) {
        read_entries(&jar, &budget);
        jar_close(&jar);
    } else if (!problem.set) {
        abort();
    }
    diagnostics_release(&diagnostics);
    fclose(nowhere);
    return 0;
}
