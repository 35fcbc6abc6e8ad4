/* The checker: runs a checked kernel (codegen/checked.h) and says what is wrong with it.
**
** The threads of the grid take turns on fibers of one thread of the process. Which one goes next,
** and when it is interrupted, follows from a seed: a run is the same each time. Every byte that
** kernels can reach lies in the checker's own memory and has a shadow that tells who wrote and read
** it last, and when. Two accesses race if they touch a byte, one of them writes, not both are
** atomic, and nothing orders them: no barrier, no synchronisation of their warp, no fence with an
** atomic operation on either side. What really happened in between does not matter. */
#ifndef KJIT_CHECK_H
#define KJIT_CHECK_H

#include "codegen/checked.h"
#include "codegen/codegen.h"
#include "include/kjit.h"

/* What a finding is about. RULE(name, what it is called) */
#define CHECK_RULES(RULE)                                                                          \
    RULE(RACE, "race")                   /* two accesses that nothing orders */                    \
    RULE(OUT_OF_BOUNDS, "out-of-bounds") /* of an axis of an array */                              \
    RULE(MISALIGNED, "misaligned")       /* an element at an address not its type's */             \
    RULE(UNWRITTEN, "unwritten")         /* a read of memory that was never written */             \
    RULE(LEFT_OVER, "left-over")         /* elements of a result that were never written */        \
    RULE(DIVERGENT_BARRIER, "divergent-barrier") /* threads of a block at different barriers */    \
    RULE(ABSENT_LANES, "absent-lanes")           /* a mask names lanes that do not come */         \
    RULE(DEADLOCK, "deadlock")                   /* threads that wait for ever */                  \
    RULE(ZERO_DIVISION, "zero-division")                                                           \
    RULE(INDEX_OVERFLOW, "index-overflow")                                                         \
    RULE(INVALID_SHIFT, "invalid-shift")                                                           \
    RULE(CAST_OVERFLOW, "cast-overflow") /* a float beyond the integer it becomes */               \
    RULE(NAN_BORN, "nan")                                                                          \
    RULE(INFINITY_BORN, "infinity")                                                                \
    RULE(ASSERTION, "assertion")     /* assert or raise */                                         \
    RULE(UNCOALESCED, "uncoalesced") /* from here on advice */                                     \
    RULE(BANK_CONFLICT, "bank-conflict")                                                           \
    RULE(DIVERGENT_BRANCH, "divergent-branch")                                                     \
    RULE(CONTENTION, "contention")     /* atomics on one place */                                  \
    RULE(PARTIAL_WARP, "partial-warp") /* a block is no multiple of a warp */                      \
    RULE(WIDE_TYPE, "wide-type")       /* silent float64 or int64 */

typedef enum CheckRule {
#define RULE(name, text) FOUND_##name,
    CHECK_RULES(RULE)
#undef RULE
        FOUND_COUNT
} CheckRule;

/* One of the accesses or arrivals of a finding. */
typedef struct CheckPlace {
    int site;   /* of Emitted.sites; -1: there is none */
    int access; /* CHECK_READ and so on; 0 where nothing is accessed */
    int called; /* the site of the kernel's call if it is in a function; -1 if not, or not known */
    bool known; /* whether `block` and `thread` are */
    int32_t block[3], thread[3];
} CheckPlace;

enum { CHECK_MESSAGE = 256, CHECK_ELEMENT = 96 };

/* How far apart the threads of a race are at most: in a warp, in a block, in the grid. */
typedef enum RaceDistance { RACE_LANES, RACE_BLOCK, RACE_GRID } RaceDistance;

/* What was found, the first time; others of the same rule at the same lines are only counted. */
typedef struct CheckFinding {
    CheckRule rule;
    CheckPlace at, other;        /* other.site is -1 where only one place has to do with it */
    char element[CHECK_ELEMENT]; /* "x[3, 5]", "tile[0]", or "" */
    char message[CHECK_MESSAGE]; /* one line, without places: "index 64 is out of range ..." */
    char note[CHECK_MESSAGE];    /* what would help, or "" */
    uint64_t times;
    RaceDistance distance; /* of a race, and what the note is for */
    int fault; /* of an assertion, the number of Emitted.faults that tells the place; else -1 */
} CheckFinding;

/* An array that the kernel was given: views of it are its parameters' business. */
typedef struct CheckArray {
    const char *name;
    void *data;
    int rank;
    const int64_t *shape, *strides; /* elements; bytes */
    uint32_t item;                  /* bytes of an element */
    bool written;                   /* its elements have values */
} CheckArray;

typedef struct CheckRequest {
    void (*thread)(KjitCheck *c, void *const *params); /* the kernel's entry */
    void *const *params;
    uint32_t grid[3], block[3];
    uint64_t static_shared, dynamic_shared;
    const EmitSite *sites;
    int site_count;
    const EmitShared *shared;
    int shared_count;
    const EmitFault *faults;
    const CheckArray *arrays;
    int array_count;
    uint64_t seed; /* of the order of threads; 0: one after the other, interrupted only to go on */
    bool cooperative, nan, advise;
    struct WatchPlace *place; /* is told how many blocks are done; or NULL */
} CheckRequest;

typedef struct CheckReport {
    CheckFinding *findings; /* memory_free() by check_report_free() */
    int count, capacity;
} CheckReport;

/* Runs the whole grid once and adds what it finds. KJIT_OK whatever is found; KJIT_MEMORY. One run
** at a time in a process: others wait. */
kjit_status check_run(const CheckRequest *request, CheckReport *report);
void check_report_free(CheckReport *report);
const char *check_rule_name(CheckRule rule); /* "race" */
bool check_rule_is_advice(CheckRule rule);

/* ---- memory that can be checked ------------------------------------------------------------- */

/* Memory for kernels, aligned to 256 bytes, of which nothing has been written; NULL without. */
void *check_memory_alloc(uint64_t bytes);
void check_memory_free(void *memory);
/* Whether each of these bytes has a value. */
bool check_memory_is_written(const void *memory, uint64_t bytes);
/* Says whether bytes have values: after a copy from the host they have. */
void check_memory_mark(void *memory, uint64_t bytes, bool written);

#endif
