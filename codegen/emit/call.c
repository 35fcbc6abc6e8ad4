/* Calls: device functions, intrinsics, atomics. */
#include "codegen/emit/expr.h"

#define INTR(id, prec, cuda, c) [INTR_##id] = { PREC_##prec, { cuda, c } },
static const struct {
    Prec prec;
    const char *text[2]; /* by Dialect; DIALECT_CHECK as DIALECT_C where check/check.c has none */
} intrinsic_texts[INTR_COUNT] = {
#include "codegen/emit/text.def"
};

enum {
    INTRINSICS_COVERED = 0
#define INTR(id, prec, cuda, c) +1
#include "codegen/emit/text.def"
};
_Static_assert((int)INTRINSICS_COVERED == (int)INTR_COUNT,
               "every intrinsic has its line in text.def");

const char *call_text(Emitter *e, const IrValue *value)
{
    const char *comma = "";
    Buf out = buf_in(e->arena);
    buf_printf(&out, "%s(", emit_function_name(e, value->callee));
    if (e->context_arg) {
        buf_puts(&out, check_caller(e, value));
        comma = ", ";
    }
    for (int i = 0; i < value->count; i++) {
        buf_printf(&out, "%s%s", comma, value_assigned(e, value->operands[i], PREC_ARGUMENT));
        comma = ", ";
    }
    if (emit_function_faults(e, value->callee))
        buf_printf(&out, "%s%s", comma, e->fault_name);
    buf_putc(&out, ')');
    return buf_text(&out);
}

/* ---- atomics --------------------------------------------------------------------------- */

/* Whether only one processor comes to an array's memory in C: a worker runs a block alone. */
static bool is_alone(const Emitter *e, const IrValue *array)
{
    const IrVar *var = ir_array_base(array);

    return e->dialect != DIALECT_CUDA && var &&
           (var->merged || ir_is_shared(var) || var->kind == VAR_PRIVATE);
}

/* The prelude's function for an atomic operation. */
static const char *atomic_name(Emitter *e, const IrValue *value)
{
    const IrValue *array = value->operands[0];
    const char *name = intrinsic_texts[value->intrinsic].text[e->dialect != DIALECT_CUDA];

    const char *alone = arena_printf(e->arena, "alone_%s", name + strlen("atomic_"));
    if (is_alone(e, array) && prelude_has(e, alone, array->type->array.element))
        name = alone;
    return prelude(e, name, array->type->array.element);
}

int emit_atomic_indices(const IrValue *value)
{
    bool two = value->op == OP_intrinsic && (value->intrinsic == INTR_atomic_cas ||
                                             value->intrinsic == INTR_atomic_compare_and_swap);
    bool atomic = value->op == OP_intrinsic && ir_changes_element(value->intrinsic);

    return atomic ? value->count - 2 - two : 0;
}

/* Checked, operands come before the place is asked for: what is no plain name gets one. */
static const char *checked_atomic_text(Emitter *e, const IrValue *value)
{
    int first = 1 + emit_atomic_indices(value);
    Buf names = buf_in(e->arena);
    Buf values = buf_in(e->arena);
    for (int i = first; i < value->count; i++) {
        const IrValue *operand = value->operands[i];
        const char *text = value_text(e, operand, PREC_ARGUMENT);
        if (operand->count) /* of its own type, half floats too */
            text = held_operand(e, operand->type, text, &values);
        buf_printf(&names, ", %s", text);
    }
    const char *call = check_swap_text(e, value, atomic_name(e, value), buf_text(&names));
    return values.length ? arena_printf(e->arena, "({ %s%s; })", buf_text(&values), call) : call;
}

/* Whether an array is known to lie in global memory: a parameter of the kernel. */
static bool is_global(const Emitter *e, const IrValue *array)
{
    const IrVar *var = ir_array_base(array);
    const IrFunc *kernel = e->unit->kernel;

    return var && var->kind == VAR_PARAM && var->id < kernel->var_count &&
           kernel->vars[var->id] == var;
}

