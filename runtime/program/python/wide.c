/* Python's integers beyond 64 bits: a sign, and digits of 32 bits from the least on. An integer
** that 64 bits hold is a HOST_INT always, so that what computes one that does not is slow, and
** nothing else is. Bits are those of two's complement. */
#include "runtime/array/array.h"
#include "runtime/program/program.h"

#include <math.h>

typedef struct HostWide Wide;

/* More bits than these are too many: 2 ** 2 ** 40 is a mistake. */
enum { BITS_MOST = 1 << 20, WORD = 32, TEXT_MOST = 4300 };

/* ---- magnitudes, in the scratch memory ------------------------------------------------------- */

typedef struct Big {
    bool negative;
    size_t count;
    uint32_t *digits;
} Big;

static Big big_room(Program *p, size_t count)
{
    Big big = { .count = count, .digits = arena_array(&p->scratch, uint32_t, count + 1) };
    memset(big.digits, 0, (count + 1) * sizeof *big.digits);
    return big;
}

static Big trimmed(Big big)
{
    while (big.count && !big.digits[big.count - 1])
        big.count--;
    big.negative &= big.count != 0;
    return big;
}

static Big big_of(Program *p, HostValue value)
{
    if (value.kind == HOST_WIDE)
        return (Big){ value.wide->negative, value.wide->count, value.wide->digits };
    const bool natural = value.kind == HOST_NUMBER && value.dtype == KJIT_DTYPE_UINT64;
    Big big = big_room(p, 2);
    big.negative = !natural && value.integer < 0;
    const uint64_t size = big.negative ? 0 - (uint64_t)value.integer : (uint64_t)value.integer;
    big.digits[0] = (uint32_t)size;
    big.digits[1] = (uint32_t)(size >> WORD);
    return trimmed(big);
}

static uint64_t low_bits(Big big)
{
    return (big.count > 1 ? (uint64_t)big.digits[1] << WORD : 0) | (big.count ? big.digits[0] : 0);
}

static int64_t bits_of(Big big)
{
    return big.count ? (int64_t)big.count * WORD - __builtin_clz(big.digits[big.count - 1]) : 0;
}

static bool too_many(Program *p)
{
    return host_lacks(p, "MemoryError", "an integer of more than %d bits is too large here",
                      BITS_MOST);
}

static bool give_big(Program *p, Big big, HostValue *out)
{
    big = trimmed(big);
    const uint64_t size = low_bits(big);
    if (big.count <= 2 && size <= (uint64_t)INT64_MAX + big.negative)
        return host_give(out, host_int(big.negative ? (int64_t)(0 - size) : (int64_t)size));
    if (bits_of(big) > BITS_MOST)
        return too_many(p);
    Wide *wide = host_new(p, HOST_WIDE, sizeof *wide + big.count * sizeof *big.digits);
    wide->negative = big.negative;
    wide->count = big.count;
    memcpy(wide->digits, big.digits, big.count * sizeof *big.digits);
    return host_give(out, host_object(wide));
}

static int order_sizes(Big a, Big b)
{
    if (a.count != b.count)
        return a.count < b.count ? -1 : 1;
    for (size_t i = a.count; i-- > 0;)
        if (a.digits[i] != b.digits[i])
            return a.digits[i] < b.digits[i] ? -1 : 1;
    return 0;
}

static int order(Big a, Big b)
{
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    return a.negative ? order_sizes(b, a) : order_sizes(a, b);
}

/* Digit `i` in two's complement; `carry` is 1 at the first, which comes before the others. */
static uint32_t complement(Big a, size_t i, uint32_t *carry)
{
    const uint32_t digit = i < a.count ? a.digits[i] : 0;
    const uint64_t sum = (uint64_t)~digit + *carry;
    *carry = (uint32_t)(sum >> WORD);
    return a.negative ? (uint32_t)sum : digit;
}

