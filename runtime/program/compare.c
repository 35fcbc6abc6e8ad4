/* Comparisons, and what counts as true. */
#include "runtime/program/arrays.h"
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

bool host_truth_of(HostValue number)
{
    if (host_is_complex(number))
        return number.number != 0 || number.imaginary != 0;
    return dtype_is_float(host_dtype_of(number)) ? number.number != 0 : number.integer != 0;
}

bool host_truth(Program *p, HostValue value, bool *truth)
{
    int64_t length;
    if (value.kind == HOST_FOREIGN)
        return foreign_needed(p, value);
    if (!host_settle(p, &value))
        return false;
    if (value.kind == HOST_ARRAY) {
        if (array_elements(&value.array->view) != 1)
            return host_fail(p, "ValueError",
                             "The truth value of an array with more than one element is ambiguous. "
                             "Use a.any() or a.all()");
        int64_t index[KJIT_RANK_MAX] = { 0 };
        if (value.array->view.dtype == KJIT_DTYPE_RECORD)
            return records_refused(p);
        if (!host_array_read(p, value.array))
            return false;
        value = host_array_element(&value.array->view, index);
    }
    if (host_is_number(value)) {
        *truth = host_truth_of(value);
        return true;
    }
    *truth = value.kind != HOST_NONE;
    HostValue said;
    if (object_calls(p, value, "__bool__", NULL, 0, &said)) {
        *truth = said.kind == HOST_BOOL && said.integer;
        return said.kind == HOST_BOOL ||
               host_fail(p, "TypeError", "__bool__ should return bool, returned %s",
                         host_type_name(p, said));
    }
    if (!p->failed && value.kind == HOST_INSTANCE &&
        object_calls(p, value, "__len__", NULL, 0, &value))
        *truth = host_is_number(value) && host_truth_of(value);
    if (p->failed)
        return false;
    if (enum_has_flags(value))
        *truth = enum_bits(value) != 0;
    if (value.kind < HOST_STRING || value.kind > HOST_RANGE)
        return true;
    if (!host_length(p, value, &length))
        return false;
    *truth = length != 0;
    return true;
}

/* Whether an integer is beyond int64. */
static bool is_big(HostValue number)
{
    return number.kind == HOST_NUMBER && number.dtype == KJIT_DTYPE_UINT64 && number.integer < 0;
}

/* An int against a float, exactly: -1, 0, 1; 2 if the float is NaN. */
static int order_mixed(int64_t a, double b)
{
    if (b != b)
        return 2;
    if (b >= 0x1p63)
        return -1;
    if (b < -0x1p63)
        return 1;
    int64_t whole = (int64_t)b;
    double rest = b - (double)whole;
    return a != whole ? (a < whole ? -1 : 1) : rest > 0 ? -1 : rest < 0;
}

static int order_unsigned(HostValue a, HostValue b)
{
    if (is_big(a) != is_big(b))
        return is_big(a) ? 1 : -1;
    return a.integer < b.integer ? -1 : a.integer > b.integer;
}

/* How two numbers stand: -1, 0, 1, or 2 if one is NaN. */
static int order_numbers(HostValue a, HostValue b)
{
    bool x = dtype_is_float(host_dtype_of(a)), y = dtype_is_float(host_dtype_of(b));
    if (!x && !y)
        return order_unsigned(a, b);
    const bool python = a.kind != HOST_NUMBER && b.kind != HOST_NUMBER;
    if (python && !x)
        return order_mixed(a.integer, b.number);
    if (python && !y) {
        int other = order_mixed(b.integer, a.number);
        return other == 2 ? 2 : -other;
    }
    const double v = host_as_double(a), w = host_as_double(b); /* NumPy makes floats of both */
    return v != v || w != w ? 2 : v < w ? -1 : v > w;
}

static bool identical(HostValue a, HostValue b);
static bool host_equal(Program *p, HostValue a, HostValue b, bool *equal);

bool host_same_or_equal(Program *p, HostValue a, HostValue b, bool *equal)
{
    *equal = identical(a, b);
    return *equal || host_equal(p, a, b, equal);
}

static bool equal_lists(Program *p, const HostList *a, const HostList *b, bool *equal)
{
    *equal = a->count == b->count;
    for (size_t i = 0; i < a->count && i < b->count && *equal; i++)
        if (!host_same_or_equal(p, a->items[i], b->items[i], equal))
            return false;
    return true;
}

static bool equal_ranges(const HostRange *a, const HostRange *b)
{
    return a->count == b->count && (!a->count || a->start == b->start) &&
           (a->count < 2 || a->step == b->step);
}

/* An array's dtype beside what names one, or none that arrays of numbers have. */
static bool equal_dtypes(Program *p, HostValue a, HostValue b, bool *equal)
{
    kjit_dtype x = KJIT_DTYPE_NONE, y = KJIT_DTYPE_NONE;
    *equal = false;
    if (a.dtype == KJIT_DTYPE_RECORD ||
        b.dtype == KJIT_DTYPE_RECORD) /* no name is one of records */
        return true;
    *equal = dtype_from(p, a, &x) && dtype_from(p, b, &y) && x == y;
    host_forget(p);
    return true;
}

