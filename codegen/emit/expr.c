/* Values as C expressions.
**
** C has conversions of its own, and text that relies on them reads better: `n * 2.0`, not
** `(double)n * 2.0`. When a cast's text may be left out:
**
** - Anywhere, if the cast changes no value (changes_no_value()): then the text, of whatever C type,
**   equals the value, and any conversion that follows gives the same. This is what value_text()
**   promises, so it may stand where the context's type is not known or not the value's: under
**   another cast, in a comparison, a condition, an index, a shift. The C type that such a text has
**   is the value's natural type.
** - If it rounds an integer to a float (only_rounds()), where C itself converts to just the cast's
**   type, and one such cast alone: what assignment, initialisation, return and arguments of
**   functions with prototypes do, value_assigned(), and an operator whose other operand makes C
**   compute in that type, beside_text(). Under another conversion it is written.
** - Never otherwise.
**
** Where the text must have just the value's type, since C chooses by it, stands value_exact(). */
#include "codegen/emit/emit.h"

#include <string.h>

static const struct {
    Prec prec;
    const char *real, *complex;
} op_texts[OP_COUNT] = {
#define TEXT(op, prec, real, complex) [OP_##op] = { PREC_##prec, real, complex },
#include "codegen/emit/text.def"
};

#define INTR(id, prec, cuda, c) [INTR_##id] = { PREC_##prec, { cuda, c } },
static const struct {
    Prec prec;
    const char *text[2]; /* by Dialect; DIALECT_CHECK as DIALECT_C where check/check.c has none */
} intrinsic_texts[INTR_COUNT] = {
#include "codegen/emit/text.def"
};

enum {
    OPS_COVERED = 0
#define TEXT(op, prec, real, complex) +1
#include "codegen/emit/text.def"
};
enum {
    INTRINSICS_COVERED = 0
#define INTR(id, prec, cuda, c) +1
#include "codegen/emit/text.def"
};
_Static_assert((int)OPS_COVERED == (int)OP_COUNT, "every operation has its line in text.def");
_Static_assert((int)INTRINSICS_COVERED == (int)INTR_COUNT, "and so has every intrinsic");

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

/* ---- natural types --------------------------------------------------------------------- */

static bool is_half(const Type *type)
{
    return type_is_float(type) && type_size(type) == 2;
}

static bool is_wide_float(const Type *type)
{
    return type == type_float32 || type == type_float64;
}

static bool is_integral(const Type *type)
{
    return type_is_integer(type) || type == type_bool;
}

/* The bits that a float type has for a whole number. */
static int float_digits(const Type *type)
{
    return type == type_float64 ? 53 : 24;
}

/* Whether the type of a cast has every value that its operand can have. */
static bool changes_no_value(const IrValue *cast)
{
    const Type *to = cast->type, *from = cast->operands[0]->type;

    if (is_wide_float(to) && is_integral(from))
        return 8 * (int)type_size(from) <= float_digits(to);
    if (type_is_integer(to) && is_integral(from))
        return type_size(from) < type_size(to) &&
               (type_is_signed(to) || ir_nonnegative(cast->operands[0]));
    return from == type_float32 && to == type_float64;
}

/* Whether a cast makes an integer a float, and C's own conversion does the same. */
static bool only_rounds(const IrValue *value)
{
    return value->op == OP_cast && is_wide_float(value->type) &&
           is_integral(value->operands[0]->type) && !changes_no_value(value);
}

static const Type *natural_type(Emitter *e, const IrValue *value);

static const Type *natural_intrinsic(const Emitter *e, const IrValue *value)
{
    switch (value->intrinsic) {
    case INTR_thread_idx:
    case INTR_block_idx:
    case INTR_block_dim:
    case INTR_grid_dim:
        return e->dialect == DIALECT_CUDA ? type_uint32 : type_int32;
    case INTR_grid:
    case INTR_gridsize:
        return value->type == type_int32 && e->dialect == DIALECT_CUDA ? type_uint32 : value->type;
    default:
        return value->type;
    }
}

static bool is_small_integer(const IrValue *value)
{
    return value->constant.integer > INT32_MIN && value->constant.integer <= INT32_MAX &&
           !(type_is_unsigned(value->type) && value->constant.integer < 0);
}

