/* What operations count as: an addition, subtraction, multiplication, division, remainder, power or
** function of floats is one operation, however many instructions it takes; a fused multiply-add is
** two. Comparisons, conversions, signs, minima, maxima and roundings are none. Of complex numbers,
** the operations on their parts: 2 for a sum, 6 for a product, and 11 for a quotient as it is
** learnt at school. */
#include "ir/predict/count.h"

enum { SUM_PARTS = 2, PRODUCT_PARTS = 6, QUOTIENT_PARTS = 11 };

/* ---- operations ----------------------------------------------------------------------------- */

static int width_of(const Type *type)
{
    size_t size = type_size(type_is_complex(type) ? type_complex_part(type) : type);

    return size == 2 ? 0 : size == 4 ? 1 : 2;
}

static void add_flops(IrWork *work, const Type *type, uint64_t real, uint64_t complex)
{
    if (type_is_float(type))
        work->flops[width_of(type)] += real;
    else if (type_is_complex(type))
        work->flops[width_of(type)] += complex;
}

/* Functions of floats that are no arithmetic. */
static bool is_free(IrIntrinsic intrinsic)
{
    static const IrIntrinsic list[] = {
        INTR_fabs,
        INTR_abs,
        INTR_min,
        INTR_max,
        INTR_ceil,
        INTR_floor,
        INTR_trunc,
        INTR_copysign,
        INTR_nextafter,
        INTR_selp,
        INTR_ldexp,
        INTR_modf_fraction,
        INTR_logb,
        INTR_rint,
        INTR_round_away,
        INTR_frexp_fraction,
        INTR_saturate,
        INTR_max_nan,
        INTR_min_nan,
        INTR_round_digits,
        INTR_shfl_sync,
        INTR_shfl_up_sync,
        INTR_shfl_down_sync,
        INTR_shfl_xor_sync,
    };

    for (size_t i = 0; i < ARRAY_COUNT(list); i++) {
        if (list[i] == intrinsic)
            return true;
    }
    return false;
}

static void count_operation(IrWork *work, const IrValue *value)
{
    switch (value->op) {
    case OP_add:
    case OP_sub:
        add_flops(work, value->type, 1, SUM_PARTS);
        return;
    case OP_mul:
        add_flops(work, value->type, 1, PRODUCT_PARTS);
        return;
    case OP_div:
        add_flops(work, value->type, 1, QUOTIENT_PARTS);
        return;
    case OP_floordiv:
    case OP_mod:
    case OP_pow:
        add_flops(work, value->type, 1, 1);
        return;
    default:
        return;
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

int count_param_of(const IrPointsTo *points_to, int params, const IrValue *array)
{
    const uint64_t *set = ir_pointees(points_to, array);
    int found = -1;
    bool elsewhere = ir_pointees_elsewhere(points_to, set), own = false;

    for (int id = 0; id < points_to->count; id++) {
        if (!ir_pointees_have(set, id))
            continue;
        if (points_to->fn->vars[id]->kind != VAR_PARAM)
            own = true;
        else
            found = found < 0 ? id : params;
    }
    if (elsewhere || (own && found >= 0))
        return params;
    return found >= 0 || own ? found : params;
}

static void add_bytes(uint64_t *bytes, int param, const Type *type)
{
    if (param >= 0)
        bytes[param] += type_size(type);
}

static void count_intrinsic(const IrPointsTo *points_to, int params, IrWork *work,
                            const IrValue *value)
{
    if (ir_changes_element(value->intrinsic)) {
        bool sum = value->intrinsic == INTR_atomic_add || value->intrinsic == INTR_atomic_sub;
        add_bytes(work->atomics, count_param_of(points_to, params, value->operands[0]),
                  value->type);
        add_flops(work, value->type, sum, sum ? SUM_PARTS : 0);
    } else if (value->intrinsic == INTR_fma ||
               (value->intrinsic >= INTR_fma_rn && value->intrinsic <= INTR_fma_rd)) {
        add_flops(work, value->type, 2, 2);
    } else if (!is_free(value->intrinsic)) {
        add_flops(work, value->type, 1, 1);
    }
}

/* ---- what is offered ------------------------------------------------------------------------ */

IrWork count_no_work(Arena *arena, int params)
{
    return (IrWork){ .loads = arena_array(arena, uint64_t, params + 1),
                     .stores = arena_array(arena, uint64_t, params + 1),
                     .atomics = arena_array(arena, uint64_t, params + 1) };
}

bool count_is_work(const IrWork *work, int params)
{
    for (int i = 0; i < COUNT_WIDTHS; i++) {
        if (work->flops[i])
            return true;
    }
    for (int i = 0; i <= params; i++) {
        if (work->loads[i] || work->stores[i] || work->atomics[i])
            return true;
    }
    return false;
}

void count_value(const IrPointsTo *points_to, int params, IrWork *work, const IrValue *value)
{
    if (value->op == OP_load)
        add_bytes(work->loads, count_param_of(points_to, params, value->operands[0]), value->type);
    else if (value->op == OP_intrinsic)
        count_intrinsic(points_to, params, work, value);
    else
        count_operation(work, value);
}

void count_store(const IrPointsTo *points_to, int params, IrWork *work, const IrStmt *stmt)
{
    const Type *element = stmt->store.array->type->array.element;

    add_bytes(work->stores, count_param_of(points_to, params, stmt->store.array), element);
}
