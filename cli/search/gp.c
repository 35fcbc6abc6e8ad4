/* The covariance is Matern's of smoothness 5/2, with a length scale for each coordinate, plus a
** linear one: few points suffice to learn "more of this is better", which decides in spaces of
** twenty configurations, and it extrapolates. Lengths, trend and noise maximise the likelihood over
** a few choices each, with a prior that keeps them moderate while there are few points. */
#include "cli/search/gp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double length_choices[] = { 0.25, 0.5, 1, 2, 4 };
static const double trend_choices[] = { 0, 0.5, 2, 8 };
static const double noise_choices[] = { 1e-6, 1e-3, 3e-2 };
enum {
    LENGTHS = sizeof length_choices / sizeof length_choices[0],
    TRENDS = sizeof trend_choices / sizeof trend_choices[0],
    NOISES = sizeof noise_choices / sizeof noise_choices[0]
};

bool gp_new(Gp *gp, size_t dims, size_t room)
{
    *gp = (Gp){ .dims = dims, .trend = 2, .noise = 1e-3, .scale = 1 };
    gp->x = malloc((room * dims + 1) * sizeof *gp->x);
    gp->lengths = malloc((dims + 1) * sizeof *gp->lengths);
    gp->chol = malloc((room * room + 1) * sizeof *gp->chol);
    gp->weights = malloc((room + 1) * sizeof *gp->weights);
    gp->row = malloc((room + 1) * sizeof *gp->row);
    for (size_t i = 0; gp->lengths && i < dims; i++)
        gp->lengths[i] = 1;
    return gp->x && gp->lengths && gp->chol && gp->weights && gp->row;
}

void gp_free(Gp *gp)
{
    free(gp->x);
    free(gp->lengths);
    free(gp->chol);
    free(gp->weights);
    free(gp->row);
    *gp = (Gp){ 0 };
}

void gp_settle(Gp *gp, double mean, double deviation)
{
    gp->mean = mean;
    gp->size = deviation;
    gp->settled = true;
}

static double covariance(const Gp *gp, const double *a, const double *b)
{
    double squares = 0, plane = 0;
    for (size_t i = 0; i < gp->dims; i++) {
        double apart = (a[i] - b[i]) / gp->lengths[i];
        squares += apart * apart;
        plane += (a[i] - 0.5) * (b[i] - 0.5);
    }
    double r = sqrt(5 * squares);
    return (1 + r + r * r / 3) * exp(-r) + gp->trend * plane;
}

/* Cholesky factorisation in place, lower triangle; false if rounding makes the matrix
** indefinite. */
static bool factor(Gp *gp)
{
    size_t n = gp->count;
    double *l = gp->chol;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            l[i * n + j] = covariance(gp, gp->x + i * gp->dims, gp->x + j * gp->dims) +
                           (i == j ? gp->noise + 1e-9 : 0);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = l[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= l[i * n + k] * l[j * n + k];
            if (i == j && !(sum > 0))
                return false;
            l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
        }
    }
    return true;
}

/* L z = y, in place. */
static void solve_lower(const Gp *gp, double *y)
{
    size_t n = gp->count;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            y[i] -= gp->chol[i * n + k] * y[k];
        y[i] /= gp->chol[i * n + i];
    }
}

/* L' z = y, in place. */
static void solve_upper(const Gp *gp, double *y)
{
    size_t n = gp->count;
    for (size_t i = n; i-- > 0;) {
        y[i] /= gp->chol[i * n + i];
        for (size_t k = 0; k < i; k++)
            y[k] -= gp->chol[i * n + k] * y[i];
    }
}

