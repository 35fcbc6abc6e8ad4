/* A run of a checked kernel, from request to report. */
#include "runtime/check/run.h"
#include "runtime/runtime.h"

#include <pthread.h>

static pthread_mutex_t one_run = PTHREAD_MUTEX_INITIALIZER;

static void branch(KjitCheck *c, int site, int taken)
{
    (void)c, (void)site, (void)taken;
}

static void fence(KjitCheck *c, int site, int scope)
{
    (void)site;
    schedule_count((Thread *)c);
    release_fence((Thread *)c, scope);
}

static void *read(KjitCheck *c, int site, void *address)
{
    return c->ops->access(c, site, address, 4, CHECK_READ);
}

static void *write(KjitCheck *c, int site, void *address)
{
    return c->ops->access(c, site, address, 4, CHECK_WRITE);
}

static void set_ops(CheckRun *run)
{
    run->ops = (KjitCheckOps){ .access = shadow_access,
                               .read = shadow_read,
                               .write = shadow_write,
                               .outside = find_outside,
                               .local = shadow_local,
                               .escaped = shadow_escaped,
                               .fence = fence,
                               .barrier = meet_barrier,
                               .warp = meet_warp,
                               .grid = meet_grid,
                               .wrong = find_wrong,
                               .fault = find_fault,
                               .branch = branch,
                               .iteration = endless_iteration,
                               .undefined = lanes_undefined,
                               .swapped = locks_swapped,
                               .cut = index_cut,
                               .used = index_used,
                               .end = schedule_end };
    if (run->request->advise) {
        run->ops.access = advice_access;
        run->ops.read = read;
        run->ops.write = write;
        run->ops.branch = advice_branch;
    }
    run->watching = run->ops;
    run->watching.access = shadow_watch;
    run->watching.read = read;
    run->watching.write = write;
}

/* Numbers the lines and positions of sites. A site without source text has a line of its own. */
static bool set_sites(CheckRun *run)
{
    const CheckRequest *request = run->request;

    run->sites = memory_zeroed((size_t)request->site_count, sizeof *run->sites);
    for (int i = 0; run->sites && i < request->site_count; i++) {
        const EmitSite *site = &request->sites[i];
        uint64_t source = (uint64_t)(uintptr_t)site->span.source << 16;
        run->sites[i] =
            (SiteKey){ (uint64_t)i, (uint64_t)i, site->alignment ? site->alignment - 1 : 0 };
        if (site->span.source) {
            run->sites[i].line = source ^ source_place(site->span.source, site->span.begin).line;
            run->sites[i].span = source ^ site->span.begin;
        }
    }
    return run->sites;
}

static bool open_run(CheckRun *run)
{
    const uint32_t *grid = run->request->grid, *block = run->request->block;

    run->grid_count = (uint64_t)grid[0] * grid[1] * grid[2];
    run->block_threads = (int)(block[0] * block[1] * block[2]);
    set_ops(run);
    order_open(run);
    if (run->request->advise)
        advice_open(run);
    return check_memory_open() && set_sites(run) && find_open(run);
}

static kjit_status run_guarded(CheckRun *run)
{
    overflow_open(run);
    kjit_status status = schedule_run(run);
    overflow_close();
    return status;
}

static void close_run(CheckRun *run)
{
    schedule_close(run);
    check_stacks_trim();
    order_close(run);
    find_close(run);
    locks_close(run);
    memory_free(run->wraps);
    advice_close(run);
    endless_close(run);
    memory_free(run->sites);
    memory_free(run->scratch);
}

/* Waits for other runs. In a child forked during a run the lock stays taken for ever: that is an
** error. */
static kjit_status begin_run(void)
{
    static pthread_mutex_t beginning = PTHREAD_MUTEX_INITIALIZER;
    static unsigned begun; /* forks_seen() at the beginning of the current or last run */

    forks_lock(&beginning);
    bool ours = pthread_mutex_trylock(&one_run) == 0, left = !ours && begun != forks_seen();
    if (ours)
        begun = forks_seen();
    forks_unlock(&beginning);
    if (left)
        return error_set(KJIT_UNSUPPORTED,
                         "error: a kernel was being checked when this process was forked, and the "
                         "child can check none\nnote: fork when no thread launches on the device "
                         "check");
    if (!ours)
        pthread_mutex_lock(&one_run);
    return KJIT_OK;
}

/* ---- copies of arrays ------------------------------------------------------------------------ */

/* The contents of a launch's arrays, concatenated. */
typedef struct ArrayCopy {
    uint64_t bytes;
    char content[];
} ArrayCopy;

/* Larger arrays are not copied, and get no second run. */
enum { COPIED_MOST = 1 << 28 };

