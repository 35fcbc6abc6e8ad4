/* The text of a kernel that computes an expression of arrays. */
#include "runtime/program/fuse.h"
#include "runtime/program/ufunc.h"

/* "i1 + 1": the index along an axis of the view, from an element of it on. */
static void put_index_of(const Fusion *f, Buf *out, int axis, int64_t offset)
{
    offset -= axis == f->shift_axis ? f->shift : 0;
    buf_printf(out, "i%d", axis);
    if (offset)
        buf_printf(out, " %c %d", offset < 0 ? '-' : '+', abs((int)offset));
}

static void put_index(const Fusion *f, Buf *out, const Dense *dense)
{
    for (int k = 0; k < dense->count; k++) {
        buf_puts(out, k ? ", " : "");
        put_index_of(f, out, dense->axis[k], dense->offset[k]);
    }
}

/* That of an array which is taken as it is. */
static void put_plain_index(const Fusion *f, Buf *out)
{
    if (!f->shift) {
        buf_puts(out, f->index);
        return;
    }
    for (int i = 0; i < f->rank; i++) {
        buf_puts(out, i ? ", " : "");
        put_index_of(f, out, i, 0);
    }
}

static void put_leaf(Fusion *f, HostValue value)
{
    const int i = value.kind == HOST_ARRAY ? fusion_leaf(f, value.array) : -1;
    if (i < 0)
        return;
    buf_printf(&f->element, "a%d[", f->param[i]);
    if (f->dense[i].count)
        put_index(f, &f->element, &f->dense[i]);
    else
        put_plain_index(f, &f->element);
    buf_putc(&f->element, ']');
}

static void put_number(Fusion *f, HostValue value, kjit_dtype in)
{
    kjit_arg scalar = host_scalar(value);
    buf_printf(&f->element, "c%d", f->number_count);
    f->numbers[f->number_count++] = scalar_cast(&scalar, in);
}

static void put_cast(Fusion *f, kjit_dtype dtype)
{
    buf_printf(&f->element, "np.%s", dtype == KJIT_DTYPE_BOOL ? "bool_" : kjit_dtype_name(dtype));
}

static void put_value(Fusion *f, HostValue value, kjit_dtype in);

/* Floats as integers, as scalar_cast() has them: by 64 bits and by 32. */
static const char whole_text[] =
    "def whole(x):\n"
    "    if x >= 9223372036854775808.0:\n"
    "        return np.int64(np.uint64(x)) if x < 18446744073709551616.0 else np.int64(-2**63)\n"
    "    return np.int64(x) if x >= -9223372036854775808.0 else np.int64(-2**63)\n\n\n"
    "def short(x):\n"
    "    return np.int32(x) if -2147483649.0 < x < 2147483648.0 else np.int32(-2**31)\n\n\n";

/* Division of complex numbers as NumPy has it. */
static const char divide_text[] =
    "def divide(a, b):\n"
    "    if abs(b.real) >= abs(b.imag):\n"
    "        if b.real == 0 and b.imag == 0:\n"
    "            return complex(a.real / abs(b.real), a.imag / abs(b.real))\n"
    "        ratio = b.imag / b.real\n"
    "        scale = (ratio - ratio + 1) / (b.real + b.imag * ratio)\n"
    "        return complex((a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale)\n"
    "    ratio = b.real / b.imag\n"
    "    scale = (ratio - ratio + 1) / (b.imag + b.real * ratio)\n"
    "    return complex((a.real * ratio + a.imag) * scale, (a.imag * ratio - a.real) * "
    "scale)\n\n\n";

static const char reciprocal_text[] =
    "def reciprocal(a):\n"
    "    if abs(a.imag) <= abs(a.real):\n"
    "        ratio = a.imag / a.real\n"
    "        by = a.real + a.imag * ratio\n"
    "        return complex((ratio - ratio + 1) / by, -ratio / by)\n"
    "    ratio = a.real / a.imag\n"
    "    by = a.real * ratio + a.imag\n"
    "    return complex(ratio / by, (ratio - ratio - 1) / by)\n\n\n";

/* Their powers: whole ones up to the 99th by squaring. */
static const char power_text[] =
    "def power(a, b, one):\n"
    "    n = abs(b.real)\n"
    "    if n == 0 and b.imag == 0:\n"
    "        return one\n"
    "    if a.real == 0 and a.imag == 0:\n"
    "        rises = b.real > 0 and b.imag == 0\n"
    "        return complex(0, 0) if rises else complex(math.nan, math.nan)\n"
    "    if b.imag != 0 or n != math.floor(n) or n >= 100:\n"
    "        return a ** b\n"
    "    left = int(n)\n"
    "    result = one\n"
    "    while True:\n"
    "        if left & 1:\n"
    "            result = result * a\n"
    "        left = left >> 1\n"
    "        if left == 0:\n"
    "            break\n"
    "        a = a * a\n"
    "    return result if b.real > 0 else divide(one, result)\n\n\n";

/* Powers of integers, by squaring, wrapping. */
static const char raised_text[] = "def raised(a, b, result):\n"
                                  "    while b > 0:\n"
                                  "        if b & 1:\n"
                                  "            result = result * a\n"
                                  "        b = b >> 1\n"
                                  "        a = a * a\n"
                                  "    return result\n\n\n";

