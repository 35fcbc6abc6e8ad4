/* What a rank does: takes its parts, carries its blocks out, and brings back to rank 0 what they
** wrote. Ranks meet before anything waits for anything, so that where one fails, all end. */
#include "runtime/many/group.h"
#include "runtime/array/array.h"

#include <string.h>

/* ---- meeting --------------------------------------------------------------------------------- */

static kjit_status report_failure(const Says *all, int ranks, int first)
{
    bool same = true;

    for (int r = 0; r < ranks; r++)
        same &=
            all[r].status == all[first].status && strcmp(all[r].message, all[first].message) == 0;
    static const char mark[] = "error: ";
    kjit_status status = (kjit_status)all[first].status;
    const char *text = all[first].message;
    if (same)
        return error_text(status, text);
    text += strncmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
    bool named = strncmp(text, "ranks ", strlen("ranks ")) == 0;
    return named ? error_set(status, "error: %s", text)
                 : error_set(status, "error: rank %d: %s", first, text);
}

static kjit_status differs(int rank, const char *what)
{
    return error_set(KJIT_ARGUMENT, "error: rank %d has another %s than rank 0", rank, what);
}

/* Whether all mean the same. */
static kjit_status compare(const Says *all, int ranks)
{
    for (int r = 1; r < ranks; r++) {
        if (all[r].text != all[0].text)
            return differs(r, "version of the file, or of kjit,");
        if (all[r].launch != all[0].launch)
            return differs(r, "grid, or other options of arrays,");
        for (int i = 0; i < SAYS_ARGS; i++)
            if (all[r].args[i] != all[0].args[i])
                return error_set(KJIT_ARGUMENT,
                                 "error: rank %d has another value of argument %d than rank 0", r,
                                 i + 1);
    }
    return KJIT_OK;
}

kjit_status ranks_meet(Engine *engine, const Says *says)
{
    Says *all = memory_zeroed((size_t)engine->ranks, sizeof *all);

    if (!all)
        return error_memory();
    kjit_status status = engine->ops->all(engine, says, sizeof *says, all);
    for (int r = 0; status == KJIT_OK && r < engine->ranks; r++)
        if (all[r].status != KJIT_OK)
            status = report_failure(all, engine->ranks, r);
    if (status == KJIT_OK)
        status = compare(all, engine->ranks);
    memory_free(all);
    return status;
}

static void say_status(Says *says, kjit_status status)
{
    says->status = status;
    if (status != KJIT_OK)
        strncpy(says->message, kjit_error_message(), sizeof says->message - 1);
}

kjit_status ranks_agree(Engine *engine, kjit_status status)
{
    Says *says = memory_zeroed(1, sizeof *says);

    if (!says)
        return error_memory();
    say_status(says, status);
    status = ranks_meet(engine, says);
    memory_free(says);
    return status;
}

/* ---- one rank -------------------------------------------------------------------------------- */

typedef struct Rank {
    Engine *engine;
    const Job *job;
    kjit_arg *args; /* the job's, with own arrays */
    Part *parts;
    void *parcels[3]; /* room for any array of the launch; what rank 0 needs besides */
} Rank;

static bool works(const Job *job, int rank)
{
    return job->plan.first[rank] < job->plan.first[rank + 1];
}

static bool changes(const Job *job, size_t i)
{
    const SplitArray *array = &job->plan.arrays[i];
    return job->args[i].kind == KJIT_ARG_ARRAY && (array->writes || array->atomics);
}

static const kjit_array *whole(const Rank *r, size_t i)
{
    return &r->job->args[i].as.array;
}

static bool sums_floats(const Job *job, size_t i)
{
    const SplitArray *array = &job->plan.arrays[i];
    return array->role == SPLIT_REDUCED && array->combine == COMBINE_SUM &&
           dtype_is_float(job->args[i].as.array.dtype);
}

/* What rank's elements of an array come back: NULL: all. */
static const SplitStretch *own_of(const Job *job, size_t i, int rank)
{
    const SplitArray *array = &job->plan.arrays[i];
    return array->role == SPLIT_PARTS ? &array->own[rank] : NULL;
}

