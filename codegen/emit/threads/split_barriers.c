/* The plan of a kernel that is split at its synchronisations.
**
** All threads come to each of them, so what stands between two can run to its end for one thread
** after the other. A stretch collects statements until something stands in the way: a meeting, or a
** branch or loop with meetings in it. Statements that set variables of the block do not belong to
** any thread; such a one moves before the stretch that is being collected, unless the order would
** show, and ends the stretch otherwise. */
#include "codegen/emit/threads/threads.h"

typedef struct Builder {
    Threads *th;
    Part **end;            /* where the next part goes */
    Part **open_at;        /* what points to the stretch being collected */
    Part *open;            /* NULL: none is */
    int loops;             /* around here, of the block */
    int guard;             /* around here */
    const IrStmt *parting; /* where threads may not go the same way; NULL: nowhere */
} Builder;

static void build_region(Builder *b, const IrRegion *region);

static Part *add_part(Builder *b, PartKind kind, const IrStmt *stmt)
{
    Part *part = arena_new(b->th->e->arena, Part);
    part->kind = kind;
    part->stmt = stmt;
    part->in_loop = b->loops > 0;
    part->guard = b->guard;
    *b->end = part;
    b->end = &part->next;
    return part;
}

static void close_stretch(Builder *b)
{
    b->open = NULL;
}

static void add_step(Builder *b, const IrStmt *stmt, StepRole role, int slot)
{
    Threads *th = b->th;
    if (!b->open) {
        b->open_at = b->end;
        b->open = add_part(b, PART_THREADS, NULL);
        b->open->number = th->part_count;
        array_push(th->e->arena, th->parts, th->part_count, th->part_capacity) = b->open;
    }
    array_push(th->e->arena, b->open->steps, b->open->count, b->open->capacity) =
        (Step){ stmt, role, slot };
}

/* ---- meetings -------------------------------------------------------------------------- */

static void build_meeting(Builder *b, const IrStmt *stmt)
{
    Threads *th = b->th;
    const IrValue *meet = meet_value(stmt);
    bool exchange =
        meet_is_shuffle(meet) || meet_is_match(meet) || meet_is_vote(meet) || meet_is_count(meet);
    bool wanted = stmt->kind == IR_SET;
    int slot = exchange && wanted ? th->meetings++ : 0;
    if ((exchange && wanted) || split_divergent_mask(stmt))
        add_step(b, stmt, STEP_SEND, slot);
    close_stretch(b);
    Part *part = add_part(b, PART_MEET, stmt);
    part->slot = slot;
    if (exchange && wanted && !th->block[stmt->set.var->id])
        add_step(b, stmt, STEP_RECEIVE, slot);
}

/* ---- statements for all threads at once -------------------------------------------------- */

typedef struct Mention {
    const IrVar *var;
    bool found;
} Mention;

static void look_for_var(void *context, IrValue *value)
{
    Mention *m = context;
    m->found |= ir_is_var(value, m->var);
}

static bool stretch_mentions(const Part *open, const IrVar *var)
{
    Mention m = { var, false };
    for (int i = 0; i < open->count; i++)
        ir_each_node_of(open->steps[i].stmt, look_for_var, &m);
    return m.found;
}

static bool leaves(const IrStmt *stmt)
{
    if (stmt->kind == IR_RETURN || (ir_stmt_effects(stmt) & EFFECT_STOP))
        return true;
    for_each_region (within, stmt)
        for (const IrStmt *inner = within->first; inner; inner = inner->next)
            if (leaves(inner))
                return true;
    return false;
}

/* Whether it is unobservable if `stmt`, which sets a variable of the block, comes before the
** stretch that is being collected. */
static bool can_move_before(const Part *open, const IrStmt *stmt)
{
    if (stmt->kind != IR_SET || stretch_mentions(open, stmt->set.var))
        return false;
    if (!(ir_stmt_effects(stmt) & EFFECT_READ))
        return true;
    for (int i = 0; i < open->count; i++)
        if ((ir_stmt_effects(open->steps[i].stmt) & EFFECT_ORDERED) || leaves(open->steps[i].stmt))
            return false;
    return true;
}

static void build_once(Builder *b, const IrStmt *stmt)
{
    if (!b->open || !can_move_before(b->open, stmt)) {
        close_stretch(b);
        add_part(b, PART_ONCE, stmt);
        return;
    }
    Part *part = arena_new(b->th->e->arena, Part);
    part->kind = PART_ONCE;
    part->stmt = stmt;
    part->next = b->open;
    *b->open_at = part;
    b->open_at = &part->next;
}

/* ---- control around synchronisations ------------------------------------------------------- */

static Part *build_inside(Builder *b, const IrRegion *region, int loops)
{
    Part *first = NULL, **end = b->end;
    b->end = &first;
    b->loops += loops;
    close_stretch(b);
    build_region(b, region);
    close_stretch(b);
    b->loops -= loops;
    b->end = end;
    return first;
}

