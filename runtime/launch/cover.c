/* Whether a launch overwrites a host array whole, so that it need not be copied in, and how large a
** grid the kernel has work for: what ir/predict/cover.c found, put to the launch's numbers. An
** overflow anywhere says no. */
#include "runtime/array/array.h"

/* The numbers of a launch. */
typedef struct Facts {
    const LaunchRequest *request;
    const kjit_arg *args;
} Facts;

/* A fact's value; false if the arguments are not what the kernel was compiled for. */
static bool fact_value(const Facts *facts, const IrFact *fact, int64_t *value)
{
    const kjit_arg *arg = &facts->args[fact->index];
    char bytes[16] = { 0 };

    switch ((IrFactKind)fact->kind) {
    case FACT_BLOCK:
        *value = facts->request->block[fact->axis];
        return true;
    case FACT_GRID:
        *value = facts->request->grid[fact->axis];
        return true;
    case FACT_EXTENT:
        *value = arg->kind == KJIT_ARG_ARRAY ? arg->as.array.shape[fact->axis] : 0;
        return arg->kind == KJIT_ARG_ARRAY;
    case FACT_SCALAR: /* as the kernel gets it */
        if (arg->kind != KJIT_ARG_SCALAR)
            return false;
        scalar_store(arg, bytes);
        *value = scalar_load(arg->dtype, bytes).as.integer;
        return true;
    case FACT_NONE:
    case FACT_THREAD_AT:
    case FACT_BLOCK_AT:
    case FACT_ITERATION:
        return false;
    }
    return false;
}

bool covers_term(const IrTerm *term, const LaunchRequest *request, const kjit_arg *args,
                 int64_t *product)
{
    const Facts facts = { request, args };
    int64_t value;

    *product = term->factor;
    for (int k = 0; k < TERM_FACTS && term->facts[k].kind; k++) {
        if (!fact_value(&facts, &term->facts[k], &value) ||
            __builtin_mul_overflow(*product, value, product))
            return false;
    }
    return true;
}

static bool add_up(const Facts *facts, const IrTerm *terms, int count, int64_t *sum)
{
    *sum = 0;
    for (int i = 0; i < count; i++) {
        int64_t product;
        if (!covers_term(&terms[i], facts->request, facts->args, &product) ||
            __builtin_add_overflow(*sum, product, sum))
            return false;
    }
    return true;
}

static bool is_met(const IrCovers *covers, const IrNeed *need, const Facts *facts)
{
    int64_t left, right;

    return add_up(facts, &covers->terms[need->left], need->left_count, &left) &&
           add_up(facts, &covers->terms[need->right], need->right_count, &right) && left >= right;
}

/* Whether a launch meets a way to overwrite a parameter whole, or what the kernel may of it. */
static bool meets(const IrCovers *covers, size_t param, bool part, const LaunchRequest *request,
                  const kjit_arg *args)
{
    const Facts facts = { request, args };

    for (int i = 0; i < covers->way_count; i++) {
        const IrCover *way = &covers->ways[i];
        bool all = way->param == (int)param && way->part == part;
        for (int k = 0; all && k < way->count; k++)
            all = is_met(covers, &covers->needs[way->first + k], &facts);
        if (all)
            return true;
    }
    return false;
}

bool covers_whole(const IrCovers *covers, size_t param, const LaunchRequest *request,
                  const kjit_arg *args)
{
    return meets(covers, param, false, request, args);
}

/* ---- the grid -------------------------------------------------------------------------------- */

/* Where along an axis work ends, for some access: positions of threads or of blocks. */
typedef struct End {
    bool any, required;
    int64_t at;
} End;

/* The first position that a limit keeps from working; false if its numbers are out of range. */
static bool limit_position(const IrCovers *covers, const IrLimit *limit, const Facts *facts,
                           int64_t *position)
{
    int64_t weight, bound;

    if (!add_up(facts, &covers->terms[limit->weight], limit->weight_count, &weight) ||
        !add_up(facts, &covers->terms[limit->bound], limit->bound_count, &bound) || weight < 1)
        return false;
    *position = bound <= 0 ? 0 : (bound - 1) / weight + 1;
    return true;
}

