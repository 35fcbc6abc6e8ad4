/* np.random, its RandomState and its Generator: the same seed gives the numbers that NumPy gives.
** Source for what is drawn in which order: NumPy's manual, "Legacy random generation" and "Random
** generator". */
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

#include <math.h>

enum { SEED_WORDS_MOST = 64 };

RandomSource *host_source(Program *p, const HostArgs *args)
{
    return args->self.kind == HOST_GENERATOR ? &args->self.generator->source : &p->random;
}

/* ---- seeds ---------------------------------------------------------------------------------- */

/* An integer as words of 32 bits, lowest first, without those that are 0 at the end. */
static bool add_words(Program *p, HostValue value, uint32_t *words, size_t *count)
{
    int64_t number;
    for (size_t i = 0; value.kind == HOST_WIDE && !value.wide->negative; i++) {
        if (i == value.wide->count)
            return true;
        if (*count == SEED_WORDS_MOST)
            break;
        words[(*count)++] = value.wide->digits[i];
    }
    if (value.kind == HOST_WIDE)
        value = host_int(value.wide->negative ? -1 : 0);
    if (!host_integer(p, value, &number))
        return false;
    bool wide = value.kind == HOST_NUMBER && value.dtype == KJIT_DTYPE_UINT64;
    if (number < 0 && !wide)
        return host_fail(p, "ValueError", "expected non-negative integer");
    if (*count + 2 > SEED_WORDS_MOST)
        return host_fail(p, "NotImplementedError", "a seed has %d words at the most",
                         SEED_WORDS_MOST);
    words[(*count)++] = (uint32_t)number;
    if ((uint64_t)number >> 32)
        words[(*count)++] = (uint32_t)((uint64_t)number >> 32);
    return true;
}

static bool no_seed(Program *p, HostValue seed)
{
    Buf text = buf_in(&p->scratch);
    host_str(p, &text, seed);
    return host_fail(p, "TypeError",
                     "SeedSequence expects int or sequence of ints for entropy not %s",
                     buf_text(&text));
}

static bool seed_words(Program *p, HostValue seed, uint32_t *words, size_t *count)
{
    HostIterator it;
    HostValue item;
    *count = 0;
    if (seed.kind == HOST_NONE) /* where NumPy takes entropy of the machine */
        seed = host_int(0);
    if (host_is_number(seed) || seed.kind == HOST_WIDE)
        return host_is_whole(seed) || host_is_integer(seed) ? add_words(p, seed, words, count)
                                                            : no_seed(p, seed);
    if (!host_iterate(p, seed, &it))
        return false;
    while (host_next(p, &it, &item))
        if (!add_words(p, item, words, count))
            return false;
    return !p->failed;
}

/* From a number, or from several as one. */
static bool random_seed(Program *p, HostArgs *args, HostValue *out)
{
    uint32_t words[SEED_WORDS_MOST];
    size_t count;
    const HostValue seed = args_get(args, 0, "seed", host_int(0));
    (void)out;
    int64_t number = seed.kind == HOST_WIDE ? -1 : 0;
    if (host_is_integer(seed) && !host_integer(p, seed, &number))
        return false;
    if (number < 0 || number > UINT32_MAX)
        return host_fail(p, "ValueError", "Seed must be between 0 and 2**32 - 1");
    if (!seed_words(p, seed, words, &count))
        return false;
    if (!count)
        return host_fail(p, "ValueError", "Seed must be non-empty");
    if (host_is_number(seed) || seed.kind == HOST_NONE)
        mersenne_seed(host_source(p, args), words[0]);
    else
        mersenne_seed_words(host_source(p, args), words, count);
    return true;
}

static bool random_state(Program *p, HostArgs *args, HostValue *out)
{
    HostGenerator *generator = host_new(p, HOST_GENERATOR, sizeof *generator);
    HostArgs seeding = *args;
    seeding.self = *out = host_object(generator);
    return random_seed(p, &seeding, &seeding.self);
}

