/* How accesses move along the axes of the grid; see count.h. */
#include "ir/schedule/coarsen/count.h"
#include "ir/schedule/cost.h"

enum {
    WEIGHT_MAX = LOOP_WEIGHT * LOOP_WEIGHT * LOOP_WEIGHT,
    GROUP_MOST = 4 /* elements from one thread's to the next's, which are close all the same */
};

static bool jumps(const IrAffine *affine, const IrValue *array, IrValue *const *indices, int axis)
{
    int64_t slope;
    for (int i = 0; i < array->type->array.rank && ir_array_param(array) >= 0; i++)
        if (!affine_slope(affine, indices[i], axis, &slope))
            return true;
    return false;
}

bool count_varies(const Count *c, const IrValue *array, IrValue *const *indices, int axis)
{
    bool varies = affine_varies(c->affine, array, axis);
    for (int i = 0; i < array->type->array.rank; i++)
        varies |= affine_varies(c->affine, indices[i], axis);
    return varies;
}

/* Whether an array's rows are groups of elements, as the channels of a pixel are: the last index is
** a number, or the counter of a short loop. */
static bool is_in_group(const Count *c, const IrValue *array, IrValue *const *indices)
{
    int rank = array->type->array.rank;
    const IrValue *last = rank > 1 ? sets_behind_casts(&c->affine->sets, indices[rank - 1]) : NULL;
    return last && (ir_is_constant(last) || (c->few && ir_is_var(last, c->counter)));
}

/* Whether an access moves by one along the last axis but one of an array, whose last axis is a
** group; or by a few elements along the last, as where pictures get smaller. */
static bool moves_by_group(const Count *c, const IrValue *array, IrValue *const *indices, int axis)
{
    int rank = array->type->array.rank, along = rank - 1;
    if (array->type->array.layout != LAYOUT_C || affine_varies(c->affine, array, axis))
        return false;
    bool group = is_in_group(c, array, indices);
    along -= group;
    for (int i = 0; i < rank - group; i++) {
        int64_t slope;
        if (!affine_slope(c->affine, indices[i], axis, &slope) ||
            (i == along ? slope < 1 || slope > (group ? 1 : GROUP_MOST) : slope != 0))
            return false;
    }
    return rank > 0;
}

/* Of an access that moves by a group: whether it does so by a few elements along the last axis. */
static bool is_strided(const Count *c, const IrValue *array, IrValue *const *indices, int axis)
{
    int64_t slope;
    return affine_slope(c->affine, indices[array->type->array.rank - 1], axis, &slope) && slope > 1;
}

/* Whether an access that moves by one can be a wide access for neighbours, at a constant distance
** from where such begin; `at` is its index along the dense axis. */
static bool may_be_wide(const Count *c, const IrValue *array, const IrValue *at, int axis)
{
    IrAffine affine = *c->affine;
    int64_t offset, elements = WIDE_BYTES / (int64_t)type_size(array->type->array.element);
    if (!at || c->conditions || ir_array_param(array) < 0)
        return false;
    affine.unit[axis] = WIDE_BYTES;
    const IrValue *rest = affine_split(&affine.sets, at, &offset);
    return rest && elements > 0 && affine_multiple(&affine, rest) % elements == 0 &&
           ir_rows_aligned(c->unit, array->var);
}

/* Whether the loop's counter moves an access along the same axis as neighbours do, so that these
** load nearly the same elements one iteration later (unroll/windows.c). */
static bool slides(const Count *c, const IrValue *array, IrValue *const *indices, int axis)
{
    const IrValue *at = indices[dense_axis(array->type)];
    return c->counter &&
           may_be_wide(c, array, affine_without(c->unit->arena, at, c->counter), axis);
}

/* Whether an index is a remainder of what moves by one, perhaps with something added that does not
** move, or by an unknown amount, as quotients do. */
static bool is_remainder(const Count *c, const IrValue *index, int axis)
{
    const IrValue *at = sets_behind_casts(&c->affine->sets, index);
    int64_t slope;
    if (at->op == OP_mod)
        return affine_slope(c->affine, at->operands[0], axis, &slope) && slope == 1;
    for (int i = 0; i < 2 && at->op == OP_add; i++) {
        const IrValue *other = at->operands[!i];
        if (is_remainder(c, at->operands[i], axis) &&
            (!affine_varies(c->affine, other, axis) ||
             !affine_slope(c->affine, other, axis, &slope)))
            return true;
    }
    return false;
}

