/* Ranks that a launcher of MPI's started: mpirun, mpiexec, srun. The library is loaded while kjit
** runs, so that kjit needs none to be built or to run alone.
**
** What the constants of mpi.h are is up to each library. Open MPI's are addresses of objects that
** it exports (ompi_mpi_comm_world, ompi_mpi_byte); a status that is not asked for is NULL.
** MPICH's, and those of libraries that share its ABI (Intel MPI, MVAPICH2, Cray's), are numbers:
** MPI_COMM_WORLD is 0x44000000, MPI_BYTE 0x4c00010d, and MPI_STATUS_IGNORE the address 1; so say
** their mpi.h, and the MPICH ABI Compatibility Initiative keeps them. A handle is an int there, and
** goes into the register that a pointer would go into, of which the callee reads the lower half. */
#include "runtime/many/engine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 7, MPI_DONE = 0, PIECE_LOG = 30 };

typedef struct Mpi {
    int (*initialized)(int *flag);
    int (*init)(int *argc, char ***argv);
    int (*finalize)(void);
    int (*comm_rank)(void *comm, int *rank);
    int (*comm_size)(void *comm, int *size);
    int (*send)(const void *data, int count, void *type, int to, int tag, void *comm);
    int (*receive)(void *data, int count, void *type, int from, int tag, void *comm, void *status);
    int (*allgather)(const void *from, int count, void *type, void *to, int to_count, void *to_type,
                     void *comm);
    void *world, *byte, *no_status;
} Mpi;

typedef struct MpiEngine {
    Engine base;
    Mpi mpi;
    bool started; /* by us */
} MpiEngine;

/* ---- launchers ------------------------------------------------------------------------------- */

/* Open MPI's mpirun; that of MPICH and its relatives, srun --mpi=pmi2; MVAPICH2's. */
static const char *const size_names[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                          "MV2_COMM_WORLD_SIZE" };

int mpi_launched(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(size_names); i++) {
        const char *text = getenv(size_names[i]);
        int size = text ? atoi(text) : 0;
        if (size > 0)
            return size;
    }
    return 0;
}

/* ---- the library ----------------------------------------------------------------------------- */

static void *open_library(void)
{
    static const char *const usual[] = { "libmpi.so.40", "libmpi.so.12", "libmpich.so.12",
                                         "libmpi.so" };
    static const char *const mpich[] = { "libmpich.so.12", "libmpi.so.12", "libmpi.so.40",
                                         "libmpi.so" };
    const char *named = getenv("KJIT_MPI");
    const char *const *names = getenv("OMPI_COMM_WORLD_SIZE") ? usual : mpich;
    void *library = NULL;

    if (named && *named)
        return dlopen(named, RTLD_NOW | RTLD_GLOBAL);
    for (size_t i = 0; i < ARRAY_COUNT(usual) && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
    return library;
}

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* Which ABI it is follows from what it exports. */
static void find_constants(void *library, Mpi *mpi)
{
    mpi->world = dlsym(library, "ompi_mpi_comm_world");
    mpi->byte = dlsym(library, "ompi_mpi_byte");
    mpi->no_status = NULL;
    if (mpi->world && mpi->byte)
        return;
    mpi->world = (void *)(uintptr_t)0x44000000;
    mpi->byte = (void *)(uintptr_t)0x4c00010d;
    mpi->no_status = (void *)(uintptr_t)1;
}

static bool find_functions(void *library, Mpi *mpi)
{
    find_constants(library, mpi);
    return find(library, "MPI_Initialized", &mpi->initialized) &&
           find(library, "MPI_Init", &mpi->init) && find(library, "MPI_Finalize", &mpi->finalize) &&
           find(library, "MPI_Comm_rank", &mpi->comm_rank) &&
           find(library, "MPI_Comm_size", &mpi->comm_size) &&
           find(library, "MPI_Send", &mpi->send) && find(library, "MPI_Recv", &mpi->receive) &&
           find(library, "MPI_Allgather", &mpi->allgather);
}

/* ---- the engine ------------------------------------------------------------------------------ */

static kjit_status failed(const char *what, int code)
{
    return error_set(KJIT_LAUNCH, "error: MPI fails in %s, with code %d", what, code);
}

/* Counts are ints: what is larger goes in pieces. */
static int piece_of(size_t left)
{
    size_t most = (size_t)1 << PIECE_LOG;
    return (int)(left < most ? left : most);
}

static kjit_status mpi_send(Engine *base, int to, const void *data, size_t bytes)
{
    const Mpi *mpi = &((MpiEngine *)base)->mpi;

    for (size_t at = 0; at < bytes;) {
        int piece = piece_of(bytes - at);
        int code = mpi->send((const char *)data + at, piece, mpi->byte, to, TAG, mpi->world);
        if (code != MPI_DONE)
            return failed("MPI_Send", code);
        at += (size_t)piece;
    }
    return KJIT_OK;
}

static kjit_status mpi_receive(Engine *base, int from, void *data, size_t bytes)
{
    const Mpi *mpi = &((MpiEngine *)base)->mpi;

    for (size_t at = 0; at < bytes;) {
        int piece = piece_of(bytes - at);
        int code = mpi->receive((char *)data + at, piece, mpi->byte, from, TAG, mpi->world,
                                mpi->no_status);
        if (code != MPI_DONE)
            return failed("MPI_Recv", code);
        at += (size_t)piece;
    }
    return KJIT_OK;
}

static kjit_status mpi_all(Engine *base, const void *own, size_t bytes, void *everyone)
{
    const Mpi *mpi = &((MpiEngine *)base)->mpi;
    int code =
        mpi->allgather(own, (int)bytes, mpi->byte, everyone, (int)bytes, mpi->byte, mpi->world);

    return code == MPI_DONE ? KJIT_OK : failed("MPI_Allgather", code);
}

static void mpi_close(Engine *base)
{
    MpiEngine *engine = (MpiEngine *)base;

    if (engine->started)
        engine->mpi.finalize();
    memory_free(engine);
}

static const EngineOps mpi_ops = { mpi_send, mpi_receive, mpi_all, mpi_close };

static kjit_status start(MpiEngine *engine)
{
    const Mpi *mpi = &engine->mpi;
    int running = 0, code = mpi->initialized(&running);

    if (code == MPI_DONE && !running)
        code = mpi->init(NULL, NULL);
    if (code != MPI_DONE)
        return failed("MPI_Init", code);
    engine->started = !running;
    engine->base.ops = &mpi_ops;
    if (mpi->comm_rank(mpi->world, &engine->base.rank) != MPI_DONE ||
        mpi->comm_size(mpi->world, &engine->base.ranks) != MPI_DONE)
        return failed("MPI_Comm_rank", code);
    return KJIT_OK;
}

kjit_status engine_mpi(Engine **out)
{
    void *library = open_library();
    MpiEngine *engine;

    *out = NULL;
    if (!library)
        return error_set(KJIT_NO_DEVICE, "error: this is one of several ranks, and no MPI library "
                                         "can be loaded\n"
                                         "note: KJIT_MPI names the one of the launcher, as in "
                                         "/usr/lib/libmpi.so.40");
    engine = memory_zeroed(1, sizeof *engine);
    if (!engine)
        return error_memory();
    kjit_status status = KJIT_OK;
    if (find_functions(library, &engine->mpi))
        status = start(engine);
    else
        status = error_set(KJIT_NO_DEVICE, "error: the MPI library lacks functions of MPI's");
    if (status == KJIT_OK)
        *out = &engine->base;
    else
        memory_free(engine);
    return status;
}
