/* Compiling what tests need together. */
#include "cli/test/together.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"

enum { /* of a program whose kernels do nothing yet: it may not end */
       SECONDS_WAITING = 10,
       SECONDS_WORKING = 1 /* of processors */
};

static const int *waiting_here; /* compilations of this process */
static unsigned seconds_left;

FILE *together_open(void)
{
    FILE *queue = tmpfile();
    if (queue && fcntl(fileno(queue), F_SETFL, O_APPEND) != 0) {
        fclose(queue);
        return NULL;
    }
    return queue;
}

bool together_waits(void)
{
    return waiting_here && *waiting_here;
}

static void on_alarm(int number)
{
    if (together_waits())
        _exit(EXIT_DONE);
    signal(number, SIG_DFL);
    alarm(seconds_left);
}

static void on_worked(int number)
{
    (void)number;
    if (together_waits())
        _exit(EXIT_DONE);
}

void together_begin(FILE *queue, int *waiting, unsigned seconds)
{
    if (!queue) {
        alarm(seconds);
        return;
    }
    kjit_queue_compilations(fileno(queue), waiting);
    waiting_here = waiting;
    seconds_left = seconds - SECONDS_WAITING;
    signal(SIGALRM, on_alarm);
    alarm(SECONDS_WAITING);
    signal(SIGPROF, on_worked);
    setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = SECONDS_WORKING }, NULL);
}

bool together_compile(FILE *queue, size_t jobs)
{
    if (!queue)
        return false;
    bool any = lseek(fileno(queue), 0, SEEK_END) > 0 && !interrupted();
    if (any)
        doing_say("compiling kernels");
    for (size_t i = 0; any && i < jobs; i++) {
        fflush(NULL);
        pid_t process = fork();
        if (process <= 0) /* or without another process */
            kjit_compile_queued(fileno(queue), i, jobs);
        if (process == 0)
            _exit(EXIT_DONE);
    }
    while (any && wait(NULL) > 0)
        ;
    fclose(queue);
    return any;
}
