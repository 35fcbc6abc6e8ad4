== plain ==
#line 1 "kjit prelude"
enum { EXACT_NAN = 1, EXACT_PLUS = 2, EXACT_MINUS = 4 }; /* infinities */

/* What an atomic found, where its lanes meet again. In shared memory there is no instruction for
** atomics on floats and on 64 bits: ptxas makes them a loop that lanes leave one by one. Version
** 13.0 takes what stands behind for what all lanes come to at once, and counts a loop around it
** once for each time that some lane leaves. Those that began together wait for one another here. */
template <class T> struct met {
    unsigned int lanes;
    T value;
    __device__ T found() const
    {
        __syncwarp(lanes);
        return value;
    }
};

/* Adds to a word that no other thread accesses, or any may. */
static __device__ inline void exact_bump(unsigned long long *word, unsigned long long part, bool alone)
{
    if (alone)
        *word += part;
    else
        met<unsigned long long>{ __activemask(), atomicAdd(word, part) }.found();
}

/* Adds part of a digit, at most 2^32 in size. */
static __device__ inline void exact_part(unsigned long long *digit, unsigned long long part, bool minus, bool alone)
{
    if (part)
        exact_bump(digit, minus ? 0 - part : part, alone);
}

/* Adds mantissa * 2^exponent, or subtracts it. */
static __device__ inline void exact_put(unsigned long long *row, unsigned long long mantissa, int exponent, bool minus,
                   bool alone)
{
    const unsigned long long low = (mantissa & 0xffffffff) << (exponent & 31);
    const unsigned long long high = ((mantissa >> 32) << (exponent & 31)) + (low >> 32);
    unsigned long long *digit = row + (exponent >> 5);

    exact_part(digit, low & 0xffffffff, minus, alone);
    exact_part(digit + 1, high & 0xffffffff, minus, alone);
    exact_part(digit + 2, high >> 32, minus, alone);
}

static __device__ inline void exact_flag(unsigned long long *word, unsigned long long flags, bool alone)
{
    if (alone)
        *word |= flags;
    else
        met<unsigned long long>{ __activemask(), atomicOr(word, flags) }.found();
}

static __device__ inline unsigned int to_bits_f32(float value)
{
    union {
        float value;
        unsigned int bits;
    } same = { value };

    return same.bits;
}

/* Adds to row number `at`; `alone`: no other does. */
static __device__ inline void exact_add_f32(unsigned long long *rows, long long at, float value, bool alone)
{
    enum { WIDE = 32 == 64, WORDS = WIDE ? 67 : 10, FRACTION = WIDE ? 52 : 23 };
    enum { ONES = WIDE ? 2047 : 255 };
    const unsigned long long bits = to_bits_f32(value), hidden = 1ULL << FRACTION;
    const unsigned long long fraction = bits & (hidden - 1);
    const int exponent = (int)(bits >> FRACTION) & ONES;
    const bool minus = bits >> (32 - 1);
    unsigned long long *row = rows + at * WORDS;

    if (exponent == ONES)
        exact_flag(row + WORDS - 1, fraction ? EXACT_NAN : minus ? EXACT_MINUS : EXACT_PLUS, alone);
    else if (exponent)
        exact_put(row, fraction | hidden, exponent - 1, minus, alone);
    else
        exact_put(row, fraction, 0, minus, alone);
}

/* Makes digits of 32 bits of them; what is carried beyond the last. */
static __device__ inline long long exact_carry(unsigned long long *digits, int count, bool negate)
{
    long long carry = 0;

    for (int i = 0; i < count; i++) {
        carry += negate ? -(long long)digits[i] : (long long)digits[i];
        digits[i] = (unsigned long long)carry & 0xffffffff;
        carry >>= 32;
    }
    return carry;
}

/* 32 bits from bit number `at` on. */
static __device__ inline unsigned long long exact_window(const unsigned long long *digits, int count, int at)
{
    const int i = at >> 5;
    const unsigned long long next = i + 1 < count ? digits[i + 1] : 0;

    return (digits[i] | next << 32) >> (at & 31) & 0xffffffff;
}

/* The number of bits, without zeros in front. */
static __device__ inline int exact_length(const unsigned long long *digits, int count)
{
    int bits = 32 * count;

    while (bits && !(digits[(bits - 1) >> 5] >> ((bits - 1) & 31) & 1))
        bits -= digits[(bits - 1) >> 5] ? 1 : 32;
    return bits;
}

/* Whether any of the lowest bits is set. */
static __device__ inline bool exact_any(const unsigned long long *digits, int bits)
{
    for (int i = 0; i < bits >> 5; i++)
        if (digits[i])
            return true;
    return digits[bits >> 5] & ((1ULL << (bits & 31)) - 1);
}

