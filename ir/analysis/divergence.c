/* Bits only ever grow: a variable has those of every value it is set to, and of every condition and
** loop that its sets stand in, and of what may have skipped them; until nothing changes. The
** conditions that lead to where the threads in question are do not count. */
#include "ir/analysis/divergence.h"

#include "ir/analysis/points_to.h"

typedef struct DivergenceWalk {
    IrDivergence *divergence;
    IrPointsTo points_to;
    const IrDivergenceRules *rules;
    const IrRegion *within;
    int around;   /* bits of the conditions and loops we are in */
    int skipped;  /* of those under which others left the loop's iteration, or the kernel, before */
    bool memory;  /* the kernel has private or shared arrays, whose bits are of what they hold */
    bool *read;   /* by IrVar.id: in this round */
    bool changed; /* a variable has more bits than when this round read it */
} DivergenceWalk;

static int intrinsic_bits(const IrValue *value)
{
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        return DIVERGES_THREAD << value->index;
    case INTR_block_idx:
        return DIVERGES_BLOCK << value->index;
    case INTR_grid:
        return (DIVERGES_THREAD | DIVERGES_BLOCK) << value->index;
    case INTR_laneid:
        return DIVERGES_OTHER;
    default:
        return ir_intrinsics[value->intrinsic].effect & (EFFECT_ATOMIC | EFFECT_WARP_SYNC)
                   ? DIVERGES_OTHER
                   : 0;
    }
}

int ir_steady_axis(const IrDivergence *divergence, const IrValue *value)
{
    for (int i = 0; i < divergence->steady_count; i++)
        if (divergence->steady[i].value == value)
            return divergence->steady[i].axis;
    return -1;
}

/* Notes in `read` what variables that hangs on, unless it is NULL. */
static int bits_with(const IrDivergence *divergence, const IrValue *value, bool *read)
{
    int bits = 0;
    if (value->op == OP_var) {
        bits = divergence->vars[value->var->id];
        if (read)
            read[value->var->id] = true;
    } else if (value->op == OP_intrinsic) {
        bits = intrinsic_bits(value);
    } else if (value->op == OP_call) {
        bits = DIVERGES_OTHER;
    }
    for (int i = 0; i < value->count; i++)
        if (value->operands[i]->op != OP_constant)
            bits |= bits_with(divergence, value->operands[i], read);
    int steady = value->op == OP_floordiv ? ir_steady_axis(divergence, value) : -1;
    if (steady >= 0)
        bits &= ~((DIVERGES_THREAD | DIVERGES_BLOCK) << steady);
    return bits;
}

int ir_divergence_of(const IrDivergence *divergence, const IrValue *value)
{
    return bits_with(divergence, value, NULL);
}

static int bits_of(const DivergenceWalk *w, const IrValue *value)
{
    return bits_with(w->divergence, value, w->read);
}

static void add(DivergenceWalk *w, const IrVar *var, int bits)
{
    int *known = &w->divergence->vars[var->id];
    w->changed |= w->read[var->id] && (*known | bits) != *known;
    *known |= bits;
}

static void visit_region(DivergenceWalk *w, const IrRegion *region, int bits);

static void visit_loop(DivergenceWalk *w, const IrStmt *stmt)
{
    int outer = w->skipped, bits = 0;
    if (stmt->kind == IR_FOR) {
        bits = bits_of(w, stmt->for_.start) | bits_of(w, stmt->for_.stop) |
               bits_of(w, stmt->for_.step);
        add(w, stmt->for_.var, bits | w->around | w->skipped);
    } else {
        bits = bits_of(w, stmt->while_.condition);
    }
    w->skipped = 0;
    visit_region(w, ir_loop_body(stmt), bits | outer);
    if (stmt->kind == IR_FOR)
        add(w, stmt->for_.var, w->skipped);
    if (w->skipped) /* a thread that left earlier counts for what was set before, too */
        visit_region(w, ir_loop_body(stmt), bits | outer | w->skipped);
    w->skipped = outer;
}

static bool has_memory(const IrVar *var)
{
    return var->kind == VAR_PRIVATE || ir_is_shared(var);
}

/* What is written to an array, or to those in a tuple, goes to whatever memory that may be. */
static void add_memory(DivergenceWalk *w, const IrValue *array, int own, int shared)
{
    const uint64_t *set = w->memory ? ir_pointees(&w->points_to, array) : NULL;
    if (!set)
        return;
    for_each_pointee (i, &w->points_to, set) {
        const IrVar *var = w->points_to.fn->vars[i];
        if (has_memory(var))
            add(w, var, ir_is_shared(var) ? shared : own);
    }
}

