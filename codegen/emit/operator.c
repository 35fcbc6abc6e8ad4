/* Operators: with C's own where these do what Python's do, else by a function of the prelude; and
** text.def's templates with the operands put in, half floats among these made floats and back. */
#include "codegen/emit/expr.h"

static const struct {
    Prec prec;
    const char *real, *complex;
} op_texts[OP_COUNT] = {
#define TEXT(op, prec, real, complex) [OP_##op] = { PREC_##prec, real, complex },
#include "codegen/emit/text.def"
};

enum {
    OPS_COVERED = 0
#define TEXT(op, prec, real, complex) +1
#include "codegen/emit/text.def"
};
_Static_assert((int)OPS_COVERED == (int)OP_COUNT, "every operation has its line in text.def");

/* ---- templates ------------------------------------------------------------------------- */

const char *widened_text(Emitter *e, const IrValue *value)
{
    return arena_printf(e->arena, "%s(%s)", prelude(e, "f32_from", value->type),
                        value_text(e, value, PREC_ARGUMENT));
}

const char *narrowed_text(Emitter *e, const IrValue *value, const char *text)
{
    return arena_printf(e->arena, "%s(%s)", prelude(e, half_from(e, value->type), type_float32),
                        check_narrowed(e, value->type, text, value->span));
}

const char *argument_text(Emitter *e, const IrValue *value, bool exact)
{
    if (type_is_half(value->type))
        return widened_text(e, value);
    return exact || type_is_float(value->type) ? value_exact(e, value, PREC_ARGUMENT)
                                               : value_text(e, value, PREC_ARGUMENT);
}

const char *held_operand(Emitter *e, const Type *type, const char *text, Buf *out)
{
    const char *name = local_name(e, "operand");

    buf_printf(out, "const %s %s = %s; ", type_text(e, type), name, text);
    return name;
}

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

const char *expand(Emitter *e, const char *text, const Expansion *x)
{
    Buf out = buf_in(e->arena);
    while (*text) {
        if (*text == '%')
            text = expand_one(e, &out, x, text + 1);
        else
            buf_putc(&out, *text++);
    }
    return buf_text(&out);
}

/* ---- operators ------------------------------------------------------------------------- */

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

/* Writes the operands of an operator into an expansion. */
static void expand_operands(Emitter *e, Expansion *x, Prec prec)
{
    bool exact[2];

    need_exact(e, x->value, exact);
    for (int i = 0; i < x->value->count && i < 2; i++) {
        const IrValue *operand = x->value->operands[i];
        Prec at = operand_prec(x->value, prec, i);
        x->operands[i] = type_is_half(operand->type) ? widened_text(e, operand)
                         : exact[i]                  ? value_exact(e, operand, at)
                                                     : value_assigned(e, operand, at);
        if (x->value->op == OP_neg && x->operands[i][0] == '-')
            x->operands[i] = arena_printf(e->arena, "(%s)", x->operands[i]);
    }
}

/* Whether a GPU divides by a number of 64 bits, of which it has to be asked how many it takes. */
static bool divides_wide(const Emitter *e, const IrValue *value)
{
    return e->dialect == DIALECT_CUDA && value->type == type_int64 &&
           (value->op == OP_floordiv || value->op == OP_mod) &&
           value->operands[1]->op != OP_constant;
}

