/*
 * report_json: findings for programs.
 *
 * One JSON object, in the form that docs/reports.md describes and keeps stable:
 *
 *     { "tool": "turnstile", "version": "0.1.0", "command": "run",
 *       "findings": [ { "rule": "race", "grade": "observed", ... } ],
 *       "summary": { "findings": 1, "races": 1, ... },
 *       "stats": { ... } }
 *
 * Invariants: the output is one valid JSON text in valid UTF-8 with a line end behind it, whatever
 * the names are. What does not apply or is not known is left out; lists are always there, and an
 * empty one means none (a stack without locks held none). The keys stand in a fixed order.
 */
#ifndef TURNSTILE_REPORT_REPORT_JSON_H
#define TURNSTILE_REPORT_REPORT_JSON_H

#include <stdbool.h>

#include "base/builder.h"
#include "report/report.h"

/* False when memory ran out. */
bool report_json_write(const struct report *report, struct builder *to);

#endif
