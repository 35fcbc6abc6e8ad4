/* Ctrl-C. A first interrupt asks the command to end: what goes by interrupted() stops where a step
** ends, and prints what it has found. Where a step takes longer than a moment, a kernel that never
** ends above all, a thread prints that instead, and ends the process. A second interrupt ends it at
** once. The exit status shows that it was ended by the signal. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/line.h"

static const useconds_t MOMENT = 500000;

static struct {
    volatile sig_atomic_t asked;
    pid_t process; /* that it is of; children that run parts of the work end at once */
    int pipe[2];
    sem_t watched; /* posted by the thread once it runs */
    void (*tell)(void *context);
    void *context;
    pthread_mutex_t lock; /* held by the thread that prints what was found, and ends */
    bool own;             /* the command itself holds it */
} interrupt = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void on_interrupt(int number)
{
    int error = errno;

    if (getpid() != interrupt.process) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    interrupt.asked = 1;
    ssize_t written = write(interrupt.pipe[1], "", 1);
    (void)written;
    errno = error;
}

static _Noreturn void end_by_signal(void)
{
    fflush(stdout);
    line_over();
    signal(SIGINT, SIG_DFL);
    kill(getpid(), SIGINT);
    _exit(128 + SIGINT);
}

/* Waits for the interrupt, and then for the command to end by itself. */
static void *watch(void *nothing)
{
    char byte;
    ssize_t got;

    sem_post(&interrupt.watched);
    while ((got = read(interrupt.pipe[0], &byte, 1)) < 0 && errno == EINTR)
        ;
    if (got <= 0)
        return nothing;
    usleep(MOMENT);
    pthread_mutex_lock(&interrupt.lock);
    if (interrupt.tell)
        interrupt.tell(interrupt.context);
    else
        complain("interrupted");
    end_by_signal();
}

/* The thread runs when this returns: what a thread allocates as it starts it must not be allocating
** when the command forks, as an allocator's lock that it holds, AddressSanitizer's, would stay held
** in the child. */
void interrupt_open(void (*tell)(void *context), void *context)
{
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART }, before;
    pthread_t thread;

    action.sa_flags |= (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, NULL, &before) != 0 || before.sa_handler == SIG_IGN ||
        pipe(interrupt.pipe) != 0 || sem_init(&interrupt.watched, 0, 0) != 0)
        return; /* as of a job in the background */
    interrupt.process = getpid();
    interrupt.tell = tell;
    interrupt.context = context;
    if (pthread_create(&thread, NULL, watch, NULL) != 0)
        return;
    pthread_detach(thread);
    while (sem_wait(&interrupt.watched) != 0)
        ; /* a signal came */
    sigaction(SIGINT, &action, NULL);
}

bool interrupted(void)
{
    if (!interrupt.asked || getpid() != interrupt.process)
        return false;
    if (!interrupt.own)
        pthread_mutex_lock(&interrupt.lock); /* if the other thread is at it, for ever */
    interrupt.own = true;
    return true;
}

int interrupt_end(int status)
{
    if (!interrupted())
        return status;
    end_by_signal();
}
