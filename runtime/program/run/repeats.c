/* Launches that repeat themselves, on a GPU: a loop whose iterations launch the same kernels on the
** same arrays, or on two that change places, is replayed as a CUDA graph.
**
** before: launch A, launch B, launch A, launch B, ...
** after:  the same, until the sequence has repeated itself some dozens of times; then a graph of
**         many periods is launched where so many launches have been asked for, and what is left
**         over is launched one by one.
** Legal if nothing looks between: launches that wait here are launched, in their order, before the
** host reads, copies, frees or waits, before work on another stream, and before any launch that
** does not continue the sequence (repeats_flush()). They are those of the default stream.
** Pays if kernels are short: a launch in a graph costs the driver and the GPU less than one alone.
**
** The sequence is found in the launches themselves, whatever statements they come from: two are the
** same if kernel, configuration and arguments are. A period has PERIOD_MOST launches at the most. A
** graph holds the code that launches have when it is made. As kernels are compiled anew for what
** keeps coming, behind the program's back, a graph is made again each time that sixteen times as
** many launches have been replayed. */
#include "runtime/program/kernels.h"

enum { PERIOD_MOST = 16, NODES_MOST = 64, MATCHES_LEAST = 32, AGAIN = 16, ARGS_MOST = 48 };

/* A launch that can be compared. */
typedef struct Entry {
    kjit_kernel *kernel;
    kjit_launch_config config;
    size_t count;
    kjit_arg args[ARGS_MOST];
} Entry;

struct Repeats {
    Entry entries[PERIOD_MOST]; /* the last launches, around */
    size_t seen;                /* how many were noted; the last is at (seen - 1) % PERIOD_MOST */
    size_t period, at;          /* 0: none was found; how far into it the sequence is */
    uint64_t matched, next;     /* launches that went by it; when the graph is made next */
    size_t waiting;             /* that were asked for and not launched, up to `at` */
    size_t nodes;               /* launches in the graph, whole periods */
    kjit_graph *graph;
    kjit_stream *stream; /* on which it is recorded */
    bool off;            /* it cannot be had here */
};

/* ---- comparing ------------------------------------------------------------------------------ */

static bool same_array(const kjit_array *a, const kjit_array *b)
{
    const size_t bytes = (size_t)a->rank * sizeof *a->shape;
    return a->data == b->data && a->dtype == b->dtype && a->rank == b->rank &&
           a->flags == b->flags && a->record == b->record &&
           memcmp(a->shape, b->shape, bytes) == 0 && memcmp(a->strides, b->strides, bytes) == 0;
}

static bool same_scalar(const kjit_arg *a, const kjit_arg *b)
{
    const bool complex = a->dtype == KJIT_DTYPE_COMPLEX64 || a->dtype == KJIT_DTYPE_COMPLEX128;
    return a->dtype == b->dtype && memcmp(&a->as, &b->as, complex ? 16 : 8) == 0;
}

static bool same_arg(const kjit_arg *a, const kjit_arg *b)
{
    if (a->kind != b->kind)
        return false;
    return a->kind == KJIT_ARG_ARRAY ? same_array(&a->as.array, &b->as.array) : same_scalar(a, b);
}

static bool same_launch(const Entry *entry, const HostWork *work)
{
    const kjit_launch_config *a = &entry->config, *b = work->config;
    if (entry->kernel != work->kernel || entry->count != work->count ||
        memcmp(a->grid, b->grid, sizeof a->grid) != 0 ||
        memcmp(a->block, b->block, sizeof a->block) != 0 || a->shared_bytes != b->shared_bytes)
        return false;
    for (size_t i = 0; i < work->count; i++)
        if (!same_arg(&entry->args[i], &work->args[i]))
            return false;
    return true;
}

/* Whether a launch can be kept: all parts of its arguments are its own. */
static bool is_plain(const HostWork *work)
{
    for (size_t i = 0; i < work->count; i++)
        if (work->args[i].kind == KJIT_ARG_TUPLE)
            return false;
    return work->count <= ARGS_MOST && !work->config->stream;
}

/* ---- the sequence --------------------------------------------------------------------------- */

/* The launch that comes `ahead` launches behind the last that was asked for, by the period. */
static const Entry *expected(const Repeats *r, size_t ahead)
{
    return &r->entries[(r->seen - r->period + (r->at + ahead) % r->period) % PERIOD_MOST];
}

static kjit_status launch_entry(const Entry *entry, kjit_stream *stream)
{
    kjit_launch_config config = entry->config;
    config.stream = stream;
    return kjit_launch(entry->kernel, &config, entry->args, entry->count);
}

kjit_status repeats_flush(Program *p)
{
    Repeats *r = p->repeats;
    kjit_status status = KJIT_OK;
    if (!r || !r->waiting)
        return KJIT_OK;
    const size_t waiting = r->waiting; /* they end where the sequence stands */
    r->waiting = 0;
    for (size_t i = 0; i < waiting && status == KJIT_OK; i++)
        status = launch_entry(expected(r, r->period * NODES_MOST - waiting + i), NULL);
    return status;
}

