/* DIALECT_CHECK: which arithmetic goes into an index, where overflow is an error rather than
** intended wrapping.
**
** A backward analysis from the indices of all accesses, through variables, parameters and results
** of functions. It stops at %, &, >> and the like, by which hashes and random generators reduce
** numbers that wrap on purpose. A cast to a narrower signed type must not lose bits. A cast to a
** narrower unsigned type may do so on purpose, as & does: if its operand comes from bit operations,
** if the result is divided, or if the axis has as many elements as the type has values, which only
** shows at the access. Therefore a forward analysis (origin.c) finds which of these casts each
** index may be computed from. Storing a value in an array of a narrower type is such a cast too, if
** elements of that array are used as indices. */
#include "codegen/check/flow.h"

/* How a value goes into an index: at all; without division. */
enum { GOES = 1, GOES_WHOLE = 2 };

static void note(IndexFlow *flow, uint8_t *flag, uint8_t how)
{
    flow->changed |= (*flag | how) != *flag;
    *flag |= how;
}

static void mark(IndexFlow *flow, const IrValue *value);

static void mark_operands(IndexFlow *flow, const IrValue *value, int first)
{
    for (int i = first; i < value->count; i++)
        mark(flow, value->operands[i]);
}

static void collect(IndexFlow *flow, const IrValue *value, CheckIndexKind kind)
{
    CheckState *check = flow->check;

    if (flow->collects)
        array_push(flow->e->arena, check->indices, check->index_count, check->index_capacity) =
            (CheckIndex){ value, kind, check->index_count };
}

/* ---- casts to unsigned types ----------------------------------------------------------------- */

static bool is_narrower(const IrValue *cast)
{
    const Type *from = cast->operands[0]->type;

    return type_is_integer(from) && type_is_integer(cast->type) &&
           type_size(cast->type) < type_size(from);
}

static const IrValue *without_casts(const IrValue *value)
{
    while (value->op == OP_cast && type_is_integer(value->operands[0]->type) &&
           type_is_integer(value->type))
        value = value->operands[0];
    return value;
}

/* A value with casts removed and variables that are set once replaced by what they hold. */
static const IrValue *settled(const IndexFlow *flow, const IrValue *value)
{
    value = without_casts(value);
    for (int depth = 0; depth < 8 && value->op == OP_var; depth++) {
        const IrValue *only = sets_value(&flow->sets[flow->fn], value->var);
        if (!only)
            break;
        value = without_casts(only);
    }
    return value;
}

/* Whether a value comes from bit operations, so that dropping its upper bits is intended. */
static bool takes_bits(const IndexFlow *flow, const IrValue *value)
{
    switch ((int)settled(flow, value)->op) {
    case OP_shr:
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_invert:
    case OP_bits:
    case OP_constant:
        return true;
    default:
        return false;
    }
}

static void mark_cut(IndexFlow *flow, const IrValue *cast, CheckIndexKind kind)
{
    if (!takes_bits(flow, cast->operands[0]) && flow->how & GOES_WHOLE)
        collect(flow, cast, kind);
}

static void mark_cast(IndexFlow *flow, const IrValue *cast)
{
    const IrValue *from = cast->operands[0];
    bool reads_sign = type_is_integer(from->type) && type_is_unsigned(from->type) &&
                      type_is_signed(cast->type) && type_size(cast->type) <= type_size(from->type);

    if (is_narrower(cast) && type_is_unsigned(cast->type)) {
        mark_cut(flow, cast, INDEX_CUT);
        return;
    }
    if (is_narrower(cast) || reads_sign)
        collect(flow, cast, INDEX_EXACT);
    mark(flow, from);
}

/* ---- elements that are indices --------------------------------------------------------------- */

const IrVar *array_behind(const IrValue *array)
{
    while (array->count &&
           (array->op == OP_view || array->op == OP_transpose || array->op == OP_field ||
            array->op == OP_recast || array->op == OP_cast))
        array = array->operands[0];
    return array->op == OP_var && type_is_array(array->type) ? array->var : NULL;
}

static void mark_element(IndexFlow *flow, const IrValue *load)
{
    const IrVar *array = array_behind(load->operands[0]);

    if (array && type_size(load->type) < 8)
        note(flow, &flow->elements[flow->fn][array->id], flow->how);
}

