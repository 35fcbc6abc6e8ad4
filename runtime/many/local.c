/* Ranks that are threads of one process. Who sends waits until its bytes are taken, so that nothing
** is kept between. */
#include "runtime/many/engine.h"

#include <pthread.h>
#include <string.h>

/* What one rank has for another. */
typedef struct Letter {
    const void *data; /* NULL: nothing */
    size_t bytes;
    bool taken;
} Letter;

/* What all engines of a group share. */
typedef struct Hub {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ranks, open;
    Letter *letters; /* [from][to] */
    /* of all(): who has come, how often all have, and their bytes */
    int came;
    unsigned round;
    char *room[2]; /* by turns, so that the next does not wait for who still reads */
    size_t size[2];
} Hub;

typedef struct LocalEngine {
    Engine base;
    Hub *hub;
} LocalEngine;

static Letter *letter(const Hub *hub, int from, int to)
{
    return &hub->letters[(size_t)from * (size_t)hub->ranks + (size_t)to];
}

static kjit_status local_send(Engine *base, int to, const void *data, size_t bytes)
{
    Hub *hub = ((LocalEngine *)base)->hub;
    Letter *own = letter(hub, base->rank, to);

    pthread_mutex_lock(&hub->lock);
    *own = (Letter){ data, bytes, false };
    pthread_cond_broadcast(&hub->changed);
    while (!own->taken)
        pthread_cond_wait(&hub->changed, &hub->lock);
    own->data = NULL;
    pthread_mutex_unlock(&hub->lock);
    return KJIT_OK;
}

static kjit_status local_receive(Engine *base, int from, void *data, size_t bytes)
{
    Hub *hub = ((LocalEngine *)base)->hub;
    Letter *other = letter(hub, from, base->rank);
    kjit_status status = KJIT_OK;

    pthread_mutex_lock(&hub->lock);
    while (!other->data || other->taken)
        pthread_cond_wait(&hub->changed, &hub->lock);
    if (other->bytes == bytes)
        memcpy(data, other->data, bytes);
    else
        status = error_set(KJIT_INTERNAL, "error: rank %d sends %zu bytes where %zu are expected",
                           from, other->bytes, bytes);
    other->taken = true;
    pthread_cond_broadcast(&hub->changed);
    pthread_mutex_unlock(&hub->lock);
    return status;
}

/* Room for what all ranks say in this round. */
static bool make_room(Hub *hub, unsigned which, size_t bytes)
{
    if (hub->size[which] >= bytes)
        return true;
    char *room = memory_resize(hub->room[which], bytes);
    if (!room)
        return false;
    hub->room[which] = room;
    hub->size[which] = bytes;
    return true;
}

static kjit_status local_all(Engine *base, const void *own, size_t bytes, void *everyone)
{
    Hub *hub = ((LocalEngine *)base)->hub;
    size_t whole = bytes * (size_t)base->ranks;

    pthread_mutex_lock(&hub->lock);
    unsigned round = hub->round, which = round % 2;
    bool roomy = make_room(hub, which, whole);
    if (roomy)
        memcpy(hub->room[which] + bytes * (size_t)base->rank, own, bytes);
    if (++hub->came == hub->ranks) {
        hub->came = 0;
        hub->round++;
        pthread_cond_broadcast(&hub->changed);
    }
    while (hub->round == round)
        pthread_cond_wait(&hub->changed, &hub->lock);
    if (roomy)
        memcpy(everyone, hub->room[which], whole);
    pthread_mutex_unlock(&hub->lock);
    return roomy ? KJIT_OK : error_memory();
}

static void local_close(Engine *base)
{
    Hub *hub = ((LocalEngine *)base)->hub;

    pthread_mutex_lock(&hub->lock);
    bool last = --hub->open == 0;
    pthread_mutex_unlock(&hub->lock);
    memory_free(base);
    if (!last)
        return;
    pthread_mutex_destroy(&hub->lock);
    pthread_cond_destroy(&hub->changed);
    memory_free(hub->room[0]);
    memory_free(hub->room[1]);
    memory_free(hub->letters);
    memory_free(hub);
}

static const EngineOps local_ops = { local_send, local_receive, local_all, local_close };

static Hub *hub_new(int ranks)
{
    Hub *hub = memory_zeroed(1, sizeof *hub);

    if (!hub)
        return NULL;
    hub->letters = memory_zeroed((size_t)ranks * (size_t)ranks, sizeof *hub->letters);
    if (!hub->letters) {
        memory_free(hub);
        return NULL;
    }
    pthread_mutex_init(&hub->lock, NULL);
    pthread_cond_init(&hub->changed, NULL);
    hub->ranks = ranks;
    return hub;
}

kjit_status engine_local(int ranks, Engine **engines)
{
    Hub *hub = hub_new(ranks);

    for (int r = 0; hub && r < ranks; r++) {
        LocalEngine *engine = memory_zeroed(1, sizeof *engine);
        if (!engine) {
            for (hub->open = r; r-- > 0;)
                engines[r]->ops->close(engines[r]);
            return error_memory();
        }
        *engine = (LocalEngine){ { &local_ops, r, ranks }, hub };
        engines[r] = &engine->base;
        hub->open = r + 1;
    }
    return hub ? KJIT_OK : error_memory();
}
