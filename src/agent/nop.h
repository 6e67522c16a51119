/*
 * nop: rewriting that does nothing, at every place where checks can be inserted.
 */
#ifndef TURNSTILE_AGENT_NOP_H
#define TURNSTILE_AGENT_NOP_H

#include "rewrite/class_rewriter.h"

/* `left` is told what stays as it was. */
enum class_rewritten nop_rewrite(struct class_rewriter *rewriter, const void *bytes, size_t size,
                                 void (*left)(void *context, const struct class_file *class_file,
                                              const struct member *method, enum class_left reason,
                                              const struct problem *problem),
                                 struct problem *problem);

/* How many classes were rewritten. */
uint64_t nop_count(void);

#endif
