/* Helpers wait in two ways. For a short time after there was something to do they watch a counter,
** since kernels are often launched one behind the other, and a thread that sleeps takes tens of
** microseconds to wake. Then they sleep. A thread that watches while other programs want its
** processor is interrupted when its time slice is used up, maybe in the middle of its share, and is
** then waited for; one that sleeps is let in at once. So when a watching helper sees that it was
** interrupted, all go to sleep at once for a while. */
#include "runtime/crew.h"
#include "runtime/runtime.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum {
    WATCH_NS = 500 * 1000,         /* how long helpers watch before they sleep */
    INTERRUPTED_NS = 200 * 1000,   /* between two looks at the clock: others ran meanwhile */
    SLEEPY_NS = 100 * 1000 * 1000, /* how long helpers do not watch after that */
    LOOKS = 64,                    /* at the counter, between two at the clock */
    SIGNAL_STACK = 64 << 10,
    ROOMY_STACK = 64 << 20 /* of helpers, where the system names no size */
};

typedef struct CrewJob {
    CrewTask *task;
    void *what;
    int members, most; /* that ever joined, and may */
    atomic_int active; /* helpers at work */
    pthread_cond_t left;
    struct CrewJob *next;
} CrewJob;

static struct {
    pthread_mutex_t lock; /* of all that follows, but for what is atomic */
    pthread_cond_t wake;
    CrewJob *jobs;
    int count, sleeping; /* helpers */
    atomic_uint posted;  /* jobs ever */
    atomic_ullong sleepy_until;
} crew = { .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER };

static atomic_uint crew_forks; /* forks_seen() when the helpers were started */

/* ---- helpers -------------------------------------------------------------------------------- */

static uint64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void pause_briefly(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#endif
}

/* Watches until a job is posted after `seen`, or it is time to sleep. */
static void watch(unsigned seen)
{
    uint64_t begin = clock_ns(), last = begin;

    while (last - begin < WATCH_NS && last >= atomic_load(&crew.sleepy_until)) {
        for (int i = 0; i < LOOKS; i++) {
            if (atomic_load_explicit(&crew.posted, memory_order_relaxed) != seen)
                return;
            pause_briefly();
        }
        uint64_t now = clock_ns();
        if (now - last > INTERRUPTED_NS)
            atomic_store(&crew.sleepy_until, now + SLEEPY_NS);
        last = now;
    }
}

/* The job with the fewest members that may have one more; NULL if there is none. Under the lock. */
static CrewJob *find_job(void)
{
    CrewJob *best = NULL;

    for (CrewJob *job = crew.jobs; job; job = job->next) {
        if (job->members < job->most && (!best || job->members < best->members))
            best = job;
    }
    return best;
}

/* Does a share of a job. Called under the lock, which is given up while the task runs. */
static void take_share(CrewJob *job)
{
    int member = job->members++;

    atomic_fetch_add(&job->active, 1);
    pthread_mutex_unlock(&crew.lock);
    job->task(job->what, member);
    pthread_mutex_lock(&crew.lock);
    job->most = 0; /* no work is left to take */
    if (atomic_fetch_sub(&job->active, 1) == 1)
        pthread_cond_signal(&job->left);
}

/* Room for handlers of signals that tell of a full stack. It lives as long as the process. */
static void prepare_signals(void)
{
    stack_t stack = { .ss_size = SIGNAL_STACK };

    stack.ss_sp =
        mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp != MAP_FAILED)
        sigaltstack(&stack, NULL);
}

static void *help(void *context)
{
    (void)context;
    prepare_signals();
    pthread_mutex_lock(&crew.lock);
    for (;;) {
        CrewJob *job = find_job();
        unsigned seen = atomic_load(&crew.posted);
        if (job) {
            take_share(job);
            continue;
        }
        pthread_mutex_unlock(&crew.lock);
        watch(seen);
        pthread_mutex_lock(&crew.lock);
        while (!find_job() && atomic_load(&crew.posted) == seen) {
            crew.sleeping++;
            pthread_cond_wait(&crew.wake, &crew.lock);
            crew.sleeping--;
        }
    }
    return NULL;
}

/* ---- the caller ----------------------------------------------------------------------------- */

int crew_threads(void)
{
    int threads = cpu_threads();

    return threads < 1 ? 1 : threads > CREW_MOST ? CREW_MOST : threads;
}

/* Signals are the program's own threads' business, but for those that kernels cause. */
static void block_signals(sigset_t *before)
{
    static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    sigset_t all;

    sigfillset(&all);
    for (size_t i = 0; i < ARRAY_COUNT(own); i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

static void size_stack(pthread_attr_t *attributes)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) == 0)
        pthread_attr_setstacksize(attributes, limit.rlim_cur == RLIM_INFINITY
                                                  ? (size_t)ROOMY_STACK
                                                  : (size_t)limit.rlim_cur);
}

/* Starts helpers until there are `wanted`. Under the lock. */
static void start_helpers(int wanted)
{
    pthread_attr_t attributes;
    sigset_t before;

    if (crew.count >= wanted || pthread_attr_init(&attributes) != 0)
        return;
    size_stack(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    block_signals(&before);
    for (pthread_t thread; crew.count < wanted; crew.count++) {
        if (pthread_create(&thread, &attributes, help, NULL) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

/* A child has no helpers, and whatever they held is as it was at the fork. */
static void renew(void *what)
{
    (void)what;
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.wake, NULL);
    crew.jobs = NULL;
    crew.count = crew.sleeping = 0;
}

static void post(CrewJob *job)
{
    pthread_mutex_lock(&crew.lock);
    start_helpers(job->most - 1);
    job->next = crew.jobs;
    crew.jobs = job;
    atomic_fetch_add(&crew.posted, 1);
    int asleep = crew.sleeping, wanted = job->most - 1;
    pthread_mutex_unlock(&crew.lock);
    if (asleep >= wanted)
        for (int i = 0; i < wanted; i++)
            pthread_cond_signal(&crew.wake);
    else if (asleep)
        pthread_cond_broadcast(&crew.wake);
}

/* Takes the job off the list, so that no more helpers join, and waits for those at work. */
static void close_job(CrewJob *job)
{
    pthread_mutex_lock(&crew.lock);
    CrewJob **at = &crew.jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    bool alone = job->members == 1;
    pthread_mutex_unlock(&crew.lock);
    if (alone)
        return;
    for (int i = 0; i < 16 * LOOKS && atomic_load(&job->active); i++)
        pause_briefly();
    pthread_mutex_lock(&crew.lock);
    while (atomic_load(&job->active))
        pthread_cond_wait(&job->left, &crew.lock);
    pthread_mutex_unlock(&crew.lock);
}

void crew_run(CrewTask *task, void *what, int most)
{
    CrewJob job = { .task = task, .what = what, .members = 1, .left = PTHREAD_COND_INITIALIZER };

    job.most = most < CREW_MOST ? most : CREW_MOST;
    if (job.most < 2) {
        task(what, 0);
        return;
    }
    forks_watch();
    forks_renew(&crew_forks, renew, NULL);
    post(&job);
    task(what, 0);
    close_job(&job);
    pthread_cond_destroy(&job.left);
}
