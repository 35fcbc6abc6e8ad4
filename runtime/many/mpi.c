/* Ranks that a launcher of MPI's started: mpirun, mpiexec, srun. The library is loaded while kjit
** runs, so that kjit needs none to be built or to run alone.
**
** What the constants of mpi.h are is up to each library. Open MPI's are addresses of objects that
** it exports (ompi_mpi_comm_world, ompi_mpi_byte); a status that is not asked for is NULL.
** MPICH's, and those of libraries that share its ABI (Intel MPI, MVAPICH2, Cray's), are numbers:
** MPI_COMM_WORLD is 0x44000000, MPI_BYTE 0x4c00010d, and MPI_STATUS_IGNORE the address 1; so say
** their mpi.h, and the MPICH ABI Compatibility Initiative keeps them. A handle is an int there, and
** goes into the register that a pointer would go into, of which the callee reads the lower half.
** Those of MPI 5.0's own ABI, which is a library of another name, are small numbers as pointers.
**
** What has begun is waited for by asking again and again, and so is whether another process has
** failed: a process that fails sends all others a note, and waits for none of them. */
#include "runtime/many/engine.h"

#include <dlfcn.h>

enum { TAG = 7, TAG_NOTE = 8, MPI_DONE = 0, PIECE_LOG = 30, NOTE_BYTES = 2048 };

/* A request as either ABI has it: a pointer, or an int. */
typedef union MpiRequest {
    void *pointer;
    int number;
} MpiRequest;

/* What a process sends all others once: why it has failed. An empty text: it has ended. */
typedef struct Note {
    char text[NOTE_BYTES - sizeof(int32_t)];
    int32_t lost; /* as Peers has it */
} Note;

/* What is sent to another process, or received from it. */
typedef struct Begun {
    MpiRequest request;
    int peer;
} Begun;

typedef struct Mpi {
    int (*initialized)(int *flag);
    int (*init)(int *argc, char ***argv);
    int (*finalize)(void);
    int (*finalized)(int *flag);
    int (*duplicate)(void *comm, void **own);
    int (*comm_free)(void **comm);
    int (*comm_rank)(void *comm, int *rank);
    int (*comm_size)(void *comm, int *size);
    int (*send)(const void *data, int count, void *type, int to, int tag, void *comm,
                MpiRequest *request);
    int (*receive)(void *data, int count, void *type, int from, int tag, void *comm,
                   MpiRequest *request);
    int (*test)(MpiRequest *request, int *done, void *status);
    void *world, *byte, *no_status; /* world: or the communicator that is given */
} Mpi;

typedef struct MpiEngine {
    Engine base;
    Mpi mpi;
    bool started; /* by us */
    void *own;    /* the communicator, where it is a copy of a caller's */
    Begun *begun;
    size_t count, capacity;
    int64_t *ended; /* by rank: since when it is known to have closed the group; 0: it has not */
    Note *notes;    /* of all others, and its own */
    MpiRequest *noting; /* their requests, and those of the notes that are sent */
    Peers peers;
    bool noted;         /* this one has failed, or knows of another that has */
    bool noting_others; /* its own note may still be on the way */
} MpiEngine;

/* ---- the library ----------------------------------------------------------------------------- */

#define STANDARD "libmpi_abi.so.1" /* of MPI 5.0's ABI */

