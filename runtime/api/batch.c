/* Many compilations at once: threads that take one job after the other from a list. */
#include "runtime/runtime.h"

#include <sched.h>

enum { THREADS_MAX = 256 };

struct kjit_batch {
    HandleHead self;
    const kjit_compile_job *jobs;
    size_t count;
    atomic_size_t next, done;
    pthread_mutex_t lock; /* of all that follows */
    size_t failed;        /* the first job that did, `count` if none has */
    kjit_status status;
    char *message;
    int thread_count;
    pthread_t threads[THREADS_MAX];
};

/* Keeps a failure if it is the first in the list so far. */
static void note_failure(kjit_batch *batch, size_t index, kjit_status status)
{
    pthread_mutex_lock(&batch->lock);
    if (index < batch->failed) {
        batch->failed = index;
        batch->status = status;
        memory_free(batch->message);
        batch->message = memory_strdup(kjit_error_message());
    }
    pthread_mutex_unlock(&batch->lock);
}

static void *work(void *context)
{
    kjit_batch *batch = context;
    size_t index;

    while ((index = atomic_fetch_add(&batch->next, 1)) < batch->count) {
        const kjit_compile_job *job = &batch->jobs[index];
        kjit_status status = job->args || job->arg_count
                                 ? kjit_compile(job->kernel, job->args, job->arg_count)
                                 : kjit_compile_signature(job->kernel, job->signature);
        if (status != KJIT_OK)
            note_failure(batch, index, status);
        atomic_fetch_add(&batch->done, 1);
    }
    return NULL;
}

/* How many threads may run at once. */
static int processors(void)
{
    cpu_set_t allowed;

    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

static void start_threads(kjit_batch *batch, int wanted)
{
    if (wanted <= 0)
        wanted = processors();
    if ((size_t)wanted > batch->count)
        wanted = (int)batch->count;
    if (wanted > THREADS_MAX)
        wanted = THREADS_MAX;
    while (batch->thread_count < wanted &&
           pthread_create(&batch->threads[batch->thread_count], NULL, work, batch) == 0)
        batch->thread_count++;
}

kjit_status kjit_compile_begin(const kjit_compile_job *jobs, size_t count, int threads,
                               kjit_batch **out)
{
    *out = NULL;
    for (size_t i = 0; i < count; i++)
        KJIT_TRY(HANDLE(KERNEL, jobs[i].kernel));
    kjit_batch *batch = memory_zeroed(1, sizeof *batch);
    if (!batch)
        return error_memory();
    head_open(&batch->self, HANDLE_BATCH, NULL);
    batch->jobs = jobs;
    batch->count = batch->failed = count;
    pthread_mutex_init(&batch->lock, NULL);
    start_threads(batch, threads);
    if (!batch->thread_count) /* none can be had: it is done here and now */
        work(batch);
    *out = batch;
    return KJIT_OK;
}

size_t kjit_compile_left(kjit_batch *batch)
{
    if (!HANDLE_IS(BATCH, batch))
        return 0;
    return batch->count - atomic_load(&batch->done);
}

kjit_status kjit_compile_end(kjit_batch *batch)
{
    kjit_status status = KJIT_OK;

    if (!batch)
        return KJIT_OK;
    KJIT_TRY(HANDLE(BATCH, batch));
    for (int i = 0; i < batch->thread_count; i++)
        pthread_join(batch->threads[i], NULL);
    if (batch->failed < batch->count)
        status = batch->message ? error_text(batch->status, batch->message) : error_memory();
    pthread_mutex_destroy(&batch->lock);
    memory_free(batch->message);
    head_free(&batch->self);
    return status;
}
