/* Threads of control that alternate on one thread of the process: a switch saves the registers
** that a call preserves, and takes up those of another, each with a stack of its own. Ten
** instructions and no system call; ucontext would ask the kernel for the signal mask each time.
** Each switch is announced to the sanitizers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef void FiberEntry(void *argument);

typedef struct Fiber {
    void *saved; /* the stack pointer, while another runs */
    char *bottom;
    size_t size; /* of the stack, which the caller owns; none for the thread's own */
    FiberEntry *entry;
    void *argument;
    void *fake, *watcher; /* what AddressSanitizer and ThreadSanitizer keep of it */
} Fiber;

/* Why there are none here: "this processor is ..."; NULL if there are. */
const char *fiber_missing(void);
/* One that has nothing to do yet; or the thread that calls. */
void fiber_open(Fiber *fiber, char *bottom, size_t size);
void fiber_open_thread(Fiber *fiber);
/* Not while it runs. */
/* Prefetches what a fiber that is to go on next needs. */
static inline void fiber_fetch(const Fiber *fiber)
{
    enum { LINE = 64, LINES = 5 };

    for (int i = 0; i < LINES; i++)
        __builtin_prefetch((const char *)fiber->saved + (ptrdiff_t)i * LINE, 1);
}

/* Frees a fiber's stack. It may not be running. */
void fiber_close(Fiber *fiber);
/* What the fiber does when it runs next: a call, which must not come back. What it was at
** before is forgotten. */
void fiber_prepare(Fiber *fiber, FiberEntry *entry, void *argument);
/* Switches to another; comes back when something switches to `from` again. */
void fiber_switch(Fiber *from, Fiber *to);
/* Begins anew with the stack of the fiber that runs. */
void fiber_restart(Fiber *self, FiberEntry *entry, void *argument) __attribute__((noreturn));
