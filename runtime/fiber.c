/* The switch itself, for x86-64 (System V) and aarch64, in assembly, and what the sanitizers want
** to know.
**
** A shadow stack (Intel's CET, AArch64's GCS) holds the return addresses a second time, and would
** find that a switch comes back to another: a process that has one has no fibers. */
#include "runtime/fiber.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define WITH_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WITH_TSAN 1
#endif
#endif

/* ---- registers ------------------------------------------------------------------------------- */

/* Pushes what a call preserves, leaves the stack pointer at *save, and takes up `load`, where
** another left it. */
void kjit_fiber_swap(void **save, void *load) __attribute__((visibility("hidden")));

#if defined(__x86_64__)
enum { SAVED_WORDS = 7 }; /* six registers and where to go on */
__asm__(".text\n"
        ".hidden kjit_fiber_swap\n"
        ".globl kjit_fiber_swap\n"
        ".type kjit_fiber_swap, @function\n"
        "kjit_fiber_swap:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size kjit_fiber_swap, .-kjit_fiber_swap\n");

static void set_start(void **frame, void (*start)(void))
{
    frame[6] = (void *)(uintptr_t)start;
}
#elif defined(__aarch64__)
enum { SAVED_WORDS = 20 }; /* x19 to x30 and d8 to d15 */
__asm__(".text\n"
        ".hidden kjit_fiber_swap\n"
        ".globl kjit_fiber_swap\n"
        ".type kjit_fiber_swap, %function\n"
        "kjit_fiber_swap:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size kjit_fiber_swap, .-kjit_fiber_swap\n");

static void set_start(void **frame, void (*start)(void))
{
    frame[11] = (void *)(uintptr_t)start;
}
#else
#define NO_FIBERS 1
enum { SAVED_WORDS = 1 };

void kjit_fiber_swap(void **save, void *load)
{
    (void)save, (void)load;
    abort(); /* fiber_missing() was not asked */
}

static void set_start(void **frame, void (*start)(void))
{
    (void)frame, (void)start;
}
#endif

/* Whether the processor compares return addresses with a stack of its own. */
static bool has_shadow_stack(void)
{
    uint64_t pointer = 0;
#if defined(__x86_64__)
    /* rdsspq %rdx, which without a shadow stack does nothing, on older processors too. */
    __asm__ volatile(".byte 0xf3, 0x48, 0x0f, 0x1e, 0xca" : "+d"(pointer));
#elif defined(__aarch64__)
    /* chkfeat x16, which clears the bit of what is on, and is a nop where it is not known. */
    register uint64_t asked __asm__("x16") = 1;
    __asm__ volatile("hint #40" : "+r"(asked));
    pointer = !asked;
#endif
    return pointer != 0;
}

const char *fiber_missing(void)
{
#ifdef NO_FIBERS
    return "this processor is neither x86-64 nor aarch64";
#else
    return has_shadow_stack() ? "this process has a shadow stack for its return addresses" : NULL;
#endif
}

/* ---- sanitizers ------------------------------------------------------------------------------ */

#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef WITH_TSAN
#include <sanitizer/tsan_interface.h>
#endif

/* Where a function begins and ends is noted for the fiber that runs: what changes that is part of
** its caller. */
#define INLINED inline __attribute__((always_inline))

static INLINED void note_leave(Fiber *from, Fiber *to)
{
    if (from == to)
        return;
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(&from->fake, to->bottom, to->size);
#endif
#ifdef WITH_TSAN
    __tsan_switch_to_fiber(to->watcher, 0);
#endif
}

/* The fiber that runs now; `came` is the one that switched to it. */
static void note_arrive(Fiber *self, Fiber *came)
{
    (void)self, (void)came;
#ifdef WITH_ASAN
    const void *bottom;
    size_t size;
    if (self == came)
        return;
    __sanitizer_finish_switch_fiber(self->fake, &bottom, &size);
    if (came && !came->size) { /* the thread's own stack, known to ASan alone */
        came->bottom = (char *)(uintptr_t)bottom;
        came->size = size;
    }
#endif
}

