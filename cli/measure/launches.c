/* Timing launches.
**
** On a GPU the stream is held by a callback of the host until a round of samples is queued: so the
** device finds each launch waiting when the one before it ends, and events between them take its
** time alone. The hold is bounded, should the driver wait for the device meanwhile; a round that it
** did not last for is thrown away, and the next is shorter. A launch that waits for the device by
** itself, as those for debug do, is not held at all.
**
** Where launches are known to be long, a round is queued behind one of them that does not count:
** the device is as busy as if it were held, and other threads that need the driver meanwhile, to
** load what they have compiled, do not wait for the host, nor the host for them. Where they are
** longer still, the microseconds between an event and an idle device's launch are nothing to them.
**
** Events tell about half a microsecond apart (CUDA Driver API, cuEventElapsedTime): a sample is as
** many launches as take a hundred times that, where that is allowed.
**
** On the processor other programs may have had what the launches wanted (load.h): then the samples
** are taken once more. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/measure/clock.h"
#include "cli/measure/hold.h"
#include "cli/measure/load.h"
#include "cli/measure/measure.h"
#include "cli/measure/memory.h"

enum {
    ROUND_MOST = 16,   /* samples that are queued at once */
    QUEUED_MOST = 256, /* launches; the driver's queues have room for some more */
    BATCH_MOST = 128,  /* launches of a sample */
    LOOK_FIRST = 6,    /* samples; of fewer there is no interval */
    LOOK_EVERY = 10,   /* samples between looks at the interval, at the least */
    SURE = 3           /* launches that show whether it is hopeless */
};

static const double SAMPLE_MS = 0.05; /* that a batch is to take */
static const double LONG_MS = 0.5;    /* a launch: long enough to queue a round in its time */
static const double ENDLESS_MS = 2;   /* and so long that it does not matter when that begins */
static const double ROUND_MS = 100;   /* that a round is to take, at the most */
static const double CLEARLY = 1.5;    /* times slower: one launch is enough to give up */
static const double OTHERS_MS = 20;   /* for which a processor may run other programs */

typedef struct Measuring {
    kjit_context *context;
    const MeasureOptions *options;
    Timing *timing;
    bool gpu, unheld;
    bool known; /* how long launches take, and that is long */
    bool led;   /* rounds are queued behind a launch that does not count */
    kjit_stream *stream;
    kjit_prepared *launch;
    kjit_event *from[ROUND_MOST], *to[ROUND_MOST];
    uint32_t *restored; /* the arguments that are; NULL: none */
    Flush *flush;
    Hold *hold;
    double expected_ms; /* of a launch */
    size_t round;       /* samples in a round, at the most */
    double began;       /* behind the warm-up, and behind samples that were thrown away */
    bool patient;       /* nothing is given up: it was, by samples that tell nothing */
    size_t room;        /* in timing->ms */
    size_t looked;      /* how many samples there were when the interval was last looked at */
} Measuring;

static double now_ms(void)
{
    return clock_of_launches() * 1e3;
}

/* ---- one sample ----------------------------------------------------------------------------- */

static kjit_status prepare_memory(Measuring *m)
{
    kjit_status status = KJIT_OK;

    if (m->restored)
        status = device_args_restore(m->options->restore, m->stream, m->restored);
    if (status == KJIT_OK && m->flush)
        status = flush_caches(m->flush, m->stream);
    return status;
}

static kjit_status launch_batch(Measuring *m, size_t batch)
{
    kjit_status status = KJIT_OK;

    for (size_t i = 0; i < batch && status == KJIT_OK; i++)
        status = kjit_launch_prepared(m->launch);
    m->timing->launches += batch;
    return status;
}

static void keep_sample(Measuring *m, double ms)
{
    Timing *timing = m->timing;

    if (timing->count == m->room) {
        m->room = m->room ? 2 * m->room : 64;
        timing->ms = must_grow(timing->ms, m->room * sizeof *timing->ms);
    }
    timing->ms[timing->count++] = ms;
}

/* The host's clock, the only one on the processor. */
static kjit_status clock_launches(Measuring *m, size_t batch, double *ms)
{
    kjit_status status = prepare_memory(m);

    if (status == KJIT_OK && m->gpu)
        status = kjit_stream_synchronize(m->stream);
    double begin = now_ms();
    if (status == KJIT_OK)
        status = launch_batch(m, batch);
    if (status == KJIT_OK && m->gpu)
        status = kjit_stream_synchronize(m->stream);
    *ms = (now_ms() - begin) / (double)batch;
    return status;
}

/* ---- rounds --------------------------------------------------------------------------------- */