/* What C's arithmetic makes of operands of two real types. */
static const Type *usual_type(const Type *a, const Type *b)
{
    const Type *wide, *other;

    if (a == type_float64 || b == type_float64)
        return type_float64;
    if (a == type_float32 || b == type_float32)
        return type_float32;
    if (type_size(a) < 4)
        a = type_int32;
    if (type_size(b) < 4)
        b = type_int32;
    wide = type_size(b) > type_size(a) ? b : a;
    other = wide == a ? b : a;
    return type_size(wide) == type_size(other) && type_is_unsigned(other) ? other : wide;
}

/* Integers whose quotient and remainder C computes as Python does. */
static bool divides_as_c(const IrValue *value)
{
    if ((value->op != OP_floordiv && value->op != OP_mod) || !type_is_integer(value->type))
        return false;
    const IrValue *b = value->operands[1];
    return type_size(value->type) >= 4 && b->op == OP_constant && b->constant.integer > 0 &&
           ir_nonnegative(value->operands[0]);
}

/* Whether an operation of integers that are not negative gives the same at any width. */
static bool is_width_free(const IrValue *value)
{
    if (value->op == OP_and || value->op == OP_or || value->op == OP_xor)
        return type_is_integer(value->type) && type_size(value->type) >= 4 &&
               ir_nonnegative(value->operands[0]) && ir_nonnegative(value->operands[1]);
    return divides_as_c(value);
}

static const Type *natural_type(Emitter *e, const IrValue *value)
{
    const Type *then;

    switch ((int)value->op) {
    case OP_constant:
        return type_is_integer(value->type) && is_small_integer(value) ? type_int32 : value->type;
    case OP_zero:
        return type_is_integer(value->type) ? type_int32 : value->type;
    case OP_cast:
        return changes_no_value(value) ? natural_type(e, value->operands[0]) : value->type;
    case OP_select:
        then = natural_type(e, value->operands[1]);
        return then == natural_type(e, value->operands[2]) ? then : value->type;
    case OP_item:
        if (value->operands[0]->op == OP_tuple)
            return natural_type(e, value->operands[0]->operands[value->index]);
        return value->type;
    case OP_floordiv:
    case OP_mod:
    case OP_and:
    case OP_or:
    case OP_xor:
        if (is_width_free(value))
            return usual_type(natural_type(e, value->operands[0]),
                              natural_type(e, value->operands[1]));
        return value->type;
    case OP_intrinsic:
        return natural_intrinsic(e, value);
    case OP_extent:
        if (!e->unit->narrow)
            return value->type;
        return emit_extent_is_int(e, value->operands[0], value->index) ? type_int32 : type_int64;
    default:
        return value->type;
    }
}

/* The C type of a value's text where C converts it to the value's own type. */
static const Type *assigned_type(Emitter *e, const IrValue *value)
{
    return natural_type(e, only_rounds(value) ? value->operands[0] : value);
}

const char *value_assigned(Emitter *e, const IrValue *value, Prec prec)
{
    return value_text(e, only_rounds(value) ? value->operands[0] : value, prec);
}

/* Whether C, which converts operands of types `a` and `b` to their usual type, compares the values
** as the IR does in `type`: that is the usual type, or has room for both. */
static bool same_comparison(const IrValue *value, const Type *a, const Type *b, const Type *type)
{
    const Type *usual = usual_type(a, b);

    if (usual == type || type_size(type) < 4)
        return true;
    if (!type_is_signed(type) || !is_integral(usual))
        return false;
    return type_is_signed(usual) || (a == b && is_integral(a)) ||
           (ir_nonnegative(value->operands[0]) && ir_nonnegative(value->operands[1]));
}

/* ---- operators ------------------------------------------------------------------------- */

/* Which operands of an operator must be exactly of the IR's type. The others may be written as what
** C converts to it: only floats are rounded, and C computes in the IR's type if it is a float. */
static void need_exact(Emitter *e, const IrValue *value, bool exact[2])
{
    const Type *type = value->operands[0]->type;
    const Type *a = assigned_type(e, value->operands[0]), *b;

    exact[0] = exact[1] = false;
    if (is_half(type) || type == type_bool || is_width_free(value))
        return;
    if (value->count == 1 || value->op == OP_shl || value->op == OP_shr) {
        exact[0] = type_size(type) >= 4;
        return;
    }
    b = assigned_type(e, value->operands[1]);
    if (ir_is_comparison(value->op) ? same_comparison(value, a, b, type)
                                    : usual_type(a, b) == type || type_size(type) < 4)
        return;
    exact[0] = true;
    exact[1] = usual_type(type, b) != type;
}