static void drop_graph(Repeats *r)
{
    kjit_graph_close(r->graph);
    r->graph = NULL;
    r->nodes = 0;
}

static void note(Repeats *r, const HostWork *work)
{
    Entry *entry = &r->entries[r->seen++ % PERIOD_MOST];
    entry->kernel = work->kernel;
    entry->config = *work->config;
    entry->count = work->count;
    memcpy(entry->args, work->args, work->count * sizeof *work->args);
}

/* Notes the launches of the period as the last ones, so that they end with the last of all. */
static void note_period_last(Repeats *r)
{
    Entry last[PERIOD_MOST];
    for (size_t i = 0; i < r->period; i++)
        last[i] = *expected(r, i);
    for (size_t i = 0; i < r->period; i++)
        r->entries[(r->seen - r->period + i) % PERIOD_MOST] = last[i];
}

/* Looks how long ago there was the same launch, and notes this one. */
static void begin_anew(Repeats *r, const HostWork *work)
{
    size_t period = 0;
    const size_t most = r->seen < PERIOD_MOST ? r->seen : PERIOD_MOST;
    drop_graph(r);
    for (size_t back = 1; back <= most && !period; back++)
        if (same_launch(&r->entries[(r->seen - back) % PERIOD_MOST], work))
            period = back;
    note(r, work);
    r->period = period;
    r->at = 0;
    r->matched = 0;
    r->next = MATCHES_LEAST;
}

/* Forgets what was: another launch than these came between. */
static void forget(Repeats *r)
{
    drop_graph(r);
    r->seen = r->period = r->at = 0;
}

/* ---- the graph ------------------------------------------------------------------------------ */

static kjit_status record(Repeats *r, size_t nodes)
{
    kjit_status status = kjit_capture_begin(r->stream), ended;
    if (status != KJIT_OK)
        return status;
    for (size_t i = 0; i < nodes && status == KJIT_OK; i++)
        status = launch_entry(expected(r, i), r->stream);
    ended = kjit_capture_end(r->stream, &r->graph);
    return status == KJIT_OK ? ended : status;
}

/* Makes the graph of what comes next; without one all goes on as it was. */
static void make_graph(Program *p, Repeats *r)
{
    const kjit_stream_options apart = { .size = sizeof apart, .independent = 1 };
    const bool first = !r->graph && r->next == MATCHES_LEAST;
    drop_graph(r);
    r->next *= AGAIN;
    kjit_status status = r->stream ? KJIT_OK : kjit_stream_new(p->context, &apart, &r->stream);
    const size_t nodes = NODES_MOST / r->period * r->period;
    if (status == KJIT_OK)
        status = record(r, nodes);
    r->off = status != KJIT_OK;
    if (r->off) {
        drop_graph(r);
        return;
    }
    r->nodes = nodes;
    if (first)
        launches_repeat(p, r->period, nodes);
}

/* A launch that continues the sequence. */
static kjit_status go_on(Program *p, Repeats *r, const HostWork *work)
{
    if (!r->waiting && !r->at && r->matched >= r->next)
        make_graph(p, r);
    const bool waits = r->graph && (r->waiting || !r->at); /* graphs begin where periods do */
    r->at = (r->at + 1) % r->period;
    r->matched++;
    if (!waits)
        return kjit_launch(work->kernel, work->config, work->args, work->count);
    if (++r->waiting < r->nodes)
        return KJIT_OK;
    r->waiting = 0;
    return kjit_graph_launch(r->graph, NULL);
}

bool repeats_start(Program *p)
{
    if (p->repeats || p->profile || p->context->capture || (p->module && p->module->debug) ||
        strncmp(kjit_device_name(p->context), "cuda", 4) != 0)
        return p->repeats != NULL;
    p->repeats = memory_zeroed(1, sizeof *p->repeats);
    return p->repeats != NULL;
}

kjit_status repeats_launch(Program *p, const HostWork *work)
{
    Repeats *r = p->repeats;
    if (r->off || !is_plain(work)) {
        KJIT_TRY(repeats_flush(p));
        forget(r);
        return kjit_launch(work->kernel, work->config, work->args, work->count);
    }
    if (r->period && same_launch(expected(r, 0), work))
        return go_on(p, r, work);
    KJIT_TRY(repeats_flush(p));
    note_period_last(r);
    begin_anew(r, work);
    return kjit_launch(work->kernel, work->config, work->args, work->count);
}

void repeats_free(Program *p)
{
    if (!p->repeats)
        return;
    drop_graph(p->repeats);
    kjit_stream_close(p->repeats->stream);
    memory_free(p->repeats);
    p->repeats = NULL;
}
