#include "ir/analysis/accesses.h"

#include "ir/analysis/affine.h"

bool access_invariant(const Accesses *accesses, const Access *access)
{
    if (access->kind == ACCESS_OTHER || !sets_invariant(&accesses->sets, access->array, NULL))
        return false;
    for (int i = 0; i < access->count; i++)
        if (!sets_invariant(&accesses->sets, access->indices[i], NULL))
            return false;
    return true;
}

bool same_element(const Access *a, const Access *b)
{
    if (a->kind == ACCESS_OTHER || b->kind == ACCESS_OTHER || a->count != b->count ||
        !ir_same_value(a->array, b->array))
        return false;
    for (int i = 0; i < a->count; i++)
        if (!ir_same_value(a->indices[i], b->indices[i]))
            return false;
    return true;
}

/* ---- elements that differ -------------------------------------------------------------------- */

/* Whether two indices of an axis, both in range, are different elements: neither counts from the
** end, and they lie a known number apart. */
static bool indices_differ(const IrValue *a, const IrValue *b)
{
    int64_t more_a, more_b;
    if (!ir_nonnegative(a) || !ir_nonnegative(b) || a->type != b->type)
        return false;
    const IrValue *base_a = affine_split(NULL, a, &more_a),
                  *base_b = affine_split(NULL, b, &more_b);
    if (more_a == more_b || !base_a != !base_b)
        return false;
    return !base_a || ir_same_value(base_a, base_b);
}

/* Two elements of one array whose elements do not overlap each other. */
static bool elements_differ(const Access *a, const Access *b)
{
    if (a->kind == ACCESS_OTHER || b->kind == ACCESS_OTHER || a->count != b->count ||
        a->array->type->array.layout == LAYOUT_A || !ir_same_value(a->array, b->array))
        return false;
    for (int i = 0; i < a->count; i++)
        if (indices_differ(a->indices[i], b->indices[i]))
            return true;
    return false;
}

bool disjoint_elements(const Accesses *accesses, const Access *a, const Access *b,
                       const IrVar **other)
{
    const IrVar *own;
    if (elements_differ(a, b))
        return true;
    return !ir_may_alias(accesses->points_to, accesses->unit->launch,
                         ir_pointees(accesses->points_to, a->array),
                         ir_pointees(accesses->points_to, b->array), &own, other);
}

bool accesses_write(const Accesses *accesses, const IrValue *array, const Access *but)
{
    const uint64_t *own = ir_pointees(accesses->points_to, array);
    const IrVar *one, *other;
    for (int i = 0; i < accesses->count; i++) {
        const Access *access = &accesses->list[i];
        if (access->written && access != but &&
            ir_may_alias(accesses->points_to, accesses->unit->launch, own,
                         ir_pointees(accesses->points_to, access->array), &one, &other))
            return true;
    }
    return false;
}

/* Whether along an axis an iteration loads at or beyond the index at which it stores itself, which
** is beyond those of the iterations before; or, in the loop inside, below the one at which the
** iteration that stores does. */
static bool index_passes(const Accesses *accesses, const IrSets *sets, const IrValue *stored,
                         const IrValue *loaded, const IrStmt *inner, int64_t end)
{
    int64_t at, from;
    if (!ir_nonnegative(stored) || !ir_nonnegative(loaded) || stored->type != loaded->type)
        return false;
    const IrValue *stores = affine_split(sets, stored, &at);
    const IrValue *loads = affine_split(sets, loaded, &from);
    if (!stores || !loads || !ir_is_var(stores, accesses->loop->for_.var))
        return false;
    if (ir_is_var(loads, accesses->loop->for_.var))
        return from >= at;
    return inner && ir_is_var(loads, inner->for_.var) && end + from <= at;
}

bool loads_before(const Accesses *accesses, const IrSets *sets, const Access *store,
                  const Access *load, const IrStmt *inner, int64_t end)
{
    const IrVar *own, *other;
    if (store->kind == ACCESS_STORE && load->kind == ACCESS_LOAD && store->count == load->count &&
        store->array->type->array.layout != LAYOUT_A && store->array->op == OP_var &&
        !sets_any(&accesses->sets, store->array->var) && ir_same_value(store->array, load->array))
        for (int i = 0; i < store->count; i++)
            if (index_passes(accesses, sets, store->indices[i], load->indices[i], inner, end))
                return true;
    return !ir_may_alias(accesses->points_to, accesses->unit->launch,
                         ir_pointees(accesses->points_to, store->array),
                         ir_pointees(accesses->points_to, load->array), &own, &other);
}

/* ---- atomics -------------------------------------------------------------------------------- */

const IrValue *atomic_of(const IrStmt *stmt)
{
    const IrValue *value = ir_stmt_value(stmt);
    return value && ir_is_atomic(value) ? value : NULL;
}

Combine atomic_combine(const IrValue *value)
{
    if (value->op != OP_intrinsic)
        return COMBINE_NONE;
    switch ((int)value->intrinsic) {
    case INTR_atomic_add:
    case INTR_atomic_sub:
        return COMBINE_SUM;
    case INTR_atomic_max:
        return COMBINE_MAX;
    case INTR_atomic_min:
        return COMBINE_MIN;
    case INTR_atomic_and:
        return COMBINE_AND;
    case INTR_atomic_or:
        return COMBINE_OR;
    case INTR_atomic_xor:
        return COMBINE_XOR;
    default:
        return COMBINE_NONE;
    }
}

