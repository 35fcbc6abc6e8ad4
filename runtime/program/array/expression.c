/* Trees of operations on arrays. */
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

bool is_arrays(HostValue value)
{
    return value.kind == HOST_ARRAY || value.kind == HOST_EXPRESSION;
}

kjit_dtype operand_dtype(HostValue value)
{
    return value.kind == HOST_ARRAY        ? value.array->view.dtype
           : value.kind == HOST_EXPRESSION ? value.expression->dtype
                                           : host_dtype_of(value);
}

int operand_shape(HostValue value, int64_t shape[KJIT_RANK_MAX])
{
    int rank = value.kind == HOST_ARRAY        ? value.array->view.rank
               : value.kind == HOST_EXPRESSION ? value.expression->rank
                                               : 0;
    const int64_t *from = value.kind == HOST_ARRAY ? value.array->view.shape
                          : rank                   ? value.expression->shape
                                                   : NULL;
    if (rank)
        memcpy(shape, from, (size_t)rank * sizeof *shape);
    return rank;
}

const char *shape_text(Program *p, HostValue value)
{
    int64_t shape[KJIT_RANK_MAX];
    const int rank = operand_shape(value, shape);
    Buf out = buf_in(&p->scratch), plain = buf_in(&p->scratch);
    descr_put_shape(&out, shape, rank);
    for (const char *at = buf_text(&out); *at; at++)
        if (*at != ' ')
            buf_putc(&plain, *at);
    return buf_text(&plain);
}

static bool no_shape(Program *p, const HostValue *operands, int count)
{
    Buf out = buf_in(&p->scratch);
    for (int i = 0; i < count; i++)
        buf_printf(&out, "%s ", shape_text(p, operands[i]));
    return host_fail(p, "ValueError", "operands could not be broadcast together with shapes %s",
                     buf_text(&out));
}

bool shape_join(int *rank, int64_t *shape, int other_rank, const int64_t *other)
{
    int64_t joined[KJIT_RANK_MAX];
    const int most = *rank > other_rank ? *rank : other_rank;
    for (int i = 0; i < most; i++) { /* counted from the last axis */
        const int64_t a = i < *rank ? shape[*rank - 1 - i] : 1;
        const int64_t b = i < other_rank ? other[other_rank - 1 - i] : 1;
        if (a != b && a != 1 && b != 1)
            return false;
        joined[most - 1 - i] = a == 1 ? b : a;
    }
    *rank = most;
    memcpy(shape, joined, (size_t)most * sizeof *joined);
    return true;
}

bool operands_shape(Program *p, const HostValue *operands, int count, int *rank,
                    int64_t shape[KJIT_RANK_MAX])
{
    int64_t own[KJIT_RANK_MAX];
    *rank = 0;
    for (int i = 0; i < count; i++) {
        if (operands[i].kind == HOST_ARRAY && operands[i].array->view.dtype == KJIT_DTYPE_RECORD)
            return records_refused(p);
        if (!shape_join(rank, shape, operand_shape(operands[i], own), own))
            return no_shape(p, operands, count);
    }
    return true;
}

static int leaves_of(HostValue value)
{
    return value.kind == HOST_EXPRESSION ? value.expression->leaves : 1;
}

/* How often a form names an operand: each time it is written out. */
static int uses_of(const char *form, int operand)
{
    int uses = 0;
    for (const char *at = form; *at; at++)
        uses += at[0] == '%' && at[1] == '0' + operand;
    return uses;
}

bool expression_new(Program *p, const char *form, kjit_dtype in, kjit_dtype dtype,
                    const HostValue *operands, int count, HostValue *out)
{
    HostExpression *expression = host_new(p, HOST_EXPRESSION, sizeof *expression);
    expression->form = form;
    expression->in = in;
    expression->dtype = dtype;
    expression->count = count;
    if (!operands_shape(p, operands, count, &expression->rank, expression->shape))
        return false;
    int others = 0; /* leaves at the least that are to come */
    for (int i = 0; i < count; i++)
        others += uses_of(form, i);
    for (int i = 0; i < count; i++) {
        HostValue operand = operands[i];
        HostArray *array;
        const int uses = uses_of(form, i);
        others -= uses;
        if (operand.kind == HOST_INT && !host_fits(p, operand, in))
            return false;
        if (operand.kind == HOST_EXPRESSION &&
            leaves_of(operand) * uses > LEAVES_MOST - expression->leaves - others) {
            if (!expression_array(p, operand.expression, &array))
                return false;
            operand = host_object(array);
        }
        if (operand.kind == HOST_ARRAY && !host_array_aligned(p, &operand.array))
            return false;
        expression->operands[i] = operand;
        expression->leaves += leaves_of(operand) * uses;
    }
    *out = host_object(expression); /* which may be where the operands are */
    return true;
}