/* a + b, a & b, a | b, a ^ b */
static Big combine(Program *p, AstOp op, Big a, Big b)
{
    Big made = big_room(p, (a.count > b.count ? a.count : b.count) + 1);
    uint32_t carry_a = 1, carry_b = 1, carry_made = 1;
    uint64_t sum = 0;
    for (size_t i = 0; i < made.count; i++) {
        const uint32_t x = complement(a, i, &carry_a), y = complement(b, i, &carry_b);
        sum = (sum >> WORD) + x + y;
        made.digits[i] = op == AST_ADD      ? (uint32_t)sum
                         : op == AST_BITAND ? x & y
                         : op == AST_BITOR  ? x | y
                                            : x ^ y;
    }
    made.negative = made.digits[made.count - 1] >> (WORD - 1);
    for (size_t i = 0; i < made.count; i++)
        made.digits[i] = complement(made, i, &carry_made);
    return trimmed(made);
}

static Big negated(Big a)
{
    a.negative = a.count && !a.negative;
    return a;
}

static Big multiply(Program *p, Big a, Big b)
{
    Big made = big_room(p, a.count + b.count);
    for (size_t i = 0; i < a.count; i++) {
        uint64_t carry = 0;
        for (size_t k = 0; k < b.count; k++) {
            carry += (uint64_t)a.digits[i] * b.digits[k] + made.digits[i + k];
            made.digits[i + k] = (uint32_t)carry;
            carry >>= WORD;
        }
        made.digits[i + b.count] = (uint32_t)carry;
    }
    made.negative = a.negative != b.negative;
    return trimmed(made);
}

static Big shifted_left(Program *p, Big a, size_t by)
{
    const size_t words = by / WORD, bits = by % WORD;
    Big made = big_room(p, a.count + words + 1);
    for (size_t i = 0; i < a.count; i++) {
        const uint64_t part = (uint64_t)a.digits[i] << bits;
        made.digits[i + words] |= (uint32_t)part;
        made.digits[i + words + 1] = (uint32_t)(part >> WORD);
    }
    made.negative = a.negative;
    return trimmed(made);
}

/* Towards zero. */
static Big shifted_right(Program *p, Big a, size_t by)
{
    const size_t words = by / WORD, bits = by % WORD;
    Big made = big_room(p, a.count > words ? a.count - words : 0);
    for (size_t i = 0; i < made.count; i++) {
        const uint64_t above = i + words + 1 < a.count ? a.digits[i + words + 1] : 0;
        made.digits[i] = (uint32_t)((above << WORD | a.digits[i + words]) >> bits);
    }
    made.negative = a.negative;
    return trimmed(made);
}

