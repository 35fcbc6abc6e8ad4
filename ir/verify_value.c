/* Checks variables and values: verify.h says of what. */
#include "ir/verify.h"

/* ---- variables ------------------------------------------------------------------------------ */

bool verify_var(const Verifier *v, const IrVar *var, Span span)
{
    return check(v, var->id >= 0 && var->id < v->fn->var_count && v->fn->vars[var->id] == var, span,
                 "a variable of another function") &&
           check(v, var->type->kind != TY_ERROR && var->type->kind != TY_NONE, span,
                 "a variable without a type") &&
           check(v, !(var->nonnegative || var->positive) || type_is_integer(var->type), span,
                 "a variable that is no integer and is said never to be negative");
}

/* What a variable's kind asks of its type, and of what is said of its memory. */
bool verify_memory(const Verifier *v, const IrVar *var)
{
    bool array = type_is_array(var->type);
    switch (var->kind) {
    case VAR_SHARED:
    case VAR_PRIVATE:
        return check(v, array && (var->shape || !var->type->array.rank), var->span,
                     "memory that has no extents");
    case VAR_SHARED_DYNAMIC:
        return check(v, array && var->type->array.rank == 1, var->span,
                     "dynamic shared memory that is not an array of one axis");
    case VAR_CONSTANT:
        return check(v, array && var->table && var->table->element == var->type->array.element,
                     var->span, "a constant array without a table of its elements");
    default:
        return true;
    }
}

/* ---- indices -------------------------------------------------------------------------------- */

static bool is_index(const Verifier *v, const IrValue *value)
{
    return value->type == type_int64 || value->type == type_uint64 ||
           (value->type == type_int32 && v->unit->narrow);
}

bool verify_indices(const Verifier *v, const IrValue *array, IrValue *const *indices, int count,
                    Span span)
{
    if (!check(v, type_is_array(array->type), span, "an index into something else than an array") ||
        !check(v, count == array->type->array.rank, span, "not one index an axis"))
        return false;
    for (int i = 0; i < count; i++)
        if (!check(v, is_index(v, indices[i]), span, "an index that is neither int64 nor uint64"))
            return false;
    return true;
}

/* ---- operations ----------------------------------------------------------------------------- */

static bool check_scalars(const Verifier *v, const IrValue *value, const Type *type)
{
    bool whole = type_is_integer(type) || type == type_bool;
    bool fits = (value->op == OP_invert || (value->op >= OP_and && value->op <= OP_shr)) ? whole
                : value->op == OP_div ? type_is_float(type) || type_is_complex(type)
                : value->op >= OP_lt && value->op <= OP_ge ? type_is_real(type)
                                                           : type_is_scalar(type);
    return check(v, fits, value->span, "an operation on what it cannot be done to");
}

/* What ops.def's row says of operands and result. */
static bool check_row(const Verifier *v, const IrValue *value)
{
    const IrOpInfo *info = &ir_ops[value->op];
    if (!check(v, info->operands < 0 || info->operands == value->count, value->span,
               "wrong number of operands"))
        return false;
    if (info->result == RESULT_OWN || info->operands < 1)
        return true;
    const Type *type = value->operands[0]->type;
    for (int i = 1; i < value->count; i++)
        if (!check(v, value->operands[i]->type == type, value->span, "operands of different types"))
            return false;
    return check(v, value->type == (info->result == RESULT_BOOL ? type_bool : type), value->span,
                 "a result of the wrong type") &&
           check_scalars(v, value, type);
}

/* Scalars become scalars; arrays may forget their layout, and that they could be written. */
static bool is_cast(const Type *to, const Type *from)
{
    if (type_is_array(to) && type_is_array(from))
        return to->array.element == from->array.element && to->array.rank == from->array.rank;
    return type_is_scalar(to) && type_is_scalar(from);
}

static bool is_real(const IrValue *value)
{
    return type_is_real(value->type);
}

/* ---- tuples and complex numbers ------------------------------------------------------------- */

static bool check_tuple(const Verifier *v, const IrValue *value)
{
    const Type *type = value->type;
    if (!check(v, type_has_items(type) && type->tuple.count == value->count, value->span,
               "a tuple of the wrong length"))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!check(v, value->operands[i]->type == type->tuple.items[i], value->span,
                   "a tuple's item of the wrong type"))
            return false;
    return true;
}