static bool ends_in_remainder(const Count *c, const IrValue *index, int axis)
{
    return sets_is_short(&c->affine->sets, index) && is_remainder(c, index, axis);
}

/* How many axes of an array lie behind the first one whose index moves along an axis of the grid,
** that one included; 0: none moves. */
static int axes_behind(const Count *c, const IrValue *array, IrValue *const *indices, int axis)
{
    int rank = array->type->array.rank, i = 0;
    while (i < rank && !affine_varies(c->affine, indices[i], axis))
        i++;
    return rank - i;
}

static void count_access(Count *c, const IrValue *array, IrValue *const *indices, bool load)
{
    bool varies[3];
    for (int axis = 0; axis < 3; axis++)
        varies[axis] = count_varies(c, array, indices, axis);
    for (int axis = 0; axis < 3; axis++) {
        Along *along = &c->along[axis];
        for (int other = 0; other < 3 && varies[axis] && c->depth; other++)
            along->both[other] += varies[other] ? c->weight : 0;
        size_t bytes = type_size(array->type->array.element);
        int behind = axes_behind(c, array, indices, axis);
        along->apart = behind > along->apart ? behind : along->apart;
        if (array->type->array.layout == LAYOUT_C && behind <= 1 + is_in_group(c, array, indices))
            along->inside += c->weight;
        if (!varies[axis]) {
            along->shared += load && c->depth ? c->weight : 0;
            for (int other = 0; other < 3; other++)
                along->spread[other] += varies[other] && load && c->depth ? c->weight : 0;
        } else if (moves_by_one(c->affine, array, indices, axis)) {
            along->dense += c->weight;
            along->stored += load ? 0 : c->weight;
            int always = c->conditions || ir_array_param(array) < 0 ? 0 : c->weight;
            along->always += always;
            along->turned += varies[0] + varies[1] + varies[2] > 1 ? always : 0;
            if (may_be_wide(c, array, indices[dense_axis(array->type)], axis))
                along->wide += c->weight;
            else if (load && slides(c, array, indices, axis))
                along->sliding += c->weight;
            along->bytes = bytes > along->bytes ? bytes : along->bytes;
        } else if (moves_by_group(c, array, indices, axis)) {
            along->close += c->weight;
            along->strided += is_strided(c, array, indices, axis) ? c->weight : 0;
            along->spaced += load || bytes < 4 ? 0 : c->weight;
        } else {
            bool last = array->type->array.rank && array->type->array.layout == LAYOUT_C;
            along->far += c->weight;
            along->jumping += jumps(c->affine, array, indices, axis) ? c->weight : 0;
            if (!load && last && ends_in_remainder(c, indices[array->type->array.rank - 1], axis))
                along->pieces += c->weight;
        }
    }
    c->total += c->weight;
}

static void count_atomic(Count *c, const IrValue *value)
{
    const IrIntrinsicInfo *info = &ir_intrinsics[value->intrinsic];
    if (info->operands != OPERANDS_ARRAY || !(info->effect & EFFECT_ATOMIC))
        return;
    for (int axis = 0; axis < 3; axis++)
        if (moves_by_one(c->affine, value->operands[0], value->operands + 1, axis))
            c->along[axis].queued += c->weight;
}

/* Whether a value that does not vary along an axis has a quotient in it that is steady. */
static bool divides(const Count *c, const IrValue *value, int axis)
{
    value = sets_behind_casts(&c->affine->sets, value);
    bool found = value->op == OP_floordiv && affine_varies(c->affine, value->operands[0], axis);
    for (int i = 0; i < value->count && !found; i++)
        found = sets_is_short(&c->affine->sets, value) && divides(c, value->operands[i], axis);
    return found;
}

static void count_summed(Count *c, const IrValue *atomic)
{
    for (int axis = 0; axis < 3; axis++) {
        bool varies = affine_varies(c->affine, atomic->operands[0], axis);
        for (int i = 1; i < atomic->count - 1; i++)
            varies |= affine_varies(c->affine, atomic->operands[i], axis);
        if (!c->along[axis].used || varies)
            continue;
        c->along[axis].summed += c->weight;
        for (int i = 1; i < atomic->count - 1; i++)
            c->along[axis].grouped |= divides(c, atomic->operands[i], axis);
    }
}

