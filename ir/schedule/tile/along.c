/* Loops that a thread is best left alone with: what they store lies side by side from iteration to
** iteration, and far apart from thread to thread.
**
**     for k in 0 to a.shape[1]
**         so_far = so_far + a[grid(0), k]
**         sums[grid(0), k] = so_far
**
** Around the loops over the threads, each iteration would scatter a vector over as many lines of
** memory, which takes longer than what the thread does in its own order, line after line. Loops
** that only load stand around: their sums are had several at a time, and gathering costs less. */
#include "ir/schedule/tile/tiles.h"

typedef struct AlongLook {
    const Tiles *tiles;
    const IrVar *counter;
    bool along,
        across; /* some store goes by the iterations; some access by the threads, or not at all */
} AlongLook;

bool tiles_is_counter(const Tiles *tiles, const IrVar *counter, const IrValue *index)
{
    int64_t constant;
    const IrValue *rest = affine_split(&tiles->affine.sets, index, &constant);
    while (rest && rest->op == OP_cast)
        rest = rest->operands[0];
    return rest && ir_is_var(rest, counter);
}

static bool goes_along(const AlongLook *look, const IrValue *array, IrValue *const *indices)
{
    int dense = dense_axis(array->type);
    return dense >= 0 && tiles_is_counter(look->tiles, look->counter, indices[dense]);
}

static void look_at_node(void *context, IrValue *value)
{
    AlongLook *look = context;
    if (value->op != OP_load || goes_along(look, value->operands[0], value->operands + 1))
        return;
    for (int axis = 0; axis < 3; axis++)
        look->across |=
            moves_by_one(&look->tiles->affine, value->operands[0], value->operands + 1, axis);
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    AlongLook *look = context;
    ir_each_node_of(stmt, look_at_node, look);
    if (stmt->kind == IR_STORE && goes_along(look, stmt->store.array, stmt->store.indices))
        look->along = true;
    else
        look->across |= stmt->kind == IR_STORE || ir_is_loop(stmt);
}

bool tiles_along(const Tiles *tiles, const IrStmt *loop)
{
    AlongLook look = { .tiles = tiles, .counter = loop->for_.var };
    ir_each_stmt(&loop->for_.body, look_at_stmt, &look);
    return look.along && !look.across;
}

bool tiles_along_any(const Tiles *tiles, const TilePart *nest)
{
    for (int i = 0; i < nest->count; i++) {
        const IrStmt *stmt = nest->stmts[i];
        if (stmt->kind == IR_FOR && tiles_along(tiles, stmt))
            return true;
    }
    return false;
}
