/* All configurations of a space that are allowed, without going through all that there are.
**
** Parameters get their values one after the other (space_terms.c), and each term of a restriction
** is looked at as soon as it can be: where it does not hold, all that would have followed is out. A
** term that cannot be computed decides nothing: such configurations are asked about one by one, and
** that complains if no other restriction excludes them. Whether a launch fits the device depends on
** few parameters as a rule, on sizes of blocks and of shared arrays: which it asks for is watched,
** and what came of their values is kept. */
#include "runtime/tuning/space.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    FITS = 1 << 14,         /* answers that are kept */
    SCRATCH_MOST = 4 << 20, /* bytes, until what was evaluated is let go of */
    STEPS = 1024            /* between looks at the clock */
};
static const double moment_ms = 250; /* between two words on how far it is */

/* What became of values of the parameters that matter to the device. */
typedef struct Fit {
    uint32_t *values; /* those of other parameters count as 0; NULL: empty */
    char why[192];    /* or "": it fits */
    kjit_launch_config shape;
} Fit;

typedef struct Visit {
    kjit_space *space;
    const kjit_arg *args;
    size_t count;
    kjit_space_visitor told;
    Arena *arena;
    Arena scratch; /* of one evaluation after the other */
    kjit_values values;
    SpaceOrder order;
    SpacePoint point;
    uint32_t *config, *key;
    bool *chosen, *asked, *fit_asked;
    double *below;  /* by depth: how many configurations there are to it */
    double *broken; /* by term: how many it has excluded */
    Fit *fits;
    size_t undecided; /* terms on the way here that could not be computed */
    double decided;
    unsigned steps;
    double said_at; /* on the clock, in ms */
    bool over;
} Visit;

/* Lets go of what was evaluated, when it has become much. */
static void tidy(Visit *v)
{
    if (v->scratch.total < SCRATCH_MOST)
        return;
    arena_free(&v->scratch);
    arena_init(&v->scratch, v->arena->exhausted);
    values_clear(&v->values);
    v->values = (kjit_values){ 0 };
}

static void decide(Visit *v, double count)
{
    v->decided += count;
    if (++v->steps % STEPS || !v->told.progress)
        return;
    double now = clock_ms();
    if (now < v->said_at + moment_ms)
        return;
    v->said_at = now;
    v->told.progress(v->told.context, v->decided, v->below[0]);
}

static void exclude(Visit *v, double count, const char *why, bool by_device)
{
    if (v->told.excluded)
        v->told.excluded(v->told.context, count, why, by_device);
    decide(v, count);
}

/* ---- terms -------------------------------------------------------------------------------- */

typedef enum Answer { NO, YES, UNKNOWN } Answer;

static Answer ask(Visit *v, const SpaceTerm *term)
{
    SpaceTrace trace = { .chosen = v->chosen, .asked = v->asked };
    SpacePoint point = v->point;
    Diags unheard;
    Value value;
    bool holds;

    if (term->code && space_code_run(term->code, v->config, &holds))
        return holds ? YES : NO;
    tidy(v);
    point.trace = &trace;
    Eval eval = space_eval(&v->scratch, &unheard, &point);
    bool known = space_looks_at_shapes(&eval, term->expr) &&
                 value_eval(&eval, term->expr, &value) &&
                 value_truth(&eval, term->expr->span, &value, &holds);
    return !known ? UNKNOWN : holds ? YES : NO;
}

/* Whether all terms hold that can be looked at now and could not before; else what would follow is
** out. */
static bool hold(Visit *v, size_t depth)
{
    for (size_t i = 0; i < v->order.count; i++) {
        if (v->order.terms[i].depth != depth)
            continue;
        Answer answer = ask(v, &v->order.terms[i]);
        v->undecided += answer == UNKNOWN;
        if (answer != NO)
            continue;
        v->broken[i] += v->below[depth];
        decide(v, v->below[depth]);
        return false;
    }
    return true;
}

/* ---- the device --------------------------------------------------------------------------- */

/* The place of the answer for the values that matter. */
static Fit *find_fit(Visit *v)
{
    size_t bytes = v->space->count * sizeof *v->key;

    for (size_t i = 0; i < v->space->count; i++)
        v->key[i] = v->fit_asked[i] ? v->config[i] : 0;
    return &v->fits[XXH3_64bits(v->key, bytes) % FITS];
}

static kjit_status ask_device(Visit *v, Fit *made)
{
    SpaceTrace trace = { .chosen = v->chosen, .asked = v->fit_asked };
    SpacePoint point = v->point;
    const char *why;

    tidy(v);
    point.trace = &trace;
    made->shape = (kjit_launch_config){ .size = sizeof made->shape };
    KJIT_TRY(space_fits(&v->scratch, &point, &made->shape, &why));
    snprintf(made->why, sizeof made->why, "%s", why ? why : "");
    for (size_t i = 0; trace.grown && i < FITS; i++)
        v->fits[i].values = NULL; /* they were kept by fewer values */
    return KJIT_OK;
}