static kjit_status queue_sample(Measuring *m, size_t sample)
{
    kjit_status status = prepare_memory(m);

    if (status == KJIT_OK)
        status = kjit_event_record(m->from[sample], m->stream);
    if (status == KJIT_OK)
        status = launch_batch(m, m->timing->batch);
    if (status == KJIT_OK)
        status = kjit_event_record(m->to[sample], m->stream);
    return status;
}

/* Keeps the device busy until the round is queued. */
static kjit_status begin_round(Measuring *m)
{
    if (!m->known)
        return m->unheld ? KJIT_OK : hold_begin(m->hold, m->stream);
    return m->led ? launch_batch(m, 1) : KJIT_OK;
}

/* Whether it was busy so long. */
static kjit_status end_round(Measuring *m, bool *lasted)
{
    int begun = 0;

    *lasted = m->known || m->unheld || hold_end(m->hold);
    if (!m->led)
        return KJIT_OK;
    kjit_status status = kjit_event_query(m->from[0], &begun);
    *lasted = !begun;
    return status;
}

/* The next one is queued faster, or else taken as it is. */
static void shorten_round(Measuring *m)
{
    m->led = false;
    m->unheld = m->round == 1;
    if (!m->known && m->round > 1)
        m->round /= 2;
}

/* Takes up to `count` samples; fewer if the queueing took too long. */
static kjit_status take_by_events(Measuring *m, size_t count)
{
    kjit_status status = begin_round(m);
    bool begun = status == KJIT_OK, lasted = false;

    for (size_t i = 0; i < count && status == KJIT_OK; i++)
        status = queue_sample(m, i);
    kjit_status ended = begun ? end_round(m, &lasted) : KJIT_OK;
    /* the hold is this function's: nothing may run in it when it is over */
    kjit_status waited = begun ? kjit_stream_synchronize(m->stream) : KJIT_OK;
    if (status == KJIT_OK)
        status = ended == KJIT_OK ? waited : ended;
    if (status != KJIT_OK)
        return status;
    if (!lasted) {
        shorten_round(m);
        return KJIT_OK;
    }
    for (size_t i = 0; i < count && status == KJIT_OK; i++) {
        double ms = 0;
        status = kjit_event_elapsed(m->from[i], m->to[i], &ms);
        if (status == KJIT_OK)
            keep_sample(m, ms / (double)m->timing->batch);
    }
    return status;
}

static kjit_status take_by_clock(Measuring *m)
{
    double ms;
    kjit_status status = clock_launches(m, m->timing->batch, &ms);

    if (status == KJIT_OK)
        keep_sample(m, ms);
    return status;
}

/* On a processor it is unknown how long launches stood still for other programs: a difference
** shorter than the time since the last look shows nothing. */
static bool is_hopeless(const Measuring *m, double ms, size_t count)
{
    double bound = m->options->stop_above_ms, batch = fmax(1, (double)m->timing->batch);

    if (!(bound > 0) || !(ms > bound) || m->patient)
        return false;
    if (!m->gpu && (ms - bound) * batch < OTHERS_MS)
        return count >= SURE && now_ms() - m->began >= OTHERS_MS;
    return count >= SURE || ms > bound * CLEARLY;
}

/* So many samples as there is time for; at least one. */
static size_t samples_left(const Measuring *m)
{
    double left = m->options->most_seconds * 1e3 - (now_ms() - m->began);
    double ms = m->expected_ms * (double)m->timing->batch;

    if (!(m->options->most_seconds > 0) || !(ms > 0))
        return m->round;
    return left < ms ? 1 : left / ms < (double)m->round ? (size_t)(left / ms) : m->round;
}

static kjit_status take_round(Measuring *m)
{
    const MeasureOptions *options = m->options;
    size_t count = m->round, left;

    if (options->most)
        left = options->most - m->timing->count;
    else if (m->timing->count < options->least)
        left = options->least - m->timing->count;
    else
        left = samples_left(m);
    /* Where a configuration seems hopeless, samples are taken one by one. */
    if (m->known && is_hopeless(m, options->known_ms, SURE) && m->timing->count < SURE - 1)
        left = 1;
    if (!m->gpu)
        return take_by_clock(m);
    return take_by_events(m, count < left ? count : left);
}

/* ---- from the warm-up to the end ------------------------------------------------------------ */

