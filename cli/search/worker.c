/* A measuring child process: another instance of the command, with lines of JSON as messages.
**
** posix_spawn rather than fork, which a GPU's context does not survive, and this process may be
** large. The end of the child's standard error is kept: it explains a crash. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/measure/clock.h"
#include "cli/measure/complain.h"
#include "cli/measure/memory.h"
#include "cli/measure/text.h"
#include "cli/search/tune.h"

extern char **environ;

typedef struct Pipe {
    int read, write;
} Pipe;

static bool open_ends(Pipe *ends)
{
    int both[2];
    if (pipe2(both, O_CLOEXEC) != 0)
        return false;
    *ends = (Pipe){ both[0], both[1] };
    return true;
}

static void close_end(int *end)
{
    if (*end > 0)
        close(*end);
    *end = 0;
}

static bool spawn(Worker *worker, const Pipe ends[3])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual;
    pid_t pid;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    posix_spawnattr_init(&attributes);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int failed = posix_spawn_file_actions_adddup2(&actions, ends[0].read, 0);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, ends[1].write, 1);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, ends[2].write, 2);
    if (!failed)
        failed = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, worker->argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    errno = failed;
    if (!failed)
        worker->pid = pid;
    return !failed;
}

bool worker_start(Worker *worker, char *const *argv)
{
    Pipe ends[3] = { { 0 } };
    worker->argv = argv;
    worker->length = worker->used = worker->stderr_length = 0;
    worker->stderr_tail[0] = '\0';
    worker->status = 0;
    bool started =
        open_ends(&ends[0]) && open_ends(&ends[1]) && open_ends(&ends[2]) && spawn(worker, ends);
    int reason = errno;
    close_end(&ends[0].read);
    close_end(&ends[1].write);
    close_end(&ends[2].write);
    worker->in = ends[0].write;
    worker->out = ends[1].read;
    worker->errors = ends[2].read;
    if (!started) {
        complain("cannot start a process to measure in: %s", strerror(reason));
        worker_stop(worker);
    }
    return started;
}

bool worker_send(Worker *worker, json_t *message)
{
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    size_t length = text ? strlen(text) : 0, done = 0;
    json_decref(message);
    if (!text)
        return false;
    text[length++] = '\n';
    while (done < length && worker->pid) {
        ssize_t wrote = write(worker->in, text + done, length - done);
        if (wrote < 0 && errno != EINTR)
            break;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    free(text);
    return done == length;
}

/* ---- signals --------------------------------------------------------------------------------- */

static volatile sig_atomic_t signalled;

static void note_signal(int number)
{
    signalled = number;
}

void worker_catch_signals(void)
{
    struct sigaction action = { .sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    signalled = 0;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

bool worker_signalled(void)
{
    return signalled;
}

/* ppoll(): signals are blocked between the test of the flag and the wait, so that none is
** missed. */
static int poll_or_signal(struct pollfd *ends, int milliseconds)
{
    struct timespec wait = { milliseconds / 1000, milliseconds % 1000 * 1000000L };
    sigset_t caught, before;
    int ready = -1;

    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &caught, &before);
    errno = EINTR;
    if (!signalled)
        ready = ppoll(ends, 2, milliseconds < 0 ? NULL : &wait, &before);
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return ready;
}

/* ---- receiving ------------------------------------------------------------------------------- */

/* Reads the child's standard error, and keeps the end. */
static bool read_stderr(Worker *worker)
{
    char more[sizeof worker->stderr_tail - 1];
    ssize_t got = read(worker->errors, more, sizeof more);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    size_t room = sizeof worker->stderr_tail - 1, length = (size_t)got;
    if (worker->stderr_length + length > room) {
        size_t drop = worker->stderr_length + length - room;
        memmove(worker->stderr_tail, worker->stderr_tail + drop, worker->stderr_length - drop);
        worker->stderr_length -= drop;
    }
    memcpy(worker->stderr_tail + worker->stderr_length, more, length);
    worker->stderr_length += length;
    worker->stderr_tail[worker->stderr_length] = '\0';
    return true;
}

static bool read_out(Worker *worker)
{
    enum { PIECE = 1 << 16 };
    if (worker->used) {
        memmove(worker->line, worker->line + worker->used, worker->length - worker->used);
        worker->length -= worker->used;
        worker->used = 0;
    }
    worker->line = must_grow(worker->line, worker->length + PIECE);
    ssize_t got = read(worker->out, worker->line + worker->length, PIECE);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    worker->length += (size_t)got;
    return true;
}

/* The next complete line of JSON; other output, of kernels, is ignored. */
static json_t *next_line(Worker *worker)
{
    while (worker->used < worker->length) {
        const char *begin = worker->line + worker->used;
        const char *end = memchr(begin, '\n', worker->length - worker->used);
        if (!end)
            return NULL;
        json_t *line = json_loadb(begin, (size_t)(end - begin), 0, NULL);
        worker->used += (size_t)(end - begin) + 1;
        if (json_is_object(line))
            return line;
        json_decref(line);
    }
    return NULL;
}

static void reap(Worker *worker)
{
    if (worker->pid) {
        while (waitpid((pid_t)worker->pid, &worker->status, 0) < 0 && errno == EINTR)
            ;
    }
    worker->pid = 0;
    while (worker->errors && read_stderr(worker))
        ;
    close_end(&worker->in);
    close_end(&worker->out);
    close_end(&worker->errors);
}

WorkerEvent worker_receive(Worker *worker, double seconds, json_t **line)
{
    double until = clock_seconds() + seconds;
    for (;;) {
        *line = next_line(worker);
        if (*line)
            return WORKER_LINE;
        if (!worker->pid)
            return WORKER_ENDED;
        double left = until - clock_seconds();
        int wait = seconds < 0  ? -1
                   : left <= 0  ? 0
                   : left > 1e6 ? 1000000000
                                : (int)(left * 1e3) + 1;
        struct pollfd ends[] = { { worker->out, POLLIN, 0 }, { worker->errors, POLLIN, 0 } };
        int ready = poll_or_signal(ends, wait);
        if (ready < 0 && errno == EINTR)
            return WORKER_INTERRUPTED;
        if (ready == 0)
            return WORKER_LATE;
        if (ends[1].revents)
            read_stderr(worker);
        if (ends[0].revents && !read_out(worker)) {
            reap(worker);
            return WORKER_ENDED;
        }
    }
}

void worker_stop(Worker *worker)
{
    if (worker->pid)
        kill((pid_t)worker->pid, SIGKILL);
    reap(worker);
}

void worker_free(Worker *worker)
{
    worker_stop(worker);
    free(worker->line);
    worker->line = NULL;
}

void worker_fate(const Worker *worker, char *text, size_t room)
{
    int status = worker->status;
    size_t length = worker->stderr_length, begin;
    while (length && strchr(" \n", worker->stderr_tail[length - 1]))
        length--;
    for (begin = length; begin && worker->stderr_tail[begin - 1] != '\n';)
        begin--;
    const char *last = worker->stderr_tail + begin;
    int shown = (int)(length - begin);
    if (!strncmp(last, "kjit: ", 6) && shown > 6) {
        last += 6;
        shown -= 6;
    }
    if (WIFSIGNALED(status))
        snprintf(text, room, "signal %d (%s)%s%.*s", WTERMSIG(status), strsignal(WTERMSIG(status)),
                 shown ? ": " : "", shown, last);
    else if (shown)
        snprintf(text, room, "%.*s", shown, last);
    else
        snprintf(text, room, "exit status %d", WEXITSTATUS(status));
    text_make_utf8(text); /* it may be arbitrary bytes, cut off anywhere */
}
