/* The clock of deadlines, with what tests add to it: tests/paced/paced.h. What was added lies in
** memory that a process shares with those that it starts, which find it by their environment. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/measure/clock.h"
#include "tests/paced/paced.h"

static const char SHARED[] = "PACED_CLOCK";
static const double DAY = 86400;

static _Atomic int64_t *added_ms;

double __real_clock_seconds(void);
double __wrap_clock_seconds(void);

static _Noreturn void fail(const char *what)
{
    perror(what);
    abort();
}

/* Before main(), where there are no other threads. */
__attribute__((constructor)) static void share(void)
{
    const char *shared = getenv(SHARED);
    int first = shared ? open(shared, O_RDWR | O_CLOEXEC) : memfd_create("clock", MFD_CLOEXEC);
    int fd = fcntl(first, F_DUPFD_CLOEXEC, 10); /* closed standard streams stay closed */
    char path[64];

    close(first);
    if (fd < 0 || (!shared && ftruncate(fd, sizeof *added_ms) != 0))
        fail(shared ? shared : "memfd_create");
    added_ms = mmap(NULL, sizeof *added_ms, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (added_ms == MAP_FAILED)
        fail("mmap");
    if (shared) {
        close(fd);
        return;
    }
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), fd);
    setenv(SHARED, path, 1);
}

double __wrap_clock_seconds(void)
{
    return __real_clock_seconds() + (double)*added_ms / 1e3;
}

void paced_pass(double seconds)
{
    *added_ms += (int64_t)(seconds * 1e3);
}

void paced_hang(void)
{
    for (;;) { /* who waits may have begun to only now */
        paced_pass(DAY);
        fputc('\n', stderr);
        fflush(stderr);
        usleep(50000);
    }
}
