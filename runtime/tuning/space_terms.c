/* Splitting restrictions into terms, and ordering the parameters.
**
** `a and b` are two terms, but b is evaluated no earlier than a, on which conditions like `tile and
** n % tile == 0` rely. The parameters of the term with the fewest combinations of values come
** first; those that no term reads come last. */
#include "runtime/tuning/space.h"

/* ---- terms -------------------------------------------------------------------------------- */

typedef struct NeedSearch {
    const kjit_space *space;
    bool *needs;
    int depth; /* of constants that are looked into */
} NeedSearch;

/* Follows constants of the module, which may be computed from parameters; beyond a depth all
** parameters count as read. */
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

/* Adds the terms of an expression; each reads what those before it read. */
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

/* The number of combinations of a term's parameters that are not ordered yet; 0: all are. */
static double left_of(const kjit_space *space, const SpaceTerm *term, const bool *ordered)
{
    double values = 1;
    bool some = false;

    for (size_t i = 0; i < space->count; i++) {
        bool left = term->needs[i] && !ordered[i];
        values *= left ? (double)space->params[i].count : 1;
        some = some || left;
    }
    return some ? values : 0;
}

static const SpaceTerm *next_term(const kjit_space *space, const SpaceOrder *order,
                                  const bool *ordered)
{
    const SpaceTerm *best = NULL;
    double least = 0;

    for (size_t i = 0; i < order->count; i++) {
        double left = left_of(space, &order->terms[i], ordered);
        if (left > 0 && (!best || left < least)) {
            best = &order->terms[i];
            least = left;
        }
    }
    return best;
}

/* Appends the parameters of `needs` to the order, or with NULL all that are left; returns how many
** are ordered. */
static size_t order_params(const kjit_space *space, const bool *needs, bool *ordered, size_t count,
                           size_t *params)
{
    for (size_t i = 0; i < space->count; i++) {
        if (ordered[i] || (needs && !needs[i]))
            continue;
        ordered[i] = true;
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
    bool *ordered = arena_array(arena, bool, space->count + 1);
    const SpaceTerm *term;
    size_t count = 0;

    *order = (SpaceOrder){ .params = arena_array(arena, size_t, space->count + 1) };
    for (int i = 0; i < space->said.restrictions.count; i++) {
        const AstExpr *restriction = space->said.restrictions.items[i];
        const bool *before = NULL;
        add_terms(arena, space, restriction, restriction, &before, order);
    }
    while ((term = next_term(space, order, ordered)) != NULL)
        count = order_params(space, term->needs, ordered, count, order->params);
    order_params(space, NULL, ordered, count, order->params);
    for (size_t i = 0; i < order->count; i++)
        order->terms[i].depth = depth_of(space, order, &order->terms[i]);
}
