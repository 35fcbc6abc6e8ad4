/* A group: ranks, the memory that they share out among themselves, and launches over them.
**
** Places. Memory that ranks share has a copy at each of several places: one at each rank, on its
** device, and one at the host of each process. On the processor the host's is that of the first
** rank of the process. What is current at which place is a set of bytes for each of them
** (Spread.valid), which all processes reckon alike, so that nothing need be asked: before bytes are
** read at a place they are brought there from another that has them (moves.c), and what a place
** writes is current there alone (spread.c). Halos, gathering, and copies for all are nothing but
** that. */
#pragma once

#include "runtime/many/engine.h"
#include "runtime/many/job.h"
#include "runtime/many/part.h"
#include "runtime/many/region.h"

enum { GROUP_GPUS = 64 }; /* of a process, at most */

/* Memory that ranks share out. */
typedef struct Spread {
    char *begin; /* the host's */
    int64_t bytes;
    Region *valid; /* by place */
    struct SpreadMemory {
        char *begin; /* NULL: not there yet; the host's, or what follows has it */
        void *map;
        size_t map_bytes;
        Block block;
    } * memory;      /* of the ranks of this process */
    uint64_t number; /* the order in which they were made, which is that of all processes */
    bool held;       /* longer than one launch */
    struct RankReduction *pending; /* put off, see reduce.c; NULL: none is */
} Spread;

struct kjit_group {
    HandleHead self;
    int ranks, processes, process;
    int first, locals; /* the ranks of this process */
    Engine *engine;    /* among processes; NULL: there is one */
    Wire *wire;        /* among their GPUs; NULL: there is none */
    int *ordinals;     /* of GPUs of the ranks of this process; NULL: the processor, or one GPU */
    kjit_context *context; /* whose launches it carries out; NULL: none yet */
    Device **devices;      /* of the ranks of this process, the first that of the context */
    void **sides;          /* on GPUs: their streams that bytes are moved on */
    void **marks;          /* two events for each: of its work, and of that stream */
    bool gpu, apart;       /* hosts are places of their own */
    Spread **spreads;      /* by address: programs have thousands */
    size_t spread_count, spread_capacity;
    uint64_t spreads_made;
    Job *jobs; /* the last one used first */
    uint64_t step;
    bool over; /* some rank has ended: no other is to be waited for */
};

/* ---- places ---------------------------------------------------------------------------------- */

static inline int group_places(const kjit_group *group)
{
    return group->ranks + (group->apart ? group->processes : 0);
}

static inline int group_host(const kjit_group *group, int process)
{
    return group->apart ? group->ranks + process : process * group->locals;
}

static inline int group_process(const kjit_group *group, int place)
{
    return place < group->ranks ? place / group->locals : place - group->ranks;
}

static inline bool group_is_local(const kjit_group *group, int place)
{
    return group_process(group, place) == group->process;
}

/* Whether a place is memory of a GPU. */
static inline bool group_on_gpu(const kjit_group *group, int place)
{
    return group->gpu && place < group->ranks;
}

/* ---- devices.c ------------------------------------------------------------------------------- */

/* The devices of the ranks of this process, for launches of a context. */
kjit_status group_devices(kjit_group *group, kjit_context *context);
void group_close_devices(kjit_group *group);
/* Work of a stream waits for what was on another one, of two local ranks, when that was marked
** last; group_order() marks it. */
typedef enum Lane { LANE_WORK, LANE_SIDE } Lane;
kjit_status group_mark(kjit_group *group, int rank, Lane lane);
kjit_status group_wait(kjit_group *group, int rank, Lane lane, int behind_rank, Lane behind);
kjit_status group_order(kjit_group *group, int rank, Lane lane, int behind_rank, Lane behind);
void *group_stream(const kjit_group *group, int rank, Lane lane);
/* Copies between two places of this process, behind and before what is ordered so on the side
** streams. Bytes that go to the host are there when group_settle() has been called. */
kjit_status group_copy(kjit_group *group, int to, void *to_bytes, int from, const void *from_bytes,
                       size_t bytes);
/* Waits for the side streams of this process. */
kjit_status group_settle(kjit_group *group);
/* Waits for everything on its devices. */
kjit_status group_synchronize(kjit_group *group);

/* ---- spread.c -------------------------------------------------------------------------------- */

/* Memory of the host, of which all of it is current on all hosts. */
bool many_poisons(void); /* KJIT_MANY_POISON=1 */
kjit_status spread_open(kjit_group *group, void *begin, int64_t bytes, Spread **spread);
void spread_close(kjit_group *group, Spread *spread);
/* The one that has an address of the host; NULL: none. */
Spread *spread_find(const kjit_group *group, const void *address);
/* Whether any has some of these. */
bool spread_meets(const kjit_group *group, const void *low, const void *high);
/* Where a place of this process has the byte `at`. KJIT_MEMORY if there is no room. */
kjit_status spread_at(kjit_group *group, Spread *spread, int place, int64_t at, char **address);
/* A place has written these bytes, and no other has them any more. */
kjit_status spread_claim(kjit_group *group, Spread *spread, int place, const Region *written);
/* All hosts have written all of it alike. */
kjit_status spread_claim_host(kjit_group *group, Spread *spread);

