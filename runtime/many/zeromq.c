/* Ranks of a launcher that is not MPI's and has set RANK, WORLD_SIZE and MASTER_ADDR, as torchrun
** does. ZeroMQ carries their messages, a library that is loaded while kjit runs: KJIT_ZMQ names
** it, else it is libzmq.so.5. All ranks connect to the hub of rank 0 (hub.c), which listens at a
** name of the host where all ranks are on one, else at the port after MASTER_PORT, which is the
** launcher's own. From it they hear who is gone, and again and again that it is there itself. */
#include "runtime/many/zeromq.h"

#include <dlfcn.h>
#include <unistd.h>

enum { ZMQ_LINGER = 17, ZMQ_SNDHWM = 23, ZMQ_RCVHWM = 24, ZMQ_RCVTIMEO = 27, ZMQ_IPV6 = 42 };
enum { ZMQ_HEARTBEAT_IVL = 75, ZMQ_HEARTBEAT_TIMEOUT = 77 };

enum { WHY_BYTES = 2048, TURN_MS = 100, GONE_MS = 5000, SILENT_MS = 8000, MEET_MS = 60000 };
enum { EVERY_RANK = -1, ADDRESS_BYTES = 300 };

typedef struct Letter {
    struct Letter *next;
    ZmqMessage message;
} Letter;

typedef struct Queue {
    Letter *first, **last;
} Queue;

typedef struct Await {
    void *data;
    size_t bytes;
    int from;
} Await;

typedef struct ZmqEngine {
    Engine base;
    Zmq zmq;
    void *context, *socket;
    Hub hub;
    Queue *queues; /* by rank: what has come of it */
    Await *awaits;
    size_t count, capacity;
    bool *ended; /* by rank */
    int64_t heard;
    bool met, failed; /* failed: this one, or another one: `why` */
    char why[WHY_BYTES];
} ZmqEngine;

/* ---- the library ----------------------------------------------------------------------------- */

static bool find_all(void *library, Zmq *zmq)
{
    const WantedSymbol all[] = {
        { "zmq_ctx_new", &zmq->context }, { "zmq_ctx_term", &zmq->terminate },
        { "zmq_socket", &zmq->socket },   { "zmq_close", &zmq->close },
        { "zmq_setsockopt", &zmq->set },  { "zmq_bind", &zmq->bind },
        { "zmq_connect", &zmq->connect }, { "zmq_send", &zmq->send },
        { "zmq_msg_init", &zmq->init },   { "zmq_msg_recv", &zmq->receive },
        { "zmq_msg_send", &zmq->pass },   { "zmq_msg_data", &zmq->data },
        { "zmq_msg_size", &zmq->size },   { "zmq_msg_close", &zmq->drop },
        { "zmq_errno", &zmq->error },     { "zmq_strerror", &zmq->text },
    };
    return !symbols_find(library, all, ARRAY_COUNT(all));
}

static kjit_status load(Zmq *zmq)
{
    const char *named = getenv("KJIT_ZMQ");
    void *library = dlopen(named && *named ? named : "libzmq.so.5", RTLD_NOW);

    if (library && find_all(library, zmq))
        return KJIT_OK;
    return error_set(KJIT_NO_DEVICE,
                     "error: RANK and WORLD_SIZE say that this is one of %d ranks, as torchrun has "
                     "them, and ZeroMQ, which connects them, cannot be loaded\n"
                     "note: KJIT_ZMQ names it, as in /usr/lib/libzmq.so.5, of Debian's package "
                     "libzmq5; or start the program by mpirun",
                     launcher_ranks());
}

static kjit_status zmq_failed(const Zmq *zmq, const char *call, const char *what)
{
    return error_set(KJIT_LAUNCH, "error: %s %s fails: %s", call, what, zmq->text(zmq->error()));
}

