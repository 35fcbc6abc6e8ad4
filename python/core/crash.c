/* A kernel on the processor runs in this process, which an access out of bounds ends. A handler
** says first which kernel it was, and a remedy; the process then ends as it would without. */
#include "python/core/core.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static void say(const char *text, size_t length)
{
    ssize_t written = write(STDERR_FILENO, text, length);
    (void)written;
}

static void say_who(const char *call)
{
    static const char before[] = "kjit: the kernel ",
                      after[] = " crashed (out-of-bounds access?): debug=True or KJIT_DEVICE=check "
                                "find the place\n";
    size_t name = 0;

    while (call[name] && call[name] != '(')
        name++;
    say(before, sizeof before - 1);
    say(call, name);
    say(after, sizeof after - 1);
}

/* What has faulted does so again when this returns; what another process sent is raised again. */
static void handle(int number, siginfo_t *info, void *at)
{
    const char *call = kjit_running_call();

    (void)at;
    signal(number, SIG_DFL);
    if (call && info->si_code > 0)
        say_who(call);
    if (info->si_code <= 0)
        raise(number);
}

void crash_watch(void)
{
    static const int numbers[] = { SIGSEGV, SIGBUS };
    struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK }, now;

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (sigaction(numbers[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
            now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    }
}
