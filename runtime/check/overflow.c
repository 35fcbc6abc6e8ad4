/* A stack that is full: recursion that does not end. Its thread touches the page below the stack,
** which nothing may touch, and the signal that comes of it ends the run with a finding. On a GPU
** the thread would write over what lies there.
**
** The handler only leaves the thread's fiber for the host's, which tells of it and may allocate.
** What the thread was at is left half done: its kernel's code, or the checker's on the kernel's
** stack, of which nothing is looked at after but the findings. Had the last call that fitted been
** one of malloc(), which a finding or a fence needs now and then, its lock would be left taken:
** that is the one thing that is hoped against here. */
#include "runtime/check/run.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { HANDLER_STACK = 64 << 10 };

/* Of the one run there is. A handler knows no other way to it. */
static Run *running;
static pthread_t runner;
static struct sigaction before;
static stack_t stack_before;
static Thread *overflown; /* whose stack is full */
static void *handler_stack;

static void report(Run *run, const Thread *t)
{
    CheckFinding *found = find_add(run, FOUND_DEADLOCK, t->front.site, -1);

    if (!found)
        return;
    found->at = find_place(t, t->front.site, 0);
    snprintf(found->message, sizeof found->message,
             "a thread's stack is full: its calls do not come to an end");
    snprintf(found->note, sizeof found->note,
             "mend the condition that ends the recursion, or make it a loop");
}

/* On a stack of its own. If it was a kernel's thread, its fiber is left as it is, for good; if not,
** what was to happen happens, at the second try. */
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

/* Where it cannot be had, kernels run without. */
void overflow_open(Run *run)
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