void fusion_head(Fusion *f, Buf *text)
{
    *text = buf_in(&f->program->scratch);
    buf_puts(text, "import cmath\nimport math\nimport numpy as np\nfrom numba import cuda\n\n\n");
    bool powers = strstr(buf_text(&f->element), "power(") != NULL;
    if (powers || strstr(buf_text(&f->element), "divide("))
        buf_puts(text, divide_text);
    if (powers)
        buf_puts(text, power_text);
    if (strstr(buf_text(&f->element), "raised("))
        buf_puts(text, raised_text);
    if (strstr(buf_text(&f->element), "whole(") || strstr(buf_text(&f->element), "short("))
        buf_puts(text, whole_text);
    if (strstr(buf_text(&f->element), "reciprocal("))
        buf_puts(text, reciprocal_text);
    buf_puts(text, buf_text(&f->functions));
}

static void put_expression(Fusion *f, const HostExpression *expression)
{
    f->operations++;
    put_cast(f, expression->dtype);
    buf_putc(&f->element, '(');
    for (const char *at = expression->form; *at; at++) {
        if (*at == '%' && at[1] >= '0' && at[1] < '0' + OPERANDS_MOST)
            put_value(f, expression->operands[*++at - '0'], expression->in);
        else
            buf_putc(&f->element, *at);
    }
    buf_putc(&f->element, ')');
}

static bool drops_fraction(kjit_dtype from, kjit_dtype to)
{
    return (dtype_is_float(from) || dtype_is_complex(from)) && dtype_is_integer(to);
}

static const char *whole_name(kjit_dtype dtype)
{
    return kjit_dtype_bytes(dtype) < 4 || dtype == KJIT_DTYPE_INT32 ? "short(" : "whole(";
}

static void put_value(Fusion *f, HostValue value, kjit_dtype in)
{
    bool cast = is_arrays(value) && in != KJIT_DTYPE_NONE && operand_dtype(value) != in;
    bool real = cast && dtype_is_complex(operand_dtype(value)) && !dtype_is_complex(in) &&
                in != KJIT_DTYPE_BOOL; /* what is beside the real part is left out */
    bool whole = cast && drops_fraction(operand_dtype(value), in);
    if (cast) {
        put_cast(f, in);
        buf_printf(&f->element, "(%s%s", whole ? whole_name(in) : "", real ? "(" : "");
    }
    if (value.kind == HOST_EXPRESSION)
        put_expression(f, value.expression);
    else if (value.kind == HOST_ARRAY)
        put_leaf(f, value);
    else
        put_number(f, value, in == KJIT_DTYPE_NONE ? host_dtype_of(value) : in);
    if (cast)
        buf_printf(&f->element, "%s%s", real ? ").real" : "", whole ? "))" : ")");
}

void fusion_name(Fusion *f)
{
    for (int i = 0; i < f->param_count; i++)
        buf_printf(&f->params, ", a%d", i);
    for (int i = 0; i < f->number_count; i++)
        buf_printf(&f->params, ", c%d", i);
}

void fusion_write(Fusion *f, HostValue value)
{
    put_value(f, value, KJIT_DTYPE_NONE);
    fusion_name(f);
}

/* The text of how many elements there are along an axis. */
static const char *extent(const Fusion *f, int axis)
{
    return f->counted ? arena_printf(&f->program->scratch, "c%d", f->out_number + axis)
                      : arena_printf(&f->program->scratch, "out.shape[%d]", axis);
}

void fusion_count(Fusion *f, const int64_t *extents)
{
    f->counted = true;
    f->out_number = f->number_count;
    for (int i = 0; i < f->rank; i++)
        f->numbers[f->number_count++] = kjit_arg_int64(extents[i]);
}

int fusion_elements(Fusion *f, Buf *text, const char *name)
{
    int rank = f->flat ? 1 : f->rank, first = rank > 3 ? rank - 3 : 0;
    fusion_head(f, text);
    buf_printf(text, "@cuda.jit(%sfma=False)\ndef %s(out%s):\n",
               f->program->ufunc ? "" : "typing=\"nep50\", ", name, buf_text(&f->params));
    for (int i = rank; i-- > first;)
        buf_printf(text, "%si%d%s", i + 1 < rank ? ", " : "    ", i, i > first ? "" : " = ");
    if (rank)
        buf_printf(text, "cuda.grid(%d)\n    if ", rank - first);
    for (int i = first; i < rank; i++) {
        buf_puts(text, i > first ? " and " : "");
        if (f->shift && i == f->shift_axis)
            buf_printf(text, "%lld <= ", (long long)f->shift);
        buf_printf(text, "i%d < %s", i, extent(f, i));
    }
    buf_puts(text, rank ? ":\n" : "    if cuda.grid(1) == 0:\n");
    for (int i = 0; i < first; i++)
        buf_printf(text, "%*sfor i%d in range(%s):\n", 8 + 4 * i, "", i, extent(f, i));
    return 8 + 4 * first;
}

/* Each element is stored where it belongs. */
const char *fusion_elementwise(Fusion *f, HostValue value, kjit_dtype dtype)
{
    const bool drops = is_arrays(value) && drops_fraction(operand_dtype(value), dtype);
    Buf text;
    put_value(f, value, drops ? dtype : KJIT_DTYPE_NONE);
    fusion_name(f);
    const int margin = fusion_elements(f, &text, "expression");
    buf_printf(&text, "%*sout[", margin, "");
    if (f->out.count)
        put_index(f, &text, &f->out);
    else
        buf_puts(&text, f->index);
    buf_printf(&text, "] = %s\n", buf_text(&f->element));
    return buf_text(&text);
}