static void watcher_open(Fiber *fiber)
{
    (void)fiber;
#ifdef WITH_TSAN
    fiber->watcher = __tsan_create_fiber(0);
#endif
}

static void watcher_close(Fiber *fiber)
{
    (void)fiber;
#ifdef WITH_TSAN
    __tsan_destroy_fiber(fiber->watcher);
#endif
}

/* Calls that will never come back are forgotten. */
static INLINED void note_restart(Fiber *self)
{
    (void)self;
#ifdef WITH_ASAN
    __asan_handle_no_return();
#endif
#ifdef WITH_TSAN
    Fiber old = *self;
    watcher_open(self);
    __tsan_switch_to_fiber(self->watcher, 0);
    watcher_close(&old);
#endif
}

/* Calls that never come back leave what marks their variables' ends on the stack, which may be
** used anew: from where the fiber was left last, or anywhere if that was on a signal's stack. To
** mark all of each stack would touch more memory than threads do. */
static void note_empty(Fiber *fiber)
{
    (void)fiber;
#ifdef WITH_ASAN
    size_t used = (size_t)((uintptr_t)fiber->bottom + fiber->size - (uintptr_t)fiber->saved);
    if (fiber->saved && used <= fiber->size)
        __asan_unpoison_memory_region(fiber->saved, used);
    else if (fiber->saved)
        __asan_unpoison_memory_region(fiber->bottom, fiber->size);
#endif
}

/* ---- fibers ---------------------------------------------------------------------------------- */

/* The fiber that switches, and the one that it switches to: read right after, by the latter. */
static _Thread_local Fiber *giver, *taker;

/* What a restart pushes overwrites the top of the stack, where nothing must be that still runs. */
static void start(void)
{
    char room[8 * (SAVED_WORDS + 4)];
    Fiber *self = taker;

    __asm__ volatile("" : : "r"(room) : "memory"); /* it is there */
    note_arrive(self, giver);
    self->entry(self->argument);
    abort(); /* entries do not come back */
}

void fiber_open(Fiber *fiber, char *bottom, size_t size)
{
    *fiber = (Fiber){ .bottom = bottom, .size = size };
    watcher_open(fiber);
}

void fiber_open_thread(Fiber *fiber)
{
    *fiber = (Fiber){ 0 };
#ifdef WITH_TSAN
    fiber->watcher = __tsan_get_current_fiber();
#endif
}

void fiber_close(Fiber *fiber)
{
    note_empty(fiber);
    watcher_close(fiber);
}

void fiber_prepare(Fiber *fiber, FiberEntry *entry, void *argument)
{
    note_empty(fiber);
    uintptr_t top = ((uintptr_t)fiber->bottom + fiber->size) & ~(uintptr_t)15;
    /* A return address is popped last, which leaves the stack as a call finds it. */
    void **frame = (void **)(top - 16) - 2 * ((SAVED_WORDS + 1) / 2);

    for (int i = 0; i < SAVED_WORDS; i++)
        frame[i] = NULL;
    set_start(frame, start);
    fiber->saved = frame;
    fiber->entry = entry;
    fiber->argument = argument;
    fiber->fake = NULL;
}

void fiber_switch(Fiber *from, Fiber *to)
{
    giver = from;
    taker = to;
    note_leave(from, to);
    kjit_fiber_swap(&from->saved, to->saved);
    note_arrive(from, giver);
}

void fiber_restart(Fiber *self, FiberEntry *entry, void *argument)
{
    void *forgotten;

    note_restart(self);
    fiber_prepare(self, entry, argument);
    giver = self;
    taker = self;
    note_leave(self, self);
    kjit_fiber_swap(&forgotten, self->saved);
    abort();
}
