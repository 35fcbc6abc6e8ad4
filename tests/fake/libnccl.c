/* An NCCL that only pretends: sends and receives of plain memory among the processes of this host,
** by files in a folder that the id names. It takes sizes that do not match for a failure, and
** nothing outside of a group. A group waits until what it sends and receives has been received, or
** where NCCL_COMM_BLOCKING=0 is in progress until then. FAKE_NCCL_CALLS names a file that gets a
** line for each group that has ended: how much was sent, and received. FAKE_NCCL_FAIL is a rank
** whose sends and receives fail. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { DONE = 0, FAILED = 3, MISUSED = 5, IN_PROGRESS = 7, BYTE = 1 };
enum { RANKS = 64, OPS = 4096, NAME = 256 };

typedef struct Id {
    char bytes[128];
} Id;

typedef struct Comm {
    char folder[128];
    int rank, ranks;
    long sent[RANKS], received[RANKS];
} Comm;

/* The beginning of ncclConfig_t. */
typedef struct Config {
    size_t size;
    unsigned magic, version;
    int blocking;
} Config;

typedef struct Op {
    Comm *comm;
    const char *from;
    char *to; /* NULL: it sends */
    size_t bytes;
    int peer;
    long number; /* of what goes there, or comes from there */
    bool done;
} Op;

EXPORT const char *ncclGetErrorString(int result);
EXPORT int ncclGetUniqueId(Id *id);
EXPORT int ncclCommInitRankConfig(void **out, int ranks, Id id, int rank, const Config *config);
EXPORT int ncclCommGetAsyncError(void *comm, int *state);
EXPORT int ncclCommDestroy(void *comm);
EXPORT int ncclCommAbort(void *comm);
EXPORT int ncclGroupStart(void);
EXPORT int ncclSend(const void *data, size_t bytes, int type, int to, void *comm, void *stream);
EXPORT int ncclRecv(void *data, size_t bytes, int type, int from, void *comm, void *stream);
EXPORT int ncclGroupEnd(void);

static Op ops[OPS];
static int count, depth;

EXPORT const char *ncclGetErrorString(int result)
{
    return result == MISUSED ? "invalid usage" : result ? "internal error" : "no error";
}

EXPORT int ncclGetUniqueId(Id *id)
{
    const char *base = getenv("TMPDIR");

    memset(id, 0, sizeof *id);
    snprintf(id->bytes, sizeof id->bytes, "%s/nccl-XXXXXX", base ? base : "/tmp");
    return mkdtemp(id->bytes) ? DONE : FAILED;
}

EXPORT int ncclCommInitRankConfig(void **out, int ranks, Id id, int rank, const Config *config)
{
    Comm *comm = calloc(1, sizeof *comm);

    if (!comm || ranks > RANKS || rank < 0 || rank >= ranks || config->magic != 0xcafebeef ||
        config->size < offsetof(Config, blocking) + sizeof(int) || !config->blocking)
        return MISUSED;
    memcpy(comm->folder, id.bytes, sizeof comm->folder);
    comm->rank = rank;
    comm->ranks = ranks;
    *out = comm;
    return access(comm->folder, W_OK) == 0 ? DONE : FAILED;
}

static void sign_of(char path[NAME], const Comm *comm, const char *what, int rank)
{
    snprintf(path, NAME, "%s/%s.%d", comm->folder, what, rank);
}

static void sign(const Comm *comm, const char *what)
{
    char path[NAME];

    sign_of(path, comm, what, comm->rank);
    FILE *file = fopen(path, "w");
    if (file)
        fclose(file);
}

/* Waits until all have put it. */
static void await_all(const Comm *comm, const char *what)
{
    for (int rank = 0; rank < comm->ranks; rank++) {
        char path[NAME];
        sign_of(path, comm, what, rank);
        while (access(path, F_OK) != 0)
            usleep(200);
    }
}

static void remove_all(const Comm *comm, const char *what)
{
    for (int rank = 0; rank < comm->ranks; rank++) {
        char path[NAME];
        sign_of(path, comm, what, rank);
        unlink(path);
    }
}

/* As NCCL's it waits for the other processes of the host, where it has connected them. */
EXPORT int ncclCommDestroy(void *data)
{
    Comm *comm = data;

    sign(comm, "parts");
    await_all(comm, "parts");
    sign(comm, "parted");
    if (comm->rank == 0) {
        await_all(comm, "parted");
        remove_all(comm, "parts");
        remove_all(comm, "parted");
        rmdir(comm->folder);
    }
    free(comm);
    return DONE;
}

