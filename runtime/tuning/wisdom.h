/* Wisdom: what tuning found, in files beside the sources.
**
**     # kjit wisdom 1
**     tuned(kernel='mm', digest='0f...', device='NVIDIA H200', arch='sm_90', ...)
**
** A line that is not blank and begins with no # is a record: a call in the language's own syntax,
** which its parser reads. What has no sense is told and left where it is. */
#ifndef KJIT_WISDOM_H
#define KJIT_WISDOM_H

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
    const char *digest;    /* of the text that decides its meaning: wisdom_digest() */
    const char *device;    /* model */
    const char *arch;      /* "sm_90", "x86-64" */
    const char *types;     /* "mm(float32[:, ::1], ...)" */
    WisdomInts problem;    /* extents of what the grid covers; may be none */
    WisdomInts extents;    /* of all arrays among the arguments, one behind the other */
    const char *objective; /* "time" */
    double value;          /* that was reached */
    WisdomItems configuration;
    WisdomItems shape;             /* block, problem and so on, as kjit_space_set() takes them */
    const char *driver, *compiler; /* as what follows, for people to read; "" if not said */
    const char *kjit, *date;
} WisdomRecord;

/* What a file holds. */
typedef struct Wisdom {
    Arena arena;
    const char *path;
    bool there; /* there is such a file */
    bool newer; /* of a later format */
    bool other; /* it has bytes, and does not begin as wisdom does */
    WisdomRecord *records;
    int count, capacity;
    const char *complaints; /* as people read them; NULL: none */
} Wisdom;

/* Reads a file. What is wrong in it, or with it, is among the complaints; only without memory it
** fails. To be wisdom_free()d. */
kjit_status wisdom_read(const char *path, Wisdom **wisdom);
/* NULL is harmless. */
void wisdom_free(Wisdom *wisdom);

/* ---- wisdom_record.c ---------------------------------------------------------------------- */

/* Reads the line of a record; false after a complaint. `newer`: what is not known is passed
** over. */
bool wisdom_record_read(Arena *arena, Diags *diags, const Source *line, bool newer,
                        WisdomRecord *record);
/* Writes it, with a newline. */
void wisdom_record_put(Buf *out, const WisdomRecord *record);
/* Whether one takes the other's place: all that they hold for is the same, or would be if block and
** grid did not follow otherwise. */
bool wisdom_same_place(const WisdomRecord *a, const WisdomRecord *b);

/* wisdom_add.c: adds how a launch's shape follows, as kjit_space_set() takes it. */
void wisdom_shape(Arena *arena, const TuneSpace *said, WisdomItems *items);

/* ---- wisdom_facts.c: what a launch is known by -------------------------------------------- */

/* The file that goes with a module's: NAME.wisdom beside NAME.k. NULL if it comes from no file. */
const char *wisdom_path(Arena *arena, const kjit_module *module);
/* A digest of what decides the kernel's meaning, the constants `without` left out. */
void wisdom_digest(Arena *arena, const kjit_kernel *kernel, const char *const *without,
                   size_t count, CacheKey *digest);
/* Fills types, problem and extents. The problem is that of `point`'s space. */
kjit_status wisdom_arguments(Arena *arena, const SpacePoint *point, WisdomRecord *record);

#endif
