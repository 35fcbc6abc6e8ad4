/* Which lanes of a warp meet in a split kernel.
**
** Lanes meet at the same operation with the same mask, and wait until all of the mask do that have
** not ended. Loops over the threads assume that lanes which reach a statement together meet there.
** That is so by itself where all lanes come and the mask names all. Anywhere else, in a branch
** that only some go into or with a mask of some lanes, it is looked at when the kernel runs: a
** lane that others wait for and that is not among them holds them until it ends, so if it then
** waits for them, it is a deadlock (lanes_meet() in the prelude).
**
** What loops cannot do is to let lanes meet that come to their operations at different times: some
** in one iteration of a loop and others in the next, or some in one branch and others in another. A
** kernel in which that could happen is not split. Here that is found out, along the ways from one
** operation to another, or to itself, without a barrier of the block between: where they are in
** one branch, whose condition is what it was, and name the same lanes, the same lanes come to
** both. */
#include "codegen/emit/threads/threads.h"
#include "ir/analysis/flow/sets.h"

/* An operation that lanes may still wait at. */
typedef struct Wait {
    const IrStmt *stmt;
    int guard;
    bool changed;   /* a variable of the branch's condition may have changed */
    bool elsewhere; /* so others may go into it by now */
    bool renamed;   /* the mask may by now be another one */
} Wait;

typedef struct Masks {
    Threads *th;
    IrSets sets;
    const Part **guards; /* by number */
    Wait *waits;
    int count, capacity;
    int jumps; /* loops around that threads jump in, so that they may pass a barrier by */
    const IrStmt *clash;
} Masks;

/* ---- values that stay what they are --------------------------------------------------------- */

/* Whether a value is the same for a thread at all times. */
static bool is_steady(const Masks *m, const IrValue *value)
{
    value = sets_behind(&m->sets, value);
    if (ir_value_effects(value) != EFFECT_NONE)
        return false;
    if (value->op == OP_var)
        return value->var->kind == VAR_PARAM;
    for (int i = 0; i < value->count; i++)
        if (!is_steady(m, value->operands[i]))
            return false;
    return true;
}

static const IrValue *mask_of(const IrStmt *stmt)
{
    const IrValue *meet = meet_value(stmt);
    bool names = (ir_intrinsics[meet->intrinsic].effect & EFFECT_WARP_SYNC) &&
                 meet->intrinsic != INTR_activemask;
    return names ? meet->operands[0] : NULL;
}

static const IrValue *known_mask(const Masks *m, const IrStmt *stmt)
{
    const IrValue *mask = mask_of(stmt);
    return is_steady(m, mask) ? sets_behind(&m->sets, mask) : mask;
}

static bool same_mask(const Masks *m, const IrStmt *a, const IrStmt *b)
{
    return ir_same_value(known_mask(m, a), known_mask(m, b));
}

const IrValue *split_divergent_mask(const IrStmt *stmt)
{
    const IrValue *mask = mask_of(stmt);
    return mask && mask->op != OP_constant ? mask : NULL;
}

bool split_names_all(const IrStmt *stmt)
{
    const IrValue *mask = mask_of(stmt);
    return !mask || (mask->op == OP_constant && (uint32_t)mask->constant.integer == UINT32_MAX);
}

/* ---- what may be met by others --------------------------------------------------------------- */

static bool same_operation(const IrStmt *a, const IrStmt *b)
{
    const IrValue *x = meet_value(a), *y = meet_value(b);
    bool tell = meet_is_shuffle(x) || meet_is_match(x);
    return x->intrinsic == y->intrinsic &&
           (!tell || type_size(x->operands[1]->type) == type_size(y->operands[1]->type));
}

/* Also where one device function stands in place of several calls. */
static bool same_place(const IrStmt *a, const IrStmt *b)
{
    Span x = meet_value(a)->span, y = meet_value(b)->span;
    return x.source == y.source && x.begin == y.begin && x.end == y.end;
}

static bool is_within(const Masks *m, int guard, int outer)
{
    while (guard && guard != outer)
        guard = m->guards[guard]->guard;
    return guard == outer;
}