/* Whether an atomic in shared memory is one instruction, or a loop in the prelude's own text, which
** ptxas sees as it is: it made code of which lanes never met, in a loop, where they then waited for
** one another there, too. */
static bool is_seen_whole(IrIntrinsic atomic, const Type *element)
{
    bool extreme = atomic == INTR_atomic_max || atomic == INTR_atomic_min ||
                   atomic == INTR_atomic_nanmax || atomic == INTR_atomic_nanmin;
    return (extreme && type_is_float(element)) || atomic == INTR_atomic_cas ||
           atomic == INTR_atomic_compare_and_swap;
}

/* CUDA: whether lanes may come out of an atomic one by one (met of the prelude). */
static bool parts_lanes(const Emitter *e, const IrValue *atomic)
{
    const IrValue *array = atomic->operands[0];
    const Type *element = array->type->array.element;

    return e->dialect == DIALECT_CUDA && !is_global(e, array) &&
           !is_seen_whole(atomic->intrinsic, element) &&
           (element == type_float32 || element == type_float64 || element == type_int64 ||
            element == type_uint64);
}

static const char *atomic_text(Emitter *e, const IrValue *value)
{
    const IrValue *array = value->operands[0];
    int indices = emit_atomic_indices(value);

    if (e->dialect == DIALECT_CHECK)
        return checked_atomic_text(e, value);
    if (exact_is_accumulator(e, array))
        return exact_atomic_text(e, value);

    Buf out = buf_in(e->arena);
    const bool by_branch = e->by_branch;
    e->by_branch = e->dialect == DIALECT_C;
    const char *address =
        element_address_text(e, array, value->operands + 1, indices, PREC_ARGUMENT);
    e->by_branch = by_branch;
    buf_printf(&out, "%s(%s", atomic_name(e, value), address);
    for (int i = 1 + indices; i < value->count; i++)
        buf_printf(&out, ", %s", value_assigned(e, value->operands[i], PREC_ARGUMENT));
    buf_putc(&out, ')');
    if (!parts_lanes(e, value))
        return buf_text(&out);
    return arena_printf(e->arena, "%s<%s>{ __activemask(), %s }.found()", prelude(e, "met", NULL),
                        type_text(e, array->type->array.element), buf_text(&out));
}

/* An atomic for each element of a private array. */
static const char *atomic_each_text(Emitter *e, const IrValue *value)
{
    const IrValue *array = value->operands[0];
    const IrVar *held = value->operands[value->count - 2]->var;
    const char *piece = prelude(e, "atomic_add_each", array->type->array.element);
    return arena_printf(
        e->arena, "%s(%s, %s, %d, %s)", piece,
        element_address_text(e, array, value->operands + 1, value->count - 3, PREC_ARGUMENT),
        var_text(e, held), (int)held->shape[0],
        value_assigned(e, value->operands[value->count - 1], PREC_ARGUMENT));
}

/* ---- memory ---------------------------------------------------------------------------- */

/* For C alone: no other dialect gets it. */
static const char *prefetch_text(Emitter *e, const IrValue *value)
{
    const IrValue *array = value->operands[0];
    int indices = value->count - 2;
    return arena_printf(e->arena, "%s(%s, %dLL * %s)", prelude(e, "prefetch", NULL),
                        element_address_text(e, array, value->operands + 1, indices, PREC_ARGUMENT),
                        (int)type_size(array->type->array.element),
                        value_text(e, value->operands[value->count - 1], PREC_UNARY));
}

