/* The system's C compiler. */
#ifndef KJIT_CC_H
#define KJIT_CC_H

#include "runtime/runtime.h"

enum { CC_WORDS_MAX = 64 };

/* A C compiler as found: $KJIT_CC, which may hold arguments split at blanks, else `cc`. */
typedef struct CC {
    char path[CACHE_PATH_MAX]; /* "" if there is none */
    char text[4096];           /* of which `words` points out the parts */
    char *words[CC_WORDS_MAX + 1];
    int count;
    bool named;    /* by KJIT_CC */
    bool too_long; /* for `text` or `words`; then there is none */
} CC;

/* Looks for the compiler; starts nothing. */
void cc_find(CC *cc);
/* Who it is and what it makes code for, for a cache key. */
void cc_identify(const CC *cc, KeyState *key);
/* Compiles C text to the shared object `path`. */
kjit_status cc_compile(CC *cc, const BuildRequest *request, const char *path);
/* Its first line of --version, to be memory_free()d; NULL if it has none. */
char *cc_version(CC *cc);
/* Whether it builds anything at all; with OpenMP; and for a processor with fused multiply-add, on
** which codegen/prelude/math.c lives. They run it. */
bool cc_works(const CC *cc, const char *path);
bool cc_has_fma(CC *cc, const char *path);

#endif
