/* Loops end with the elements that they access at each iteration:
**
**     for i in thread_idx(0) to mul(h, w) by 256     for i in thread_idx(0) to
**         s = add(s, load(x, add(base, i)))   becomes        min(mul(h, w), extent(x, 0)) by 256
**                                                        s = add(s, load(x, add(base, i)))
**
** Legal in loops that count upward, of an access that is certain in every iteration and has for an
** index the counter itself, or its sum with what is not negative: where the access is right the
** counter is less than the extent, so that what is cut off was never to be done.
**
** Pays where the end may take more than 32 bits, as products of scalars do: counters, and what is
** computed of them, quotients above all, take 32 then. */
#include "ir/analysis/flow/flow.h"
#include "ir/schedule/unroll/unroll.h"

enum {
    SUM_BITS = 36 /* sums of up to 16 numbers of 32 bits: bounds.h has finer bounds for those */
};

typedef struct Ending {
    IrUnit *unit;
    IrSets sets;
    IrMagnitude *magnitude;
    const IrStmt *loop;
    IrValue *extent; /* that bounds the counter; NULL: none was found */
} Ending;

/* Whether a value is the counter, or that and what is not negative. */
static bool is_beyond(const Ending *r, const IrValue *value)
{
    const IrValue *at = sets_behind_casts(&r->sets, value);
    if (at->type != type_int64)
        return false;
    if (at->op == OP_var)
        return at->var == r->loop->for_.var;
    for (int i = 0; i < 2 && at->op == OP_add; i++)
        if (ir_nonnegative(at->operands[!i]) && is_beyond(r, at->operands[i]))
            return true;
    return false;
}

static void look_at(Ending *r, const IrValue *array, IrValue *const *indices, int count)
{
    bool elements = array->op == OP_var && array->var->kind == VAR_PARAM && !array->var->runs_on &&
                    type_is_array(array->type) && count == array->type->array.rank;
    for (int i = 0; i < count && elements && !r->extent; i++)
        if (is_beyond(r, indices[i]))
            r->extent =
                ir_extent(r->unit->arena, ir_copy_value(r->unit->arena, array), i, r->loop->span);
}

static void look_at_load(void *context, IrValue *value)
{
    if (value->op == OP_load)
        look_at(context, value->operands[0], value->operands + 1, value->count - 1);
}

static void find_extent(Ending *r)
{
    for (const IrStmt *stmt = r->loop->for_.body.first; stmt && !r->extent; stmt = stmt->next) {
        if (stmt->kind == IR_WHILE)
            return;
        for_each_value (value, stmt)
            ir_each_certain(value, look_at_load, r);
        if (stmt->kind == IR_STORE)
            look_at(r, stmt->store.array, stmt->store.indices, stmt->store.count);
        if (flow_stmt_ways_out(stmt))
            return;
    }
}

static void visit(void *context, IrStmt *stmt)
{
    Ending *r = context;
    IrUnit *unit = r->unit;
    if (stmt->kind != IR_FOR || stmt->for_.var->type != type_int64 || !ir_rises(stmt) ||
        sets_loop(&r->sets, stmt->for_.var) != stmt ||
        magnitude_bits(r->magnitude, stmt->for_.stop) <= SUM_BITS)
        return;
    r->loop = stmt;
    r->extent = NULL;
    find_extent(r);
    if (r->extent)
        stmt->for_.stop = ir_intrinsic(unit->arena, INTR_min, type_int64, stmt->span,
                                       stmt->for_.stop, r->extent, NULL);
}

void unroll_bound_ends(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    if (!ir_has_loop(&fn->body) || !launch_narrow(unit->launch))
        return;
    Ending r = { .unit = unit,
                 .sets = ir_sets(unit->arena, fn, &fn->body),
                 .magnitude = ir_magnitude(unit->arena, fn, unit->launch) };
    ir_each_stmt(&fn->body, visit, &r);
}

bool unroll_goes_by_block(const Unroll *u)
{
    const IrValue *step = sets_behind_casts(&u->names, u->loop->for_.step);
    int64_t number = step->op == OP_constant ? step->constant.integer : 0;
    uint32_t block[3];
    return ir_is_intrinsic(step, INTR_block_dim) ||
           (number > 1 && launch_block(u->unit->launch, block) &&
            number == (int64_t)block[0] * block[1] * block[2]);
}