/* Whether a value differs from thread to thread: else those that one stands for compute it once. */
static bool is_own(const Count *c, const IrValue *value)
{
    return affine_varies(c->affine, value, 0) || affine_varies(c->affine, value, 1) ||
           affine_varies(c->affine, value, 2);
}

/* Whether a load is by a byte, from an array of one axis: whatever the byte is, a cache holds
** the few elements that it may pick, so that memory has nothing to do with how the load jumps. */
static bool is_by_byte(const Count *c, const IrValue *load)
{
    if (load->count != 2 || ir_array_param(load->operands[0]) < 0)
        return false;
    const IrValue *index = sets_behind_casts(&c->affine->sets, load->operands[1]);
    return index->op == OP_load && type_size(index->type) == 1;
}

static void count_value(Count *c, const IrValue *value)
{
    int certain = ir_certain_operands(value);
    c->nodes++;
    c->functions |= cost_is_special(value);
    if (cost_is_special(value) && is_own(c, value))
        c->doubles += value->type == type_float64;
    else if (cost_is_special(value))
        c->alike |= c->depth > 0;
    if (value->op == OP_intrinsic)
        count_atomic(c, value);
    for (int i = 0; i < value->count; i++) {
        c->conditions += i >= certain;
        count_value(c, value->operands[i]);
        c->conditions -= i >= certain;
    }
    if (value->op != OP_load)
        return;
    if (value->operands[0]->op == OP_var && value->operands[0]->var->kind == VAR_PRIVATE) {
        c->privates = true;
        return;
    }
    if (!(c->unit->kernel->effects & EFFECT_ATOMIC) && steady_is_slow(c->affine, value))
        return;
    if (!is_by_byte(c, value))
        count_access(c, value->operands[0], value->operands + 1, true);
    c->bytes += ir_divergence_of(&c->affine->divergence, value) ? (int)type_size(value->type) : 0;
    array_push(c->unit->arena, c->loads, c->load_count, c->load_capacity) = value;
}

static void count_stmts(Count *c, const IrStmt *first);

static bool varies_at_all(const IrAffine *affine, const IrValue *value)
{
    return ir_divergence_of(&affine->divergence, value) != 0;
}

static void note_divergence(Count *c, int bits)
{
    for (int axis = 0; axis < 3; axis++)
        c->divergent[axis] |=
            (bits & (DIVERGES_OTHER | (DIVERGES_THREAD | DIVERGES_BLOCK) << axis)) != 0;
}

static void count_loop(Count *c, const IrStmt *stmt)
{
    int weight = c->weight;
    const IrVar *counter = c->counter;
    bool few = c->few;
    const IrValue *step = stmt->kind == IR_FOR ? stmt->for_.step : NULL;
    c->counter = step && ir_is_integer(step, 1) ? stmt->for_.var : NULL;
    c->few = c->counter && ir_trip_count(stmt) >= 0 && ir_trip_count(stmt) <= GROUP_MOST;
    bool rest = stmt->kind == IR_FOR && stmt->for_.rest;
    c->slants |= rest;
    if (!rest)
        note_divergence(c, stmt->kind == IR_FOR ? c->affine->divergence.vars[stmt->for_.var->id]
                                                : DIVERGES_OTHER);
    c->weight = weight * LOOP_WEIGHT > WEIGHT_MAX ? WEIGHT_MAX : weight * LOOP_WEIGHT;
    c->weight = rest ? 0 : c->weight;
    c->depth++;
    count_stmts(c, ir_loop_body(stmt)->first);
    c->depth--;
    c->counter = counter;
    c->few = few;
    c->weight = weight;
}

/* Whether a condition holds for every other thread along an axis: it asks whether something that
** moves by an odd number is even. */
static bool halves(const Count *c, const IrValue *value, int axis)
{
    int64_t slope;
    bool even = (value->op == OP_mod && ir_is_integer(value->operands[1], 2)) ||
                (value->op == OP_and && ir_is_integer(value->operands[1], 1));
    if (even && affine_slope(c->affine, value->operands[0], axis, &slope))
        return slope % 2 != 0;
    for (int i = 0; i < value->count; i++)
        if (halves(c, value->operands[i], axis))
            return true;
    return false;
}

