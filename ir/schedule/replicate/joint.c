#include "ir/schedule/replicate/joint.h"

#include "ir/analysis/flow/flow.h"
#include "ir/analysis/segments.h"
#include "ir/clone.h"

/* ---- `continue` before a barrier ------------------------------------------------------------- */

static bool only_continues(const IrStmt *stmt)
{
    return stmt->kind == IR_IF && stmt->if_.then.first && !stmt->if_.otherwise.first &&
           stmt->if_.then.first == stmt->if_.then.last && stmt->if_.then.first->kind == IR_CONTINUE;
}

/* What follows in a loop's body goes into the other branch. */
static void structure_body(void *context, IrStmt *loop)
{
    (void)context;
    IrRegion *body = loop->kind == IR_FOR     ? &loop->for_.body
                     : loop->kind == IR_WHILE ? &loop->while_.body
                                              : NULL;
    if (!body || !ir_waits(loop))
        return;
    for (IrStmt *stmt = body->first; stmt; stmt = stmt->next) {
        if (!only_continues(stmt) || !stmt->next)
            continue;
        stmt->if_.then = (IrRegion){ NULL, NULL };
        stmt->if_.otherwise = ir_take_rest(body, stmt);
        body = &stmt->if_.otherwise;
        stmt = body->first;
        if (!stmt || only_continues(stmt))
            break; /* of two in a row the second stays */
    }
}

/* ---- mentions ---------------------------------------------------------------------------- */

static int mentions_in(const IrRegion *region, const IrVar *var);

static int mentions_of(const IrStmt *stmt, const IrVar *var)
{
    int count = ir_own_mentions(stmt, var) + (ir_set_var(stmt) == var);
    for_each_region (inner, stmt)
        count += mentions_in(inner, var);
    return count;
}

static int mentions_in(const IrRegion *region, const IrVar *var)
{
    int count = 0;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        count += mentions_of(stmt, var);
    return count;
}

/* Whether the first mention of a variable in a region sets it for all others in the kernel, of
** which there are `total`. */
static bool is_local(const IrRegion *region, const IrVar *var, int total)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (!mentions_of(stmt, var))
            continue;
        if (ir_own_mentions(stmt, var))
            return false;
        if (stmt->kind == IR_SET)
            return mentions_in(region, var) == total;
        if (ir_set_var(stmt) == var)
            return mentions_of(stmt, var) == total;
        for_each_region (inner, stmt)
            if (mentions_in(inner, var))
                return is_local(inner, var, total);
    }
    return false;
}

/* ---- which ifs ------------------------------------------------------------------------------- */

typedef struct Finder {
    IrUnit *unit;
    IrJoints *joints;
    const IrRegion **branches; /* of the joint ifs */
    bool *repeated;            /* they stand in loops */
    int branch_count, branch_capacity, repeated_count, repeated_capacity;
    int *least; /* by IrVar.id */
    bool changed;
} Finder;

const IrRegion *ir_joint_branch(const IrStmt *stmt)
{
    return ir_region_effects(&stmt->if_.otherwise) & EFFECT_BLOCK_SYNC ? &stmt->if_.otherwise
                                                                       : &stmt->if_.then;
}

int ir_find_joint(const IrJoints *joints, const IrStmt *stmt)
{
    for (int i = 0; i < joints->count; i++)
        if (joints->list[i] == stmt)
            return i;
    return -1;
}

static void add_joint(Finder *f, const IrStmt *stmt, bool repeated)
{
    IrJoints *j = f->joints;
    Arena *arena = f->unit->arena;
    array_push(arena, j->list, j->count, j->capacity) = stmt;
    array_push(arena, f->branches, f->branch_count, f->branch_capacity) = ir_joint_branch(stmt);
    array_push(arena, f->repeated, f->repeated_count, f->repeated_capacity) = repeated;
}

/* Inside a joint branch without a barrier (`inside`) no other is joint. */
static void find_region(Finder *f, const IrRegion *region, bool inside, bool repeated)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool waits = ir_waits(stmt), loop = ir_is_loop(stmt);
        bool joint =
            stmt->kind == IR_IF &&
            (waits || (!inside && !stmt->if_.otherwise.first && !flow_ways_out(&stmt->if_.then)));
        if (joint)
            add_joint(f, stmt, repeated);
        for_each_region (inner, stmt)
            find_region(f, inner, inside || (joint && !waits), repeated || loop);
    }
}

