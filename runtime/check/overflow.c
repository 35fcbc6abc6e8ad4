/* Stack overflow by endless recursion. The thread touches the guard page below its stack, and the
** signal handler ends the run with a finding. On a GPU the thread would overwrite other memory.
**
** The handler only switches from the thread's fiber to the host's, which reports and may allocate.
** The thread is abandoned in the kernel's code, or in the checker's on the kernel's stack, of whose
** state only the findings are used afterwards. One risk remains: if the overflow is inside
** malloc(), which findings and fences call now and then, its lock is never released. */
#include "runtime/check/run.h"

#include <pthread.h>
#include <signal.h>

enum { HANDLER_STACK = 64 << 10 };

/* The current run, for the handler. */
static CheckRun *running;
static pthread_t runner;
static struct sigaction before;
static stack_t stack_before;
static Thread *overflown; /* whose stack has overflown */
static void *handler_stack;

static void report(CheckRun *run, const Thread *t)
{
    CheckFinding *found = find_add(run, FOUND_DEADLOCK, t->front.site, -1);

    if (!found)
        return;
    found->at = find_event(t, t->front.site, 0);
    snprintf(found->message, sizeof found->message,
             "a thread's stack is full: its calls do not come to an end");
    snprintf(found->note, sizeof found->note,
             "mend the condition that ends the recursion, or make it a loop");
}

/* Runs on a stack of its own. Abandons the fiber of a kernel's thread; for any other fault it
** restores the previous handler, and the instruction faults again. */
static void handle(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    if (running && pthread_equal(runner, pthread_self()) && running->current &&
        is_stack(info->si_addr)) {
        overflown = running->current;
        schedule_fail(running, KJIT_OK);
    }
    sigaction(SIGSEGV, &before, NULL);
}

/* If a handler cannot be installed, kernels run without. */
void overflow_open(CheckRun *run)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };

    running = NULL;
    overflown = NULL;
    handler_stack = memory_alloc(HANDLER_STACK);
    if (!handler_stack)
        return;
    stack_t stack = { .ss_sp = handler_stack, .ss_size = HANDLER_STACK };
    if (sigaltstack(&stack, &stack_before) != 0)
        return;
    action.sa_sigaction = handle;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGSEGV, &action, &before) != 0) {
        sigaltstack(&stack_before, NULL);
        return;
    }
    runner = pthread_self();
    running = run;
}

void overflow_close(void)
{
    if (running && overflown)
        report(running, overflown);
    if (running) {
        sigaction(SIGSEGV, &before, NULL);
        sigaltstack(&stack_before, NULL);
    }
    running = NULL;
    memory_free(handler_stack);
    handler_stack = NULL;
}