/* The template of an operation, and how tightly it binds. */
static const char *operator_template(Emitter *e, const IrValue *value, Prec *prec)
{
    const Type *type = value->operands[0]->type;

    if (e->dialect == DIALECT_CHECK && check_may_fail(e, value)) {
        *prec = PREC_POSTFIX;
        return check_operator_template(e, value);
    }

    *prec = op_texts[value->op].prec;
    if (type_is_complex(type)) {
        *prec = value->op == OP_ne ? PREC_UNARY : PREC_POSTFIX;
        return op_texts[value->op].complex;
    }
    if (divides_as_c(e, value)) {
        *prec = PREC_MULTIPLY;
        return value->op == OP_mod ? "%0 %% %1" : "%0 / %1";
    }
    if (divides_wide(e, value))
        return value->op == OP_mod ? "%{wide_mod}(%0, %1)" : "%{wide_div}(%0, %1)";
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

/* Whether LLVM could make an abs of this and what it negates, whose signs are in the casts around
** it: cuda/least.c. */
static bool is_unsigned_negative(const Emitter *e, const IrValue *value)
{
    return e->dialect == DIALECT_CUDA && type_is_integer(value->type) &&
           !type_is_signed(value->type) && type_size(value->type) >= 4 &&
           value->op != OP_constant && negated_value(value);
}

/* An operation of signed integers, done with unsigned ones. What is negated is hidden: least.c. */
static const char *wrapping_text(Emitter *e, const IrValue *value, Prec needs)
{
    static const char *const signs[OP_COUNT] = { [OP_add] = "+", [OP_sub] = "-", [OP_mul] = "*" };
    const char *wide = type_size(value->type) > 4 ? "unsigned long long" : "unsigned int";
    const IrValue *of = negated_value(value);
    const Type *hidden = type_size(value->type) > 4 ? type_int64 : type_int32;
    const char *text;

    if (of)
        text = arena_printf(e->arena, "(%s)(0 - (%s)%s(%s))", type_text(e, value->type), wide,
                            prelude(e, "hidden", hidden), argument_text(e, of, false));
    else
        text =
            arena_printf(e->arena, "(%s)((%s)%s %s %s)", type_text(e, value->type), wide,
                         value_text(e, value->operands[0], PREC_UNARY), signs[value->op],
                         value_text(e, value->operands[1], (Prec)(op_texts[value->op].prec + 1)));
    return parenthesize(e, text, PREC_UNARY, needs);
}

/* Whether ptxas could take a negative in 32 bits for an operand of a minimum of three: least.c. */
static bool is_short_negative(const Emitter *e, const IrValue *value)
{
    return e->dialect == DIALECT_CUDA && type_is_integer(value->type) &&
           type_size(value->type) <= 4 && value->type != type_uint32 && value->op != OP_constant &&
           negated_value(value);
}

static const char *short_negative_text(Emitter *e, const IrValue *value)
{
    return arena_printf(e->arena, "%s(%s)", prelude(e, "negated", type_int32),
                        argument_text(e, negated_value(value), false));
}

/* ---- quotients --------------------------------------------------------------------------- */

/* Whether a GPU divides with unsigned numbers, which takes it fewer instructions: what is not
** negative, by what is no constant. */
static bool divides_unsigned(Emitter *e, const IrValue *value)
{
    return e->dialect == DIALECT_CUDA && divides_as_c(e, value) &&
           value->operands[1]->op != OP_constant && natural_type(e, value) == type_int32;
}

static const char *quotient_text(Emitter *e, const IrValue *value);

static const char *unsigned_text(Emitter *e, const IrValue *value, Prec needs)
{
    if (divides_unsigned(e, value))
        return parenthesize(e, quotient_text(e, value), PREC_MULTIPLY, needs);
    while (value->op == OP_cast && value->type == type_int32 &&
           type_is_integer(value->operands[0]->type))
        value = value->operands[0];
    return arena_printf(e->arena, "(unsigned int)%s", value_text(e, value, PREC_UNARY));
}

static const char *quotient_text(Emitter *e, const IrValue *value)
{
    const char *dividend = unsigned_text(e, value->operands[0], PREC_MULTIPLY);
    return arena_printf(e->arena, "%s %c %s", dividend, value->op == OP_mod ? '%' : '/',
                        unsigned_text(e, value->operands[1], PREC_UNARY));
}

/* ---- wide products ----------------------------------------------------------------------- */

/* Whether a variable counts, or is one that does and something else. */
static bool counts(const Emitter *e, const IrVar *var, int depth)
{
    for (const IrSetStmt *set = magnitude_sets(e->magnitude, var); set; set = set->next) {
        const IrValue *value = set->stmt->kind == IR_SET ? set->stmt->set.value : NULL;
        if (set->stmt->kind == IR_FOR)
            return true;
        for (int i = 0; depth && value->op == OP_add && i < 2; i++)
            if (value->operands[i]->op == OP_var && counts(e, value->operands[i]->var, depth - 1))
                return true;
    }
    return false;
}

/* The sum of a counter that is an operand of a product of two int32 in 64 bits; NULL: it is none.
** NVVM would count in 64 bits, and multiply what comes of it by four instructions for one. */
static const IrValue *counted_sum(const Emitter *e, const IrValue *value, int operand)
{
    enum { DEPTH = 2 }; /* iterations that are taken several at a time count by a sum */
    if (e->dialect != DIALECT_CUDA || !e->unit->narrow || value->op != OP_mul ||
        value->type != type_int64)
        return NULL;
    for (int i = 0; i < 2; i++)
        if (value->operands[i]->op != OP_cast ||
            value->operands[i]->operands[0]->type != type_int32)
            return NULL;
    const IrValue *sum = value->operands[operand]->operands[0];
    for (int i = 0; i < 2 && (sum->op == OP_add || sum->op == OP_sub); i++)
        if (sum->operands[i]->op == OP_var && counts(e, sum->operands[i]->var, DEPTH))
            return sum;
    return NULL;
}

/* ---- all of them ------------------------------------------------------------------------- */

const char *operator_text(Emitter *e, const IrValue *value, Prec needs)
{
    value = against_other_zero(e, value);
    if (divides_unsigned(e, value))
        return parenthesize(e, arena_printf(e->arena, "(int)(%s)", quotient_text(e, value)),
                            PREC_UNARY, needs);
    if (equal_by_bits(e, value))
        return differing_text(e, value, needs);
    if (is_short_negative(e, value) && type_size(value->type) == 4)
        return short_negative_text(e, value);
    if (may_overflow(e, value) || is_unsigned_negative(e, value))
        return wrapping_text(e, value, needs);
    Expansion x = { .value = value, .type = value->operands[0]->type };
    Prec prec;
    const char *template = operator_template(e, value, &prec);

    if (type_is_half(x.type))
        x.type = type_float32;
    if (prec != PREC_POSTFIX && !type_is_complex(x.type))
        expand_operands(e, &x, prec);
    int side = side_without_nan(e, value);
    if (side >= 0)
        x.operands[side] =
            arena_printf(e->arena, "%s(%s)", prelude(e, "hidden", x.type), x.operands[side]);
    for (int i = 0; i < value->count; i++) {
        const IrValue *sum = counted_sum(e, value, i);
        if (sum)
            x.operands[i] =
                arena_printf(e->arena, "(long long)%s(%s)", prelude(e, "hidden", type_int32),
                             argument_text(e, sum, false));
    }
    const char *text = expand(e, template, &x);
    if (is_short_negative(e, value)) {
        text = short_negative_text(e, value);
        prec = PREC_POSTFIX;
    }
    if (type_is_half(value->type))
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

/* ---- not ------------------------------------------------------------------------------- */

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
    if (value->op == OP_not)
        return value->operands[0];
    IrValue *negated = ir_value(e->arena, opposite(value->op), value->type, value->span, 2);
    for (int i = 0; i < 2; i++)
        negated->operands[i] = ir_is_comparison(value->op)
                                   ? value->operands[i]
                                   : (IrValue *)negate(e, value->operands[i]);
    return negated;
}

const char *not_text(Emitter *e, const IrValue *value, Prec prec)
{
    if (is_negatable(value->operands[0]))
        return value_text(e, negate(e, value->operands[0]), prec);
    return operator_text(e, value, prec);
}
