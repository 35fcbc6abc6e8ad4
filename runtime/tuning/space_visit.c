/* Enumerates the allowed configurations of a space, without visiting all that are not.
**
** Backtracking: parameters get their values in order (space_terms.c), and a term of a restriction
** is evaluated as soon as its parameters have values; if it is false the subtree is skipped. A term
** that cannot be computed decides nothing: its configurations are checked one by one, which reports
** the error unless another restriction excludes them. Whether a launch fits the device usually
** depends on few parameters, those of blocks and shared arrays: reads are traced, and results are
** cached by the values read. */
#include "runtime/tuning/space.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    FITS = 1 << 14,         /* entries of the cache */
    SCRATCH_MOST = 4 << 20, /* bytes of intermediate results before they are freed */
    STEPS = 1024            /* decisions between readings of the clock */
};
static const double progress_ms = 250; /* between calls of progress() */

/* A cached result for the values of the parameters that were read. */
typedef struct Fit {
    uint32_t *values; /* 0 for parameters that were not read; NULL: empty */
    char why[192];    /* reason why not; "": it fits */
    kjit_launch_config shape;
} Fit;

typedef struct Visit {
    kjit_space *space;
    const kjit_arg *args;
    size_t count;
    kjit_space_visitor visitor;
    Arena *arena;
    Arena scratch; /* of evaluations */
    kjit_values values;
    SpaceOrder order;
    SpacePoint point;
    uint32_t *config, *key;
    bool *chosen, *asked, *fit_asked;
    double *below;  /* by depth: the number of configurations of the subtree */
    double *broken; /* by term: the configurations it has excluded */
    Fit *fits;
    size_t undecided; /* terms on the current path that could not be computed */
    double decided;
    unsigned steps;
    double progress_at; /* time of the last call of progress(), ms */
    bool over;
} Visit;

/* Frees intermediate results when they have become large. */
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
    if (++v->steps % STEPS || !v->visitor.progress)
        return;
    double now = clock_ms();
    if (now < v->progress_at + progress_ms)
        return;
    v->progress_at = now;
    v->visitor.progress(v->visitor.context, v->decided, v->below[0]);
}

/* The one configuration at hand. */
static void exclude(Visit *v, const char *why, bool by_device)
{
    if (v->visitor.excluded)
        v->visitor.excluded(v->visitor.context, 1, why, by_device);
    decide(v, 1);
}

/* ---- terms -------------------------------------------------------------------------------- */

typedef enum Answer { NO, YES, UNKNOWN } Answer;

static Answer ask_term(Visit *v, const SpaceTerm *term)
{
    SpaceTrace trace = { .chosen = v->chosen, .asked = v->asked };
    SpacePoint point = v->point;
    Diags discarded;
    Value value;
    bool holds;

    if (term->code && space_code_run(term->code, v->config, &holds))
        return holds ? YES : NO;
    tidy(v);
    point.trace = &trace;
    Eval eval = space_eval(&v->scratch, &discarded, &point);
    bool known = space_looks_at_shapes(&eval, term->expr) &&
                 value_eval(&eval, term->expr, &value) &&
                 value_truth(&eval, term->expr->span, &value, &holds);
    return !known ? UNKNOWN : holds ? YES : NO;
}

/* Whether the terms that can be evaluated at this depth hold; else counts the subtree as
** excluded. */
static bool terms_hold(Visit *v, size_t depth)
{
    for (size_t i = 0; i < v->order.count; i++) {
        if (v->order.terms[i].depth != depth)
            continue;
        Answer answer = ask_term(v, &v->order.terms[i]);
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

/* The cache entry for the current values. */
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
        v->fits[i].values = NULL; /* their keys lack a parameter */
    return KJIT_OK;
}

/* Whether it fits, from the cache or the device; valid until the next call. */
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

/* Handles a configuration that no term has excluded. */
static kjit_status reach(Visit *v)
{
    const char *why = NULL;
    const Fit *found;

    if (v->undecided)
        KJIT_TRY(kjit_space_allows(v->space, v->config, v->args, v->count, &why));
    if (why) {
        exclude(v, why, false);
        return KJIT_OK;
    }
    KJIT_TRY(fit(v, &found));
    if (*found->why) {
        exclude(v, found->why, true);
        return KJIT_OK;
    }
    v->over = v->visitor.allowed(v->visitor.context, v->config, &found->shape) != 0;
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
        if (terms_hold(v, depth + 1))
            KJIT_TRY(descend(v, depth + 1));
        v->undecided = before;
    }
    v->chosen[param] = false;
    return KJIT_OK;
}

/* Reports how many configurations each restriction has excluded. */
static void tell_broken(const Visit *v)
{
    for (size_t i = 0; i < v->order.count && v->visitor.excluded; i++) {
        if (v->broken[i] > 0)
            v->visitor.excluded(v->visitor.context, v->broken[i],
                                space_broken_text(v->arena, v->order.terms[i].restriction), false);
    }
}

/* Compiles the terms that read no elements of arrays. */
static void make_codes(Visit *v)
{
    for (size_t i = 0; i < v->order.count; i++) {
        SpaceTerm *term = &v->order.terms[i];
        Diags discarded;
        Eval eval = space_eval(v->arena, &discarded, &v->point);
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
    v->progress_at = clock_ms();
    make_codes(v);
    kjit_status status = terms_hold(v, 0) ? descend(v, 0) : KJIT_OK;
    tell_broken(v);
    return status;
}

kjit_status kjit_space_visit(kjit_space *space, const kjit_arg *args, size_t count,
                             const kjit_space_visitor *visitor)
{
    KJIT_TRY(HANDLE(SPACE, space));
    Visit v = { .space = space, .args = args, .count = count };

    SIZED_TAKE(&v.visitor, visitor);
    if (!v.visitor.allowed)
        return error_set(KJIT_ARGUMENT, "error: the visitor has no function `allowed`");
    KJIT_TRY(check_count(space->kernel, count));
    kjit_status status = arena_run(visit, &v);
    arena_free(&v.scratch);
    values_clear(&v.values);
    return status;
}