/* How tightly operand `i` of an operator must bind: as C demands, and a reader. */
static Prec operand_prec(const IrValue *value, Prec prec, int i)
{
    const IrValue *operand = value->operands[i];

    switch ((int)value->op) {
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_shl:
    case OP_shr:
        return i == 0 && operand->op == value->op && value->op != OP_shl && value->op != OP_shr
                   ? prec
                   : PREC_UNARY;
    case OP_eq:
    case OP_ne:
    case OP_lt:
    case OP_le:
    case OP_gt:
    case OP_ge:
        return PREC_SHIFT;
    case OP_or_else:
        return operand->op == OP_and_then ? PREC_OR : prec;
    case OP_and_then:
        return prec;
    default:
        return prec == PREC_UNARY ? prec : (Prec)(prec + i);
    }
}

/* A half float as the float that C computes with. */
static const char *widened_text(Emitter *e, const IrValue *value)
{
    return arena_printf(e->arena, "%s(%s)", prelude(e, "f32_from", value->type),
                        value_text(e, value, PREC_ARGUMENT));
}

/* An argument in a call: floats of just their type, since CUDA's functions are overloaded. */
static const char *argument_text(Emitter *e, const IrValue *value, bool exact)
{
    if (is_half(value->type))
        return widened_text(e, value);
    return exact || type_is_float(value->type) ? value_exact(e, value, PREC_ARGUMENT)
                                               : value_text(e, value, PREC_ARGUMENT);
}

/* A name for an operand that is used more than once, or before something else; in `out`. */
static const char *held_operand(Emitter *e, const Type *type, const char *text, Buf *out)
{
    const char *name = local_name(e, "operand");

    buf_printf(out, "const %s %s = %s; ", type_text(e, type), name, text);
    return name;
}

/* What one expansion of a template needs to know. */
typedef struct Expansion {
    const IrValue *value;
    const char *operands[4]; /* texts, NULL: as arguments */
    const Type *type;        /* for %{...} and %m */
    bool raw;                /* half floats are not widened */
} Expansion;

/* Puts `%{name}` or `%{name.-}`; gives what is behind the brace. */
static const char *expand_name(Emitter *e, Buf *out, const Expansion *x, const char *p)
{
    const char *end = strchr(p, '}'), *dot = memchr(p, '.', (size_t)(end - p));
    const char *name = arena_strndup(e->arena, p, (size_t)((dot ? dot : end) - p));

    buf_puts(out, prelude(e, name, dot ? NULL : x->type));
    return end + 1;
}

static void expand_all(Emitter *e, Buf *out, const Expansion *x)
{
    for (int i = 0; i < x->value->count; i++)
        buf_printf(out, "%s%s", i ? ", " : "",
                   x->raw ? value_exact(e, x->value->operands[i], PREC_ARGUMENT)
                          : argument_text(e, x->value->operands[i], false));
}

/* Expands what stands behind a %; gives what comes after. */
static const char *expand_one(Emitter *e, Buf *out, const Expansion *x, const char *p)
{
    switch (*p) {
    case '{':
        return expand_name(e, out, x, p + 1);
    case 'm':
        buf_puts(out, x->type == type_float32 ? "f" : "");
        return p + 1;
    case 'x':
        buf_putc(out, "xyz"[x->value->index % 3]);
        return p + 1;
    case '*':
        expand_all(e, out, x);
        return p + 1;
    case '%':
        buf_putc(out, '%');
        return p + 1;
    case '=':
        buf_puts(out, argument_text(e, x->value->operands[p[1] - '0'], true));
        return p + 2;
    default:
        buf_puts(out, x->operands[*p - '0']
                          ? x->operands[*p - '0']
                          : argument_text(e, x->value->operands[*p - '0'], false));
        return p + 1;
    }
}

static const char *expand(Emitter *e, const char *text, const Expansion *x)
{
    Buf out;

    buf_init(&out, e->arena);
    while (*text) {
        if (*text == '%')
            text = expand_one(e, &out, x, text + 1);
        else
            buf_putc(&out, *text++);
    }
    return buf_text(&out);
}

