/* The loops of bench/kernels/<name>.k as one writes them in C with OpenMP, for `make bench-cpu`.
**
** Each function has its kernel's name and takes what the kernel takes: an array is a pointer and
** its extents. What anybody would do who cares for speed is done: private counts for each thread,
** sums in registers, products with the innermost loop along the rows of memory, transposes and
** tiled products in tiles. What takes an expert (vectors by hand, packing, prefetching) is not. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t N;

enum { TILE = 32 };

static N least(N a, N b)
{
    return a < b ? a : b;
}

/* ---- elementwise.k ------------------------------------------------------------------------- */

void inc(float *a, N n)
{
#pragma omp parallel for
    for (N i = 0; i < n; i++)
        a[i] += 1;
}

void mult(const float *restrict a, N n, const float *restrict b, N bn, float *restrict product)
{
    (void)bn;
#pragma omp parallel for
    for (N i = 0; i < n; i++)
        product[i] = a[i] * b[i];
}

void saxpy(float alpha, const float *restrict x, N n, float *restrict y)
{
#pragma omp parallel for
    for (N i = 0; i < n; i++)
        y[i] = alpha * x[i] + y[i];
}

void axpby(double alpha, const double *restrict x, N n, double beta, const double *restrict y, N yn,
           double *restrict z)
{
    (void)yn;
#pragma omp parallel for
    for (N i = 0; i < n; i++)
        z[i] = alpha * x[i] + beta * y[i];
}

void clip(const int16_t *restrict x, N n, int16_t low, int16_t high, int16_t *restrict clipped)
{
#pragma omp parallel for
    for (N i = 0; i < n; i++) {
        int16_t at_least = x[i] > low ? x[i] : low;
        clipped[i] = at_least < high ? at_least : high;
    }
}

void threshold(const uint8_t *restrict picture, N rows, N cols, N limit, uint8_t *restrict marked)
{
#pragma omp parallel for
    for (N i = 0; i < rows * cols; i++)
        marked[i] = picture[i] > limit ? 255 : 0;
}

typedef struct Complex {
    float re, im;
} Complex;

void multiply_complex(const Complex *restrict x, N n, const Complex *restrict y, N yn,
                      Complex *restrict z)
{
    (void)yn;
#pragma omp parallel for
    for (N i = 0; i < n; i++) {
        z[i].re = x[i].re * y[i].re - x[i].im * y[i].im;
        z[i].im = x[i].re * y[i].im + x[i].im * y[i].re;
    }
}

/* The arrays of this row are every other element. */
void scale_strided(const float *restrict x, N n, float factor, float *restrict y)
{
#pragma omp parallel for
    for (N i = 0; i < n; i++)
        y[2 * i] = x[2 * i] * factor;
}

void masked_update(float *restrict values, N rows, N cols, const uint8_t *restrict mask, N mrows,
                   N mcols, float factor)
{
    (void)mrows, (void)mcols;
#pragma omp parallel for
    for (N i = 0; i < rows * cols; i++)
        if (mask[i])
            values[i] *= factor;
}

void gather(const float *restrict source, N size, const int32_t *restrict where, N n,
            float *restrict found)
{
    (void)size;
#pragma omp parallel for
    for (N i = 0; i < n; i++)
        found[i] = source[where[i]];
}

void blend(const float *restrict a, N n, const float *restrict b, N bn, const float *restrict t,
           N tn, float *restrict mixed)
{
    (void)bn, (void)tn;
#pragma omp parallel for
    for (N i = 0; i < n; i++) {
        float s = t[i] > 0 ? t[i] : 0;
        s = s < 1 ? s : 1;
        s = s * s * (3 - 2 * s);
        mixed[i] = a[i] + (b[i] - a[i]) * s;
    }
}

/* ---- histograms.k -------------------------------------------------------------------------- */

