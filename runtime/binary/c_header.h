/* What the files that print a binary as a C header share. */
#pragma once

#include "runtime/binary/binary.h"

typedef struct CHeader {
    Buf *out;
    Arena *arena;
    const Binary *binary;
    const char *stem;   /* suffix of the header's own names */
    const char **names; /* of the functions so far */
    int name_count, name_capacity;
} CHeader;

/* The functions of one specialisation. */
typedef struct CWrapper {
    const BinaryKernel *kernel;
    const Specialisation *facts;
    const Type *const *types;
    const char **params; /* their names in C */
    const char *simple;  /* names of the functions; `simple` is NULL if it is impossible */
    const char *launch, *get;
} CWrapper;

/* ---- c_header.c --------------------------------------------------------------------------- */

/* Bytes as the values of an array in C, a comma behind each. */
void c_bytes_print(Buf *out, const unsigned char *bytes, size_t length);

/* ---- c_names.c ---------------------------------------------------------------------------- */

/* The text with underscores for characters that are invalid in names. */
const char *c_name_of(Arena *arena, const char *text, bool upper);

/* A text as a string of C, in quotes: a kernel that an expression names may have quotes of its own,
** as table["sin"] has. */
const char *c_string_of(Arena *arena, const char *text);
/* Reserves the name, with underscores appended until it is unused. */
const char *c_name_take(CHeader *header, const char *name);
/* Names for a kernel's parameters that differ from one another and from reserved words. */
const char **c_name_params(Arena *arena, const BinaryKernel *kernel);
/* A name for a part of a parameter, such as its length. */
const char *c_name_part(const CHeader *header, const CWrapper *wrapper, int param,
                        const char *part);
/* The same for an array's extent along an axis. */
const char *c_name_extent(const CHeader *header, const CWrapper *wrapper, int param, int axis);
