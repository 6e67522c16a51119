/*
 * telling: accesses whose checks matter only to a thread that tells all it does.
 *
 * Races are found with fewer checks than there are accesses (repeats.h, batches.h). Where samples
 * of a run are taken (`sampled`), a thread that is part of one must tell every access, in its
 * place. So the method has a local that says whether its thread tells, and code for either:
 *
 *     if (telling == 0) { what is planned for races } else { check(object) }
 *
 * In a loop whose flag says that a check was made, it never does so if the thread tells.
 *
 * A thread begins to tell, and ends, where an atomic block begins or ends. So the local is set when
 * the method begins, behind the mark of its own block, and behind the marks of blocks in it. A call
 * leaves things as they were, but for a thread that has told enough and stops in the middle: then
 * it makes more checks than it needs.
 */
#ifndef TURNSTILE_INSTRUMENT_TELLING_H
#define TURNSTILE_INSTRUMENT_TELLING_H

#include "instrument/instrument_internal.h"

/* After batches_begin: the local, if there are accesses that need it. False if memory ran out. */
bool telling_begin(struct instrument_method *method);

/* Behind the mark of a block. */
void telling_refresh(const struct instrument_method *method, struct snippet *snippet);

/* Whether what is planned for races at this instruction is not a check of that access alone, or one
   that stands for it in a loop. */
bool telling_differs(const struct instrument_method *method, uint32_t instruction);

/* On the stack: the flag of a loop (repeats.h), which becomes 0 if the thread tells. */
void telling_clear(const struct instrument_method *method, struct snippet *snippet);

/* Goes to the label if the thread tells, or if it does not. */
void telling_branch(const struct instrument_method *method, struct snippet *snippet, bool tells,
                    snippet_label to);

#endif