/* A branch that some threads go into: each notes whether it does, and the others pass over what is
** in it. */
static void build_guard(Builder *b, const IrStmt *stmt)
{
    int outer = b->guard, number = ++b->th->guards;
    add_step(b, stmt, STEP_GUARD, number);
    close_stretch(b);
    Part *part = add_part(b, PART_GUARD, stmt);
    part->slot = number;
    b->guard = number;
    part->then = build_inside(b, split_guarded(stmt), 0);
    b->guard = outer;
}

static void build_control(Builder *b, const IrStmt *stmt)
{
    if (split_guarded(stmt)) {
        build_guard(b, stmt);
        return;
    }
    close_stretch(b);
    bool branch = stmt->kind == IR_IF;
    Part *part = add_part(b, branch ? PART_IF : PART_LOOP, stmt);
    if (branch) {
        if (!ir_uniform_value(stmt->if_.condition))
            b->parting = stmt;
        part->then = build_inside(b, &stmt->if_.then, 0);
        part->otherwise = build_inside(b, &stmt->if_.otherwise, 0);
        return;
    }
    if (!ir_uniform_loop(stmt))
        b->parting = stmt;
    part->then = build_inside(b, ir_loop_body(stmt), 1);
}

/* Whether a loop around `region` is left or turned from within by statements of the region. */
static bool jumps_out(const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        if (stmt->kind == IR_BREAK || stmt->kind == IR_CONTINUE ||
            (stmt->kind == IR_IF &&
             (jumps_out(&stmt->if_.then) || jumps_out(&stmt->if_.otherwise))))
            return true;
    return false;
}

bool split_is_outside(const IrStmt *stmt)
{
    if (stmt->kind == IR_IF && (jumps_out(&stmt->if_.then) || jumps_out(&stmt->if_.otherwise)))
        return true;
    bool control = stmt->kind == IR_IF || ir_is_loop(stmt);
    return control && (ir_stmt_effects(stmt) & EFFECT_SYNC);
}

const IrRegion *split_guarded(const IrStmt *stmt)
{
    if (stmt->kind != IR_IF || ir_uniform_value(stmt->if_.condition) || leaves(stmt))
        return NULL;
    int then = ir_region_effects(&stmt->if_.then);
    int otherwise = ir_region_effects(&stmt->if_.otherwise);
    bool one = !(then & EFFECT_SYNC) != !(otherwise & EFFECT_SYNC);
    if (!one || ((then | otherwise) & EFFECT_BLOCK_SYNC) || jumps_out(&stmt->if_.then) ||
        jumps_out(&stmt->if_.otherwise))
        return NULL;
    return then & EFFECT_SYNC ? &stmt->if_.then : &stmt->if_.otherwise;
}

const IrRegion *split_unguarded(const IrStmt *stmt)
{
    return split_guarded(stmt) == &stmt->if_.then ? &stmt->if_.otherwise : &stmt->if_.then;
}

/* Whether a stretch begins with what lanes get of those that were there when they met. */
static bool receives(const Part *open)
{
    for (int i = 0; open && i < open->count; i++)
        if (open->steps[i].role == STEP_RECEIVE)
            return true;
    return false;
}

static void build_stmt(Builder *b, const IrStmt *stmt)
{
    if (meet_value(stmt)) {
        build_meeting(b, stmt);
    } else if (stmt->kind == IR_BREAK || stmt->kind == IR_CONTINUE) {
        close_stretch(b);
        add_part(b, PART_JUMP, stmt);
    } else if (split_is_outside(stmt)) {
        build_control(b, stmt);
    } else if (split_sets_block_vars(b->th, stmt)) {
        build_once(b, stmt);
    } else {
        if (leaves(stmt) && receives(b->open)) /* whoever ends was there all the same */
            close_stretch(b);
        add_step(b, stmt, STEP_RUN, 0);
        b->open->leaves |= leaves(stmt);
    }
}

static void build_region(Builder *b, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        build_stmt(b, stmt);
}

bool split_plan(Threads *th)
{
    if (!split_find_block_vars(th))
        return false;
    Builder b = { .th = th, .end = &th->plan };
    build_region(&b, &th->fn->body);
    th->parting = b.parting;
    if (b.parting || !split_masks(th))
        return false;
    for (Part *part = th->plan; part; part = part->next)
        part->last = !part->next;
    th->first_leaving = th->second_leaving = th->part_count;
    for (int i = th->part_count; i-- > 0;) {
        if (!th->parts[i]->leaves || th->parts[i]->last)
            continue;
        th->second_leaving = th->first_leaving;
        th->first_leaving = i;
    }
    th->needs_done = th->first_leaving < th->part_count;
    return true;
}
