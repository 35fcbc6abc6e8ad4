/* Arrays that each rank had whole, put together: what each rank made of one comes to the process of
** the first of them, one rank after the other, and the result to the host there.
**
** What an operation puts together need not be so at once: launch after launch may add to what each
** rank has, as long as all of them do it by that operation, and no read needs the bytes. */
#include "runtime/many/group.h"
#include "runtime/array/array.h"

/* ---- elements at places ---------------------------------------------------------------------- */

/* All bytes of a rank's array, as memory of the host: its own on the processor, else a copy. */
typedef struct Mirror {
    kjit_array array;
    char *copy, *device; /* NULL: it is the rank's own memory */
    size_t bytes;
} Mirror;

static kjit_status open_mirror(kjit_group *group, const RankReduction *reduction, int rank,
                               Mirror *mirror)
{
    int64_t low, high;
    const kjit_array *array = &reduction->array;
    Spread *spread = reduction->spread;
    char *at;

    array_span(array, &low, &high);
    int64_t first = (char *)array->data - spread->begin;
    KJIT_TRY(spread_at(group, spread, rank, first + low, &at));
    *mirror = (Mirror){ .array = *array, .bytes = (size_t)(high - low) };
    mirror->array.data = at - low;
    if (!group_on_gpu(group, rank))
        return KJIT_OK;
    mirror->device = at;
    mirror->copy = memory_alloc(mirror->bytes);
    if (!mirror->copy)
        return error_memory();
    mirror->array.data = mirror->copy - low;
    KJIT_TRY(group_order(group, rank, LANE_SIDE, rank, LANE_WORK));
    KJIT_TRY(group_copy(group, group_host(group, group->process), mirror->copy, rank, at,
                        mirror->bytes));
    return group_settle(group);
}

static kjit_status take(kjit_group *group, const RankReduction *reduction, int rank, void *parcel)
{
    Mirror mirror = { .copy = NULL };
    kjit_status status = open_mirror(group, reduction, rank, &mirror);

    if (status == KJIT_OK)
        parcel_take(&mirror.array, parcel);
    memory_free(mirror.copy);
    return status;
}

static kjit_status put(kjit_group *group, const RankReduction *reduction, int rank,
                       const void *parcel)
{
    Mirror mirror = { .copy = NULL };
    kjit_status status = open_mirror(group, reduction, rank, &mirror);

    if (status == KJIT_OK)
        parcel_put(&mirror.array, parcel);
    if (status == KJIT_OK && mirror.copy)
        status = group_copy(group, rank, mirror.device, group_host(group, group->process),
                            mirror.copy, mirror.bytes);
    if (status == KJIT_OK && mirror.copy)
        status = group_order(group, rank, LANE_WORK, rank, LANE_SIDE);
    memory_free(mirror.copy);
    return status;
}

/* ---- before the launch ----------------------------------------------------------------------- */

static bool sums_floats(const RankReduction *reduction)
{
    return reduction->role == SPLIT_REDUCED && reduction->combine == COMBINE_SUM &&
           dtype_is_float(reduction->array.dtype);
}

/* What it holds, from the host if that has it: a GPU would have to be waited for. */
static kjit_status take_base(kjit_group *group, const RankReduction *reduction)
{
    Region missing;
    int host = group_host(group, group->process);

    if (!region_copy(&reduction->all, &missing))
        return error_memory();
    bool good = region_take_away(&missing, &reduction->spread->valid[host]);
    bool there = !missing.count;
    region_free(&missing);
    if (!good)
        return error_memory();
    if (!there)
        return take(group, reduction, reduction->first, reduction->parcels[2]);
    parcel_take(&reduction->array, reduction->parcels[2]);
    return KJIT_OK;
}

static kjit_status begin(kjit_group *group, RankReduction *reduction)
{
    const bool *works = reduction->works;

    reduction->bytes = parcel_bytes(&reduction->array);
    while (!works[reduction->first])
        reduction->first++;
    bool base = group_is_local(group, reduction->first);
    for (int k = 0; k < (base ? 3 : 1); k++) {
        reduction->parcels[k] = memory_alloc(reduction->bytes + 1);
        if (!reduction->parcels[k])
            return error_memory();
    }
    if (base)
        KJIT_TRY(take_base(group, reduction));
    for (int r = 0; sums_floats(reduction) && r < group->ranks; r++) {
        if (!works[r] || r == reduction->first || !group_is_local(group, r))
            continue;
        combine_begin(reduction->array.dtype, reduction->parcels[0], reduction->bytes);
        KJIT_TRY(put(group, reduction, r, reduction->parcels[0]));
    }
    return KJIT_OK;
}

void reduce_free(RankReduction *reduction)
{
    if (!reduction)
        return;
    for (int k = 0; k < 3; k++)
        memory_free(reduction->parcels[k]);
    region_free(&reduction->all);
    memory_free(reduction->works);
    memory_free(reduction);
}