static bool check_item(const Verifier *v, const IrValue *value)
{
    const Type *tuple = value->operands[0]->type;
    int index = value->op == OP_item ? value->index : 0;
    if (!check(v, type_has_items(tuple), value->span, "an item of something not a tuple") ||
        !check(v, index >= 0 && index < tuple->tuple.count, value->span,
               "an item that the tuple does not have"))
        return false;
    bool at =
        value->op == OP_item || (type_is_uniform(tuple) && value->operands[1]->type == type_int64);
    return check(v, at && value->type == tuple->tuple.items[index], value->span,
                 "an item of the wrong type");
}

static bool check_complex(const Verifier *v, const IrValue *value)
{
    bool whole = value->op == OP_complex;
    const Type *complex = whole ? value->type : value->operands[0]->type;
    const Type *part = whole ? value->operands[0]->type : value->type;
    bool fits = type_is_complex(complex) && part == type_complex_part(complex) &&
                (!whole || value->operands[1]->type == part);
    return check(v, fits, value->span, "parts that are none of a complex number");
}

/* ---- arrays --------------------------------------------------------------------------------- */

static bool check_axis(const Verifier *v, const IrValue *value)
{
    return check(v, value->index >= 0 && value->index < value->operands[0]->type->array.rank,
                 value->span, "an axis that the array does not have") &&
           check(v, value->type == type_int64 || (value->type == type_int32 && v->unit->narrow),
                 value->span, "an extent or a stride of the wrong type");
}

/* A view, transposed or not, of the same elements. */
static bool check_view(const Verifier *v, const IrValue *value)
{
    const Type *array = value->operands[0]->type;
    int rank =
        value->op == OP_view ? ir_view_rank(value->axes, array->array.rank) : array->array.rank;
    int operands = value->op == OP_view ? ir_view_operands(value->axes) : 0;
    if (!check(v, rank >= 0 && operands == value->count - 1, value->span,
               "a view of other axes than the array has") ||
        !check(v,
               type_is_array(value->type) && value->type->array.rank == rank &&
                   value->type->array.element == array->array.element,
               value->span, "a view of the wrong type"))
        return false;
    for (int i = 1; i < value->count; i++)
        if (!check(v, is_index(v, value->operands[i]), value->span,
                   "an index that is neither int64 nor uint64"))
            return false;
    return true;
}

static bool check_field(const Verifier *v, const IrValue *value)
{
    const Type *array = value->operands[0]->type, *record = array->array.element;
    if (!check(v,
               type_is_record(record) && value->index >= 0 && value->index < record->record.count,
               value->span, "a field that the records do not have"))
        return false;
    const RecordField *field = &record->record.fields[value->index];
    return check(v,
                 type_is_array(value->type) && value->type->array.element == field->type &&
                     value->type->array.rank == array->array.rank + field->rank,
                 value->span, "a field of the wrong type");
}

static bool check_recast(const Verifier *v, const IrValue *value)
{
    if (!check(v, type_is_array(value->type), value->span, "an array read as no array"))
        return false;
    int rank = value->type->array.rank;
    int each = value->type->array.layout == LAYOUT_A ? 2 : 1;
    return check(v, value->count == 1 + each * rank, value->span,
                 "memory read as an array without an extent an axis");
}

static bool check_array_operation(const Verifier *v, const IrValue *value)
{
    if (!check(v, value->count && type_is_array(value->operands[0]->type), value->span,
               "an array operation on a scalar"))
        return false;
    switch (value->op) {
    case OP_extent:
    case OP_stride:
        return check_axis(v, value);
    case OP_view:
    case OP_transpose:
        return check_view(v, value);
    case OP_field:
        return check_field(v, value);
    case OP_recast:
        return check_recast(v, value);
    default:
        return check(v, value->type == type_uint64, value->span, "an address of the wrong type");
    }
}

