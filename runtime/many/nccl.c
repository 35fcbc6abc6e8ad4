/* GPUs of several processes by NVIDIA's NCCL, which is loaded while kjit runs: KJIT_NCCL names it,
** else it is libnccl.so.2 wherever the loader finds it, as in the folder of PyPI's nvidia-nccl-cu12
** or -cu13 on LD_LIBRARY_PATH, or loaded already by the program (PyTorch). Sends and
** receives alone are used; whether bytes go over NVLink or a network is NCCL's choice.
**
** Its calls block where they connect processes, which are opening and the first exchange of two of
** them, and where processes part. These a thread of their own makes, while the caller looks whether
** another process has failed. Later exchanges only give work to the GPU; with a communicator that
** does not block NCCL would start a thread for each.
**
** KJIT_NCCL=none does without: then bytes go through the host. */
#include "runtime/many/engine.h"

#include <dlfcn.h>
#include <pthread.h>

enum { NCCL_DONE = 0, NCCL_IN_PROGRESS = 7, NCCL_BYTE = 1 };

/* ncclUniqueId */
typedef struct NcclId {
    char bytes[128];
} NcclId;

/* The beginning of ncclConfig_t, as 2.14 has it; its size says that the rest is as usual. */
typedef struct NcclConfig {
    size_t size;
    unsigned magic, version;
    int blocking;
} NcclConfig;

typedef struct Nccl {
    const char *(*error)(int result);
    int (*unique_id)(NcclId *id);
    int (*init)(void **comm, int ranks, NcclId id, int rank, const NcclConfig *config);
    int (*state)(void *comm, int *result);
    int (*destroy)(void *comm);
    int (*abort)(void *comm);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *data, size_t count, int type, int to, void *comm, void *stream);
    int (*receive)(void *data, size_t count, int type, int from, void *comm, void *stream);
} Nccl;

typedef struct WireMove {
    const void *from; /* what is sent; NULL: it is received */
    void *to, *stream;
    size_t bytes;
    int peer;
} WireMove;

struct Wire {
    Nccl nccl;
    Engine *engine;
    Device *device;
    NcclId id;
    int rank, ranks;
    void *comm; /* NULL: it has been aborted */
    bool *met;  /* by rank: sent to it, received from it */
    WireMove *moves;
    size_t count, capacity;
    void (*work)(Wire *wire); /* what the thread of its own does */
    _Atomic bool begun, done;
    bool left; /* that thread may still be at it, with what is here but engine and device */
    int result;
    const char *call; /* that failed, or was the last one */
};

/* ---- the library ----------------------------------------------------------------------------- */

static bool find_all(void *library, Nccl *nccl)
{
    const WantedSymbol all[] = {
        { "ncclGetErrorString", &nccl->error },
        { "ncclGetUniqueId", &nccl->unique_id },
        { "ncclCommInitRankConfig", &nccl->init },
        { "ncclCommGetAsyncError", &nccl->state },
        { "ncclCommAbort", &nccl->abort },
        { "ncclCommDestroy", &nccl->destroy },
        { "ncclGroupStart", &nccl->group_start },
        { "ncclGroupEnd", &nccl->group_end },
        { "ncclSend", &nccl->send },
        { "ncclRecv", &nccl->receive },
    };
    return !symbols_find(library, all, ARRAY_COUNT(all));
}

