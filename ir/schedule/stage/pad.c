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
    uint32_t block[3];    /* as it is launched */
    Refusal *refusals;    /* by IrVar.id */
    WarpAccess *accesses; /* to candidates */
    int count, capacity;
    Span worst; /* of an array's accesses the one that costs most */
} Pad;

static bool is_candidate(const IrVar *var)
{
    return var->kind == VAR_SHARED && var->type->array.rank > 1 &&
           var->type->array.layout == LAYOUT_C && type_is_scalar(var->type->array.element);
}

/* ---- accesses ---------------------------------------------------------------------------- */

/* Of a value that does not access the elements of what it is, or not only that. */
static void check_value(Pad *p, const IrValue *value, Span span)
{
    if (value->op == OP_var)
        refuse_for(&p->refusals[value->var->id], span, "it is more than its elements here");
}

static void check_node(void *context, IrValue *value)
{
    for (int i = value->op == OP_load || ir_is_atomic(value); i < value->count; i++)
        check_value(context, value->operands[i], value->span);
}

static void check_stmt(void *context, IrStmt *stmt)
{
    ir_each_own_node(stmt, check_node, context);
    if (stmt->kind == IR_SET)
        check_value(context, stmt->set.value, stmt->span);
}

static void note_access(void *context, const WarpAccess *access)
{
    Pad *p = context;
    const IrVar *var = access->array->op == OP_var ? access->array->var : NULL;
    if (!var || !is_candidate(var))
        return;
    array_push(p->unit->arena, p->accesses, p->count, p->capacity) = *access;
    if (!ir_nonnegative(access->indices[var->type->array.rank - 1]))
        refuse_for(&p->refusals[var->id], access->span,
                   "this index may be negative, and count from the end");
}

/* What all accesses to an array cost as it is now. */
static int64_t cost_now(Pad *p, const IrVar *var)
{
    int64_t all = 0, most = 0;
    for (int i = 0; i < p->count; i++) {
        const WarpAccess *access = &p->accesses[i];
        if (access->array->var != var)
            continue;
        IrMoves moves = ir_moves(&p->steps, access->array, access->indices);
        int64_t cost = ir_warp_cost(p->block, &moves) * access->weight;
        all += cost;
        if (cost > most) {
            most = cost;
            p->worst = access->span;
        }
    }
    return all;
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
    const Refusal *refusal = &p->refusals[var->id];
    int64_t cost = cost_now(p, var);
    Span span = p->worst;
    var->shape = padded(p->unit, var, room_for(var));
    bool pays = cost_now(p, var) * 5 < cost * 4 && ir_shared_bytes(p->unit->kernel) <= SHARED_BYTES;
    Directive own = { DO_PAD, .array = var->name, .site = var, .span = var->span,
                      .number = room_for(var) };
    Directive *directive = refusal->why ? NULL : schedule_take(p->unit, own, pays);
    var->shape = before;
    if (directive)
        var->shape = padded(p->unit, var, directive->number);
    if (refusal->why)
        schedule_refuse(p->unit, own, refusal->where, refusal->why);
    if (directive && ir_shared_bytes(p->unit->kernel) > SHARED_BYTES) {
        schedule_refuse(p->unit, own, var->span, "shared arrays would have more than 48 KB");
        var->shape = before;
    } else if (directive) {
        schedule_done(directive);
    }
    if (pays && refusal->why)
        ir_remark(p->unit, refusal->where,
                  "a warp's threads meet in banks of '%s', whose rows could have room between "
                  "them, but %s",
                  var->name, refusal->why);
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
        p->block[k] = known ? asked[launch_axis(shape, k)] : WARP_LANES;
        if (known && shape->changed && shape->divide[k] > 1)
            p->block[k] /= shape->divide[k];
    }
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
    p.refusals = arena_array(unit->arena, Refusal, fn->var_count + 1);
    ir_each_stmt(&fn->body, check_stmt, &p);
    ir_each_warp_access(&fn->body, note_access, &p);
    for (int i = 0; i < fn->var_count; i++)
        if (is_candidate(fn->vars[i]))
            pad(&p, fn->vars[i]);
}