/* Whether lanes that wait at one operation may meet others at the next, which come there later: at
** the same place, or in two branches. */
static bool may_meet(const Masks *m, const Wait *wait, const Part *part)
{
    const IrValue *a = mask_of(wait->stmt), *b = mask_of(part->stmt);
    bool both_constant = a->op == OP_constant && b->op == OP_constant;
    if (!same_operation(wait->stmt, part->stmt) || (both_constant && !ir_same_value(a, b)))
        return false;
    if (!same_place(wait->stmt, part->stmt))
        return !is_within(m, wait->guard, part->guard) && !is_within(m, part->guard, wait->guard);
    if (wait->guard != part->guard || wait->elsewhere)
        return true;
    bool both_uniform = ir_uniform_value(a) && ir_uniform_value(b);
    return !both_uniform && (wait->renamed || !same_mask(m, wait->stmt, part->stmt));
}

static void add_wait(Masks *m, const Wait *wait)
{
    for (int i = 0; i < m->count; i++) {
        if (m->waits[i].stmt != wait->stmt)
            continue;
        m->waits[i].changed |= wait->changed;
        m->waits[i].elsewhere |= wait->elsewhere;
        m->waits[i].renamed |= wait->renamed;
        return;
    }
    array_push(m->th->e->arena, m->waits, m->count, m->capacity) = *wait;
}

static void come_to_meeting(Masks *m, const Part *part)
{
    const IrValue *mask = mask_of(part->stmt);
    int effect = ir_intrinsics[meet_value(part->stmt)->intrinsic].effect;
    if ((effect & EFFECT_BLOCK_SYNC) && !m->jumps)
        m->count = 0;
    if (!mask || (!part->guard && ir_uniform_value(mask)))
        return;
    for (int i = 0; i < m->count; i++)
        if (!m->clash && may_meet(m, &m->waits[i], part))
            m->clash = part->guard ? m->guards[part->guard]->stmt : part->stmt;
    add_wait(m, &(Wait){ .stmt = part->stmt,
                         .guard = part->guard,
                         .renamed = ir_value_effects(mask) != EFFECT_NONE });
}

/* ---- what changes in between ----------------------------------------------------------------- */

static void change_var(void *context, IrStmt *stmt)
{
    Masks *m = context;
    const IrVar *var = ir_set_var(stmt);
    for (int i = 0; var && i < m->count; i++) {
        const IrValue *mask = mask_of(m->waits[i].stmt);
        m->waits[i].renamed |= !is_steady(m, mask) && ir_mentions(mask, var);
        for (int g = m->waits[i].guard; g; g = m->guards[g]->guard) {
            const IrValue *condition = m->guards[g]->stmt->if_.condition;
            m->waits[i].changed |= !is_steady(m, condition) && ir_mentions(condition, var);
        }
    }
}

/* The condition of a branch is evaluated once more. */
static void come_to_guard(Masks *m, int number)
{
    const IrValue *condition = m->guards[number]->stmt->if_.condition;
    bool other = ir_value_effects(condition) != EFFECT_NONE;
    for (int i = 0; i < m->count; i++)
        for (int g = m->waits[i].guard; g; g = m->guards[g]->guard)
            if (g == number)
                m->waits[i].elsewhere |= other || m->waits[i].changed;
}

static void change_region(Masks *m, const IrRegion *region)
{
    ir_each_stmt(region, change_var, m);
}

static void change_stmt(Masks *m, const IrStmt *stmt)
{
    change_var(m, (IrStmt *)stmt);
    for_each_region (inner, stmt)
        change_region(m, inner);
}

static void walk_steps(Masks *m, const Part *part)
{
    for (int i = 0; i < part->count; i++) {
        const Step *step = &part->steps[i];
        if (step->role == STEP_GUARD) {
            change_region(m, split_unguarded(step->stmt));
            come_to_guard(m, step->slot);
        } else if (step->role != STEP_SEND) {
            change_stmt(m, step->stmt);
        }
    }
}

/* ---- the way through the kernel -------------------------------------------------------------- */

static void walk(Masks *m, const Part *part);

/* Either way, or past both. */
static void walk_ways(Masks *m, const Part *one, const Part *other)
{
    int count = m->count;
    Wait *before = arena_array(m->th->e->arena, Wait, count + 1);
    if (count)
        memcpy(before, m->waits, sizeof(Wait) * (size_t)count);
    walk(m, one);
    int after = m->count;
    Wait *first = arena_array(m->th->e->arena, Wait, after + 1);
    if (after)
        memcpy(first, m->waits, sizeof(Wait) * (size_t)after);
    m->count = 0;
    for (int i = 0; i < count; i++)
        add_wait(m, &before[i]);
    walk(m, other);
    for (int i = 0; i < after; i++)
        add_wait(m, &first[i]);
}

static bool has_jump(const Part *part)
{
    for (; part; part = part->next)
        if (part->kind == PART_JUMP || has_jump(part->then) || has_jump(part->otherwise))
            return true;
    return false;
}