EXPORT int ncclCommAbort(void *comm)
{
    count = 0;
    rmdir(((Comm *)comm)->folder); /* the last one can */
    free(comm);
    return DONE;
}

EXPORT int ncclGroupStart(void)
{
    depth++;
    return DONE;
}

static int add(Op op, int type)
{
    if (depth != 1 || type != BYTE || count == OPS || op.peer < 0 || op.peer >= op.comm->ranks ||
        op.peer == op.comm->rank)
        return MISUSED;
    const char *fails = getenv("FAKE_NCCL_FAIL");
    if (fails && atoi(fails) == op.comm->rank)
        return FAILED;
    ops[count++] = op;
    return DONE;
}

EXPORT int ncclSend(const void *data, size_t bytes, int type, int to, void *comm, void *stream)
{
    (void)stream;
    return add((Op){ .comm = comm, .from = data, .bytes = bytes, .peer = to }, type);
}

EXPORT int ncclRecv(void *data, size_t bytes, int type, int from, void *comm, void *stream)
{
    (void)stream;
    return add((Op){ .comm = comm, .to = data, .bytes = bytes, .peer = from }, type);
}

static void name_of(const Op *op, char name[NAME])
{
    const Comm *comm = op->comm;
    snprintf(name, NAME, "%s/%d-%d-%ld", comm->folder, op->to ? op->peer : comm->rank,
             op->to ? comm->rank : op->peer, op->number);
}

static int put(const Op *op)
{
    char name[NAME], hidden[NAME + 8];

    name_of(op, name);
    snprintf(hidden, sizeof hidden, "%s.part", name);
    FILE *file = fopen(hidden, "wb");
    if (!file)
        return FAILED;
    size_t written = fwrite(op->from, 1, op->bytes, file);
    return fclose(file) == 0 && written == op->bytes && rename(hidden, name) == 0 ? DONE : FAILED;
}

static int get(Op *op)
{
    char name[NAME];
    struct stat status;

    name_of(op, name);
    FILE *file = fopen(name, "rb");
    if (!file)
        return DONE; /* not yet */
    size_t read = fread(op->to, 1, op->bytes, file);
    int stated = fstat(fileno(file), &status);
    fclose(file);
    unlink(name);
    op->done = true;
    return stated == 0 && read == op->bytes && (size_t)status.st_size == op->bytes ? DONE : MISUSED;
}

/* What is sent is gone when it has been received. */
static int look_after(Op *op)
{
    char name[NAME];

    if (op->to)
        return get(op);
    name_of(op, name);
    op->done = access(name, F_OK) != 0;
    return DONE;
}

static int begin(Op *op)
{
    long *numbers = op->to ? op->comm->received : op->comm->sent;

    op->number = numbers[op->peer]++;
    return op->to ? DONE : put(op);
}

EXPORT int ncclCommGetAsyncError(void *comm, int *state)
{
    (void)comm;
    *state = DONE;
    for (int i = 0; i < count; i++) {
        int result = ops[i].done ? DONE : look_after(&ops[i]);
        if (result != DONE || !ops[i].done)
            *state = result != DONE ? result : IN_PROGRESS;
    }
    if (*state != IN_PROGRESS)
        count = 0;
    usleep(count ? 100 : 0);
    return DONE;
}

static void note(size_t sent, size_t received)
{
    const char *name = getenv("FAKE_NCCL_CALLS");
    FILE *file = name ? fopen(name, "a") : NULL;

    if (!file)
        return;
    fprintf(file, "%zu %zu\n", sent, received);
    fclose(file);
}

EXPORT int ncclGroupEnd(void)
{
    int result = DONE;
    size_t sent = 0, received = 0;

    if (--depth)
        return depth < 0 ? MISUSED : DONE;
    for (int i = 0; i < count && result == DONE; i++) {
        *(ops[i].to ? &received : &sent) += ops[i].bytes;
        result = begin(&ops[i]);
    }
    note(sent, received);
    const char *blocking = getenv("NCCL_COMM_BLOCKING");
    result = result == DONE && count ? IN_PROGRESS : result;
    while (result == IN_PROGRESS && (!blocking || *blocking != '0'))
        ncclCommGetAsyncError(NULL, &result);
    return result;
}
