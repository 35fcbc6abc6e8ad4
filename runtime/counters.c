/* Counting without waiting: each thread adds to one of a few shards, which share no cache line. */
#include "runtime/runtime.h"

#include <string.h>

_Static_assert(COUNTERS <= 16, "a shard has room for all");

static struct CounterShard *own_shard(Counters *counters)
{
    static atomic_uint threads;
    static _Thread_local unsigned own; /* 1 and more */

    if (!own)
        own = 1 + atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % COUNTER_SHARDS;
    return &counters->shards[own - 1];
}

void counters_add(Counters *counters, Counter which, uint64_t amount)
{
    if (amount)
        atomic_fetch_add_explicit(&own_shard(counters)->at[which], amount, memory_order_relaxed);
}

uint64_t counters_read(Counters *counters, Counter which)
{
    uint64_t sum = 0;

    for (int i = 0; i < COUNTER_SHARDS; i++)
        sum += atomic_load_explicit(&counters->shards[i].at[which], memory_order_relaxed);
    return sum;
}

void kjit_count(kjit_context *context, kjit_counters *out)
{
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
    };

    memcpy(out, &all, out->size < sizeof all ? out->size : sizeof all);
}