/* A value that is stored in an array whose elements are used as indices. */
static void mark_stored(IndexFlow *flow, const IrValue *value)
{
    if (value->op == OP_cast && is_narrower(value))
        mark_cut(flow, value, INDEX_STORED);
    else if (value->op == OP_select)
        for (int i = 1; i < 3; i++)
            mark_stored(flow, value->operands[i]);
}

/* Two variables may stand for one array: what holds for the elements of one holds for the
** other's. */
static void join_elements(IndexFlow *flow, uint8_t *one, uint8_t *other)
{
    note(flow, one, *other);
    note(flow, other, *one);
}

/* ---- backwards ------------------------------------------------------------------------------- */

static void mark_divided(IndexFlow *flow, const IrValue *value)
{
    uint8_t how = flow->how;

    flow->how &= (uint8_t)~GOES_WHOLE;
    mark_operands(flow, value, 0);
    flow->how = how;
}

/* Whether arithmetic of a type, which exists only with NumPy 2's typing, wraps like a cast to
** it. */
static bool is_small(const Type *type)
{
    return type_is_unsigned(type) && type_size(type) < 4;
}

/* A value goes into an index. */
static void mark(IndexFlow *flow, const IrValue *value)
{
    if (!type_is_integer(value->type))
        return;
    switch ((int)value->op) {
    case OP_var:
        note(flow, &flow->vars[flow->fn][value->var->id], flow->how);
        return;
    case OP_call:
        note(flow, &flow->results[ir_function_number(flow->e->unit, value->callee)], flow->how);
        return;
    case OP_neg:
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_shl:
        collect(flow, value, is_small(value->type) ? INDEX_CUT : INDEX_EXACT);
        mark_operands(flow, value, 0);
        return;
    case OP_load:
        mark_element(flow, value);
        return;
    case OP_cast:
        mark_cast(flow, value);
        return;
    case OP_floordiv:
        mark_divided(flow, value);
        return;
    case OP_select:
        mark_operands(flow, value, 1);
        return;
    case OP_item:
        if (value->operands[0]->op == OP_tuple)
            mark(flow, value->operands[0]->operands[value->index]);
        return;
    case OP_intrinsic:
        if (value->intrinsic == INTR_min || value->intrinsic == INTR_max)
            mark_operands(flow, value, 0);
        return;
    default:
        return;
    }
}

/* Marks a value with how it goes into an index, if it does. */
static void mark_as(IndexFlow *flow, const IrValue *value, uint8_t how)
{
    flow->how = how;
    if (how)
        mark(flow, value);
    flow->how = GOES | GOES_WHOLE;
}

static void mark_arguments(IndexFlow *flow, const IrValue *call)
{
    int callee = ir_function_number(flow->e->unit, call->callee);

    for (int i = 0; i < call->count; i++) {
        const IrVar *array = array_behind(call->operands[i]);
        if (array)
            join_elements(flow, &flow->elements[flow->fn][array->id], &flow->elements[callee][i]);
        else
            mark_as(flow, call->operands[i], flow->vars[callee][i]);
    }
}

/* Not the stops of slices, which are clamped. */
static void mark_view(IndexFlow *flow, const IrValue *view)
{
    IrValue *const *operand = view->operands + 1;
    for (const char *axis = view->axes; *axis; axis++) {
        if (*axis != 'n')
            mark(flow, *operand);
        operand += *axis == 'i' ? 1 : *axis == 's' ? 3 : 0;
    }
}

/* Marks the indices of one node. */
static void mark_node(void *context, IrValue *value)
{
    IndexFlow *flow = context;
    switch ((int)value->op) {
    case OP_view:
        mark_view(flow, value);
        return;
    case OP_load:
    case OP_item_at:
        mark_operands(flow, value, 1);
        return;
    case OP_call:
        mark_arguments(flow, value);
        return;
    case OP_intrinsic:
        for (int i = 0; i < emit_atomic_indices(value); i++)
            mark(flow, value->operands[1 + i]);
        return;
    default:
        return;
    }
}

static void mark_store(IndexFlow *flow, const IrStmt *stmt)
{
    const IrVar *array = array_behind(stmt->store.array);

    for (int i = 0; i < stmt->store.count; i++)
        mark(flow, stmt->store.indices[i]);
    if (array && flow->elements[flow->fn][array->id]) {
        flow->how = flow->elements[flow->fn][array->id];
        mark_stored(flow, stmt->store.value);
        flow->how = GOES | GOES_WHOLE;
    }
}

