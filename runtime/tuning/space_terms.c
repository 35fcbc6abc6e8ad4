/* Restrictions taken apart, and the order in which parameters get their values.
**
** What `a and b` joins are two terms, but b is looked at no earlier than a, on which conditions
** like `tile and n % tile == 0` rely. The term that the fewest configurations decide comes first,
** and its parameters with it; those that no term reads come last. */
#include "runtime/tuning/space.h"

#include <string.h>

/* ---- terms -------------------------------------------------------------------------------- */

typedef struct NeedSearch {
    const kjit_space *space;
    bool *needs;
    int depth; /* of constants that are looked into */
} NeedSearch;

/* Constants of the module may be computed from parameters; what goes too deep may need all. */
static void search(void *context, const AstExpr *expr)
{
    enum { DEPTH_MOST = 16 };
    NeedSearch *wanted = context;
    const kjit_space *space = wanted->space;
    const Eval eval = { .module = space->kernel->module };
    bool is_param = false;

    for (size_t i = 0; expr->kind == AST_NAME && i < space->count; i++) {
        bool named = strcmp(space->params[i].name, expr->name.name) == 0;
        wanted->needs[i] = wanted->needs[i] || named || wanted->depth == DEPTH_MOST;
        is_param = is_param || named;
    }
    const AstExpr *constant =
        expr->kind == AST_NAME && !is_param ? value_constant(&eval, expr->name.name) : NULL;
    if (constant && wanted->depth < DEPTH_MOST) {
        wanted->depth++;
        search(wanted, constant);
        wanted->depth--;
    }
    ast_each_child(expr, search, wanted);
}

/* Adds the terms of an expression; each needs what those before it need. */
static void add_terms(Arena *arena, const kjit_space *space, const AstExpr *expr,
                      const AstExpr *restriction, const bool **before, SpaceOrder *order)
{
    if (expr->kind == AST_BOOLEAN && expr->binary.op == AST_AND) {
        add_terms(arena, space, expr->binary.left, restriction, before, order);
        add_terms(arena, space, expr->binary.right, restriction, before, order);
        return;
    }
    NeedSearch wanted = { .space = space, .needs = arena_array(arena, bool, space->count + 1) };
    if (*before)
        memcpy(wanted.needs, *before, space->count * sizeof *wanted.needs);
    search(&wanted, expr);
    *before = wanted.needs;
    array_push(arena, order->terms, order->count, order->capacity) =
        (SpaceTerm){ .expr = expr, .restriction = restriction, .needs = wanted.needs };
}

/* ---- the order ---------------------------------------------------------------------------- */

/* How many values the parameters have that a term needs and that have no place yet; 0: all have. */
static double left_of(const kjit_space *space, const SpaceTerm *term, const bool *placed)
{
    double values = 1;
    bool some = false;

    for (size_t i = 0; i < space->count; i++) {
        bool left = term->needs[i] && !placed[i];
        values *= left ? (double)space->params[i].count : 1;
        some = some || left;
    }
    return some ? values : 0;
}

static const SpaceTerm *next_term(const kjit_space *space, const SpaceOrder *order,
                                  const bool *placed)
{
    const SpaceTerm *best = NULL;
    double least = 0;

    for (size_t i = 0; i < order->count; i++) {
        double left = left_of(space, &order->terms[i], placed);
        if (left > 0 && (!best || left < least)) {
            best = &order->terms[i];
            least = left;
        }
    }
    return best;
}

/* Places the parameters that are needed, or with NULL all that are left; returns how many have a
** place. */
static size_t place(const kjit_space *space, const bool *needs, bool *placed, size_t count,
                    size_t *params)
{
    for (size_t i = 0; i < space->count; i++) {
        if (placed[i] || (needs && !needs[i]))
            continue;
        placed[i] = true;
        params[count++] = i;
    }
    return count;
}

static size_t depth_of(const kjit_space *space, const SpaceOrder *order, const SpaceTerm *term)
{
    size_t depth = 0;

    for (size_t i = 0; i < space->count; i++)
        depth = term->needs[order->params[i]] ? i + 1 : depth;
    return depth;
}

void space_order(Arena *arena, const kjit_space *space, SpaceOrder *order)
{
    bool *placed = arena_array(arena, bool, space->count + 1);
    const SpaceTerm *term;
    size_t count = 0;

    *order = (SpaceOrder){ .params = arena_array(arena, size_t, space->count + 1) };
    for (int i = 0; i < space->said.restrictions.count; i++) {
        const AstExpr *restriction = space->said.restrictions.items[i];
        const bool *before = NULL;
        add_terms(arena, space, restriction, restriction, &before, order);
    }
    while ((term = next_term(space, order, placed)) != NULL)
        count = place(space, term->needs, placed, count, order->params);
    place(space, NULL, placed, count, order->params);
    for (size_t i = 0; i < order->count; i++)
        order->terms[i].depth = depth_of(space, order, &order->terms[i]);
}
