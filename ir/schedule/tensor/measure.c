/* Sums in float64, by which others are measured.
**
**     total = begin                           total = begin
**     for k in 0 to depth by 1                wide = cast<float64>(total)
**         total = total + a * b      ->       for k in 0 to depth by 1
**                                                 wide = wide + cast<float64>(a) * cast<float64>(b)
**                                             total = cast<float32>(wide)
**
** Legal nowhere: it changes results, and runs only with MATMUL_FLOAT64. */
#include "ir/schedule/tensor/tensor.h"

static IrValue *widened(const IrBuilder *b, const IrValue *value)
{
    return build_cast(b, type_float64, build_copy(b, value));
}

/* The product's loop and sum in the kernel as it was before it got other axes. */
static void find_in_text(Product *p, IrRegion *region, const IrVar *counter)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_FOR && stmt->for_.var == counter) {
            p->guarded.within = region;
            p->around = stmt;
        }
        if (stmt->kind == IR_SET && stmt->set.var == p->sum &&
            stmt->span.begin == p->adds->span.begin)
            product_take(p, stmt);
        for_each_region (inner, stmt)
            find_in_text(p, inner, counter);
    }
}

void product_widen(Product *p)
{
    if (p->axes.made) {
        axes_fold(p->unit, &p->axes);
        find_in_text(p, &p->unit->kernel->body, p->loop->for_.var);
    }
    if (type_size(p->sum->type) > 4 || !type_is_float(p->sum->type))
        return;
    IrBuilder b[1] = { { p->unit->arena, p->unit->kernel, p->loop->span } };
    IrRegion *within = (IrRegion *)p->guarded.within;
    IrStmt *adds = (IrStmt *)p->adds, *around = (IrStmt *)p->around;
    IrVar *wide = build_temporary(b, p->sum->name, type_float64);
    IrValue *product = build_op(b, OP_mul, widened(b, p->left), widened(b, p->right));
    adds->set.var = wide;
    adds->set.value = build_op(b, p->takes_off ? OP_sub : OP_add, wide, product);
    ir_insert_before(within, around,
                     ir_set(b->arena, wide, build_cast(b, type_float64, p->sum), b->span));
    ir_insert_before(within, around->next,
                     ir_set(b->arena, p->sum, build_cast(b, p->sum->type, wide), b->span));
}
