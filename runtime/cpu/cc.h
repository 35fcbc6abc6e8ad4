/* The system's C compiler. */
#pragma once

#include "runtime/runtime.h"

enum { CC_WORDS_MAX = 64 };

/* The C compiler: $KJIT_CC, with optional arguments separated by blanks, else `cc`. */
typedef struct CC {
    char path[CACHE_PATH_MAX]; /* "" if there is none */
    char text[4096];           /* `words` points into it */
    char *words[CC_WORDS_MAX + 1];
    int count;
    bool named;    /* by KJIT_CC */
    bool too_long; /* KJIT_CC does not fit `text` or `words`: there is no compiler */
} CC;

/* Finds the compiler without starting it. */
void cc_find(CC *cc);
/* The error that there is none. */
kjit_status cc_missing(const CC *cc);
/* Identifies the compiler and its target in a cache key. */
void cc_identify(const CC *cc, KeyState *key);
/* Has a compilation wait for others, if it may: kjit_queue_compilations(). */
bool cc_queue(const CC *cc, const BuildRequest *request, const CacheKey *key);
/* Compiles C text to the shared object `path`. */
kjit_status cc_compile(CC *cc, const BuildRequest *request, const char *path);
/* Its first line of --version, to be memory_free()d; NULL if it has none. */
char *cc_version(CC *cc);
/* These start the compiler: whether it can compile at all, and whether its target has fused
** multiply-add, which codegen/prelude/math.c needs. */
bool cc_works(const CC *cc, const char *path);
bool cc_has_fma(CC *cc, const char *path);
