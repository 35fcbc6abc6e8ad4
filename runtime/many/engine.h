/* How processes reach one another. An engine moves bytes of host memory, and does not depend on
** arrays or launches: everything else is made of what stands here. There is one on top of MPI
** (mpi.c), and one on top of what a program brings (transport.c). A wire moves bytes between GPUs
** of several processes: NCCL's (nccl.c). */
#pragma once

#include "include/kjit_tools.h"
#include "runtime/runtime.h"

typedef struct Engine Engine;

/* What a process has been asked to do, which is to be the same for all: a digest of the calls that
** it has carried out, and the one that it is at. It is sent as it lies in memory. */
typedef struct Course {
    uint64_t digest;
    char call[88];
} Course;

typedef struct Transfer Transfer;

/* What an engine must be able to do; others call the functions of exchange.c. */
typedef struct EngineOps {
    /* Begins to send, and to receive, bytes: finish() waits for all that has begun. Between two
    ** processes they arrive in the order they are sent; the one that receives knows how many there
    ** are. */
    kjit_status (*send)(Engine *engine, int to, const void *data, size_t bytes);
    kjit_status (*receive)(Engine *engine, int from, void *data, size_t bytes);
    kjit_status (*finish)(Engine *engine);
    /* To be called again and again while something else is waited for: an error if another process
    ** has failed, or is gone. NULL: it cannot tell. */
    kjit_status (*look)(Engine *engine);
    /* Tells all others that this one has failed, and does not wait for them: their calls fail with
    ** the message. */
    void (*fail)(Engine *engine, const char *message);
    void (*close)(Engine *engine);
} EngineOps;

struct Engine {
    const EngineOps *ops;
    int rank, ranks;
    Course course;
    Transfer *batch; /* what the next engine_finish() is to exchange */
    size_t count, capacity;
};

/* ---- exchange.c ------------------------------------------------------------------------------ */

/* Which call comes next, for messages; and what it is about, for what is compared. Without an
** engine they do nothing. */
void engine_begins(Engine *engine, const char *format, ...) __attribute__((format(printf, 2, 3)));
void engine_adds(Engine *engine, uint64_t value);
void engine_adds_bytes(Engine *engine, const void *data, size_t bytes);
/* What is sent and received together, up to engine_finish(): processes that share bytes of a batch
** must have made the same calls, else it fails. Memory stays where it is until then, and behind an
** error for good. */
kjit_status engine_send(Engine *engine, int to, const void *data, size_t bytes);
kjit_status engine_receive(Engine *engine, int from, void *data, size_t bytes);
kjit_status engine_finish(Engine *engine);
/* The same for bytes that the wire is going to carry: engine_finish() only has both agree on it. A
** GPU that waits for another one that does not come would not end. */
kjit_status engine_expects(Engine *engine, int peer, size_t bytes, bool sent);
/* So many bytes of each process, for all of them, in the order of processes: few. */
kjit_status engine_all(Engine *engine, const void *own, size_t bytes, void *everyone);
/* What a loop that waits does in each round: it leaves the processor to others, longer from round
** to round; and where it waits for something else than finish(), it looks for others' failures. */
void engine_pause(unsigned round);
kjit_status engine_wait(Engine *engine, unsigned round);
void engine_close(Engine *engine);

/* ---- mpi.c ----------------------------------------------------------------------------------- */

/* The processes of a communicator, at whose address an MPI_Comm is; with NULL all of them, and MPI
** is started unless it runs. KJIT_NO_DEVICE where there is none. */
kjit_status engine_mpi(const void *comm, Engine **engine);

/* ---- zeromq.c -------------------------------------------------------------------------------- */

/* The processes of a launcher such as torchrun. KJIT_NO_DEVICE where there is no ZeroMQ. */
kjit_status engine_zeromq(Engine **engine);

/* ---- transport.c ----------------------------------------------------------------------------- */

/* A group's engine on functions of the program's. KJIT_ARGUMENT if one is missing. */
kjit_status engine_transport(const kjit_transport *transport, Engine **engine);

/* ---- peers.c --------------------------------------------------------------------------------- */

/* A process, for others of its host. */
typedef struct Peer {
    char boot[40], space[40];
    int64_t process;
} Peer;

typedef struct Peers {
    Peer *list;       /* by rank */
    int64_t *stopped; /* since when, in milliseconds; 0: it is not */
    int64_t looked;
    int32_t lost; /* 1 + the first rank found to be gone or stopped; 0: none is */
} Peers;

/* All ranks exchange their identities. */
kjit_status peers_open(Peers *peers, Engine *engine);
void peers_close(Peers *peers);
/* To be called again and again while waiting: an error if a rank of this host has died, or has been
** stopped for some seconds. */
kjit_status peers_look(Peers *peers, const Engine *engine);
/* Whether a rank has not ended, for all that is known of it. */
bool peers_has(const Peers *peers, const Engine *engine, int rank);

/* ---- launcher.c ------------------------------------------------------------------------------ */

/* The number of ranks that a launcher says this process is one of; 0: it says nothing. */
int launcher_ranks(void);
/* Whether MPI connects them. Else launcher_rank() is which one this is. */
bool launcher_is_of_mpi(void);
int launcher_rank(void);
/* Which of the ranks on its host it is, and how many those are; 0 and 1 if nothing says. */
int launcher_local_rank(void);
int launcher_local_ranks(void);

/* ---- nccl.c ---------------------------------------------------------------------------------- */

typedef struct Wire Wire;

/* The wire of this process, which works with the device. All processes make this call. NULL in
** `*wire`, and KJIT_OK, where there is no NCCL, or it is not wanted. */
kjit_status gpu_wire_open(Engine *engine, Device *device, Wire **wire);
void gpu_wire_close(Wire *wire);
/* Ends what is under way, though other processes have no part in it: for when one has failed.
** Nothing can be exchanged from then on. NULL is harmless. */
void gpu_wire_abort(Wire *wire);
/* KJIT_NCCL_HOST=1: it is said of the library that it serves memory of the host, too, as tests' own
** does. */
bool gpu_wire_serves_hosts(void);
/* What stands between is one exchange, on a stream: gpu_wire_end() begins it. One that connects two
** processes is waited for, and earlier ones are to have ended before: while another process may
** fail meanwhile, they could not be aborted. */
void gpu_wire_begin(Wire *wire);
kjit_status gpu_wire_send(Wire *wire, int to, const void *data, size_t bytes, void *stream);
kjit_status gpu_wire_receive(Wire *wire, int from, void *data, size_t bytes, void *stream);
bool gpu_wire_connects(const Wire *wire);
kjit_status gpu_wire_end(Wire *wire);