static bool check_load(const Verifier *v, const IrValue *value)
{
    Span span = value->span;
    return check(v, value->count, span, "wrong number of operands") &&
           verify_indices(v, value->operands[0], value->operands + 1, value->count - 1, span) &&
           check(v, value->type == value->operands[0]->type->array.element, span,
                 "a load of another type");
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool check_call(const Verifier *v, const IrValue *value, bool root)
{
    const IrFunc *callee = value->callee;
    if (!check(v, callee->param_count == value->count, value->span, "wrong number of arguments"))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!check(v, callee->vars[i]->type == value->operands[i]->type, value->span,
                   "an argument of the wrong type"))
            return false;
    return check(v, callee->result == value->type, value->span, "a call with the wrong type") &&
           check(v, root || !(callee->effects & EFFECT_ORDERED), value->span,
                 "a call with effects inside a tree");
}

/* wide_load and wide_store: `here` is the private array, `there` the array. */
static bool check_wide(const Verifier *v, const IrValue *here, const IrValue *there,
                       IrValue *const *indices, int count)
{
    if (!verify_indices(v, there, indices, count, there->span) ||
        !check(v,
               here->op == OP_var && here->var->kind == VAR_PRIVATE && here->type->array.rank == 1,
               here->span, "a wide access that is not of a private array of one axis") ||
        !check(v, here->var->alignment >= 16, here->span,
               "a wide access of an array too little aligned") ||
        !check(v, here->type->array.element == there->type->array.element, here->span,
               "a wide access of another type"))
        return false;
    size_t bytes = (size_t)here->var->shape[0] * type_size(here->type->array.element);
    return check(v, bytes >= 2 && bytes <= 64 && (bytes & (bytes - 1)) == 0, here->span,
                 "a wide access of a number of bytes that is no power of two, or too large");
}

/* A private array of two axes; an array, and its indices twice. */
static bool check_rows_load(const Verifier *v, const IrValue *here, const IrValue *there,
                            IrValue *const *indices, int count)
{
    const Type *array = there->type;
    size_t bytes = array->kind == TY_ARRAY ? type_size(array->array.element) : 0;
    return check(v, bytes == 4 || bytes == 8, there->span, "rows of elements of another size") &&
           check(v, count == 2 * array->array.rank, there->span, "wrong number of indices") &&
           verify_indices(v, there, indices, count / 2, there->span) &&
           verify_indices(v, there, indices + count / 2, count / 2, there->span) &&
           check(v,
                 here->op == OP_var && here->var->kind == VAR_PRIVATE &&
                     here->type->array.rank == 2 && here->var->alignment >= 32 &&
                     here->var->shape[0] == ROWS_LOADED && here->var->shape[1] == ROWS_LOADED,
                 here->span, "rows that do not go to a private array for them") &&
           check(v, here->type->array.element == array->array.element, here->span,
                 "rows of another type");
}

/* Array, an index an axis, private array, constant. */
static bool check_atomic_each(const Verifier *v, const IrValue *value)
{
    if (!check(v, value->count >= 3, value->span, "wrong number of operands") ||
        !verify_indices(v, value->operands[0], value->operands + 1, value->count - 3, value->span))
        return false;
    const Type *element = value->operands[0]->type->array.element;
    const IrValue *held = value->operands[value->count - 2];
    const IrValue *added = value->operands[value->count - 1];
    return check(v,
                 held->op == OP_var && held->var->kind == VAR_PRIVATE &&
                     held->type->array.rank == 1 && held->type->array.element == element,
                 value->span, "atomics of no private array of their type") &&
           check(v, ir_is_constant(added) && added->type == element && type_is_integer(element),
                 value->span, "atomics of what is no constant");
}

/* Elements of a shared array become those of another. */
static bool check_async_copy(const Verifier *v, const IrValue *value)
{
    IrValue **at = value->operands;
    const IrValue *count = at[value->count - 1];
    int source = type_is_array(at[0]->type) ? ir_async_source(value) : value->count;
    if (!check(v, source < value->count - 1 && ir_is_constant(count), value->span,
               "wrong operands") ||
        !verify_indices(v, at[0], at + 1, source - 1, value->span) ||
        !verify_indices(v, at[source], at + source + 1, value->count - source - 2, value->span))
        return false;
    const Type *element = at[0]->type->array.element;
    int64_t bytes = (int64_t)type_size(element) * count->constant.integer;
    return check(v, at[0]->op == OP_var && at[0]->var->kind == VAR_SHARED, value->span,
                 "an asynchronous copy to memory that is not the block's") &&
           check(v, element == at[source]->type->array.element, value->span,
                 "an asynchronous copy to another type") &&
           check(v, bytes == 4 || bytes == 8 || bytes == 16, value->span,
                 "an asynchronous copy of a number of bytes that there is none of") &&
           check(v, count->constant.integer == 1 || at[0]->var->alignment >= bytes, value->span,
                 "an asynchronous copy to an array too little aligned");
}

