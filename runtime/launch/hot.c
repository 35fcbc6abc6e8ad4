#include "runtime/launch/hot.h"

#include "runtime/launch/variant.h"
#include "runtime/array/array.h"

/* Launches in a row before a variant is made; timed ones of either; variants made of one
** specialisation at most; and how much faster one must be to be worth its place. */
enum { LAUNCHES = 48, SAMPLES = 9, VARIANTS = 4 };
static const double FASTER = 0.98;

typedef enum HotState { COUNTING, BUILDING, TIMING, CHOSEN } HotState;

struct Hot {
    atomic_int state;
    atomic_uint_least64_t seen; /* a hash of the values of the last launch */
    atomic_uint in_a_row;
    atomic_int made;                   /* variants, chosen or not */
    _Atomic(Specialisation *) variant; /* while TIMING or CHOSEN */
    /* while TIMING */
    pthread_mutex_t lock; /* of all that follows; held by the launch that is timed */
    void *from, *to;      /* events */
    bool pending;         /* they are recorded and not yet read */
    int pending_which;
    double times[2][SAMPLES];
    int taken[2];
};

/* ---- the values of a launch ------------------------------------------------------------------ */

static void push(HotValues *values, int64_t value)
{
    if (values->count >= 0 && values->count < VALUES_MAX)
        values->of[values->count++] = value;
    else
        values->count = -1;
}

static int64_t float_bits(double number)
{
    int64_t bits;

    memcpy(&bits, &number, sizeof bits);
    return bits;
}

void hot_values(const kjit_arg *args, size_t count, HotValues *values)
{
    values->count = 0;
    for (size_t i = 0; i < count; i++) {
        const kjit_arg *arg = &args[i];
        if (arg->kind == KJIT_ARG_ARRAY) {
            for (int axis = 0; axis < arg->as.array.rank; axis++)
                push(values, arg->as.array.shape[axis]);
        } else if (arg->kind == KJIT_ARG_SCALAR && dtype_is_float(arg->dtype)) {
            push(values, float_bits(arg->as.number));
        } else if (arg->kind == KJIT_ARG_SCALAR && !dtype_is_complex(arg->dtype) &&
                   !dtype_is_time(arg->dtype)) {
            push(values, arg->as.integer);
        }
    }
}

static uint64_t hash_of(const HotValues *values)
{
    uint64_t hash = HASH_FIRST;

    for (int i = 0; i < values->count; i++)
        hash = hash_with(hash, (uint64_t)values->of[i]);
    return hash;
}

static bool has_values(const Specialisation *variant, const HotValues *values)
{
    const IrFacts *facts = &variant->launch.facts;

    return facts->value_count == values->count &&
           memcmp(facts->values, values->of, sizeof *values->of * (size_t)values->count) == 0;
}

/* ---- counting ------------------------------------------------------------------------------- */

Hot *hot_new(void)
{
    Hot *hot = memory_zeroed(1, sizeof *hot);

    if (hot)
        pthread_mutex_init(&hot->lock, NULL);
    return hot;
}

void hot_free(Hot *hot)
{
    if (!hot)
        return;
    pthread_mutex_destroy(&hot->lock);
    memory_free(hot);
}

void hot_close(Hot *hot, Device *device)
{
    if (!hot)
        return;
    if (hot->from)
        device->ops->event_close(device, hot->from);
    if (hot->to)
        device->ops->event_close(device, hot->to);
    hot->from = hot->to = NULL;
}

/* Has the variant made. */
static void build(kjit_kernel *kernel, const Specialisation *spec, int state, const kjit_arg *args,
                  size_t count, const kjit_launch_config *config, const HotValues *values)
{
    Hot *hot = spec->hot;
    const Device *device = kernel->module->context->device;
    IrFacts facts;
    const VariantKey key = { spec->key, spec->key_length, spec->block_threads, &facts };

    if (!atomic_compare_exchange_strong(&hot->state, &state, BUILDING))
        return;
    facts_of_launch(args, count, config, device, &facts);
    facts.values = values->of;
    facts.value_count = values->count;
    hot->made++;
    if (!behind_add(kernel, &key, hot)) {
        hot->made--;
        atomic_store(&hot->state, COUNTING);
    }
}

/* Whether this launch is one of enough in a row. */
static bool note_launch(Hot *hot, const HotValues *values)
{
    uint64_t hash = hash_of(values);

    if (atomic_load_explicit(&hot->seen, memory_order_relaxed) != hash) {
        atomic_store_explicit(&hot->seen, hash, memory_order_relaxed);
        atomic_store_explicit(&hot->in_a_row, 0, memory_order_relaxed);
        return false;
    }
    return atomic_fetch_add_explicit(&hot->in_a_row, 1, memory_order_relaxed) >= LAUNCHES;
}

void hot_built(Hot *hot, Specialisation *variant)
{
    pthread_mutex_lock(&hot->lock);
    atomic_store(&hot->in_a_row, 0);
    atomic_store(&hot->variant, variant);
    hot->taken[0] = hot->taken[1] = 0;
    hot->pending = false;
    atomic_store_explicit(&hot->state, variant && variant->values ? TIMING : COUNTING,
                          memory_order_release);
    pthread_mutex_unlock(&hot->lock);
}

