/* How ranks reach one another. An engine moves bytes of host memory, and knows nothing of arrays or
** launches: everything else is made of what stands here (group.c, rank.c). There is one for ranks
** that are threads of this process (local.c), and one on top of MPI (mpi.c). */
#ifndef KJIT_MANY_ENGINE_H
#define KJIT_MANY_ENGINE_H

#include "runtime/runtime.h"

typedef struct Engine Engine;

typedef struct EngineOps {
    /* Bytes from one rank to another. Between two ranks they arrive in the order they are sent; the
    ** one that receives knows how many there are. */
    kjit_status (*send)(Engine *engine, int to, const void *data, size_t bytes);
    kjit_status (*receive)(Engine *engine, int from, void *data, size_t bytes);
    /* So many bytes of each rank, for all of them, in the order of ranks: few. */
    kjit_status (*all)(Engine *engine, const void *own, size_t bytes, void *everyone);
    void (*close)(Engine *engine);
} EngineOps;

struct Engine {
    const EngineOps *ops;
    int rank, ranks;
};

/* ---- local.c --------------------------------------------------------------------------------- */

/* The engines of ranks that are threads of this process: `engines` gets one for each. All are
** closed, by whichever thread, and each once. */
kjit_status engine_local(int ranks, Engine **engines);

/* ---- mpi.c ----------------------------------------------------------------------------------- */

/* The number of ranks that a launcher of MPI's says this process is one of; 0: it says nothing. */
int mpi_launched(void);
/* Starts MPI. KJIT_NO_DEVICE where there is none. */
kjit_status engine_mpi(Engine **engine);

#endif
