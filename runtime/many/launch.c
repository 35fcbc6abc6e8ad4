/* A launch over a group: what each rank needs is brought to it, each carries out its blocks, and
** what it wrote is its own. Launches that cannot be split may be rank 0's alone. */
#include "runtime/array/array.h"
#include "runtime/many/group.h"

typedef struct Launch {
    kjit_group *group;
    Job *job; /* NULL: it is not split */
    kjit_kernel *kernel;
    const kjit_launch_config *config;
    const kjit_arg *args;
    size_t count, items; /* items: of tuples, all together */
    kjit_arg *own;       /* as one rank has them; the items of tuples behind */
    Spread **spreads;    /* of the arrays, NULL of others */
    char **begins;       /* of these on the host, likewise */
    bool *held;
    bool *works; /* by rank: in the step at hand */
} Launch;

/* ---- arguments ------------------------------------------------------------------------------- */

static size_t count_items(const kjit_arg *arg)
{
    size_t count = 0;
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        count += 1 + count_items(&arg->as.tuple.items[i]);
    return count;
}

static bool has_elements(const kjit_arg *arg)
{
    return arg->kind == KJIT_ARG_ARRAY && array_elements(&arg->as.array) > 0;
}

static kjit_status not_spread(void)
{
    return error_set(KJIT_ARGUMENT, "error: an array of a launch over ranks lies in memory of a "
                                    "device: pass one of the host");
}

/* Writes an argument as a rank of this process has it; `*items` is the room for a tuple's. */
static kjit_status own_arg(const Launch *l, int rank, const kjit_arg *arg, kjit_arg *own,
                           kjit_arg **items)
{
    *own = *arg;
    if (arg->kind == KJIT_ARG_TUPLE) {
        kjit_arg *list = *items;
        *items += arg->as.tuple.count;
        own->as.tuple.items = list;
        for (size_t i = 0; i < arg->as.tuple.count; i++)
            KJIT_TRY(own_arg(l, rank, &arg->as.tuple.items[i], &list[i], items));
    }
    if (!has_elements(arg))
        return KJIT_OK;
    Spread *spread = spread_find(l->group, arg->as.array.data);
    char *at;
    if (!spread)
        return not_spread();
    KJIT_TRY(spread_at(l->group, spread, rank, (char *)arg->as.array.data - spread->begin, &at));
    own->as.array.data = at;
    own->as.array.flags |= l->group->gpu ? KJIT_ON_DEVICE : 0;
    return KJIT_OK;
}

static kjit_status own_args(const Launch *l, int rank)
{
    kjit_arg *items = l->own + l->count;

    for (size_t i = 0; i < l->count; i++)
        KJIT_TRY(own_arg(l, rank, &l->args[i], &l->own[i], &items));
    return KJIT_OK;
}

static void free_launch(Launch *l)
{
    memory_free(l->own);
    memory_free(l->spreads);
    memory_free(l->begins);
    memory_free(l->held);
    memory_free(l->works);
}

static kjit_status open_launch(Launch *l)
{
    for (size_t i = 0; i < l->count; i++)
        l->items += count_items(&l->args[i]);
    l->own = memory_alloc((l->count + l->items + 1) * sizeof *l->own);
    l->spreads = memory_zeroed(l->count + 1, sizeof *l->spreads);
    l->begins = memory_zeroed(l->count + 1, sizeof *l->begins);
    l->held = memory_zeroed(l->count + 1, sizeof *l->held);
    l->works = memory_zeroed((size_t)l->group->ranks, sizeof *l->works);
    if (!l->own || !l->spreads || !l->begins || !l->held || !l->works)
        return error_memory();
    for (size_t i = 0; i < l->count; i++) {
        if (!has_elements(&l->args[i]))
            continue;
        Spread *spread = spread_find(l->group, l->args[i].as.array.data);
        if (!spread)
            return not_spread();
        l->spreads[i] = spread;
        l->begins[i] = spread->begin;
        l->held[i] = spread->held;
    }
    return KJIT_OK;
}

/* ---- what is needed -------------------------------------------------------------------------- */