/* The bits of the float nearest to so many digits, ties to even; its fraction has `fraction` bits,
** all ones in its exponent are `ones`. */
static __device__ inline unsigned long long exact_nearest(const unsigned long long *digits, int count, int fraction,
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

static __device__ inline float from_bits_f32(unsigned int bits)
{
    union {
        unsigned int bits;
        float value;
    } same = { bits };

    return same.value;
}

/* What is left in place of `old`, an element whose sum is row number `at`. The row is used up. */
static __device__ inline float exact_round_f32(unsigned long long *rows, long long at, float old)
{
    enum { WIDE = 32 == 64, WORDS = WIDE ? 67 : 10, FRACTION = WIDE ? 52 : 23 };
    enum { ONES = WIDE ? 2047 : 255 };
    unsigned long long *row = rows + at * WORDS, bits = 0;
    bool minus;

    for (int i = 0; i < WORDS; i++)
        bits |= row[i];
    if (!bits)
        return old;
    exact_add_f32(rows, at, old, true);
    const unsigned long long flags = row[WORDS - 1];
    minus = flags & EXACT_MINUS;
    if (flags & EXACT_NAN || (minus && flags & EXACT_PLUS))
        return from_bits_f32((unsigned int)((2ULL * ONES + 1) << (FRACTION - 1)));
    bits = (unsigned long long)ONES << FRACTION;
    if (!flags) {
        long long beyond = exact_carry(row, WORDS - 1, false);
        minus = beyond < 0;
        if (minus)
            beyond = exact_carry(row, WORDS - 1, true) - beyond;
        if (!beyond)
            bits = exact_nearest(row, WORDS - 1, FRACTION, ONES);
    }
    return from_bits_f32((unsigned int)(bits | (unsigned long long)minus << (32 - 1)));
}

#line 7 "exact.k"
extern "C" __global__ void plain(const float *x, long long x_0, float *sums, long long sums_0,
        long long sums_1, unsigned long long *sums_sums)
{
#line 8 "exact.k"
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x_0)
        exact_add_f32(sums_sums, &sums[i % 2 * sums_1 + i % 5] - sums, x[i], false);
}

extern "C" __global__ void plain_round(const float *x, long long x_0, float *sums,
        long long sums_0, long long sums_1, unsigned long long *sums_sums)
{
    const long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const long long all = gridDim.x * (long long)blockDim.x;

    for (long long i = first; i < sums_0 * sums_1; i += all)
        sums[i] = exact_round_f32(sums_sums, i, sums[i]);
}

== in_a_function ==
#line 1 "kjit prelude"
enum { EXACT_NAN = 1, EXACT_PLUS = 2, EXACT_MINUS = 4 }; /* infinities */

/* What an atomic found, where its lanes meet again. In shared memory there is no instruction for
** atomics on floats and on 64 bits: ptxas makes them a loop that lanes leave one by one. Version
** 13.0 takes what stands behind for what all lanes come to at once, and counts a loop around it
** once for each time that some lane leaves. Those that began together wait for one another here. */
template <class T> struct met {
    unsigned int lanes;
    T value;
    __device__ T found() const
    {
        __syncwarp(lanes);
        return value;
    }
};

/* Adds to a word that no other thread accesses, or any may. */
static __device__ inline void exact_bump(unsigned long long *word, unsigned long long part, bool alone)
{
    if (alone)
        *word += part;
    else
        met<unsigned long long>{ __activemask(), atomicAdd(word, part) }.found();
}

/* Adds part of a digit, at most 2^32 in size. */
static __device__ inline void exact_part(unsigned long long *digit, unsigned long long part, bool minus, bool alone)
{
    if (part)
        exact_bump(digit, minus ? 0 - part : part, alone);
}

/* Adds mantissa * 2^exponent, or subtracts it. */
static __device__ inline void exact_put(unsigned long long *row, unsigned long long mantissa, int exponent, bool minus,
                   bool alone)
{
    const unsigned long long low = (mantissa & 0xffffffff) << (exponent & 31);
    const unsigned long long high = ((mantissa >> 32) << (exponent & 31)) + (low >> 32);
    unsigned long long *digit = row + (exponent >> 5);

    exact_part(digit, low & 0xffffffff, minus, alone);
    exact_part(digit + 1, high & 0xffffffff, minus, alone);
    exact_part(digit + 2, high >> 32, minus, alone);
}

static __device__ inline void exact_flag(unsigned long long *word, unsigned long long flags, bool alone)
{
    if (alone)
        *word |= flags;
    else
        met<unsigned long long>{ __activemask(), atomicOr(word, flags) }.found();
}

static __device__ inline unsigned long long to_bits_f64(double value)
{
    union {
        double value;
        unsigned long long bits;
    } same = { value };

    return same.bits;
}