/* ---- timing --------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double median(double times[SAMPLES])
{
    qsort(times, SAMPLES, sizeof *times, by_time);
    return times[SAMPLES / 2];
}

static void decide(Hot *hot)
{
    bool faster = median(hot->times[1]) < FASTER * median(hot->times[0]);

    if (!faster)
        atomic_store(&hot->variant, NULL);
    atomic_store(&hot->state, faster ? CHOSEN : COUNTING);
}

/* Takes the time of the last launch, if that is over; false if it is not. */
static bool take_time(Hot *hot, Device *device)
{
    bool done = false;
    double ms = 0;

    if (!hot->pending)
        return true;
    if (device->ops->event_query(device, hot->to, &done) != KJIT_OK || !done)
        return false;
    hot->pending = false;
    if (device->ops->event_elapsed(device, hot->from, hot->to, &ms) == KJIT_OK)
        hot->times[hot->pending_which][hot->taken[hot->pending_which]++] = ms;
    return true;
}

static bool has_events(Hot *hot, Device *device)
{
    if (!hot->from && device->ops->event_new(device, true, &hot->from) != KJIT_OK)
        hot->from = NULL;
    if (!hot->to && device->ops->event_new(device, true, &hot->to) != KJIT_OK)
        hot->to = NULL;
    return hot->from && hot->to;
}

/* Begins to time a launch if none is being timed; the lock is then held until hot_after(). */
static Specialisation *time_launch(Hot *hot, Specialisation *spec, Device *device, void *stream,
                                   HotLaunch *timed)
{
    Specialisation *variant = atomic_load(&hot->variant);
    bool records = true;

    if (pthread_mutex_trylock(&hot->lock) != 0)
        return spec;
    error_quiet(true);
    bool ready = atomic_load(&hot->state) == TIMING && has_events(hot, device) &&
                 stream_records(device, stream, &records) == KJIT_OK && !records &&
                 take_time(hot, device);
    error_quiet(false);
    if (ready && hot->taken[0] == SAMPLES && hot->taken[1] == SAMPLES) {
        decide(hot);
        ready = false;
    }
    if (!ready) {
        pthread_mutex_unlock(&hot->lock);
        return spec;
    }
    int which = hot->taken[1] < hot->taken[0] || hot->taken[0] == SAMPLES;
    *timed = (HotLaunch){ hot, which };
    return which ? variant : spec;
}

void hot_before(const HotLaunch *timed, Device *device, void *stream)
{
    if (!timed->hot)
        return;
    error_quiet(true);
    timed->hot->pending = device->ops->event_record(device, timed->hot->from, stream) == KJIT_OK;
    error_quiet(false);
}

void hot_after(const HotLaunch *timed, Device *device, void *stream)
{
    Hot *hot = timed->hot;

    if (!hot)
        return;
    error_quiet(true);
    hot->pending = hot->pending && device->ops->event_record(device, hot->to, stream) == KJIT_OK;
    hot->pending_which = timed->which;
    error_quiet(false);
    pthread_mutex_unlock(&hot->lock);
}

void hot_drop(const HotLaunch *timed)
{
    if (timed->hot)
        pthread_mutex_unlock(&timed->hot->lock);
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* Whether the variant is right for a launch. That its passes knew the values may have made them ask
** for more than those of the specialisation beside it. */
static bool serves(const Specialisation *variant, const kjit_arg *args, size_t count,
                   const kjit_launch_config *config, const Device *device, const HotValues *values)
{
    IrFacts facts;

    if (!has_values(variant, values))
        return false;
    facts_of_launch(args, count, config, device, &facts);
    facts.values = values->of;
    facts.value_count = values->count;
    return launch_allows(&variant->launch, &facts);
}

Specialisation *hot_choose(kjit_kernel *kernel, Specialisation *spec, const kjit_arg *args,
                           size_t count, const kjit_launch_config *config, HotLaunch *timed)
{
    Device *device = kernel->module->context->device;
    Hot *hot = spec->hot;
    HotValues values;

    if (timed)
        *timed = (HotLaunch){ .hot = NULL };
    if (!hot)
        return spec;
    hot_values(args, count, &values);
    if (values.count <= 0)
        return spec;
    int state = atomic_load_explicit(&hot->state, memory_order_acquire);
    if (state == TIMING || state == CHOSEN) {
        Specialisation *variant = atomic_load(&hot->variant);
        bool same = variant && serves(variant, args, count, config, device, &values);
        if (same && state == CHOSEN)
            return variant;
        if (same && timed)
            return time_launch(hot, spec, device, config->stream ? config->stream->handle : NULL,
                               timed);
    }
    if (timed && note_launch(hot, &values) && atomic_load(&hot->made) < VARIANTS &&
        (state == COUNTING || state == CHOSEN))
        build(kernel, spec, state, args, count, config, &values);
    return spec;
}