/* Takes the access that ended at `one` into account: the furthest counts, but what may not be
** exceeded never is. */
static void take_end(End *furthest, End *cap, const End *one)
{
    if (one->any && (!furthest->any || one->at > furthest->at))
        *furthest = (End){ .any = true, .at = one->at };
    if (one->required && (!cap->any || one->at < cap->at))
        *cap = *one;
}

/* Where work ends along an axis, in threads or in blocks. */
static End find_end(const IrCovers *covers, const Facts *facts, int axis, bool blocks)
{
    End furthest = { 0 }, cap = { 0 }, one = { 0 };

    for (int i = 0; i < covers->limit_count; i++) {
        const IrLimit *limit = &covers->limits[i];
        int64_t at;
        if (i && limit->access != limit[-1].access) {
            take_end(&furthest, &cap, &one);
            one = (End){ 0 };
        }
        if (limit->axis != axis || limit->blocks != blocks ||
            !limit_position(covers, limit, facts, &at))
            continue;
        if (!one.any || at < one.at)
            one.at = at;
        one.any = true;
        one.required = limit->required;
    }
    take_end(&furthest, &cap, &one);
    return cap.any && cap.at <= furthest.at ? cap : furthest;
}

bool covers_blocks(const IrCovers *covers, const uint32_t block[3], const kjit_arg *args, int axis,
                   uint64_t *blocks)
{
    LaunchRequest request = { .grid = { 1, 1, 1 } };
    const Facts facts = { &request, args };

    for (int i = 0; i < 3; i++)
        request.block[i] = block[i] ? block[i] : 1;
    End threads = find_end(covers, &facts, axis, false),
        whole = find_end(covers, &facts, axis, true);
    int64_t width = request.block[axis], found = 1;
    if (threads.any && threads.at > 0)
        found = (threads.at - 1) / width + 1;
    if (whole.any && (whole.required ? !threads.any || whole.at < found : whole.at > found))
        found = whole.at > 0 ? whole.at : 1;
    if (threads.any || whole.any)
        *blocks = (uint64_t)found;
    return threads.any || whole.any;
}

CoversLeft covers_left(const IrCovers *covers, size_t param, const LaunchRequest *request,
                       const kjit_arg *args, uint32_t enough[3])
{
    LaunchRequest larger = *request;
    const IrCover *sole = NULL;

    for (int i = 0; i < covers->way_count; i++) {
        if (covers->ways[i].param == (int)param && covers->ways[i].sole)
            sole = &covers->ways[i];
    }
    if (!sole || meets(covers, param, sole->part, request, args))
        return LEFT_NONE;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t blocks = 1;
        covers_blocks(covers, request->block, args, axis, &blocks);
        larger.grid[axis] = blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX;
    }
    memcpy(enough, larger.grid, sizeof larger.grid);
    if (!meets(covers, param, sole->part, &larger, args))
        return LEFT_NONE;
    return sole->part ? LEFT_OF_PART : LEFT_OF_ALL;
}

static void *keep(Arena *arena, const void *list, size_t bytes)
{
    void *copy = arena_alloc(arena, bytes);

    if (bytes)
        memcpy(copy, list, bytes);
    return copy;
}

IrCovers covers_keep(Arena *arena, const IrCovers *covers)
{
    return (IrCovers){
        .ways = keep(arena, covers->ways, sizeof *covers->ways * (size_t)covers->way_count),
        .needs = keep(arena, covers->needs, sizeof *covers->needs * (size_t)covers->need_count),
        .limits = keep(arena, covers->limits, sizeof *covers->limits * (size_t)covers->limit_count),
        .fits = keep(arena, covers->fits, sizeof *covers->fits * (size_t)covers->fit_count),
        .terms = keep(arena, covers->terms, sizeof *covers->terms * (size_t)covers->term_count),
        .way_count = covers->way_count,
        .need_count = covers->need_count,
        .limit_count = covers->limit_count,
        .fit_count = covers->fit_count,
        .term_count = covers->term_count,
    };
}
