/*
 * order: what a comparison for qsort says of two numbers.
 */
#ifndef TURNSTILE_BASE_ORDER_H
#define TURNSTILE_BASE_ORDER_H

#include <stdint.h>

/* Below 0, 0 or above: the smaller one first. */
static inline int order_of(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

#endif