/* Writes the operands of an operator into an expansion. */
static void expand_operands(Emitter *e, Expansion *x, Prec prec)
{
    bool exact[2];

    need_exact(e, x->value, exact);
    for (int i = 0; i < x->value->count && i < 2; i++) {
        const IrValue *operand = x->value->operands[i];
        Prec at = operand_prec(x->value, prec, i);
        x->operands[i] = is_half(operand->type) ? widened_text(e, operand)
                         : exact[i]             ? value_exact(e, operand, at)
                                                : value_assigned(e, operand, at);
        if (x->value->op == OP_neg && x->operands[i][0] == '-')
            x->operands[i] = arena_printf(e->arena, "(%s)", x->operands[i]);
    }
}

/* The template of an operation, and how tightly it binds. */
static const char *operator_template(Emitter *e, const IrValue *value, Prec *prec)
{
    const Type *type = value->operands[0]->type;

    if (e->dialect == DIALECT_CHECK && check_is_asked(e, value)) {
        *prec = PREC_POSTFIX;
        return check_operator_template(e, value);
    }

    *prec = op_texts[value->op].prec;
    if (type_is_complex(type)) {
        *prec = value->op == OP_ne ? PREC_UNARY : PREC_POSTFIX;
        return op_texts[value->op].complex;
    }
    if (divides_as_c(value)) {
        *prec = PREC_MULTIPLY;
        return value->op == OP_mod ? "%0 %% %1" : "%0 / %1";
    }
    if (value->op == OP_invert && type == type_bool)
        return "!%0";
    if (value->op == OP_pow && type_is_float(type) && type_is_integer(value->operands[1]->type))
        return "%{pow_int}(%0, %1)";
    return op_texts[value->op].real;
}

/* Whether C computes this in int, so that the result must be cut to its type again. */
static bool needs_narrowing(const IrValue *value)
{
    switch ((int)value->op) {
    case OP_neg:
    case OP_invert:
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_shl:
        return type_is_integer(value->type) && type_size(value->type) < 4;
    default:
        return false;
    }
}

/* `text`, a float that is a value, rounded to the half float that the value is. */
static const char *narrowed_text(Emitter *e, const IrValue *value, const char *text)
{
    const char *name = value->type->kind == TY_FLOAT16 ? "f16_from" : "bf16_from";

    return arena_printf(e->arena, "%s(%s)", prelude(e, name, type_float32),
                        check_narrowed(e, value->type, text, value->span));
}

/* An equality of integers by the bits that differ. */
static const char *differing_text(Emitter *e, const IrValue *value, Prec needs)
{
    const Type *type = value->operands[0]->type;
    const char *name = prelude(e, "differing", type_size(type) < 4 ? type_int32 : type);
    const char *text =
        arena_printf(e->arena, "%s(%s, %s) %s 0", name, argument_text(e, value->operands[0], false),
                     argument_text(e, value->operands[1], false), value->op == OP_eq ? "==" : "!=");

    return parenthesize(e, text, PREC_EQUALITY, needs);
}

/* What a number is taken from 0 for: its negative, or NULL. */
static const IrValue *negated(const IrValue *value)
{
    bool from_zero =
        value->op == OP_sub &&
        (value->operands[0]->op == OP_zero ||
         (value->operands[0]->op == OP_constant && value->operands[0]->constant.integer == 0));

    return value->op == OP_neg ? value->operands[0] : from_zero ? value->operands[1] : NULL;
}

/* An operation of signed integers, done with unsigned ones. A negative is hidden: where x or its
** negative is chosen by the sign of x, LLVM makes an abs of it, and ptxas 13.0 takes that of the
** least number for positive. */
static const char *wrapping_text(Emitter *e, const IrValue *value, Prec needs)
{
    static const char *const signs[OP_COUNT] = { [OP_add] = "+", [OP_sub] = "-", [OP_mul] = "*" };
    const char *wide = type_size(value->type) > 4 ? "unsigned long long" : "unsigned int";
    const IrValue *of = negated(value);
    const char *text;

    if (of)
        text = arena_printf(e->arena, "(%s)(0 - (%s)%s(%s))", type_text(e, value->type), wide,
                            prelude(e, "hidden", value->type), argument_text(e, of, false));
    else
        text =
            arena_printf(e->arena, "(%s)((%s)%s %s %s)", type_text(e, value->type), wide,
                         value_text(e, value->operands[0], PREC_UNARY), signs[value->op],
                         value_text(e, value->operands[1], (Prec)(op_texts[value->op].prec + 1)));
    return parenthesize(e, text, PREC_UNARY, needs);
}

