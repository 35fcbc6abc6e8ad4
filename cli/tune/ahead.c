/* Compiles configurations ahead of their measurement, on threads: for the launch that will be
** timed, with its arguments and shape, so that its variant is then in memory. */
#include <pthread.h>

#include "cli/tune/tune.h"

enum { WAITING, COMPILING, COMPILED };

struct Ahead {
    const kjit_arg *args;
    size_t count;
    bool early;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    Job *jobs; /* in order of arrival */
    bool over;
    pthread_t *threads;
    size_t thread_count;
    size_t quiet_left; /* jobs that are not compiled yet */
};

static void compile(const Ahead *ahead, Job *job)
{
    kjit_prepared *prepared = NULL;
    kjit_facts facts = { .size = sizeof facts };
    kjit_report report = { .size = sizeof report };
    /* Copies on the GPU may not exist yet, nor the GPU's context; compilation needs neither. */
    job->status =
        ahead->early
            ? kjit_kernel_facts(job->kernel, &job->shape, ahead->args, ahead->count, &facts)
            : kjit_prepare(job->kernel, &job->shape, ahead->args, ahead->count, &prepared);
    if (job->status != KJIT_OK) {
        const char *message = kjit_error_message();
        job->message = must_strndup(message, strlen(message));
        job->uncompiled = kjit_compile(job->kernel, ahead->args, ahead->count) != KJIT_OK;
    }
    kjit_close_prepared(prepared);
    kjit_last_report(&report);
    job->ms = report.compiled ? report.frontend_ms + report.compiler_ms : 0;
}

static Job *next_waiting(Ahead *ahead)
{
    Job *job = ahead->jobs;
    while (job && job->state != WAITING)
        job = job->next;
    return job;
}

static void *work(void *context)
{
    Ahead *ahead = context;
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->over) {
        Job *job = next_waiting(ahead);
        if (!job) {
            pthread_cond_wait(&ahead->changed, &ahead->lock);
            continue;
        }
        job->state = COMPILING;
        pthread_mutex_unlock(&ahead->lock);
        compile(ahead, job);
        pthread_mutex_lock(&ahead->lock);
        job->state = COMPILED;
        ahead->quiet_left--;
        pthread_cond_broadcast(&ahead->changed);
    }
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

Ahead *ahead_new(size_t threads, const kjit_arg *args, size_t count, bool early)
{
    Ahead *ahead = must_alloc(sizeof *ahead);
    ahead->args = args;
    ahead->count = count;
    ahead->early = early;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    ahead->threads = must_alloc(threads * sizeof *ahead->threads);
    while (ahead->thread_count < threads &&
           pthread_create(&ahead->threads[ahead->thread_count], NULL, work, ahead) == 0)
        ahead->thread_count++;
    return ahead;
}

void job_free(Job *job)
{
    if (!job)
        return;
    kjit_close_module(job->module);
    free(job->message);
    free(job);
}

void ahead_free(Ahead *ahead)
{
    if (!ahead)
        return;
    pthread_mutex_lock(&ahead->lock);
    ahead->over = true;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    for (size_t i = 0; i < ahead->thread_count; i++)
        pthread_join(ahead->threads[i], NULL);
    for (Job *job = ahead->jobs, *next; job; job = next) {
        next = job->next;
        job_free(job);
    }
    pthread_mutex_destroy(&ahead->lock);
    pthread_cond_destroy(&ahead->changed);
    free(ahead->threads);
    free(ahead);
}

void ahead_add(Ahead *ahead, size_t id, kjit_module *module, kjit_kernel *kernel,
               const kjit_launch_config *shape)
{
    Job *job = must_alloc(sizeof *job), **last = &ahead->jobs;
    *job = (Job){ .id = id, .module = module, .kernel = kernel, .shape = *shape };
    pthread_mutex_lock(&ahead->lock);
    while (*last)
        last = &(*last)->next;
    *last = job;
    ahead->quiet_left++;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
}

static Job **find(Ahead *ahead, size_t id)
{
    Job **at = &ahead->jobs;
    while (*at && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

bool ahead_has(Ahead *ahead, size_t id)
{
    pthread_mutex_lock(&ahead->lock);
    bool has = *find(ahead, id) != NULL;
    pthread_mutex_unlock(&ahead->lock);
    return has;
}

/* Compiles on the calling thread if none could be started. */
static void compile_here(Ahead *ahead)
{
    for (Job *job = next_waiting(ahead); job; job = next_waiting(ahead)) {
        compile(ahead, job);
        job->state = COMPILED;
        ahead->quiet_left--;
    }
}

Job *ahead_take(Ahead *ahead, size_t id, bool quiet)
{
    pthread_mutex_lock(&ahead->lock);
    if (!ahead->thread_count)
        compile_here(ahead);
    Job *job = *find(ahead, id);
    while (job && (job->state != COMPILED || (quiet && ahead->quiet_left)))
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    if (job) {
        Job **at = find(ahead, id); /* the list may have changed */
        *at = job->next;
    }
    pthread_mutex_unlock(&ahead->lock);
    return job;
}