/* All of the arrays in a tuple, at a place. */
static kjit_status need_items(const Launch *l, Moves *moves, int place, const kjit_arg *arg)
{
    if (arg->kind == KJIT_ARG_TUPLE)
        for (size_t i = 0; i < arg->as.tuple.count; i++)
            KJIT_TRY(need_items(l, moves, place, &arg->as.tuple.items[i]));
    if (!has_elements(arg))
        return KJIT_OK;
    Spread *spread = spread_find(l->group, arg->as.array.data);
    Region all = { 0 };
    if (!spread)
        return not_spread();
    kjit_status status = region_of_array(&arg->as.array, 0, NULL, spread->begin, true, &all)
                             ? moves_need(l->group, moves, spread, place, &all)
                             : error_memory();
    region_free(&all);
    return status;
}

/* Whether ranks' results of an array are put together. */
static bool is_reduced(const Launch *l, size_t i)
{
    const JobArray *array = &l->job->arrays[i];
    return l->spreads[i] && array->changes && array->whole && !l->job->wishes[i].ordered;
}

static RankReduction reduction_of(const Launch *l, size_t i)
{
    const SplitArray *plan = &l->job->plan.arrays[i];

    return (RankReduction){ .role = plan->role,
                            .combine = plan->combine,
                            .name = l->kernel->param_names[i],
                            .array = l->args[i].as.array,
                            .spread = l->spreads[i] };
}

/* Whether this launch adds to what an earlier one left with each rank. */
static bool goes_on(const Launch *l, size_t i)
{
    bool alone = is_reduced(l, i) && !l->items;

    for (size_t k = 0; alone && k < l->count; k++)
        alone = k == i || l->spreads[k] != l->spreads[i];
    if (!alone)
        return false;
    RankReduction what = reduction_of(l, i);
    return reduce_goes_on(l->group, &what, l->works);
}

/* Other ranks than the first begin sums of floats with -0.0. */
static bool begins_anew(const Launch *l, size_t i)
{
    const SplitArray *plan = &l->job->plan.arrays[i];

    return plan->role == SPLIT_REDUCED && plan->combine == COMBINE_SUM &&
           !l->job->wishes[i].ordered && dtype_is_float(l->args[i].as.array.dtype);
}

static kjit_status need_all(const Launch *l, Moves *moves)
{
    bool first = true;

    for (int r = 0; r < l->group->ranks; r++) {
        for (size_t i = 0; l->works[r] && i < l->count; i++) {
            if (!l->spreads[i])
                KJIT_TRY(need_items(l, moves, r, &l->args[i]));
            else if (goes_on(l, i))
                continue;
            else if (first || !begins_anew(l, i))
                KJIT_TRY(moves_need(l->group, moves, l->spreads[i], r, &l->job->arrays[i].need[r]));
        }
        first &= !l->works[r];
    }
    return KJIT_OK;
}

/* ---- carrying it out ------------------------------------------------------------------------- */

static kjit_status claim_all(const Launch *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const JobArray *array = &l->job->arrays[i];
        if (!l->spreads[i] || !array->changes || is_reduced(l, i))
            continue;
        for (int r = 0; r < l->group->ranks; r++)
            if (l->works[r])
                KJIT_TRY(spread_claim(l->group, l->spreads[i], r,
                                      array->whole ? &array->all : &array->own[r]));
    }
    return KJIT_OK;
}

static kjit_status begin_reductions(const Launch *l, RankReduction **list)
{
    for (size_t i = 0; i < l->count; i++) {
        if (!is_reduced(l, i) || goes_on(l, i))
            continue;
        RankReduction what = reduction_of(l, i);
        KJIT_TRY(reduce_begin(l->group, &what, &l->job->arrays[i].all, l->works, &list[i]));
    }
    return KJIT_OK;
}

/* What ranks wrote is compared now, so that a race is reported for its launch. */
static kjit_status end_reductions(const Launch *l, RankReduction **list)
{
    kjit_status status = KJIT_OK;

    for (size_t i = 0; i < l->count; i++) {
        bool merged = list[i] && list[i]->role == SPLIT_MERGED;
        kjit_status ended = merged ? reduce_end(l->group, list[i]) : KJIT_OK;
        status = status == KJIT_OK ? ended : status;
        if (!list[i] || merged)
            continue;
        reduce_put_off(list[i]);
        list[i] = NULL;
    }
    return status;
}

/* Whether any of these bytes comes to a rank. */
static bool has_moved(const Moves *moves, const Region *bytes, const Spread *spread, int rank)
{
    for (size_t i = 0; i < moves->count; i++) {
        const Move *move = &moves->list[i];
        for (int64_t k = 0; move->spread == spread && move->to == rank && k < bytes->count; k++)
            if (bytes->runs[k].low < move->run.high && move->run.low < bytes->runs[k].high)
                return true;
    }
    return false;
}