static kjit_status load(Nccl *nccl, bool *there)
{
    const char *named = getenv("KJIT_NCCL");

    *there = false;
    if (named && strcmp(named, "none") == 0)
        return KJIT_OK;
    bool asked = named && *named;
    void *library = dlopen(asked ? named : "libnccl.so.2", RTLD_NOW | RTLD_GLOBAL);
    *there = library && find_all(library, nccl);
    if (asked && !*there)
        return error_set(KJIT_NO_DEVICE, "error: KJIT_NCCL=%s is no NCCL that can be loaded%s%s",
                         named, library ? "" : ": ", library ? "" : dlerror());
    return KJIT_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool has_failed(const Wire *wire)
{
    return wire->result != NCCL_DONE && wire->result != NCCL_IN_PROGRESS;
}

/* Notes what a call gave, unless one failed before. */
static void note(Wire *wire, int result, const char *call)
{
    if (has_failed(wire))
        return;
    wire->result = result;
    wire->call = call;
}

/* Where NCCL_COMM_BLOCKING=0 has it not block, calls are in progress for some time. */
static kjit_status nccl_await(Wire *wire)
{
    for (unsigned round = 0; wire->result == NCCL_IN_PROGRESS; round++) {
        int failed = wire->nccl.state(wire->comm, &wire->result);
        wire->result = failed == NCCL_DONE ? wire->result : failed;
        if (wire->result == NCCL_IN_PROGRESS)
            KJIT_TRY(engine_wait(wire->engine, round));
    }
    return has_failed(wire) ? error_set(KJIT_LAUNCH, "error: %s failed: %s", wire->call,
                                        wire->nccl.error(wire->result))
                            : KJIT_OK;
}

static void *work_apart(void *data)
{
    Wire *wire = data;
    Device *device = wire->device;
    void *current = NULL;

    if (device->ops->enter)
        (void)device->ops->enter(device, &current); /* for as long as the thread lives */
    atomic_store(&wire->begun, true);
    wire->work(wire);
    atomic_store(&wire->done, true);
    return NULL;
}

/* Has a thread do what waits for other processes, unless one of them fails: then it is left behind,
** because NCCL itself would wait for ever. */
static kjit_status await_apart(Wire *wire, void (*work)(Wire *wire))
{
    pthread_t thread;
    kjit_status status = KJIT_OK;

    wire->work = work;
    wire->begun = wire->done = false;
    if (pthread_create(&thread, NULL, work_apart, wire) != 0)
        return error_set(KJIT_MEMORY, "error: there is no room for another thread");
    for (unsigned round = 0; status == KJIT_OK && !atomic_load(&wire->done); round++)
        status = engine_wait(wire->engine, round);
    for (unsigned round = 0; !atomic_load(&wire->begun); round++)
        engine_pause(round);
    wire->left = status != KJIT_OK;
    if (wire->left)
        pthread_detach(thread);
    else
        pthread_join(thread, NULL);
    return wire->left ? status : nccl_await(wire);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Whether all processes have what they need. */
static kjit_status all_have(Engine *engine, bool own, bool *all)
{
    char *answers = memory_zeroed((size_t)engine->ranks, 1), answer = (char)own;

    if (!answers)
        return error_memory();
    kjit_status status = engine_all(engine, &answer, 1, answers);
    *all = true;
    for (int r = 0; r < engine->ranks; r++)
        *all &= answers[r] != 0;
    memory_free(answers);
    return status;
}

/* The first process makes a name for all of them. */
static kjit_status share_id(Engine *engine, Wire *wire)
{
    NcclId *ids = memory_zeroed((size_t)engine->ranks, sizeof *ids), own = { { 0 } };
    int made = engine->rank ? NCCL_DONE : wire->nccl.unique_id(&own);

    if (!ids)
        return error_memory();
    kjit_status status = engine_all(engine, &own, sizeof own, ids);
    wire->id = ids[0];
    memory_free(ids);
    if (status != KJIT_OK)
        return status;
    note(wire, made, "ncclGetUniqueId");
    return nccl_await(wire);
}

/* Two ranks of one GPU cannot talk by NCCL. */
static bool own_gpu(const Device *device)
{
    return !device_is_gpu(device) || launcher_local_ranks() <= kjit_gpu_count();
}

static void connect(Wire *wire)
{
    static const NcclConfig config = { offsetof(NcclConfig, blocking) + sizeof(int), 0xcafebeef,
                                       21400, .blocking = 1 };

    note(wire, wire->nccl.init(&wire->comm, wire->ranks, wire->id, wire->rank, &config),
         "ncclCommInitRankConfig");
}

bool gpu_wire_serves_hosts(void)
{
    const char *said = getenv("KJIT_NCCL_HOST");
    return said && strcmp(said, "1") == 0;
}

kjit_status gpu_wire_open(Engine *engine, Device *device, Wire **out)
{
    Wire *wire = memory_zeroed(1, sizeof *wire);
    bool there = false, all = false;

    *out = NULL;
    if (!wire)
        return error_memory();
    wire->device = device;
    wire->engine = engine;
    wire->rank = engine->rank;
    wire->ranks = engine->ranks;
    wire->met = memory_zeroed(2 * (size_t)engine->ranks, sizeof *wire->met);
    kjit_status status = wire->met ? load(&wire->nccl, &there) : error_memory();
    if (status == KJIT_OK)
        status = all_have(engine, there && own_gpu(device), &all);
    if (status == KJIT_OK && all)
        status = share_id(engine, wire);
    if (status == KJIT_OK && all)
        status = await_apart(wire, connect);
    if (status == KJIT_OK && all) {
        *out = wire;
        return KJIT_OK;
    }
    gpu_wire_abort(wire);
    gpu_wire_close(wire);
    return status;
}

static void disconnect(Wire *wire)
{
    wire->nccl.destroy(wire->comm);
    wire->result = NCCL_DONE; /* there is no communicator left to ask */
}

void gpu_wire_close(Wire *wire)
{
    if (!wire || wire->left || (wire->comm && await_apart(wire, disconnect) != KJIT_OK))
        return;
    memory_free(wire->met);
    memory_free(wire->moves);
    memory_free(wire);
}

void gpu_wire_abort(Wire *wire)
{
    if (!wire || wire->left || !wire->comm)
        return;
    wire->nccl.abort(wire->comm);
    wire->comm = NULL;
}

/* ---- exchanges ------------------------------------------------------------------------------- */

void gpu_wire_begin(Wire *wire)
{
    wire->count = 0;
}

static kjit_status add(Wire *wire, const WireMove *move)
{
    if (!memory_more(wire->moves, wire->count, wire->capacity))
        return error_memory();
    wire->moves[wire->count++] = *move;
    return KJIT_OK;
}

kjit_status gpu_wire_send(Wire *wire, int to, const void *data, size_t bytes, void *stream)
{
    return add(wire, &(WireMove){ .from = data, .stream = stream, .bytes = bytes, .peer = to });
}

kjit_status gpu_wire_receive(Wire *wire, int from, void *data, size_t bytes, void *stream)
{
    return add(wire, &(WireMove){ .to = data, .stream = stream, .bytes = bytes, .peer = from });
}

static void exchange(Wire *wire)
{
    const Nccl *nccl = &wire->nccl;

    note(wire, nccl->group_start(), "ncclGroupStart");
    for (size_t i = 0; i < wire->count && !has_failed(wire); i++) {
        const WireMove *move = &wire->moves[i];
        if (move->from)
            note(wire,
                 nccl->send(move->from, move->bytes, NCCL_BYTE, move->peer, wire->comm,
                            move->stream),
                 "ncclSend");
        else
            note(wire,
                 nccl->receive(move->to, move->bytes, NCCL_BYTE, move->peer, wire->comm,
                               move->stream),
                 "ncclRecv");
    }
    note(wire, nccl->group_end(), "ncclGroupEnd");
}

static bool *met_of(const Wire *wire, const WireMove *move)
{
    return &wire->met[2 * move->peer + !move->from];
}

bool gpu_wire_connects(const Wire *wire)
{
    for (size_t i = 0; i < wire->count; i++)
        if (!*met_of(wire, &wire->moves[i]))
            return true;
    return false;
}

kjit_status gpu_wire_end(Wire *wire)
{
    if (!wire->comm || wire->left)
        return error_set(KJIT_LAUNCH, "error: a launch over ranks of which one has failed before");
    if (!gpu_wire_connects(wire)) {
        exchange(wire);
        return nccl_await(wire);
    }
    KJIT_TRY(await_apart(wire, exchange));
    for (size_t i = 0; i < wire->count; i++)
        *met_of(wire, &wire->moves[i]) = true;
    return KJIT_OK;
}
