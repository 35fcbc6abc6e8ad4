/* Whether the other ranks of this host are still there: waiting for one that is not would last for
** ever. Launchers end the ranks of a program when one of them dies, but not when one has been
** stopped, and not all launchers do. */
#include "runtime/many/engine.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum { LOOK_MS = 500, STOPPED_MS = 5000, ASLEEP_MS = 3000 };

/* Where a number of a process means the same: a host that runs, and a namespace of it. */
static void place_of(Peer *peer)
{
    char boot[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    ssize_t length = readlink("/proc/self/ns/pid", peer->space, sizeof peer->space - 1);

    peer->space[length > 0 ? length : 0] = '\0';
    if (file && fgets(boot, sizeof boot, file) && length > 0)
        memcpy(peer->boot, boot, sizeof peer->boot - 1);
    if (file)
        fclose(file);
    peer->process = (int64_t)getpid();
}

kjit_status peers_open(Peers *peers, Engine *engine)
{
    Peer own = { 0 };

    place_of(&own);
    peers->list = memory_zeroed((size_t)engine->ranks, sizeof *peers->list);
    peers->stopped = memory_zeroed((size_t)engine->ranks, sizeof *peers->stopped);
    if (!peers->list || !peers->stopped)
        return error_memory();
    return engine_all(engine, &own, sizeof own, peers->list);
}

void peers_close(Peers *peers)
{
    memory_free(peers->list);
    memory_free(peers->stopped);
}

/* The letter that Linux has for what a process does; 0: there is none. */
static char state_of(int64_t process)
{
    char path[48], text[256] = "";

    if (kill((pid_t)process, 0) != 0 && errno == ESRCH)
        return 0;
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)process);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    const char *behind = strrchr(text, ')'); /* of its name */
    return behind && behind[1] ? behind[2] : '?';
}

static bool has_ended(char state)
{
    return !state || state == 'Z' || state == 'X';
}

static bool is_near(const Peer *peer, const Peer *own)
{
    return strcmp(peer->boot, own->boot) == 0 && strcmp(peer->space, own->space) == 0;
}

static kjit_status lost(Peers *peers, int rank, const char *what)
{
    peers->lost = rank + 1;
    return error_set(KJIT_LAUNCH, "error: rank %d %s (process %lld), and others wait for it", rank,
                     what, (long long)peers->list[rank].process);
}

static kjit_status look_at(Peers *peers, int rank, int64_t now)
{
    char state = state_of(peers->list[rank].process);

    if (has_ended(state))
        return lost(peers, rank, "has died");
    if (state != 'T') {
        peers->stopped[rank] = 0;
        return KJIT_OK;
    }
    if (!peers->stopped[rank])
        peers->stopped[rank] = now;
    return now - peers->stopped[rank] < STOPPED_MS ? KJIT_OK : lost(peers, rank, "is stopped");
}

kjit_status peers_look(Peers *peers, const Engine *engine)
{
    const Peer *own = peers->list ? &peers->list[engine->rank] : NULL;
    int64_t now = (int64_t)clock_ms(), before = peers->looked;

    if (!own || !own->boot[0] || now - before < LOOK_MS)
        return KJIT_OK;
    peers->looked = now;
    if (now - before > ASLEEP_MS) /* all were stopped together, or this is the first look */
        memset(peers->stopped, 0, (size_t)engine->ranks * sizeof *peers->stopped);
    for (int r = 0; r < engine->ranks; r++)
        if (r != engine->rank && is_near(&peers->list[r], own))
            KJIT_TRY(look_at(peers, r, now));
    return KJIT_OK;
}

bool peers_has(const Peers *peers, const Engine *engine, int rank)
{
    const Peer *own = &peers->list[engine->rank], *peer = &peers->list[rank];
    return !own->boot[0] || !is_near(peer, own) || !has_ended(state_of(peer->process));
}
