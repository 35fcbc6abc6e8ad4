/* Sums of floats that are kept exactly (ir/schedule/privatise/exact.c), for both dialects. Pieces:
** see emit.h.
**
** An element's row is digits of 32 bits, the lowest first, whose unit is the least subnormal
** number, and a last word of flags. Digits are signed numbers of 64 bits: 2^31 parts go into each
** before one could overflow. */

/*@ EXACT_FLAGS - */
enum { EXACT_NAN = 1, EXACT_PLUS = 2, EXACT_MINUS = 4 }; /* infinities */

/*@ exact_part - : exact_bump.- */
/* Adds part of a digit, at most 2^32 in size. */
$fn void exact_part(unsigned long long *digit, unsigned long long part, bool minus, bool alone)
{
    if (part)
        exact_bump(digit, minus ? 0 - part : part, alone);
}

/*@ exact_put - : exact_part.- */
/* Adds mantissa * 2^exponent, or subtracts it. */
$fn void exact_put(unsigned long long *row, unsigned long long mantissa, int exponent, bool minus,
                   bool alone)
{
    const unsigned long long low = (mantissa & 0xffffffff) << (exponent & 31);
    const unsigned long long high = ((mantissa >> 32) << (exponent & 31)) + (low >> 32);
    unsigned long long *digit = row + (exponent >> 5);

    exact_part(digit, low & 0xffffffff, minus, alone);
    exact_part(digit + 1, high & 0xffffffff, minus, alone);
    exact_part(digit + 2, high >> 32, minus, alone);
}

/*@ exact_add float : EXACT_FLAGS.- exact_put.- exact_flag.- to_bits */
/* Adds to row number `at`; `alone`: no other does. */
$fn void exact_add_$S(unsigned long long *rows, long long at, $T value, bool alone)
{
    enum { WIDE = $B == 64, WORDS = WIDE ? 67 : 10, FRACTION = WIDE ? 52 : 23 };
    enum { ONES = WIDE ? 2047 : 255 };
    const unsigned long long bits = to_bits_$S(value), hidden = 1ULL << FRACTION;
    const unsigned long long fraction = bits & (hidden - 1);
    const int exponent = (int)(bits >> FRACTION) & ONES;
    const bool minus = bits >> ($B - 1);
    unsigned long long *row = rows + at * WORDS;

    if (exponent == ONES)
        exact_flag(row + WORDS - 1, fraction ? EXACT_NAN : minus ? EXACT_MINUS : EXACT_PLUS, alone);
    else if (exponent)
        exact_put(row, fraction | hidden, exponent - 1, minus, alone);
    else
        exact_put(row, fraction, 0, minus, alone);
}

/*@ exact_merge - : exact_bump.- exact_flag.- */
/* Adds `count` rows of `words` to others, which other threads add to as well. */
$fn void exact_merge(unsigned long long *to, const unsigned long long *rows, long long count,
                     int words)
{
    for (long long i = 0; i < count * words; i++)
        if (rows[i] && (i + 1) % words)
            exact_bump(to + i, rows[i], false);
        else if (rows[i])
            exact_flag(to + i, rows[i], false);
}

/*@ exact_carry - */
/* Makes digits of 32 bits of them; what is carried beyond the last. */
$fn long long exact_carry(unsigned long long *digits, int count, bool negate)
{
    long long carry = 0;

    for (int i = 0; i < count; i++) {
        carry += negate ? -(long long)digits[i] : (long long)digits[i];
        digits[i] = (unsigned long long)carry & 0xffffffff;
        carry >>= 32;
    }
    return carry;
}

/*@ exact_window - */
/* 32 bits from bit number `at` on. */
$fn unsigned long long exact_window(const unsigned long long *digits, int count, int at)
{
    const int i = at >> 5;
    const unsigned long long next = i + 1 < count ? digits[i + 1] : 0;

    return (digits[i] | next << 32) >> (at & 31) & 0xffffffff;
}

/*@ exact_length - */
/* The number of bits, without zeros in front. */
$fn int exact_length(const unsigned long long *digits, int count)
{
    int bits = 32 * count;

    while (bits && !(digits[(bits - 1) >> 5] >> ((bits - 1) & 31) & 1))
        bits -= digits[(bits - 1) >> 5] ? 1 : 32;
    return bits;
}

/*@ exact_any - */
/* Whether any of the lowest bits is set. */
$fn bool exact_any(const unsigned long long *digits, int bits)
{
    for (int i = 0; i < bits >> 5; i++)
        if (digits[i])
            return true;
    return digits[bits >> 5] & ((1ULL << (bits & 31)) - 1);
}

/*@ exact_nearest - : exact_window.- exact_length.- exact_any.- */
/* The bits of the float nearest to so many digits, ties to even; its fraction has `fraction` bits,
** all ones in its exponent are `ones`. */
$fn unsigned long long exact_nearest(const unsigned long long *digits, int count, int fraction,
                                     unsigned long long ones)
{
    const int length = exact_length(digits, count);
    const int shift = length > fraction + 1 ? length - fraction - 1 : 0;
    unsigned long long bits = exact_window(digits, count, shift);

    if (length - shift > 32)
        bits |= exact_window(digits, count, shift + 32) << 32;
    if (shift && exact_window(digits, count, shift - 1) & 1)
        bits += bits & 1 || exact_any(digits, shift - 1);
    /* The mantissa's highest bit counts as one of the exponent, and carries into it. */
    bits += (unsigned long long)shift << fraction;
    return bits < ones << fraction ? bits : ones << fraction;
}

/*@ exact_round float : EXACT_FLAGS.- exact_add exact_carry.- exact_nearest.- from_bits */
/* What is left in place of `old`, an element whose sum is row number `at`. The row is used up. */
$fn $T exact_round_$S(unsigned long long *rows, long long at, $T old)
{
    enum { WIDE = $B == 64, WORDS = WIDE ? 67 : 10, FRACTION = WIDE ? 52 : 23 };
    enum { ONES = WIDE ? 2047 : 255 };
    unsigned long long *row = rows + at * WORDS, bits = 0;
    bool minus;

    for (int i = 0; i < WORDS; i++)
        bits |= row[i];
    if (!bits)
        return old;
    exact_add_$S(rows, at, old, true);
    const unsigned long long flags = row[WORDS - 1];
    minus = flags & EXACT_MINUS;
    if (flags & EXACT_NAN || (minus && flags & EXACT_PLUS))
        return from_bits_$S(($U)((2ULL * ONES + 1) << (FRACTION - 1)));
    bits = (unsigned long long)ONES << FRACTION;
    if (!flags) {
        long long beyond = exact_carry(row, WORDS - 1, false);
        minus = beyond < 0;
        if (minus)
            beyond = exact_carry(row, WORDS - 1, true) - beyond;
        if (!beyond)
            bits = exact_nearest(row, WORDS - 1, FRACTION, ONES);
    }
    return from_bits_$S(($U)(bits | (unsigned long long)minus << ($B - 1)));
}
