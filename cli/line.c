/* The progress line of cli/line.h. */
#include "cli/line.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { LINE_SIZE = 1024, NARROWEST = 8, USUAL = 80 };

static const char ERASE[] = "\r\033[K";

static struct {
    pthread_mutex_t lock; /* of the terminal, and of the fields below */
    char text[LINE_SIZE]; /* the line shown */
    bool amid;            /* the last output did not end in a newline */
    atomic_bool shown;
    atomic_bool drawing, over; /* state for line_over(), which must not wait for the lock */
} line = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- the terminal ---------------------------------------------------------------------------- */

static void put(const char *text, size_t length)
{
    while (length) {
        ssize_t written = write(STDERR_FILENO, text, length);
        if (written < 0 && errno != EINTR)
            return;
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
}

bool line_possible(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static int columns(void)
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL;
    return size.ws_col;
}

/* Whether the process is in the foreground; otherwise a shell's prompt may be on the terminal. */
static bool in_foreground(void)
{
    pid_t group = tcgetpgrp(STDERR_FILENO);

    return group < 0 || group == getpgrp();
}

/* Under the lock. */
static void erase(void)
{
    if (atomic_exchange(&line.shown, false))
        put(ERASE, sizeof ERASE - 1);
}

/* ---- the text -------------------------------------------------------------------------------- */

/* The length of the character at an address; 0 if it is invalid, or a control character.
** */
static int character(const unsigned char *at)
{
    int length = *at < 0x80 ? 1 : *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;

    if (*at < ' ' || *at == 0x7f || (*at >= 0x80 && *at < 0xc2) || *at > 0xf4)
        return 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return *at == 0xc2 && at[1] < 0xa0 ? 0 : length;
}

void line_escape(char *out, unsigned long size, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t used = 0;

    while (*at && used + sizeof "\\xff" <= size) {
        int length = character(at);
        if (length)
            memcpy(out + used, at, (size_t)length);
        else
            sprintf(out + used, "\\x%02x", *at);
        used += length ? (size_t)length : 4;
        at += length ? length : 1;
    }
    out[used] = 0;
}

/* The length of a text that fits so many columns. Characters beyond European alphabets count as two
** columns, lest the line wrap, as only one row would be erased. */
static size_t fitting(const char *text, int width)
{
    size_t used = 0;

    while (text[used]) {
        unsigned char first = (unsigned char)text[used];
        int length = character((const unsigned char *)text + used);
        width -= first >= 0xe1 ? 2 : 1;
        if (width < 0 || !length)
            break;
        used += (size_t)length;
    }
    return used;
}

/* Under the lock. */
static void draw(const char *text)
{
    char shown[LINE_SIZE + sizeof ERASE];
    int width = columns() - 1; /* a full row may wrap */

    snprintf(shown, sizeof shown, "%s%.*s", ERASE, (int)fitting(text, width), text);
    if (width < NARROWEST || !in_foreground())
        return;
    atomic_store(&line.drawing, true);
    if (!atomic_load(&line.over)) {
        atomic_store(&line.shown, true);
        put(shown, strlen(shown));
    }
    atomic_store(&line.drawing, false);
}

void line_show(const char *text)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_mutex_lock(&line.lock);
    bool same = text && atomic_load(&line.shown) && !strcmp(text, line.text);
    if (!text)
        erase();
    if (text && !same && !line.amid) {
        snprintf(line.text, sizeof line.text, "%s", text);
        draw(line.text);
    }
    pthread_mutex_unlock(&line.lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Drawing happens in other threads, since it blocks signals here, and ends shortly unless the
** terminal is stopped. */
void line_over(void)
{
    const struct timespec while_ = { .tv_nsec = 1000 * 1000 };

    atomic_store(&line.over, true);
    for (int i = 0; i < 100 && atomic_load(&line.drawing); i++)
        nanosleep(&while_, NULL);
    erase();
}

/* ---- the standard streams -------------------------------------------------------------------- */

static ssize_t write_stream(void *cookie, const char *bytes, size_t length)
{
    const int fd = *(const int *)cookie;
    size_t left = length;

    pthread_mutex_lock(&line.lock);
    erase();
    while (left) {
        ssize_t written = write(fd, bytes + (length - left), left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            break;
        left -= (size_t)written;
    }
    if (length)
        line.amid = bytes[length - 1] != '\n';
    pthread_mutex_unlock(&line.lock);
    return left == length ? 0 : (ssize_t)(length - left);
}

/* Replaces a stream that goes to a terminal; the old one stays open for those that hold it. */
static bool replace(FILE **stream, const int *fd, int mode)
{
    const cookie_io_functions_t functions = { .write = write_stream };

    if (!isatty(*fd))
        return true;
    fflush(*stream);
    FILE *made = fopencookie((void *)(uintptr_t)fd, "w", functions);
    if (!made)
        return false;
    setvbuf(made, NULL, mode, BUFSIZ);
    *stream = made;
    return true;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void end(int number)
{
    line_over();
    signal(number, SIG_DFL);
    raise(number);
}

static void stop(int number)
{
    int error = errno;

    (void)number;
    line_over();
    raise(SIGSTOP);
    atomic_store(&line.over, false); /* the process was continued */
    errno = error;
}

/* Installs a handler unless the signal has another disposition than the default. */
static void on_signal(int number, void handler(int))
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART }, before;

    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(number, &action, NULL);
}

static void before_fork(void)
{
    pthread_mutex_lock(&line.lock);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&line.lock);
}

/* The line belongs to the parent. */
static void in_child(void)
{
    atomic_store(&line.shown, false);
    atomic_store(&line.drawing, false);
    pthread_mutex_unlock(&line.lock);
}

bool line_open(void)
{
    static const int out = STDOUT_FILENO, err = STDERR_FILENO;
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

    if (!line_possible() || !replace(&stderr, &err, _IONBF) || !replace(&stdout, &out, _IOLBF))
        return false;
    pthread_atfork(before_fork, in_parent, in_child);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        on_signal(ends[i], end);
    on_signal(SIGTSTP, stop);
    return true;
}