static kjit_status open_part(Rank *r, size_t i)
{
    const SplitArray *array = &r->job->plan.arrays[i];
    int rank = r->engine->rank;
    const SplitStretch *held = array->role == SPLIT_PARTS ? &array->held[rank] : NULL;

    KJIT_TRY(part_open(&r->parts[i], whole(r, i), array->axis, held));
    r->args[i].as.array = r->parts[i].array;
    if (!sums_floats(r->job, i) || rank == 0 || r->job->wishes[i].ordered)
        return KJIT_OK;
    uint64_t bytes = parcel_bytes(whole(r, i), 0, NULL);
    combine_begin(whole(r, i)->dtype, r->parcels[0], bytes);
    parcel_put(&r->parts[i].array, 0, NULL, r->parcels[0]);
    return KJIT_OK;
}

/* Memory is asked for before ranks wait for one another. */
static kjit_status make_room(Rank *r)
{
    uint64_t most = 1;

    for (size_t i = 0; i < r->job->count; i++) {
        uint64_t bytes = changes(r->job, i) ? parcel_bytes(whole(r, i), 0, NULL) : 0;
        most = bytes > most ? bytes : most;
    }
    for (int k = 0; k < (r->engine->rank ? 1 : 3); k++) {
        r->parcels[k] = memory_alloc(most);
        if (!r->parcels[k])
            return error_memory();
    }
    return KJIT_OK;
}

static kjit_status open_rank(Rank *r)
{
    size_t count = r->job->count;

    r->args = memory_alloc((count + 1) * sizeof *r->args);
    r->parts = memory_zeroed(count + 1, sizeof *r->parts);
    if (!r->args || !r->parts)
        return error_memory();
    if (count)
        memcpy(r->args, r->job->args, count * sizeof *r->args);
    KJIT_TRY(make_room(r));
    for (size_t i = 0; i < count && works(r->job, r->engine->rank); i++)
        if (r->job->args[i].kind == KJIT_ARG_ARRAY && r->job->args[i].as.array.rank &&
            r->job->plan.arrays[i].role != SPLIT_UNUSED)
            KJIT_TRY(open_part(r, i));
    return KJIT_OK;
}

static void close_rank(Rank *r)
{
    for (size_t i = 0; r->parts && i < r->job->count; i++)
        part_close(&r->parts[i]);
    for (int k = 0; k < 3; k++)
        memory_free(r->parcels[k]);
    memory_free(r->parts);
    memory_free(r->args);
}

/* ---- sums in order --------------------------------------------------------------------------- */

/* Of `ordered` sums a rank begins with what the rank before it came to. */
static kjit_status take_sums(Rank *r)
{
    int rank = r->engine->rank;

    for (size_t i = 0; i < r->job->count; i++) {
        if (!changes(r->job, i) || !r->job->wishes[i].ordered || rank == 0)
            continue;
        uint64_t bytes = parcel_bytes(whole(r, i), 0, NULL);
        KJIT_TRY(r->engine->ops->receive(r->engine, rank - 1, r->parcels[0], bytes));
        if (r->parts[i].map)
            parcel_put(&r->parts[i].array, 0, NULL, r->parcels[0]);
        else if (rank + 1 < r->engine->ranks)
            KJIT_TRY(r->engine->ops->send(r->engine, rank + 1, r->parcels[0], bytes));
    }
    return KJIT_OK;
}

/* Whatever came of its own blocks: the next one waits. */
static kjit_status pass_sums(Rank *r)
{
    int rank = r->engine->rank;

    for (size_t i = 0; i < r->job->count; i++) {
        if (!changes(r->job, i) || !r->job->wishes[i].ordered || rank + 1 == r->engine->ranks ||
            !r->parts[i].map)
            continue;
        parcel_take(&r->parts[i].array, 0, NULL, r->parcels[0]);
        KJIT_TRY(r->engine->ops->send(r->engine, rank + 1, r->parcels[0],
                                      parcel_bytes(whole(r, i), 0, NULL)));
    }
    return KJIT_OK;
}

/* ---- bringing back --------------------------------------------------------------------------- */

/* The last rank with blocks. */
static int last_rank(const Job *job)
{
    int last = job->ranks - 1;
    while (last > 0 && !works(job, last))
        last--;
    return last;
}

/* Whether a rank's elements of an array are sent. */
static bool sends(const Job *job, size_t i, int rank)
{
    if (!changes(job, i) || !works(job, rank) || rank == 0)
        return false;
    return !job->wishes[i].ordered || rank == last_rank(job);
}