/* A socket that loses nothing, asks whether the other end is there, and waits for some time. */
static kjit_status open_socket(const Zmq *zmq, void *context, int type, void **out)
{
    static const struct {
        int option, value;
    } all[] = { { ZMQ_SNDHWM, 0 },
                { ZMQ_RCVHWM, 0 },
                { ZMQ_LINGER, 1000 },
                { ZMQ_RCVTIMEO, TURN_MS },
                { ZMQ_IPV6, 1 },
                { ZMQ_HEARTBEAT_IVL, SIGN_MS },
                { ZMQ_HEARTBEAT_TIMEOUT, GONE_MS } };
    void *socket = *out = zmq->socket(context, type);

    for (size_t i = 0; socket && i < ARRAY_COUNT(all); i++)
        zmq->set(socket, all[i].option, &all[i].value, sizeof all[i].value);
    return socket ? KJIT_OK : zmq_failed(zmq, "zmq_socket", "");
}

/* Where the hub listens, and the others find it. */
static void find_address(bool listens, char address[ADDRESS_BYTES])
{
    const char *port = getenv("MASTER_PORT");
    int number = port && atoi(port) > 0 ? atoi(port) : 29500; /* as torchrun has it */

    if (launcher_local_ranks() == launcher_ranks())
        snprintf(address, ADDRESS_BYTES, "ipc://@kjit-%d-%ld", number, (long)getuid());
    else
        snprintf(address, ADDRESS_BYTES, "tcp://%s:%d", listens ? "*" : getenv("MASTER_ADDR"),
                 number + 1);
}

/* ---- messages -------------------------------------------------------------------------------- */

static kjit_status post(ZmqEngine *engine, int to, Kind kind, const void *data, size_t bytes)
{
    const Zmq *zmq = &engine->zmq;
    Label label = { to, (int32_t)kind };

    if (zmq->send(engine->socket, &label, sizeof label, ZMQ_SNDMORE) < 0 ||
        zmq->send(engine->socket, data, bytes, 0) < 0)
        return zmq_failed(zmq, "zmq_send", "");
    return KJIT_OK;
}

static kjit_status keep(ZmqEngine *engine, int from, ZmqMessage *message)
{
    Letter *letter = memory_alloc(sizeof *letter);
    Queue *queue = &engine->queues[from];

    if (!letter)
        return error_memory();
    *letter = (Letter){ .message = *message }; /* as the library itself moves them */
    engine->zmq.init(message);
    if (!queue->first)
        queue->last = &queue->first;
    *queue->last = letter;
    queue->last = &letter->next;
    return KJIT_OK;
}

static void note_failure(ZmqEngine *engine, int from, ZmqMessage *message)
{
    static const char mark[] = "error: ";
    char text[WHY_BYTES - 64] = "";
    size_t bytes = engine->zmq.size(message);

    memcpy(text, engine->zmq.data(message), bytes < sizeof text ? bytes : sizeof text - 1);
    const char *why = text + (strncmp(text, mark, strlen(mark)) ? 0 : strlen(mark));
    bool named = strncmp(why, "rank ", strlen("rank ")) == 0;
    if (named)
        snprintf(engine->why, sizeof engine->why, "error: %s", why);
    else
        snprintf(engine->why, sizeof engine->why, "error: rank %d: %s", from, why);
}

static void note_loss(ZmqEngine *engine, int rank)
{
    snprintf(engine->why, sizeof engine->why,
             "error: rank %d is gone: it has died, is stopped, or cannot be reached", rank);
}

static kjit_status sort(ZmqEngine *engine, Label label, ZmqMessage *message)
{
    engine->heard = (int64_t)clock_ms();
    if (label.rank < 0 || label.rank >= engine->base.ranks)
        return KJIT_OK;
    bool fails = label.kind == KIND_FAILED || label.kind == KIND_GONE;
    if (fails && engine->failed)
        return KJIT_OK;
    engine->failed |= fails;
    switch ((Kind)label.kind) {
    case KIND_BYTES:
        return keep(engine, label.rank, message);
    case KIND_FAILED:
        note_failure(engine, label.rank, message);
        break;
    case KIND_GONE:
        note_loss(engine, label.rank);
        break;
    case KIND_ENDED:
        engine->ended[label.rank] = true;
        break;
    case KIND_MET:
        engine->met = true;
        break;
    default:
        break;
    }
    return KJIT_OK;
}

