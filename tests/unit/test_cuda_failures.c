/* Every call of the driver failing in turn, and every call of NVRTC: each task runs with the first
** call failing, then with the second, and so on until none fails.
**
** Whatever fails, a task ends well (there are calls that can be done without) or with a status and
** a message that names the call; nothing is lost; and on the same context the task then goes well,
** after a kjit_reset() if the failure was one that ends a context. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/base.h"
#include "tests/unit/cuda_tasks.h"

enum { NVRTC_COMPILATION = 6 };
#ifdef KJIT_DEBUG
enum { WATCHED = 1 }; /* by sanitizers; allocations can be made to fail */
#else
enum { WATCHED = 0 };
#endif

/* ---- checks  ---------------------------------------------------------- */

/* Calls whose failure may go unheard: wishes, what there is another way for, and those that give
** something back. */
static bool can_do_without(const char *call, int code)
{
    static const char *const calls[] = {
        "cuCtxGetCurrent",
        "cuCtxPopCurrent",
        "cuDeviceGetName",
        "cuMemPoolCreate",
        "cuMemPoolSetAttribute",
        "cuPointerGetAttribute",
        "cuStreamIsCapturing",
        "cuThreadExchangeStreamCaptureMode",
        "cuMemHostAlloc",
        "cuEventCreate", /* of page-locked memory to copy through */
        "cuCtxPushCurrent",
        "cuCtxSynchronize",
        "cuMemFree",
        "cuMemFreeAsync",
        "cuMemFreeHost",
        "cuModuleUnload",
        "cuEventDestroy",
        "cuStreamDestroy",
        "cuGraphDestroy",
        "cuGraphExecDestroy",
        "cuMemPoolDestroy",
        "cuDevicePrimaryCtxRelease",
    };

    /* What is kept for later is given up, and it is tried again. */
    if (code == 2 && (strcmp(call, "cuMemAlloc") == 0 || strcmp(call, "cuMemAllocManaged") == 0 ||
                      strcmp(call, "cuMemAllocFromPoolAsync") == 0))
        return true;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strcmp(calls[i], call) == 0)
            return true;
    }
    return false;
}

/* Whether the message has the call's name, or the front of it. */
static bool names_call(const char *message, const char *call)
{
    /* Part of a copy, to whoever asked for that. */
    if (strncmp(call, "cuEvent", 7) == 0 && strstr(message, "copying"))
        return true;
    for (const char *at = strstr(message, "cu"); at; at = strstr(at + 1, "cu")) {
        size_t length =
            strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
        if (length > 6 && strncmp(at, call, length) == 0)
            return true;
    }
    return false;
}

typedef struct Attempt {
    const struct Task *task;
    long n;
    int code;
    kjit_status status;
    char message[1024], failed[64];
} Attempt;

static void complain(const Attempt *attempt, const char *what)
{
    fail_msg("%s, call %ld (%s) failing with %d: %s: %s: %s", attempt->task->name, attempt->n,
             attempt->failed, attempt->code, what, kjit_status_name(attempt->status),
             attempt->message);
}

static void check_failure(const Attempt *attempt)
{
    bool memory = attempt->status == KJIT_MEMORY && (strstr(attempt->message, "no room") != NULL ||
                                                     strstr(attempt->message, "out of memory"));

    if (!*attempt->failed)
        complain(attempt, "nothing failed");
    if (attempt->code == ILLEGAL_ADDRESS
            ? attempt->status != KJIT_BROKEN && !names_call(attempt->message, attempt->failed)
            : !memory && !names_call(attempt->message, attempt->failed))
        complain(attempt, "the message does not name the call");
}

static void begin_attempt(Attempt *attempt)
{
    fake_cuda_forget();
    fake_nvrtc_forget();
    attempt->status = KJIT_OK;
    attempt->message[0] = '\0';
    right = false;
}

static kjit_status open_context(kjit_context **context)
{
    kjit_open_options options = { .size = sizeof options, .device = "cuda", .no_disk_cache = 1 };

    return kjit_open(&options, context);
}

