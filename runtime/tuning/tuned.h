/* What of a kernel is launched for arguments: the configuration that wisdom has, or its own. */
#ifndef KJIT_TUNED_H
#define KJIT_TUNED_H

#include "runtime/tuning/wisdom.h"

/* A kernel as a record configures it. */
typedef struct TunedVariant {
    struct TunedVariant *next;
    char *text;            /* of the configuration */
    char *launch, *failed; /* types and shape that it cannot be launched with, and why; or NULL */
    kjit_status failed_status;
    kjit_module *module;
    kjit_kernel *kernel;
} TunedVariant;

/* A choice that was made, by a digest of what it hangs on. */
typedef struct TunedEntry {
    uint64_t key[2];
    kjit_kernel *kernel; /* NULL: empty */
    uint32_t grid[3], block[3];
    size_t shared_bytes;
} TunedEntry;

enum { TUNED_ENTRIES = 64 };

/* What was chosen for a kernel so far, under the lock of its module's wisdom. */
typedef struct TunedKernel {
    TunedVariant *variants;
    TunedEntry entries[TUNED_ENTRIES];
    unsigned next;  /* of the entries to be taken */
    uint64_t reads; /* scalar arguments that choices hang on */
} TunedKernel;

/* A record that may be taken. */
typedef struct TunedCandidate {
    const WisdomRecord *record;
    kjit_space *space; /* of its one configuration, and of its shape */
    SpaceParam *tune;  /* what @tune has to try; in the space's arena, as many as follows */
    size_t tune_count;
    bool exact, here; /* the device is its own */
    bool same;        /* and the extents are */
    double distance;
} TunedCandidate;

/* A choice in the making. */
typedef struct TunedChoice {
    kjit_kernel *asked;
    const kjit_arg *args;
    size_t count;
    Arena arena;
    Wisdom *wisdom;  /* the module's */
    uint64_t reads;  /* out, as what follows */
    const char *how; /* "exact", "nearest", "constants" */
    char why[1024];
    char complaints[2048]; /* of records that contradict the source; "": of none */
    const char *objective; /* of the record, in the wisdom's arena; NULL: none */
    char *configuration;   /* memory_alloc()ed */
    kjit_kernel *kernel;
    kjit_launch_config shape;
} TunedChoice;

/* ---- tuned.c ------------------------------------------------------------------------------ */

/* Has what was read and chosen looked up anew. */
void tuned_forget(kjit_module *module);
/* Lets go of all that a module that goes has chosen. */
void tuned_close(kjit_module *module);

/* ---- tuned_choose.c ----------------------------------------------------------------------- */

/* Makes the choice; the caller has the lock. Without a record that fits it is the kernel itself. */
kjit_status tuned_choose(TunedChoice *choice, TunedKernel *tuned);

/* ---- tuned_record.c ----------------------------------------------------------------------- */

/* Opens the space of a candidate's record, which stays there if the record makes no sense. */
kjit_status tuned_open_record(kjit_kernel *kernel, TunedCandidate *candidate);
/* What a space says of a launch's shape where @tune of its kernel says something else, as
** "block=['64'], and @tune says block=['32']"; NULL: nothing. */
const char *tuned_other_shape(Arena *arena, const kjit_space *space);
/* Where both say the same, complaints are to be of the source. */
void tuned_take_shape(kjit_space *space);
/* Whether the grid is the record's alone, and the same whatever the arguments are. */
bool tuned_grid_is_fixed(const kjit_space *space);

/* ---- tuned_own.c -------------------------------------------------------------------------- */

/* Takes the kernel as it stands, in the shape that @tune, whose space that is, gives it. */
kjit_status tuned_own(TunedChoice *choice, kjit_space *space);

/* ---- tuned_doubt.c ------------------------------------------------------------------------ */

/* Complains of the record of a line, which is not taken. */
void tuned_complain(TunedChoice *choice, uint32_t line, const char *what);
/* The parameter that a record of another digest lacks to be one of this very text; NULL: it is of
** another text. */
const char *tuned_lacks(Arena *arena, const kjit_kernel *kernel, const WisdomRecord *record);
/* The first parameter of a record's space that launches have no use for; NULL: there is none. */
const SpaceParam *tuned_unknown(Arena *arena, const kjit_space *space);
/* Writes down which values of a record's space are none of those that @tune names, for remarks. */
void tuned_put_untried(Buf *out, const kjit_space *space, const SpaceParam *tune, size_t count);

/* ---- tuned_variant.c ---------------------------------------------------------------------- */

/* The kernel of a space's first configuration: as loaded before, or now. It is compiled for the
** launch, and fails as that does where the record is to blame: it compiles not at all, or to what
** cannot have the shape. The caller has the lock. */
kjit_status tuned_variant(TunedKernel *tuned, const kjit_space *space, const char *text,
                          const TunedChoice *choice, const char *types, kjit_kernel **kernel);
/* Lets go of variants. */
void tuned_free(TunedKernel *tuned);

#endif
