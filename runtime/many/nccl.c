/* GPUs of several processes by NVIDIA's NCCL, which is loaded while kjit runs: KJIT_NCCL names it,
** else it is libnccl.so.2 wherever the loader finds it, as in the folder of PyPI's nvidia-nccl-cu12
** or -cu13 on LD_LIBRARY_PATH, or loaded already by the program (PyTorch). Sends and
** receives alone are used; whether bytes go over NVLink or a network is NCCL's choice.
**
** KJIT_NCCL=none does without: then bytes go through the host. */
#include "runtime/many/engine.h"

#include <dlfcn.h>

enum { NCCL_DONE = 0, NCCL_IN_PROGRESS = 7, NCCL_BYTE = 1 };

/* ncclUniqueId */
typedef struct NcclId {
    char bytes[128];
} NcclId;

/* The beginning of ncclConfig_t, as 2.14 has it; its size says that the rest is as usual. Calls
** that need other processes do not wait for them where it does not block. */
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

struct Wire {
    Nccl nccl;
    Engine *engine;
    void *comm; /* NULL: it has been aborted */
    Device *device;
};

/* ---- the library ----------------------------------------------------------------------------- */

static bool find_all(void *library, Nccl *nccl)
{
    return engine_symbol(library, "ncclGetErrorString", &nccl->error) &&
           engine_symbol(library, "ncclGetUniqueId", &nccl->unique_id) &&
           engine_symbol(library, "ncclCommInitRankConfig", &nccl->init) &&
           engine_symbol(library, "ncclCommGetAsyncError", &nccl->state) &&
           engine_symbol(library, "ncclCommAbort", &nccl->abort) &&
           engine_symbol(library, "ncclCommDestroy", &nccl->destroy) &&
           engine_symbol(library, "ncclGroupStart", &nccl->group_start) &&
           engine_symbol(library, "ncclGroupEnd", &nccl->group_end) &&
           engine_symbol(library, "ncclSend", &nccl->send) &&
           engine_symbol(library, "ncclRecv", &nccl->receive);
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

static kjit_status nccl_check(const Wire *wire, int result, const char *call)
{
    if (result == NCCL_DONE || result == NCCL_IN_PROGRESS)
        return KJIT_OK;
    return error_set(KJIT_LAUNCH, "error: %s failed: %s", call, wire->nccl.error(result));
}

/* Waits for a call that may need other processes to make it, too, unless one of them has failed:
** NCCL itself would wait for ever. */
static kjit_status nccl_await(const Wire *wire, int result, const char *call)
{
    kjit_status status = KJIT_OK;

    for (unsigned round = 0; result == NCCL_IN_PROGRESS && status == KJIT_OK; round++) {
        int failed = wire->nccl.state(wire->comm, &result);
        result = failed == NCCL_DONE ? result : failed;
        if (result == NCCL_IN_PROGRESS)
            status = engine_wait(wire->engine, round);
    }
    return status == KJIT_OK ? nccl_check(wire, result, call) : status;
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
static kjit_status share_id(Engine *engine, const Wire *wire, NcclId *id)
{
    NcclId *ids = memory_zeroed((size_t)engine->ranks, sizeof *ids), own = { { 0 } };
    int made = engine->rank ? NCCL_DONE : wire->nccl.unique_id(&own);

    if (!ids)
        return error_memory();
    kjit_status status = engine_all(engine, &own, sizeof own, ids);
    *id = ids[0];
    memory_free(ids);
    return status == KJIT_OK ? nccl_check(wire, made, "ncclGetUniqueId") : status;
}

/* Two ranks of one GPU cannot talk by NCCL. */
static bool own_gpu(const Device *device)
{
    return !device_is_gpu(device) || launcher_local_ranks() <= kjit_gpu_count();
}

static kjit_status connect(Wire *wire, NcclId id)
{
    static const NcclConfig config = { offsetof(NcclConfig, blocking) + sizeof(int), 0xcafebeef,
                                       21400, .blocking = 0 };
    Device *device = wire->device;
    Engine *engine = wire->engine;
    void *current = NULL;

    kjit_status status = device->ops->enter ? device->ops->enter(device, &current) : KJIT_OK;
    if (status == KJIT_OK)
        status =
            nccl_await(wire, wire->nccl.init(&wire->comm, engine->ranks, id, engine->rank, &config),
                       "ncclCommInitRankConfig");
    if (device->ops->enter)
        device->ops->leave(device, current);
    return status;
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
    NcclId id;

    *out = NULL;
    if (!wire)
        return error_memory();
    wire->device = device;
    wire->engine = engine;
    kjit_status status = load(&wire->nccl, &there);
    if (status == KJIT_OK)
        status = all_have(engine, there && own_gpu(device), &all);
    if (status == KJIT_OK && all)
        status = share_id(engine, wire, &id);
    if (status == KJIT_OK && all)
        status = connect(wire, id);
    if (status == KJIT_OK && all) {
        *out = wire;
        return KJIT_OK;
    }
    gpu_wire_abort(wire);
    memory_free(wire);
    return status;
}

void gpu_wire_close(Wire *wire)
{
    if (!wire)
        return;
    if (wire->comm)
        wire->nccl.destroy(wire->comm);
    memory_free(wire);
}

void gpu_wire_abort(Wire *wire)
{
    if (!wire || !wire->comm)
        return;
    wire->nccl.abort(wire->comm);
    wire->comm = NULL;
}

/* ---- exchanges ------------------------------------------------------------------------------- */

kjit_status gpu_wire_begin(Wire *wire)
{
    if (!wire->comm)
        return error_set(KJIT_LAUNCH, "error: a launch over ranks of which one has failed before");
    return nccl_check(wire, wire->nccl.group_start(), "ncclGroupStart");
}

kjit_status gpu_wire_send(Wire *wire, int to, const void *data, size_t bytes, void *stream)
{
    return nccl_check(wire, wire->nccl.send(data, bytes, NCCL_BYTE, to, wire->comm, stream),
                      "ncclSend");
}

kjit_status gpu_wire_receive(Wire *wire, int from, void *data, size_t bytes, void *stream)
{
    return nccl_check(wire, wire->nccl.receive(data, bytes, NCCL_BYTE, from, wire->comm, stream),
                      "ncclRecv");
}

kjit_status gpu_wire_end(Wire *wire)
{
    return nccl_await(wire, wire->nccl.group_end(), "ncclGroupEnd");
}
