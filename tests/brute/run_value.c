/* Values, as the machine computes them, and the memory that arrays lie in. */
#include "tests/brute/run.h"

#include <math.h>
#include <string.h>

/* What a pass may have copied, unset, as long as nothing comes of it. */
static const int64_t ANYTHING = 77;
enum { STEPS_MOST = 20000, EVENTS_MOST = 60000 };

/* ---- numbers -------------------------------------------------------------------------------- */

int64_t run_wrapped(const Type *type, int64_t value)
{
    int unused = 64 - 8 * (int)type_size(type);
    if (type->kind == TY_BOOL)
        return value & 1;
    if (unused <= 0)
        return value;
    uint64_t high = (uint64_t)value << unused;
    return type_is_signed(type) ? (int64_t)high >> unused : (int64_t)(high >> unused);
}

/* A sum, difference or product; of signed integers it must not overflow. */
static int64_t arithmetic(Run *run, IrOp op, const Type *type, int64_t a, int64_t b)
{
    int64_t result;
    bool over = op == OP_add   ? __builtin_add_overflow(a, b, &result)
                : op == OP_sub ? __builtin_sub_overflow(a, b, &result)
                               : __builtin_mul_overflow(a, b, &result);
    if (type_is_signed(type) && (over || run_wrapped(type, result) != result))
        run_undefined(run);
    return run_wrapped(type, result);
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b && (a < 0) != (b < 0));
}

static int64_t divided(Run *run, IrOp op, const Type *type, int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    if (!type_is_signed(type))
        return (int64_t)(op == OP_floordiv ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b);
    if (b == -1)
        return op == OP_mod ? 0 : arithmetic(run, OP_sub, type, 0, a);
    return op == OP_floordiv ? floor_of(a, b) : a - b * floor_of(a, b);
}

static int64_t shifted(Run *run, IrOp op, const Type *type, int64_t a, int64_t b)
{
    if (b < 0 || b >= 8 * (int64_t)type_size(type))
        return run_undefined(run);
    if (op == OP_shr)
        return type_is_signed(type) ? a >> b : (int64_t)((uint64_t)a >> b);
    int64_t result = run_wrapped(type, (int64_t)((uint64_t)a << b));
    if (type_is_signed(type) && result >> b != a)
        run_undefined(run);
    return result;
}

int64_t run_compared(IrOp op, const Type *type, int64_t a, int64_t b)
{
    bool less = type_is_signed(type) ? a < b : (uint64_t)a < (uint64_t)b;
    switch ((int)op) {
    case OP_eq:
        return a == b;
    case OP_ne:
        return a != b;
    case OP_lt:
        return less;
    case OP_ge:
        return !less;
    case OP_le:
        return less || a == b;
    default:
        return !less && a != b;
    }
}

static int64_t binary(Run *run, const IrValue *value, int64_t a, int64_t b)
{
    if (ir_is_comparison(value->op))
        return run_compared(value->op, value->operands[0]->type, a, b);
    switch ((int)value->op) {
    case OP_add:
    case OP_sub:
    case OP_mul:
        return arithmetic(run, value->op, value->type, a, b);
    case OP_floordiv:
    case OP_mod:
        return divided(run, value->op, value->type, a, b);
    case OP_shl:
    case OP_shr:
        return shifted(run, value->op, value->type, a, b);
    case OP_and:
        return a & b;
    case OP_or:
        return a | b;
    case OP_xor:
        return a ^ b;
    default:
        return run_unsupported(run);
    }
}

/* ---- values --------------------------------------------------------------------------------- */

static int64_t place(const Runner *r, IrIntrinsic intrinsic, int axis)
{
    const Launch *launch = r->run->launch;
    int64_t block = launch->block[axis], grid = launch->grid[axis];
    switch ((int)intrinsic) {
    case INTR_thread_idx:
        return r->thread.thread_idx[axis];
    case INTR_block_idx:
        return r->thread.block_idx[axis];
    case INTR_block_dim:
        return block;
    case INTR_grid_dim:
        return grid;
    case INTR_grid:
        return r->thread.block_idx[axis] * block + r->thread.thread_idx[axis];
    default:
        return block * grid;
    }
}

