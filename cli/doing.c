/* A progress line on a terminal for what takes long. A thread updates it ten times a second, from
** the activities of contexts or else from what the command has set.
**
** The line appears after a second. What takes less is not shown, nor is anything if standard error
** is no terminal. */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/line.h"
#include "cli/measure/clock.h"

enum { TEXT = 512, TICK_MS = 100 };
static const double USUAL_AFTER = 1; /* second */
static const double SHORT = 0.5;     /* seconds before an activity of a context counts */

static struct {
    pthread_mutex_t lock; /* of the fields below */
    pthread_cond_t changed;
    pthread_t thread;
    bool open, closing;
    double began, after; /* seconds: start of the command; delay of the line */
    kjit_context **contexts;
    size_t count;
    /* What the command itself is doing, or "". */
    char what[TEXT], unit[32];
    double since;
    uint64_t done, of;
} doing = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- the text -------------------------------------------------------------------------------- */

static void put(char line[TEXT], const char *format, ...)
{
    size_t used = strlen(line);
    va_list args;

    va_start(args, format);
    vsnprintf(line + used, TEXT - used, format, args);
    va_end(args);
}

static void put_seconds(char line[TEXT], const char *before, double seconds)
{
    long whole = seconds > 0 ? (long)seconds : 0;

    if (whole < 60)
        put(line, "%s%ld s", before, whole);
    else
        put(line, "%s%ld min %ld s", before, whole / 60, whole % 60);
}

/* How long it still takes, if it goes on as it did. Of less than a second nothing can be said. */
static void put_left(char line[TEXT], uint64_t done, uint64_t of, double seconds)
{
    double left = done && done < of ? seconds / (double)done * (double)(of - done) : 0;

    if (seconds >= USUAL_AFTER && left >= 1) {
        put_seconds(line, ", about ", left);
        put(line, " left");
    }
}

/* The longest-running activity of the contexts. */
static kjit_activity longest(const kjit_context **whose)
{
    kjit_activity most = { .doing = KJIT_IDLE };

    for (size_t i = 0; i < doing.count; i++) {
        kjit_activity one = { .size = sizeof one };
        if (kjit_watch(doing.contexts[i], &one) != KJIT_OK || one.doing == KJIT_IDLE ||
            (most.doing != KJIT_IDLE && most.seconds >= one.seconds))
            continue;
        most = one;
        *whose = doing.contexts[i];
    }
    return most;
}

static void put_activity(char line[TEXT], const kjit_activity *activity,
                         const kjit_context *context)
{
    char kernel[2 * sizeof activity->kernel];

    line_escape(kernel, sizeof kernel, activity->kernel);
    if (activity->doing == KJIT_WAITING)
        put(line, "waiting for %s", kjit_device_name(context));
    else
        put(line, "%s %s", activity->doing == KJIT_COMPILING ? "compiling" : "running", kernel);
    if (activity->blocks)
        put(line, ": %llu of %llu block%s", (unsigned long long)activity->blocks_done,
            (unsigned long long)activity->blocks, activity->blocks == 1 ? "" : "s");
    put_seconds(line, activity->blocks ? ", " : " ... ", activity->seconds);
    put_left(line, activity->blocks_done, activity->blocks, activity->seconds);
}

static void put_own(char line[TEXT], double now)
{
    bool own = *doing.what;

    put(line, "%s", own ? doing.what : "working");
    if (own && doing.of)
        put(line, ": %llu of %llu %s", (unsigned long long)doing.done, (unsigned long long)doing.of,
            doing.unit);
    double since = now - (own ? doing.since : doing.began);
    put_seconds(line, own && doing.of ? ", " : " ... ", since);
    if (own)
        put_left(line, doing.done, doing.of, since);
}

