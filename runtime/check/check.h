/* The checker: runs a checked kernel (codegen/checked.h) and reports its errors.
**
** The threads of the grid run on fibers of one thread of the process. The scheduler is
** deterministic: which fiber runs next, and for how long, follows from a seed. Every byte that
** kernels can reach lies in the checker's own memory and has shadow memory that records its last
** accesses. Two accesses race if they touch a byte, one of them writes, not both are atomic, and
** nothing orders them: no barrier, no synchronisation of their warp, no fence with an atomic
** operation on either side. The order in which they happened to run does not matter. */
#pragma once

#include "codegen/checked.h"
#include "codegen/codegen.h"
#include "include/kjit.h"

/* Rules of findings: RULE(name, text) */
#define CHECK_RULES(RULE)                                                                          \
    RULE(RACE, "race")                   /* two accesses that nothing orders */                    \
    RULE(OUT_OF_BOUNDS, "out-of-bounds") /* of an axis of an array */                              \
    RULE(MISALIGNED, "misaligned")       /* an element at an unaligned address */                  \
    RULE(UNWRITTEN, "unwritten")         /* a read of memory that was never written */             \
    RULE(LEFT_OVER, "left-over")         /* elements of a result that were never written */        \
    RULE(DIVERGENT_BARRIER, "divergent-barrier") /* threads of a block at different barriers */    \
    RULE(ABSENT_LANES, "absent-lanes")           /* a mask names lanes that do not take part */    \
    RULE(DEADLOCK, "deadlock")                   /* threads that wait for ever */                  \
    RULE(ZERO_DIVISION, "zero-division")                                                           \
    RULE(INDEX_OVERFLOW, "index-overflow")                                                         \
    RULE(INVALID_SHIFT, "invalid-shift")                                                           \
    RULE(CAST_OVERFLOW, "cast-overflow") /* a float that does not fit the integer it becomes */    \
    RULE(NAN_BORN, "nan")                                                                          \
    RULE(INFINITY_BORN, "infinity")                                                                \
    RULE(ASSERTION, "assertion")     /* assert or raise */                                         \
    RULE(UNCOALESCED, "uncoalesced") /* advice from here on */                                     \
    RULE(BANK_CONFLICT, "bank-conflict")                                                           \
    RULE(DIVERGENT_BRANCH, "divergent-branch")                                                     \
    RULE(CONTENTION, "contention")     /* atomics of a warp on one address */                      \
    RULE(PARTIAL_WARP, "partial-warp") /* a block is no multiple of a warp */                      \
    RULE(WIDE_TYPE, "wide-type")       /* silent float64 or int64 */

typedef enum CheckRule {
#define RULE(name, text) FOUND_##name,
    CHECK_RULES(RULE)
#undef RULE
        FOUND_COUNT
} CheckRule;

/* What a thread did at a source location: one of the two events of a finding. */
typedef struct CheckEvent {
    int site;   /* of Emitted.sites; -1: there is none */
    int access; /* CHECK_READ and so on; 0 where nothing is accessed */
    int called; /* the site of the kernel's call if it is in a function; -1: not, or unknown */
    bool known; /* whether `block` and `thread` are */
    int32_t block[3], thread[3];
} CheckEvent;

enum { CHECK_MESSAGE = 256, CHECK_ELEMENT = 96 };

/* How far apart the threads of a race are at most: in a warp, in a block, in the grid. */
typedef enum RaceDistance { RACE_LANES, RACE_BLOCK, RACE_GRID } RaceDistance;

/* A finding, as it occurred first; others of the same rule at the same lines are only counted. */
typedef struct CheckFinding {
    CheckRule rule;
    CheckEvent at, other;        /* other.site is -1 if there is only one event */
    char element[CHECK_ELEMENT]; /* "x[3, 5]", "tile[0]", or "" */
    char message[CHECK_MESSAGE]; /* one line, without locations: "index 64 is out of range ..." */
    char note[CHECK_MESSAGE];    /* what would help, or "" */
    uint64_t times;
    RaceDistance distance; /* of a race */
    int fault;             /* of an assertion, the index in Emitted.faults; else -1 */
} CheckFinding;

/* An array argument of the kernel. */
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
    uint64_t seed; /* of the schedule; 0: threads in order, preempted only so that others can
                      progress */
    bool cooperative, nan, advise;
    struct WatchPlace *place; /* receives the number of finished blocks; or NULL */
} CheckRequest;

typedef struct CheckReport {
    CheckFinding *findings; /* memory_free() by check_report_free() */
    int count, capacity;
} CheckReport;

/* Runs the whole grid once and appends its findings. KJIT_OK with or without findings; KJIT_MEMORY.
** There is one run at a time in a process: others wait. */
kjit_status check_run(const CheckRequest *request, CheckReport *report);
void check_report_free(CheckReport *report);
const char *check_rule_name(CheckRule rule); /* "race" */
bool check_rule_is_advice(CheckRule rule);

/* ---- memory with shadow ---------------------------------------------------------------------- */

/* Memory for kernels, aligned to 256 bytes and marked as unwritten; NULL if there is none left. */
void *check_memory_alloc(uint64_t bytes);
void check_memory_free(void *memory);
/* Whether all these bytes have been written. */
bool check_memory_is_written(const void *memory, uint64_t bytes);
/* Marks bytes as written, as after a copy from the host, or unwritten. */
void check_memory_mark(void *memory, uint64_t bytes, bool written);