static bool random_generator(Program *p, HostArgs *args, HostValue *out)
{
    uint32_t words[SEED_WORDS_MOST];
    size_t count;
    const HostValue seed = args_get(args, 0, "seed", host_none());
    if (seed.kind == HOST_GENERATOR && seed.generator->source.modern)
        return host_give(out, seed);
    if (!seed_words(p, seed, words, &count))
        return false;
    HostGenerator *generator = host_new(p, HOST_GENERATOR, sizeof *generator);
    pcg_seed(&generator->source, words, count);
    return host_give(out, host_object(generator));
}

/* ---- floats of a distribution --------------------------------------------------------------- */

/* What is drawn: from * ... of two parameters, each a number or an array. */
typedef double Draw(RandomSource *source, double a, double b);

typedef enum Least { ANY, NOT_NEGATIVE, POSITIVE } Least;

typedef struct Distribution {
    Draw *one;
    double from; /* the first parameter where it is not given; the second is 1 then */
    const char *first, *second;               /* how they are called; NULL: they cannot be given */
    float (*narrow)(RandomSource *source);    /* by new generators in single precision, or NULL */
    Least least[2];                           /* of both, which may be NaN */
    bool whole;                               /* counts */
    const char *(*wrong)(double a, double b); /* what else is wrong; NULL: nothing */
} Distribution;

typedef struct DrawCall {
    const Distribution *of;
    HostValue parameters[2];
    HostValue size, dtype, out;
} DrawCall;

static double draw_unit(RandomSource *source, double a, double b)
{
    (void)a, (void)b;
    return random_unit(source);
}

static double draw_uniform(RandomSource *source, double low, double high)
{
    return low + (high - low) * random_unit(source);
}

static double draw_normal(RandomSource *source, double mean, double deviation)
{
    return mean + deviation * random_normal(source);
}

static double draw_lognormal(RandomSource *source, double mean, double deviation)
{
    return exp(mean + deviation * random_normal(source));
}

static double draw_exponential(RandomSource *source, double scale, double b)
{
    (void)b;
    return scale * random_exponential(source);
}

static double draw_rayleigh(RandomSource *source, double scale, double b)
{
    (void)b;
    double square =
        source->modern ? 2 * random_exponential(source) : -2 * log1p(-random_unit(source));
    return scale * sqrt(square);
}

static double draw_gamma(RandomSource *source, double shape, double scale)
{
    return scale * random_gamma(source, shape);
}

static double draw_chisquare(RandomSource *source, double freedom, double b)
{
    (void)b;
    return 2 * random_gamma(source, freedom / 2);
}

static double draw_laplace(RandomSource *source, double mean, double scale)
{
    for (;;) {
        const double u = random_unit(source);
        if (u >= 0.5)
            return mean - scale * log(2 - u - u);
        if (u > 0)
            return mean + scale * log(u + u);
    }
}

static double draw_weibull(RandomSource *source, double shape, double b)
{
    (void)b;
    return shape == 0 ? 0 : pow(random_exponential(source), 1 / shape);
}

static double draw_poisson(RandomSource *source, double mean, double b)
{
    (void)b;
    return random_poisson(source, mean);
}

static double draw_geometric(RandomSource *source, double p, double b)
{
    (void)b;
    return random_geometric(source, p);
}

static double draw_binomial(RandomSource *source, double n, double p)
{
    return random_binomial(source, trunc(n), p);
}

static const char *wrong_mean(double mean, double b)
{
    const double most = (double)INT64_MAX;
    (void)b;
    return !(mean >= 0)                    ? "lam < 0 or lam is NaN"
           : mean > most - 10 * sqrt(most) ? "lam value too large"
                                           : NULL;
}

static const char *wrong_counts(double n, double p)
{
    return !(n >= 0) ? "n < 0" : p >= 0 && p <= 1 ? NULL : "p < 0, p > 1 or p is NaN";
}

static const char *wrong_chance(double p, double b)
{
    (void)b;
    return p > 0 && p <= 1 ? NULL : "p <= 0, p > 1 or p contains NaNs";
}

static bool at_least(Program *p, const char *name, Least least, double x)
{
    if (isnan(x) || (least == NOT_NEGATIVE ? !signbit(x) : least == ANY || x > 0))
        return true;
    return host_fail(p, "ValueError", "%s %s 0", name, least == POSITIVE ? "<=" : "<");
}

