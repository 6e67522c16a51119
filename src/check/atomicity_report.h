/*
 * atomicity_report: methods that should be atomic and are not.
 *
 * A declared atomicity must not promise more than what is inferred. With EXPECT_EXPORTED also
 * methods that others can call, and synchronized methods and blocks, are expected to be atomic
 * wherever they are called; main, run and initializers are not.
 */
#ifndef TURNSTILE_CHECK_ATOMICITY_REPORT_H
#define TURNSTILE_CHECK_ATOMICITY_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/finding.h"
#include "check/atomicity_inference.h"

enum expect_atomic { EXPECT_DECLARED, EXPECT_EXPORTED, EXPECT_NONE };

struct atomicity_counts {
    uint32_t methods;  /* with code */
    uint32_t atomic;   /* of these, at all call sites */
    uint32_t warnings; /* of methods that are expected to be, without clusters */
    uint32_t clusters;
    uint32_t reported; /* with clusters */
};

/* `all`: every warning, not only the lowest of each cluster. False with the problem set when there
   is no memory. */
bool atomicity_report(struct atomicity_inference *inference, enum expect_atomic expect, bool all,
                      struct finding_list *findings, struct atomicity_counts *counts,
                      struct problem *problem);

#endif