/* Takes a message, if there is one; `wait`: within some time. */
static kjit_status take(ZmqEngine *engine, bool wait, bool *any)
{
    const Zmq *zmq = &engine->zmq;
    ZmqMessage first, second;
    Label label;

    zmq->init(&first);
    zmq->init(&second);
    *any = zmq->receive(&first, engine->socket, wait ? 0 : ZMQ_DONTWAIT) == sizeof label &&
           zmq->receive(&second, engine->socket, 0) >= 0;
    if (*any)
        memcpy(&label, zmq->data(&first), sizeof label);
    kjit_status status = *any ? sort(engine, label, &second) : KJIT_OK;
    zmq->drop(&first);
    zmq->drop(&second);
    return status;
}

static kjit_status check(ZmqEngine *engine)
{
    if (!engine->failed && (int64_t)clock_ms() - engine->heard >= SILENT_MS) {
        engine->failed = true;
        note_loss(engine, 0);
    }
    return engine->failed ? error_text(KJIT_LAUNCH, engine->why) : KJIT_OK;
}

static kjit_status zmq_look(Engine *base)
{
    ZmqEngine *engine = (ZmqEngine *)base;
    bool any = true;

    while (any)
        KJIT_TRY(take(engine, false, &any));
    return check(engine);
}

/* ---- the engine ------------------------------------------------------------------------------ */

static kjit_status zmq_send(Engine *base, int to, const void *data, size_t bytes)
{
    return bytes ? post((ZmqEngine *)base, to, KIND_BYTES, data, bytes) : KJIT_OK;
}

static kjit_status zmq_receive(Engine *base, int from, void *data, size_t bytes)
{
    ZmqEngine *engine = (ZmqEngine *)base;

    if (!bytes)
        return KJIT_OK;
    if (!memory_more(engine->awaits, engine->count, engine->capacity))
        return error_memory();
    engine->awaits[engine->count++] = (Await){ data, bytes, from };
    return KJIT_OK;
}

static kjit_status open_letter(ZmqEngine *engine, const Await *await)
{
    Queue *queue = &engine->queues[await->from];
    Letter *letter = queue->first;
    kjit_status status = KJIT_OK;

    if (engine->zmq.size(&letter->message) == await->bytes)
        memcpy(await->data, engine->zmq.data(&letter->message), await->bytes);
    else
        status = error_set(KJIT_LAUNCH, "error: rank %d has sent %zu bytes in place of %zu",
                           await->from, engine->zmq.size(&letter->message), await->bytes);
    queue->first = letter->next;
    engine->zmq.drop(&letter->message);
    memory_free(letter);
    return status;
}

static kjit_status await_letter(ZmqEngine *engine, int from)
{
    bool any;

    while (!engine->queues[from].first) {
        KJIT_TRY(take(engine, true, &any));
        KJIT_TRY(any && !engine->failed ? KJIT_OK : check(engine));
        if (engine->ended[from] && !engine->queues[from].first)
            return error_set(KJIT_LAUNCH,
                             "error: rank %d has ended, and rank %d waits for it at %s\n"
                             "note: all ranks are to make the same calls",
                             from, engine->base.rank, engine->base.course.call);
    }
    return KJIT_OK;
}

static kjit_status zmq_finish(Engine *base)
{
    ZmqEngine *engine = (ZmqEngine *)base;
    kjit_status status = KJIT_OK;

    for (size_t i = 0; i < engine->count && status == KJIT_OK; i++) {
        status = await_letter(engine, engine->awaits[i].from);
        if (status == KJIT_OK)
            status = open_letter(engine, &engine->awaits[i]);
    }
    engine->count = 0;
    return status;
}

static void tell_others(ZmqEngine *engine, Kind kind, const char *text)
{
    for (int r = 0; r < engine->base.ranks; r++)
        if (r != engine->base.rank)
            (void)post(engine, r, kind, text, strlen(text));
}

static void zmq_fail(Engine *base, const char *message)
{
    ZmqEngine *engine = (ZmqEngine *)base;

    if (engine->failed)
        return;
    engine->failed = true;
    tell_others(engine, KIND_FAILED, message[0] ? message : "it failed");
}

static kjit_status check_time(const ZmqEngine *engine, int64_t begin)
{
    if ((int64_t)clock_ms() - begin <= MEET_MS)
        return KJIT_OK;
    return error_set(KJIT_LAUNCH,
                     "error: not all of the %d ranks that RANK and WORLD_SIZE tell of have come to "
                     "rank 0 within %d seconds",
                     engine->base.ranks, MEET_MS / 1000);
}

