/* Numbers of a distribution, one by one, with the bits that NumPy draws for each: normal ones by
** Marsaglia's polar method in np.random, by the ziggurat in a Generator; integers of a range by
** masking in the one, by Lemire's multiplication in the other. Sources: ziggurat.h; Lemire, "Fast
** Random Integer Generation in an Interval", ACM TOMACS 29 (2019); Marsaglia and Tsang, "A Simple
** Method for Generating Gamma Variables", ACM TOMS 26 (2000); Hoermann, "The transformed rejection
** method for generating Poisson random variables", Insurance: Mathematics and Economics 12 (1993);
** Kachitvichyanukul and Schmeiser, "Binomial Random Variate Generation", CACM 31 (1988). */
#include "runtime/program/array/ziggurat.h"
#include "runtime/program/model/random.h"

#include <math.h>

enum { NARROWER = 29 }; /* bits that the ziggurat in single precision has less */

/* ---- normal --------------------------------------------------------------------------------- */

/* Marsaglia's polar method, which makes two at a time. */
static double normal_polar(RandomSource *source)
{
    double x, y, square;
    if (source->has_normal) {
        source->has_normal = false;
        return source->normal;
    }
    do {
        x = 2 * random_unit(source) - 1;
        y = 2 * random_unit(source) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double factor = sqrt(-2 * log(square) / square);
    source->normal = factor * x;
    source->has_normal = true;
    return factor * y;
}

static double normal_tail(RandomSource *source)
{
    double x, y;
    do {
        x = -ZIGGURAT_NORMAL_SCALE * log1p(-random_unit(source));
        y = -log1p(-random_unit(source));
    } while (y + y <= x * x);
    return ZIGGURAT_NORMAL_EDGE + x;
}

static double normal_ziggurat(RandomSource *source)
{
    for (;;) {
        const uint64_t bits = random_long(source), number = bits >> 9 & 0xfffffffffffffu;
        const int layer = bits & 0xff;
        const ZigguratLayer *at = &normal_layers[layer];
        double x = (double)number * at->width;
        x = bits >> 8 & 1 ? -x : x;
        if (number < at->inside)
            return x;
        if (layer == 0) {
            double tail = normal_tail(source);
            return number >> 8 & 1 ? -tail : tail;
        }
        double height = (at[-1].density - at->density) * random_unit(source) + at->density;
        if (height < exp(-0.5 * x * x))
            return x;
    }
}

double random_normal(RandomSource *source)
{
    return source->modern ? normal_ziggurat(source) : normal_polar(source);
}

static float normal_tail_narrow(RandomSource *source)
{
    float x, y;
    do {
        x = -(float)ZIGGURAT_NORMAL_SCALE * log1pf(-random_unit_narrow(source));
        y = -log1pf(-random_unit_narrow(source));
    } while (y + y <= x * x);
    return (float)ZIGGURAT_NORMAL_EDGE + x;
}

float random_normal_narrow(RandomSource *source)
{
    const uint64_t half = (uint64_t)1 << (NARROWER - 1);
    for (;;) {
        const uint32_t bits = random_word(source), number = bits >> 9;
        const int layer = bits & 0xff;
        const ZigguratLayer *at = &normal_layers[layer];
        float x = (float)number * (float)(at->width * (1 << NARROWER));
        x = bits >> 8 & 1 ? -x : x;
        if (number < (at->inside + half) >> NARROWER)
            return x;
        if (layer == 0) {
            float tail = normal_tail_narrow(source);
            return number >> 8 & 1 ? -tail : tail;
        }
        float edge = (float)at->density;
        float height = ((float)at[-1].density - edge) * random_unit_narrow(source) + edge;
        if ((double)height < exp(-0.5 * (double)x * (double)x))
            return x;
    }
}

/* ---- exponential ---------------------------------------------------------------------------- */

double random_exponential(RandomSource *source)
{
    if (!source->modern)
        return -log(1 - random_unit(source));
    for (;;) {
        const uint64_t bits = random_long(source) >> 3, number = bits >> 8;
        const int layer = bits & 0xff;
        const ZigguratLayer *at = &exponential_layers[layer];
        double x = (double)number * at->width;
        if (number < at->inside)
            return x;
        if (layer == 0)
            return ZIGGURAT_EXPONENTIAL_EDGE - log1p(-random_unit(source));
        if ((at[-1].density - at->density) * random_unit(source) + at->density < exp(-x))
            return x;
    }
}

/* ---- integers ------------------------------------------------------------------------------- */

uint64_t random_masked(RandomSource *source, uint64_t most)
{
    uint64_t mask = most, number;
    for (int shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    if (!most)
        return 0;
    do
        number = (most <= UINT32_MAX ? random_word(source) : random_long(source)) & mask;
    while (number > most);
    return number;
}

static uint32_t scaled_word(RandomSource *source, uint32_t most)
{
    const uint32_t count = most + 1;
    uint64_t product = (uint64_t)random_word(source) * count;
    if ((uint32_t)product < count)
        for (const uint32_t least = (UINT32_MAX - most) % count; (uint32_t)product < least;)
            product = (uint64_t)random_word(source) * count;
    return (uint32_t)(product >> 32);
}

static uint64_t scaled_long(RandomSource *source, uint64_t most)
{
    const uint64_t count = most + 1;
    uint64_t bits = random_long(source);
    if (bits * count < count)
        for (const uint64_t least = (UINT64_MAX - most) % count; bits * count < least;)
            bits = random_long(source);
    return (uint64_t)((unsigned __int128)bits * count >> 64);
}

uint64_t random_scaled(RandomSource *source, uint64_t most)
{
    return most == 0            ? 0
           : most == UINT32_MAX ? random_word(source)
           : most < UINT32_MAX  ? scaled_word(source, (uint32_t)most)
           : most == UINT64_MAX ? random_long(source)
                                : scaled_long(source, most);
}

/* ---- gamma ---------------------------------------------------------------------------------- */

/* Of a shape below 1. */
static double gamma_small(RandomSource *source, double shape)
{
    for (;;) {
        const double u = random_unit(source), v = random_exponential(source);
        if (u <= 1 - shape) {
            const double x = pow(u, 1 / shape);
            if (x <= v)
                return x;
        } else {
            const double y = -log((1 - u) / shape), x = pow(1 - shape + shape * y, 1 / shape);
            if (x <= v + y)
                return x;
        }
    }
}

double random_gamma(RandomSource *source, double shape)
{
    if (shape == 1)
        return random_exponential(source);
    if (shape == 0)
        return 0;
    if (shape < 1)
        return gamma_small(source, shape);
    const double b = shape - 1 / 3.0, c = 1 / sqrt(9 * b);
    for (;;) {
        double x, v;
        do {
            x = random_normal(source);
            v = 1 + c * x;
        } while (v <= 0);
        v = v * v * v;
        const double u = random_unit(source);
        if (u < 1 - 0.0331 * (x * x) * (x * x) || log(u) < 0.5 * x * x + b * (1 - v + log(v)))
            return b * v;
    }
}

double random_beta(RandomSource *source, double a, double b)
{
    if (a > 1 || b > 1) {
        const double x = random_gamma(source, a);
        return x / (x + random_gamma(source, b));
    }
    for (;;) { /* Joehnk */
        const double u = random_unit(source), v = random_unit(source);
        const double x = pow(u, 1 / a), y = pow(v, 1 / b);
        if (x + y > 1 || u + v == 0)
            continue;
        if (x + y > 0)
            return x / (x + y);
        double log_x = log(u) / a, log_y = log(v) / b;
        const double most = log_x > log_y ? log_x : log_y;
        log_x -= most;
        log_y -= most;
        return exp(log_x - log(exp(log_x) + exp(log_y)));
    }
}

/* ---- counts --------------------------------------------------------------------------------- */

static double poisson_products(RandomSource *source, double mean)
{
    const double least = exp(-mean);
    double product = 1, count = 0;
    while ((product *= random_unit(source)) > least)
        count++;
    return count;
}

/* Hoermann's PTRS. */
static double poisson_rejection(RandomSource *source, double mean)
{
    const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b,
                 inverse = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = random_unit(source) - 0.5, v = random_unit(source);
        const double rest = 0.5 - fabs(u), k = floor((2 * a / rest + b) * u + mean + 0.43);
        if (rest >= 0.07 && v <= quick)
            return k;
        if (k < 0 || (rest < 0.013 && v > rest))
            continue;
        if (log(v) + log(inverse) - log(a / (rest * rest) + b) <=
            -mean + k * log(mean) - lgamma(k + 1))
            return k;
    }
}

double random_poisson(RandomSource *source, double mean)
{
    return mean == 0    ? 0
           : mean >= 10 ? poisson_rejection(source, mean)
                        : poisson_products(source, mean);
}

static double binomial_inversion(RandomSource *source, double n, double p)
{
    const double q = 1 - p, none = exp(n * log(q)), mean = n * p;
    const double far = mean + 10 * sqrt(mean * q + 1), bound = floor(n < far ? n : far);
    double x = 0, at = none, u = random_unit(source);
    while (u > at)
        if (++x > bound) {
            x = 0;
            at = none;
            u = random_unit(source);
        } else {
            u -= at;
            at = (n - x + 1) * p * at / (x * q);
        }
    return x;
}

/* What BTPE knows of n and p. */
typedef struct Binomial {
    double n, r, q, width, m;        /* `m`: the mode */
    double left, middle, right;      /* of the triangle */
    double c, left_rate, right_rate; /* of the parallelogram and of the tails */
    double areas[4];
} Binomial;

static Binomial binomial_of(double n, double r)
{
    Binomial b = { .n = n, .r = r, .q = 1 - r };
    const double mean = n * r + r;
    b.width = n * r * b.q;
    b.m = floor(mean);
    b.areas[0] = floor(2.195 * sqrt(b.width) - 4.6 * b.q) + 0.5;
    b.middle = b.m + 0.5;
    b.left = b.middle - b.areas[0];
    b.right = b.middle + b.areas[0];
    b.c = 0.134 + 20.5 / (15.3 + b.m);
    double a = (mean - b.left) / (mean - b.left * r);
    b.left_rate = a * (1 + a / 2);
    a = (b.right - mean) / (b.right * b.q);
    b.right_rate = a * (1 + a / 2);
    b.areas[1] = b.areas[0] * (1 + 2 * b.c);
    b.areas[2] = b.areas[1] + b.c / b.left_rate;
    b.areas[3] = b.areas[2] + b.c / b.right_rate;
    return b;
}

/* The rest of Stirling's series. */
static double stirling(double x)
{
    const double square = x * x;
    return (13680. - (462. - (132. - (99. - 140. / square) / square) / square) / square) / x /
           166320.;
}

/* Whether a count is taken at a height `v`. */
static bool binomial_takes(const Binomial *b, double y, double v)
{
    const double k = fabs(y - b->m), s = b->r / b->q, a = s * (b->n + 1);
    if (k <= 20 || k >= b->width / 2 - 1) {
        double f = 1;
        for (double i = b->m + 1; i <= y; i++)
            f *= a / i - s;
        for (double i = y + 1; i <= b->m; i++)
            f /= a / i - s;
        return v <= f;
    }
    const double rho =
        (k / b->width) * ((k * (k / 3 + 0.625) + 0.16666666666666666) / b->width + 0.5);
    const double t = -k * k / (2 * b->width), height = log(v);
    if (height < t - rho)
        return true;
    if (height > t + rho)
        return false;
    const double x = y + 1, f = b->m + 1, z = b->n + 1 - b->m, w = b->n - y + 1;
    return height <= b->middle * log(f / x) + (b->n - b->m + 0.5) * log(z / w) +
                         (y - b->m) * log(w * b->r / (x * b->q)) + stirling(f) + stirling(z) +
                         stirling(x) + stirling(w);
}

/* BTPE: a triangle, two parallelograms and two tails. */
static double binomial_rejection(RandomSource *source, double n, double r)
{
    const Binomial b = binomial_of(n, r);
    for (;;) {
        const double u = random_unit(source) * b.areas[3];
        double v = random_unit(source), y;
        if (u <= b.areas[0])
            return floor(b.middle - b.areas[0] * v + u);
        if (u <= b.areas[1]) {
            const double x = b.left + (u - b.areas[0]) / b.c;
            v = v * b.c + 1 - fabs(b.m - x + 0.5) / b.areas[0];
            y = floor(x);
            if (v > 1)
                continue;
        } else if (u <= b.areas[2]) {
            y = floor(b.left + log(v) / b.left_rate);
            if (y < 0 || v == 0)
                continue;
            v = v * (u - b.areas[1]) * b.left_rate;
        } else {
            y = floor(b.right - log(v) / b.right_rate);
            if (y > n || v == 0)
                continue;
            v = v * (u - b.areas[2]) * b.right_rate;
        }
        if (binomial_takes(&b, y, v))
            return y;
    }
}

double random_binomial(RandomSource *source, double n, double p)
{
    const double r = p <= 0.5 ? p : 1 - p;
    if (source->modern && (n == 0 || p == 0)) /* np.random draws for these, too */
        return 0;
    const double x = (r * n <= 30 ? binomial_inversion : binomial_rejection)(source, n, r);
    return p <= 0.5 ? x : n - x;
}

double random_geometric(RandomSource *source, double p)
{
    if (p < 1 / 3.0) /* NumPy's bound is 0.333333333333333333333333 */
        return source->modern ? ceil(-random_exponential(source) / log1p(-p))
                              : ceil(log(1 - random_unit(source)) / log(1 - p));
    const double u = random_unit(source), q = 1 - p;
    double x = 1, product = p, sum = p;
    while (u > sum) {
        product *= q;
        sum += product;
        x++;
    }
    return x;
}