/* Adds to row number `at`; `alone`: no other does. */
static __device__ inline void exact_add_f64(unsigned long long *rows, long long at, double value, bool alone)
{
    enum { WIDE = 64 == 64, WORDS = WIDE ? 67 : 10, FRACTION = WIDE ? 52 : 23 };
    enum { ONES = WIDE ? 2047 : 255 };
    const unsigned long long bits = to_bits_f64(value), hidden = 1ULL << FRACTION;
    const unsigned long long fraction = bits & (hidden - 1);
    const int exponent = (int)(bits >> FRACTION) & ONES;
    const bool minus = bits >> (64 - 1);
    unsigned long long *row = rows + at * WORDS;

    if (exponent == ONES)
        exact_flag(row + WORDS - 1, fraction ? EXACT_NAN : minus ? EXACT_MINUS : EXACT_PLUS, alone);
    else if (exponent)
        exact_put(row, fraction | hidden, exponent - 1, minus, alone);
    else
        exact_put(row, fraction, 0, minus, alone);
}

/* Makes digits of 32 bits of them; what is carried beyond the last. */
static __device__ inline long long exact_carry(unsigned long long *digits, int count, bool negate)
{
    long long carry = 0;

    for (int i = 0; i < count; i++) {
        carry += negate ? -(long long)digits[i] : (long long)digits[i];
        digits[i] = (unsigned long long)carry & 0xffffffff;
        carry >>= 32;
    }
    return carry;
}

/* 32 bits from bit number `at` on. */
static __device__ inline unsigned long long exact_window(const unsigned long long *digits, int count, int at)
{
    const int i = at >> 5;
    const unsigned long long next = i + 1 < count ? digits[i + 1] : 0;

    return (digits[i] | next << 32) >> (at & 31) & 0xffffffff;
}

/* The number of bits, without zeros in front. */
static __device__ inline int exact_length(const unsigned long long *digits, int count)
{
    int bits = 32 * count;

    while (bits && !(digits[(bits - 1) >> 5] >> ((bits - 1) & 31) & 1))
        bits -= digits[(bits - 1) >> 5] ? 1 : 32;
    return bits;
}

/* Whether any of the lowest bits is set. */
static __device__ inline bool exact_any(const unsigned long long *digits, int bits)
{
    for (int i = 0; i < bits >> 5; i++)
        if (digits[i])
            return true;
    return digits[bits >> 5] & ((1ULL << (bits & 31)) - 1);
}

/* The bits of the float nearest to so many digits, ties to even; its fraction has `fraction` bits,
** all ones in its exponent are `ones`. */
static __device__ inline unsigned long long exact_nearest(const unsigned long long *digits, int count, int fraction,
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

static __device__ inline double from_bits_f64(unsigned long long bits)
{
    union {
        unsigned long long bits;
        double value;
    } same = { bits };

    return same.value;
}

/* What is left in place of `old`, an element whose sum is row number `at`. The row is used up. */
static __device__ inline double exact_round_f64(unsigned long long *rows, long long at, double old)
{
    enum { WIDE = 64 == 64, WORDS = WIDE ? 67 : 10, FRACTION = WIDE ? 52 : 23 };
    enum { ONES = WIDE ? 2047 : 255 };
    unsigned long long *row = rows + at * WORDS, bits = 0;
    bool minus;

    for (int i = 0; i < WORDS; i++)
        bits |= row[i];
    if (!bits)
        return old;
    exact_add_f64(rows, at, old, true);
    const unsigned long long flags = row[WORDS - 1];
    minus = flags & EXACT_MINUS;
    if (flags & EXACT_NAN || (minus && flags & EXACT_PLUS))
        return from_bits_f64((unsigned long long)((2ULL * ONES + 1) << (FRACTION - 1)));
    bits = (unsigned long long)ONES << FRACTION;
    if (!flags) {
        long long beyond = exact_carry(row, WORDS - 1, false);
        minus = beyond < 0;
        if (minus)
            beyond = exact_carry(row, WORDS - 1, true) - beyond;
        if (!beyond)
            bits = exact_nearest(row, WORDS - 1, FRACTION, ONES);
    }
    return from_bits_f64((unsigned long long)(bits | (unsigned long long)minus << (64 - 1)));
}

#line 21 "exact.k"
extern "C" __global__ void in_a_function(const float *x, long long x_0, double *sums,
        long long sums_0, int *count, long long count_0, unsigned long long *sums_sums)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x_0) {
        long long at = i % 3;
#line 25 "exact.k"
        float x_2 = x[i];
#line 15 "exact.k"
        exact_add_f64(sums_sums, &sums[at] - sums, -(double)x_2, false);
#line 26 "exact.k"
        atomicAdd(&count[0], 1);
    }
}

extern "C" __global__ void in_a_function_round(const float *x, long long x_0, double *sums,
        long long sums_0, int *count, long long count_0, unsigned long long *sums_sums)
{
    const long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const long long all = gridDim.x * (long long)blockDim.x;

    for (long long i = first; i < sums_0; i += all)
        sums[i] = exact_round_f64(sums_sums, i, sums[i]);
}