/* The log likelihood, up to a constant, of the values with the present lengths, trend and noise;
** leaves factor and weights for them. The variance is the likeliest under an inverse gamma prior
** near 1, the variance of normalised values. */
static double likelihood(Gp *gp, const double *y)
{
    size_t n = gp->count;
    if (!factor(gp))
        return (double)-INFINITY;
    double squares = 0, determinant = 0, prior = 0;
    memcpy(gp->weights, y, n * sizeof *y);
    solve_lower(gp, gp->weights);
    for (size_t i = 0; i < n; i++) {
        squares += gp->weights[i] * gp->weights[i];
        determinant += log(gp->chol[i * n + i]);
    }
    solve_upper(gp, gp->weights);
    gp->scale = (2 + squares) / (2 + (double)n);
    for (size_t i = 0; i < gp->dims; i++) {
        double twofold = log2(gp->lengths[i]);
        prior += twofold * twofold / 4;
    }
    return -((double)n + 2) / 2 * log(gp->scale) - determinant - prior;
}

/* Sets one setting to its likeliest choice. */
static void choose(Gp *gp, const double *y, double *setting, const double *choices, size_t count,
                   double *best)
{
    double kept = *setting;
    for (size_t i = 0; i < count; i++) {
        *setting = choices[i];
        double likely = choices[i] == kept ? (double)-INFINITY : likelihood(gp, y);
        if (likely > *best) {
            *best = likely;
            kept = choices[i];
        }
    }
    *setting = kept;
}

/* All lengths together, then the trend and the noise, then each length by itself. */
static void choose_all(Gp *gp, const double *y)
{
    double best = (double)-INFINITY, kept = 1;
    for (size_t i = 0; i < LENGTHS; i++) {
        for (size_t d = 0; d < gp->dims; d++)
            gp->lengths[d] = length_choices[i];
        double likely = likelihood(gp, y);
        if (likely > best) {
            best = likely;
            kept = length_choices[i];
        }
    }
    for (size_t d = 0; d < gp->dims; d++)
        gp->lengths[d] = kept;
    choose(gp, y, &gp->trend, trend_choices, TRENDS, &best);
    choose(gp, y, &gp->noise, noise_choices, NOISES, &best);
    for (size_t d = 0; d < gp->dims && gp->count > gp->dims; d++)
        choose(gp, y, &gp->lengths[d], length_choices, LENGTHS, &best);
}

static void take_mean_and_size(Gp *gp, const double *y)
{
    double n = (double)gp->count, sum = 0, squares = 0;
    for (size_t i = 0; i < gp->count; i++)
        sum += y[i];
    gp->mean = sum / n;
    for (size_t i = 0; i < gp->count; i++)
        squares += (y[i] - gp->mean) * (y[i] - gp->mean);
    gp->size = sqrt(squares / n);
    if (!(gp->size > 0))
        gp->size = 1;
}

/* Normalises values to mean 0 and variance 1. */
static void norm(Gp *gp, const double *y, double *normed)
{
    if (!gp->settled)
        take_mean_and_size(gp, y);
    for (size_t i = 0; i < gp->count; i++)
        normed[i] = (y[i] - gp->mean) / gp->size;
}

bool gp_learn(Gp *gp, const double *x, const double *y, size_t count, bool tune)
{
    double *normed = malloc(count * sizeof *normed);
    if (!normed)
        return false;
    gp->count = count;
    if (gp->dims > 0)
        memcpy(gp->x, x, count * gp->dims * sizeof *x);
    norm(gp, y, normed);
    if (tune)
        choose_all(gp, normed);
    /* Enough noise makes any covariance positive definite. */
    while (!isfinite(likelihood(gp, normed)) && gp->noise < 1e3)
        gp->noise = gp->noise * 10 + 1e-6;
    free(normed);
    if (gp->settled)
        gp->scale = 1;
    return true;
}

void gp_predict(Gp *gp, const double *x, double *mean, double *deviation)
{
    double expected = 0, left = covariance(gp, x, x);
    for (size_t i = 0; i < gp->count; i++) {
        gp->row[i] = covariance(gp, gp->x + i * gp->dims, x);
        expected += gp->row[i] * gp->weights[i];
    }
    solve_lower(gp, gp->row);
    for (size_t i = 0; i < gp->count; i++)
        left -= gp->row[i] * gp->row[i];
    *mean = gp->mean + gp->size * expected;
    *deviation = gp->size * sqrt(left > 0 ? left * gp->scale : 0);
}