static void count_stmt(Count *c, const IrStmt *stmt)
{
    c->nodes++;
    for_each_value (value, stmt)
        count_value(c, value);
    const IrStmt *sum = c->conditions ? NULL : jam_only_sum(c->unit, stmt);
    if (sum)
        count_summed(c, sum->eval.value);
    if (stmt->kind == IR_STORE && stmt->store.array->op == OP_var &&
        stmt->store.array->var->kind == VAR_PRIVATE)
        c->privates = true;
    else if (stmt->kind == IR_STORE)
        count_access(c, stmt->store.array, stmt->store.indices, false);
    if (ir_is_loop(stmt))
        count_loop(c, stmt);
    if (stmt->kind != IR_IF)
        return;
    bool varies = varies_at_all(c->affine, stmt->if_.condition);
    for (int axis = 0; axis < 3 && c->depth; axis++)
        c->asked[axis] |= affine_varies(c->affine, stmt->if_.condition, axis);
    c->conditions += varies;
    count_stmts(c, stmt->if_.then.first);
    count_stmts(c, stmt->if_.otherwise.first);
    c->conditions -= varies;
}

static void count_stmts(Count *c, const IrStmt *first)
{
    for (const IrStmt *stmt = first; stmt; stmt = stmt->next)
        count_stmt(c, stmt);
}

/* ---- what threads have in common ------------------------------------------------------------- */

/* By how much a sum grows from one index along an axis to the next, if that is the same
** everywhere. */
static IrPolynomial pitch_of(const Count *c, const IrPolynomial *sum, int axis)
{
    IrPolynomial pitch = { 0 };
    for (int i = 0; i < sum->count; i++) {
        IrProduct term = sum->terms[i];
        int moving = -1;
        for (int k = 0; k < term.count; k++) {
            int64_t slope;
            if (!affine_varies(c->affine, term.atoms[k], axis))
                continue;
            if (moving >= 0 || !affine_slope(c->affine, term.atoms[k], axis, &slope) || slope != 1)
                return (IrPolynomial){ .count = -1 };
            moving = k;
        }
        if (moving < 0)
            continue;
        term.atoms[moving] = term.atoms[--term.count];
        pitch = polynomial_plus(&pitch, &(IrPolynomial){ .count = 1, .terms = { term } }, 1);
    }
    return pitch;
}

bool count_apart_in_rows(const Count *c, const IrValue *a, const IrValue *b, int axis)
{
    const IrValue *array = a->operands[0];
    if (a->count != 2 || b->count != 2 || array->op != OP_var || b->operands[0]->op != OP_var ||
        array->var != b->operands[0]->var)
        return false;
    IrPolynomial one = polynomial_of(&c->sums, a->operands[1]);
    IrPolynomial other = polynomial_of(&c->sums, b->operands[1]);
    IrPolynomial apart = polynomial_plus(&one, &other, -1), pitch = pitch_of(c, &one, axis);
    if (one.count < 0 || apart.count < 1 || pitch.count != apart.count)
        return false;
    int64_t times = apart.terms[0].factor / (pitch.terms[0].factor ? pitch.terms[0].factor : 1);
    for (int k = 0; k < pitch.count; k++)
        if (__builtin_mul_overflow(pitch.terms[k].factor, times, &pitch.terms[k].factor))
            return false;
    apart = polynomial_plus(&apart, &pitch, -1);
    return times != 0 && apart.count == 0;
}

static void note_used(void *context, IrValue *value)
{
    Count *c = context;
    c->privates |= value->op == OP_var && value->var->kind == VAR_PRIVATE;
    if (value->op == OP_intrinsic &&
        (value->intrinsic == INTR_grid || value->intrinsic == INTR_gridsize))
        c->along[value->index].used = true;
}

void count_all(Count *c, const IrUnit *unit, const Guarded *guarded)
{
    ir_each_node_in(&unit->kernel->body, note_used, c);
    count_stmts(c, guarded->rest);
    const IrStmt *rest = guarded->rest;
    bool picks = rest && rest->kind == IR_IF && !rest->next &&
                 (!rest->if_.then.first || !rest->if_.otherwise.first);
    for (int axis = 0; axis < 3 && picks; axis++)
        c->checkered[axis] = halves(c, rest->if_.condition, axis);
}