static void *open_library(void)
{
    static const char *const usual[] = { "libmpi.so.40", "libmpi.so.12", "libmpich.so.12",
                                         "libmpi.so", STANDARD };
    static const char *const mpich[] = { "libmpich.so.12", "libmpi.so.12", "libmpi.so.40",
                                         "libmpi.so", STANDARD };
    const char *named = getenv("KJIT_MPI");
    const char *const *names = getenv("OMPI_COMM_WORLD_SIZE") ? usual : mpich;
    void *library = NULL;

    if (named && *named)
        return dlopen(named, RTLD_NOW | RTLD_GLOBAL);
    for (size_t i = 0; i < ARRAY_COUNT(usual) && !library; i++) /* one that runs already */
        library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    for (size_t i = 0; i < ARRAY_COUNT(usual) && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
    return library;
}

static bool is_standard(void *library)
{
    Dl_info info;
    return dladdr(dlsym(library, "MPI_Init"), &info) && strstr(info.dli_fname, "libmpi_abi.so");
}

/* Which ABI it is follows from what it exports, and its name. */
static void find_constants(void *library, Mpi *mpi)
{
    mpi->world = dlsym(library, "ompi_mpi_comm_world");
    mpi->byte = dlsym(library, "ompi_mpi_byte");
    mpi->no_status = NULL;
    if (mpi->world && mpi->byte)
        return;
    bool standard = is_standard(library);
    mpi->world = (void *)(uintptr_t)(standard ? 0x101 : 0x44000000);
    mpi->byte = (void *)(uintptr_t)(standard ? 0x247 : 0x4c00010d);
    mpi->no_status = (void *)(uintptr_t)!standard;
}

static bool find_functions(void *library, Mpi *mpi)
{
    find_constants(library, mpi);
    const WantedSymbol all[] = {
        { "MPI_Initialized", &mpi->initialized },
        { "MPI_Init", &mpi->init },
        { "MPI_Finalize", &mpi->finalize },
        { "MPI_Finalized", &mpi->finalized },
        { "MPI_Comm_dup", &mpi->duplicate },
        { "MPI_Comm_free", &mpi->comm_free },
        { "MPI_Comm_rank", &mpi->comm_rank },
        { "MPI_Comm_size", &mpi->comm_size },
        { "MPI_Isend", &mpi->send },
        { "MPI_Irecv", &mpi->receive },
        { "MPI_Test", &mpi->test },
    };
    return !symbols_find(library, all, ARRAY_COUNT(all));
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

/* Room for one more request. */
static kjit_status next_request(MpiEngine *engine, int peer, MpiRequest **request)
{
    if (!memory_more(engine->begun, engine->count, engine->capacity))
        return error_memory();
    engine->begun[engine->count].peer = peer;
    *request = &engine->begun[engine->count].request;
    return KJIT_OK;
}

/* Begins to send bytes to a process, or to receive them, in pieces that an int can count. */
static kjit_status transfer(MpiEngine *engine, int peer, void *data, size_t bytes, bool sends)
{
    const Mpi *mpi = &engine->mpi;
    MpiRequest *request = NULL;

    for (size_t at = 0; at < bytes; engine->count++) {
        int piece = piece_of(bytes - at);
        char *from = (char *)data + at;
        KJIT_TRY(next_request(engine, peer, &request));
        int code = sends ? mpi->send(from, piece, mpi->byte, peer, TAG, mpi->world, request)
                         : mpi->receive(from, piece, mpi->byte, peer, TAG, mpi->world, request);
        if (code != MPI_DONE)
            return failed(sends ? "MPI_Isend" : "MPI_Irecv", code);
        at += (size_t)piece;
    }
    return KJIT_OK;
}

static kjit_status mpi_send(Engine *base, int to, const void *data, size_t bytes)
{
    return transfer((MpiEngine *)base, to, (void *)data, bytes, true);
}

static kjit_status mpi_receive(Engine *base, int from, void *data, size_t bytes)
{
    return transfer((MpiEngine *)base, from, data, bytes, false);
}

/* Takes what notes have come: the first rank whose note says why it failed, else -1. */
static int take_notes(MpiEngine *engine)
{
    for (int r = 0; engine->ended && r < engine->base.ranks; r++) {
        int done = 0;
        if (r == engine->base.rank || engine->ended[r])
            continue;
        int code = engine->mpi.test(&engine->noting[r], &done, engine->mpi.no_status);
        if (code != MPI_DONE || !done)
            continue;
        engine->ended[r] = (int64_t)clock_ms() + 1;
        if (engine->notes[r].text[0])
            return r;
    }
    return -1;
}

/* The message of another process that has failed, with its rank. */
static kjit_status look_for_notes(MpiEngine *engine)
{
    static const char mark[] = "error: ";
    int r = take_notes(engine);

    if (r < 0)
        return KJIT_OK;
    engine->noted = true;
    const Note *note = &engine->notes[r];
    const char *text = note->text + (strncmp(note->text, mark, strlen(mark)) ? 0 : strlen(mark));
    if (note->lost)
        engine->peers.lost = note->lost;
    bool named = strncmp(text, "rank ", strlen("rank ")) == 0;
    return named ? error_set(KJIT_LAUNCH, "error: %s", text)
                 : error_set(KJIT_LAUNCH, "error: rank %d: %s", r, text);
}

/* Whether the one that is waited for has closed the group: what it sent before has come by then. */
static kjit_status look_for_end(const MpiEngine *engine, int peer)
{
    enum { STILL_MS = 3000 };
    int64_t since = engine->ended ? engine->ended[peer] : 0;

    if (!since || (int64_t)clock_ms() - since < STILL_MS)
        return KJIT_OK;
    return error_set(KJIT_LAUNCH,
                     "error: rank %d has ended, and rank %d waits for it at %s\n"
                     "note: all ranks are to make the same calls",
                     peer, engine->base.rank, engine->base.course.call);
}

/* Whether others have failed, or are gone. */
static kjit_status mpi_look(Engine *base)
{
    MpiEngine *engine = (MpiEngine *)base;
    int over = 0; /* a program may end MPI before it parts from NCCL */

    engine->mpi.finalized(&over);
    if (over)
        return KJIT_OK;
    KJIT_TRY(look_for_notes(engine));
    return peers_look(&engine->peers, base);
}

static kjit_status mpi_finish(Engine *base)
{
    MpiEngine *engine = (MpiEngine *)base;
    unsigned rounds = 0;
    kjit_status status = KJIT_OK;

    for (size_t at = 0; at < engine->count && status == KJIT_OK; rounds++) {
        int done = 0;
        Begun *begun = &engine->begun[at];
        int code = engine->mpi.test(&begun->request, &done, engine->mpi.no_status);
        at += done != 0;
        if (code != MPI_DONE)
            status = failed("MPI_Test", code);
        else if (!done)
            status = engine_wait(base, rounds);
        if (!done && status == KJIT_OK)
            status = look_for_end(engine, begun->peer);
    }
    engine->count = 0;
    return status;
}

/* A receive for each other process' note. */
static kjit_status await_notes(MpiEngine *engine)
{
    size_t ranks = (size_t)engine->base.ranks;

    engine->notes = memory_zeroed(ranks, sizeof *engine->notes);
    engine->noting = memory_zeroed(ranks, sizeof *engine->noting);
    engine->ended = memory_zeroed(ranks, sizeof *engine->ended);
    if (!engine->notes || !engine->noting || !engine->ended)
        return error_memory();
    for (int r = 0; r < engine->base.ranks; r++) {
        if (r == engine->base.rank)
            continue;
        int code = engine->mpi.receive(&engine->notes[r], sizeof *engine->notes, engine->mpi.byte,
                                       r, TAG_NOTE, engine->mpi.world, &engine->noting[r]);
        if (code != MPI_DONE)
            return failed("MPI_Irecv", code);
    }
    return KJIT_OK;
}

static void send_notes(MpiEngine *engine, const char *message)
{
    Note *note = &engine->notes[engine->base.rank];

    strncpy(note->text, message, sizeof note->text - 1);
    note->lost = engine->peers.lost;
    for (int r = 0; r < engine->base.ranks; r++) {
        MpiRequest request;
        int done = 0;
        if (r == engine->base.rank)
            continue;
        engine->mpi.send(note, sizeof *note, engine->mpi.byte, r, TAG_NOTE, engine->mpi.world,
                         &request);
        for (int i = 0; i < 1000 && !done; i++)
            engine->mpi.test(&request, &done, engine->mpi.no_status);
        engine->noting_others |= !done;
    }
}

enum { ROUNDS = 50000 }; /* of 200 us at most */

static bool all_ended(const MpiEngine *engine)
{
    for (int r = 0; r < engine->base.ranks; r++)
        if (r != engine->base.rank && !engine->ended[r])
            return false;
    return true;
}

/* The notes of others are received before their memory goes; of one that is gone none comes, nor
** of one that was told of a failure. */
static void receive_notes(MpiEngine *engine)
{
    for (unsigned round = 0; round < ROUNDS && !all_ended(engine); round++) {
        if (take_notes(engine) >= 0)
            return;
        engine_pause(round);
    }
}

/* When one of its ranks ends a launcher ends the others: before that rank 0 is to say why, unless
** it is the one that is gone. Where none is, MPI's end waits for it. */
static void outlast_first(MpiEngine *engine)
{
    if (engine->base.rank == 0 || engine->peers.lost == 1)
        return;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (!peers_has(&engine->peers, &engine->base, 0))
            return;
        (void)take_notes(engine); /* its own note is on the way until rank 0 has it */
        engine_pause(round);
    }
}

static void mpi_fail(Engine *base, const char *message)
{
    MpiEngine *engine = (MpiEngine *)base;

    if (engine->noted)
        return;
    engine->noted = true;
    send_notes(engine, message[0] ? message : "it failed");
}

/* At the end all tell one another that nothing has failed, by notes without a text, so that none
** is waited for by MPI. */
static void mpi_close(Engine *base)
{
    MpiEngine *engine = (MpiEngine *)base;
    int over = 0; /* the program may have ended MPI by now */

    engine->mpi.finalized(&over);
    if (!engine->noted && engine->noting && !over) {
        send_notes(engine, "");
        receive_notes(engine);
    }
    if (engine->own && !engine->noted && !over)
        engine->mpi.comm_free(&engine->own);
    if (engine->started && engine->peers.lost && !over)
        outlast_first(engine);
    else if (engine->started && !engine->peers.lost)
        engine->mpi.finalize();
    peers_close(&engine->peers);
    memory_free(engine->begun);
    if (engine->started || over || (all_ended(engine) && !engine->noting_others))
        memory_free(engine->notes); /* else the program's MPI may still write and read there */
    memory_free(engine->noting);
    memory_free(engine->ended);
    memory_free(engine);
}

static const EngineOps mpi_ops = {
    mpi_send, mpi_receive, mpi_finish, mpi_look, mpi_fail, mpi_close
};

/* Bytes of the group are to meet none that the program sends in its communicator. */
static kjit_status take_comm(MpiEngine *engine, const void *comm)
{
    Mpi *mpi = &engine->mpi;
    void *given = NULL; /* of which an int's handle fills the lower half */

    memcpy(&given, comm, mpi->no_status ? sizeof(int) : sizeof given);
    int code = mpi->duplicate(given, &engine->own);
    if (code != MPI_DONE)
        return failed("MPI_Comm_dup", code);
    mpi->world = engine->own;
    return KJIT_OK;
}

static kjit_status start(MpiEngine *engine, const void *comm)
{
    const Mpi *mpi = &engine->mpi;
    int running = 0, code = mpi->initialized(&running);

    if (code == MPI_DONE && !running && comm)
        return error_set(KJIT_ARGUMENT, "error: a communicator of an MPI that does not run yet");
    if (code == MPI_DONE && !running)
        code = mpi->init(NULL, NULL);
    if (code != MPI_DONE)
        return failed("MPI_Init", code);
    engine->started = !running;
    engine->base.ops = &mpi_ops;
    if (comm)
        KJIT_TRY(take_comm(engine, comm));
    if (mpi->comm_rank(mpi->world, &engine->base.rank) != MPI_DONE ||
        mpi->comm_size(mpi->world, &engine->base.ranks) != MPI_DONE)
        return failed("MPI_Comm_rank", code);
    KJIT_TRY(await_notes(engine));
    return peers_open(&engine->peers, &engine->base);
}

kjit_status engine_mpi(const void *comm, Engine **out)
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
        status = start(engine, comm);
    else
        status = error_set(KJIT_NO_DEVICE, "error: the MPI library lacks functions of MPI's");
    if (status == KJIT_OK) {
        *out = &engine->base;
        return KJIT_OK;
    }
    peers_close(&engine->peers); /* notes may be received yet: their memory stays */
    memory_free(engine->noting);
    memory_free(engine->ended);
    memory_free(engine);
    return status;
}