/* ---- moves.c --------------------------------------------------------------------------------- */

typedef struct Move {
    Spread *spread;
    int from, to;
    Run run;
} Move;

typedef struct PlaceNeed {
    Spread *spread;
    int place;
    Region bytes;
} PlaceNeed;

/* What is to be current where, and the moves for it. */
typedef struct Moves {
    Move *list;
    size_t count, capacity;
    PlaceNeed *needs;
    size_t need_count, need_capacity;
} Moves;

/* Adds the moves after which the bytes are current at `place`, from the nearest places that have
** them. */
kjit_status moves_need(kjit_group *group, Moves *moves, Spread *spread, int place,
                       const Region *bytes);
/* Begins them; moves_free() the list. On GPUs they may be under way, on the side streams of ranks
** that they come to. All processes make this call with the same moves. */
kjit_status moves_run(kjit_group *group, Moves *moves);
bool moves_come_to(const Moves *moves, int rank);
/* What is launched from then on waits for them: on ranks that bytes come from until these have
** left, on ranks that they come to for all that is on the side stream; and both. */
kjit_status moves_let_go(kjit_group *group, const Moves *moves);
kjit_status moves_join_own(kjit_group *group, const Moves *moves);
kjit_status moves_join(kjit_group *group, const Moves *moves);
/* Begins them, and what is launched from then on waits. */
kjit_status moves_bring(kjit_group *group, Moves *moves);
void moves_free(Moves *moves);
/* Brings all of what is spread to the host of a process; -1: of all. */
kjit_status group_fetch(kjit_group *group, Spread *spread, int process);

/* ---- meet.c ---------------------------------------------------------------------------------- */

enum { SAYS_ARGS = 32, SAYS_TEXT = 2048 };

/* What a process says when all meet: whether something failed, and digests of what must be the same
** for all. It is sent as it lies in memory. */
typedef struct Says {
    int32_t status;           /* kjit_status */
    uint64_t text, launch;    /* of the kernel; of the grid, and of what is said of arrays */
    uint64_t args[SAYS_ARGS]; /* the last stands for all that follow, too */
    char message[SAYS_TEXT];
} Says;

/* All processes meet: KJIT_OK if all of them say so. Else the message of the first that does not,
** with its rank in front unless they all say the same. */
kjit_status group_meet(kjit_group *group, const Says *says);
/* The same with what `status` left as a message. */
kjit_status group_agree(kjit_group *group, kjit_status status);
/* Adds a launch to what processes are to do alike: engine_adds(). */
kjit_status group_adds_launch(const kjit_group *group, const char *kernel,
                              const kjit_launch_config *config, const kjit_arg *args, size_t count);

/* ---- reduce.c -------------------------------------------------------------------------------- */

/* An array that each rank has whole, and that is put together. */
typedef struct RankReduction {
    SplitRole role; /* SPLIT_REDUCED or SPLIT_MERGED */
    Combine combine;
    const char *name;
    kjit_array array; /* as the host has it */
    Spread *spread;
    /* what follows is reduce_begin()'s */
    Region all;
    bool *works; /* by rank: has a share in it */
    int first;   /* rank that works */
    uint64_t bytes;
    void *parcels[3]; /* what it comes to; what another rank has; what there was */
} RankReduction;

/* Begins `what`, all of whose bytes are given, of the ranks that work in this launch. Then, also
** behind an error, reduce_free() or reduce_put_off(). */
kjit_status reduce_begin(kjit_group *group, const RankReduction *what, const Region *all,
                         const bool *works, RankReduction **out);
/* Puts together what ranks have, on the host of the first. */
kjit_status reduce_end(kjit_group *group, const RankReduction *reduction);
void reduce_free(RankReduction *reduction);
/* Hands it to its spread: reduce_settle() ends it. */
void reduce_put_off(RankReduction *reduction);
/* Whether a launch may add to what ranks have, without reduce_begin(): what has been put off is of
** the same array, by the same operation, and of the same ranks. */
bool reduce_goes_on(const kjit_group *group, const RankReduction *what, const bool *works);
/* Ends what has been put off for a spread, before anything else is done with its bytes. */
kjit_status reduce_settle(kjit_group *group, Spread *spread);

/* ---- launch.c -------------------------------------------------------------------------------- */

/* A launch over the group, whose arrays lie in what is spread. With `why` it is carried out by rank
** 0 if it cannot be split, for that reason. */
kjit_status group_launch(kjit_group *group, kjit_kernel *kernel, const kjit_launch_config *config,
                         const kjit_arg *args, size_t count, const kjit_wish *wishes,
                         size_t wish_count, const char **why);
/* The same where rank 0 carries out what cannot be split: then `*why` tells the
** reason, which lives as long as the group, and else is NULL. The other ranks learn of a
** failure. */
kjit_status group_launch_any(kjit_group *group, kjit_kernel *kernel,
                             const kjit_launch_config *config, const kjit_arg *args, size_t count,
                             const char **why);

/* ---- save.c ---------------------------------------------------------------------------------- */

/* Writes an array, of what is spread or the same in all processes, into a file: each process its
** part, where that can be. All processes make this call. */
kjit_status group_save(kjit_group *group, const char *path, const kjit_array *array);