/* For C alone, too. */
static const char *rows_load_text(Emitter *e, const IrValue *value)
{
    const IrValue *array = value->operands[1];
    int rank = array->type->array.rank, bytes = (int)type_size(array->type->array.element);
    const char *piece = prelude(e, bytes == 8 ? "rows_load8" : "rows_load4", NULL);
    IrValue *const *indices = value->operands + 2;
    const char *first = element_address_text(e, array, indices, rank, PREC_ARGUMENT);
    const char *second = element_address_text(e, array, indices + rank, rank, PREC_ARGUMENT);
    return arena_printf(e->arena, "%s(%s, %s, %s)", piece, var_text(e, value->operands[0]->var),
                        first, second);
}

/* Copies between a private array and elements of another. */
static const char *wide_text(Emitter *e, const IrValue *value)
{
    bool load = value->intrinsic == INTR_wide_load;
    const IrValue *array = value->operands[load];
    const IrVar *here = value->operands[load ? 0 : value->count - 1]->var;
    const char *there =
        element_address_text(e, array, value->operands + 1 + load, value->count - 2, PREC_ARGUMENT);
    const char *name = var_text(e, here), *to = load ? name : there, *from = load ? there : name;
    int bytes = (int)here->shape[0] * (int)type_size(here->type->array.element);

    if (e->dialect != DIALECT_CUDA)
        return arena_printf(e->arena, "__builtin_memcpy(%s, %s, %d)", to, from, bytes);
    bool stores = !load && (bytes == 16 || bytes == 32);
    const char *kind = load && is_global(e, array) ? "load" : stores ? "store" : "copy";
    const char *piece = prelude(e, arena_printf(e->arena, "wide_%s%d", kind, bytes), NULL);
    return arena_printf(e->arena, "%s(%s, %s)", piece, to, from);
}

/* Elements on their way to shared memory. */
static const char *async_copy_text(Emitter *e, const IrValue *value)
{
    int source = ir_async_source(value);
    const IrValue *to = value->operands[0], *from = value->operands[source];
    const char *there = element_address_text(e, to, value->operands + 1, source - 1, PREC_ARGUMENT);
    const char *here = element_address_text(e, from, value->operands + source + 1,
                                            value->count - source - 2, PREC_ARGUMENT);
    int bytes = (int)type_size(to->type->array.element) *
                (int)value->operands[value->count - 1]->constant.integer;

    if (e->dialect != DIALECT_CUDA)
        return arena_printf(e->arena, "__builtin_memcpy(%s, %s, %d)", there, here, bytes);
    return arena_printf(e->arena, "%s(%s, %s)",
                        prelude(e, arena_printf(e->arena, "async_copy%d", bytes), NULL), there,
                        here);
}

/* ---- boxes of arrays ----------------------------------------------------------------------- */

/* What is done with an mbarrier; the processor loads at once, and has none. */
static const char *tile_barrier_text(Emitter *e, const IrValue *value)
{
    const IrValue *ready = value->operands[0];

    if (e->dialect != DIALECT_CUDA)
        return "(void)0";
    const char *name = prelude(e, ir_intrinsics[value->intrinsic].name, NULL);
    if (value->intrinsic == INTR_tile_begin)
        return arena_printf(e->arena, "%s(%s, %lld)", name, var_text(e, ready->var),
                            (long long)ready->var->shape[0]);
    return arena_printf(e->arena, "%s(%s, %s)", name,
                        element_address_text(e, ready, value->operands + 1, 1, PREC_ARGUMENT),
                        value_text(e, value->operands[2], PREC_ARGUMENT));
}

/* Numbers of an array's axes, the last one first if `turned`. */
static const char *axes_text(Emitter *e, IrValue *const *numbers, int count, bool turned)
{
    Buf out = buf_in(e->arena);
    for (int i = 0; i < count; i++)
        buf_printf(&out, "%s%s", i ? ", " : "",
                   value_text(e, numbers[turned ? count - 1 - i : i], PREC_ARGUMENT));
    return buf_text(&out);
}

