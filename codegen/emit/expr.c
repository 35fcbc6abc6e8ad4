/* Values as C expressions, with as few parentheses as C needs: variables, tuples, loads, and the
** walk that gives each operation to the file that writes it. */
#include "codegen/emit/expr.h"

#include <math.h>

const char *parenthesize(Emitter *e, const char *text, Prec has, Prec needs)
{
    return has >= needs ? text : arena_printf(e->arena, "(%s)", text);
}

const char *var_text(Emitter *e, const IrVar *var)
{
    const VarInfo *info = &e->vars[var->id];
    const char *array = is_in_struct(e, var) ? ".array" : "";

    switch (info->storage) {
    case STORAGE_PLAIN:
    case STORAGE_BLOCK:
        return *array ? arena_printf(e->arena, "%s%s", info->name, array) : info->name;
    case STORAGE_THREAD:
        return arena_printf(e->arena, "%s[%s]%s", info->name, e->thread_index, array);
    case STORAGE_FRAME:
        return arena_printf(e->arena, "%s->%s%s", e->frame, info->name, array);
    }
    return info->name;
}

static const char *select_text(Emitter *e, const IrValue *value, Prec needs)
{
    bool exact = natural_type(e, value) == value->type;
    const char *arms[2];

    for (int i = 0; i < 2; i++)
        arms[i] = exact ? value_exact(e, value->operands[i + 1], (Prec)(PREC_OR_ELSE - i))
                        : value_text(e, value->operands[i + 1], (Prec)(PREC_OR_ELSE - i));
    return parenthesize(e,
                        arena_printf(e->arena, "%s ? %s : %s",
                                     value_text(e, value->operands[0], PREC_OR_ELSE), arms[0],
                                     arms[1]),
                        PREC_SELECT, needs);
}

/* ---- tuples ---------------------------------------------------------------------------- */

/* An item of frexp() or modf(), which are functions of their own each. */
static const char *split_item_text(Emitter *e, const IrValue *value, int item)
{
    const IrValue *x = value->operands[0];
    const Type *type = type_is_half(x->type) ? type_float32 : x->type;
    const char *argument = argument_text(e, x, true);

    if (value->intrinsic == INTR_modf && item == 1)
        return arena_printf(e->arena, "trunc%s(%s)", type == type_float32 ? "f" : "", argument);
    return arena_printf(e->arena, "%s(%s)",
                        prelude(e,
                                value->intrinsic == INTR_modf ? "modf_fraction"
                                : item == 0                   ? "frexp_fraction"
                                                              : "frexp_exponent",
                                type),
                        argument);
}

bool is_split(const IrValue *value)
{
    return value->op == OP_intrinsic &&
           (value->intrinsic == INTR_frexp || value->intrinsic == INTR_modf);
}

const char *tuple_text(Emitter *e, const IrValue *value)
{
    Buf out = buf_in(e->arena);
    buf_printf(&out, "%s(", make_name(e, value->type));
    for (int i = 0; i < value->type->tuple.count; i++)
        buf_printf(&out, "%s%s", i ? ", " : "",
                   is_split(value) ? split_item_text(e, value, i)
                                   : value_assigned(e, value->operands[i], PREC_ARGUMENT));
    buf_putc(&out, ')');
    return buf_text(&out);
}

static const char *item_text(Emitter *e, const IrValue *value, Prec prec)
{
    const IrValue *tuple = value->operands[0];

    if (tuple->op == OP_tuple)
        return value_text(e, tuple->operands[value->index], prec);
    if (is_split(tuple))
        return split_item_text(e, tuple, value->index);
    return arena_printf(e->arena, "%s.%s", value_text(e, tuple, PREC_POSTFIX),
                        item_name(e, tuple->type, value->index));
}

static const char *item_at_text(Emitter *e, const IrValue *value)
{
    const IrValue *tuple = value->operands[0];
    const char *index = value_text(e, value->operands[1], PREC_ARGUMENT);

    if (e->dialect == DIALECT_CHECK)
        index =
            arena_printf(e->arena, "%s(%s, %s, %d)", prelude(e, "tuple_index", NULL),
                         check_site_args(e, value->span, "tuple"), index, tuple->type->tuple.count);
    return arena_printf(e->arena, "%s(%s, %s)", item_at_name(e, tuple->type),
                        value_text(e, tuple, PREC_ARGUMENT), index);
}

/* By way of an unsigned integer, which converts to and from what has its size. */
static const char *bits_text(Emitter *e, const IrValue *value)
{
    return arena_printf(e->arena, "%s(%s(%s))", prelude(e, "from_bits", value->type),
                        prelude(e, "to_bits", value->operands[0]->type),
                        value_text(e, value->operands[0], PREC_ARGUMENT));
}

/* ---- loads ----------------------------------------------------------------------------- */

/* cuda.ldcv(), in each dialect: of __ldcv() ptxas 13.0 takes what it found before, and leaves out a
** loop that waits for more. */
static const char *volatile_text(Emitter *e, const IrValue *load, Prec needs)
{
    const char *address =
        element_address_text(e, load->operands[0], load->operands + 1, load->count - 1, PREC_UNARY);

    return parenthesize(
        e, arena_printf(e->arena, "*(const volatile %s *)%s", type_text(e, load->type), address),
        PREC_UNARY, needs);
}