/* A stand-in of which only the kind and the dtype count. */
static HostValue kind_of(HostValue value)
{
    if (!is_arrays(value))
        return value;
    return (HostValue){ .kind = HOST_NUMBER, .dtype = operand_dtype(value) };
}

static bool no_loop(Program *p, AstOp op)
{
    return host_fail(p, "TypeError",
                     "ufunc '%s' not supported for the input types, and the inputs could not be "
                     "safely coerced to any supported types according to the casting rule "
                     "''safe''",
                     ufunc_name(op));
}

/* Lists beside arrays are arrays. */
static bool as_operand(Program *p, HostValue *value)
{
    HostArray *array;
    if (value->kind != HOST_LIST && value->kind != HOST_TUPLE)
        return true;
    if (!host_array_from(p, *value, KJIT_DTYPE_NONE, &array))
        return false;
    *value = host_object(array);
    return true;
}

/* A shift by as many bits as there are, or more, or by fewer than none: nothing is left but
** signs. */
static const char *shift_form(AstOp op, kjit_dtype dtype)
{
#define FORMS(bits)                                                                                \
    {                                                                                              \
        "%0 << %1 if 0 <= %1 < " #bits " else 0", "%0 >> %1 if %1 < " #bits " else 0",             \
            "%0 >> (%1 if 0 <= %1 < " #bits " else " #bits " - 1)"                                 \
    }
    static const char *const forms[][3] = { FORMS(8), FORMS(16), FORMS(32), FORMS(64) };
    size_t bytes = kjit_dtype_bytes(dtype);
    int width = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    bool natural = dtype >= KJIT_DTYPE_UINT8;
    return forms[width][op == AST_LSHIFT ? 0 : natural ? 1 : 2];
}

/* Complex numbers stand in order by their real parts, and where those are equal by the others. */
static const char *complex_order(AstOp op)
{
#define ORDER(strict, sign)                                                                        \
    "((%0).real " strict " (%1).real and (%0).imag == (%0).imag and (%1).imag == (%1).imag) or "   \
    "((%0).real == (%1).real and (%0).imag " sign " (%1).imag)"
    return op == AST_LT   ? ORDER("<", "<")
           : op == AST_LE ? ORDER("<", "<=")
           : op == AST_GT ? ORDER(">", ">")
                          : ORDER(">", ">=");
#undef ORDER
}

static const char *form_of(AstOp op, kjit_dtype dtype)
{
    static const char *const forms[AST_OP_COUNT] = {
        [AST_ADD] = "%0 + %1",    [AST_SUB] = "%0 - %1",       [AST_MUL] = "%0 * %1",
        [AST_DIV] = "%0 / %1",    [AST_FLOORDIV] = "%0 // %1", [AST_MOD] = "%0 % %1",
        [AST_POW] = "%0 ** %1",   [AST_BITAND] = "%0 & %1",    [AST_BITOR] = "%0 | %1",
        [AST_BITXOR] = "%0 ^ %1", [AST_EQ] = "%0 == %1",       [AST_NE] = "%0 != %1",
        [AST_LT] = "%0 < %1",     [AST_LE] = "%0 <= %1",       [AST_GT] = "%0 > %1",
        [AST_GE] = "%0 >= %1",
    };
    if (op >= AST_LT && op <= AST_GE && dtype_is_complex(dtype))
        return complex_order(op);
    if (op == AST_DIV && dtype_is_complex(dtype))
        return "divide(%0, %1)";
    if (op == AST_POW && dtype_is_complex(dtype))
        return dtype == KJIT_DTYPE_COMPLEX64 ? "power(%0, %1, np.complex64(1))"
                                             : "power(%0, %1, np.complex128(1))";
    if (op == AST_LSHIFT || op == AST_RSHIFT)
        return shift_form(op, dtype);
    if (op == AST_FLOORDIV && dtype_is_integer(dtype)) /* by 0 it is 0, the least by -1 wraps */
        return dtype < KJIT_DTYPE_UINT8 ? "np.floor_divide(%0, %1) if %1 != -1 else -%0"
                                        : "np.floor_divide(%0, %1)";
    if (op == AST_MOD && dtype_is_integer(dtype))
        return "np.remainder(%0, %1)";
    if (dtype == KJIT_DTYPE_BOOL && (op == AST_ADD || op == AST_MUL))
        return op == AST_ADD ? "%0 | %1" : "%0 & %1";
    return forms[op];
}

