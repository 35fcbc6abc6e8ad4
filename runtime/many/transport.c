/* Ranks whose bytes a program carries: with what a library has that connects them already, as
** torch.distributed does. */
#include "runtime/many/engine.h"

typedef struct TransportEngine {
    Engine base;
    kjit_transport transport;
} TransportEngine;

static const kjit_transport *transport_of(Engine *base)
{
    return &((TransportEngine *)base)->transport;
}

static kjit_status transport_send(Engine *base, int to, const void *data, size_t bytes)
{
    const kjit_transport *own = transport_of(base);
    return bytes ? own->send(own->context, to, data, bytes) : KJIT_OK;
}

static kjit_status transport_receive(Engine *base, int from, void *data, size_t bytes)
{
    const kjit_transport *own = transport_of(base);
    return bytes ? own->receive(own->context, from, data, bytes) : KJIT_OK;
}

static kjit_status transport_finish(Engine *base)
{
    const kjit_transport *own = transport_of(base);
    return own->finish(own->context);
}

static void transport_fail(Engine *base, const char *message)
{
    const kjit_transport *own = transport_of(base);
    if (own->fail)
        own->fail(own->context, message);
}

static void transport_close(Engine *base)
{
    const kjit_transport *own = transport_of(base);
    if (own->close)
        own->close(own->context);
    memory_free(base);
}

static const EngineOps transport_ops = { transport_send, transport_receive, transport_finish,
                                         NULL,           transport_fail,    transport_close };

kjit_status kjit_fail_with(kjit_status status, const char *message)
{
    return status == KJIT_OK ? KJIT_OK : error_text(status, message);
}

kjit_status engine_transport(const kjit_transport *transport, Engine **out)
{
    *out = NULL;
    if (transport->size < sizeof *transport || !transport->send || !transport->receive ||
        !transport->finish || transport->rank < 0 || transport->rank >= transport->ranks)
        return error_set(KJIT_ARGUMENT, "error: a transport has a rank below its number of ranks, "
                                        "and functions that send, receive and finish");
    TransportEngine *engine = memory_zeroed(1, sizeof *engine);
    if (!engine)
        return error_memory();
    engine->transport = *transport;
    engine->base =
        (Engine){ .ops = &transport_ops, .rank = transport->rank, .ranks = transport->ranks };
    *out = &engine->base;
    return KJIT_OK;
}