static bool are_right(Program *p, const Distribution *of, double a, double b)
{
    const char *wrong = of->wrong ? of->wrong(a, b) : NULL;
    return at_least(p, of->first, of->least[0], a) && at_least(p, of->second, of->least[1], b) &&
           (!wrong || host_fail(p, "ValueError", "%s", wrong));
}

static int64_t count_of(double x)
{
    return x < 0x1p63 ? (int64_t)x : INT64_MAX;
}

/* Counts are integers. */
static bool as_counts(Program *p, const Distribution *of, HostValue *out)
{
    if (!of->whole)
        return true;
    if (out->kind == HOST_FLOAT)
        return host_give(out, host_int(count_of(out->number)));
    const kjit_array *drawn = &out->array->view;
    HostArray *counts;
    if (!host_array_new(p, KJIT_DTYPE_INT64, drawn->rank, drawn->shape, false, &counts))
        return false;
    for (int64_t i = 0, count = array_elements(drawn); i < count; i++)
        ((int64_t *)counts->view.data)[i] = count_of(((const double *)drawn->data)[i]);
    return host_give(out, host_object(counts));
}

/* The array that is to be filled. */
static bool room_of(Program *p, const DrawCall *d, kjit_dtype dtype, HostArray **array)
{
    int64_t shape[KJIT_RANK_MAX];
    int rank;
    if (d->out.kind == HOST_ARRAY) {
        *array = d->out.array;
        if ((*array)->view.dtype != dtype || !kjit_array_is_contiguous(&(*array)->view, 0))
            return host_fail(p, "TypeError", "out= is to be an array of %s that lies row by row",
                             kjit_dtype_name(dtype));
        return host_array_write(p, *array);
    }
    return shape_from(p, d->size, shape, &rank) &&
           host_array_new(p, dtype, rank, shape, false, array);
}

static bool draw_narrow(Program *p, const HostArgs *args, const DrawCall *d, HostValue *out)
{
    RandomSource *source = host_source(p, args);
    HostArray *array;
    if (d->size.kind == HOST_NONE && d->out.kind == HOST_NONE)
        return host_give(out, host_float((double)d->of->narrow(source)));
    if (!room_of(p, d, KJIT_DTYPE_FLOAT32, &array))
        return false;
    float *to = array->view.data;
    for (int64_t i = 0, count = array_elements(&array->view); i < count; i++)
        to[i] = d->of->narrow(source);
    return host_give(out, host_object(array));
}

/* Parameters that are arrays: one draw for each place of what they are broadcast to. */
static bool draw_broadcast(Program *p, const HostArgs *args, DrawCall *d, HostValue *out)
{
    HostArray *arrays[3];
    kjit_array views[2];
    int64_t shape[KJIT_RANK_MAX], index[KJIT_RANK_MAX] = { 0 };
    int rank;
    for (int i = 0; i < 2; i++)
        if (!host_array_from(p, d->parameters[i], KJIT_DTYPE_FLOAT64, &arrays[i]) ||
            !host_array_read(p, arrays[i]))
            return false;
    if (!operands_shape(p, (HostValue[]){ host_object(arrays[0]), host_object(arrays[1]) }, 2,
                        &rank, shape))
        return false;
    if (d->size.kind != HOST_NONE && !shape_from(p, d->size, shape, &rank))
        return false;
    if (!host_array_new(p, KJIT_DTYPE_FLOAT64, rank, shape, false, &arrays[2]))
        return false;
    for (int i = 0; i < 2; i++) {
        kjit_status status = kjit_array_broadcast(&arrays[i]->view, rank, shape, &views[i]);
        if (status != KJIT_OK)
            return host_failed(p, status);
    }
    double *to = arrays[2]->view.data;
    const int64_t count = array_elements(&arrays[2]->view);
    for (int64_t i = 0; i < 2 * count; i++) { /* nothing is drawn before all are right */
        const double a = host_as_double(host_array_element(&views[0], index)),
                     b = host_as_double(host_array_element(&views[1], index));
        if (i >= count)
            to[i - count] = d->of->one(host_source(p, args), a, b);
        else if (!are_right(p, d->of, a, b))
            return false;
        index_next(&views[0], index);
    }
    *out = host_object(arrays[2]);
    return as_counts(p, d->of, out);
}