/* Integers to powers that are not known, by squaring: numba has others from 65536 on. */
static const char *power_form(Program *p, kjit_dtype in, HostValue power, const char *form)
{
    const bool small = host_is_number(power) && host_as_double(power) < 65536;
    if (!dtype_is_integer(in) || kjit_dtype_bytes(in) < 4 || small)
        return form;
    return arena_printf(p->arena, "raised(%%0, %%1, np.%s(1))", kjit_dtype_name(in));
}

static bool is_record_array(HostValue value)
{
    return value.kind == HOST_ARRAY && value.array->view.dtype == KJIT_DTYPE_RECORD;
}

/* Whether elements are compared with an int beyond 64 bits as they are: they hold it. */
static bool wide_compared(HostValue wide, HostValue other)
{
    const kjit_dtype dtype = is_arrays(other) ? operand_dtype(other) : KJIT_DTYPE_NONE;
    return dtype_is_float(dtype) || dtype_is_complex(dtype) ||
           (dtype == KJIT_DTYPE_UINT64 && wide_natural(wide, &wide));
}

bool host_array_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    HostValue operands[2] = { a, b };
    if ((op == AST_EQ || op == AST_NE) && is_record_array(a) && is_record_array(b))
        return modules_call(p, "np._equal_records", operands, 2, out) &&
               (op == AST_EQ || host_unary(p, AST_INVERT, *out, out));
    for (int i = 0; i < 2; i++) {
        const HostValue other = operands[!i];
        if (operands[i].kind == HOST_WIDE && op >= AST_EQ && op <= AST_GE &&
            !wide_compared(operands[i], other))
            return host_lacks(p, "OverflowError",
                              "elements are not compared with an int beyond 64 bits here");
        if (is_arrays(other) && !wide_as(p, operand_dtype(other), &operands[i]))
            return false;
        if (!as_operand(p, &operands[i]))
            return false;
        if (!is_arrays(operands[i]) && !host_is_number(operands[i]))
            return host_fail(p, "TypeError", "unsupported operand type(s) for %s: '%s' and '%s'",
                             ast_op_spelling(op), host_type_name(p, a), host_type_name(p, b));
    }
    kjit_dtype result, in = dtype_operands(op, kind_of(operands[0]), kind_of(operands[1]), &result);
    for (int i = 0; i < 2 && result == KJIT_DTYPE_BOOL; i++)
        if (!dtype_holds(in, operands[i])) /* 256 beside uint8 is compared, and not wrapped */
            in = in == KJIT_DTYPE_UINT64 ? KJIT_DTYPE_FLOAT64 : KJIT_DTYPE_INT64;
    const char *form = form_of(op, in);
    if (!form || in == KJIT_DTYPE_NONE)
        return no_loop(p, op);
    HostValue power = operands[1];
    if (op == AST_POW && dtype_is_integer(in) && power.kind == HOST_INT && power.integer < 0)
        return host_fail(p, "ValueError", "Integers to negative integer powers are not allowed.");
    if (op == AST_POW)
        form = power_form(p, in, power, form);
    if (op == AST_POW && host_is_number(power) && !host_is_complex(power) &&
        host_as_double(power) == 2) {
        form = "%0 * %0";
        if (power.kind == HOST_INT && operand_dtype(operands[0]) == KJIT_DTYPE_BOOL)
            in = result = KJIT_DTYPE_INT8; /* np.square() */
    }
    if (op == AST_POW && dtype_is_complex(in) && host_is_number(power) && !host_is_complex(power) &&
        host_as_double(power) == -1)
        form = "reciprocal(%0)";
    if (op == AST_POW && power.kind == HOST_FLOAT && power.number == 0.5)
        form = dtype_is_complex(in) ? "cmath.sqrt(%0)" : "math.sqrt(%0)";
    return expression_new(p, form, in, result, operands, 2, out);
}

bool host_array_unary(Program *p, AstOp op, HostValue a, HostValue *out)
{
    kjit_dtype dtype = operand_dtype(a);
    if (op == AST_INVERT && dtype_is_float(dtype))
        return host_fail(p, "TypeError", "ufunc 'invert' not supported for the input types");
    if (op == AST_NEG && dtype == KJIT_DTYPE_BOOL)
        return host_fail(p, "TypeError",
                         "The numpy boolean negative, the `-` operator, is not "
                         "supported, use the `~` operator");
    if (op == AST_POS && dtype == KJIT_DTYPE_BOOL)
        return host_fail(p, "TypeError", "ufunc 'positive' has no loop for bool");
    const char *form = op == AST_NEG              ? "-%0"
                       : op == AST_POS            ? "%0"
                       : dtype == KJIT_DTYPE_BOOL ? "not %0"
                                                  : "~%0";
    return expression_new(p, form, dtype, dtype, &a, 1, out);
}