/* Divides by one digit; the rest is given. */
static uint32_t divide_digit(Big a, uint32_t by, Big *quotient)
{
    uint64_t rest = 0;
    for (size_t i = a.count; i-- > 0;) {
        rest = rest << WORD | a.digits[i];
        quotient->digits[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    return (uint32_t)rest;
}

/* Takes a digit of the quotient times the divisor from the dividend, whose digits begin at `at`. */
static uint32_t divide_step(Big rest, Big by, size_t at)
{
    const uint64_t top = (uint64_t)rest.digits[at + by.count] << WORD |
                         rest.digits[at + by.count - 1],
                   first = by.digits[by.count - 1], second = by.digits[by.count - 2];
    uint64_t digit = top / first, left = top % first;
    while (digit >> WORD || digit * second > (left << WORD | rest.digits[at + by.count - 2])) {
        digit--;
        left += first;
        if (left >> WORD)
            break;
    }
    int64_t borrow = 0;
    uint64_t carry = 0;
    for (size_t i = 0; i <= by.count; i++) {
        carry += digit * (i < by.count ? by.digits[i] : 0);
        borrow += (int64_t)rest.digits[at + i] - (uint32_t)carry;
        rest.digits[at + i] = (uint32_t)borrow;
        borrow >>= WORD;
        carry >>= WORD;
    }
    if (borrow >= 0)
        return (uint32_t)digit;
    carry = 0; /* it was one too large */
    for (size_t i = 0; i <= by.count; i++) {
        carry += (uint64_t)rest.digits[at + i] + (i < by.count ? by.digits[i] : 0);
        rest.digits[at + i] = (uint32_t)carry;
        carry >>= WORD;
    }
    return (uint32_t)digit - 1;
}

/* Of magnitudes, by Knuth's algorithm D; what divides is not 0. */
static void divide_sizes(Program *p, Big a, Big by, Big *quotient, Big *rest)
{
    *quotient = big_room(p, a.count);
    if (by.count == 1) {
        *rest = big_room(p, 1);
        rest->digits[0] = divide_digit(a, by.digits[0], quotient);
    } else if (order_sizes(a, by) < 0) {
        *rest = a;
    } else {
        const int shift = __builtin_clz(by.digits[by.count - 1]);
        const Big divisor = shifted_left(p, by, (size_t)shift);
        Big left = big_room(p, a.count + 1);
        const Big moved = shifted_left(p, a, (size_t)shift);
        memcpy(left.digits, moved.digits, moved.count * sizeof *moved.digits);
        for (size_t at = a.count - by.count + 1; at-- > 0;)
            quotient->digits[at] = divide_step(left, divisor, at);
        *rest = shifted_right(p, trimmed(left), (size_t)shift);
    }
    quotient->negative = rest->negative = false;
    *quotient = trimmed(*quotient);
    *rest = trimmed(*rest);
}

/* As // and % do: the rest has the sign of what divides. */
static void divide(Program *p, Big a, Big by, Big *quotient, Big *rest)
{
    divide_sizes(p, a, by, quotient, rest);
    quotient->negative = quotient->count && a.negative != by.negative;
    rest->negative = rest->count && a.negative;
    if (rest->count && a.negative != by.negative) {
        *quotient = combine(p, AST_ADD, *quotient, big_of(p, host_int(-1)));
        *rest = combine(p, AST_ADD, *rest, by);
    }
}

static bool shift(Program *p, AstOp op, Big a, Big by, HostValue *out)
{
    const uint64_t count = by.count > 1 ? UINT32_MAX : low_bits(by);
    if (by.negative)
        return host_fail(p, "ValueError", "negative shift count");
    if (op == AST_LSHIFT) {
        if (a.count && (int64_t)count + bits_of(a) > BITS_MOST)
            return too_many(p);
        return give_big(p, a.count ? shifted_left(p, a, count) : a, out);
    }
    Big made = shifted_right(p, a, count);
    if (a.negative && order_sizes(shifted_left(p, made, made.count ? count : 0), a) != 0)
        made = combine(p, AST_ADD, made, big_of(p, host_int(-1)));
    return give_big(p, made, out);
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* Rounded to even; bits that are cut are known by the last one. */
static double to_double(Program *p, Big a)
{
    const int64_t cut = bits_of(a) - 64;
    Big top = cut > 0 ? shifted_right(p, a, (size_t)cut) : a;
    uint64_t bits = low_bits(top);
    if (cut > 0 && order_sizes(shifted_left(p, top, (size_t)cut), a) != 0)
        bits |= 1;
    const double size = ldexp((double)bits, cut > 0 ? (int)cut : 0);
    return a.negative ? -size : size;
}

bool wide_double(Program *p, HostValue value, double *number)
{
    *number = to_double(p, big_of(p, value));
    return !isinf(*number) || host_fail(p, "OverflowError", "int too large to convert to float");
}

/* a / b, rounded once. */
static bool quotient_of(Program *p, Big a, Big b, HostValue *out)
{
    const int64_t scale = 66 - (bits_of(a) - bits_of(b));
    Big quotient, rest;
    const bool negative = a.negative != b.negative;
    if (!a.count)
        return host_give(out, host_float(negative ? -0.0 : 0.0));
    divide_sizes(p, scale > 0 ? shifted_left(p, a, (size_t)scale) : a,
                 scale < 0 ? shifted_left(p, b, (size_t)-scale) : b, &quotient, &rest);
    quotient = shifted_left(p, quotient, 1);
    quotient.digits[0] |= rest.count != 0;
    const double number = ldexp(to_double(p, quotient), (int)-scale - 1);
    if (isinf(number))
        return host_fail(p, "OverflowError", "integer division result too large for a float");
    if (number < 0x1p-1022)
        return host_lacks(p, "NotImplementedError", "a quotient of integers is too near to 0 here");
    return host_give(out, host_float(negative ? -number : number));
}

bool wide_whole(Program *p, double number, HostValue *out)
{
    int exponent;
    const double part = frexp(fabs(number), &exponent); /* beyond 64 bits, so that it is whole */
    const uint64_t digits = (uint64_t)ldexp(part, 53);
    Big big = big_of(p, host_int((int64_t)digits));
    big = shifted_left(p, big, (size_t)(exponent - 53));
    big.negative = number < 0;
    return give_big(p, big, out);
}

/* ---- operators ------------------------------------------------------------------------------- */

bool host_is_whole(HostValue value)
{
    return value.kind == HOST_WIDE || value.kind == HOST_INT || value.kind == HOST_BOOL;
}

static bool power(Program *p, Big a, Big b, HostValue *out)
{
    const uint64_t exponent = b.count > 2 ? UINT64_MAX : low_bits(b);
    Big result = big_of(p, host_int(1));
    if (bits_of(a) > 1 &&
        (exponent > BITS_MOST || (uint64_t)(bits_of(a) - 1) * exponent > BITS_MOST))
        return too_many(p);
    for (uint64_t left = bits_of(a) > 1 ? exponent : exponent & 1; left; left >>= 1) {
        if (left & 1)
            result = multiply(p, result, a);
        if (left > 1)
            a = multiply(p, a, a);
    }
    if (!a.count && exponent)
        result = a;
    return give_big(p, result, out);
}

bool wide_binary(Program *p, AstOp op, HostValue left, HostValue right, HostValue *out)
{
    const Big a = big_of(p, left), b = big_of(p, right);
    Big quotient, rest;
    double x, y;
    const bool divides = op == AST_DIV || op == AST_FLOORDIV || op == AST_MOD;
    if (divides && !b.count)
        return host_fail(p, "ZeroDivisionError",
                         op == AST_DIV        ? "division by zero"
                         : op == AST_FLOORDIV ? "integer division or modulo by zero"
                                              : "integer modulo by zero");
    switch (op) {
    case AST_ADD:
    case AST_BITAND:
    case AST_BITOR:
    case AST_BITXOR:
        return give_big(p, combine(p, op, a, b), out);
    case AST_SUB:
        return give_big(p, combine(p, AST_ADD, a, negated(b)), out);
    case AST_MUL:
        return give_big(p, multiply(p, a, b), out);
    case AST_DIV:
        return quotient_of(p, a, b, out);
    case AST_FLOORDIV:
    case AST_MOD:
        divide(p, a, b, &quotient, &rest);
        return give_big(p, op == AST_MOD ? rest : quotient, out);
    case AST_LSHIFT:
    case AST_RSHIFT:
        return shift(p, op, a, b, out);
    case AST_POW:
        if (!b.negative)
            return power(p, a, b, out);
        return wide_double(p, left, &x) && wide_double(p, right, &y) &&
               host_binary(p, op, host_float(x), host_float(y), out);
    default:
        return false;
    }
}

bool wide_unary(Program *p, AstOp op, HostValue value, HostValue *out)
{
    const Big a = big_of(p, value);
    if (op == AST_INVERT)
        return wide_binary(p, AST_SUB, host_int(-1), value, out);
    return op == AST_POS ? host_give(out, value) : give_big(p, negated(a), out);
}

int wide_order(Program *p, HostValue a, HostValue b)
{
    double number = 0;
    if (host_is_whole(b) || host_is_integer(b))
        return order(big_of(p, a), big_of(p, b));
    number = host_as_double(b);
    if (isnan(number))
        return 2;
    HostValue whole = host_int(0); /* 64 bits hold less than any that is wide */
    if (isinf(number))
        return number > 0 ? -1 : 1;
    if (fabs(number) >= 0x1p63 && !wide_whole(p, number, &whole))
        return 2;
    return order(big_of(p, a), big_of(p, whole));
}

uint64_t wide_hash(Program *p, HostValue value)
{
    const uint64_t modulus = (UINT64_C(1) << 61) - 1;
    const Big a = big_of(p, value);
    unsigned __int128 hash = 0;
    for (size_t i = a.count; i-- > 0;)
        hash = (hash << WORD | a.digits[i]) % modulus;
    return a.negative ? 0 - (uint64_t)hash : (uint64_t)hash;
}

bool wide_natural(HostValue value, HostValue *out)
{
    if (value.kind != HOST_WIDE || value.wide->negative || value.wide->count > 2)
        return false;
    const Big a = { false, value.wide->count, value.wide->digits };
    *out = (HostValue){ .kind = HOST_NUMBER,
                        .dtype = KJIT_DTYPE_UINT64,
                        .integer = (int64_t)low_bits(a) };
    return true;
}

bool wide_plain(Program *p, HostValue number, HostValue *out)
{
    return give_big(p, big_of(p, number), out);
}

bool wide_as(Program *p, kjit_dtype dtype, HostValue *value)
{
    double number;
    if (value->kind != HOST_WIDE || (dtype == KJIT_DTYPE_UINT64 && wide_natural(*value, value)))
        return true;
    if (dtype_is_float(dtype) || dtype_is_complex(dtype)) {
        if (!wide_double(p, *value, &number))
            return false;
        return host_give(value, host_float(number));
    }
    return host_fail(p, "OverflowError", "Python int too large to convert to C long");
}

/* ---- texts ----------------------------------------------------------------------------------- */

static bool too_long(Program *p)
{
    return host_fail(p, "ValueError",
                     "Exceeds the limit (%d digits) for integer string conversion; use "
                     "sys.set_int_max_str_digits() to increase the limit",
                     TEXT_MOST);
}

void wide_text(Program *p, Buf *out, HostValue value, uint32_t base)
{
    const Big a = big_of(p, value);
    const size_t most = (a.count + 1) * WORD;
    char *text = arena_alloc(&p->scratch, most);
    size_t at = most;
    Big left = big_room(p, a.count);
    memcpy(left.digits, a.digits, a.count * sizeof *a.digits);
    const uint32_t unit = base == 10 ? 1000000000 : 1u << 24; /* of whole digits: of 1, 3, 4 bits */
    for (left.negative = false; left.count; left = trimmed(left)) {
        uint32_t part = divide_digit(left, unit, &left);
        for (uint32_t size = unit; size > 1; size /= base) {
            text[--at] = "0123456789abcdef"[part % base];
            part /= base;
        }
    }
    while (at < most && text[at] == '0')
        at++;
    if (base == 10 && most - at > TEXT_MOST) {
        too_long(p);
        return;
    }
    buf_puts(out, a.negative ? "-" : "");
    buf_put(out, text + at, most - at);
}

bool wide_parse(Program *p, const char *digits, size_t length, uint32_t base, bool negative,
                HostValue *out)
{
    if ((base & (base - 1)) && length > TEXT_MOST)
        return too_long(p);
    if (length > BITS_MOST / 16)
        return too_many(p);
    Big made = big_room(p, length * 6 / WORD + 2);
    for (size_t i = 0; i < length; i++) {
        const char c = digits[i];
        uint64_t carry = (uint64_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        for (size_t k = 0; k < made.count; k++) {
            carry += (uint64_t)made.digits[k] * base;
            made.digits[k] = (uint32_t)carry;
            carry >>= WORD;
        }
    }
    made.negative = negative;
    return give_big(p, made, out);
}

int64_t wide_bits(Program *p, HostValue value)
{
    return bits_of(big_of(p, value));
}
