/* A thread's index in its block and its block's index, where a kernel asks for both along one axis
** but not for the index in the grid that they make up, become indices along two axes:
**
**     d = thread_idx(0)                  d = grid(0)
**     i = block_idx(0)               =>  i = grid(1)
**     store c[i, d] = f(i, d)            store c[i, d] = f(i, d)
**
** of a launch with one block's threads along the first and as many threads as there were blocks
** along the second (IrShape.raised). Tiles then hold several rows, as in kernels that ask for
** grid(2), of which neighbours read the same elements.
**
** Legal where it is unobservable which thread does what (independent.c), without atomics. The
** second axis is one that nothing in the kernel asks for and along which blocks have one thread:
** threads asked for along it would all do the same, and are one. */
#include "ir/builder.h"
#include "ir/schedule/coarsen/coarsen.h"

typedef struct BlockAxes {
    IrUnit *unit;
    uint32_t block[3];
    unsigned threads, blocks, whole, sizes; /* axes that the kernel asks for, 1 << axis: the index
                                               in the block, the block's, that in the grid, sizes */
    int to[3]; /* by axis: where its blocks go; -1: it is not taken apart */
    bool strides;
} BlockAxes;

static void note_index(void *context, IrValue *value)
{
    BlockAxes *a = context;
    unsigned axis = 1u << (value->index & 3);
    if (value->op != OP_intrinsic || value->intrinsic > INTR_gridsize)
        return;
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        a->threads |= axis;
        break;
    case INTR_block_idx:
        a->blocks |= axis;
        break;
    case INTR_block_dim:
    case INTR_grid_dim:
        a->sizes |= axis;
        break;
    default:
        a->whole |= axis;
    }
}

static bool is_size(const IrValue *value)
{
    return value->op == OP_intrinsic &&
           (value->intrinsic == INTR_block_dim || value->intrinsic == INTR_grid_dim);
}

/* A loop by the threads of a block, or by blocks, which raise.c is for. */
static void note_strides(void *context, IrStmt *stmt)
{
    BlockAxes *a = context;
    a->strides |= stmt->kind == IR_FOR && ir_has_node(stmt->for_.step, is_size);
}

int apart_axis(IrUnit *unit, unsigned *asked)
{
    uint32_t block[3];
    if (!launch_narrow(unit->launch) || !launch_block(unit->launch, block))
        return -1;
    for (int axis = 0; axis < 3; axis++)
        if (!(*asked >> axis & 1) && block[axis] == 1) {
            *asked |= 1u << axis;
            return axis;
        }
    return -1;
}

IrValue *apart_index(IrUnit *unit, const IrValue *value, IrIntrinsic asked, int axis)
{
    IrValue *index = ir_axis(unit->arena, asked, axis, value->span);
    index = ir_cast(unit->arena, value->type, index, value->span);
    if (index->op == OP_cast)
        index->index = CAST_FITS;
    return index;
}

static bool find_axes(BlockAxes *a)
{
    unsigned asked = a->threads | a->blocks | a->whole | a->sizes;
    unsigned split = a->threads & a->blocks & ~a->whole;
    for (int axis = 0; axis < 3; axis++) {
        a->to[axis] = split >> axis & 1 ? apart_axis(a->unit, &asked) : -1;
        if (split >> axis & 1 && a->to[axis] < 0)
            return false;
    }
    return split;
}

static IrValue *along_axes(void *context, IrValue *value)
{
    const BlockAxes *a = context;
    if (value->op != OP_intrinsic || value->intrinsic >= INTR_grid || a->to[value->index] < 0)
        return NULL;
    int axis = value->index;
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        return apart_index(a->unit, value, INTR_grid, axis);
    case INTR_block_idx:
        return apart_index(a->unit, value, INTR_grid, a->to[axis]);
    case INTR_block_dim:
        return ir_integer(a->unit->arena, value->type, a->block[axis], value->span);
    default:
        return apart_index(a->unit, value, INTR_gridsize, a->to[axis]);
    }
}

/* What the launch shows of the first axis, for passes that ask where a kernel's work ends. */
static void guard(const BlockAxes *a, int axis)
{
    IrFunc *fn = a->unit->kernel;
    const IrBuilder b[1] = { { a->unit->arena, fn, fn->body.first->span } };
    IrRegion body = { NULL, NULL };
    IrValue *index = ir_axis(b->arena, INTR_grid, axis, b->span);
    IrRegion *inside = build_if(b, build_op(b, OP_lt, index, (int64_t)a->block[axis]), &body);
    ir_append_region(inside, fn->body);
    fn->body = body;
}

bool apart_put(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    const ShapeCount *raised = unit->shape.raised;
    BlockAxes a = { .unit = unit };
    if (raised[0].any || raised[1].any || raised[2].any)
        return false;
    ir_each_node_in(&fn->body, note_index, &a);
    if (!(a.threads & a.blocks & ~a.whole) || fn->effects & EFFECT_ATOMIC ||
        launch_in_parts(unit->launch) || !launch_block(unit->launch, a.block) || !find_axes(&a))
        return false;
    ir_each_stmt(&fn->body, note_strides, &a);
    if (a.strides)
        return false;
    ir_replace_in(&fn->body, along_axes, &a);
    for (int axis = 0; axis < 3; axis++) {
        if (a.to[axis] < 0)
            continue;
        guard(&a, axis);
        unit->shape.raised[axis] =
            (ShapeCount){ .any = true, .param = -1, .axis = -1, .plus = a.block[axis], .over = 1 };
        unit->shape.raised[a.to[axis]] =
            (ShapeCount){ .any = true, .param = -1, .axis = axis, .over = 1 };
    }
    unit->launch->raised = true;
    return true;
}
