/* What the files that print a binary as a C header share. */
#ifndef KJIT_C_HEADER_H
#define KJIT_C_HEADER_H

#include "runtime/binary/binary.h"

typedef struct CHeader {
    Buf *out;
    Arena *arena;
    const Binary *binary;
    const char *stem;   /* what its own names end in */
    const char **names; /* of the functions there are */
    int name_count, name_capacity;
} CHeader;

/* The functions of one specialisation. */
typedef struct CWrapper {
    const BinaryKernel *kernel;
    const Specialisation *facts;
    const Type *const *types;
    const char **params; /* their names in C */
    const char *simple;  /* the functions' names; NULL where it cannot be had */
    const char *launch, *get;
} CWrapper;

/* ---- c_names.c ---------------------------------------------------------------------------- */

/* The text with underscores for what no name may have. */
const char *c_name_of(Arena *arena, const char *text, bool upper);
/* The name, or with underscores behind it the first that is still free, which it is no more. */
const char *c_name_take(CHeader *header, const char *name);
/* Names for a kernel's parameters that differ from all that stand beside them. */
const char **c_name_params(Arena *arena, const BinaryKernel *kernel);
/* A name for a part of a parameter, as of its length. */
const char *c_name_part(const CHeader *header, const CWrapper *wrapper, int param,
                        const char *part);
/* The same for how long an array is along an axis. */
const char *c_name_extent(const CHeader *header, const CWrapper *wrapper, int param, int axis);

#endif
