/* Groups: ranks of this process, or this process as a rank of several. */
#include "runtime/many/group.h"

#include "ir/predict/split.h"
#include "runtime/handle.h"
#include "runtime/launch/launching.h"

#include <pthread.h>
#include <string.h>

struct kjit_group {
    HandleHead self;
    int rank, ranks;
    Engine *mpi; /* NULL: the ranks are threads of this process */
    bool over;   /* some rank has ended: no other is to be waited for */
};

int kjit_launched_ranks(void)
{
    return mpi_launched();
}

static kjit_status check_ranks(int ranks)
{
    if (ranks >= 1 && ranks <= SPLIT_RANKS)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT, "error: a group has 1 to %d ranks, not %d", SPLIT_RANKS, ranks);
}

kjit_status kjit_open_group(int ranks, kjit_group **out)
{
    *out = NULL;
    if (ranks)
        KJIT_TRY(check_ranks(ranks));
    kjit_group *group = memory_zeroed(1, sizeof *group);
    if (!group)
        return error_memory();
    kjit_status status = ranks ? KJIT_OK : engine_mpi(&group->mpi);
    group->ranks = group->mpi ? group->mpi->ranks : ranks;
    group->rank = group->mpi ? group->mpi->rank : 0;
    if (status == KJIT_OK)
        status = check_ranks(group->ranks);
    if (status != KJIT_OK) {
        if (group->mpi)
            group->mpi->ops->close(group->mpi);
        memory_free(group);
        return status;
    }
    head_open(&group->self, HANDLE_GROUP, NULL);
    *out = group;
    return KJIT_OK;
}

void kjit_close_group(kjit_group *group)
{
    if (!group || !HANDLE_IS(GROUP, group))
        return;
    if (group->mpi)
        group->mpi->ops->close(group->mpi);
    head_free(&group->self);
}

int kjit_group_rank(const kjit_group *group)
{
    return HANDLE_IS(GROUP, group) ? group->rank : 0;
}

int kjit_group_ranks(const kjit_group *group)
{
    return HANDLE_IS(GROUP, group) ? group->ranks : 0;
}

/* ---- ranks of this process ------------------------------------------------------------------- */

/* What all threads wait for: a rank that could not be started would be waited for for ever. */
typedef struct Gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    enum { GATE_SHUT, GATE_OPEN, GATE_OFF } state;
} Gate;

typedef struct Thread {
    pthread_t thread;
    Gate *gate;
    Engine *engine;
    const Job *job;
    kjit_status status;
    char message[SAYS_TEXT];
} Thread;

static bool pass(Gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    while (gate->state == GATE_SHUT)
        pthread_cond_wait(&gate->opened, &gate->lock);
    bool open = gate->state == GATE_OPEN;
    pthread_mutex_unlock(&gate->lock);
    return open;
}

static void set_gate(Gate *gate, bool open)
{
    pthread_mutex_lock(&gate->lock);
    gate->state = open ? GATE_OPEN : GATE_OFF;
    pthread_cond_broadcast(&gate->opened);
    pthread_mutex_unlock(&gate->lock);
}

static void *run_thread(void *data)
{
    Thread *thread = data;

    if (!pass(thread->gate))
        return NULL;
    thread->status = rank_run(thread->engine, thread->job);
    if (thread->status != KJIT_OK)
        strncpy(thread->message, kjit_error_message(), sizeof thread->message - 1);
    return NULL;
}

/* Runs all ranks, each as a thread. */
static kjit_status run_threads(Thread *threads, int ranks)
{
    Gate gate = { .lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER };
    int started = 0;

    for (int r = 0; r < ranks; r++)
        threads[r].gate = &gate;
    while (started < ranks &&
           pthread_create(&threads[started].thread, NULL, run_thread, &threads[started]) == 0)
        started++;
    set_gate(&gate, started == ranks);
    for (int r = 0; r < started; r++)
        pthread_join(threads[r].thread, NULL);
    if (started < ranks)
        return error_set(KJIT_MEMORY, "error: the system starts no more than %d threads", started);
    for (int r = 0; r < ranks; r++)
        if (threads[r].status != KJIT_OK)
            return error_text(threads[r].status, threads[r].message);
    return KJIT_OK;
}

static kjit_status run_local(int ranks, const Job *job)
{
    Thread *threads = memory_zeroed((size_t)ranks, sizeof *threads);
    Engine **engines = memory_zeroed((size_t)ranks, sizeof(Engine *));
    kjit_status status = threads && engines ? engine_local(ranks, engines) : error_memory();

    if (status == KJIT_OK) {
        for (int r = 0; r < ranks; r++) {
            threads[r].engine = engines[r];
            threads[r].job = job;
        }
        status = run_threads(threads, ranks);
        for (int r = 0; r < ranks; r++)
            engines[r]->ops->close(engines[r]);
    }
    memory_free(engines);
    memory_free(threads);
    return status;
}

/* ---- this process as a rank ------------------------------------------------------------------ */

/* Rank 0 compiles first, so that others find its code in the cache. */
static kjit_status prepare(Engine *engine, Job *job)
{
    KJIT_TRY(ranks_agree(engine, engine->rank == 0 ? job_open(job) : KJIT_OK));
    kjit_status status = engine->rank == 0 ? KJIT_OK : job_open(job);
    Says *says = memory_zeroed(1, sizeof *says);

    if (!says)
        return error_memory();
    says->status = status;
    if (status == KJIT_OK)
        job_say(job, says);
    else
        strncpy(says->message, kjit_error_message(), sizeof says->message - 1);
    status = ranks_meet(engine, says);
    memory_free(says);
    return status;
}

static kjit_status run_mpi(kjit_group *group, Job *job)
{
    kjit_status status = prepare(group->mpi, job);

    if (status == KJIT_OK)
        status = rank_run(group->mpi, job);
    group->over |= status != KJIT_OK;
    return status;
}

void kjit_group_fail(kjit_group *group, const char *message)
{
    if (!HANDLE_IS(GROUP, group) || !group->mpi || group->over)
        return;
    Says *says = memory_zeroed(1, sizeof *says);
    if (!says)
        return;
    says->status = KJIT_LAUNCH;
    strncpy(says->message, message, sizeof says->message - 1);
    error_quiet(true);
    ranks_meet(group->mpi, says);
    error_quiet(false);
    group->over = true;
    memory_free(says);
}

/* ---- launches -------------------------------------------------------------------------------- */

kjit_status kjit_group_launch(kjit_group *group, kjit_kernel *kernel,
                              const kjit_launch_config *config, const kjit_arg *args, size_t count,
                              const kjit_wish *wishes, size_t wish_count)
{
    KJIT_TRY(HANDLE(GROUP, group));
    KJIT_TRY(HANDLE(KERNEL, kernel));
    kjit_launch_config room;

    launch_clear_report();
    KJIT_TRY(launch_check_size(config));
    Job job = { .kernel = kernel,
                .config = *config_read(config, &room),
                .args = args,
                .count = count,
                .said = wishes,
                .said_count = wish_count,
                .ranks = group->ranks };
    kjit_status status;
    arena_init(&job.arena, NULL);
    if (group->mpi) {
        status = run_mpi(group, &job);
    } else {
        status = job_open(&job);
        if (status == KJIT_OK)
            status = run_local(group->ranks, &job);
    }
    job_close(&job);
    return status;
}