static const char *operator_text(Emitter *e, const IrValue *value, Prec needs)
{
    if (equal_by_bits(e, value))
        return differing_text(e, value, needs);
    if (may_overflow(e, value))
        return wrapping_text(e, value, needs);
    Expansion x = { .value = value, .type = value->operands[0]->type };
    const char *text;
    Prec prec;
    const char *template = operator_template(e, value, &prec);

    if (is_half(x.type))
        x.type = type_float32;
    if (prec != PREC_POSTFIX && !type_is_complex(x.type))
        expand_operands(e, &x, prec);
    text = expand(e, template, &x);
    if (is_half(value->type))
        return narrowed_text(e, value, text);
    if (needs_narrowing(value) && result_is_cut(e, value->type))
        return arena_printf(e->arena, "%s(%s)", prelude(e, "cut", value->type), text);
    if (needs_narrowing(value)) {
        text = arena_printf(e->arena, "(%s)%s", type_text(e, value->type),
                            parenthesize(e, text, prec, PREC_POSTFIX));
        prec = PREC_UNARY;
    }
    return parenthesize(e, text, prec, needs);
}

const char *beside_text(Emitter *e, const IrValue *value, const Type *type, Prec prec)
{
    bool kept = type_size(type) < 4 || usual_type(type, assigned_type(e, value)) == type;

    return kept ? value_assigned(e, value, prec) : value_exact(e, value, prec);
}

/* Whether two values without effects are written alike and so mean the same. */
static bool same_value(const IrValue *a, const IrValue *b)
{
    if (a->op != b->op || a->type != b->type || a->count != b->count || a->index != b->index)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!same_value(a->operands[i], b->operands[i]))
            return false;
    switch ((int)a->op) {
    case OP_constant:
        return type_is_integer(a->type) && a->constant.integer == b->constant.integer;
    case OP_var:
        return a->var == b->var;
    case OP_intrinsic:
        return a->intrinsic == b->intrinsic;
    case OP_call:
    case OP_view:
        return false;
    default:
        return true;
    }
}

/* Whether `value` is what an assignment to the same place writes: the variable, or that element. */
static bool reads_target(const IrValue *value, const IrStmt *stmt)
{
    if (stmt->kind == IR_SET)
        return value->op == OP_var && value->var == stmt->set.var;
    if (value->op != OP_load || value->count != stmt->store.count + 1 ||
        !same_value(value->operands[0], stmt->store.array))
        return false;
    for (int i = 0; i < stmt->store.count; i++)
        if (!same_value(value->operands[i + 1], stmt->store.indices[i]))
            return false;
    return true;
}

/* Where an assignment goes, binding at least as tightly as `prec`, which is PREC_UNARY or more. */
static const char *target_text(Emitter *e, const IrStmt *stmt, Prec prec)
{
    if (stmt->kind == IR_SET)
        return var_text(e, stmt->set.var);
    return element_text(e, stmt->store.array, stmt->store.indices, stmt->store.count, prec);
}

/* The sign of `x op= by`, if the assignment has that form; else NULL. */
static const char *sign_of_assignment(const Emitter *e, const IrValue *value, const IrStmt *stmt)
{
    static const char *const signs[OP_COUNT] = {
        [OP_add] = "+", [OP_sub] = "-", [OP_mul] = "*",  [OP_div] = "/",  [OP_and] = "&",
        [OP_or] = "|",  [OP_xor] = "^", [OP_shl] = "<<", [OP_shr] = ">>",
    };
    const Type *type = value->type;

    if (e->dialect == DIALECT_CHECK && (stmt->kind == IR_STORE || check_is_asked(e, value) ||
                                        check_heard_bit(e, stmt->set.var) >= 0))
        return NULL;
    if (!signs[value->op] || !type_is_scalar(type) || type_is_complex(type) ||
        type_size(type) < 4 || !reads_target(value->operands[0], stmt) || may_overflow(e, value))
        return NULL;
    return signs[value->op];
}

static bool is_step(const IrValue *value)
{
    const IrValue *by = value->operands[1];

    return (value->op == OP_add || value->op == OP_sub) && by->op == OP_constant &&
           type_is_integer(value->type) && by->constant.integer == 1;
}

