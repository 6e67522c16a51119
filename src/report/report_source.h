/*
 * report_source: findings about source code, as a compiler prints them.
 *
 *     src/bank/Account.java:11: guard-not-held (declared): Account.balance is written without
 *     `this`, which guards it.
 *        11 |         balance += amount;
 *           |         ^
 *       in Account.deposit, holding other.mu (taken at line 10)
 *       help: Hold the lock that the field is guarded by, or let the method require it.
 *
 *     turnstile: 1 warning (1 guard-not-held)
 *
 * The surest come first: what is declared, what was inferred, defaults, and beliefs by how much
 * speaks for them; then by file and line. The source line is shown where a file is found for it,
 * with a caret under the member's name if it stands there. Help is given once for each rule.
 */
#ifndef TURNSTILE_REPORT_REPORT_SOURCE_H
#define TURNSTILE_REPORT_REPORT_SOURCE_H

#include <stdbool.h>

#include "base/builder.h"
#include "report/report.h"

/* Where Java source files are: `count` folders, each with the folders of packages in it, or just
   the files. */
struct report_sources {
    const char *const *folders;
    size_t count;
};

/* False when memory ran out. */
bool report_source_write(const struct report *report, const struct report_sources *sources,
                         bool color, struct builder *to);

#endif
