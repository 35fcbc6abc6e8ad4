/* Medians, how well they are known, and whether two differ.
**
** Times of launches are skewed, with a tail of slow ones: what is used here assumes no normal
** distribution. Sources: W. J. Conover, "Practical Nonparametric Statistics", 3rd edition, 3.2 (the
** interval of a quantile) and 5.1 (the Mann-Whitney test, with its correction for ties); H. B. Mann
** and D. R. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger
** than the Other", 1947 (the recurrence of the exact distribution). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/measure/measure.h"
#include "cli/measure/memory.h"

int statistics_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double *sorted_copy(const double *values, size_t count)
{
    double *sorted = must_alloc(count * sizeof *sorted);

    if (count)
        memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, statistics_compare);
    return sorted;
}

double statistics_median(const double *values, size_t count)
{
    if (!count)
        return 0;
    double *sorted = sorted_copy(values, count);
    double median =
        count % 2 ? sorted[count / 2] : sorted[count / 2 - 1] / 2 + sorted[count / 2] / 2;
    free(sorted);
    return median;
}

/* ---- the interval of the median ------------------------------------------------------------- */

/* The probability that of n fair coins k show heads. */
static double binomial_half(size_t n, size_t k)
{
    double ways = lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);

    return exp(ways - (double)n * log(2));
}

/* How many of the least values, and of the largest, lie outside of the interval: the most for which
** either side has a probability of at most 2.5 %. `*tail` is what it has. */
static size_t left_out(size_t n, double *tail)
{
    static const double side = 0.025;
    /* Ten standard deviations from the middle nothing is left to add. */
    double start = (double)n / 2 - 5 * sqrt((double)n) - 1;
    size_t k = start > 0 ? (size_t)start : 0;
    double below = 0;

    for (;; k++) {
        double more = below + binomial_half(n, k);
        if (more > side || k >= n / 2)
            break;
        below = more;
    }
    *tail = below;
    return k;
}

void statistics_interval(const double *values, size_t count, double *low, double *high,
                         double *confidence)
{
    double tail;

    *low = *high = 0;
    if (confidence)
        *confidence = 0;
    if (!count)
        return;
    double *sorted = sorted_copy(values, count);
    size_t outside = left_out(count, &tail);
    if (!outside) {
        outside = 1;
        tail = binomial_half(count, 0);
    }
    *low = sorted[outside - 1];
    *high = sorted[count - outside];
    if (confidence)
        *confidence = count == 1 ? 0 : 1 - 2 * tail;
    free(sorted);
}

/* ---- two samples ---------------------------------------------------------------------------- */

enum { EXACT_MOST = 20 };

typedef struct Ranked {
    double value;
    bool first; /* of the first sample */
} Ranked;

static int by_ranked(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;

    return statistics_compare(&x->value, &y->value);
}

/* The sum of the first sample's ranks, equal values sharing theirs; `*ties` is the sum of t^3 - t
** over groups of t equal values. */
static double rank_sum(const double *a, size_t a_count, const double *b, size_t b_count,
                       double *ties)
{
    size_t count = a_count + b_count;
    Ranked *all = must_alloc(count * sizeof *all);
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        all[i] = i < a_count ? (Ranked){ a[i], true } : (Ranked){ b[i - a_count], false };
    qsort(all, count, sizeof *all, by_ranked);
    *ties = 0;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && all[end].value == all[i].value;)
            end++;
        double equal = (double)(end - i), rank = (double)(i + 1 + end) / 2;
        *ties += equal * equal * equal - equal;
        for (size_t k = i; k < end; k++)
            sum += all[k].first ? rank : 0;
    }
    free(all);
    return sum;
}

/* The probability that U is at most `u`. In how many ways n and m values without ties give U = u
** follows from whether the largest value is of the first sample: w(u, n, m) = w(u - m, n - 1, m) +
** w(u, n, m - 1). */
static double exact_at_most(size_t u, size_t n, size_t m)
{
    size_t width = n * m + 1;
    double *ways = must_alloc((n + 1) * width * sizeof *ways), sum = 0, all = 0;

    for (size_t i = 0; i <= n; i++)
        ways[i * width] = 1; /* of no second values */
    for (size_t k = 1; k <= m; k++) {
        for (size_t i = 1; i <= n; i++) {
            for (size_t at = k; at < width; at++)
                ways[i * width + at] += ways[(i - 1) * width + at - k];
        }
    }
    for (size_t at = 0; at < width; at++) {
        all += ways[n * width + at];
        sum += at <= u ? ways[n * width + at] : 0;
    }
    free(ways);
    return sum / all;
}

static double normal_p(double u, double n, double m, double ties)
{
    double count = n + m, mean = n * m / 2;
    double variance = n * m / 12 * (count + 1 - ties / (count * (count - 1)));

    if (variance <= 0)
        return 1; /* all are equal */
    double z = (fabs(u - mean) - 0.5) / sqrt(variance), p = erfc(z / sqrt(2));
    return p > 1 ? 1 : p;
}

double statistics_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count)
{
    double ties, n = (double)a_count, m = (double)b_count;

    if (!a_count || !b_count)
        return 1;
    double u = rank_sum(a, a_count, b, b_count, &ties) - n * (n + 1) / 2;
    if (ties > 0 || a_count > EXACT_MOST || b_count > EXACT_MOST)
        return normal_p(u, n, m, ties);
    double less = u < n * m - u ? u : n * m - u,
           p = 2 * exact_at_most((size_t)less, a_count, b_count);
    return p > 1 ? 1 : p;
}
