/*
 * byte_scan: which bytes that matter to names and descriptors occur in a text.
 *
 * Nearly all names contain none of them where they may not stand, and knowing that settles most
 * checks at once. So the class reader scans every text one time, 16 bytes a step, and the exact
 * checks of names.h and descriptor.h run only for what stays open.
 */
#ifndef TURNSTILE_CLASSFILE_BYTE_SCAN_H
#define TURNSTILE_CLASSFILE_BYTE_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* What a set bit says is only that such a byte may be there; what a clear bit says is certain. */
enum byte_scan_flag {
    SCAN_DOT = 1,            /* . */
    SCAN_SLASH_OR_ANGLE = 2, /* / < or > */
    SCAN_DOUBLE_SLASH = 4,   /* two / in a row */
    SCAN_SEMICOLON = 8,      /* ; */
    SCAN_BRACKET = 16,       /* [ */
    SCAN_SPECIAL = 128       /* a zero or a byte above 0x7F */
};

/* The flags of a text. `readable` bytes, at least `length`, may be looked at from its start on. */
unsigned byte_scan(const void *text, size_t length, size_t readable);

#endif
