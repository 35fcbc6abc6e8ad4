/* The bytes of a kernel's parameters, read from its CUDA C as kjit writes that. */
#ifndef KJIT_TESTS_FAKE_PARAMS_H
#define KJIT_TESTS_FAKE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

enum { FAKE_PARAMS_MAX = 512 };

/* What a compiler notes of an entry beside its code. */
typedef struct FakeEntry {
    char name[256];
    int bounds; /* of __launch_bounds__, or 0 */
    int count;
    bool rounds; /* there is a second kernel, NAME_round */
    size_t sizes[FAKE_PARAMS_MAX];
    void *library; /* what runs in its place; NULL: nothing */
} FakeEntry;

/* Finds the first __global__ function. NULL, or what is wrong with the text. */
const char *fake_read_entry(const char *text, FakeEntry *entry);

#endif