static bool is_tile(const IrValue *array, IrVarKind kind, const Type *element)
{
    return array->op == OP_var && array->var->kind == kind && array->type->array.rank == 3 &&
           array->type->array.element == element;
}

/* A factor's tile: of bytes, with a sign or without, where these are multiplied. */
static bool is_factor(const IrValue *array, TileForm form)
{
    return is_tile(array, VAR_SHARED, ir_tile_type(form)) ||
           (form == TILE_I8 && is_tile(array, VAR_SHARED, type_of(UINT8)));
}

/* Groups have rows of one length. */
static bool is_row(const IrValue *tile, TileForm form)
{
    return !ir_tile_grouped(form) || ir_tile_lies_grouped(tile->var, form);
}

/* What lanes hold for the sums of a form that works ahead. */
static bool is_held(const IrValue *const *at, TileForm form)
{
    const IrValue *held = at[TILE_PRODUCT_HELD];
    const int64_t *sums = at[0]->var->shape;
    return held->op == OP_var && held->var->kind == VAR_PRIVATE && held->type->array.rank == 1 &&
           held->type->array.element == ir_tile_type(form) &&
           held->var->shape[0] == ir_tile_held(sums[0], sums[1]);
}

/* Of tile_product, tile_ahead and tile_rest. */
static bool check_tile_product(const Verifier *v, const IrValue *value)
{
    IrValue **at = value->operands;
    const IrValue *number = value->count > TILE_PRODUCT_FORM ? at[TILE_PRODUCT_FORM] : NULL;
    if (!check(v,
               number && ir_is_constant(number) && number->constant.integer >= 0 &&
                   number->constant.integer < TILE_FORMS,
               value->span, "a product of tiles of no form"))
        return false;
    TileForm form = (TileForm)number->constant.integer;
    bool ahead = ir_tile_works_ahead(form);
    if (!check(v,
               value->count == TILE_PRODUCT_OPERANDS + ahead &&
                   (ahead || value->intrinsic == INTR_tile_product),
               value->span, "wrong number of operands"))
        return false;
    bool tiles = is_tile(at[0], VAR_PRIVATE, ir_tile_sums(form)) && is_factor(at[1], form) &&
                 is_factor(at[5], form);
    return check(v,
                 tiles && at[0]->var->shape[2] == 4 &&
                     (!ahead || is_held((const IrValue *const *)at, form)) &&
                     (ir_tile_split(form) || is_row(at[1], form)) && is_row(at[5], form),
                 value->span, "a product of what are no tiles") &&
           verify_indices(v, at[1], at + 2, 3, value->span) &&
           verify_indices(v, at[5], at + 6, 3, value->span) &&
           check(v, type_is_integer(at[9]->type), value->span, "a lane that is no number") &&
           check(v, ir_is_constant(at[10]) && ir_is_constant(at[11]), value->span,
                 "an order of tiles that is not known");
}

static bool check_tile_split(const Verifier *v, const IrValue *value)
{
    IrValue **at = value->operands;
    return check(v, value->count == 6 && ir_is_constant(at[4]) && ir_is_constant(at[5]),
                 value->span, "wrong number of operands") &&
           check(v,
                 at[5]->constant.integer >= 0 && at[5]->constant.integer < TILE_FORMS &&
                     is_factor(at[0], (TileForm)at[5]->constant.integer),
                 value->span, "what is to be split is no tile") &&
           verify_indices(v, at[0], at + 1, 3, value->span);
}

