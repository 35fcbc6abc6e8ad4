/* What processes send one another. It goes in batches, each of which ends with engine_finish():
** before its bytes go, processes that share some tell each other what calls they have made so far,
** and how many bytes go either way. So processes that make different calls, or with different
** values, are found before the bytes of one call are taken for those of another, and before a GPU
** waits for another one that does not come. */
#include "runtime/many/engine.h"

#include <sched.h>
#include <stdarg.h>
#include <unistd.h>

typedef struct Head {
    Course course;
    uint64_t sent, received; /* by the one that says so */
} Head;

struct Transfer {
    const void *from; /* what is sent; NULL: it is received, or goes by the wire */
    void *to;
    size_t bytes;
    int peer;
    bool sent;
};

/* ---- what has been done ---------------------------------------------------------------------- */

void engine_begins(Engine *engine, const char *format, ...)
{
    va_list args;

    if (!engine)
        return;
    va_start(args, format);
    vsnprintf(engine->course.call, sizeof engine->course.call, format, args);
    va_end(args);
}

void engine_adds(Engine *engine, uint64_t value)
{
    if (!engine)
        return;
    uint64_t mixed = hash_with(engine->course.digest, value);
    engine->course.digest = mixed ^ mixed >> 29;
}

void engine_adds_bytes(Engine *engine, const void *data, size_t bytes)
{
    for (size_t i = 0; engine && i < bytes; i++)
        engine_adds(engine, ((const unsigned char *)data)[i]);
}

static bool same_call(const Course *one, const Course *other)
{
    return strncmp(one->call, other->call, sizeof one->call) == 0;
}

static kjit_status part_ways(const Engine *engine, int peer, const Course *other)
{
    static const char note[] = "note: all ranks are to make the same calls with the same values";
    const Course *own = &engine->course;

    if (same_call(own, other))
        return error_set(KJIT_LAUNCH,
                         "error: rank %d has come to %s by other calls, or with other values, than "
                         "rank %d\n%s",
                         peer, own->call, engine->rank, note);
    return error_set(KJIT_LAUNCH, "error: rank %d is at %.*s, and rank %d at %s\n%s", peer,
                     (int)sizeof other->call - 1, other->call, engine->rank, own->call, note);
}

/* ---- batches --------------------------------------------------------------------------------- */

static kjit_status add(Engine *engine, const Transfer *transfer)
{
    if (!transfer->bytes)
        return KJIT_OK;
    if (!memory_more(engine->batch, engine->count, engine->capacity))
        return error_memory();
    engine->batch[engine->count++] = *transfer;
    return KJIT_OK;
}

kjit_status engine_send(Engine *engine, int to, const void *data, size_t bytes)
{
    return add(engine, &(Transfer){ .from = data, .bytes = bytes, .peer = to, .sent = true });
}

kjit_status engine_receive(Engine *engine, int from, void *data, size_t bytes)
{
    return add(engine, &(Transfer){ .to = data, .bytes = bytes, .peer = from });
}

kjit_status engine_expects(Engine *engine, int peer, size_t bytes, bool sent)
{
    return add(engine, &(Transfer){ .bytes = bytes, .peer = peer, .sent = sent });
}

static bool shares_any(const Head *own)
{
    return own->sent || own->received;
}

static bool are_alike(const Head *own, const Head *came)
{
    return came->course.digest == own->course.digest && came->sent == own->received &&
           came->received == own->sent && same_call(&came->course, &own->course);
}

/* `own` and `came`, by rank: what this process says to it, and what that one says. */
static kjit_status exchange_heads(Engine *engine, Head *own, Head *came)
{
    for (size_t i = 0; i < engine->count; i++) {
        const Transfer *transfer = &engine->batch[i];
        Head *head = &own[transfer->peer];
        *(transfer->sent ? &head->sent : &head->received) += transfer->bytes;
    }
    for (int r = 0; r < engine->ranks; r++)
        if (shares_any(&own[r]))
            KJIT_TRY(engine->ops->receive(engine, r, &came[r], sizeof *came));
    for (int r = 0; r < engine->ranks; r++) {
        own[r].course = engine->course;
        if (shares_any(&own[r]))
            KJIT_TRY(engine->ops->send(engine, r, &own[r], sizeof *own));
    }
    KJIT_TRY(engine->ops->finish(engine));
    for (int r = 0; r < engine->ranks; r++)
        if (shares_any(&own[r]) && !are_alike(&own[r], &came[r]))
            return part_ways(engine, r, &came[r].course);
    return KJIT_OK;
}

static kjit_status exchange_bytes(Engine *engine)
{
    for (size_t i = 0; i < engine->count; i++) {
        const Transfer *transfer = &engine->batch[i];
        if (transfer->from)
            KJIT_TRY(engine->ops->send(engine, transfer->peer, transfer->from, transfer->bytes));
        else if (transfer->to)
            KJIT_TRY(engine->ops->receive(engine, transfer->peer, transfer->to, transfer->bytes));
    }
    return engine->ops->finish(engine);
}

kjit_status engine_finish(Engine *engine)
{
    size_t ranks = (size_t)engine->ranks;

    if (!engine->count)
        return KJIT_OK;
    Head *heads = memory_zeroed(2 * ranks, sizeof *heads);
    kjit_status status = heads ? exchange_heads(engine, heads, heads + ranks) : error_memory();
    if (status == KJIT_OK)
        status = exchange_bytes(engine);
    if (status == KJIT_OK) /* else some may still come: the memory stays */
        memory_free(heads);
    engine->count = 0;
    return status;
}

kjit_status engine_all(Engine *engine, const void *own, size_t bytes, void *everyone)
{
    memcpy((char *)everyone + bytes * (size_t)engine->rank, own, bytes);
    for (int r = 0; r < engine->ranks; r++)
        if (r != engine->rank)
            KJIT_TRY(engine_receive(engine, r, (char *)everyone + bytes * (size_t)r, bytes));
    for (int r = 0; r < engine->ranks; r++)
        if (r != engine->rank)
            KJIT_TRY(engine_send(engine, r, own, bytes));
    return engine_finish(engine);
}

void engine_pause(unsigned round)
{
    enum { EAGER = 2000 };
    if (round > EAGER)
        usleep(round > 2 * EAGER ? 200 : 20);
    else if (round % 16 == 15)
        sched_yield();
}

kjit_status engine_wait(Engine *engine, unsigned round)
{
    bool looks = round % 256 == 255 && engine->ops->look;
    kjit_status status = looks ? engine->ops->look(engine) : KJIT_OK;

    engine_pause(round);
    return status;
}

void engine_close(Engine *engine)
{
    if (!engine)
        return;
    memory_free(engine->batch);
    engine->ops->close(engine);
}