void hist(const float *x, N n, float low, float high, int32_t *counts, N bins)
{
    const double width = (double)(high - low) / bins;
#pragma omp parallel
    {
        int32_t *mine = calloc(bins, sizeof *mine);
#pragma omp for nowait
        for (N i = 0; i < n; i++) {
            double bin = floor((x[i] - low) / width);
            if (bin >= 0 && bin < bins)
                mine[(N)bin]++;
        }
#pragma omp critical
        for (N k = 0; k < bins; k++)
            counts[k] += mine[k];
        free(mine);
    }
}

void hist2d(const float *x, N n, const float *y, N yn, float low, float high, int32_t *counts,
            N rows, N cols)
{
    (void)yn;
#pragma omp parallel
    {
        int32_t *mine = calloc(rows * cols, sizeof *mine);
#pragma omp for nowait
        for (N i = 0; i < n; i++) {
            double row = floor((double)((x[i] - low) / (high - low)) * rows);
            double col = floor((double)((y[i] - low) / (high - low)) * cols);
            if (row >= 0 && row < rows && col >= 0 && col < cols)
                mine[(N)row * cols + (N)col]++;
        }
#pragma omp critical
        for (N k = 0; k < rows * cols; k++)
            counts[k] += mine[k];
        free(mine);
    }
}

void byte_counts(const uint8_t *data, N n, int32_t *counts)
{
#pragma omp parallel
    {
        int32_t mine[256] = { 0 };
#pragma omp for nowait
        for (N i = 0; i < n; i++)
            mine[data[i]]++;
#pragma omp critical
        for (int k = 0; k < 256; k++)
            counts[k] += mine[k];
    }
}

void group_sums(const int32_t *group, N n, const float *weight, N wn, float *sums, N groups)
{
    (void)wn;
#pragma omp parallel
    {
        float *mine = calloc(groups, sizeof *mine);
#pragma omp for nowait
        for (N i = 0; i < n; i++)
            mine[group[i]] += weight[i];
#pragma omp critical
        for (N k = 0; k < groups; k++)
            sums[k] += mine[k];
        free(mine);
    }
}

void group_most(const uint16_t *group, N n, const int32_t *value, N vn, int32_t *most, N groups)
{
    (void)vn;
#pragma omp parallel
    {
        int32_t *mine = malloc(groups * sizeof *mine);
        memcpy(mine, most, groups * sizeof *mine);
#pragma omp for
        for (N i = 0; i < n; i++)
            if (value[i] > mine[group[i]])
                mine[group[i]] = value[i];
#pragma omp critical
        for (N k = 0; k < groups; k++)
            most[k] = mine[k] > most[k] ? mine[k] : most[k];
        free(mine);
    }
}

void count_above(const float *x, N n, float limit, int32_t *count)
{
    int32_t above = 0;
#pragma omp parallel for reduction(+ : above)
    for (N i = 0; i < n; i++)
        above += x[i] > limit;
    *count += above;
}

/* ---- stencils.k ---------------------------------------------------------------------------- */

void conv3(const float *restrict x, N xn, float *restrict mean, N n)
{
    (void)xn;
#pragma omp parallel for
    for (N i = 0; i < n; i++)
        mean[i] = (x[i] + x[i + 1] + x[i + 2]) / 3.;
}

void stencil5(const float *restrict now, N rows, N cols, float *restrict later)
{
#pragma omp parallel for
    for (N i = 1; i < rows - 1; i++)
        for (N j = 1; j < cols - 1; j++) {
            const float *at = &now[i * cols + j];
            float around = at[-cols] + at[cols] + at[-1] + at[1];
            later[i * cols + j] = *at + 0.2f * (around - 4.0f * *at);
        }
}

void stencil7(const double *restrict now, N n, N m, N l, double rate, double *restrict later)
{
#pragma omp parallel for
    for (N i = 1; i < n - 1; i++)
        for (N j = 1; j < m - 1; j++)
            for (N k = 1; k < l - 1; k++) {
                const double *at = &now[(i * m + j) * l + k];
                double total = at[-m * l] + at[m * l];
                total += at[-l] + at[l];
                total += at[-1] + at[1];
                later[(i * m + j) * l + k] = *at + rate * (total - 6. * *at);
            }
}

