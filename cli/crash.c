/* A kernel on the processor runs in this process, which its errors can crash. These signal handlers
** then print that the kernel is to blame, and a remedy. */
#include <signal.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/line.h"

enum { MESSAGE = 512, STACK = 1 << 16, RED_ZONE = 1 << 16 };

/* The messages, formatted before the launch, since a handler must not format. */
static struct {
    char crashed[MESSAGE], overflowed[MESSAGE], damaged[MESSAGE];
    volatile sig_atomic_t launched;
} says;

static char handler_stack[STACK];

/* Did a push or a call fail? Few other accesses are that close to the stack pointer. */
static bool on_stack(int number, const siginfo_t *info, const ucontext_t *at)
{
    uintptr_t stack = (uintptr_t)at->uc_mcontext.gregs[REG_RSP];
    uintptr_t touched = (uintptr_t)info->si_addr;
    return (number == SIGSEGV || number == SIGBUS) && touched + RED_ZONE > stack &&
           touched < stack + RED_ZONE;
}

static void handle(int number, siginfo_t *info, void *at)
{
    const char *message = says.launched                ? says.damaged
                          : on_stack(number, info, at) ? says.overflowed
                                                       : says.crashed;
    line_over();
    ssize_t written = write(STDERR_FILENO, message, strlen(message));
    (void)written;
    _exit(EXIT_FAILED);
}

/* Of one kernel, or of any of a program's. */
static void prepare_messages(const char *name, bool debug)
{
    char kernel[MESSAGE / 2];
    snprintf(kernel, sizeof kernel, name ? "the kernel %.200s" : "a kernel of the program", name);
    const char *advice = debug ? "its indices are checked (--debug), so look for endless "
                                 "recursion, or report it"
                               : "run it with --debug to find the place";
    snprintf(says.crashed, MESSAGE, "kjit: %s crashed%s; %s\n", kernel,
             debug ? "" : " (out-of-bounds access?)", advice);
    snprintf(says.overflowed, MESSAGE, "kjit: %s crashed: its stack is full (endless recursion?)\n",
             kernel);
    snprintf(says.damaged, MESSAGE, "kjit: %s damaged memory (out-of-bounds access?); %s\n", kernel,
             advice);
}

void crash_guard(const char *kernel, bool debug)
{
    static const int numbers[] = { SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGBUS };
    stack_t stack = { .ss_sp = handler_stack, .ss_size = STACK };
    struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK };

    prepare_messages(kernel, debug);
    sigemptyset(&action.sa_mask);
    sigaltstack(&stack, NULL);
    const size_t count = sizeof numbers / sizeof numbers[0];
    /* programs tell themselves of files that became shorter, by SIGBUS */
    for (size_t i = 0; i < (kernel ? count : count - 1); i++)
        sigaction(numbers[i], &action, NULL);
}

void crash_launched(void)
{
    says.launched = 1;
}