/* Runs the task once; fills the attempt. */
static void try(Attempt *attempt, kjit_context **context)
{
    attempt->status = open_context(context);
    if (attempt->status == KJIT_OK)
        attempt->status = attempt->task->run(*context);
    snprintf(attempt->message, sizeof attempt->message, "%s",
             attempt->status == KJIT_OK ? "" : kjit_error_message());
    snprintf(attempt->failed, sizeof attempt->failed, "%s",
             *fake_cuda_failed() ? fake_cuda_failed() : fake_nvrtc_failed());
    if (attempt->status == KJIT_OK && !right)
        complain(attempt, "the result is wrong");
}

/* The same again, without a failure. */
static void try_again(Attempt *attempt, kjit_context **context)
{
    fake_cuda_fail(0, 0);
    fake_nvrtc_fail(0, 0);
    attempt->status = *context ? KJIT_OK : open_context(context);
    if (attempt->status == KJIT_OK && (attempt->code == ILLEGAL_ADDRESS || attempt->task->resets))
        attempt->status = kjit_reset(*context);
    if (attempt->status == KJIT_OK)
        attempt->status = attempt->task->run(*context);
    snprintf(attempt->message, sizeof attempt->message, "%s", kjit_error_message());
    if (attempt->status != KJIT_OK || !right)
        complain(attempt, "it does not go well after that");
}

static void close_attempt(Attempt *attempt, kjit_context *context)
{
    char what[512];

    kjit_close(context);
    if (!*attempt->failed) /* it was closing's turn */
        snprintf(attempt->failed, sizeof attempt->failed, "%s", fake_cuda_failed());
    snprintf(what, sizeof what,
             "%d handles left, %d programs left, %d contexts pushed, %d misuses: %s",
             fake_cuda_leaks(), fake_nvrtc_leaks(), fake_cuda_depth(), fake_cuda_misuses(),
             fake_cuda_misuse());
    /* Without the context nothing can be given back, until it ends. */
    bool lost = fake_cuda_leaks() && strcmp(attempt->failed, "cuCtxPushCurrent") != 0;
    if (lost || fake_nvrtc_leaks() || fake_cuda_depth() || fake_cuda_misuses())
        complain(attempt, what);
}

/* ---- the driver's calls, in turn ---------------------------------------------------------- */

/* One call failing; false when there was none to fail. */
static bool one_call_fails(Attempt *attempt)
{
    kjit_context *context = NULL;

    begin_attempt(attempt);
    fake_cuda_fail(attempt->n, attempt->code);
    try(attempt, &context);
    bool any = *attempt->failed != '\0';
    if (attempt->status != KJIT_OK)
        check_failure(attempt);
    else if (any && !attempt->task->resets && !can_do_without(attempt->failed, attempt->code))
        complain(attempt, "it went unnoticed");
    if (any)
        try_again(attempt, &context);
    close_attempt(attempt, context);
    return *attempt->failed != '\0';
}

static void calls_fail_in_turn(const struct Task *task, int code)
{
    Attempt attempt = { .task = task, .code = code, .n = 1 };

    while (one_call_fails(&attempt))
        attempt.n++;
    assert_true(attempt.n > 20);
}

/* Where sanitizers watch, each code once: the general one where streams do their work late, so that
** memory which goes too early is seen. */
static void every_call_fails_in_turn(void **state)
{
    calls_fail_in_turn(*state, 2);
    if (!WATCHED)
        calls_fail_in_turn(*state, 999);
    calls_fail_in_turn(*state, ILLEGAL_ADDRESS);
}

static void every_call_fails_late(void **state)
{
    calls_fail_in_turn(*state, 999);
    if (WATCHED)
        return;
    calls_fail_in_turn(*state, 2);
    calls_fail_in_turn(*state, ILLEGAL_ADDRESS);
}

/* ---- NVRTC's -------------------------------------------------------------------------- */