/* Whether operands are an array of mbarriers and, with a count of 1, the index of one. */
static bool check_ready(const Verifier *v, const IrValue *const *at, int count, Span span)
{
    bool fits = type_is_array(at[0]->type) && at[0]->op == OP_var &&
                at[0]->var->kind == VAR_SHARED && at[0]->type->array.rank == 1 &&
                at[0]->type->array.element == type_of(UINT64);
    return check(v, fits, span, "what is no array of mbarriers") &&
           (!count || verify_indices(v, at[0], (IrValue **)at + 1, count, span));
}

static bool check_tile_load(const Verifier *v, const IrValue *value)
{
    IrValue **at = value->operands;
    int rank = value->count - TILE_LOAD_SOURCE - 1;
    if (!check(v, rank >= 2 && rank <= 3 && is_tile(at[0], VAR_SHARED, at[0]->type->array.element),
               value->span, "wrong operands") ||
        !verify_indices(v, at[0], at + 1, 3, value->span) ||
        !check_ready(v, (const IrValue *const *)at + TILE_LOAD_READY, 1, value->span) ||
        !verify_indices(v, at[TILE_LOAD_SOURCE], at + TILE_LOAD_SOURCE + 1, rank, value->span))
        return false;
    const IrHidden *map =
        at[TILE_LOAD_MAP]->op == OP_var ? ir_hidden_of(v->unit, at[TILE_LOAD_MAP]->var) : NULL;
    return check(v,
                 map && map->kind == HIDDEN_MAP && map->along < rank - 1 &&
                     at[TILE_LOAD_SOURCE]->op == OP_var &&
                     map->axis == at[TILE_LOAD_SOURCE]->var->param,
                 value->span, "a box of an array without its map") &&
           check(v,
                 at[0]->type->array.element == at[TILE_LOAD_SOURCE]->type->array.element &&
                     at[0]->var->alignment >= 8 * TILE_ROW_BYTES &&
                     at[0]->var->shape[2] * (int64_t)type_size(at[0]->type->array.element) ==
                         TILE_ROW_BYTES,
                 value->span, "a box of an array for what is no tile of a group");
}

/* Sums that a product of tiles adds to. */
static bool check_tile_wait(const Verifier *v, const IrValue *value)
{
    const IrValue *sums = value->operands[0];
    const Type *element = type_is_array(sums->type) ? sums->type->array.element : NULL;
    return check(v, value->count == 1 && is_tile(sums, VAR_PRIVATE, element), value->span,
                 "a wait for what are no sums of tiles");
}

/* Array, an index an axis, one value or two. */
static bool check_atomic(const Verifier *v, const IrValue *value)
{
    bool two =
        value->intrinsic == INTR_atomic_cas || value->intrinsic == INTR_atomic_compare_and_swap;
    int indices = value->count - 2 - two;
    if (!check(v, indices >= 0, value->span, "wrong number of operands") ||
        !verify_indices(v, value->operands[0], value->operands + 1, indices, value->span))
        return false;
    const Type *element = value->operands[0]->type->array.element;
    return check(v,
                 value->operands[value->count - 1]->type == element &&
                     value->operands[value->count - 1 - two]->type ==
                         (two ? element : value->operands[value->count - 1]->type),
                 value->span, "an atomic with a value of another type");
}

/* Array and indices, with a private array at one end. */
static bool check_block(const Verifier *v, const IrValue *value)
{
    IrValue **at = value->operands;
    if (value->intrinsic == INTR_tile_wait)
        return check_tile_wait(v, value);
    if (value->intrinsic == INTR_tile_begin)
        return check_ready(v, (const IrValue *const *)at, 0, value->span);
    if (!check(v, value->count > 1, value->span, "wrong number of operands"))
        return false;
    if (value->intrinsic == INTR_tile_expect || value->intrinsic == INTR_tile_ready)
        return check(v, value->count == 3, value->span, "wrong number of operands") &&
               check_ready(v, (const IrValue *const *)at, 1, value->span);
    if (value->intrinsic == INTR_tile_load)
        return check_tile_load(v, value);
    if (value->intrinsic == INTR_wide_load)
        return check_wide(v, at[0], at[1], at + 2, value->count - 2);
    if (value->intrinsic == INTR_rows_load)
        return check_rows_load(v, at[0], at[1], at + 2, value->count - 2);
    if (value->intrinsic == INTR_async_copy)
        return check_async_copy(v, value);
    if (value->intrinsic == INTR_tile_split)
        return check_tile_split(v, value);
    if (value->intrinsic == INTR_tile_product || value->intrinsic == INTR_tile_ahead ||
        value->intrinsic == INTR_tile_rest)
        return check_tile_product(v, value);
    if (value->intrinsic == INTR_wide_store)
        return check_wide(v, at[value->count - 1], at[0], at + 1, value->count - 2);
    return verify_indices(v, at[0], at + 1, value->count - 2, value->span); /* prefetch */
}