static const char *load_text(Emitter *e, const IrValue *load, Prec needs)
{
    const IrValue *array = load->operands[0];
    IrValue *const *indices = load->operands + 1;

    if (e->dialect == DIALECT_CHECK)
        return check_load_text(e, load, needs);
    if (ir_is_volatile(load))
        return volatile_text(e, load, needs);
    if (load->type == type_bool && e->dialect == DIALECT_C && e->unit->shape.free) {
        /* gcc 12 makes no vectors of bools */
        const char *address = element_address_text(e, array, indices, load->count - 1, PREC_UNARY);
        return parenthesize(e, arena_printf(e->arena, "*(const unsigned char *)%s", address),
                            PREC_UNARY, needs);
    }
    if (!load->index || e->dialect != DIALECT_CUDA)
        return element_text(e, array, indices, load->count - 1, needs);
    const char *hint = ir_cache_names[load->index];
    const char *name = load->index < CACHE_AT ? arena_printf(e->arena, "__ld%s", hint)
                                              : prelude(e, arena_printf(e->arena, "load_%s", hint),
                                                        array->type->array.element);
    return arena_printf(e->arena, "%s(%s)", name,
                        element_address_text(e, array, indices, load->count - 1, PREC_ARGUMENT));
}

/* ---- the walk -------------------------------------------------------------------------- */

static const char *zero_value_text(Emitter *e, const IrValue *value, Prec prec, bool exact)
{
    IrConstant zero = { 0 };

    if (type_is_scalar(value->type))
        return constant_text(e, value->type, zero, prec, exact);
    return zero_text(e, value->type);
}

/* -0.0 is not shown to compilers: to clang 14 and NVRTC a quotient by it is never below 0. */
static const char *number_text(Emitter *e, const IrValue *value, Prec prec, bool exact)
{
    const Type *type = value->type;

    if ((type == type_float32 || type == type_float64) && value->constant.number == 0 &&
        signbit(value->constant.number))
        return arena_printf(e->arena, "%s()", prelude(e, "negative_zero", type));
    return constant_text(e, type, value->constant, prec, exact);
}

const char *value_text(Emitter *e, const IrValue *value, Prec prec)
{
    switch (value->op) {
    case OP_constant:
        return number_text(e, value, prec, false);
    case OP_zero:
        return zero_value_text(e, value, prec, false);
    case OP_var:
        return type_is_array(value->type) ? array_text(e, value, prec)
                                          : check_used_text(e, value, var_text(e, value->var));
    case OP_not:
        return not_text(e, value, prec);
    case OP_select:
        return select_text(e, value, prec);
    case OP_bits:
        return bits_text(e, value);
    case OP_cast:
        if (type_is_array(value->type))
            return array_text(e, value, prec);
        if (is_fitting(value))
            return fitting_text(e, value, false, prec);
        return changes_no_value(value) ? value_text(e, value->operands[0], prec)
                                       : conversion_text(e, value, prec);
    case OP_tuple:
        return tuple_text(e, value);
    case OP_item:
        return item_text(e, value, prec);
    case OP_item_at:
        return item_at_text(e, value);
    case OP_real:
        return arena_printf(e->arena, "%s.real", value_text(e, value->operands[0], PREC_POSTFIX));
    case OP_imag:
        return arena_printf(e->arena, "%s.imag", value_text(e, value->operands[0], PREC_POSTFIX));
    case OP_complex:
        return arena_printf(e->arena, "%s(%s, %s)", prelude(e, "make_complex", value->type),
                            value_assigned(e, value->operands[0], PREC_ARGUMENT),
                            value_assigned(e, value->operands[1], PREC_ARGUMENT));
    case OP_extent:
        return extent_text(e, value->operands[0], value->index, prec);
    case OP_stride:
        return stride_text(e, value->operands[0], value->index, prec);
    case OP_load:
        return load_text(e, value, prec);
    case OP_view:
    case OP_field:
    case OP_recast:
    case OP_transpose:
        return array_text(e, value, prec);
    case OP_data:
        return parenthesize(e,
                            arena_printf(e->arena, "(unsigned long long)%s",
                                         data_text(e, value->operands[0], PREC_UNARY)),
                            PREC_UNARY, prec);
    case OP_intrinsic:
        return intrinsic_text(e, value, prec);
    case OP_call:
        return call_text(e, value);
    default: /* text.def has its text */
        return operator_text(e, value, prec);
    }
}

const char *value_exact(Emitter *e, const IrValue *value, Prec prec)
{
    if (natural_type(e, value) == value->type)
        return value_text(e, value, prec);
    if (value->op == OP_constant)
        return number_text(e, value, prec, true);
    if (value->op == OP_zero)
        return zero_value_text(e, value, prec, true);
    if (value->op == OP_cast)
        return conversion_text(e, value, prec);
    return parenthesize(e,
                        arena_printf(e->arena, "(%s)%s", type_text(e, value->type),
                                     value_text(e, value, PREC_UNARY)),
                        PREC_UNARY, prec);
}
