/* Loops by the stride of the grid whose iterations may be shared out anew, 16 bytes of neighbours
** to each thread; and which loads differ between threads. See unroll.c. */
#include "ir/schedule/schedule.h"
#include "ir/schedule/unroll/unroll.h"

typedef struct Share {
    const Unroll *u;
    IrDivergence divergence;
    int bits; /* that no value may vary by */
    bool fine;
} Share;

static bool knows_thread(const Share *s, const IrValue *value)
{
    if (value->op == OP_var)
        return !sets_any(&s->u->accesses.sets, value->var) &&
               s->divergence.vars[value->var->id] & s->bits;
    return value->op == OP_intrinsic && value->count == 0 &&
           ir_divergence_of(&s->divergence, value) & s->bits;
}

static void share_node(void *context, IrValue *value)
{
    Share *s = context;
    s->fine &= !knows_thread(s, value);
}

/* Whether iterations know nothing of their thread, and hand nothing on. */
static bool are_alike(const Unroll *u, int axis)
{
    Share s = { u, ir_divergence(u->unit, NULL),
                (DIVERGES_THREAD | DIVERGES_BLOCK) << axis | DIVERGES_OTHER, true };
    ir_each_node_in(&u->loop->for_.body, share_node, &s);
    for (int i = 0; i < u->accesses.sets.var_count; i++)
        s.fine &= !u->accesses.sets.count[i] || u->own[i];
    return s.fine && !(ir_divergence_of(&s.divergence, u->loop->for_.stop) & s.bits);
}

typedef struct Outside {
    const Unroll *u;
    bool fine;
} Outside;

static void outside_node(void *context, IrValue *value)
{
    Outside *outside = context;
    const Access load = { .array = value->count ? value->operands[0] : NULL };
    for (int i = 0; i < outside->u->accesses.count && value->op == OP_load; i++)
        if (outside->u->accesses.list[i].written &&
            unroll_meet(outside->u, &load, &outside->u->accesses.list[i]))
            outside->fine = false;
}

/* Whether no thread is missing, and the kernel writes nothing outside of the loop, and reads
** nothing there that the loop may write. */
static bool is_all_that_writes(const Unroll *u)
{
    const IrFunc *fn = u->unit->kernel;
    /* a thread that has returned takes no part in the loop */
    Outside outside = { u, !ir_region_has(&fn->body, 1 << IR_RETURN) };
    for (const IrStmt *stmt = fn->body.first; stmt; stmt = stmt->next) {
        if (stmt == u->loop)
            continue;
        outside.fine &= !(ir_stmt_effects(stmt) & EFFECT_ORDERED);
        ir_each_node_of(stmt, outside_node, &outside);
    }
    return outside.fine;
}

/* What of an iteration cannot be had in wide accesses, or NULL: what comes to an element at the
** counter must be lifted, and nothing may be the thread's own. */
static const IrVar *not_wide(Unroll *u)
{
    for (int i = 0; i < u->accesses.count; i++) {
        const Access *access = &u->accesses.list[i];
        const IrVar *var = access->array->op == OP_var ? access->array->var : NULL;
        if (!var || (var->kind != VAR_PARAM && var->kind != VAR_CONSTANT))
            return u->loop->for_.var;
        bool counted = access->kind == ACCESS_STORE;
        for (int k = 0; k < access->count; k++)
            counted |= !sets_invariant(&u->accesses.sets, access->indices[k], NULL) &&
                       unroll_is_known_before(u, access->indices[k]);
        const Lifted *lifted = counted ? unroll_find_lifted(u, access) : NULL;
        if (counted && var->kind == VAR_PARAM && !(lifted && lifted->wide))
            return var;
    }
    return NULL;
}

int unroll_width_of(const Unroll *u)
{
    int least = WIDE_BYTES, most = 1;
    for (int i = 0; i < u->count; i++) {
        int bytes = (int)type_size(u->lifted[i].access->array->type->array.element);
        if (!u->lifted[i].wide && u->lifted[i].window == NO_WINDOW)
            continue;
        least = bytes < least ? bytes : least;
        most = bytes > most ? bytes : most;
    }
    int width = WIDE_BYTES / least;
    while (width * most > WIDEST_BYTES)
        width /= 2;
    return width;
}

static bool any_wide(const Unroll *u)
{
    for (int i = 0; i < u->count; i++)
        if (u->lifted[i].wide)
            return true;
    return false;
}

bool unroll_can_share(Unroll *u, int axis)
{
    int loads = u->count;
    if (axis < 0 || u->region != &u->unit->kernel->body || !ir_nonnegative(u->loop->for_.stop) ||
        !is_all_that_writes(u) || !are_alike(u, axis))
        return false;
    unroll_lift_stores(u);
    const IrVar *var = not_wide(u);
    u->width = unroll_width_of(u);
    if (!var && any_wide(u) && u->width > 1)
        return true;
    if (var && var->kind == VAR_PARAM)
        ir_remark(u->unit, u->loop->span,
                  "the loop takes one element at a time: '%s' is not known to lie at multiples of "
                  "16 bytes, or is not only accessed at '%s'",
                  var->name, u->loop->for_.var->name);
    u->count = loads;
    return false;
}

int unroll_count_apart(const Unroll *u, int bits)
{
    int apart = 0;
    if (!u->count)
        return 0;
    Share s = { u, ir_divergence(u->unit, NULL), bits, true };
    for (int i = 0; i < u->count; i++) {
        const Access *load = u->lifted[i].access;
        s.fine = true;
        for (int k = 0; k < load->count; k++)
            ir_each_node((IrValue *)load->indices[k], share_node, &s);
        apart += !s.fine;
    }
    return apart;
}