const char *assignment_text(Emitter *e, const IrStmt *stmt)
{
    const IrValue *value = stmt->kind == IR_SET ? stmt->set.value : stmt->store.value;
    const char *sign = sign_of_assignment(e, value, stmt);
    bool step = sign && is_step(value);
    const char *target = target_text(e, stmt, step ? PREC_POSTFIX : PREC_UNARY);

    if (!sign)
        return arena_printf(e->arena, "%s = %s", target, value_assigned(e, value, PREC_ARGUMENT));
    if (step)
        return arena_printf(e->arena, "%s%s%s", target, sign, sign);
    return arena_printf(e->arena, "%s %s= %s", target, sign,
                        beside_text(e, value->operands[1], value->type, PREC_ARGUMENT));
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
    const Type *type = is_half(x->type) ? type_float32 : x->type;
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

static bool is_split(const IrValue *value)
{
    return value->op == OP_intrinsic &&
           (value->intrinsic == INTR_frexp || value->intrinsic == INTR_modf);
}

static const char *tuple_text(Emitter *e, const IrValue *value)
{
    Buf out;

    buf_init(&out, e->arena);
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

/* ---- calls ----------------------------------------------------------------------------- */

static const char *call_text(Emitter *e, const IrValue *value)
{
    const char *comma = "";
    Buf out;

    buf_init(&out, e->arena);
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

static bool is_atomic(IrIntrinsic intrinsic)
{
    return intrinsic >= INTR_atomic_add && intrinsic <= INTR_atomic_compare_and_swap;
}

/* Whether only one processor comes to an array's memory in C: a worker runs a block alone. */
static bool is_alone(const Emitter *e, const IrValue *array)
{
    while (array->op == OP_view || array->op == OP_transpose || array->op == OP_recast ||
           array->op == OP_field || array->op == OP_cast)
        array = array->operands[0];
    return e->dialect != DIALECT_CUDA && array->op == OP_var &&
           (array->var->merged || array->var->kind == VAR_SHARED ||
            array->var->kind == VAR_SHARED_DYNAMIC || array->var->kind == VAR_PRIVATE);
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
    bool atomic = value->op == OP_intrinsic && is_atomic(value->intrinsic);

    return atomic ? value->count - 2 - two : 0;
}

/* Checked, operands come before the place is asked for: what is no plain name gets one. */
static const char *checked_atomic_text(Emitter *e, const IrValue *value)
{
    int first = 1 + emit_atomic_indices(value);
    Buf names, values;

    buf_init(&names, e->arena);
    buf_init(&values, e->arena);
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

static const char *atomic_text(Emitter *e, const IrValue *value)
{
    const IrValue *array = value->operands[0];
    int indices = emit_atomic_indices(value);
    Buf out;

    if (e->dialect == DIALECT_CHECK)
        return checked_atomic_text(e, value);
    if (exact_is_accumulator(e, array))
        return exact_atomic_text(e, value);

    buf_init(&out, e->arena);
    buf_printf(&out, "%s(%s", atomic_name(e, value),
               element_address_text(e, array, value->operands + 1, indices, PREC_ARGUMENT));
    for (int i = 1 + indices; i < value->count; i++)
        buf_printf(&out, ", %s", value_assigned(e, value->operands[i], PREC_ARGUMENT));
    buf_putc(&out, ')');
    return buf_text(&out);
}

/* Whether an array is known to lie in global memory. */
static bool is_global(const IrValue *array)
{
    while (array->op == OP_view || array->op == OP_transpose || array->op == OP_recast ||
           array->op == OP_field || array->op == OP_cast)
        array = array->operands[0];
    return array->op == OP_var && array->var->kind == VAR_PARAM;
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
    const char *kind = load && is_global(array) ? "load" : stores ? "store" : "copy";
    const char *piece = prelude(e, arena_printf(e->arena, "wide_%s%d", kind, bytes), NULL);
    return arena_printf(e->arena, "%s(%s, %s)", piece, to, from);
}

static const char *load_text(Emitter *e, const IrValue *load, Prec needs)
{
    const IrValue *array = load->operands[0];
    IrValue *const *indices = load->operands + 1;

    if (e->dialect == DIALECT_CHECK)
        return check_load_text(e, load, needs);
    if (load->type == type_bool && e->dialect == DIALECT_C && e->unit->shape.free) {
        /* gcc 12 makes no vectors of bools */
        const char *address = element_address_text(e, array, indices, load->count - 1, PREC_UNARY);
        return parenthesize(e, arena_printf(e->arena, "*(const unsigned char *)%s", address),
                            PREC_UNARY, needs);
    }
    if (!load->index || e->dialect != DIALECT_CUDA)
        return element_text(e, array, indices, load->count - 1, needs);
    return arena_printf(e->arena, "__ld%s(%s)", ir_cache_names[load->index],
                        element_address_text(e, array, indices, load->count - 1, PREC_ARGUMENT));
}

const char *emit_hinted_store(Emitter *e, const IrStmt *stmt)
{
    return arena_printf(e->arena, "__st%s(%s, %s)", ir_cache_names[stmt->store.cache],
                        element_address_text(e, stmt->store.array, stmt->store.indices,
                                             stmt->store.count, PREC_ARGUMENT),
                        value_text(e, stmt->store.value, PREC_ARGUMENT));
}

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
    Buf held;

    buf_init(&held, e->arena);
    for (int i = 0; i < value->count; i++) {
        const IrValue *operand = value->operands[i];
        const Type *type = is_half(operand->type) ? type_float32 : operand->type;
        x->operands[i] = argument_text(e, operand, false);
        if (operand->count || is_half(operand->type))
            x->operands[i] = held_operand(e, type, x->operands[i], &held);
    }
    const char *second = type_is_float(last->type) ? x->operands[value->count - 1] : x->operands[0];
    const char *call = arena_printf(
        e->arena, "%s(%s, %s, %s, %s)", prelude(e, check_birth_piece(value), x->type),
        check_site_args(e, value->span, ir_intrinsics[value->intrinsic].name),
        expand(e, template, x), x->operands[0],
        value->count == 3 ? arena_printf(e->arena, "%s, %s", x->operands[1], second) : second);
    return held.length ? arena_printf(e->arena, "({ %s%s; })", buf_text(&held), call) : call;
}

static const char *intrinsic_text(Emitter *e, const IrValue *value, Prec needs)
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

    if (is_atomic(value->intrinsic))
        return atomic_text(e, value);
    if (value->intrinsic == INTR_wide_load || value->intrinsic == INTR_wide_store)
        return wide_text(e, value);
    if (value->intrinsic == INTR_prefetch)
        return prefetch_text(e, value);
    if (is_split(value))
        return tuple_text(e, value);
    if (!template)
        return arena_printf(e->arena, "%s_is_not_for_this_dialect()",
                            ir_intrinsics[value->intrinsic].name);
    x.type = value->count ? value->operands[0]->type : NULL;
    x.raw = *template == '~';
    if (x.type && is_half(x.type) && !x.raw)
        x.type = type_float32;
    if (e->dialect == DIALECT_CHECK && check_is_birth(e, value)) {
        text = birth_text(e, template, &x);
        prec = PREC_POSTFIX;
    } else {
        text = expand(e, template + x.raw, &x);
    }
    if (is_half(value->type) && !x.raw)
        return narrowed_text(e, value, text);
    return parenthesize(e, text, prec, needs);
}

/* ---- the walk -------------------------------------------------------------------------- */

static const char *complex_text(Emitter *e, const IrValue *value)
{
    return arena_printf(e->arena, "%s(%s, %s)", prelude(e, "make_complex", value->type),
                        value_assigned(e, value->operands[0], PREC_ARGUMENT),
                        value_assigned(e, value->operands[1], PREC_ARGUMENT));
}

static const char *address_number_text(Emitter *e, const IrValue *value, Prec needs)
{
    return parenthesize(e,
                        arena_printf(e->arena, "(unsigned long long)%s",
                                     data_text(e, value->operands[0], PREC_UNARY)),
                        PREC_UNARY, needs);
}

static const char *zero_value_text(Emitter *e, const IrValue *value, Prec prec, bool exact)
{
    IrConstant zero = { 0 };

    if (type_is_scalar(value->type))
        return constant_text(e, value->type, zero, prec, exact);
    return zero_text(e, value->type);
}

/* The comparison that holds where this one does not. Only of integers: with NaN neither holds. */
static IrOp opposite(IrOp op)
{
    static const IrOp opposites[OP_COUNT] = {
        [OP_eq] = OP_ne,
        [OP_ne] = OP_eq,
        [OP_lt] = OP_ge,
        [OP_le] = OP_gt,
        [OP_gt] = OP_le,
        [OP_ge] = OP_lt,
        [OP_and_then] = OP_or_else,
        [OP_or_else] = OP_and_then,
    };

    return opposites[op];
}

/* Whether `not value` can be said without a !. */
static bool is_negatable(const IrValue *value)
{
    if (value->op == OP_and_then || value->op == OP_or_else)
        return is_negatable(value->operands[0]) && is_negatable(value->operands[1]);
    return value->op == OP_not ||
           (ir_is_comparison(value->op) && type_is_integer(value->operands[0]->type));
}

/* `not value`, of what is_negatable(). */
static const IrValue *negate(Emitter *e, const IrValue *value)
{
    IrValue *negated;

    if (value->op == OP_not)
        return value->operands[0];
    negated = ir_value(e->arena, opposite(value->op), value->type, value->span, 2);
    for (int i = 0; i < 2; i++)
        negated->operands[i] = ir_is_comparison(value->op)
                                   ? value->operands[i]
                                   : (IrValue *)negate(e, value->operands[i]);
    return negated;
}

static const char *not_text(Emitter *e, const IrValue *value, Prec prec)
{
    if (is_negatable(value->operands[0]))
        return value_text(e, negate(e, value->operands[0]), prec);
    return operator_text(e, value, prec);
}

/* A float, a number, as an int that has room for it. */
static const char *fitting_text(Emitter *e, const IrValue *value, Prec prec)
{
    const IrValue *from = value->operands[0];
    const Type *type = is_half(from->type) ? type_float32 : from->type;
    bool plain = e->dialect == DIALECT_CUDA;
    const char *text = is_half(from->type)
                           ? widened_text(e, from)
                           : value_text(e, from, plain ? PREC_UNARY : PREC_ARGUMENT);

    if (!plain)
        return arena_printf(e->arena, "%s(%s)", prelude(e, "i32_fitting", type), text);
    return parenthesize(e, arena_printf(e->arena, "(%s)%s", type_text(e, value->type), text),
                        PREC_UNARY, prec);
}

/* Any other cast of scalars. */
static const char *conversion_text(Emitter *e, const IrValue *value, Prec prec)
{
    if (e->dialect == DIALECT_CHECK && check_narrows_index(e, value))
        return check_index_cast(e, value);
    if (value->index == CAST_CLAMPS)
        return clamp_text(e, value->type, value->operands[0], prec);
    return cast_text(e, value->type, value->operands[0], prec);
}

const char *value_text(Emitter *e, const IrValue *value, Prec prec)
{
    switch (value->op) {
    case OP_constant:
        return constant_text(e, value->type, value->constant, prec, false);
    case OP_zero:
        return zero_value_text(e, value, prec, false);
    case OP_var:
        return type_is_array(value->type) ? array_text(e, value, prec)
                                          : check_heard_text(e, value, var_text(e, value->var));
    case OP_neg:
    case OP_invert:
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_div:
    case OP_floordiv:
    case OP_mod:
    case OP_pow:
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_shl:
    case OP_shr:
    case OP_eq:
    case OP_ne:
    case OP_lt:
    case OP_le:
    case OP_gt:
    case OP_ge:
    case OP_and_then:
    case OP_or_else:
        return operator_text(e, value, prec);
    case OP_not:
        return not_text(e, value, prec);
    case OP_select:
        return select_text(e, value, prec);
    case OP_bits:
        return bits_text(e, value);
    case OP_cast:
        if (type_is_array(value->type))
            return array_text(e, value, prec);
        if (value->index == CAST_FITS) /* a float that needs no care */
            return fitting_text(e, value, prec);
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
        return complex_text(e, value);
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
        return address_number_text(e, value, prec);
    case OP_intrinsic:
        return intrinsic_text(e, value, prec);
    case OP_call:
        return call_text(e, value);
    case OP_COUNT:
        break;
    }
    return "";
}

const char *value_exact(Emitter *e, const IrValue *value, Prec prec)
{
    if (natural_type(e, value) == value->type)
        return value_text(e, value, prec);
    if (value->op == OP_constant)
        return constant_text(e, value->type, value->constant, prec, true);
    if (value->op == OP_zero)
        return zero_value_text(e, value, prec, true);
    if (value->op == OP_cast)
        return conversion_text(e, value, prec);
    return parenthesize(e,
                        arena_printf(e->arena, "(%s)%s", type_text(e, value->type),
                                     value_text(e, value, PREC_UNARY)),
                        PREC_UNARY, prec);
}
