/*
 * replay: runs a fuzz target over files, and over simple mutations of each, always the same ones.
 *
 *   replay MUTATIONS FILE...
 *
 * A crash is the failure that it looks for, so there is nothing to compare; run it with the
 * sanitizers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static uint64_t random_state = 0x5DEECE66Du;

static uint32_t next_random(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33);
}

/* A copy of its own for each run, of exactly the right size, so that reading past its end is seen.
 */
static void run_copy(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

/* Truncates, flips bits, or puts an extreme value somewhere. */
static size_t mutate(uint8_t *bytes, size_t size)
{
    static const uint8_t extremes[] = {0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF};
    if (next_random() % 8 == 0)
        return next_random() % size;
    for (uint32_t changes = 1 + next_random() % 3; changes > 0; changes--) {
        size_t place = next_random() % size;
        if (next_random() % 2)
            bytes[place] = (uint8_t)(bytes[place] ^ 1u << next_random() % 8);
        else
            bytes[place] = extremes[next_random() % sizeof extremes];
    }
    return size;
}

static void run_file(const struct file_map *file, unsigned long mutations)
{
    run_copy(file->bytes, file->size);
    uint8_t *changed = malloc(file->size ? file->size : 1);
    if (!changed)
        abort();
    for (unsigned long i = 0; i < mutations && file->size; i++) {
        memcpy(changed, file->bytes, file->size);
        run_copy(changed, mutate(changed, file->size));
    }
    free(changed);
}

int main(int argument_count, char **arguments)
{
    if (argument_count < 3) {
        fputs("usage: replay MUTATIONS FILE...\n", stderr);
        return 2;
    }
    unsigned long mutations = strtoul(arguments[1], NULL, 10);
    for (int i = 2; i < argument_count; i++) {
        struct problem problem;
        problem_clear(&problem);
        struct file_map file;
        if (!file_map_open(&file, arguments[i], &problem)) {
            fprintf(stderr, "%s: %s\n", arguments[i], problem.reason);
            return 2;
        }
        run_file(&file, mutations);
        file_map_close(&file);
    }
    printf("%d files, %lu mutations each: no crash\n", argument_count - 2, mutations);
    return 0;
}