/* ---- reductions.k -------------------------------------------------------------------------- */

void tree_sum(const float *x, N n, float *total)
{
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (N i = 0; i < n; i++)
        sum += x[i];
    *total += sum;
}

void dot(const float *x, N n, const float *y, N yn, double *total)
{
    double sum = 0;
    (void)yn;
#pragma omp parallel for simd reduction(+ : sum)
    for (N i = 0; i < n; i++)
        sum += x[i] * y[i];
    *total += sum;
}

void row_sums(const float *a, N n, N m, float *sums)
{
#pragma omp parallel for
    for (N i = 0; i < n; i++) {
        float sum = sums[i];
#pragma omp simd reduction(+ : sum)
        for (N k = 0; k < m; k++)
            sum += a[i * m + k];
        sums[i] = sum;
    }
}

/* Column by column. */
void row_sums_F(const float *a, N n, N m, float *sums)
{
    enum { PIECE = 1024 };
#pragma omp parallel for
    for (N i = 0; i < n; i += PIECE)
        for (N k = 0; k < m; k++)
            for (N l = i; l < least(i + PIECE, n); l++)
                sums[l] += a[k * n + l];
}

void running_sums(const float *restrict a, N n, N m, float *restrict sums)
{
#pragma omp parallel for
    for (N i = 0; i < n; i++) {
        float so_far = 0;
        for (N k = 0; k < m; k++) {
            so_far += a[i * m + k];
            sums[i * m + k] = so_far;
        }
    }
}

void banded(const float *p, N m, const float *q, N n, float *restrict r, N rn)
{
#pragma omp parallel for schedule(dynamic, 64)
    for (N i = 0; i < rn; i++) {
        const N first = i < m ? 0 : i - m + 1, end = least(i + 1, n);
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (N j = first; j < end; j++)
            sum += p[i - j] * q[j];
        r[i] = sum;
    }
}

/* ---- matrices.k ---------------------------------------------------------------------------- */

void matmul_memory(const float *restrict a, N n, N depth, const float *restrict b, N bn, N m,
                   float *restrict out)
{
    (void)bn;
#pragma omp parallel for
    for (N i = 0; i < n; i++)
        for (N k = 0; k < depth; k++)
            for (N j = 0; j < m; j++)
                out[i * m + j] += a[i * depth + k] * b[k * m + j];
}

/* The sums are float64, as the kernel has them. */
void matmul_naive(const float *restrict a, N n, N depth, const float *restrict b, N bn, N m,
                  float *restrict c)
{
    (void)bn;
#pragma omp parallel
    {
        double *sums = malloc(m * sizeof *sums);
#pragma omp for
        for (N i = 0; i < n; i++) {
            memset(sums, 0, m * sizeof *sums);
            for (N k = 0; k < depth; k++)
                for (N j = 0; j < m; j++)
                    sums[j] += a[i * depth + k] * b[k * m + j];
            for (N j = 0; j < m; j++)
                c[i * m + j] = sums[j];
        }
        free(sums);
    }
}

void matmul_naive_double(const double *restrict a, N n, N depth, const double *restrict b, N bn,
                         N m, double *restrict c)
{
    (void)bn;
#pragma omp parallel for
    for (N i = 0; i < n; i++) {
        memset(&c[i * m], 0, m * sizeof *c);
        for (N k = 0; k < depth; k++)
            for (N j = 0; j < m; j++)
                c[i * m + j] += a[i * depth + k] * b[k * m + j];
    }
}