/* Its log can be done without. */
static bool nvrtc_fails(Attempt *attempt)
{
    kjit_context *context = NULL;

    begin_attempt(attempt);
    fake_nvrtc_fail(attempt->n, attempt->code);
    try(attempt, &context);
    bool any = *attempt->failed != '\0';
    bool log = strncmp(attempt->failed, "nvrtcGetProgramLog", 18) == 0;
    if (any && attempt->status == KJIT_OK && !log && strcmp(attempt->failed, "nvrtcDestroyProgram"))
        complain(attempt, "it went unnoticed");
    if (attempt->status != KJIT_OK && !strstr(attempt->message, attempt->failed) &&
        !(attempt->code == NVRTC_COMPILATION && strstr(attempt->message, "error: made up")))
        complain(attempt, "the message does not name the call");
    if (any)
        try_again(attempt, &context);
    close_attempt(attempt, context);
    return any;
}

static void every_call_of_nvrtc_fails_in_turn(void **state)
{
    static const int codes[] = { 1, NVRTC_COMPILATION, 11 };
    Attempt attempt = { .task = *state };

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        attempt.code = codes[i];
        attempt.n = 1;
        while (nvrtc_fails(&attempt))
            attempt.n++;
        assert_true(attempt.n > 5);
    }
}

/* ---- allocations ---------------------------------------------------------------------- */

#ifdef KJIT_DEBUG
/* The n-th one failing; false when there were not so many. */
static bool no_memory(Attempt *attempt)
{
    kjit_context *context = NULL;
    char n[32];

    begin_attempt(attempt);
    snprintf(n, sizeof n, "%ld", attempt->n);
    setenv("KJIT_FAIL_ALLOC", n, 1);
    try(attempt, &context);
    bool failed = memory_has_failed();
    unsetenv("KJIT_FAIL_ALLOC");
    strcpy(attempt->failed, "an allocation");
    if (attempt->status != KJIT_OK && attempt->status != KJIT_MEMORY)
        complain(attempt, "it is called something else");
    if (failed)
        try_again(attempt, &context);
    close_attempt(attempt, context);
    return failed;
}

static void every_allocation_fails_in_turn(void **state)
{
    Attempt attempt = { .task = *state, .n = 1 };

    while (no_memory(&attempt))
        attempt.n++;
    assert_true(attempt.n > 3);
}
#else
static void every_allocation_fails_in_turn(void **state)
{
    (void)state;
}
#endif

static int begin_late(void **state)
{
    (void)state;
    fake_cuda_lazy(true);
    return 0;
}

/* The driver and NVRTC start once a process: tests/cli/fake_gpu.sh has what can go wrong then. */
static int start(void **state)
{
    kjit_context *context;
    int failed = pretend(state) || open_context(&context) != KJIT_OK;

    if (failed)
        return failed;
    fake_cuda_kernel("add", do_add);
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_kernel("total", do_total);
    fake_cuda_kernel("total_round", do_total_round);
    failed = host_arrays(context) != KJIT_OK;
    kjit_close(context);
    return failed;
}

static void add_test(struct CMUnitTest *tests, int *count, const char *name, CMUnitTestFunction run,
                     bool late, const struct Task *task)
{
    tests[(*count)++] = (struct CMUnitTest){ name, run, late ? begin_late : NULL,
                                             late ? end_late : NULL, (void *)(uintptr_t)task };
}

int main(void)
{
    struct CMUnitTest tests[3 * TASKS + 1];
    char late_names[TASKS][64], memory_names[TASKS][64];
    int count = 0;

    add_test(tests, &count, "every_call_of_nvrtc", every_call_of_nvrtc_fails_in_turn, false, tasks);
    for (int i = 0; i < TASKS; i++) {
        const struct Task *task = &tasks[i];
        snprintf(late_names[i], sizeof *late_names, "%s_late", task->name);
        snprintf(memory_names[i], sizeof *memory_names, "%s_without_memory", task->name);
        add_test(tests, &count, task->name, every_call_fails_in_turn, false, task);
        add_test(tests, &count, late_names[i], every_call_fails_late, true, task);
        if (WATCHED)
            add_test(tests, &count, memory_names[i], every_allocation_fails_in_turn, false, task);
    }
    return _cmocka_run_group_tests("failures", tests, (size_t)count, start, NULL);
}
