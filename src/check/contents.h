/*
 * contents: what an event does to what objects hold.
 *
 * Elements of arrays, and the inside of objects whose class does not synchronize itself, are
 * guarded like the field that the array or object was reached through. A call can touch several:
 * its receiver (HashMap.put), and what it is given (System.arraycopy, Collections.sort). What calls
 * do is what the lock types say: `reads` and `writes`, of the library or of the program's own
 * methods.
 */
#ifndef TURNSTILE_CHECK_CONTENTS_H
#define TURNSTILE_CHECK_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "check/checker.h"
#include "flow/method_flow.h"

struct content_use {
    term object; /* what is touched */
    bool write;
    bool fresh; /* nobody else can know the object */
};

/* As many as a method can have parameters. */
enum { CONTENT_USES = 256 };

struct content_uses {
    struct content_use items[CONTENT_USES]; /* each object once */
    uint32_t count;
};

void contents_find(struct content_uses *uses, const struct checker *checker,
                   const struct method_flow *flow, const struct flow_event *event);

#endif