/* The processor goes through the box itself. */
static const char *tile_load_c_text(Emitter *e, const IrValue *value, const char *to)
{
    IrValue *const *at = value->operands;
    const IrValue *array = at[TILE_LOAD_SOURCE];
    const IrHidden *map = ir_hidden_of(e->unit, at[TILE_LOAD_MAP]->var);
    int rank = array->type->array.rank;
    IrValue *extents[MAP_MOST_AXES], *first[MAP_MOST_AXES];

    for (int axis = 0; axis < rank; axis++) {
        extents[axis] = ir_extent(e->arena, (IrValue *)array, axis, value->span);
        first[axis] = ir_integer(e->arena, type_int64, 0, value->span);
    }
    return arena_printf(
        e->arena,
        "%s(%s, %s, %d, %d, (const long long[]){ %s }, (const long long[]){ %s }, "
        "%d, %d)",
        prelude(e, "tile_load", NULL), to,
        element_address_text(e, array, first, rank, PREC_ARGUMENT),
        (int)type_size(array->type->array.element), rank, axes_text(e, extents, rank, false),
        axes_text(e, at + TILE_LOAD_SOURCE + 1, rank, false), map->along, map->rows);
}

static const char *tile_load_text(Emitter *e, const IrValue *value)
{
    IrValue *const *at = value->operands;
    int rank = value->count - TILE_LOAD_SOURCE - 1;
    const char *to = element_address_text(e, at[0], at + 1, 3, PREC_ARGUMENT), *ready;

    if (e->dialect != DIALECT_CUDA)
        return tile_load_c_text(e, value, to);
    ready =
        element_address_text(e, at[TILE_LOAD_READY], at + TILE_LOAD_READY + 1, 1, PREC_ARGUMENT);
    return arena_printf(e->arena, "%s(%s, %s, %s, %s)",
                        prelude(e, arena_printf(e->arena, "tile_load%d", rank), NULL), to, ready,
                        var_text(e, at[TILE_LOAD_MAP]->var),
                        axes_text(e, at + TILE_LOAD_SOURCE + 1, rank, true));
}

/* ---- products of tiles --------------------------------------------------------------------- */

/* How far apart two elements of a tile lie that differ in the row or column of the result alone,
** and that differ in k alone. */
static const char *tile_steps(Emitter *e, const IrValue *tile, const IrValue *order)
{
    long long row = tile->var->shape[2];

    return order->constant.integer ? arena_printf(e->arena, "1, %lld", row)
                                   : arena_printf(e->arena, "%lld, 1", row);
}

static const char *byte_sign(const IrValue *tile)
{
    return type_is_signed(tile->type->array.element) ? "true" : "false";
}

/* Elements between a tile's numbers and their rests; 0: it has none. */
static long long tile_rest(const IrVar *tile, TileForm form)
{
    if (form != TILE_TF32X3_GROUP)
        return 0;
    return tile->shape[0] / 2 * tile->shape[1] * tile->shape[2];
}