static void mark_set(IndexFlow *flow, const IrStmt *stmt)
{
    const IrVar *var = stmt->set.var, *array = array_behind(stmt->set.value);
    uint8_t *elements = flow->elements[flow->fn];

    if (array && type_is_array(var->type))
        join_elements(flow, &elements[var->id], &elements[array->id]);
    else
        mark_as(flow, stmt->set.value, flow->vars[flow->fn][var->id]);
}

static void mark_stmt(void *context, IrStmt *stmt)
{
    IndexFlow *flow = context;
    const uint8_t *vars = flow->vars[flow->fn];
    switch (stmt->kind) {
    case IR_STORE:
        mark_store(flow, stmt);
        return;
    case IR_SET:
        mark_set(flow, stmt);
        return;
    case IR_FOR:
        mark_as(flow, stmt->for_.start, vars[stmt->for_.var->id]);
        mark_as(flow, stmt->for_.step, vars[stmt->for_.var->id]);
        return;
    case IR_RETURN:
        if (stmt->return_.value)
            mark_as(flow, stmt->return_.value, flow->results[flow->fn]);
        return;
    default:
        return;
    }
}

static void mark_function(IndexFlow *flow, const IrFunc *fn)
{
    flow->fn = ir_function_number(flow->e->unit, fn);
    flow->how = GOES | GOES_WHOLE;
    ir_each_node_in(&fn->body, mark_node, flow);
    ir_each_stmt(&fn->body, mark_stmt, flow);
}

/* Visits all functions, callers before callees. */
static void each_function(IndexFlow *flow, void (*go_over)(IndexFlow *flow, const IrFunc *fn))
{
    const IrUnit *unit = flow->e->unit;

    flow->changed = false;
    go_over(flow, unit->kernel);
    for (int i = unit->count; i-- > 0;)
        go_over(flow, unit->functions[i]);
}

/* ---- the unit -------------------------------------------------------------------------------- */

static void note_function(IndexFlow *flow, const IrFunc *fn)
{
    flow->fn = ir_function_number(flow->e->unit, fn);
    flow->sets[flow->fn] = ir_sets(flow->e->arena, fn, &fn->body);
}

static int by_address(const void *a, const void *b)
{
    const CheckIndex *x = a, *y = b;

    if (x->value != y->value)
        return (uintptr_t)x->value < (uintptr_t)y->value ? -1 : 1;
    return x->number - y->number;
}

/* Allocates the tables by function and variable. */
static void make_room(IndexFlow *flow)
{
    const IrUnit *unit = flow->e->unit;
    Arena *arena = flow->e->arena;
    CheckState *check = flow->check;
    int count = unit->count + 1;

    flow->vars = arena_array(arena, uint8_t *, count);
    flow->elements = arena_array(arena, uint8_t *, count);
    flow->results = arena_array(arena, uint8_t, count);
    flow->sets = arena_array(arena, IrSets, count);
    check->index_vars = arena_array(arena, uint64_t *, count);
    check->index_elements = arena_array(arena, uint64_t *, count);
    check->index_results = arena_array(arena, uint64_t, count);
    for (int i = 0; i < count; i++) {
        int vars = (i < unit->count ? unit->functions[i] : unit->kernel)->var_count + 1;
        flow->vars[i] = arena_array(arena, uint8_t, vars);
        flow->elements[i] = arena_array(arena, uint8_t, vars);
        check->index_vars[i] = arena_array(arena, uint64_t, vars);
        check->index_elements[i] = arena_array(arena, uint64_t, vars);
    }
}

void check_find_indices(Emitter *e)
{
    IndexFlow flow = { .e = e, .check = e->check };

    make_room(&flow);
    each_function(&flow, note_function);
    do
        each_function(&flow, mark_function);
    while (flow.changed);
    flow.collects = true;
    each_function(&flow, mark_function);
    if (!e->check->index_count)
        return;
    qsort(e->check->indices, (size_t)e->check->index_count, sizeof *e->check->indices, by_address);
    do
        each_function(&flow, pass_function);
    while (flow.changed);
}
