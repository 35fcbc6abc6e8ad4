/* A thread that compiles what launches would profit from, while they run what there is.
**
** It is started with the first job, takes one after the other, and is gone when its context is
** closed. What fails leaves no trace: the launches go on as they are. */
#include "runtime/launch/hot.h"
#include "runtime/launch/variant.h"

typedef struct BehindJob {
    struct BehindJob *next;
    kjit_kernel *kernel;
    VariantKey key; /* of the copies that follow */
    uint32_t *words;
    IrFacts facts;
    int64_t *values; /* of the facts */
    Hot *hot;        /* informed when it is done, or NULL */
} BehindJob;

static void job_free(BehindJob *job)
{
    memory_free(job->words);
    memory_free(job->values);
    memory_free(job);
}

void behind_init(Behind *behind)
{
    *behind = (Behind){ .closing = false };
    atomic_init(&behind->started, false);
    pthread_mutex_init(&behind->lock, NULL);
    pthread_cond_init(&behind->changed, NULL);
}

/* The next job, taken from the list; NULL when the context is to be closed. The lock is held. */
static BehindJob *next_job(Behind *behind)
{
    while (!behind->jobs && !behind->closing)
        pthread_cond_wait(&behind->changed, &behind->lock);
    BehindJob *job = behind->closing ? NULL : behind->jobs;
    if (job)
        behind->jobs = job->next;
    return job;
}

static void *work(void *context)
{
    Behind *behind = context;
    BehindJob *job;

    error_quiet(true);
    pthread_mutex_lock(&behind->lock);
    while ((job = next_job(behind))) {
        behind->running = job->kernel;
        pthread_mutex_unlock(&behind->lock);
        Specialisation *spec = NULL;
        dispatch_behind(job->kernel, &job->key, &spec);
        if (job->hot)
            hot_built(job->hot, spec);
        pthread_mutex_lock(&behind->lock);
        behind->running = NULL;
        pthread_cond_broadcast(&behind->changed);
        job_free(job);
    }
    pthread_mutex_unlock(&behind->lock);
    return NULL;
}

static bool is_busy_with(const Behind *behind, const kjit_kernel *kernel)
{
    const BehindJob *job = behind->jobs;

    while (job && job->kernel != kernel)
        job = job->next;
    return job || behind->running == kernel;
}

/* A copy of what is to be done; NULL without memory. */
static BehindJob *job_new(kjit_kernel *kernel, const VariantKey *key, Hot *hot)
{
    const IrFacts *facts = key->facts;
    BehindJob *job = memory_zeroed(1, sizeof *job);
    uint32_t *words = memory_alloc(sizeof *words * (size_t)key->length);
    size_t bytes = sizeof *facts->values * (size_t)facts->value_count;
    int64_t *values = facts->values ? memory_alloc(bytes) : NULL;

    if (!job || !words || (facts->values && !values)) {
        memory_free(job);
        memory_free(words);
        memory_free(values);
        return NULL;
    }
    memcpy(words, key->words, sizeof *words * (size_t)key->length);
    if (values)
        memcpy(values, facts->values, bytes);
    *job = (BehindJob){
        .kernel = kernel, .words = words, .facts = *facts, .values = values, .hot = hot
    };
    job->facts.values = values;
    job->key = (VariantKey){ words, key->length, key->block_threads, &job->facts };
    return job;
}

/* In a child process there is no thread, and the lock may be held by one that is not there. */
static bool is_elsewhere(const Behind *behind)
{
    return behind->started && behind->forks != forks_seen();
}

/* The lock is held. */
static bool has_thread(Behind *behind)
{
    if (!behind->started) {
        behind->forks = forks_seen();
        behind->started = pthread_create(&behind->thread, NULL, work, behind) == 0;
    }
    return behind->started;
}

bool behind_add(kjit_kernel *kernel, const VariantKey *key, Hot *hot)
{
    Behind *behind = &kernel->module->context->behind;
    bool added = false;

    /* Where another has the lock, the next launch will do. */
    if (is_elsewhere(behind) || pthread_mutex_trylock(&behind->lock) != 0)
        return false;
    if (!is_busy_with(behind, kernel)) {
        BehindJob *job = job_new(kernel, key, hot), **link;
        for (link = &behind->jobs; *link; link = &(*link)->next) {}
        added = job && has_thread(behind);
        if (added) {
            *link = job;
            pthread_cond_broadcast(&behind->changed);
        } else if (job) {
            job_free(job);
        }
    }
    pthread_mutex_unlock(&behind->lock);
    return added;
}

void behind_forget(Behind *behind, const kjit_module *module)
{
    if (is_elsewhere(behind))
        return;
    pthread_mutex_lock(&behind->lock);
    for (BehindJob **link = &behind->jobs; *link;) {
        BehindJob *job = *link;
        if (job->kernel->module == module) {
            *link = job->next;
            job_free(job);
        } else {
            link = &job->next;
        }
    }
    while (behind->running && behind->running->module == module)
        pthread_cond_wait(&behind->changed, &behind->lock);
    pthread_mutex_unlock(&behind->lock);
}

void behind_close(Behind *behind)
{
    if (is_elsewhere(behind))
        return;
    pthread_mutex_lock(&behind->lock);
    behind->closing = true;
    pthread_cond_broadcast(&behind->changed);
    pthread_mutex_unlock(&behind->lock);
    if (behind->started)
        pthread_join(behind->thread, NULL);
    while (behind->jobs) {
        BehindJob *job = behind->jobs;
        behind->jobs = job->next;
        job_free(job);
    }
}

void behind_free(Behind *behind)
{
    if (is_elsewhere(behind))
        return;
    pthread_cond_destroy(&behind->changed);
    pthread_mutex_destroy(&behind->lock);
}
