/* Groups: ranks of this process, or this process as a rank of several. */
#include "runtime/many/group.h"

#include "runtime/array/array.h"
#include "runtime/handle.h"
#include "runtime/launch/launching.h"

int kjit_launched_ranks(void)
{
    return launcher_ranks();
}

int kjit_launched_by_mpi(void)
{
    return launcher_is_of_mpi();
}

int kjit_launched_local_rank(void)
{
    return launcher_local_rank();
}

int kjit_launched_local_ranks(void)
{
    return launcher_local_ranks();
}

static kjit_status check_ranks(int ranks)
{
    if (ranks >= 1 && ranks <= SPLIT_RANKS)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT, "error: a group has 1 to %d ranks, not %d", SPLIT_RANKS, ranks);
}

/* A group of ranks of this process, or with an engine of the processes that it connects. */
static kjit_status open_ranks(kjit_group *group, int ranks)
{
    if (!group->engine) {
        group->ranks = group->locals = ranks;
        group->processes = 1;
        return check_ranks(ranks);
    }
    group->ranks = group->processes = group->engine->ranks;
    group->first = group->process = group->engine->rank;
    group->locals = 1;
    return check_ranks(group->ranks);
}

/* What it has of a context. */
static void leave(kjit_group *group)
{
    while (group->spread_count)
        spread_close(group, group->spreads[group->spread_count - 1]);
    memory_free(group->spreads);
    group->spreads = NULL;
    group->spread_capacity = 0;
    while (group->jobs) {
        Job *job = group->jobs;
        group->jobs = job->next;
        job_close(job);
        memory_free(job);
    }
    group_close_devices(group);
    group->context = NULL;
}

static void free_group(kjit_group *group)
{
    leave(group);
    engine_close(group->engine);
    memory_free(group->ordinals);
}

/* `engine`, which becomes the group's, or NULL. */
static kjit_status open_group(Engine *engine, int ranks, const int *gpus, kjit_group **out)
{
    *out = NULL;
    kjit_group *group = memory_zeroed(1, sizeof *group);
    if (!group) {
        engine_close(engine);
        return error_memory();
    }
    group->engine = engine;
    group->apart = many_poisons();
    kjit_status status = open_ranks(group, ranks);
    if (status == KJIT_OK && gpus) {
        group->ordinals = memory_alloc((size_t)ranks * sizeof *gpus);
        status = group->ordinals ? KJIT_OK : error_memory();
    }
    if (status != KJIT_OK) {
        free_group(group);
        memory_free(group);
        return status;
    }
    if (gpus)
        memcpy(group->ordinals, gpus, (size_t)ranks * sizeof *gpus);
    head_open(&group->self, HANDLE_GROUP, NULL);
    *out = group;
    return KJIT_OK;
}

kjit_status kjit_open_group(int ranks, kjit_group **out)
{
    Engine *engine = NULL;

    *out = NULL;
    if (ranks)
        KJIT_TRY(check_ranks(ranks));
    else
        KJIT_TRY(launcher_ranks() && !launcher_is_of_mpi() ? engine_zeromq(&engine)
                                                           : engine_mpi(NULL, &engine));
    return open_group(engine, ranks, NULL, out);
}

kjit_status kjit_open_group_of(const void *comm, kjit_group **out)
{
    Engine *engine = NULL;

    *out = NULL;
    KJIT_TRY(engine_mpi(comm, &engine));
    return open_group(engine, 0, NULL, out);
}

kjit_status kjit_open_group_by(const kjit_transport *transport, kjit_group **out)
{
    Engine *engine = NULL;

    *out = NULL;
    KJIT_TRY(engine_transport(transport, &engine));
    return open_group(engine, 0, NULL, out);
}

kjit_status kjit_open_gpus(const int *gpus, int count, kjit_group **out)
{
    *out = NULL;
    KJIT_TRY(check_ranks(count));
    if (count > GROUP_GPUS)
        return error_set(KJIT_ARGUMENT, "error: a process has %d GPUs at most, not %d", GROUP_GPUS,
                         count);
    for (int i = 0; i < count; i++) {
        if (gpus[i] < 0 || gpus[i] >= kjit_gpu_count())
            return error_set(KJIT_NO_DEVICE, "error: there is no GPU %d: this machine has %d",
                             gpus[i], kjit_gpu_count());
        for (int k = 0; k < i; k++)
            if (gpus[k] == gpus[i])
                return error_set(KJIT_ARGUMENT, "error: GPU %d is named twice", gpus[i]);
    }
    return open_group(NULL, count, gpus, out);
}

void kjit_close_group(kjit_group *group)
{
    if (!group || !HANDLE_IS(GROUP, group))
        return;
    free_group(group);
    head_free(&group->self);
}

void kjit_group_leave(kjit_group *group)
{
    if (HANDLE_IS(GROUP, group))
        leave(group);
}

int kjit_group_rank(const kjit_group *group)
{
    return HANDLE_IS(GROUP, group) ? group->process : 0;
}