static bool is_sequence_of_numbers(HostValue value)
{
    return is_arrays(value) || value.kind == HOST_LIST || value.kind == HOST_TUPLE;
}

/* A number without a size, else an array. */
static bool draw(Program *p, const HostArgs *args, DrawCall *d, HostValue *out)
{
    double a, b;
    HostArray *array;
    kjit_dtype dtype = KJIT_DTYPE_FLOAT64;
    d->size = args_get(args, SIZE_MAX, "size", d->size);
    d->out = args_get(args, SIZE_MAX, "out", host_none());
    if (!dtype_from(p, args_get(args, SIZE_MAX, "dtype", d->dtype), &dtype))
        return false;
    if (dtype == KJIT_DTYPE_FLOAT32 && d->of->narrow && host_source(p, args)->modern)
        return draw_narrow(p, args, d, out);
    if (dtype != KJIT_DTYPE_FLOAT64)
        return host_fail(p, "TypeError", "Unsupported dtype dtype('%s') for %s",
                         kjit_dtype_name(dtype), strrchr(args->builtin->name, '.') + 1);
    if (is_sequence_of_numbers(d->parameters[0]) || is_sequence_of_numbers(d->parameters[1]))
        return draw_broadcast(p, args, d, out);
    if (!host_double(p, d->parameters[0], &a) || !host_double(p, d->parameters[1], &b) ||
        !are_right(p, d->of, a, b))
        return false;
    RandomSource *source = host_source(p, args);
    if (d->size.kind == HOST_NONE && d->out.kind == HOST_NONE) {
        *out = host_float(d->of->one(source, a, b));
        return as_counts(p, d->of, out);
    }
    if (!room_of(p, d, KJIT_DTYPE_FLOAT64, &array))
        return false;
    double *to = array->view.data;
    for (int64_t i = 0, count = array_elements(&array->view); i < count; i++)
        to[i] = d->of->one(source, a, b);
    *out = host_object(array);
    return as_counts(p, d->of, out);
}

/* normal(loc, scale, size, dtype), of which a distribution may have less. */
static bool random_of(Program *p, HostArgs *args, HostValue *out)
{
    const Distribution *of = args->builtin->with;
    const size_t count = of->second ? 2 : of->first ? 1 : 0;
    DrawCall d = {
        .of = of,
        .parameters = { args_get(args, count > 0 ? 0 : SIZE_MAX, of->first, host_float(of->from)),
                        args_get(args, count > 1 ? 1 : SIZE_MAX, of->second, host_float(1)) },
        .size = args_get(args, count, NULL, host_none()),
        .dtype = args_get(args, count + 1, NULL, host_none())
    };
    return draw(p, args, &d, out);
}

/* rand(n, m): all arguments are the shape. */
static bool random_shaped(Program *p, HostArgs *args, HostValue *out)
{
    const Distribution *of = args->builtin->with;
    DrawCall d = { .of = of,
                   .parameters = { host_float(of->from), host_float(1) },
                   .size = args->count ? host_items(p, HOST_TUPLE, args->values, args->count)
                                       : host_none() };
    return draw(p, args, &d, out);
}

