/* An NCCL that only pretends: sends and receives of plain memory among the processes of this host,
** by files in a folder that the id names. It takes sizes that do not match for a failure, and
** nothing outside of a group. FAKE_NCCL_CALLS names a file that gets a line for each group that has
** ended: how much was sent, and received. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { DONE = 0, FAILED = 3, MISUSED = 5, BYTE = 1, RANKS = 64, OPS = 4096, NAME = 256 };

typedef struct Id {
    char bytes[128];
} Id;

typedef struct Comm {
    char folder[128];
    int rank, ranks;
    long sent[RANKS], received[RANKS];
} Comm;

typedef struct Op {
    Comm *comm;
    const char *from;
    char *to; /* NULL: it sends */
    size_t bytes;
    int peer;
} Op;

EXPORT const char *ncclGetErrorString(int result);
EXPORT int ncclGetUniqueId(Id *id);
EXPORT int ncclCommInitRank(void **out, int ranks, Id id, int rank);
EXPORT int ncclCommDestroy(void *comm);
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

EXPORT int ncclCommInitRank(void **out, int ranks, Id id, int rank)
{
    Comm *comm = calloc(1, sizeof *comm);

    if (!comm || ranks > RANKS || rank < 0 || rank >= ranks)
        return MISUSED;
    memcpy(comm->folder, id.bytes, sizeof comm->folder);
    comm->rank = rank;
    comm->ranks = ranks;
    *out = comm;
    return access(comm->folder, W_OK) == 0 ? DONE : FAILED;
}

EXPORT int ncclCommDestroy(void *comm)
{
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
    ops[count++] = op;
    return DONE;
}

EXPORT int ncclSend(const void *data, size_t bytes, int type, int to, void *comm, void *stream)
{
    (void)stream;
    return add((Op){ comm, data, NULL, bytes, to }, type);
}

EXPORT int ncclRecv(void *data, size_t bytes, int type, int from, void *comm, void *stream)
{
    (void)stream;
    return add((Op){ comm, NULL, data, bytes, from }, type);
}

static int put(const Op *op)
{
    char name[NAME], hidden[NAME + 8];
    Comm *comm = op->comm;

    snprintf(name, sizeof name, "%s/%d-%d-%ld", comm->folder, comm->rank, op->peer,
             comm->sent[op->peer]++);
    snprintf(hidden, sizeof hidden, "%s.part", name);
    FILE *file = fopen(hidden, "wb");
    if (!file)
        return FAILED;
    size_t written = fwrite(op->from, 1, op->bytes, file);
    return fclose(file) == 0 && written == op->bytes && rename(hidden, name) == 0 ? DONE : FAILED;
}

static int get(const Op *op)
{
    enum { PATIENCE = 60 * 10000 }; /* pauses: a minute at the least */
    char name[NAME];
    Comm *comm = op->comm;
    struct stat status;
    FILE *file = NULL;

    snprintf(name, sizeof name, "%s/%d-%d-%ld", comm->folder, op->peer, comm->rank,
             comm->received[op->peer]++);
    for (int i = 0; i < PATIENCE && !(file = fopen(name, "rb")); i++)
        usleep(100);
    if (!file)
        return FAILED;
    size_t read = fread(op->to, 1, op->bytes, file);
    int stated = fstat(fileno(file), &status);
    fclose(file);
    unlink(name);
    return stated == 0 && read == op->bytes && (size_t)status.st_size == op->bytes ? DONE : MISUSED;
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
        sent += ops[i].to ? 0 : ops[i].bytes;
        result = ops[i].to ? DONE : put(&ops[i]);
    }
    for (int i = 0; i < count && result == DONE; i++) {
        received += ops[i].to ? ops[i].bytes : 0;
        result = ops[i].to ? get(&ops[i]) : DONE;
    }
    count = 0;
    note(sent, received);
    return result;
}