/* Whether ranks may begin with their inner blocks while bytes are on the way: these touch none of
** what comes, and what goes is not written. */
static bool may_overlap(const Launch *l, const Moves *moves)
{
    bool may = l->group->apart && moves->count; /* tests' hosts are apart, too */

    for (size_t i = 0; may && i < l->count; i++) {
        const JobArray *array = &l->job->arrays[i];
        may = (l->spreads[i] || count_items(&l->args[i]) == 0) && !is_reduced(l, i);
        for (size_t k = 0; l->spreads[i] && array->changes && k < moves->count; k++)
            may &= moves->list[k].spread != l->spreads[i];
        for (int r = 0; may && l->spreads[i] && r < l->group->ranks; r++) {
            const Region *touched = array->whole ? &array->need[r] : &array->inner[r];
            may = !l->works[r] || !has_moved(moves, touched, l->spreads[i], r);
        }
    }
    return may;
}

typedef enum Portion { PORTION_ALL, PORTION_INNER, PORTION_EDGES } Portion;

static kjit_status launch_range(const Launch *l, int rank, Lane lane, uint64_t from, uint64_t to)
{
    const kjit_group *group = l->group;
    int device = group->gpu ? rank - group->first : 0;

    return from < to ? job_launch(l->job, device, group_stream(group, rank, lane), from, to, l->own)
                     : KJIT_OK;
}

/* The edges of a rank that bytes come to follow these bytes on its side stream: they are computed
** beside the inner blocks, whose last ones leave processors idle. */
static kjit_status launch_portion(const Launch *l, const Moves *moves, int rank, Portion portion)
{
    Lane lane = portion == PORTION_EDGES && moves_come_to(moves, rank) ? LANE_SIDE : LANE_WORK;
    uint64_t from, to, inner_from = 0, inner_to = 0;

    job_blocks(l->job, rank, &from, &to);
    KJIT_TRY(own_args(l, rank));
    if (portion == PORTION_ALL)
        return launch_range(l, rank, lane, from, to);
    if (!job_inner(l->job, rank, &inner_from, &inner_to))
        inner_from = inner_to = from;
    if (portion == PORTION_INNER)
        return launch_range(l, rank, lane, inner_from, inner_to);
    KJIT_TRY(launch_range(l, rank, lane, from, inner_from));
    return launch_range(l, rank, lane, inner_to, to);
}

static kjit_status launch_blocks(const Launch *l, const Moves *moves, Portion portion)
{
    const kjit_group *group = l->group;

    for (int r = group->first; r < group->first + group->locals; r++)
        if (l->works[r])
            KJIT_TRY(launch_portion(l, moves, r, portion));
    return KJIT_OK;
}

/* What is needed is brought, and blocks are carried out: the inner ones meanwhile, if they may. */
static kjit_status bring_and_launch(const Launch *l, Moves *moves, RankReduction **list)
{
    KJIT_TRY(need_all(l, moves));
    bool overlaps = may_overlap(l, moves);
    KJIT_TRY(moves_run(l->group, moves));
    if (overlaps) {
        KJIT_TRY(launch_blocks(l, moves, PORTION_INNER));
        KJIT_TRY(moves_let_go(l->group, moves)); /* not behind the edges of others */
        KJIT_TRY(launch_blocks(l, moves, PORTION_EDGES));
        return moves_join_own(l->group, moves);
    }
    KJIT_TRY(moves_join(l->group, moves));
    KJIT_TRY(begin_reductions(l, list));
    return launch_blocks(l, moves, PORTION_ALL);
}

/* The ranks that work, at the same time. */
static kjit_status run_step(const Launch *l, RankReduction **list)
{
    Moves moves = { 0 };
    kjit_status status = bring_and_launch(l, &moves, list);

    moves_free(&moves);
    if (status == KJIT_OK)
        status = claim_all(l);
    return status == KJIT_OK ? end_reductions(l, list) : status;
}

static kjit_status step(const Launch *l)
{
    RankReduction **list = memory_zeroed(l->count + 1, sizeof *list);
    kjit_status status = list ? run_step(l, list) : error_memory();

    for (size_t i = 0; list && i < l->count; i++)
        reduce_free(list[i]);
    memory_free(list);
    return status;
}