/* Launches until the device is awake; the time of the fastest is what is expected. */
static kjit_status warm_up(Measuring *m)
{
    const MeasureOptions *options = m->options;
    double begin = now_ms(), least = INFINITY;
    kjit_status status = KJIT_OK;

    for (size_t i = 0; status == KJIT_OK; i++) {
        double ms, passed = now_ms() - begin;
        if (i && i >= options->warm_up && passed >= options->warm_up_seconds * 1e3)
            break;
        if (i > 1 && (is_hopeless(m, least, i) ||
                      (options->most_seconds > 0 && passed > options->most_seconds * 1e3)))
            break;
        status = clock_launches(m, 1, &ms);
        least = ms < least ? ms : least;
    }
    m->expected_ms = least;
    return status;
}

/* Of a sample, and of a round. */
static void choose_counts(Measuring *m)
{
    double ms = m->expected_ms > 1e-5 ? m->expected_ms : 1e-5, batch = ceil(SAMPLE_MS / ms);
    bool alone = m->options->alone || m->restored || m->flush;

    m->timing->batch = alone ? 1 : batch < BATCH_MOST ? (size_t)batch : BATCH_MOST;
    double round = ROUND_MS / (ms * (double)m->timing->batch);
    m->round = round < 1 ? 1 : round < ROUND_MOST ? (size_t)round : ROUND_MOST;
    while (m->round > 1 && m->round * m->timing->batch > QUEUED_MOST)
        m->round--;
}

/* What the host's clock said of a GPU's launch has the launching in it. */
static kjit_status expect_by_events(Measuring *m)
{
    Timing *timing = m->timing;

    timing->batch = 1;
    m->round = 1;
    kjit_status status = KJIT_OK;
    while (status == KJIT_OK && !timing->count)
        status = take_by_events(m, 1);
    if (status == KJIT_OK)
        m->expected_ms = timing->ms[0];
    timing->count = 0;
    return status;
}

static void summarise(Timing *timing)
{
    timing->median = statistics_median(timing->ms, timing->count);
    statistics_interval(timing->ms, timing->count, &timing->low, &timing->high, NULL);
    timing->least = timing->count ? timing->ms[0] : 0;
    for (size_t i = 1; i < timing->count; i++)
        timing->least = timing->ms[i] < timing->least ? timing->ms[i] : timing->least;
}

static bool is_narrow(Measuring *m)
{
    Timing *timing = m->timing;

    size_t next = m->looked ? m->looked + LOOK_EVERY + m->looked / 8 : LOOK_FIRST;
    if (!(m->options->narrow > 0) || timing->count < next)
        return false;
    m->looked = timing->count;
    summarise(timing);
    return timing->high - timing->low <= m->options->narrow * timing->median;
}

static bool is_over(Measuring *m)
{
    const MeasureOptions *options = m->options;
    Timing *timing = m->timing;
    double passed = now_ms() - m->began;

    if (!timing->count)
        return false;
    if (options->stop && options->stop())
        return true;
    double least = timing->ms[0];
    for (size_t i = 1; i < timing->count && (i < SURE || !m->gpu); i++)
        least = timing->ms[i] < least ? timing->ms[i] : least;
    if (m->known && m->options->known_ms < least)
        least = m->options->known_ms;
    bool early = timing->count <= 2 * ROUND_MOST || !m->gpu;
    if (early && is_hopeless(m, least, timing->count + m->known)) {
        timing->gave_up = true;
        return true;
    }
    bool endless = !options->most && !(options->most_seconds > 0) && !(options->narrow > 0);
    if ((options->most && timing->count >= options->most) || (endless && !options->least))
        return true;
    if (timing->count < options->least)
        return false;
    return endless || (options->most_seconds > 0 && passed > options->most_seconds * 1e3) ||
           is_narrow(m);
}

/* Wakes the device up and learns how long launches take, unless that is known. */
static kjit_status learn(Measuring *m)
{
    double known_ms = m->options->known_ms;

    m->known = m->gpu && known_ms >= LONG_MS;
    m->led = m->known && known_ms < ENDLESS_MS;
    m->expected_ms = known_ms;
    if (m->known)
        return KJIT_OK;
    kjit_status status = warm_up(m);
    return status == KJIT_OK && m->gpu ? expect_by_events(m) : status;
}

/* All of them, and whether they are worth anything. What events of a GPU say is its own time. */
static kjit_status take_samples(Measuring *m)
{
    Load from = { 0 }, to = { 0 };
    kjit_status status = KJIT_OK;

    if (!m->gpu)
        load_read(&from);
    m->began = now_ms();
    while (status == KJIT_OK && !is_over(m))
        status = take_round(m);
    m->timing->tries++;
    if (!m->gpu)
        load_read(&to);
    load_disturbs(&from, &to, m->timing->disturbed, sizeof m->timing->disturbed);
    return status;
}

static void forget_samples(Measuring *m)
{
    m->patient = m->patient || m->timing->gave_up;
    m->timing->count = m->looked = 0;
    m->timing->gave_up = false;
}

