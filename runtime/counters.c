/* Counting without waiting. Up to COUNTER_OWNERS threads at a time have a shard to themselves in
** every context, to which they add without the bus's lock, which costs as much as the rest of a
** call's checks; threads beyond share one. A thread that ends leaves its place to another. */
#include "runtime/runtime.h"

_Static_assert(COUNTERS <= 16, "a shard has room for all");
_Static_assert(COUNTER_OWNERS == 64, "places are the bits of a word");

enum { UNPLACED, FIRST_PLACE, SHARED_PLACE = FIRST_PLACE + COUNTER_OWNERS };

static atomic_uint_least64_t places; /* that are taken */
static _Thread_local int own_place;  /* UNPLACED, its number, or SHARED_PLACE */
static pthread_key_t place_key;
static pthread_once_t place_once = PTHREAD_ONCE_INIT;
static bool places_ready;

static void leave_place(void *place)
{
    int number = *(int *)place;

    own_place = UNPLACED;
    atomic_fetch_and(&places, ~(UINT64_C(1) << (number - FIRST_PLACE)));
}

static void make_places(void)
{
    places_ready = pthread_key_create(&place_key, leave_place) == 0;
}

static void take_place(void)
{
    uint64_t taken = atomic_load(&places);

    own_place = SHARED_PLACE;
    pthread_once(&place_once, make_places);
    while (places_ready && ~taken) {
        int bit = __builtin_ctzll(~taken);
        if (!atomic_compare_exchange_weak(&places, &taken, taken | UINT64_C(1) << bit))
            continue;
        own_place = FIRST_PLACE + bit;
        if (pthread_setspecific(place_key, &own_place) != 0) {
            /* It could not be left again. */
            atomic_fetch_and(&places, ~(UINT64_C(1) << bit));
            own_place = SHARED_PLACE;
        }
        return;
    }
}

int counters_place(void)
{
    if (own_place == UNPLACED)
        take_place();
    return own_place - FIRST_PLACE;
}

void counters_add(Counters *counters, Counter which, uint64_t amount)
{
    atomic_uint_least64_t *count = &counters->shards[counters_place()].at[which];

    if (own_place == SHARED_PLACE)
        atomic_fetch_add_explicit(count, amount, memory_order_relaxed);
    else
        atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + amount,
                              memory_order_relaxed);
}

static uint64_t counters_read(Counters *counters, Counter which)
{
    uint64_t sum = 0;

    for (int i = 0; i <= COUNTER_OWNERS; i++)
        sum += atomic_load_explicit(&counters->shards[i].at[which], memory_order_relaxed);
    return sum;
}

void kjit_count(kjit_context *context, kjit_counters *out)
{
    if (!HANDLE_IS(CONTEXT, context))
        return;
    Counters *from = &context->counters;
    kjit_counters all = {
        .size = out->size,
        .compilations = counters_read(from, COUNT_COMPILATIONS),
        .disk_hits = counters_read(from, COUNT_DISK_HITS),
        .memory_hits = counters_read(from, COUNT_MEMORY_HITS),
        .launches = counters_read(from, COUNT_LAUNCHES),
        .graph_launches = counters_read(from, COUNT_GRAPH_LAUNCHES),
        .bytes_in = counters_read(from, COUNT_BYTES_IN),
        .bytes_out = counters_read(from, COUNT_BYTES_OUT),
        .captures = counters_read(from, COUNT_CAPTURES),
        .capture_failures = counters_read(from, COUNT_CAPTURE_FAILURES),
    };

    SIZED_GIVE(out, &all);
}