/* All ranks at once, or where sums are added in order one after the other. */
static kjit_status run_split(const Launch *l)
{
    bool ordered = job_is_ordered(l->job), any = false;

    for (int r = 0; r < l->group->ranks; r++) {
        l->works[r] = job_works(l->job, r);
        any |= l->works[r];
        if (!ordered || !l->works[r])
            continue;
        KJIT_TRY(step(l));
        l->works[r] = false;
    }
    return ordered || !any ? KJIT_OK : step(l);
}

/* ---- by one rank ----------------------------------------------------------------------------- */

/* All arrays of an argument that is written. */
static kjit_status claim_arg(const Launch *l, const kjit_arg *arg)
{
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        KJIT_TRY(claim_arg(l, &arg->as.tuple.items[i]));
    Spread *spread = has_elements(arg) ? spread_find(l->group, arg->as.array.data) : NULL;
    Region all = { 0 };
    if (!spread)
        return KJIT_OK;
    kjit_status status = region_of_array(&arg->as.array, 0, NULL, spread->begin, false, &all)
                             ? spread_claim(l->group, spread, 0, &all)
                             : error_memory();
    region_free(&all);
    return status;
}

static kjit_status claim_alone(const Launch *l, const uint32_t *access)
{
    for (size_t i = 0; i < l->count; i++)
        if (access[i] & KJIT_WRITES)
            KJIT_TRY(claim_arg(l, &l->args[i]));
    return KJIT_OK;
}

static kjit_status run_alone(const Launch *l)
{
    Moves moves = { 0 };
    kjit_status status = KJIT_OK;
    uint32_t *access = memory_zeroed(l->count + 1, sizeof *access);

    if (!access)
        return error_memory();
    for (size_t i = 0; i < l->count && status == KJIT_OK; i++)
        status = need_items(l, &moves, 0, &l->args[i]);
    if (status == KJIT_OK)
        status = moves_bring(l->group, &moves);
    moves_free(&moves);
    if (status == KJIT_OK && group_is_local(l->group, 0))
        status = own_args(l, 0);
    if (status == KJIT_OK && group_is_local(l->group, 0))
        status = kjit_launch(l->kernel, l->config, l->own, l->count);
    status = group_agree(l->group, status);
    if (status == KJIT_OK)
        status = kjit_access(l->kernel, l->args, l->count, access);
    if (status == KJIT_OK)
        status = claim_alone(l, access);
    memory_free(access);
    return status;
}

/* ---- which job ------------------------------------------------------------------------------- */

static void add_layout(KeyState *state, const kjit_array *array, const void *of)
{
    const Launch *l = of;
    Spread *spread = array_elements(array) > 0 ? spread_find(l->group, array->data) : NULL;
    size_t same = 0; /* which arrays share memory, whatever memory it is */

    while (spread && same < l->count && l->spreads[same] != spread)
        same++;
    key_number(state, (uint64_t)array->dtype);
    key_number(state, (uint64_t)array->rank | (uint64_t)array->flags << 8);
    key_number(state, same);
    key_number(state, spread ? (uint64_t)((char *)array->data - spread->begin) : 0);
    bool own = spread && !l->group->engine; /* processes are to come to the same key */
    key_number(state, own ? (uintptr_t)spread->begin % 64 : 0);
    key_field(state, array->record, array->record ? sizeof(void *) : 0);
    for (int k = 0; k < array->rank; k++) {
        key_number(state, (uint64_t)array->shape[k]);
        key_number(state, (uint64_t)array->strides[k]);
    }
}

static bool key_of(const Launch *l, const kjit_wish *said, size_t said_count, CacheKey *key)
{
    KeyState *state = key_begin();

    key_number(state, (uintptr_t)l->kernel);
    for (int k = 0; k < 3; k++) {
        key_number(state, l->config->grid[k]);
        key_number(state, l->config->block[k]);
    }
    key_number(state, l->config->shared_bytes);
    for (size_t i = 0; i < said_count; i++) {
        key_text(state, said[i].option);
        key_text(state, said[i].name);
        key_text(state, said[i].value);
    }
    for (size_t i = 0; i < l->count; i++)
        many_key_arg(state, &l->args[i], false, add_layout, l);
    return key_end(state, key);
}

static Job *known_job(kjit_group *group, const CacheKey *key)
{
    for (Job **link = &group->jobs; *link; link = &(*link)->next) {
        Job *job = *link;
        if (memcmp(&job->key, key, sizeof *key) != 0)
            continue;
        *link = job->next; /* to the front */
        job->next = group->jobs;
        group->jobs = job;
        return job;
    }
    return NULL;
}