/* Twice, since what is waited for in one iteration may come in the next. */
static void walk_loop(Masks *m, const Part *part)
{
    bool jump = has_jump(part->then);
    m->jumps += jump;
    for (int round = 0; round < 2; round++) {
        change_var(m, (IrStmt *)part->stmt);
        walk_ways(m, part->then, NULL);
    }
    m->jumps -= jump;
}

static void walk(Masks *m, const Part *part)
{
    for (; part; part = part->next) {
        switch (part->kind) {
        case PART_THREADS:
            walk_steps(m, part);
            break;
        case PART_ONCE:
            change_stmt(m, part->stmt);
            break;
        case PART_MEET:
            come_to_meeting(m, part);
            break;
        case PART_IF:
            walk_ways(m, part->then, part->otherwise);
            break;
        case PART_LOOP:
            walk_loop(m, part);
            break;
        case PART_GUARD:
            walk_ways(m, part->then, NULL);
            break;
        case PART_JUMP:
            break;
        }
    }
}

/* ---- what is looked at ----------------------------------------------------------------------- */

static void find_guards(Masks *m, const Part *part)
{
    for (; part; part = part->next) {
        if (part->kind == PART_GUARD)
            m->guards[part->slot] = part;
        find_guards(m, part->then);
        find_guards(m, part->otherwise);
    }
}

/* The verdict on one mask that stays what it is holds for all operations with it, as long as the
** same lanes are in the branch: a number for these operations, from 1; 0: looked at each time. */
static int view_of(Masks *m, const Part *part)
{
    Threads *th = m->th;
    if (!is_steady(m, mask_of(part->stmt)))
        return 0;
    for (int i = 0; i < th->view_count; i++)
        if (th->views[i]->guard == part->guard && same_mask(m, th->views[i]->stmt, part->stmt))
            return i + 1;
    array_push(th->e->arena, th->views, th->view_count, th->view_capacity) = part;
    return th->view_count;
}

static void find_local(void *context, IrValue *value)
{
    bool *found = context;
    *found |= value->op == OP_var && value->var->kind != VAR_PARAM;
}

/* A mask that stays what it is and needs no variables of the thread. */
static const IrValue *free_mask(const Masks *m, const IrStmt *stmt)
{
    const IrValue *mask = known_mask(m, stmt);
    bool local = false;
    ir_each_node((IrValue *)mask, find_local, &local);
    return split_divergent_mask(stmt) && is_steady(m, mask) && !local ? mask : NULL;
}

/* Whether there is a meeting among these parts but those of a guard's own lanes, all of them. */
static bool has_meeting(const Part *part, int guard)
{
    for (; part; part = part->next)
        if ((part->kind == PART_MEET &&
             (!guard || part->guard != guard || !split_names_all(part->stmt))) ||
            has_meeting(part->then, guard) || has_meeting(part->otherwise, guard))
            return true;
    return false;
}

static void find_looks(Masks *m, Part *part)
{
    Threads *th = m->th;
    for (; part; part = part->next) {
        /* lanes that go past the last meetings hold up none */
        bool last = part->kind == PART_GUARD && !part->guard && !part->in_loop &&
                    !has_meeting(part->next, 0) && !has_meeting(part->then, part->slot);
        if (!last)
            find_looks(m, part->then);
        find_looks(m, part->otherwise);
        if (part->kind != PART_MEET || !mask_of(part->stmt) ||
            (!part->guard && split_names_all(part->stmt)))
            continue;
        part->looks = true;
        part->view = view_of(m, part);
        part->mask = free_mask(m, part->stmt);
        th->needs_late = true;
        th->needs_masks |= split_divergent_mask(part->stmt) != NULL;
        array_push(th->e->arena, th->looks, th->look_count, th->look_capacity) = part;
    }
}

const Part *split_look(const Threads *th, const IrStmt *stmt)
{
    for (int i = 0; i < th->look_count; i++)
        if (th->looks[i]->stmt == stmt)
            return th->looks[i];
    return NULL;
}

bool split_masks(Threads *th)
{
    Arena *arena = th->e->arena;
    Masks m = { .th = th,
                .sets = ir_sets(arena, th->fn, &th->fn->body),
                .guards = arena_array(arena, const Part *, th->guards + 1) };
    find_guards(&m, th->plan);
    walk(&m, th->plan);
    th->parting = m.clash;
    if (!m.clash)
        find_looks(&m, th->plan);
    return !m.clash;
}