static const Distribution
    unit = { draw_unit, 0, NULL, NULL, random_unit_narrow },
    standard_normal = { draw_normal, 0, NULL, NULL, random_normal_narrow },
    standard_exponential = { draw_exponential, 1, NULL, NULL, NULL },
    uniform = { draw_uniform, 0, "low", "high", NULL },
    normal = { draw_normal, 0, "loc", "scale", NULL, { ANY, NOT_NEGATIVE } },
    lognormal = { draw_lognormal, 0, "mean", "sigma", NULL, { ANY, NOT_NEGATIVE } },
    exponential = { draw_exponential, 1, "scale", NULL, NULL, { NOT_NEGATIVE } },
    rayleigh = { draw_rayleigh, 1, "scale", NULL, NULL, { NOT_NEGATIVE } },
    gammas = { draw_gamma, 1, "shape", "scale", NULL, { NOT_NEGATIVE, NOT_NEGATIVE } },
    standard_gamma = { draw_gamma, 1, "shape", NULL, NULL, { NOT_NEGATIVE } },
    beta = { random_beta, 1, "a", "b", NULL, { POSITIVE, POSITIVE } },
    chisquare = { draw_chisquare, 1, "df", NULL, NULL, { POSITIVE } },
    laplace = { draw_laplace, 0, "loc", "scale", NULL, { ANY, NOT_NEGATIVE } },
    weibull = { draw_weibull, 1, "a", NULL, NULL, { NOT_NEGATIVE } },
    poisson = { draw_poisson, 1, "lam", NULL, NULL, { ANY }, true, wrong_mean },
    binomial = { draw_binomial, 1, "n", "p", NULL, { ANY }, true, wrong_counts },
    geometric = { draw_geometric, 1, "p", NULL, NULL, { ANY }, true, wrong_chance };

/* np.random's functions are RandomState's methods. */
#define LEGACY(name, ...)                                                                          \
    { "np.random." name, __VA_ARGS__ },                                                            \
    {                                                                                              \
        "RandomState." name, __VA_ARGS__                                                           \
    }
#define EITHER(name, ...)                                                                          \
    LEGACY(name, __VA_ARGS__),                                                                     \
    {                                                                                              \
        "Generator." name, __VA_ARGS__                                                             \
    }

const HostBuiltin random_functions[] = {
    LEGACY("seed", 0, 1, random_seed, "seed"),
    LEGACY("rand", 0, KJIT_RANK_MAX, random_shaped, NULL, &unit),
    LEGACY("randn", 0, KJIT_RANK_MAX, random_shaped, NULL, &standard_normal),
    LEGACY("random", 0, 1, random_of, "size", &unit),
    LEGACY("random_sample", 0, 1, random_of, "size", &unit),
    LEGACY("ranf", 0, 1, random_of, "size", &unit),
    LEGACY("standard_normal", 0, 1, random_of, "size", &standard_normal),
    LEGACY("standard_exponential", 0, 1, random_of, "size", &standard_exponential),
    EITHER("uniform", 0, 3, random_of, "low high size", &uniform),
    EITHER("normal", 0, 3, random_of, "loc scale size", &normal),
    EITHER("lognormal", 0, 3, random_of, "mean sigma size", &lognormal),
    EITHER("exponential", 0, 2, random_of, "scale size", &exponential),
    EITHER("rayleigh", 0, 2, random_of, "scale size", &rayleigh),
    EITHER("gamma", 1, 3, random_of, "shape scale size", &gammas),
    EITHER("standard_gamma", 1, 2, random_of, "shape size", &standard_gamma),
    EITHER("beta", 2, 3, random_of, "a b size", &beta),
    EITHER("chisquare", 1, 2, random_of, "df size", &chisquare),
    EITHER("laplace", 0, 3, random_of, "loc scale size", &laplace),
    EITHER("weibull", 1, 2, random_of, "a size", &weibull),
    EITHER("poisson", 0, 2, random_of, "lam size", &poisson),
    EITHER("binomial", 2, 3, random_of, "n p size", &binomial),
    EITHER("geometric", 1, 2, random_of, "p size", &geometric),
    { "Generator.random", 0, 2, random_of, "size dtype out", &unit },
    { "Generator.standard_normal", 0, 2, random_of, "size dtype out", &standard_normal },
    { "Generator.standard_exponential", 0, 1, random_of, "size out", &standard_exponential },
    { "np.random.default_rng", 0, 1, random_generator, "seed" },
    { "np.random.PCG64", 0, 1, random_generator, "seed" },
    { "np.random.Generator", 1, 1, random_generator, NULL },
    { "np.random.RandomState", 0, 1, random_state, "seed" },
    { NULL, 0, 0, NULL, NULL },
};
