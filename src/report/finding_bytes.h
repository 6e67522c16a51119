/*
 * finding_bytes: one finding as bytes, and back.
 *
 * For a process that tells another what it found. The bytes are read by the version that wrote
 * them, so they have no version; but they may be cut off or damaged, which is found out.
 */
#ifndef TURNSTILE_REPORT_FINDING_BYTES_H
#define TURNSTILE_REPORT_FINDING_BYTES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/finding.h"
#include "base/reader.h"
#include "base/writer.h"

void finding_bytes_write(struct writer *writer, const struct finding *finding);

/* Texts point to the reader's bytes, lists are in the arena. False with the problem set. */
bool finding_bytes_read(struct reader *reader, struct arena *arena, struct finding *finding);

#endif
