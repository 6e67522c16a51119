/*
 * file: whole files in memory.
 */
#ifndef TURNSTILE_BASE_FILE_H
#define TURNSTILE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"

/* A file mapped into memory for reading. An empty file has size 0 and a valid `bytes`.
   Small files, pipes and devices are copied instead of mapped. */
struct file_map {
    const uint8_t *bytes;
    size_t size;
    bool mapped;
};

/* False with a problem ("cannot be opened: ...", "is a directory") when that fails; the map is
   empty then, and may be closed or not. */
bool file_map_open(struct file_map *map, const char *path, struct problem *problem);
void file_map_close(struct file_map *map);

/* Writes the bytes to a temporary file beside `path` and renames it, so that nobody ever sees
   half a file and an old file survives a full disk. The modes of an old file are kept, a link is
   followed, and devices and pipes are written to directly. */
bool file_write(const char *path, const void *bytes, size_t size, struct problem *problem);

#endif
