/*
 * report_text_internal: the parts of the text report that know colours, places and stacks, for the
 * part that knows findings.
 */
#ifndef TURNSTILE_REPORT_REPORT_TEXT_INTERNAL_H
#define TURNSTILE_REPORT_REPORT_TEXT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/builder.h"
#include "base/finding.h"
#include "base/text.h"

struct printer {
    struct builder *to;
    bool color;
};

enum style { STYLE_ERROR, STYLE_WARNING, STYLE_MILD, STYLE_STRONG, STYLE_FAINT };

/* Nothing without colour. Styles do not nest. */
void printer_begin(const struct printer *printer, enum style style);
void printer_end(const struct printer *printer);

void printer_indent(const struct printer *printer, unsigned indent);
void printer_text(const struct printer *printer, struct text text);

/* With commas between them. */
void printer_texts(const struct printer *printer, const struct text *texts, size_t count);

/* "Account.java:11"; without the line when it is 0. */
void printer_place(const struct printer *printer, struct text file, uint32_t line);

/* Where a stack ends, as short as it can be said. */
void printer_stack_top(const struct printer *printer, const struct finding_stack *stack);

/* Every stack of a finding with an empty line before it, and where its thread was started. */
void printer_stacks(const struct printer *printer, unsigned indent, const struct finding *finding);

#endif