kjit_status reduce_begin(kjit_group *group, const RankReduction *what, const Region *all,
                         const bool *works, RankReduction **out)
{
    size_t ranks = (size_t)group->ranks;
    RankReduction *reduction = memory_alloc(sizeof *reduction);

    *out = reduction;
    if (!reduction)
        return error_memory();
    *reduction = *what;
    reduction->works = memory_alloc(ranks * sizeof *works);
    if (!reduction->works || !region_copy(all, &reduction->all))
        return error_memory();
    memcpy(reduction->works, works, ranks * sizeof *works);
    return begin(group, reduction);
}

/* ---- behind it ------------------------------------------------------------------------------- */

static kjit_status conflict(const RankReduction *reduction, int rank, int64_t element)
{
    return error_set(
        KJIT_LAUNCH,
        "error: ranks write different values to element %lld of '%s', the last rank %d\n"
        "note: blocks race for it: `kjit check` names the lines",
        (long long)element, reduction->name, rank);
}

/* Puts what a rank has, in parcels[1], to what there is in parcels[0]. */
static kjit_status add_parcel(const RankReduction *reduction, int rank)
{
    void *const *parcels = reduction->parcels;

    if (reduction->role == SPLIT_REDUCED) {
        combine_add(reduction->array.dtype, reduction->combine, parcels[0], parcels[1], parcels[2],
                    reduction->bytes);
        return KJIT_OK;
    }
    int64_t element = merge_add(parcels[0], parcels[1], parcels[2], reduction->bytes,
                                array_item_bytes(&reduction->array));
    return element < 0 ? KJIT_OK : conflict(reduction, rank, element);
}

static kjit_status send_parcel(kjit_group *group, const RankReduction *reduction, int rank)
{
    Engine *engine = group->engine;

    KJIT_TRY(take(group, reduction, rank, reduction->parcels[0]));
    KJIT_TRY(engine_send(engine, group_process(group, reduction->first), reduction->parcels[0],
                         reduction->bytes));
    return engine_finish(engine);
}

static kjit_status get_parcel(kjit_group *group, const RankReduction *reduction, int rank,
                              void *parcel)
{
    Engine *engine = group->engine;

    if (group_is_local(group, rank))
        return take(group, reduction, rank, parcel);
    KJIT_TRY(engine_receive(engine, group_process(group, rank), parcel, reduction->bytes));
    return engine_finish(engine);
}

/* All that is sent is received, whatever is wrong with it. */
static kjit_status gather(kjit_group *group, const RankReduction *reduction)
{
    const bool *works = reduction->works;
    kjit_status status = take(group, reduction, reduction->first, reduction->parcels[0]);

    for (int r = reduction->first + 1; r < group->ranks; r++) {
        if (!works[r])
            continue;
        kjit_status got = get_parcel(group, reduction, r, reduction->parcels[1]);
        if (status == KJIT_OK)
            status = got == KJIT_OK ? add_parcel(reduction, r) : got;
    }
    if (status == KJIT_OK)
        parcel_put(&reduction->array, reduction->parcels[0]);
    return status;
}

kjit_status reduce_end(kjit_group *group, const RankReduction *reduction)
{
    int home = group_process(group, reduction->first);
    kjit_status status = KJIT_OK;

    if (home == group->process)
        status = gather(group, reduction);
    for (int r = 0; home != group->process && r < group->ranks && status == KJIT_OK; r++)
        if (reduction->works[r] && group_is_local(group, r))
            status = send_parcel(group, reduction, r);
    if (status != KJIT_OK)
        return status;
    return spread_claim(group, reduction->spread, group_host(group, home), &reduction->all);
}

/* ---- putting it off -------------------------------------------------------------------------- */

void reduce_put_off(RankReduction *reduction)
{
    reduction->spread->pending = reduction;
}

static bool same_array(const kjit_array *a, const kjit_array *b)
{
    size_t axes = (size_t)a->rank * sizeof *a->shape;

    return a->data == b->data && a->dtype == b->dtype && a->rank == b->rank &&
           memcmp(a->shape, b->shape, axes) == 0 && memcmp(a->strides, b->strides, axes) == 0;
}

bool reduce_goes_on(const kjit_group *group, const RankReduction *what, const bool *works)
{
    const RankReduction *pending = what->spread->pending;

    return pending && pending->role == what->role && pending->combine == what->combine &&
           same_array(&pending->array, &what->array) &&
           memcmp(pending->works, works, (size_t)group->ranks * sizeof *works) == 0;
}

kjit_status reduce_settle(kjit_group *group, Spread *spread)
{
    RankReduction *pending = spread->pending;

    if (!pending)
        return KJIT_OK;
    spread->pending = NULL;
    kjit_status status = reduce_end(group, pending);
    reduce_free(pending);
    return status;
}
