/*
 * trace_format: the bytes of a recorded trace, for its writer and its reader.
 *
 * Numbers of fixed size are big-endian. A varint has seven bits per byte, the lowest first; the
 * highest bit of a byte says that another follows. A text is a varint, its length, and its bytes.
 *
 * A file is a header of 12 bytes and then blocks, one behind the other:
 *
 *      0  8 bytes  the magic 54 73 54 72 61 63 65 0A ("TsTrace" and a line feed)
 *      8  u4       version: 32; 16 is the same without the definition `unshared`, 8 also without
 *                  the kind `want`, 4 also without the kinds `enter` and `leave` and the definition
 *                  `monitor`, 2 also without the kind `update`, 1 also without the kinds `hand
 *                  over` and `take over` (so no wrong bit makes one of another)
 *
 * A block is a header of 56 bytes and then its stored bytes:
 *
 *      0  u4  the marker 54 42 4C 4B ("TBLK")
 *      4  u1  kind: 1 definitions, 2 events, 3 end of the trace
 *      5  u1  packing of the stored bytes: 0 as they are, 1 raw deflate
 *      6  u2  0
 *      8  u4  number of stored bytes
 *     12  u4  number of bytes when unpacked, at most 1 MiB
 *     16  u4  events: their thread; else 0
 *     20  u4  number of definitions or events
 *     24  u8  events: sequence number of the first; end: number of events in the trace; else 0
 *     32  u8  events: sequence number of the last; else 0
 *     40  u8  horizon: all events with smaller sequence numbers are in this block or before it
 *     48  u4  CRC-32 of the stored bytes
 *     52  u4  CRC-32 of the 52 bytes before
 *
 * The end block has no bytes, the largest possible horizon, and nothing behind it. A file without
 * it was not finished: its events are complete up to the greatest horizon in it.
 *
 * Sequence numbers begin at 1, grow along the trace, and no two events have the same. The blocks of
 * one thread stand in the order of their events; those of different threads stand in any order.
 *
 * Definitions, each with the next number of its kind, before the first event block that uses it:
 *
 *     1 thread     text: name
 *     2 field      texts: class, member, signature
 *     3 variables  varints: field, how many: they get numbers in a row
 *     4 lock       text: name
 *     5 sync       text: name
 *     6 location   texts: class, method, file; varint: line
 *     7 stack      varints: stack of the caller, location
 *     8 block      texts: class, method; varint: location
 *     9 monitor    a location, with a number as one: texts: class, method, file; varints: line, and
 *                  the block whose lock is taken or given up there
 *    10 unshared   a location, with a number as one, and with the same parts; what is accessed
 *                  there is part of an object that no other thread can know yet
 *
 * An event begins with a control byte:
 *
 *     bits 5-7  how much the sequence number grew, less 1, if that is below 7;
 *               7: at least that, and a varint with the rest follows
 *
 *     bit  4    0
 *
 *     bits 2-3  target: 0 predicted by stride; 1 predicted by neighbour; 2 a varint follows, the
 *               zigzag difference to the neighbour; 3 the same to the last target of the context
 *
 *     bit  1    a varint with the stack follows; else it is the last one of the context
 *
 *     bit  0    the kind, one byte, and a varint with the zigzag difference to the location before
 *               follow; else both are those that followed the context before, the last time
 *
 * What follows stands in the order growth, kind and location, target, stack. The context of an
 * event is one of 1024, chosen by its kind and location and those of the event before. A context
 * knows the last target, stride (by how much the target grew the last time), neighbour difference,
 * stack and what came next. The neighbour is the target of the last event with a target of the same
 * sort (variable, lock, synchronization object, thread, block). All of it is zero when a block
 * begins: so each block can be read alone. trace_coder.h is the code of this.
 *
 * Kinds are those of event.h, with its numbers. Some are two events, with two sequence numbers, one
 * after the other: an update is a read and then a write; `enter` is the begin of a block and then
 * an acquire, `leave` a release and then the end of the block. Of these the target is the lock, the
 * location a monitor, which has the block; the location of begin and end is the block's own. An end
 * has no stack.
 */
#ifndef TURNSTILE_TRACE_TRACE_FORMAT_H
#define TURNSTILE_TRACE_TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reader.h"
#include "base/text.h"

#define TRACE_FORMAT_MAGIC "TsTrace\n"
#define TRACE_FORMAT_MARKER 0x54424C4Bu

enum {
    TRACE_FORMAT_VERSION = 32,
    TRACE_FORMAT_MAGIC_SIZE = 8,
    TRACE_FORMAT_FILE_HEADER = 12,
    TRACE_FORMAT_BLOCK_HEADER = 56,
    TRACE_FORMAT_BLOCK_MAX = 1 << 20, /* bytes, unpacked */
    TRACE_FORMAT_EVENT_MAX = 32,      /* bytes of an event, and some to spare */
};

enum trace_block_kind {
    TRACE_BLOCK_DEFINITIONS = 1,
    TRACE_BLOCK_EVENTS = 2,
    TRACE_BLOCK_END = 3,
};

enum trace_packing {
    TRACE_PACKING_NONE,
    TRACE_PACKING_DEFLATE,
};

enum trace_definition {
    TRACE_DEFINE_THREAD = 1,
    TRACE_DEFINE_FIELD,
    TRACE_DEFINE_VARIABLES,
    TRACE_DEFINE_LOCK,
    TRACE_DEFINE_SYNC,
    TRACE_DEFINE_LOCATION,
    TRACE_DEFINE_STACK,
    TRACE_DEFINE_BLOCK,
    TRACE_DEFINE_MONITOR,
    TRACE_DEFINE_UNSHARED,
};

struct trace_block_header {
    enum trace_block_kind kind;
    enum trace_packing packing;
    uint32_t stored;
    uint32_t unpacked;
    uint32_t thread;
    uint32_t count;
    uint64_t first;
    uint64_t last;
    uint64_t horizon;
    uint32_t checksum;
};

void trace_format_file_header(uint8_t to[TRACE_FORMAT_FILE_HEADER]);
uint32_t trace_format_version(const uint8_t from[TRACE_FORMAT_FILE_HEADER]);

/* Whether files of the version can be read. */
bool trace_format_is_known(uint32_t version);

void trace_format_store(uint8_t to[TRACE_FORMAT_BLOCK_HEADER],
                        const struct trace_block_header *header);

/* NULL, or what is wrong with it. */
const char *trace_format_load(const uint8_t from[TRACE_FORMAT_BLOCK_HEADER],
                              struct trace_block_header *header);

uint32_t trace_format_checksum(const uint8_t *bytes, size_t size);

/* zlib's memory comes from base, too. */
void *trace_format_allocate(void *context, unsigned count, unsigned size);
void trace_format_release(void *context, void *block);

/* Texts and varints of definitions, with the reader's sticky error. */
uint64_t trace_format_read_varint(struct reader *reader);
struct text trace_format_read_text(struct reader *reader);

#endif
