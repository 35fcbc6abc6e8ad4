/* Wisdom (as in FFTW): results of tuning, in files beside the sources.
**
**     # kjit wisdom 1
**     tuned(kernel='mm', digest='0f...', device='NVIDIA H200', arch='sm_90', ...)
**
** A line that is not blank and does not begin with # is a record: a call in the language's own
** syntax, read by its parser. Invalid lines are reported and left in the file. */
#pragma once

#include "runtime/tuning/space.h"

enum { WISDOM_VERSION = 1 };

/* name=text, in a configuration or a shape. */
typedef struct WisdomItem {
    const char *name, *text;
} WisdomItem;

typedef struct WisdomItems {
    WisdomItem *list;
    int count, capacity;
} WisdomItems;

typedef struct WisdomInts {
    int64_t *list;
    int count, capacity;
} WisdomInts;

typedef struct WisdomRecord {
    uint32_t line;         /* from 1 */
    const char *kernel;    /* its name */
    const char *digest;    /* of the kernel's text: wisdom_digest() */
    const char *device;    /* model */
    const char *arch;      /* "sm_90", "x86-64" */
    const char *types;     /* "mm(float32[:, ::1], ...)" */
    WisdomInts problem;    /* extents that the grid covers; may be none */
    WisdomInts extents;    /* of all array arguments, concatenated */
    const char *objective; /* "time" */
    double value;          /* best value found */
    WisdomItems configuration;
    WisdomItems shape;             /* block, problem and so on, as kjit_space_set() takes them */
    const char *driver, *compiler; /* like the following, for readers; "" if unknown */
    const char *kjit, *date;
} WisdomRecord;

/* The contents of a file. */
typedef struct Wisdom {
    Arena arena;
    const char *path;
    bool there; /* the file exists */
    bool newer; /* of a later format */
    bool other; /* it is no wisdom: not empty, and without the first line */
    WisdomRecord *records;
    int count, capacity;
    const char *complaints; /* warnings, as text; NULL: none */
} Wisdom;

/* Reads a file. Errors in it are in `complaints`; fails only without memory. To be
** wisdom_free()d. */
kjit_status wisdom_read(const char *path, Wisdom **wisdom);
/* NULL is harmless. */
void wisdom_free(Wisdom *wisdom);

/* ---- wisdom_record.c ---------------------------------------------------------------------- */

/* Reads the line of a record; false after an error. `newer`: unknown fields are ignored. */
bool wisdom_record_read(Arena *arena, Diags *diags, const Source *line, bool newer,
                        WisdomRecord *record);
/* Writes it, with a newline. */
void wisdom_record_put(Buf *out, const WisdomRecord *record);
/* Whether one replaces the other: they are for the same kernel, device and arguments, even if their
** block or grid is computed differently. */
bool wisdom_replaces(const WisdomRecord *a, const WisdomRecord *b);

/* wisdom_add.c: adds the expressions of a launch's shape, as kjit_space_set() takes them. */
void wisdom_shape(Arena *arena, const TuneSpace *said, WisdomItems *items);

/* ---- wisdom_facts.c: what identifies a launch --------------------------------------------- */

/* The wisdom of a module: NAME.wisdom beside NAME.k. NULL if it comes from no file. */
const char *wisdom_path(Arena *arena, const kjit_module *module);
/* A digest of the kernel's text and constants, except the constants `without`. */
void wisdom_digest(Arena *arena, const kjit_kernel *kernel, const char *const *without,
                   size_t count, CacheKey *digest);
/* Fills types, problem and extents of a record; the problem is that of the point's space. */
kjit_status wisdom_arguments(Arena *arena, const SpacePoint *point, WisdomRecord *record);
