/* Whether a thread may stand for several: what each condition of ir/schedule/replicate/blocks.c
** looks like in the IR. */
#include "ir/analysis/accesses.h"
#include "ir/analysis/flow/flow.h"
#include "ir/analysis/segments.h"
#include "ir/schedule/replicate/replicas.h"
#include "ir/schedule/schedule.h"

typedef struct BranchCheck {
    const Replicas *r;
    const IrStmt *branch; /* that is looked at */
    Refusal refusal;
} BranchCheck;

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_own_memory(const IrValue *value)
{
    return value->op == OP_var && (ir_is_shared(value->var) || value->var->kind == VAR_PRIVATE);
}

static bool takes_elements(const IrValue *value)
{
    return value->op == OP_load || value->op == OP_extent || value->op == OP_stride ||
           (value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect & EFFECT_ATOMIC);
}

static void check_node(void *context, IrValue *value)
{
    BranchCheck *c = context;
    for (int i = 0; i < value->count; i++)
        if (is_own_memory(value->operands[i]) && (i > 0 || !takes_elements(value)))
            refuse_for(&c->refusal, value->span,
                       "a shared or local array is more than its elements here");
    if (ir_is_volatile(value))
        refuse_for(&c->refusal, value->span, "this load may wait for another thread's store");
    if (value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect & EFFECT_BLOCK_SYNC &&
        value->intrinsic != INTR_syncthreads)
        refuse_for(&c->refusal, value->span, "this is more than a barrier");
}

/* ---- statements ------------------------------------------------------------------------------ */

static void check_loop(BranchCheck *c, const IrStmt *stmt)
{
    int bits = ir_divergence_of_loop(&c->r->joints.divergence, stmt);
    if (bits & DIVERGES_OTHER)
        refuse_for(&c->refusal, stmt->span, "this loop may wait for another thread");
    else if (ir_waits(stmt) && replicas_of_bits(c->r, bits))
        refuse_for(&c->refusal, stmt->span,
                   "this loop with a barrier may make other iterations for some threads");
}

static void check_if(BranchCheck *c, const IrStmt *stmt)
{
    int bits = ir_divergence_of(&c->r->joints.divergence, stmt->if_.condition);
    if (replicas_of_bits(c->r, bits) && ir_region_effects(&stmt->if_.then) & EFFECT_BLOCK_SYNC &&
        ir_region_effects(&stmt->if_.otherwise) & EFFECT_BLOCK_SYNC)
        refuse_for(&c->refusal, stmt->span, "there are barriers in both branches");
}

/* ---- blocks one by one ----------------------------------------------------------------------- */

/* Where blocks are merged, those at the grid's end are carried out one after the other, and threads
** that a branch with barriers leaves out go through it all the same, without its statements. So
** they must know how often the loops in it are run: from what is not set in the branch, or is set
** there for them too. */
typedef struct Standby {
    const Replicas *r;
    const IrStmt *branch;
    int depth; /* of sets that are looked through */
} Standby;

static bool is_known(Standby *s, const IrValue *value);

/* Whether all that a region sets a variable to is set for those, too, who stand by in branch
** `number`. They are held back from `inner` ones whole, as from what decides without a barrier. */
static bool sets_are_known(Standby *s, const IrRegion *region, int number, bool inner,
                           const IrVar *var)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        int count = ir_regions(stmt, regions), joint = ir_find_joint(&s->r->joints, stmt);
        int within = joint >= 0 && ir_waits(stmt) ? joint : number;
        if (stmt->kind == IR_FOR && stmt->for_.var == var && !ir_waits(stmt))
            return false;
        if (stmt->kind == IR_SET && stmt->set.var == var &&
            (inner || !s->r->joints.local[number][var->id] || !is_known(s, stmt->set.value)))
            return false;
        for (int i = 0; i < count; i++)
            if (!sets_are_known(s, regions[i], within, inner || !ir_waits(stmt), var))
                return false;
    }
    return true;
}

static bool is_known(Standby *s, const IrValue *value)
{
    enum { DEEP = 8 };
    bool known = value->op != OP_load && value->op != OP_call && !ir_value_effects(value);
    if (value->op == OP_var && known) {
        known = s->depth++ < DEEP &&
                sets_are_known(s, ir_joint_branch(s->branch),
                               ir_find_joint(&s->r->joints, s->branch), false, value->var);
        s->depth--;
    }
    for (int i = 0; i < value->count && known; i++)
        known = is_known(s, value->operands[i]);
    return known;
}

static void check_standby(void *context, IrStmt *stmt)
{
    if (!ir_is_loop(stmt) || !ir_waits(stmt))
        return;
    BranchCheck *c = context;
    Standby standby = { .r = c->r, .branch = c->branch };
    for_each_value (value, stmt)
        if (!is_known(&standby, value))
            refuse_for(&c->refusal, value->span,
                       "threads that return before a barrier cannot tell how often the "
                       "others meet in this loop");
    if (flow_jumps(ir_loop_body(stmt)))
        refuse_for(&c->refusal, stmt->span,
                   "threads that return before a barrier cannot tell when the "
                   "others leave this loop");
}

static bool merges(const Replicas *r)
{
    bool some = false;
    for (int d = 0; d < r->dim_count; d++)
        some |= r->dims[d].merges;
    return some;
}

static void check_stmt(void *context, IrStmt *stmt)
{
    BranchCheck *c = context;
    ir_each_own_node(stmt, check_node, c);
    if (stmt->kind == IR_SET && is_own_memory(stmt->set.value))
        refuse_for(&c->refusal, stmt->span,
                   "a shared or local array is more than its elements here");
    if (stmt->kind == IR_RETURN)
        refuse_for(&c->refusal, stmt->span, "some return from within loops");
    if (stmt->kind == IR_IF)
        check_if(c, stmt);
    if (stmt->kind == IR_IF && ir_waits(stmt) && merges(c->r) && replicas_part_block(c->r, stmt)) {
        c->branch = stmt;
        ir_each_stmt(ir_joint_branch(stmt), check_standby, c);
    }
    if (ir_is_loop(stmt))
        check_loop(c, stmt);
}

static const char *hindrance_of_effects(int effects)
{
    if (effects & EFFECT_FENCE)
        return "fences order what its threads do";
    if (effects & (EFFECT_IO | EFFECT_STOP))
        return "it prints, or may stop";
    return NULL;
}

const char *replicas_hindrance(const Replicas *r, Span *at)
{
    const IrRegion *body = &r->unit->kernel->body;
    BranchCheck c = { .r = r };
    const char *whole = ir_warp_hindrance(r->unit);
    if (!whole)
        whole = hindrance_of_effects(ir_region_effects(body));
    if (whole)
        return whole;
    ir_each_stmt(body, check_stmt, &c);
    if (c.refusal.why)
        *at = c.refusal.where;
    return c.refusal.why;
}