/* The size of the address range of an array. */
static uint64_t bytes_of_array(const CheckArray *array, char **begin)
{
    uint64_t bytes = array->item;

    *begin = array->data;
    for (int i = 0; i < array->rank; i++) {
        int64_t last = array->shape[i] - 1, stride = array->strides[i];
        if (last < 0)
            return 0;
        if (stride < 0)
            *begin += last * stride;
        bytes += (uint64_t)(last * (stride < 0 ? -stride : stride));
    }
    return in_region(*begin) ? bytes : 0;
}

/* NULL if there is no memory for it. */
static ArrayCopy *arrays_copy(const CheckRequest *request)
{
    uint64_t bytes = 0;
    char *begin;

    for (int i = 0; i < request->array_count; i++)
        bytes += bytes_of_array(&request->arrays[i], &begin);
    ArrayCopy *copy = bytes <= COPIED_MOST ? memory_alloc(sizeof *copy + bytes) : NULL;
    if (!copy)
        return NULL;
    copy->bytes = 0;
    for (int i = 0; i < request->array_count; i++) {
        bytes = bytes_of_array(&request->arrays[i], &begin);
        if (bytes)
            memcpy(copy->content + copy->bytes, begin, bytes);
        copy->bytes += bytes;
    }
    return copy;
}

static void arrays_put(const CheckRequest *request, const ArrayCopy *copy)
{
    uint64_t at = 0, bytes;
    char *begin;

    for (int i = 0; i < request->array_count; i++, at += bytes) {
        bytes = bytes_of_array(&request->arrays[i], &begin);
        if (bytes)
            memcpy(begin, copy->content + at, bytes);
    }
}

/* ---- locks ----------------------------------------------------------------------------------- */

static kjit_status run_once(const CheckRequest *request, CheckReport *report,
                            const LockCycle *cycle, LockCycles *cycles)
{
    CheckRun run = { .request = request, .report = report, .cycle = cycle };
    kjit_status status = open_run(&run) ? run_guarded(&run) : KJIT_MEMORY;

    if (status == KJIT_OK && cycles)
        locks_find_cycles(&run, cycles);
    close_run(&run);
    return status;
}

/* Whether the kernel has operations that may take locks. */
static bool may_lock(const CheckRequest *request)
{
    for (int i = 0; i < request->site_count; i++) {
        const char *what = request->sites[i].what;
        if (what && (!strcmp(what, "atomic cas") || !strcmp(what, "atomic exch") ||
                     !strcmp(what, "atomic compare_and_swap")))
            return !request->advise;
    }
    return false;
}

/* Adds the deadlocks of another report. */
static kjit_status add_deadlocks(const CheckReport *from, CheckReport *report)
{
    for (int i = 0; i < from->count; i++) {
        if (from->findings[i].rule != FOUND_DEADLOCK)
            continue;
        if (!memory_more(report->findings, report->count, report->capacity))
            return KJIT_MEMORY;
        report->findings[report->count++] = from->findings[i];
    }
    return KJIT_OK;
}

/* Runs the kernel again for each cycle of locks, to provoke its deadlock, on the initial contents
** `before` of the arrays; restores the present contents at the end. */
static kjit_status run_cycles(const CheckRequest *request, CheckReport *report,
                              const LockCycles *cycles, const ArrayCopy *before)
{
    ArrayCopy *after = cycles->count ? arrays_copy(request) : NULL;
    kjit_status status = KJIT_OK;

    for (int k = 0; after && status == KJIT_OK && k < cycles->count; k++) {
        CheckReport again = { 0 };
        arrays_put(request, before);
        status = run_once(request, &again, &cycles->list[k], NULL);
        if (status == KJIT_OK)
            status = add_deadlocks(&again, report);
        check_report_free(&again);
    }
    if (after)
        arrays_put(request, after);
    memory_free(after);
    return status;
}

static kjit_status run_with_locks(const CheckRequest *request, CheckReport *report)
{
    ArrayCopy *before = may_lock(request) ? arrays_copy(request) : NULL;
    LockCycles cycles = { 0 };
    kjit_status status = run_once(request, report, NULL, before ? &cycles : NULL);

    if (status == KJIT_OK && before)
        status = run_cycles(request, report, &cycles, before);
    memory_free(before);
    return status;
}

kjit_status check_run(const CheckRequest *request, CheckReport *report)
{
    if (fiber_missing())
        return error_set(KJIT_UNSUPPORTED, "error: kernels cannot be checked here: %s",
                         fiber_missing());
    if (request->site_count > SITE_MAX)
        return error_set(KJIT_UNSUPPORTED,
                         "error: the kernel has %d source locations to check, and %d are the "
                         "most that can be told apart",
                         request->site_count, SITE_MAX);
    KJIT_TRY(begin_run());
    kjit_status status = run_with_locks(request, report);
    pthread_mutex_unlock(&one_run);
    return status == KJIT_MEMORY ? error_memory() : status;
}