static kjit_status run_all(Measuring *m)
{
    kjit_status status = learn(m);

    if (status != KJIT_OK)
        return status;
    choose_counts(m);
    do {
        forget_samples(m);
        status = take_samples(m);
    } while (status == KJIT_OK && *m->timing->disturbed && !m->options->once &&
             m->timing->tries < MEASURE_TRIES && !(m->options->stop && m->options->stop()));
    m->timing->gave_up = m->timing->gave_up && !*m->timing->disturbed;
    summarise(m->timing);
    return status;
}

/* ---- what it takes -------------------------------------------------------------------------- */

/* The arguments whose memory the kernel both reads and writes: a launch would find them changed. */
static kjit_status find_restored(Measuring *m, kjit_kernel *kernel, const kjit_arg *args,
                                 size_t count)
{
    bool any = false;

    if (!m->options->restore)
        return KJIT_OK;
    m->restored = must_alloc(count * sizeof *m->restored);
    kjit_status status = kjit_access(kernel, args, count, m->restored);
    if (status != KJIT_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        m->restored[i] = m->restored[i] == (KJIT_READS | KJIT_WRITES);
        any = any || m->restored[i];
    }
    if (!any) {
        free(m->restored);
        m->restored = NULL;
    }
    return KJIT_OK;
}

static kjit_status open_all(Measuring *m, kjit_kernel *kernel, const kjit_launch_config *config,
                            const kjit_arg *args, size_t count)
{
    const kjit_stream_options apart = { .size = sizeof apart, .independent = 1 };
    kjit_launch_config own = *config;
    kjit_status status = kjit_stream_new(m->context, &apart, &m->stream);

    own.stream = m->stream;
    if (status == KJIT_OK)
        status = find_restored(m, kernel, args, count);
    if (status == KJIT_OK && m->options->cold)
        status = flush_new(m->context, &m->flush);
    if (status == KJIT_OK)
        status = kjit_prepare(kernel, &own, args, count, &m->launch);
    for (int i = 0; i < ROUND_MOST && m->gpu && status == KJIT_OK; i++) {
        status = kjit_event_new(m->context, 1, &m->from[i]);
        if (status == KJIT_OK)
            status = kjit_event_new(m->context, 1, &m->to[i]);
    }
    if (status == KJIT_OK) /* what the default stream still does would be in the way */
        status = kjit_synchronize(m->context);
    return status;
}

static void close_all(Measuring *m)
{
    for (int i = 0; i < ROUND_MOST; i++) {
        kjit_event_close(m->from[i]);
        kjit_event_close(m->to[i]);
    }
    kjit_close_prepared(m->launch);
    flush_free(m->flush);
    kjit_stream_close(m->stream);
    free(m->restored);
}

kjit_status measure_launches(kjit_context *context, kjit_kernel *kernel,
                             const kjit_launch_config *config, const kjit_arg *device_args,
                             size_t count, const MeasureOptions *options, Timing *timing)
{
    Measuring m = {
        .context = context,
        .options = options,
        .timing = timing,
        .gpu = !strncmp(kjit_device_name(context), "cuda", 4),
    };

    *timing = (Timing){ .batch = 1 };
    m.hold = hold_new();
    kjit_status status = open_all(&m, kernel, config, device_args, count);
    if (status == KJIT_OK)
        status = run_all(&m);
    close_all(&m);
    hold_free(m.hold);
    return status;
}

void timing_join(Timing *timing, const Timing *round)
{
    size_t count = timing->count + round->count, rounds = timing->round_count + 1;

    timing->ms = must_grow(timing->ms, count * sizeof *timing->ms);
    timing->rounds = must_grow(timing->rounds, rounds * sizeof *timing->rounds);
    if (round->count)
        memcpy(timing->ms + timing->count, round->ms, round->count * sizeof *timing->ms);
    timing->rounds[timing->round_count] = round->median;
    timing->count = count;
    timing->round_count = rounds;
    timing->batch = round->batch;
    timing->launches += round->launches;
    timing->tries = round->tries > timing->tries ? round->tries : timing->tries;
    if (*round->disturbed)
        memcpy(timing->disturbed, round->disturbed, sizeof timing->disturbed);
    summarise(timing);
    if (rounds < ROUNDS_TELL)
        return;
    timing->median = statistics_median(timing->rounds, rounds);
    statistics_interval(timing->rounds, rounds, &timing->low, &timing->high, NULL);
}

void timing_free(Timing *timing)
{
    free(timing->ms);
    free(timing->rounds);
    *timing = (Timing){ 0 };
}