static bool same_dtype(HostValue a, HostValue b)
{
    return a.dtype == b.dtype &&
           (a.dtype != KJIT_DTYPE_RECORD || dtype_same_record(a.record, b.record));
}

static bool is_dtype(HostValue value)
{
    return value.kind == HOST_DTYPE && value.integer;
}

static bool names_dtype(HostValue value)
{
    return value.kind == HOST_STRING || value.kind == HOST_BUILTIN;
}

/* A number that has an order. */
static bool is_real(HostValue value)
{
    return value.kind == HOST_WIDE || (host_is_number(value) && !host_is_complex(value));
}

/* An int beyond 64 bits beside a number; false: beside another value. */
static bool equals_wide(Program *p, HostValue wide, HostValue other, bool *equal)
{
    const bool complex = host_is_complex(other);
    if (!is_real(other) && !complex)
        return false;
    const HostValue real = complex ? host_float(other.number) : other;
    *equal = (!complex || other.imaginary == 0) && wide_order(p, wide, real) == 0;
    return true;
}

static bool host_equal(Program *p, HostValue a, HostValue b, bool *equal)
{
    HostValue truth;
    if (a.kind == HOST_FOREIGN || b.kind == HOST_FOREIGN)
        return foreign_needed(p, a.kind == HOST_FOREIGN ? a : b);
    if (is_arrays(a) || is_arrays(b)) { /* in a list: of one element at the most */
        return host_array_binary(p, AST_EQ, a, b, &truth) && host_truth(p, truth, equal);
    }
    if ((is_dtype(a) && names_dtype(b)) || (is_dtype(b) && names_dtype(a)))
        return equal_dtypes(p, a, b, equal);
    if (host_is_number(a) && host_is_number(b) && (host_is_complex(a) || host_is_complex(b))) {
        const Complex x = host_parts(a), y = host_parts(b);
        *equal = x.real == y.real && x.imaginary == y.imaginary;
        return true;
    }
    if (host_is_number(a) && host_is_number(b)) {
        *equal = order_numbers(a, b) == 0;
        return true;
    }
    if ((a.kind == HOST_WIDE && equals_wide(p, a, b, equal)) ||
        (b.kind == HOST_WIDE && equals_wide(p, b, a, equal)))
        return true;
    *equal = false;
    if (a.kind == HOST_INSTANCE || b.kind == HOST_INSTANCE)
        return object_equal(p, a, b, equal);
    if (is_set(a) || is_set(b))
        return host_set_equal(p, a, b, equal);
    if (a.kind != b.kind)
        return true;
    switch (a.kind) {
    case HOST_NONE:
    case HOST_ELLIPSIS:
        *equal = true;
        return true;
    case HOST_STRING:
        *equal = a.string->length == b.string->length &&
                 memcmp(a.string->text, b.string->text, a.string->length) == 0;
        return true;
    case HOST_TUPLE:
    case HOST_LIST:
        if (!host_deep(p, (Span){ 0 }))
            return false;
        return equal_lists(p, a.list, b.list, equal);
    case HOST_DICT:
        return host_deep(p, (Span){ 0 }) && dict_equal(p, a, b, equal);
    case HOST_VIEW:
        return views_equal(p, a, b, equal);
    case HOST_RANGE:
        *equal = equal_ranges(a.range, b.range);
        return true;
    case HOST_DTYPE:
        *equal = same_dtype(a, b);
        return true;
    case HOST_MODULE:
    case HOST_TYPE:
    case HOST_EXCEPTION_CLASS:
        *equal = strcmp(a.text, b.text) == 0;
        return true;
    default:
        *equal = a.object == b.object;
        return true;
    }
}

static bool holds(AstOp op, int order)
{
    return op == AST_LT   ? order == -1
           : op == AST_LE ? order == -1 || order == 0
           : op == AST_GT ? order == 1
                          : order == 1 || order == 0;
}

static bool ordered(Program *p, AstOp op, HostValue a, HostValue b, bool *truth);

/* By the first items that differ, else by the lengths. */
static bool ordered_lists(Program *p, AstOp op, const HostList *a, const HostList *b, bool *truth)
{
    bool equal = true;
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        if (!host_same_or_equal(p, a->items[i], b->items[i], &equal))
            return false;
        if (!equal)
            return ordered(p, op, a->items[i], b->items[i], truth);
    }
    *truth = holds(op, a->count < b->count ? -1 : a->count > b->count);
    return true;
}

