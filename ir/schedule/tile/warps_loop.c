/* Loops in which lanes of a warp meet, laid out where what they count is known. */
#include "ir/analysis/flow/flow.h"
#include "ir/schedule/tile/warps.h"

enum { LAID_OUT = 8 };

/* Variables that are numbers, for now: by IrVar.id. */
typedef struct Known {
    const Warps *w;
    IrValue **numbers;
    int count;
} Known;

static IrValue *fold(const Known *k, const IrValue *value);

static IrValue *item(const Known *k, const IrValue *value)
{
    const IrValue *tuple = sets_behind(&k->w->sets, value->operands[0]);
    const IrValue *index = fold(k, value->operands[1]);
    bool known = tuple->op == OP_tuple && index && index->constant.integer >= 0 &&
                 index->constant.integer < tuple->count;
    return known ? fold(k, tuple->operands[index->constant.integer]) : NULL;
}

/* The number that a value is; NULL if it is none. */
static IrValue *fold(const Known *k, const IrValue *value)
{
    Arena *arena = k->w->unit->arena;
    if (value->op == OP_constant)
        return ir_copy_value(arena, value);
    if (value->op == OP_var && k->numbers[value->var->id])
        return ir_copy_value(arena, k->numbers[value->var->id]);
    if (ir_is_intrinsic(value, INTR_block_dim))
        return ir_integer(arena, value->type, k->w->block[value->index], value->span);
    if (value->op == OP_item_at)
        return item(k, value);
    IrValue *operands[2] = { NULL };
    for (int i = 0; i < value->count; i++)
        if (value->count > 2 || !(operands[i] = fold(k, value->operands[i])))
            return NULL;
    IrValue *made = value->op == OP_cast && type_is_integer(value->type)
                        ? ir_cast(arena, value->type, operands[0], value->span)
                    : value->count == 2 && ir_ops[value->op].result != RESULT_OWN
                        ? ir_binary(arena, value->op, operands[0], operands[1], value->span)
                        : NULL;
    return made && made->op == OP_constant ? made : NULL;
}

static IrValue *put_number(const IrClone *clone, const IrValue *value)
{
    return value->op == OP_constant ? NULL : fold(clone->context, value);
}

typedef struct OwnVars {
    const Warps *w;
    const unsigned char *uses; /* of the body */
    int *sets;                 /* how many statements of it */
    IrVar **vars;
} OwnVars;

static void count_set(void *context, IrStmt *stmt)
{
    OwnVars *own = context;
    if (ir_set_var(stmt))
        own->sets[ir_set_var(stmt)->id]++;
}

static void own_set(void *context, IrStmt *stmt)
{
    OwnVars *own = context;
    const IrVar *var = ir_set_var(stmt);
    if (!var || own->sets[var->id] != 1 || own->uses[var->id] & USE_INCOMING ||
        warps_leaves(own->w, var))
        return;
    own->vars[var->id] = build_own(own->w->b, var);
    own->vars[var->id]->uniform = var->uniform;
}

/* What an iteration sets alone, and reads alone, gets variables of its own. */
static IrVar **own_vars(const Warps *w, const IrRegion *body)
{
    Arena *arena = w->unit->arena;
    int count = w->b->fn->var_count;
    unsigned char *uses = arena_array(arena, unsigned char, count + 1);
    OwnVars own = { w, uses, arena_array(arena, int, count + 1),
                    arena_array(arena, IrVar *, count + 1) };
    for (const IrStmt *stmt = body->first; stmt; stmt = stmt->next)
        uses_of_stmt(uses, stmt, true);
    ir_each_stmt((IrRegion *)body, count_set, &own);
    ir_each_stmt((IrRegion *)body, own_set, &own);
    return own.vars;
}

/* What is a number behind a statement. */
static void pass(Known *k, const IrStmt *stmt)
{
    if (stmt->kind == IR_SET) {
        k->numbers[stmt->set.var->id] = fold(k, stmt->set.value);
        return;
    }
    unsigned char *uses = arena_array(k->w->unit->arena, unsigned char, k->w->b->fn->var_count + 1);
    uses_of_stmt(uses, stmt, true);
    for (int i = 0; i < k->count; i++)
        if (uses[i] & USE_SET)
            k->numbers[i] = NULL;
}

static void pass_all(Known *k, const IrStmt *stmt, const IrStmt *end)
{
    for (; stmt != end; stmt = stmt->next)
        pass(k, stmt);
}

/* What is a number in front of a loop. */
static Known known_before(const Warps *w, const IrStmt *loop)
{
    int count = w->b->fn->var_count;
    Known k = { w, arena_array(w->unit->arena, IrValue *, count + 1), count };
    const IrStmt *first = loop;
    while (first->prev)
        first = first->prev;
    pass_all(&k, first, loop);
    return k;
}

static void lay_iteration(Warps *w, const IrRegion *body, Known *k, IrRegion *out)
{
    IrClone clone = { .arena = w->unit->arena, .value = put_number, .context = k };
    clone.vars = own_vars(w, body);
    for (const IrStmt *stmt = body->first; stmt; stmt = stmt->next) {
        IrRegion copy = { NULL, NULL };
        if (stmt->kind != IR_SET)
            pass(k, stmt);
        ir_append(&copy, ir_clone_stmt(&clone, stmt));
        if (stmt->kind == IR_SET)
            pass(k, stmt);
        warps_lay(w, &copy, out);
    }
}

static bool lay_out_for(Warps *w, const IrStmt *stmt, IrRegion *out)
{
    int64_t count = ir_trip_count(stmt);
    if (count < 0 || count > LAID_OUT || !ir_is_constant(stmt->for_.start) ||
        !ir_is_constant(stmt->for_.step))
        return false;
    Known k = known_before(w, stmt);
    pass(&k, stmt);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = stmt->for_.start->constant.integer + i * stmt->for_.step->constant.integer;
        k.numbers[stmt->for_.var->id] =
            ir_integer(w->unit->arena, stmt->for_.var->type, at, stmt->span);
        lay_iteration(w, &stmt->for_.body, &k, out);
    }
    return true;
}

/* How many iterations a loop makes, by what is a number in front of it; -1: that is not known, or
** they are too many. */
static int count_while(Known k, const IrStmt *stmt)
{
    IrValue **numbers = arena_array(k.w->unit->arena, IrValue *, k.count + 1);
    memcpy(numbers, k.numbers, sizeof(IrValue *) * (size_t)k.count);
    k.numbers = numbers;
    for (int i = 0; i <= LAID_OUT; i++) {
        const IrValue *more = fold(&k, stmt->while_.condition);
        if (!more)
            return -1;
        if (!more->constant.integer)
            return i;
        pass_all(&k, stmt->while_.body.first, NULL);
    }
    return -1;
}

static bool lay_out_while(Warps *w, const IrStmt *stmt, IrRegion *out)
{
    Known k = known_before(w, stmt);
    int count = count_while(k, stmt);
    for (int i = 0; i < count; i++)
        lay_iteration(w, &stmt->while_.body, &k, out);
    return count >= 0;
}

bool warps_lay_out(Warps *w, const IrStmt *loop, IrRegion *out)
{
    if (loop->kind == IR_WHILE)
        return !flow_jumps(&loop->while_.body) && lay_out_while(w, loop, out);
    return !flow_jumps(&loop->for_.body) && lay_out_for(w, loop, out);
}