/* Whether it fits, as known or found out; the answer stays until the next one is asked for. */
static kjit_status fit(Visit *v, const Fit **out)
{
    size_t bytes = v->space->count * sizeof *v->key;
    Fit *place = find_fit(v), made;

    *out = place;
    if (place->values && memcmp(place->values, v->key, bytes) == 0)
        return KJIT_OK;
    KJIT_TRY(ask_device(v, &made));
    *out = place = find_fit(v);
    made.values = place->values ? place->values : arena_alloc(v->arena, bytes + 1);
    memcpy(made.values, v->key, bytes);
    *place = made;
    return KJIT_OK;
}

/* ---- configurations ----------------------------------------------------------------------- */

/* What no term has excluded. */
static kjit_status reach(Visit *v)
{
    const char *why = NULL;
    const Fit *found;

    if (v->undecided)
        KJIT_TRY(kjit_space_allows(v->space, v->config, v->args, v->count, &why));
    if (why) {
        exclude(v, 1, why, false);
        return KJIT_OK;
    }
    KJIT_TRY(fit(v, &found));
    if (*found->why) {
        exclude(v, 1, found->why, true);
        return KJIT_OK;
    }
    v->over = v->told.allowed(v->told.context, v->config, &found->shape) != 0;
    decide(v, 1);
    return KJIT_OK;
}

static kjit_status descend(Visit *v, size_t depth)
{
    if (depth == v->space->count)
        return reach(v);
    size_t param = v->order.params[depth], before = v->undecided;
    v->chosen[param] = true;
    for (uint32_t i = 0; i < v->space->params[param].count && !v->over; i++) {
        v->config[param] = i;
        if (hold(v, depth + 1))
            KJIT_TRY(descend(v, depth + 1));
        v->undecided = before;
    }
    v->chosen[param] = false;
    return KJIT_OK;
}

/* Tells how many each restriction has excluded. */
static void tell_broken(const Visit *v)
{
    for (size_t i = 0; i < v->order.count && v->told.excluded; i++) {
        if (v->broken[i] > 0)
            v->told.excluded(v->told.context, v->broken[i],
                             space_broken_text(v->arena, v->order.terms[i].restriction), false);
    }
}

/* Translates the terms that look at no elements of arrays. */
static void make_codes(Visit *v)
{
    for (size_t i = 0; i < v->order.count; i++) {
        SpaceTerm *term = &v->order.terms[i];
        Diags unheard;
        Eval eval = space_eval(v->arena, &unheard, &v->point);
        if (space_looks_at_shapes(&eval, term->expr))
            term->code = space_code(v->arena, &v->point, term->expr);
    }
}

static kjit_status visit(void *context, Arena *arena)
{
    Visit *v = context;
    const kjit_space *space = v->space;
    size_t count = space->count;

    v->arena = arena;
    arena_init(&v->scratch, arena->exhausted);
    space_order(arena, space, &v->order);
    v->config = arena_array(arena, uint32_t, count + 1);
    v->key = arena_array(arena, uint32_t, count + 1);
    v->chosen = arena_array(arena, bool, count + 1);
    v->asked = arena_array(arena, bool, count + 1);
    v->fit_asked = arena_array(arena, bool, count + 1);
    v->below = arena_array(arena, double, count + 1);
    v->broken = arena_array(arena, double, v->order.count + 1);
    v->fits = arena_array(arena, Fit, FITS);
    v->below[count] = 1;
    for (size_t i = count; i-- > 0;)
        v->below[i] = v->below[i + 1] * (double)space->params[v->order.params[i]].count;
    v->point = (SpacePoint){ .space = space,
                             .config = v->config,
                             .args = v->args,
                             .count = v->count,
                             .scratch = &v->values,
                             .reads = &v->space->reads };
    v->said_at = clock_ms();
    make_codes(v);
    kjit_status status = hold(v, 0) ? descend(v, 0) : KJIT_OK;
    tell_broken(v);
    return status;
}

kjit_status kjit_space_visit(kjit_space *space, const kjit_arg *args, size_t count,
                             const kjit_space_visitor *visitor)
{
    KJIT_TRY(HANDLE(SPACE, space));
    Visit v = { .space = space, .args = args, .count = count };

    memcpy(&v.told, visitor, visitor->size < sizeof v.told ? visitor->size : sizeof v.told);
    if (!v.told.allowed)
        return error_set(KJIT_ARGUMENT, "error: nobody is there to be told of configurations");
    KJIT_TRY(check_count(space->kernel, count));
    kjit_status status = arena_run(visit, &v);
    arena_free(&v.scratch);
    values_clear(&v.values);
    return status;
}