/* A parameter, which may have been given axes. */
static Ref whole(Runner *r, const IrVar *array)
{
    const int64_t *shape = r->run->launch->shape[array->param];
    Ref ref = { array->param,
                array->type->array.rank,
                r->run->launch->base[array->param],
                { shape[0], shape[1] },
                { shape[1], 1 } };
    if (ref.rank > 2)
        run_unsupported(r->run);
    if (!array->extents || ref.rank > 2)
        return ref;
    int64_t row = run_evaluate(r, array->extents[0]);
    ref.shape[0] = row > 0 ? (shape[0] - 1) / row + 1 : 0; /* the last may end early */
    ref.shape[1] = ref.stride[0] = row;
    ref.stride[1] = 1;
    return ref;
}

/* A private array: they lie one behind the other. */
static Ref own(Runner *r, const IrVar *array)
{
    const IrFunc *fn = r->run->unit->kernel;
    Ref ref = { ARRAYS, array->type->array.rank, MEMORY, { array->shape[0], 1 }, { 1, 1 } };
    for (int i = 0; i < array->id; i++)
        ref.base += fn->vars[i]->kind == VAR_PRIVATE ? fn->vars[i]->shape[0] : 0;
    if (ref.rank > 1 || array->type->array.element != type_int64 ||
        ref.base + ref.shape[0] > MEMORY + OWN_MEMORY)
        run_unsupported(r->run);
    return ref;
}

static Ref slice(Runner *r, Ref ref, IrValue *const *operands)
{
    int64_t start = run_evaluate(r, operands[1]), count = run_evaluate(r, operands[2]),
            step = run_evaluate(r, operands[3]), last = start + step * (count - 1);
    if (count < 0 || (count && (start < 0 || start >= ref.shape[0])) ||
        (count && (last < 0 || last >= ref.shape[0])))
        run_undefined(r->run);
    ref.base += start * ref.stride[0];
    ref.stride[0] *= step;
    ref.shape[0] = count;
    return ref;
}

Ref run_array(Runner *r, const IrValue *array)
{
    if (array->op == OP_var && array->var->kind == VAR_PARAM)
        return whole(r, array->var);
    if (array->op == OP_var && array->var->kind == VAR_PRIVATE)
        return own(r, array->var);
    if (array->op == OP_var && r->thread.set[array->var->id])
        return r->thread.refs[array->var->id];
    if (array->op == OP_cast)
        return run_array(r, array->operands[0]);
    if (array->op == OP_view && strcmp(array->axes, "s") == 0)
        return slice(r, run_array(r, array->operands[0]), array->operands);
    if (array->op == OP_var && array->var->kind == VAR_LOCAL)
        run_undefined(r->run);
    else
        run_unsupported(r->run);
    return (Ref){ .rank = 1 };
}

static void note_traffic(Runner *r, int64_t at, int how)
{
    int *wrote = &r->traffic.wrote[at], *came = &r->traffic.came[at], own = r->thread.number + 1;
    if (how & (ACCESS_WRITE | ACCESS_ATOMIC)) {
        r->run->racy |= *came && *came != own;
        *wrote = own;
    }
    r->run->racy |= *wrote && *wrote != own;
    *came = *came && *came != own ? MANY : own;
}

/* Behind the last element of a parameter. */
static int64_t end_of(const Run *run, int param)
{
    const int64_t *shape = run->launch->shape[param];
    return run->launch->base[param] + shape[0] * shape[1];
}

int64_t run_element(Runner *r, const void *access, const IrValue *array, IrValue *const *indices,
                    int count, int how)
{
    Run *run = r->run;
    Ref ref = run_array(r, array);
    int64_t at = ref.base;
    for (int i = 0; i < count && !run->undefined; i++) {
        int64_t index = run_evaluate(r, indices[i]);
        if (type_is_signed(indices[i]->type) && index < 0)
            index += ref.shape[i];
        if (index < 0 || index >= ref.shape[i])
            run_undefined(run);
        at += index * ref.stride[i];
    }
    if (ref.owner < ARRAYS && at >= end_of(run, ref.owner))
        run_undefined(run);
    if (run->undefined)
        return -1;
    if (at < MEMORY)
        note_traffic(r, at, how);
    if (!run->quiet)
        array_push(run->arena, run->touches, run->touch_count, run->touch_capacity) =
            (Touch){ access, ref.owner, r->thread.number, r->thread.when, at, how };
    return at;
}

