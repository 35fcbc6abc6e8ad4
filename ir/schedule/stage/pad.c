/* Shared arrays with room between their rows.
**
**     tile = cuda.shared.array((32, 32), float32)       tile of 32 x 33
**     ... = tile[x, y]
**
** Shared memory has 32 banks of 4 bytes side by side, and the lanes of a warp that ask one bank for
** different words are served one after the other. Down a column of a tile whose rows are a
** multiple of 32 words all lanes meet in one bank; with a word more in each row they meet in none.
**
** It is LEGAL if the array is only ever accessed element by element and nothing asks for its
** extents, and if no index along its last axis may be negative, which would count from the row's
** end.
**
** It PAYS if the first warp's accesses to the array, those in loops counting more, then take
** clearly fewer cycles, and the block's arrays stay within 48 KB. */
#include "ir/analysis/warp.h"
#include "ir/schedule/schedule.h"

typedef struct Pad {
    IrUnit *unit;
    IrAffine steps;
    uint32_t block[3]; /* as it is launched */
    const IrVar *var;
    int64_t cost; /* of all accesses to the array */
    int64_t worst;
    Span worst_span;
    const char *hindrance;
    Span hindrance_span;
} Pad;

/* ---- accesses ---------------------------------------------------------------------------- */

static void hinder(Pad *p, Span span, const char *what)
{
    if (!p->hindrance) {
        p->hindrance = what;
        p->hindrance_span = span;
    }
}

static void count_access(void *context, const WarpAccess *access)
{
    Pad *p = context;
    if (!ir_is_var(access->array, p->var))
        return;
    IrMoves moves = ir_moves(&p->steps, access->array, access->indices);
    int64_t cost = ir_warp_cost(p->block, &moves) * access->weight;
    p->cost += cost;
    if (cost > p->worst) {
        p->worst = cost;
        p->worst_span = access->span;
    }
    if (!ir_nonnegative(access->indices[p->var->type->array.rank - 1]))
        hinder(p, access->span, "this index may be negative, and count from the end");
}

static void check_node(void *context, IrValue *value)
{
    Pad *p = context;
    for (int i = value->op == OP_load || ir_is_atomic(value); i < value->count; i++)
        if (ir_is_var(value->operands[i], p->var))
            hinder(p, value->span, "it is more than its elements here");
}

static void check_stmt(void *context, IrStmt *stmt)
{
    Pad *p = context;
    ir_each_own_node(stmt, check_node, p);
    if (stmt->kind == IR_SET && ir_is_var(stmt->set.value, p->var))
        hinder(p, stmt->span, "it is more than its elements here");
}

/* What all accesses to the array cost as it is now. */
static int64_t cost_now(Pad *p)
{
    p->cost = p->worst = 0;
    ir_each_warp_access(&p->unit->kernel->body, count_access, p);
    return p->cost;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* A bank's width, or an element. */
static int64_t room_for(const IrVar *var)
{
    int64_t bytes = (int64_t)type_size(var->type->array.element);
    return bytes < BANK_BYTES ? BANK_BYTES / bytes : 1;
}

/* Its extents with so many more elements along the last axis. */
static const int64_t *padded(const IrUnit *unit, const IrVar *var, int64_t room)
{
    int rank = var->type->array.rank;
    int64_t *shape = arena_array(unit->arena, int64_t, rank);
    for (int k = 0; k < rank; k++)
        shape[k] = var->shape[k];
    shape[rank - 1] += room;
    return shape;
}

static void pad(Pad *p, IrVar *var)
{
    const int64_t *before = var->shape;
    p->var = var;
    p->hindrance = NULL;
    ir_each_stmt(&p->unit->kernel->body, check_stmt, p);
    int64_t cost = cost_now(p);
    Span span = p->worst_span;
    var->shape = padded(p->unit, var, room_for(var));
    bool pays = cost_now(p) * 5 < cost * 4 && ir_shared_bytes(p->unit->kernel) <= SHARED_BYTES;
    Directive own = { DO_PAD, .array = var->name, .site = var, .span = var->span,
                      .number = room_for(var) };
    Directive *directive = p->hindrance ? NULL : schedule_take(p->unit, own, pays);
    var->shape = before;
    if (directive)
        var->shape = padded(p->unit, var, directive->number);
    if (p->hindrance)
        schedule_refuse(p->unit, own, p->hindrance_span, p->hindrance);
    if (directive && ir_shared_bytes(p->unit->kernel) > SHARED_BYTES) {
        schedule_refuse(p->unit, own, var->span, "shared arrays would have more than 48 KB");
        var->shape = before;
    } else if (directive) {
        schedule_done(directive);
    }
    if (pays && p->hindrance)
        ir_remark(p->unit, p->hindrance_span,
                  "a warp's threads meet in banks of '%s', whose rows could have room between "
                  "them, but %s",
                  var->name, p->hindrance);
    else if (directive && directive->done)
        ir_remark(p->unit, span,
                  "a warp's threads would meet in banks of '%s' here: its rows have room between "
                  "them",
                  var->name);
}

/* Unknown, it is as if each axis filled a warp. */
static void find_block(Pad *p)
{
    const IrShape *shape = &p->unit->shape;
    uint32_t asked[3];
    bool known = launch_block(p->unit->launch, asked);
    for (int k = 0; k < 3; k++) {
        p->block[k] = known ? asked[shape->changed ? shape->axis[k] : k] : WARP_LANES;
        if (known && shape->changed && shape->divide[k] > 1)
            p->block[k] /= shape->divide[k];
    }
}

static bool is_candidate(const IrVar *var)
{
    return var->kind == VAR_SHARED && var->type->array.rank > 1 &&
           var->type->array.layout == LAYOUT_C && type_is_scalar(var->type->array.element);
}

void ir_pad(IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    Pad p = { .unit = unit };
    bool found = false;
    for (int i = 0; i < fn->var_count; i++)
        found |= is_candidate(fn->vars[i]);
    if (!found || unit->shape.free)
        return;
    find_block(&p);
    p.steps = ir_steps(unit);
    for (int i = 0; i < fn->var_count; i++)
        if (is_candidate(fn->vars[i]))
            pad(&p, fn->vars[i]);
}