/* ---- what varies ----------------------------------------------------------------------------- */

static void force(Finder *f, const IrVar *var, int bits)
{
    int *least = &f->least[var->id];
    f->changed |= (*least | bits) != *least;
    *least |= bits;
}

typedef struct JointBranch {
    Finder *finder;
    int number; /* of the joint if */
    int bits;   /* of its condition */
} JointBranch;

/* What a branch leaves out of a shared array shows if something was there before. */
static void force_shared(const JointBranch *b, const IrVar *var)
{
    Finder *f = b->finder;
    bool fresh = !f->repeated[b->number] && mentions_in(&f->unit->kernel->body, var) ==
                                                mentions_in(f->branches[b->number], var);
    if (!fresh)
        force(f, var, b->bits & DIVERGES_OTHER ? DIVERGES_BLOCKS : b->bits & DIVERGES_BLOCKS);
}

static void force_local(const JointBranch *b, const IrVar *var)
{
    Finder *f = b->finder;
    int total = mentions_in(&f->unit->kernel->body, var);
    bool local = is_local(f->branches[b->number], var, total);
    f->joints->local[b->number][var->id] = local;
    if (!local)
        force(f, var, b->bits);
}

static void force_stmt(void *context, IrStmt *stmt)
{
    const JointBranch *b = context;
    const IrVar *var = stmt->kind == IR_STORE ? ir_array_base(stmt->store.array) : NULL;
    if (stmt->kind == IR_SET || stmt->kind == IR_FOR)
        force_local(b, stmt->kind == IR_SET ? stmt->set.var : stmt->for_.var);
    else if (var && var->kind == VAR_PRIVATE)
        force(b->finder, var, b->bits);
    else if (var && ir_is_shared(var))
        force_shared(b, var);
}

/* Until conditions vary by no more than what their branches were taken to vary by. */
static void solve(Finder *f)
{
    IrJoints *j = f->joints;
    do {
        f->changed = false;
        j->divergence = ir_divergence_by(
            f->unit, &(IrDivergenceRules){
                         .joint = f->branches, .joint_count = f->branch_count, .least = f->least });
        for (int i = 0; i < j->count; i++) {
            JointBranch branch = { f, i,
                                   ir_divergence_of(&j->divergence, j->list[i]->if_.condition) };
            ir_each_stmt(f->branches[i], force_stmt, &branch);
        }
    } while (f->changed);
}

IrJoints ir_joints(IrUnit *unit)
{
    IrJoints joints = { .count = 0 };
    int vars = unit->kernel->var_count + 1;
    Finder f = { .unit = unit, .joints = &joints, .least = arena_array(unit->arena, int, vars) };
    ir_each_stmt(&unit->kernel->body, structure_body, NULL);
    find_region(&f, &unit->kernel->body, false, false);
    joints.local = arena_array(unit->arena, bool *, joints.count + 1);
    for (int i = 0; i < joints.count; i++)
        joints.local[i] = arena_array(unit->arena, bool, vars);
    solve(&f);
    return joints;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* What those vary by who leave an iteration, or the loop, from here. */
static int divergence_of_exits(const IrDivergence *divergence, const IrRegion *region, int around)
{
    int bits = 0;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_BREAK || stmt->kind == IR_CONTINUE)
            bits |= around;
        if (stmt->kind != IR_IF)
            continue;
        int inside = around | ir_divergence_of(divergence, stmt->if_.condition);
        bits |= divergence_of_exits(divergence, &stmt->if_.then, inside) |
                divergence_of_exits(divergence, &stmt->if_.otherwise, inside);
    }
    return bits;
}

int ir_divergence_of_loop(const IrDivergence *divergence, const IrStmt *loop)
{
    if (loop->kind == IR_WHILE)
        return ir_divergence_of(divergence, loop->while_.condition) |
               divergence_of_exits(divergence, &loop->while_.body, 0);
    return ir_divergence_of(divergence, loop->for_.start) |
           ir_divergence_of(divergence, loop->for_.stop) |
           ir_divergence_of(divergence, loop->for_.step) | divergence->vars[loop->for_.var->id] |
           divergence_of_exits(divergence, &loop->for_.body, 0);
}