int64_t *run_cell(Runner *r, int64_t at)
{
    return at < MEMORY ? &r->run->memory[at] : &r->thread.own[at - MEMORY];
}

static int64_t load(Runner *r, const IrValue *value)
{
    int64_t at = run_element(r, value, value->operands[0], value->operands + 1, value->count - 1,
                             ACCESS_READ);
    return at < 0 ? 0 : *run_cell(r, at);
}

static int64_t atomic(Runner *r, const IrValue *value)
{
    const IrValue *last = value->operands[value->count - 1];
    int64_t at = run_element(r, value, value->operands[0], value->operands + 1, value->count - 2,
                             ACCESS_ATOMIC);
    int64_t by = run_evaluate(r, last);
    if (at < 0 || r->run->undefined)
        return 0;
    int64_t *to = run_cell(r, at), old = *to;
    if (value->intrinsic == INTR_atomic_add)
        *to = (int64_t)((uint64_t)old + (uint64_t)by);
    else
        *to = (value->intrinsic == INTR_atomic_max) == (old < by) ? by : old;
    return old;
}

static int64_t intrinsic(Runner *r, const IrValue *value)
{
    if (value->intrinsic <= INTR_gridsize)
        return place(r, value->intrinsic, value->index);
    switch ((int)value->intrinsic) {
    case INTR_atomic_add:
    case INTR_atomic_max:
    case INTR_atomic_min:
        return atomic(r, value);
    case INTR_min:
    case INTR_max: {
        int64_t a = run_evaluate(r, value->operands[0]), b = run_evaluate(r, value->operands[1]);
        bool less = run_compared(OP_lt, value->type, a, b);
        return less == (value->intrinsic == INTR_min) ? a : b;
    }
    default:
        return run_unsupported(r->run);
    }
}