/* Compiles a job; what cannot be split is noted where the caller has another way. */
static kjit_status open_job(const Launch *l, Job *job, bool may_refuse)
{
    kjit_status status = own_args(l, l->group->first);

    if (status == KJIT_OK)
        status = job_open(job, l->own);
    if (status == KJIT_OK)
        status = job_place(job, l->args, l->begins);
    job->refused = may_refuse && (status == KJIT_INVALID || status == KJIT_UNSUPPORTED);
    if (!job->refused)
        return status;
    size_t length = strlen(kjit_error_message()) + 1;
    job->why = memory_alloc(length);
    if (job->why)
        memcpy(job->why, kjit_error_message(), length);
    return job->why ? KJIT_OK : error_memory();
}

/* Rank 0 compiles first, so that others find its code in the cache. */
static kjit_status open_together(const Launch *l, Job *job, bool may_refuse)
{
    kjit_group *group = l->group;

    if (!group->engine)
        return open_job(l, job, may_refuse);
    bool first = group->process == 0;
    KJIT_TRY(group_agree(group, first ? open_job(l, job, may_refuse) : KJIT_OK));
    kjit_status status = first ? KJIT_OK : open_job(l, job, may_refuse);
    Says *says = memory_zeroed(1, sizeof *says);
    if (!says)
        return error_memory();
    says->status = status;
    if (status == KJIT_OK && job->refused)
        says->text = 1;
    else if (status == KJIT_OK)
        job_say(job, l->args, l->held, says);
    else
        strncpy(says->message, kjit_error_message(), sizeof says->message - 1);
    status = group_meet(group, says);
    memory_free(says);
    return status;
}

static kjit_status new_job(const Launch *l, const kjit_wish *said, size_t said_count,
                           const CacheKey *key, bool may_refuse, Job **out)
{
    kjit_group *group = l->group;
    Job *job = memory_zeroed(1, sizeof *job);

    if (!job)
        return error_memory();
    *job = (Job){ .key = *key,
                  .kernel = l->kernel,
                  .config = *l->config,
                  .said = said,
                  .said_count = said_count,
                  .count = l->count,
                  .ranks = group->ranks,
                  .alike = group->engine != NULL,
                  .devices = group->devices,
                  .device_count = group->gpu ? group->locals : 1 };
    arena_init(&job->arena, NULL);
    kjit_status status = open_together(l, job, may_refuse);
    job->said = NULL; /* the caller's */
    if (status != KJIT_OK) {
        job_close(job);
        memory_free(job);
        return status;
    }
    job->next = group->jobs;
    group->jobs = job;
    *out = job;
    return KJIT_OK;
}

/* Whether all arrays stay spread: then what they hold is known to be what it should be. */
static bool all_held(const Launch *l)
{
    bool held = true;
    for (size_t i = 0; i < l->count; i++)
        held &= l->args[i].kind != KJIT_ARG_ARRAY || !l->spreads[i] || l->held[i];
    return held;
}

static kjit_status run(Launch *l, const kjit_wish *said, size_t said_count, const char **why)
{
    CacheKey key;
    Job *job = NULL;

    KJIT_TRY(open_launch(l));
    if (!key_of(l, said, said_count, &key))
        return error_memory();
    if (all_held(l) || !l->group->engine)
        job = known_job(l->group, &key);
    if (!job)
        KJIT_TRY(new_job(l, said, said_count, &key, why != NULL, &job));
    l->job = job;
    KJIT_TRY(
        group_adds_launch(l->group, kjit_kernel_name(l->kernel), l->config, l->args, l->count));
    if (why)
        *why = job->why;
    return job->refused ? run_alone(l) : run_split(l);
}

kjit_status group_launch(kjit_group *group, kjit_kernel *kernel, const kjit_launch_config *config,
                         const kjit_arg *args, size_t count, const kjit_wish *wishes,
                         size_t wish_count, const char **why)
{
    Launch launch = {
        .group = group, .kernel = kernel, .config = config, .args = args, .count = count
    };

    engine_begins(group->engine, "the launch of %s", kjit_kernel_name(kernel));
    KJIT_TRY(group_devices(group, kernel->module->context));
    KJIT_TRY(check_count(kernel, count));
    kjit_status status = run(&launch, wishes, wish_count, why);
    free_launch(&launch);
    return status;
}
