/* np.random, as NumPy's RandomState has it: the same seed gives the same numbers. Sources:
** Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998); NumPy's manual, "Legacy random
** generation", for what is drawn in which order. */
#include "runtime/program/arrays.h"
#include "runtime/array/array.h"

#include <math.h>

enum { WORDS = MERSENNE_WORDS, AHEAD = 397 };

static void seed(Mersenne *state, uint32_t number)
{
    for (int i = 0; i < WORDS; i++) {
        state->words[i] = number;
        number = 1812433253u * (number ^ number >> 30) + (uint32_t)i + 1;
    }
    state->next = WORDS;
    state->seeded = true;
    state->has_normal = false;
}

static void renew(Mersenne *state)
{
    for (int i = 0; i < WORDS; i++) {
        uint32_t high = state->words[i] & 0x80000000u;
        uint32_t word = high | (state->words[(i + 1) % WORDS] & 0x7fffffffu);
        state->words[i] =
            state->words[(i + AHEAD) % WORDS] ^ word >> 1 ^ (word & 1 ? 0x9908b0dfu : 0);
    }
    state->next = 0;
}

static uint32_t draw_word(Mersenne *state)
{
    if (!state->seeded)
        seed(state, 0);
    if (state->next == WORDS)
        renew(state);
    uint32_t word = state->words[state->next++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

/* From 0 to below 1, of 53 bits. */
static double draw(Mersenne *state)
{
    uint32_t high = draw_word(state) >> 5, low = draw_word(state) >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

/* Marsaglia's polar method, which makes two at a time. */
static double draw_normal(Mersenne *state)
{
    double x, y, square;
    if (state->has_normal) {
        state->has_normal = false;
        return state->normal;
    }
    do {
        x = 2 * draw(state) - 1;
        y = 2 * draw(state) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double factor = sqrt(-2 * log(square) / square);
    state->normal = factor * x;
    state->has_normal = true;
    return factor * y;
}

/* ---- functions ------------------------------------------------------------------------------ */

typedef double Draw(Mersenne *state);

/* A number without a size, else an array. */
static bool draw_all(Program *p, HostValue size, Draw *one, double from, double scale,
                     HostValue *out)
{
    int64_t shape[KJIT_RANK_MAX];
    int rank;
    HostArray *array;
    if (size.kind == HOST_NONE) {
        *out = host_float(from + scale * one(&p->random));
        return true;
    }
    if (!shape_from(p, size, shape, &rank) ||
        !host_array_new(p, KJIT_DTYPE_FLOAT64, rank, shape, false, &array))
        return false;
    double *to = array->view.data;
    for (int64_t i = 0, count = array_elements(&array->view); i < count; i++)
        to[i] = from + scale * one(&p->random);
    *out = host_object(array);
    return true;
}

static bool random_seed(Program *p, HostArgs *args, HostValue *out)
{
    int64_t number;
    (void)out;
    if (!host_integer(p, args->values[0], &number))
        return false;
    if (number < 0 || number > UINT32_MAX)
        return host_fail(p, "ValueError", "Seed must be between 0 and 2**32 - 1");
    seed(&p->random, (uint32_t)number);
    return true;
}

static HostValue size_of(Program *p, const HostArgs *args)
{
    return args->count ? host_items(p, HOST_TUPLE, args->values, args->count) : host_none();
}

static bool random_rand(Program *p, HostArgs *args, HostValue *out)
{
    return draw_all(p, size_of(p, args), draw, 0, 1, out);
}

static bool random_randn(Program *p, HostArgs *args, HostValue *out)
{
    return draw_all(p, size_of(p, args), draw_normal, 0, 1, out);
}

static bool random_random(Program *p, HostArgs *args, HostValue *out)
{
    return draw_all(p, args_get(args, 0, "size", host_none()), draw, 0, 1, out);
}

static bool random_standard(Program *p, HostArgs *args, HostValue *out)
{
    return draw_all(p, args_get(args, 0, "size", host_none()), draw_normal, 0, 1, out);
}

static bool random_uniform(Program *p, HostArgs *args, HostValue *out)
{
    double low, high;
    return host_double(p, args_get(args, 0, "low", host_float(0)), &low) &&
           host_double(p, args_get(args, 1, "high", host_float(1)), &high) &&
           draw_all(p, args_get(args, 2, "size", host_none()), draw, low, high - low, out);
}

static bool random_normal(Program *p, HostArgs *args, HostValue *out)
{
    double mean, deviation;
    return host_double(p, args_get(args, 0, "loc", host_float(0)), &mean) &&
           host_double(p, args_get(args, 1, "scale", host_float(1)), &deviation) &&
           draw_all(p, args_get(args, 2, "size", host_none()), draw_normal, mean, deviation, out);
}

/* One of 0 to `most`: of the bits that it takes, until they are no more. */
static int64_t draw_integer(Mersenne *state, uint32_t most)
{
    uint32_t mask = most, number;
    for (int shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    if (!most)
        return 0;
    do
        number = draw_word(state) & mask;
    while (number > most);
    return number;
}

static bool random_randint(Program *p, HostArgs *args, HostValue *out)
{
    int64_t low, high, shape[KJIT_RANK_MAX];
    int rank = 0;
    kjit_dtype dtype = KJIT_DTYPE_INT64;
    HostArray *array;
    const HostValue end = args_get(args, 1, "high", host_none());
    const HostValue size = args_get(args, 2, "size", host_none());
    if (!host_integer(p, args->values[0], &low) ||
        !dtype_from(p, args_get(args, 3, "dtype", host_none()), &dtype))
        return false;
    high = low;
    if (end.kind == HOST_NONE)
        low = 0;
    else if (!host_integer(p, end, &high))
        return false;
    if (low >= high)
        return host_fail(p, "ValueError", "low >= high");
    if (dtype != KJIT_DTYPE_INT64 || (uint64_t)high - (uint64_t)low > UINT32_MAX)
        return host_fail(p, "NotImplementedError",
                         "randint() draws int64 from a range of 32 bits: .astype() what it gives");
    const uint32_t most = (uint32_t)(high - low - 1);
    if (size.kind == HOST_NONE) {
        *out = host_int(low + draw_integer(&p->random, most));
        return true;
    }
    if (!shape_from(p, size, shape, &rank) || !host_array_new(p, dtype, rank, shape, false, &array))
        return false;
    int64_t *to = array->view.data;
    for (int64_t i = 0, count = array_elements(&array->view); i < count; i++)
        to[i] = low + draw_integer(&p->random, most);
    *out = host_object(array);
    return true;
}

const HostBuiltin random_functions[] = {
    { "np.random.seed", 1, 1, random_seed, NULL },
    { "np.random.rand", 0, KJIT_RANK_MAX, random_rand, NULL },
    { "np.random.randn", 0, KJIT_RANK_MAX, random_randn, NULL },
    { "np.random.random", 0, 1, random_random, "size" },
    { "np.random.random_sample", 0, 1, random_random, "size" },
    { "np.random.standard_normal", 0, 1, random_standard, "size" },
    { "np.random.uniform", 0, 3, random_uniform, "low high size" },
    { "np.random.normal", 0, 3, random_normal, "loc scale size" },
    { "np.random.randint", 1, 4, random_randint, "high size dtype" },
    { NULL, 0, 0, NULL, NULL },
};
