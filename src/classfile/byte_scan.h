/*
 * byte_scan: which bytes that matter to names and descriptors occur in a text.
 *
 * Nearly all names contain none of them where they may not stand, and knowing that settles most
 * checks at once. So the class reader scans every text, 16 bytes a step: roughly when it reads the
 * text, and closely when the rough scan leaves open whether it is what it should be. The exact
 * checks of names.h and descriptor.h run only for what stays open even then.
 */
#ifndef TURNSTILE_CLASSFILE_BYTE_SCAN_H
#define TURNSTILE_CLASSFILE_BYTE_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* What a set bit says is only that such a byte may be there; what a clear bit says is certain. */
enum byte_scan_flag {
    /* of the rough scan */
    SCAN_SPECIAL = 1, /* a zero or a byte above 0x7F; a set bit is certain too */
    SCAN_MARK = 2,    /* one of . / ; [ < > */
    /* of the close scan */
    SCAN_DOT = 4,          /* . */
    SCAN_DOUBLE_SLASH = 8, /* two / in a row */
    SCAN_SEMICOLON = 16,   /* ; */
    SCAN_BRACKET = 32      /* [ */
};

/* `readable` bytes, at least `length`, may be looked at from `bytes` on. Both give a set of enum
   byte_scan_flag. */
unsigned byte_scan_roughly(const void *bytes, size_t length, size_t readable);
unsigned byte_scan_closely(const void *bytes, size_t length, size_t readable);

#endif