/* Of tile_product, tile_ahead and tile_rest, the last two of which are nothing on the processor:
** there a product is added all at once. */
static const char *tile_product_text(Emitter *e, const IrValue *value)
{
    IrValue *const *at = value->operands;
    TileForm form = (TileForm)at[TILE_PRODUCT_FORM]->constant.integer;
    if (e->dialect != DIALECT_CUDA && value->intrinsic != INTR_tile_product)
        return "(void)0";
    const char *name = prelude(
        e,
        arena_printf(e->arena, "%s_%s", ir_intrinsics[value->intrinsic].name, ir_tile_name(form)),
        NULL);
    const char *a = element_address_text(e, at[1], at + 2, 3, PREC_ARGUMENT);
    const char *b = element_address_text(e, at[5], at + 6, 3, PREC_ARGUMENT);
    const char *lane = value_text(e, at[9], PREC_ARGUMENT), *sums = var_text(e, at[0]->var);
    const char *steps = arena_printf(e->arena, "%s, %s", tile_steps(e, at[1], at[10]),
                                     tile_steps(e, at[5], at[11]));
    const int64_t *shape = at[0]->var->shape;

    if (ir_tile_split(form))
        steps = arena_printf(e->arena, "%s, %lld, %s", steps, tile_rest(at[5]->var, form),
                             ir_tile_lies_grouped(at[1]->var, form) ? "true" : "false");
    if (e->dialect == DIALECT_CUDA && ir_tile_works_ahead(form))
        lane = arena_printf(e->arena, "%s, %s", lane, var_text(e, at[TILE_PRODUCT_HELD]->var));
    if (form == TILE_I8)
        lane = arena_printf(e->arena, "%s, %s, %s", lane, byte_sign(at[1]), byte_sign(at[5]));
    if (e->dialect == DIALECT_CUDA)
        return arena_printf(e->arena, "%s<%s>(%s, %s, %s, %s)", name, steps, sums, a, b, lane);
    return arena_printf(e->arena, "%s(%s[0], %d, %d, %s, %s, %s, %s)", name, sums, (int)shape[0],
                        (int)shape[1], a, b, lane, steps);
}

static const char *tile_split_text(Emitter *e, const IrValue *value)
{
    IrValue *const *at = value->operands;
    TileForm form = (TileForm)at[5]->constant.integer;
    const char *name =
        prelude(e, arena_printf(e->arena, "tile_split_%s", ir_tile_name(form)), NULL);
    const char *from = element_address_text(e, at[0], at + 1, 3, PREC_ARGUMENT);
    long long count = at[4]->constant.integer;

    if (e->dialect == DIALECT_CUDA)
        return arena_printf(e->arena, "%s<%lld, %lld>(%s)", name, count,
                            tile_rest(at[0]->var, form), from);
    return arena_printf(e->arena, "%s(%s, %lld, %lld)", name, from, count,
                        tile_rest(at[0]->var, form));
}

static const char *tile_wait_text(Emitter *e, const IrValue *value)
{
    if (e->dialect != DIALECT_CUDA)
        return "(void)0";
    return arena_printf(e->arena, "%s(%s)", prelude(e, "tile_wait", NULL),
                        var_text(e, value->operands[0]->var));
}

/* ---- intrinsics ------------------------------------------------------------------------ */

/* A thread's index in the grid where that fits an int: without the cast to long long. */
static const char *narrow_index(const IrValue *value)
{
    return value->intrinsic == INTR_grid ? "blockIdx.%x * blockDim.%x + threadIdx.%x"
                                         : "gridDim.%x * blockDim.%x";
}

/* A function of floats, checked: its result beside what it is the result of. */
static const char *birth_text(Emitter *e, const char *template, Expansion *x)
{
    const IrValue *value = x->value;
    const IrValue *last = value->operands[value->count - 1];
    Buf held = buf_in(e->arena);
    for (int i = 0; i < value->count; i++) {
        const IrValue *operand = value->operands[i];
        const Type *type = type_is_half(operand->type) ? type_float32 : operand->type;
        x->operands[i] = argument_text(e, operand, false);
        if (operand->count || type_is_half(operand->type))
            x->operands[i] = held_operand(e, type, x->operands[i], &held);
    }
    const char *second = type_is_float(last->type) ? x->operands[value->count - 1] : x->operands[0];
    const char *call = arena_printf(
        e->arena, "%s(%s, %s, %s, %s)", prelude(e, check_finite_piece(value), x->type),
        check_site_args(e, value->span, ir_intrinsics[value->intrinsic].name),
        expand(e, template, x), x->operands[0],
        value->count == 3 ? arena_printf(e->arena, "%s, %s", x->operands[1], second) : second);
    return held.length ? arena_printf(e->arena, "({ %s%s; })", buf_text(&held), call) : call;
}

