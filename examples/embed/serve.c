/* A program that serves launches: four threads take jobs from a queue, each a block of samples to
** be counted, and launch one kernel that all of them share.
**
**     cc serve.c -lkjit -lpthread -o serve && ./serve ../hist.k
**
** Handles may be used by many threads at once; the first launch compiles, and the others wait for
** that. Each thread's last message is its own. */
#include <kjit.h>
#include <pthread.h>
#include <stdio.h>

enum { WORKERS = 4, JOBS = 64, SAMPLES = 4096, BINS = 150 };

typedef struct Job {
    float low, high;
    float samples[SAMPLES];
    int32_t bins[BINS];
    char failure[512]; /* "" if it went well */
} Job;

/* The jobs that wait: those from `next` on. */
static struct {
    pthread_mutex_t lock;
    int next;
    Job jobs[JOBS];
    kjit_kernel *hist;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER };

static Job *take(void)
{
    pthread_mutex_lock(&queue.lock);
    Job *job = queue.next < JOBS ? &queue.jobs[queue.next++] : NULL;
    pthread_mutex_unlock(&queue.lock);
    return job;
}

static void *work(void *unused)
{
    (void)unused;
    for (Job *job = take(); job; job = take())
        if (KJIT_CALL(queue.hist, KJIT_GRID(8), KJIT_BLOCK(64),
                      KJIT_CONST_ARRAY(job->samples, SAMPLES), job->low, job->high,
                      KJIT_ARRAY(job->bins, BINS)) != KJIT_OK)
            snprintf(job->failure, sizeof job->failure, "%s", kjit_error_message());
    return NULL;
}

static void fill(void)
{
    for (int i = 0; i < JOBS; i++) {
        queue.jobs[i].low = 0;
        queue.jobs[i].high = (float)i + 0.5F;
        for (int k = 0; k < SAMPLES; k++)
            queue.jobs[i].samples[k] = (float)(k % JOBS);
    }
}

static int serve(void)
{
    pthread_t workers[WORKERS];
    int started = 0;

    while (started < WORKERS && pthread_create(&workers[started], NULL, work, NULL) == 0)
        started++;
    for (int i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    return started > 0;
}

/* Every job counts the samples below its own bound. */
static int report(void)
{
    int done = 0;

    for (int i = 0; i < JOBS; i++) {
        int64_t sum = 0;
        for (int bin = 0; bin < BINS; bin++)
            sum += queue.jobs[i].bins[bin];
        if (queue.jobs[i].failure[0])
            fprintf(stderr, "job %d: %s\n", i, queue.jobs[i].failure);
        done += !queue.jobs[i].failure[0] && sum == (int64_t)(i + 1) * (SAMPLES / JOBS);
    }
    printf("%d of %d jobs, by %d threads\n", done, JOBS, WORKERS);
    return done == JOBS;
}

int main(int argc, char **argv)
{
    kjit_context *context = NULL;
    kjit_module *module;

    if (kjit_open(NULL, &context) != KJIT_OK ||
        kjit_load_file(context, argc > 1 ? argv[1] : "hist.k", NULL, &module) != KJIT_OK ||
        kjit_get_kernel(module, NULL, &queue.hist) != KJIT_OK) {
        fprintf(stderr, "%s\n", kjit_error_message());
        kjit_close(context);
        return 1;
    }
    fill();
    int well = serve() && report();
    kjit_close(context);
    return !well;
}