int kjit_group_ranks(const kjit_group *group)
{
    return HANDLE_IS(GROUP, group) ? group->ranks : 0;
}

void kjit_group_fail(kjit_group *group, const char *message)
{
    if (!HANDLE_IS(GROUP, group) || !group->engine || group->over)
        return;
    group->engine->ops->fail(group->engine, message);
    gpu_wire_abort(group->wire); /* else what waits for this GPU would not end */
    group->over = true;
}

/* Reports a failure to other processes, unless it came from them. */
static kjit_status reported(kjit_group *group, kjit_status status)
{
    if (status != KJIT_OK)
        kjit_group_fail(group, kjit_error_message());
    return status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

kjit_status kjit_group_hold(kjit_group *group, kjit_context *context, void *memory, size_t bytes)
{
    Spread *spread;

    KJIT_TRY(HANDLE(GROUP, group));
    KJIT_TRY(HANDLE(CONTEXT, context));
    KJIT_TRY(group_devices(group, context));
    if (bytes && spread_meets(group, memory, (char *)memory + bytes))
        return error_set(KJIT_ARGUMENT, "error: the group holds some of this memory already");
    KJIT_TRY(spread_open(group, memory, (int64_t)bytes, &spread));
    spread->held = true;
    return KJIT_OK;
}

/* ---- launches -------------------------------------------------------------------------------- */

typedef struct WrittenBytes {
    char *low, *high;
    size_t order; /* of the first argument that has some of it */
    bool written;
} WrittenBytes;

/* The memory of the arrays of a launch that the group does not hold. */
typedef struct Guests {
    WrittenBytes *list;
    size_t count;
} Guests;

static size_t count_arrays(const kjit_arg *args, size_t count)
{
    size_t arrays = 0;
    for (size_t i = 0; i < count; i++)
        arrays += arg_arrays(&args[i]);
    return arrays;
}

static void add_guests(const kjit_group *group, const kjit_arg *arg, bool written, Guests *guests)
{
    int64_t low, high;

    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        add_guests(group, &arg->as.tuple.items[i], written, guests);
    if (arg->kind != KJIT_ARG_ARRAY || (arg->as.array.flags & KJIT_ON_DEVICE))
        return;
    array_span(&arg->as.array, &low, &high);
    char *data = arg->as.array.data;
    if (low >= high || spread_find(group, data))
        return;
    guests->list[guests->count] =
        (WrittenBytes){ data + low, data + high, .order = guests->count, .written = written };
    guests->count++;
}

static int by_address(const void *a, const void *b)
{
    const WrittenBytes *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

static int by_order(const void *a, const void *b)
{
    const WrittenBytes *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Spans that share bytes are one. They are left in the order of arguments: what lies where is not
** the same in all processes, and bytes go from one to another in the order of spans. */
static void merge_guests(Guests *guests)
{
    size_t kept = 0;

    if (guests->count > 1)
        qsort(guests->list, guests->count, sizeof *guests->list, by_address);
    for (size_t i = 1; i < guests->count; i++) {
        WrittenBytes *last = &guests->list[kept], *next = &guests->list[i];
        if (next->low < last->high) {
            last->high = next->high > last->high ? next->high : last->high;
            last->written |= next->written;
            last->order = next->order < last->order ? next->order : last->order;
        } else {
            guests->list[++kept] = *next;
        }
    }
    guests->count = guests->count ? kept + 1 : 0;
    if (guests->count > 1)
        qsort(guests->list, guests->count, sizeof *guests->list, by_order);
}

static kjit_status invite(kjit_group *group, kjit_kernel *kernel, const kjit_arg *args,
                          size_t count, Guests *guests)
{
    uint32_t *access = memory_zeroed(count + 1, sizeof *access);
    guests->list = memory_alloc((count_arrays(args, count) + 1) * sizeof *guests->list);
    kjit_status status =
        access && guests->list ? kjit_access(kernel, args, count, access) : error_memory();

    for (size_t i = 0; status == KJIT_OK && i < count; i++)
        add_guests(group, &args[i], access[i] & KJIT_WRITES, guests);
    memory_free(access);
    merge_guests(guests);
    for (size_t i = 0; status == KJIT_OK && i < guests->count; i++) {
        WrittenBytes *bytes = &guests->list[i];
        Spread *spread;
        if (spread_meets(group, bytes->low, bytes->high))
            status = error_set(KJIT_UNSUPPORTED, "error: an array shares memory with one that the "
                                                 "group holds, and reaches beyond it");
        if (status == KJIT_OK)
            status = spread_open(group, bytes->low, bytes->high - bytes->low, &spread);
    }
    return status;
}

/* What was written comes back to rank 0. */
static kjit_status see_off(kjit_group *group, Guests *guests, kjit_status status)
{
    for (size_t i = 0; i < guests->count; i++) {
        Spread *spread = spread_find(group, guests->list[i].low);
        if (status == KJIT_OK && spread && guests->list[i].written)
            status = group_fetch(group, spread, 0);
    }
    for (size_t i = 0; i < guests->count; i++) {
        Spread *spread = spread_find(group, guests->list[i].low);
        if (spread && !spread->held)
            spread_close(group, spread);
    }
    bool any = guests->count > 0;
    memory_free(guests->list);
    return any && !group->over ? group_agree(group, status) : status;
}

/* ---- memory that is held --------------------------------------------------------------------- */

static kjit_status find_held(const kjit_group *group, const void *memory, Spread **spread)
{
    KJIT_TRY(HANDLE(GROUP, group));
    *spread = spread_find(group, memory);
    return *spread ? KJIT_OK
                   : error_set(KJIT_ARGUMENT, "error: the group does not hold this memory");
}

static int by_number(const void *a, const void *b)
{
    const Spread *x = *(Spread *const *)a, *y = *(Spread *const *)b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* All that is held, in the order that all processes have them in. */
static kjit_status fetch_all(kjit_group *group)
{
    size_t count = group->spread_count;
    Spread **list = memory_alloc((count + 1) * sizeof *list);
    kjit_status status = list ? KJIT_OK : error_memory();

    if (list && count)
        memcpy(list, group->spreads, count * sizeof *list);
    if (list && count > 1)
        qsort(list, count, sizeof *list, by_number);
    for (size_t i = 0; i < count && status == KJIT_OK; i++)
        status = group_fetch(group, list[i], -1);
    memory_free(list);
    return status;
}

kjit_status kjit_group_fetch(kjit_group *group, const void *memory)
{
    Spread *spread = NULL;

    KJIT_TRY(HANDLE(GROUP, group));
    if (memory)
        KJIT_TRY(find_held(group, memory, &spread));
    return reported(group, memory ? group_fetch(group, spread, -1) : fetch_all(group));
}

kjit_status kjit_group_wrote(kjit_group *group, const void *memory)
{
    Spread *spread;

    KJIT_TRY(find_held(group, memory, &spread));
    return spread_claim_host(group, spread);
}

kjit_status kjit_group_drop(kjit_group *group, const void *memory)
{
    Spread *spread;

    KJIT_TRY(HANDLE(GROUP, group));
    while (!memory && group->spread_count)
        spread_close(group, group->spreads[group->spread_count - 1]);
    if (!memory)
        return KJIT_OK;
    KJIT_TRY(find_held(group, memory, &spread));
    spread_close(group, spread);
    return KJIT_OK;
}

kjit_status kjit_group_synchronize(kjit_group *group)
{
    KJIT_TRY(HANDLE(GROUP, group));
    engine_begins(group->engine, "its end, or synchronize()");
    kjit_status status = group_synchronize(group);
    return group->over ? status : group_agree(group, status);
}

kjit_status kjit_group_hold_args(kjit_group *group, kjit_context *context, const kjit_arg *args,
                                 size_t count)
{
    Guests guests = { 0 };
    kjit_status status = KJIT_OK;

    KJIT_TRY(HANDLE(GROUP, group));
    guests.list = memory_alloc((count_arrays(args, count) + 1) * sizeof *guests.list);
    if (!guests.list)
        return error_memory();
    for (size_t i = 0; i < count; i++)
        add_guests(group, &args[i], true, &guests);
    merge_guests(&guests);
    for (size_t i = 0; status == KJIT_OK && i < guests.count; i++)
        status = kjit_group_hold(group, context, guests.list[i].low,
                                 (size_t)(guests.list[i].high - guests.list[i].low));
    memory_free(guests.list);
    return status;
}

/* ---- one launch ------------------------------------------------------------------------------ */

kjit_status group_launch_any(kjit_group *group, kjit_kernel *kernel,
                             const kjit_launch_config *config, const kjit_arg *args, size_t count,
                             const char **why)
{
    kjit_launch_config room;

    launch_clear_report();
    *why = NULL;
    KJIT_TRY(launch_check_size(config));
    kjit_launch_config here = *config_read(config, &room);
    here.stream = NULL; /* launches of a group are in one order */
    return reported(group, group_launch(group, kernel, &here, args, count, NULL, 0, why));
}

kjit_status kjit_group_launch(kjit_group *group, kjit_kernel *kernel,
                              const kjit_launch_config *config, const kjit_arg *args, size_t count,
                              const kjit_wish *wishes, size_t wish_count)
{
    KJIT_TRY(HANDLE(GROUP, group));
    KJIT_TRY(HANDLE(KERNEL, kernel));
    kjit_launch_config room;
    Guests guests = { 0 };

    launch_clear_report();
    KJIT_TRY(launch_check_size(config));
    kjit_status status = group_devices(group, kernel->module->context);
    if (status == KJIT_OK)
        status = invite(group, kernel, args, count, &guests);
    if (status == KJIT_OK)
        status = group_launch(group, kernel, config_read(config, &room), args, count, wishes,
                              wish_count, NULL);
    return reported(group, see_off(group, &guests, reported(group, status)));
}