bool atomic_is_plain(const IrValue *value)
{
    return atomic_combine(value) != COMBINE_NONE ||
           (value->op == OP_intrinsic &&
            (value->intrinsic == INTR_atomic_nanmax || value->intrinsic == INTR_atomic_nanmin));
}

bool atomic_counts(const IrValue *atomic)
{
    const IrValue *array = atomic->operands[0], *added = atomic->operands[atomic->count - 1];
    const Type *element = array->type->array.element;
    if ((atomic->intrinsic != INTR_atomic_add && atomic->intrinsic != INTR_atomic_sub) ||
        array->op != OP_var || array->var->kind != VAR_PARAM || array->type->array.unaligned ||
        !type_is_integer(element) || type_size(element) < 4 || !ir_is_constant(added) ||
        added->constant.integer == 0)
        return false;
    for (int i = 1; i < atomic->count - 1; i++)
        if (!ir_uniform_value(atomic->operands[i]))
            return false;
    return true;
}

/* ---- what a loop does ------------------------------------------------------------------------ */

typedef struct AccessLook {
    Accesses *accesses;
    IrStmt *stmt;
    const IrValue *atomic; /* one that changes an element and orders nothing else */
} AccessLook;

static Access *add_access(const AccessLook *look, AccessKind kind, const IrValue *array)
{
    Accesses *p = look->accesses;
    Access *access = &array_push(p->unit->arena, p->list, p->count, p->capacity);
    *access = (Access){ .kind = kind, .array = array, .stmt = look->stmt };
    return access;
}

static const char *why_not(int effects)
{
    if (effects & (EFFECT_MEETS | EFFECT_FENCE))
        return "threads meet in the loop";
    if (effects & EFFECT_ATOMIC)
        return "an atomic in the loop may be what threads wait for";
    if (effects & (EFFECT_STOP | EFFECT_IO))
        return "the thread may end or print in the loop";
    return effects & EFFECT_WRITE ? "what the loop calls writes memory" : NULL;
}

static void note_effects(Accesses *accesses, int effects)
{
    if (!accesses->why)
        accesses->why = why_not(effects);
}

static void access_arrays(const AccessLook *look, const IrValue *value, bool written)
{
    for (int i = 0; i < value->count; i++)
        if (type_holds_arrays(value->operands[i]->type))
            add_access(look, ACCESS_OTHER, value->operands[i])->written = written;
}

static void look_at_node(void *context, IrValue *value)
{
    const AccessLook *look = context;
    if (value->op == OP_load) {
        Access *access = add_access(look, ACCESS_LOAD, value->operands[0]);
        access->indices = value->operands + 1;
        access->count = value->count - 1;
        access->load = value;
        access->hinted = value->index != 0;
    } else if (value == look->atomic) {
        access_arrays(look, value, true);
    } else if (value->op == OP_call || value->op == OP_intrinsic) {
        access_arrays(look, value, false);
        note_effects(look->accesses, value->op == OP_call ? value->callee->effects
                                                          : ir_intrinsics[value->intrinsic].effect);
    }
}

static void look_at_value(AccessLook look, IrValue *value)
{
    look.atomic = atomic_is_plain(value) ? value : NULL;
    look.accesses->found |= look.atomic && look.stmt->kind != IR_EVAL;
    ir_each_node(value, look_at_node, &look);
}

static void look_at_store(const AccessLook *look)
{
    const IrStmt *stmt = look->stmt;
    Access *access = add_access(look, ACCESS_STORE, stmt->store.array);
    access->indices = stmt->store.indices;
    access->count = stmt->store.count;
    access->written = true;
    access->hinted = stmt->store.cache != 0;
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    AccessLook look = { .accesses = context, .stmt = stmt };
    Accesses *accesses = context;
    for_each_value (value, stmt)
        look_at_value(look, value);
    switch ((int)stmt->kind) {
    case IR_STORE:
        look_at_store(&look);
        return;
    case IR_RETURN:
    case IR_STOP:
    case IR_FAULT:
    case IR_PRINT:
        note_effects(accesses, EFFECT_STOP);
        return;
    default:
        return;
    }
}

Accesses accesses_of_values(IrUnit *unit, const IrPointsTo *points_to, IrStmt *stmt)
{
    Accesses accesses = { .unit = unit, .points_to = points_to };
    for_each_value (value, stmt)
        look_at_value((AccessLook){ .accesses = &accesses, .stmt = stmt }, value);
    return accesses;
}

Accesses accesses_of(IrUnit *unit, const IrPointsTo *points_to, IrStmt *loop)
{
    Accesses accesses = { .unit = unit, .points_to = points_to };
    if (loop->kind == IR_WHILE)
        accesses = accesses_of_values(unit, points_to, loop);
    accesses.loop = loop;
    accesses.sets = ir_sets_of_loop(unit->arena, unit->kernel, loop);
    ir_each_stmt(ir_loop_body(loop), look_at_stmt, &accesses);
    accesses.found &= !accesses.why;
    if (accesses.found)
        accesses.why = why_not(EFFECT_ATOMIC);
    return accesses;
}