static bool check_intrinsic(const Verifier *v, const IrValue *value, bool root)
{
    const IrIntrinsicInfo *info = &ir_intrinsics[value->intrinsic];
    if (!check(v, root || !(info->effect & EFFECT_ORDERED), value->span,
               "an effect inside a tree") ||
        !check(v, info->operands != OPERANDS_GONE, value->span, "what lowering leaves nothing of"))
        return false;
    if (info->operands == OPERANDS_ARRAY)
        return value->intrinsic == INTR_atomic_add_each ? check_atomic_each(v, value)
               : info->effect & EFFECT_ATOMIC           ? check_atomic(v, value)
                                                        : check_block(v, value);
    if (!check(v, value->count == info->operands, value->span, "wrong number of operands"))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!check(v, type_is_scalar(value->operands[i]->type), value->span,
                   "a function of scalars of something else"))
            return false;
    return check(v, value->intrinsic > INTR_gridsize || (value->index >= 0 && value->index < 3),
                 value->span, "an axis that no grid has");
}

/* ---- values --------------------------------------------------------------------------------- */

static bool check_operation(const Verifier *v, const IrValue *value, bool root)
{
    Span span = value->span;
    IrValue **at = value->operands;
    switch (value->op) {
    case OP_constant:
        return check(v, type_is_scalar(value->type), span, "a constant that is no scalar");
    case OP_var:
        return verify_var(v, value->var, span) &&
               check(v, value->type == value->var->type, span, "a variable read as another type");
    case OP_load:
        return check_load(v, value);
    case OP_select:
        return check(
            v, at[0]->type == type_bool && at[1]->type == value->type && at[2]->type == value->type,
            span, "a select of mixed types");
    case OP_and_then:
    case OP_or_else:
    case OP_not:
        return check(v, at[0]->type == type_bool, span, "logic on something else than bool");
    case OP_cast:
        return check(v, is_cast(value->type, at[0]->type), span,
                     "a cast that is neither of scalars nor of an array's layout");
    case OP_bits:
        return check(v, is_real(value) && is_real(at[0]), span, "bits of no number") &&
               check(v, type_size(value->type) == type_size(at[0]->type), span,
                     "bits that become more or fewer");
    case OP_pow:
        return check(v, type_is_scalar(value->type) && value->type == at[0]->type, span,
                     "a power of the wrong type");
    case OP_extent:
    case OP_stride:
    case OP_view:
    case OP_field:
    case OP_recast:
    case OP_transpose:
    case OP_data:
        return check_array_operation(v, value);
    case OP_tuple:
        return check_tuple(v, value);
    case OP_item:
    case OP_item_at:
        return check_item(v, value);
    case OP_real:
    case OP_imag:
    case OP_complex:
        return check_complex(v, value);
    case OP_intrinsic:
        return check_intrinsic(v, value, root);
    case OP_call:
        return check_call(v, value, root);
    default:
        return true;
    }
}

bool verify_value(const Verifier *v, const IrValue *value, bool root)
{
    if (!check(v, value->type && value->type->kind != TY_ERROR, value->span,
               "a value without a type") ||
        !check(v, !value->nonnegative || type_is_integer(value->type), value->span,
               "a value that is no integer and is said never to be negative"))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!verify_value(v, value->operands[i], false))
            return false;
    return check_row(v, value) && check_operation(v, value, root);
}

bool verify_values(const Verifier *v, IrValue *const *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!verify_value(v, values[i], false))
            return false;
    return true;
}

bool verify_typed(const Verifier *v, const IrValue *value, const Type *type, Span span)
{
    return verify_value(v, value, false) &&
           check(v, value->type == type, span, "a statement's value has the wrong type");
}
