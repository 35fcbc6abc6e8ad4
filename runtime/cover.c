/* Whether a launch overwrites a host array whole, so that nobody need copy it in: the needs that
** ir/cover.c found, put to the launch's numbers. An overflow anywhere says no. */
#include "runtime/runtime.h"

#include <string.h>

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
    case FACT_TURN:
        return false;
    }
    return false;
}

static bool add_up(const Facts *facts, const IrTerm *terms, int count, int64_t *sum)
{
    *sum = 0;
    for (int i = 0; i < count; i++) {
        int64_t product = terms[i].factor, value;
        for (int k = 0; k < TERM_FACTS && terms[i].facts[k].kind; k++) {
            if (!fact_value(facts, &terms[i].facts[k], &value) ||
                __builtin_mul_overflow(product, value, &product))
                return false;
        }
        if (__builtin_add_overflow(*sum, product, sum))
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

bool covers_whole(const IrCovers *covers, size_t param, const LaunchRequest *request,
                  const kjit_arg *args)
{
    const Facts facts = { request, args };

    for (int i = 0; i < covers->way_count; i++) {
        const IrCover *way = &covers->ways[i];
        bool all = way->param == (int)param;
        for (int k = 0; all && k < way->count; k++)
            all = is_met(covers, &covers->needs[way->first + k], &facts);
        if (all)
            return true;
    }
    return false;
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
        .terms = keep(arena, covers->terms, sizeof *covers->terms * (size_t)covers->term_count),
        .way_count = covers->way_count,
        .need_count = covers->need_count,
        .term_count = covers->term_count,
    };
}