/* A private array that goes elsewhere may come back with anything in it; a shared one with what
** is of this block alone. */
static void visit_node(void *context, IrValue *value)
{
    for (int i = 0; (value->op == OP_call || value->op == OP_intrinsic) && i < value->count; i++)
        if (type_holds_arrays(value->operands[i]->type))
            add_memory(context, value->operands[i], DIVERGES_OTHER, DIVERGES_BLOCKS);
}

/* A private array holds what varies by whatever its stores do; an element of a shared one is the
** same for all threads of a block that read it. */
static void visit_store(DivergenceWalk *w, const IrStmt *stmt, int around)
{
    int bits = bits_of(w, stmt->store.value) | around;
    for (int i = 0; i < stmt->store.count; i++)
        bits |= bits_of(w, stmt->store.indices[i]);
    bits |= bits_of(w, stmt->store.array);
    add_memory(w, stmt->store.array, bits,
               bits & DIVERGES_OTHER ? DIVERGES_BLOCKS : bits & DIVERGES_BLOCKS);
}

/* Whether `within` stands in a region, behind conditions alone. */
static bool leads_within(const DivergenceWalk *w, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt && w->within; stmt = stmt->next)
        for (int i = 0; stmt->kind == IR_IF && i < 2; i++) {
            const IrRegion *way = i ? &stmt->if_.otherwise : &stmt->if_.then;
            if (way == w->within || leads_within(w, way))
                return true;
        }
    return false;
}

/* All threads in question have gone the way that leads to where they are. */
static void visit_branch(DivergenceWalk *w, const IrStmt *stmt)
{
    const IrRegion *then = &stmt->if_.then, *otherwise = &stmt->if_.otherwise;
    int bits = bits_of(w, stmt->if_.condition);
    visit_region(w, then, leads_within(w, then) ? 0 : bits);
    visit_region(w, otherwise, leads_within(w, otherwise) ? 0 : bits);
}

static void visit_stmt(DivergenceWalk *w, const IrStmt *stmt)
{
    int around = w->around | w->skipped;
    if (w->memory)
        ir_each_own_node(stmt, visit_node, w);
    switch (stmt->kind) {
    case IR_SET:
        add(w, stmt->set.var, bits_of(w, stmt->set.value) | around);
        return;
    case IR_STORE:
        visit_store(w, stmt, around);
        return;
    case IR_IF:
        visit_branch(w, stmt);
        return;
    case IR_WHILE:
    case IR_FOR:
        visit_loop(w, stmt);
        return;
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_RETURN:
    case IR_STOP:
        w->skipped |= around;
        return;
    case IR_EVAL:
    case IR_PRINT:
    case IR_FAULT:
        return;
    }
}

/* Whether the threads in question all enter a region when one does. */
static bool is_joint(const DivergenceWalk *w, const IrRegion *region)
{
    for (int i = 0; w->rules && i < w->rules->joint_count; i++)
        if (w->rules->joint[i] == region)
            return true;
    return false;
}

static void visit_region(DivergenceWalk *w, const IrRegion *region, int bits)
{
    int around = w->around;
    w->around = region == w->within ? 0 : is_joint(w, region) ? around : around | bits;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        visit_stmt(w, stmt);
    w->around = around;
}

static IrDivergence solve(const IrUnit *unit, DivergenceWalk w)
{
    int count = unit->kernel->var_count;
    IrDivergence divergence = { .vars = arena_array(unit->arena, int, count + 1) };
    if (w.rules) {
        divergence.steady = w.rules->steady;
        divergence.steady_count = w.rules->steady_count;
        w.within = w.rules->within;
    }
    for (int i = 0; w.rules && w.rules->least && i < count; i++)
        divergence.vars[i] = w.rules->least[i];
    w.divergence = &divergence;
    for (int i = 0; i < count; i++)
        w.memory |= has_memory(unit->kernel->vars[i]);
    if (w.memory)
        w.points_to = ir_points_to(unit->arena, unit->kernel);
    do {
        w.changed = false;
        w.skipped = 0;
        w.read = arena_array(unit->arena, bool, count + 1);
        visit_region(&w, &unit->kernel->body, 0);
    } while (w.changed);
    return divergence;
}

IrDivergence ir_divergence(const IrUnit *unit, const IrRegion *within)
{
    return solve(unit, (DivergenceWalk){ .within = within });
}

IrDivergence ir_divergence_by(const IrUnit *unit, const IrDivergenceRules *rules)
{
    return solve(unit, (DivergenceWalk){ .rules = rules });
}
