/*
 * byte_scan: which bytes that matter to names and descriptors occur in a text, and its hash.
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
    SCAN_SPECIAL = 1,      /* a zero or a byte above 0x7F */
    SCAN_DOT = 2,          /* . */
    SCAN_SLASH = 4,        /* / */
    SCAN_DOUBLE_SLASH = 8, /* two / in a row */
    SCAN_SEMICOLON = 16,   /* ; */
    SCAN_BRACKET = 32,     /* [ */
    SCAN_ANGLE = 64        /* < or > */
};

struct byte_scan {
    uint8_t flags; /* enum byte_scan_flag */
    uint32_t hash; /* the same for equal texts */
};

/* `readable` bytes, at least `length`, may be looked at from `bytes` on. */
struct byte_scan byte_scan(const void *bytes, size_t length, size_t readable);

#endif