static int64_t variable(Runner *r, const IrVar *var)
{
    if (var->kind == VAR_PARAM && var->param >= ARRAYS && var->param < PARAMS)
        return r->run->launch->scalar[var->param - ARRAYS];
    if (var->kind != VAR_LOCAL)
        return run_unsupported(r->run);
    if (!r->thread.set[var->id] && !r->run->quiet)
        run_undefined(r->run);
    return r->thread.set[var->id] ? r->thread.vars[var->id] : run_wrapped(var->type, ANYTHING);
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* They are kept as the bits of a float64. */
static double number_of(int64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static int64_t bits_of(const Type *type, double number)
{
    int64_t bits;
    if (type == type_float32)
        number = (float)number;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static int64_t float_binary(Run *run, const IrValue *value, double a, double b)
{
    switch ((int)value->op) {
    case OP_eq:
        return a == b;
    case OP_ne:
        return a != b;
    case OP_lt:
        return a < b;
    case OP_le:
        return a <= b;
    case OP_gt:
        return a > b;
    case OP_ge:
        return a >= b;
    case OP_add:
        return bits_of(value->type, a + b);
    case OP_sub:
        return bits_of(value->type, a - b);
    case OP_mul:
        return bits_of(value->type, a * b);
    case OP_div:
        return bits_of(value->type, a / b);
    default:
        return run_unsupported(run);
    }
}

/* What is too large becomes the end of the type that it is beyond, and NaN 0. */
static int64_t whole_number(const Type *type, double number)
{
    int bits = 8 * (int)type_size(type);
    double high = ldexp(1, type_is_signed(type) ? bits - 1 : bits),
           low = type_is_signed(type) ? -high : 0;
    if (number != number)
        return 0;
    if (number >= high)
        return type_is_signed(type) ? (int64_t)((UINT64_C(1) << (bits - 1)) - 1)
                                    : run_wrapped(type, -1);
    if (number <= low)
        return type_is_signed(type) ? run_wrapped(type, (int64_t)(UINT64_C(1) << (bits - 1))) : 0;
    return type_is_signed(type) ? (int64_t)number : (int64_t)(uint64_t)number;
}

static int64_t converted(const Type *to, const Type *from, int64_t value)
{
    bool wide = from->kind == TY_UINT64;
    if (type_is_float(from)) {
        double number = number_of(value);
        return type_is_float(to)     ? bits_of(to, number)
               : to->kind == TY_BOOL ? number != 0
                                     : whole_number(to, number);
    }
    if (to == type_float32)
        return bits_of(to, wide ? (float)(uint64_t)value : (float)value);
    if (type_is_float(to))
        return bits_of(to, wide ? (double)(uint64_t)value : (double)value);
    return to->kind == TY_BOOL ? value != 0 : run_wrapped(to, value);
}

/* ---- operations ------------------------------------------------------------------------------ */

static int64_t operation(Runner *r, const IrValue *value)
{
    IrValue *const *operands = value->operands;
    switch ((int)value->op) {
    case OP_constant:
        return type_is_float(value->type) ? bits_of(value->type, value->constant.number)
                                          : value->constant.integer;
    case OP_zero:
        return 0;
    case OP_var:
        return variable(r, value->var);
    case OP_neg:
        if (type_is_float(value->type))
            return bits_of(value->type, -number_of(run_evaluate(r, operands[0])));
        return arithmetic(r->run, OP_sub, value->type, 0, run_evaluate(r, operands[0]));
    case OP_invert:
        return run_wrapped(value->type, ~run_evaluate(r, operands[0]));
    case OP_not:
        return !run_evaluate(r, operands[0]);
    case OP_and_then:
        return run_evaluate(r, operands[0]) && run_evaluate(r, operands[1]);
    case OP_or_else:
        return run_evaluate(r, operands[0]) || run_evaluate(r, operands[1]);
    case OP_select:
        return run_evaluate(r, operands[run_evaluate(r, operands[0]) ? 1 : 2]);
    case OP_cast:
        return converted(value->type, operands[0]->type, run_evaluate(r, operands[0]));
    case OP_extent:
        return run_array(r, operands[0]).shape[value->index];
    case OP_load:
        return load(r, value);
    case OP_intrinsic:
        return intrinsic(r, value);
    default:
        break;
    }
    if (value->count != 2)
        return run_unsupported(r->run);
    int64_t a = run_evaluate(r, operands[0]), b = run_evaluate(r, operands[1]);
    if (type_is_float(operands[0]->type))
        return float_binary(r->run, value, number_of(a), number_of(b));
    return binary(r->run, value, a, b);
}

static bool is_number(const Type *type)
{
    return type_is_integer(type) || type->kind == TY_BOOL || type == type_float32 ||
           type == type_float64;
}

int64_t run_evaluate(Runner *r, const IrValue *value)
{
    Run *run = r->run;
    if (run->undefined || !is_number(value->type))
        return run->undefined ? 0 : run_unsupported(run);
    if (++r->thread.steps > (run->quiet ? 8 * STEPS_MOST : STEPS_MOST))
        return run_undefined(run);
    int64_t result = operation(r, value);
    int slot = run->quiet || run->undefined ? 0 : *run_slot(run, value);
    if (!slot)
        return result;
    if (run->event_count == EVENTS_MOST)
        return run_undefined(run);
    array_push(run->arena, run->events, run->event_count, run->event_capacity) =
        (Event){ slot - 1, r->thread.number, r->thread.when, result };
    if (run->each)
        run->each(run->context, run, slot - 1, result);
    return result;
}

bool run_value(Run *run, const IrValue *value, int64_t *result)
{
    Runner *r = run->at;
    bool quiet = run->quiet;
    run->quiet = true;
    *result = run_evaluate(r, value);
    run->quiet = quiet;
    bool fine = !run->undefined;
    run->undefined = false;
    return fine;
}