/* What an operation is where lanes of a warp may part: a barrier of the block that they may come to
** one after another; a vote or match that unites them. NULL: the same as anywhere. */
static const char *parted_text(IrIntrinsic intrinsic)
{
    switch (intrinsic) {
    case INTR_syncthreads:
        return "%{block_sync.-}()";
    case INTR_syncthreads_count:
        return "%{block_sync_count.-}(%0)";
    case INTR_syncthreads_and:
        return "%{block_sync_and.-}(%0)";
    case INTR_syncthreads_or:
        return "%{block_sync_or.-}(%0)";
    case INTR_all_sync:
        return "%{all_some.-}(%0, %1)";
    case INTR_any_sync:
        return "%{any_some.-}(%0, %1)";
    case INTR_eq_sync:
        return "%{eq_some.-}(%0, %1)";
    case INTR_ballot_sync:
        return "%{ballot_some.-}(%0, %1)";
    case INTR_match_any_sync:
        return "%{match_any_some.-}(%0, %=1)";
    default:
        return NULL;
    }
}

const char *intrinsic_text(Emitter *e, const IrValue *value, Prec needs)
{
    Expansion x = { .value = value };
    const char *template = intrinsic_texts[value->intrinsic].text[e->dialect != DIALECT_CUDA];
    Prec prec = intrinsic_texts[value->intrinsic].prec;
    bool place = value->intrinsic == INTR_grid || value->intrinsic == INTR_gridsize;
    const char *text = e->dialect == DIALECT_CHECK ? check_intrinsic_text(e, value, needs) : NULL;

    if (text)
        return text;
    if (place && value->type == type_int32)
        template = narrow_index(value);
    if (value->intrinsic == INTR_abs && may_overflow(e, value))
        template = "%{wrapping_abs}(%0)";
    if (e->parts_warps && parted_text(value->intrinsic)) {
        template = parted_text(value->intrinsic);
        prec = PREC_POSTFIX;
    }

    if (ir_changes_element(value->intrinsic))
        return atomic_text(e, value);
    if (value->intrinsic == INTR_atomic_add_each)
        return atomic_each_text(e, value);
    if (value->intrinsic == INTR_wide_load || value->intrinsic == INTR_wide_store)
        return wide_text(e, value);
    if (value->intrinsic == INTR_prefetch)
        return prefetch_text(e, value);
    if (value->intrinsic == INTR_rows_load)
        return rows_load_text(e, value);
    if (value->intrinsic == INTR_async_copy)
        return async_copy_text(e, value);
    if (value->intrinsic == INTR_tile_product || value->intrinsic == INTR_tile_ahead ||
        value->intrinsic == INTR_tile_rest)
        return tile_product_text(e, value);
    if (value->intrinsic == INTR_tile_split)
        return tile_split_text(e, value);
    if (value->intrinsic == INTR_tile_wait)
        return tile_wait_text(e, value);
    if (value->intrinsic == INTR_tile_load)
        return tile_load_text(e, value);
    if (value->intrinsic == INTR_tile_begin || value->intrinsic == INTR_tile_expect ||
        value->intrinsic == INTR_tile_ready)
        return tile_barrier_text(e, value);
    if (is_split(value))
        return tuple_text(e, value);
    if (!template)
        return arena_printf(e->arena, "%s_is_not_for_this_dialect()",
                            ir_intrinsics[value->intrinsic].name);
    x.type = value->count ? value->operands[0]->type : NULL;
    x.raw = *template == '~';
    if (x.type && type_is_half(x.type) && !x.raw)
        x.type = type_float32;
    if (e->dialect == DIALECT_CHECK && check_tests_finite(e, value)) {
        text = birth_text(e, template, &x);
        prec = PREC_POSTFIX;
    } else {
        text = expand(e, template + x.raw, &x);
    }
    if (type_is_half(value->type) && !x.raw)
        return narrowed_text(e, value, text);
    return parenthesize(e, text, prec, needs);
}