static kjit_status send_array(Rank *r, size_t i)
{
    const SplitStretch *own = own_of(r->job, i, r->engine->rank);
    int axis = r->job->plan.arrays[i].axis;

    parcel_take(&r->parts[i].array, axis, own, r->parcels[0]);
    return r->engine->ops->send(r->engine, 0, r->parcels[0], parcel_bytes(whole(r, i), axis, own));
}

static kjit_status conflict(const Rank *r, size_t i, int rank, int64_t element)
{
    return error_set(
        KJIT_LAUNCH,
        "error: ranks write different values to element %lld of '%s', the last rank %d\n"
        "note: blocks race for it: `kjit check` names the lines",
        (long long)element, r->job->kernel->param_names[i], rank);
}

/* Puts what a rank has, in parcels[1], to what there is in parcels[0]. */
static kjit_status add_parcel(Rank *r, size_t i, int rank)
{
    const SplitArray *array = &r->job->plan.arrays[i];
    uint64_t bytes = parcel_bytes(whole(r, i), array->axis, own_of(r->job, i, rank));
    size_t item = array_item_bytes(whole(r, i));

    if (array->role == SPLIT_PARTS)
        parcel_put(whole(r, i), array->axis, own_of(r->job, i, rank), r->parcels[1]);
    else if (array->role == SPLIT_REDUCED && !r->job->wishes[i].ordered)
        combine_add(whole(r, i)->dtype, array->combine, r->parcels[0], r->parcels[1], r->parcels[2],
                    bytes);
    else if (array->role == SPLIT_REDUCED)
        memcpy(r->parcels[0], r->parcels[1], bytes);
    if (array->role != SPLIT_MERGED)
        return KJIT_OK;
    int64_t element = merge_add(r->parcels[0], r->parcels[1], r->parcels[2], bytes, item);
    return element < 0 ? KJIT_OK : conflict(r, i, rank, element);
}

/* On rank 0. All that is sent is received, whatever is wrong with it. */
static kjit_status gather_array(Rank *r, size_t i)
{
    const SplitArray *array = &r->job->plan.arrays[i];
    const SplitStretch *own = own_of(r->job, i, 0);
    kjit_status status = KJIT_OK;

    if (!works(r->job, 0))
        return KJIT_OK; /* nor has any other */
    parcel_take(&r->parts[i].array, array->axis, own, r->parcels[0]);
    if (own)
        parcel_put(whole(r, i), array->axis, own, r->parcels[0]);
    else
        parcel_take(whole(r, i), 0, NULL, r->parcels[2]);
    for (int rank = 1; rank < r->engine->ranks; rank++) {
        if (!sends(r->job, i, rank))
            continue;
        uint64_t bytes = parcel_bytes(whole(r, i), array->axis, own_of(r->job, i, rank));
        kjit_status got = r->engine->ops->receive(r->engine, rank, r->parcels[1], bytes);
        if (status == KJIT_OK)
            status = got == KJIT_OK ? add_parcel(r, i, rank) : got;
    }
    if (!own && status == KJIT_OK)
        parcel_put(whole(r, i), 0, NULL, r->parcels[0]);
    return status;
}

static kjit_status bring_back(Rank *r)
{
    kjit_status status = KJIT_OK;

    for (size_t i = 0; i < r->job->count; i++) {
        kjit_status own = KJIT_OK;
        if (r->engine->rank == 0 && changes(r->job, i))
            own = gather_array(r, i);
        else if (sends(r->job, i, r->engine->rank))
            own = send_array(r, i);
        status = status == KJIT_OK ? own : status;
    }
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static kjit_status run_blocks(Rank *r)
{
    kjit_status status = take_sums(r), passed;

    if (status == KJIT_OK && works(r->job, r->engine->rank))
        status = job_launch(r->job, r->engine->rank, r->args);
    passed = pass_sums(r);
    return status == KJIT_OK ? passed : status;
}

kjit_status rank_run(Engine *engine, const Job *job)
{
    Rank rank = { .engine = engine, .job = job };
    kjit_status status = ranks_agree(engine, open_rank(&rank));

    if (status == KJIT_OK)
        status = ranks_agree(engine, run_blocks(&rank));
    if (status == KJIT_OK)
        status = ranks_agree(engine, bring_back(&rank));
    close_rank(&rank);
    return status;
}
