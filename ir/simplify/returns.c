/* Returns made branches. Outside of loops, nothing then follows a statement behind which some have
** returned. */
#include "ir/clone.h"
#include "ir/optimise.h"

/* How the statements of a region end: they go on behind it, some paths return, or all do. */
typedef enum Ending { ENDING_ON, ENDING_MIXED, ENDING_RETURN } Ending;

typedef struct Returns {
    Arena *arena;
    IrVar *result;   /* NULL: it is not used */
    IrVar *returned; /* set at each return, NULL if no path needs to ask */
} Returns;

static Ending structure(const Returns *r, IrRegion *region, bool in_loop);

/* `if returned:` or, negated, `if not returned:` with an empty body. */
static IrStmt *ask_returned(const Returns *r, bool negated, Span span)
{
    IrStmt *ask = ir_if(r->arena, ir_var(r->arena, r->returned, span), span);
    if (negated)
        ask->if_.condition = ir_unary(r->arena, OP_not, ask->if_.condition, span);
    return ask;
}

static Ending structure_return(const Returns *r, IrRegion *region, IrStmt *stmt, bool in_loop)
{
    ir_take_rest(region, stmt);
    if (r->result && stmt->return_.value)
        ir_insert_before(region, stmt,
                         ir_set(r->arena, r->result, stmt->return_.value, stmt->span));
    if (r->returned) {
        IrValue *yes = ir_integer(r->arena, type_bool, 1, stmt->span);
        ir_insert_before(region, stmt, ir_set(r->arena, r->returned, yes, stmt->span));
    }
    ir_remove(region, stmt);
    if (in_loop)
        ir_append(region, ir_stmt(r->arena, IR_BREAK, stmt->span));
    return ENDING_RETURN;
}

/* What follows `stmt`, behind which some have returned, moves into `into`, or into an if of its
** own when that is NULL. */
static Ending structure_rest(const Returns *r, IrRegion *region, IrStmt *stmt, IrRegion *into)
{
    IrRegion rest = ir_take_rest(region, stmt);
    Ending ending = structure(r, &rest, false);
    if (!into && rest.first) {
        IrStmt *ask = ask_returned(r, true, stmt->span);
        ir_append(region, ask);
        into = &ask->if_.then;
    }
    if (into)
        ir_append_region(into, rest);
    return ending == ENDING_RETURN ? ENDING_RETURN : ENDING_MIXED;
}

static Ending structure_if(const Returns *r, IrRegion *region, IrStmt *stmt, bool in_loop)
{
    Ending then = structure(r, &stmt->if_.then, in_loop);
    Ending otherwise = structure(r, &stmt->if_.otherwise, in_loop);
    if (then == ENDING_RETURN && otherwise == ENDING_RETURN) {
        ir_take_rest(region, stmt);
        return ENDING_RETURN;
    }
    if (then == ENDING_ON && otherwise == ENDING_ON)
        return ENDING_ON;
    if (in_loop)
        return ENDING_MIXED; /* threads that returned have left, the others go on */
    if (then == ENDING_RETURN && otherwise == ENDING_ON)
        return structure_rest(r, region, stmt, &stmt->if_.otherwise);
    if (then == ENDING_ON && otherwise == ENDING_RETURN)
        return structure_rest(r, region, stmt, &stmt->if_.then);
    return structure_rest(r, region, stmt, NULL);
}

static Ending structure_loop(const Returns *r, IrRegion *region, IrStmt *stmt, bool in_loop)
{
    IrRegion *body = ir_loop_body(stmt);
    if (structure(r, body, true) == ENDING_ON)
        return ENDING_ON;
    if (!in_loop)
        return structure_rest(r, region, stmt, NULL);
    IrStmt *ask = ask_returned(r, false, stmt->span);
    ir_append(&ask->if_.then, ir_stmt(r->arena, IR_BREAK, stmt->span));
    ir_insert_before(region, stmt->next, ask);
    return ENDING_MIXED;
}

/* Replaces the returns of a region. Outside of loops nothing follows a statement behind which
** some have returned. */
static Ending structure(const Returns *r, IrRegion *region, bool in_loop)
{
    Ending ending = ENDING_ON;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        Ending one = ENDING_ON;
        if (stmt->kind == IR_RETURN)
            return structure_return(r, region, stmt, in_loop);
        if (stmt->kind == IR_IF)
            one = structure_if(r, region, stmt, in_loop);
        else if (ir_is_loop(stmt))
            one = structure_loop(r, region, stmt, in_loop);
        if (one == ENDING_RETURN || (one == ENDING_MIXED && !in_loop))
            return one;
        if (one == ENDING_MIXED)
            ending = one;
    }
    return ending;
}

/* Whether a return stands deeper than in one if: then branches alone may not do. */
static bool returns_deep(const IrRegion *region, int depth)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_RETURN && depth > 1)
            return true;
        int step = stmt->kind == IR_IF ? 1 : 2;
        for_each_region (inner, stmt)
            if (returns_deep(inner, depth + step))
                return true;
    }
    return false;
}

void ir_structure_returns(Arena *arena, IrFunc *fn, IrRegion *body, IrVar *result, Span span)
{
    Returns r = { .arena = arena, .result = result };
    bool deep = returns_deep(body, 0);

    if (deep)
        r.returned = ir_temporary(arena, fn, "_returned", type_bool, span);
    structure(&r, body, false);
    if (deep) {
        IrValue *no = ir_integer(arena, type_bool, 0, span);
        ir_insert_before(body, body->first, ir_set(arena, r.returned, no, span));
    }
}

/* Early returns of the kernel, `if i >= n: return`, as branches around the rest. Where that took a
** flag they stay. */
void ir_returns(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    if (ir_region_has(&fn->body, 1 << IR_RETURN) && !returns_deep(&fn->body, 0))
        ir_structure_returns(unit->arena, fn, &fn->body, NULL, fn->span);
}
