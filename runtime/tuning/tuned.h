/* Choosing the configuration of a kernel for given arguments: a record of wisdom, or the source's
** own. */
#pragma once

#include "runtime/tuning/wisdom.h"

/* A kernel compiled with the configuration of a record. */
typedef struct TunedVariant {
    struct TunedVariant *next;
    char *text;            /* the configuration */
    char *launch, *failed; /* types and shape with which a launch failed, and the message; or
                              NULL */
    kjit_status failed_status;
    kjit_module *module;
    kjit_kernel *kernel;
} TunedVariant;

/* A cached choice, by a digest of what it depends on. */
typedef struct TunedEntry {
    uint64_t key[2];
    kjit_kernel *kernel; /* NULL: empty */
    uint32_t grid[3], block[3];
    size_t shared_bytes;
} TunedEntry;

enum { TUNED_ENTRIES = 64 };

/* The cached choices of a kernel, under the lock of its module's wisdom. */
typedef struct TunedKernel {
    TunedVariant *variants;
    TunedEntry entries[TUNED_ENTRIES];
    unsigned next;  /* entry to be replaced */
    uint64_t reads; /* scalar arguments that choices depend on */
} TunedKernel;

/* A record that may be chosen. */
typedef struct TunedCandidate {
    const WisdomRecord *record;
    kjit_space *space; /* with its one configuration, and its shape */
    SpaceParam *tune;  /* the parameters of @tune; in the space's arena */
    size_t tune_count;
    bool exact, here; /* exact: for this device and these extents; here: for this device */
    bool same;        /* and these extents */
    double distance;
} TunedCandidate;

/* A choice in progress. */
typedef struct TunedChoice {
    kjit_kernel *asked;
    const kjit_arg *args;
    size_t count;
    Arena arena;
    Wisdom *wisdom;  /* the module's */
    uint64_t reads;  /* out, like all that follows */
    const char *how; /* "exact", "nearest", "constants" */
    char why[1024];
    char complaints[2048]; /* warnings about records that contradict the source, or "" */
    const char *objective; /* of the record, in the wisdom's arena; NULL: none */
    char *configuration;   /* memory_alloc()ed */
    kjit_kernel *kernel;
    kjit_launch_config shape;
} TunedChoice;

/* ---- tuned.c ------------------------------------------------------------------------------ */

/* Discards what was read and chosen. */
void tuned_forget(kjit_module *module);
/* Frees the choices of a module that is closed. */
void tuned_close(kjit_module *module);

/* ---- tuned_choose.c ----------------------------------------------------------------------- */

/* Makes the choice; the caller holds the lock. Without a suitable record it is the kernel
** itself. */
kjit_status tuned_choose(TunedChoice *choice, TunedKernel *tuned);

/* ---- tuned_record.c ----------------------------------------------------------------------- */

/* Opens the space of a candidate's record; it stays open when the record is invalid. */
kjit_status tuned_open_record(kjit_kernel *kernel, TunedCandidate *candidate);
/* How a space's launch shape contradicts @tune of its kernel: "block=['64'], and @tune says
** block=['32']"; NULL: it does not. */
const char *tuned_other_shape(Arena *arena, const kjit_space *space);
/* Takes the shape's expressions from the source where both agree, so that errors point there. */
void tuned_take_shape(kjit_space *space);
/* Whether the grid is said by the record alone, and independent of the arguments. */
bool tuned_grid_is_fixed(const kjit_space *space);

/* ---- tuned_own.c -------------------------------------------------------------------------- */

/* Chooses the kernel itself, in the shape that @tune gives it. */
kjit_status tuned_own(TunedChoice *choice, kjit_space *space);

/* ---- tuned_doubt.c ------------------------------------------------------------------------ */

/* Warns of the record at a line, which is not used. */
void tuned_complain(TunedChoice *choice, uint32_t line, const char *what);
/* The parameter whose removal explains a record's other digest; NULL: it is of another text. */
const char *tuned_lacks(Arena *arena, const kjit_kernel *kernel, const WisdomRecord *record);
/* The first parameter of a record's space that affects no launch, or NULL. */
const SpaceParam *tuned_unknown(Arena *arena, const kjit_space *space);
/* Writes which values of a record's space @tune does not list, for remarks. */
void tuned_put_untried(Buf *out, const kjit_space *space, const SpaceParam *tune, size_t count);

/* ---- tuned_variant.c ---------------------------------------------------------------------- */

/* The kernel of a space's first configuration, cached or loaded now. Fails if the record makes it
** impossible to launch: if it does not compile, or cannot have the shape. The caller holds the
** lock. */
kjit_status tuned_variant(TunedKernel *tuned, const kjit_space *space, const char *text,
                          const TunedChoice *choice, const char *types, kjit_kernel **kernel);
/* Frees the variants. */
void tuned_free(TunedKernel *tuned);