/* Until all ranks have come here: the first time, when there may be no hub yet, within some time,
** else as long as the hub is heard of. */
static kjit_status meet(ZmqEngine *engine)
{
    int64_t begin = (int64_t)clock_ms();
    kjit_status status = post(engine, EVERY_RANK, KIND_MEETS, "", 0);
    bool first = !engine->heard, any;

    engine->met = false;
    while (status == KJIT_OK && !engine->met && !engine->failed) {
        status = take(engine, true, &any);
        if (status == KJIT_OK && !any)
            status = first ? check_time(engine, begin) : check(engine);
    }
    engine->heard = (int64_t)clock_ms();
    return status == KJIT_OK ? check(engine) : status;
}

static void drop_letters(ZmqEngine *engine)
{
    for (int r = 0; engine->queues && r < engine->base.ranks; r++)
        while (engine->queues[r].first) {
            Letter *letter = engine->queues[r].first;
            engine->queues[r].first = letter->next;
            engine->zmq.drop(&letter->message);
            memory_free(letter);
        }
}

static void zmq_free(ZmqEngine *engine)
{
    drop_letters(engine);
    if (engine->socket)
        engine->zmq.close(engine->socket);
    if (engine->context)
        engine->zmq.terminate(engine->context);
    hub_close(&engine->hub);
    memory_free(engine->queues);
    memory_free(engine->awaits);
    memory_free(engine->ended);
    memory_free(engine);
}

/* At the end all wait for one another, so that the hub is there until then. */
static void zmq_close(Engine *base)
{
    ZmqEngine *engine = (ZmqEngine *)base;

    if (!engine->failed) {
        tell_others(engine, KIND_ENDED, "");
        (void)meet(engine);
    }
    zmq_free(engine);
}

static kjit_status listen(ZmqEngine *engine)
{
    static const int yes = 1;
    const Zmq *zmq = &engine->zmq;
    char address[ADDRESS_BYTES];
    void *socket;

    KJIT_TRY(open_socket(zmq, engine->context, ZMQ_ROUTER, &socket));
    zmq->set(socket, ZMQ_ROUTER_MANDATORY, &yes, sizeof yes);
    find_address(true, address);
    if (zmq->bind(socket, address) >= 0)
        return hub_open(&engine->hub, zmq, socket, engine->base.ranks);
    kjit_status status = zmq_failed(zmq, "zmq_bind", address);
    zmq->close(socket);
    return status;
}

static const EngineOps zmq_ops = {
    zmq_send, zmq_receive, zmq_finish, zmq_look, zmq_fail, zmq_close
};

static kjit_status start(ZmqEngine *engine)
{
    size_t ranks = (size_t)engine->base.ranks;
    char address[ADDRESS_BYTES], name[RANK_NAME];

    KJIT_TRY(load(&engine->zmq));
    engine->queues = memory_zeroed(ranks, sizeof *engine->queues);
    engine->ended = memory_zeroed(ranks, sizeof *engine->ended);
    engine->context = engine->zmq.context();
    if (!engine->queues || !engine->ended || !engine->context)
        return error_memory();
    if (!engine->base.rank)
        KJIT_TRY(listen(engine));
    KJIT_TRY(open_socket(&engine->zmq, engine->context, ZMQ_DEALER, &engine->socket));
    hub_name(engine->base.rank, name);
    engine->zmq.set(engine->socket, ZMQ_ROUTING_ID, name, strlen(name));
    find_address(false, address);
    if (engine->zmq.connect(engine->socket, address) < 0)
        return zmq_failed(&engine->zmq, "zmq_connect", address);
    return meet(engine);
}

kjit_status engine_zeromq(Engine **out)
{
    ZmqEngine *engine = memory_zeroed(1, sizeof *engine);

    *out = NULL;
    if (!engine)
        return error_memory();
    engine->base = (Engine){ .ops = &zmq_ops, .rank = launcher_rank(), .ranks = launcher_ranks() };
    kjit_status status = start(engine);
    if (status == KJIT_OK)
        *out = &engine->base;
    else
        zmq_free(engine);
    return status;
}
