/*
 * report_text: findings for people.
 *
 *     race (observed): Account.balance at Account.java:11
 *       Two threads access Account.balance at once, and at least one of them writes.
 *
 *       write by thread "monday", holding no lock
 *         at Account.deposit(Account.java:11)
 *         at Bank$Clerk.run(Bank.java:27)
 *         thread "monday" started at Bank.main(Bank.java:41)
 *
 *       read by thread "friday", holding Account@1b28cdfa
 *         at Account.withdraw(Account.java:15)
 *         ...
 *
 *       help: Let every access hold one common lock, or ...
 *       seen 12 times
 *
 *     turnstile: 1 race (1 observed)
 *
 * What readers can rely on: a finding is named by its first line, the only lines that are not
 * indented are first lines and what stands at the end (statistics and the summary), and the summary
 * is the last line. Frames look as in a Java stack trace, so that editors make links of them.
 *
 * The strongest findings come first: observed, predicted, discipline; then by file, class and line.
 * Findings about the same member stand under one first line, because they are most likely one
 * mistake; they are numbered, and counted one by one. Blocks that are broken at the same places are
 * told once (report_fold.h).
 */
#ifndef TURNSTILE_REPORT_REPORT_TEXT_H
#define TURNSTILE_REPORT_REPORT_TEXT_H

#include <stdbool.h>

#include "base/builder.h"
#include "report/report.h"

/* More frames than this become "... N more". */
#define REPORT_TEXT_FRAMES 12

/* False when memory ran out. */
bool report_text_write(const struct report *report, bool color, struct builder *to);

/* Only the last line: "turnstile: 2 races (1 observed, 1 predicted), 1 warning". */
bool report_text_write_summary(const struct report *report, bool color, struct builder *to);

#endif