/* Tiles of both operands stay in the cache, sums of a row of a tile in registers. */
void matmul_shared(const float *restrict a, N n, N depth, const float *restrict b, N bn, N m,
                   float *restrict c)
{
    enum { ROWS = 64, COLS = 256, DEEP = 64 };
    (void)bn;
#pragma omp parallel for collapse(2)
    for (N top = 0; top < n; top += ROWS)
        for (N left = 0; left < m; left += COLS) {
            const N bottom = least(top + ROWS, n), right = least(left + COLS, m);
            for (N i = top; i < bottom; i++)
                memset(&c[i * m + left], 0, (right - left) * sizeof *c);
            for (N from = 0; from < depth; from += DEEP)
                for (N i = top; i < bottom; i++)
                    for (N k = from; k < least(from + DEEP, depth); k++)
                        for (N j = left; j < right; j++)
                            c[i * m + j] += a[i * depth + k] * b[k * m + j];
        }
}

void transpose_naive(const float *restrict a, N n, N m, float *restrict turned)
{
#pragma omp parallel for
    for (N i = 0; i < n; i++)
        for (N j = 0; j < m; j++)
            turned[j * n + i] = a[i * m + j];
}

void transpose_indexed(const float *restrict a, N n, N m, float *restrict turned)
{
#pragma omp parallel for
    for (N j = 0; j < m; j++)
        for (N i = 0; i < n; i++)
            turned[j * n + i] = a[i * m + j];
}

void transpose_shared(const float *restrict a, N n, N m, float *restrict turned)
{
#pragma omp parallel for collapse(2)
    for (N top = 0; top < n; top += TILE)
        for (N left = 0; left < m; left += TILE)
            for (N j = left; j < least(left + TILE, m); j++)
                for (N i = top; i < least(top + TILE, n); i++)
                    turned[j * n + i] = a[i * m + j];
}

void matvec(const float *restrict a, N n, N m, const float *restrict x, N xn, float *restrict y)
{
    (void)xn;
#pragma omp parallel for
    for (N i = 0; i < n; i++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (N k = 0; k < m; k++)
            sum += a[i * m + k] * x[k];
        y[i] = sum;
    }
}

void matmul_batched(const float *restrict a, N s, N n, N depth, const float *restrict b, N bs, N bn,
                    N m, float *restrict c)
{
    (void)bs, (void)bn;
#pragma omp parallel for
    for (N l = 0; l < s; l++)
        for (N i = 0; i < n; i++) {
            float *row = &c[(l * n + i) * m];
            memset(row, 0, m * sizeof *row);
            for (N k = 0; k < depth; k++)
                for (N j = 0; j < m; j++)
                    row[j] += a[(l * n + i) * depth + k] * b[(l * depth + k) * m + j];
        }
}

void distances(const float *restrict a, N rows, N depth, const float *restrict b, N cols, N bd,
               float *restrict apart)
{
    (void)bd;
#pragma omp parallel for
    for (N i = 0; i < rows; i++)
        for (N j = 0; j < cols; j++) {
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (N k = 0; k < depth; k++) {
                float step = a[i * depth + k] - b[j * depth + k];
                sum += step * step;
            }
            apart[i * cols + j] = sqrtf(sum);
        }
}

void add_transposed(const double *restrict a, N n, N m, const double *restrict b, N rows, N cols,
                    double *restrict out)
{
    (void)n, (void)m;
#pragma omp parallel for collapse(2)
    for (N top = 0; top < rows; top += TILE)
        for (N left = 0; left < cols; left += TILE)
            for (N i = top; i < least(top + TILE, rows); i++)
                for (N j = left; j < least(left + TILE, cols); j++)
                    out[i * cols + j] = a[j * rows + i] + b[i * cols + j];
}

void permute(const uint16_t *restrict a, N n, N m, N l, uint16_t *restrict out)
{
#pragma omp parallel for
    for (N k = 0; k < l; k++)
        for (N j = 0; j < m; j++)
            for (N i = 0; i < n; i++)
                out[(k * m + j) * n + i] = a[(i * m + j) * l + k];
}
