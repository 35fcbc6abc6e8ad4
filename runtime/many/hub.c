/* The hub of ranks that ZeroMQ connects: a thread of rank 0 that passes on what they send one
** another, in the order in which it comes. It also tells all when they have all come, or all ended,
** and who is gone: a rank whose connection has ended, or that does not answer ZeroMQ's question
** whether it is there. */
#include "runtime/many/zeromq.h"

#include <errno.h>

void hub_name(int rank, char name[RANK_NAME])
{
    snprintf(name, RANK_NAME, "rank %d", rank);
}

/* Begins a message to a rank; false: it is gone. */
static bool address_to(const Hub *hub, int rank, Label label)
{
    char name[RANK_NAME];

    hub_name(rank, name);
    return hub->zmq->send(hub->socket, name, strlen(name), ZMQ_SNDMORE) >= 0 &&
           hub->zmq->send(hub->socket, &label, sizeof label, ZMQ_SNDMORE) >= 0;
}

static void tell_all(Hub *hub, Kind kind, int about)
{
    for (int r = 0; r < hub->ranks; r++) {
        if (hub->gone[r])
            continue;
        hub->gone[r] = !address_to(hub, r, (Label){ about, (int32_t)kind });
        if (hub->gone[r])
            tell_all(hub, KIND_GONE, r);
        else
            hub->zmq->send(hub->socket, "", 0, 0);
    }
}

static void meets(Hub *hub)
{
    if (++hub->came < hub->ranks)
        return;
    hub->came = 0;
    hub->meetings++;
    tell_all(hub, KIND_MET, 0);
}

/* A message in its parts: who sent it, its label, its bytes. */
static void pass_on(Hub *hub, ZmqMessage parts[3])
{
    const Zmq *zmq = hub->zmq;
    char name[RANK_NAME] = "";
    Label label;
    int from;

    if (zmq->size(&parts[0]) >= sizeof name || zmq->size(&parts[1]) != sizeof label)
        return;
    memcpy(name, zmq->data(&parts[0]), zmq->size(&parts[0]));
    memcpy(&label, zmq->data(&parts[1]), sizeof label);
    if (sscanf(name, "rank %d", &from) != 1)
        return;
    if (label.kind == KIND_MEETS)
        meets(hub);
    else if (label.rank >= 0 && label.rank < hub->ranks && !hub->gone[label.rank] &&
             address_to(hub, label.rank, (Label){ from, label.kind }))
        zmq->pass(&parts[2], hub->socket, 0);
}

/* Passes a message on, if there is one or comes within some time. */
static bool serve_one(Hub *hub, bool wait)
{
    ZmqMessage parts[3];
    bool any = true;

    for (int i = 0; i < 3; i++)
        hub->zmq->init(&parts[i]);
    for (int i = 0; i < 3 && any; i++)
        any = hub->zmq->receive(&parts[i], hub->socket, wait || i ? 0 : ZMQ_DONTWAIT) >= 0;
    if (any)
        pass_on(hub, parts);
    for (int i = 0; i < 3; i++)
        hub->zmq->drop(&parts[i]);
    return any;
}

/* A rank that is gone is noticed when something is sent to it: behind what it has sent, unless that
** goes on. */
static void *serve(void *data)
{
    Hub *hub = data;

    for (bool any = true; hub->meetings < 2; any = serve_one(hub, !any)) {
        if (!any && hub->zmq->error() != EAGAIN && hub->zmq->error() != EINTR)
            break;
        int64_t now = (int64_t)clock_ms(), next = hub->signed_at + (any ? 3 * SIGN_MS : SIGN_MS);
        if (hub->meetings != 1 || now < next)
            continue;
        hub->signed_at = now;
        tell_all(hub, KIND_HERE, 0);
    }
    hub->zmq->close(hub->socket);
    return NULL;
}

kjit_status hub_open(Hub *hub, const Zmq *zmq, void *socket, int ranks)
{
    *hub = (Hub){ .zmq = zmq, .socket = socket, .ranks = ranks };
    hub->gone = memory_zeroed((size_t)ranks, sizeof *hub->gone);
    if (hub->gone && pthread_create(&hub->thread, NULL, serve, hub) == 0)
        return KJIT_OK;
    zmq->close(socket);
    hub->socket = NULL;
    return error_memory();
}

void hub_close(Hub *hub)
{
    if (hub->socket)
        pthread_join(hub->thread, NULL);
    memory_free(hub->gone);
}