/* Under the lock. */
static void show(double now)
{
    const kjit_context *context = NULL;
    kjit_activity activity = longest(&context);
    bool its = activity.doing != KJIT_IDLE && activity.seconds >= SHORT &&
               (!*doing.what || activity.doing != KJIT_WAITING);
    char line[TEXT] = "";

    if (its)
        put_activity(line, &activity, context);
    else
        put_own(line, now);
    line_show(line);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void wait_a_little(void)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TICK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&doing.changed, &doing.lock, &until);
}

static void *look(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&doing.lock);
    while (!doing.closing) {
        double now = clock_seconds();
        if (now >= doing.began + doing.after)
            show(now);
        wait_a_little();
    }
    pthread_mutex_unlock(&doing.lock);
    return NULL;
}

/* At exit. */
static void close_thread(void)
{
    pthread_mutex_lock(&doing.lock);
    bool open = doing.open;
    doing.open = false;
    doing.closing = true;
    pthread_cond_signal(&doing.changed);
    pthread_mutex_unlock(&doing.lock);
    if (!open)
        return;
    pthread_join(doing.thread, NULL);
    line_show(NULL);
    free(doing.contexts);
}

static void before_fork(void)
{
    pthread_mutex_lock(&doing.lock);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&doing.lock);
}

/* A child process shows nothing: it has no such thread. */
static void in_child(void)
{
    doing.open = false;
    pthread_mutex_unlock(&doing.lock);
}

/* ---- the command's activity ------------------------------------------------------------------ */

/* KJIT_PROGRESS: the delay of the line in seconds, as environment_check() has seen; 0: never. */
static double read_after(void)
{
    const char *text = getenv("KJIT_PROGRESS");

    return text && *text ? strtod(text, NULL) : USUAL_AFTER;
}

static void start(double after)
{
    pthread_condattr_t clock;
    sigset_t all, before;

    doing.began = clock_seconds();
    doing.after = after;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&doing.changed, &clock);
    pthread_condattr_destroy(&clock);
    pthread_atfork(before_fork, in_parent, in_child);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    doing.open = pthread_create(&doing.thread, NULL, look, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    atexit(close_thread);
}

void doing_open(bool quiet, bool json)
{
    if (doing.open || quiet || (json && isatty(STDOUT_FILENO)) || !line_possible())
        return;
    double after = read_after();
    if (after > 0 && line_open())
        start(after);
}

void doing_say(const char *format, ...)
{
    char text[TEXT] = "";
    va_list args;

    if (!doing.open)
        return;
    if (format) {
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
    }
    pthread_mutex_lock(&doing.lock);
    line_escape(doing.what, sizeof doing.what, text);
    doing.since = clock_seconds();
    doing.of = 0;
    pthread_mutex_unlock(&doing.lock);
}

void doing_count(uint64_t done, uint64_t of, const char *unit)
{
    if (!doing.open)
        return;
    pthread_mutex_lock(&doing.lock);
    doing.done = done;
    doing.of = of;
    snprintf(doing.unit, sizeof doing.unit, "%s", unit);
    pthread_mutex_unlock(&doing.lock);
}

void doing_since(double clock)
{
    pthread_mutex_lock(&doing.lock);
    doing.since = clock;
    pthread_mutex_unlock(&doing.lock);
}

void doing_watch(kjit_context *context)
{
    if (!doing.open || !context)
        return;
    /* without the lock, since it may exit */
    kjit_context **more = must_alloc((doing.count + 1) * sizeof *more), **old;
    pthread_mutex_lock(&doing.lock);
    old = doing.contexts;
    if (doing.count)
        memcpy(more, old, doing.count * sizeof *more);
    more[doing.count++] = context;
    doing.contexts = more;
    pthread_mutex_unlock(&doing.lock);
    free(old);
}

void doing_unwatch(const kjit_context *context)
{
    if (!doing.open || !context)
        return;
    pthread_mutex_lock(&doing.lock);
    for (size_t i = 0; i < doing.count; i++)
        if (doing.contexts[i] == context) {
            doing.contexts[i] = doing.contexts[--doing.count];
            break;
        }
    pthread_mutex_unlock(&doing.lock);
}