static bool ordered(Program *p, AstOp op, HostValue a, HostValue b, bool *truth)
{
    bool complex = host_is_complex(a) || host_is_complex(b);
    if (host_is_number(a) && host_is_number(b) && !complex) {
        *truth = holds(op, order_numbers(a, b));
        return true;
    }
    if ((a.kind == HOST_WIDE && is_real(b)) || (b.kind == HOST_WIDE && is_real(a))) {
        const int order = wide_order(p, a.kind == HOST_WIDE ? a : b, a.kind == HOST_WIDE ? b : a);
        *truth = holds(op, a.kind == HOST_WIDE || order == 2 ? order : -order);
        return !p->failed;
    }
    if (a.kind == HOST_STRING && b.kind == HOST_STRING) {
        size_t least = a.string->length < b.string->length ? a.string->length : b.string->length;
        int order = memcmp(a.string->text, b.string->text, least);
        if (order == 0)
            order = a.string->length < b.string->length ? -1 : a.string->length > b.string->length;
        *truth = holds(op, order < 0 ? -1 : order > 0);
        return true;
    }
    if (a.kind == b.kind && (a.kind == HOST_LIST || a.kind == HOST_TUPLE))
        return host_deep(p, (Span){ 0 }) && ordered_lists(p, op, a.list, b.list, truth);
    HostValue said;
    if (object_ordered(p, op, a, b, &said))
        return host_truth(p, said, truth);
    if (p->failed)
        return false;
    if (is_like_set(a) && is_like_set(b))
        return host_set_compare(p, op, a, b, truth);
    return host_fail(p, "TypeError", "'%s' not supported between instances of '%s' and '%s'",
                     ast_op_spelling(op), host_type_name(p, a), host_type_name(p, b));
}

bool host_less(Program *p, HostValue a, HostValue b, bool *less)
{
    return ordered(p, AST_LT, a, b, less);
}

static bool identical(HostValue a, HostValue b)
{
    if (a.kind != b.kind)
        return false;
    if (a.kind == HOST_MODULE)
        return strcmp(a.text, b.text) == 0;
    if (host_is_complex(a) && a.imaginary != b.imaginary)
        return false;
    if ((a.kind == HOST_INT || a.kind == HOST_STRING) && a.enumerated != b.enumerated)
        return false;
    return a.kind == HOST_NONE ||
           (a.kind == HOST_DTYPE ? same_dtype(a, b) : a.integer == b.integer);
}

static HostValue weakened(HostValue value, HostValue other)
{
    bool narrow =
        other.kind == HOST_NUMBER &&
        (value.kind == HOST_FLOAT ? dtype_is_float(other.dtype) : dtype_is_complex(other.dtype));
    if ((value.kind != HOST_FLOAT && value.kind != HOST_COMPLEX) || !narrow)
        return value;
    kjit_arg scalar = host_scalar(value);
    scalar = scalar_cast(&scalar, other.dtype);
    return host_number(other.dtype, &scalar);
}

bool host_compare(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    const bool objects = a.kind == HOST_INSTANCE || b.kind == HOST_INSTANCE;
    bool truth = false, fine = true;
    bool numbers =
        (host_is_number(a) || a.kind == HOST_WIDE) && (host_is_number(b) || b.kind == HOST_WIDE);
    const bool foreign = a.kind == HOST_FOREIGN || b.kind == HOST_FOREIGN;
    const bool with_none = a.kind == HOST_NONE || b.kind == HOST_NONE; /* a stand-in is not None */
    if (foreign && (op < AST_IS || (op <= AST_IS_NOT && !with_none)))
        return foreign_needed(p, a.kind == HOST_FOREIGN ? a : b);
    if (op < AST_IS && (is_arrays(a) || is_arrays(b))) {
        if (a.kind == HOST_NONE || b.kind == HOST_NONE)
            return host_give(out, host_bool(op == AST_NE));
        if (!record_texts(p, &a) || !record_texts(p, &b))
            return false;
        return is_arrays(a) || is_arrays(b) ? host_array_binary(p, op, a, b, out)
                                            : host_compare(p, op, a, b, out);
    }
    if (numbers && op < AST_IS) { /* a Python float has the dtype of what it meets */
        a = weakened(a, b);
        b = weakened(b, a);
    }
    switch (op) {
    case AST_IS:
    case AST_IS_NOT:
        truth = identical(a, b) == (op == AST_IS);
        break;
    case AST_IN:
    case AST_NOT_IN:
        fine = host_contains(p, a, b, &truth);
        truth = truth == (op == AST_IN);
        break;
    case AST_EQ:
    case AST_NE:
        if (op == AST_NE && object_differs(p, a, b, out))
            return true;
        if (op == AST_EQ && objects && object_says_equal(p, a, b, out)) /* not only True, False */
            return true;
        if (p->failed)
            return false;
        fine = host_equal(p, a, b, &truth);
        truth = truth == (op == AST_EQ);
        break;
    default:
        if (objects && object_ordered(p, op, a, b, out))
            return true;
        if (p->failed)
            return false;
        fine = ordered(p, op, a, b, &truth);
        break;
    }
    *out = host_bool(truth);
    if (numbers && op < AST_IS && (a.kind == HOST_NUMBER || b.kind == HOST_NUMBER))
        *out = (HostValue){ .kind = HOST_NUMBER, .dtype = KJIT_DTYPE_BOOL, .integer = truth };
    return fine;
}
