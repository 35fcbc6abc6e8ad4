/* The kernels of bench/kernels/<name>.k in OpenCL C, word for word, for `make bench-cpu`: an array is
** a pointer and its extents. Arrays overlap no others, which CUDA's arguments don't say either. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define READ __global const
#define WRITE __global
#define GRID(axis) ((long)get_global_id(axis))
#define GRIDSIZE ((long)get_global_size(0))

__kernel void inc(WRITE float *a, long n)
{
    long i = GRID(0);
    if (i < n)
        a[i] += 1;
}

__kernel void mult(READ float *restrict a, long n, READ float *restrict b, long bn,
                   WRITE float *restrict product, long pn)
{
    for (long i = GRID(0); i < n; i += GRIDSIZE)
        product[i] = a[i] * b[i];
}

__kernel void saxpy(float alpha, READ float *restrict x, long n, WRITE float *restrict y, long yn)
{
    long i = GRID(0);
    if (i >= n)
        return;
    y[i] = alpha * x[i] + y[i];
}

__kernel void axpby(double alpha, READ double *restrict x, long n, double beta,
                    READ double *restrict y, long yn, WRITE double *restrict z, long zn)
{
    for (long i = GRID(0); i < zn; i += GRIDSIZE)
        z[i] = alpha * x[i] + beta * y[i];
}

__kernel void clip(READ short *restrict x, long n, short low, short high,
                   WRITE short *restrict clipped, long cn)
{
    long i = GRID(0);
    if (i < n)
        clipped[i] = min(max(x[i], low), high);
}

__kernel void threshold(READ uchar *restrict picture, long rows, long cols, long limit,
                        WRITE uchar *restrict marked, long mr, long mc)
{
    long row = GRID(0), col = GRID(1);
    if (row < rows && col < cols)
        marked[row * cols + col] = picture[row * cols + col] > limit ? 255 : 0;
}

__kernel void multiply_complex(READ float2 *restrict x, long n, READ float2 *restrict y, long yn,
                               WRITE float2 *restrict z, long zn)
{
    for (long i = GRID(0); i < n; i += GRIDSIZE)
        z[i] = (float2)(x[i].x * y[i].x - x[i].y * y[i].y, x[i].x * y[i].y + x[i].y * y[i].x);
}

/* The arrays of this row are every other element. */
__kernel void scale_strided(READ float *restrict x, long n, float factor, WRITE float *restrict y,
                            long yn)
{
    long i = GRID(0);
    if (i < n)
        y[2 * i] = x[2 * i] * factor;
}

__kernel void masked_update(WRITE float *restrict values, long rows, long cols,
                            READ uchar *restrict mask, long mr, long mc, float factor)
{
    long row = GRID(0), col = GRID(1);
    if (row < rows && col < cols)
        if (mask[row * cols + col])
            values[row * cols + col] *= factor;
}

__kernel void gather(READ float *restrict source, long size, READ int *restrict where, long n,
                     WRITE float *restrict found, long fn)
{
    for (long i = GRID(0); i < n; i += GRIDSIZE)
        found[i] = source[where[i]];
}

__kernel void blend(READ float *restrict a, long n, READ float *restrict b, long bn,
                    READ float *restrict t, long tn, WRITE float *restrict mixed, long mn)
{
    long i = GRID(0);
    if (i < n) {
        float s = min(max(t[i], 0.0f), 1.0f);
        s = s * s * (3.0f - 2.0f * s);
        mixed[i] = a[i] + (b[i] - a[i]) * s;
    }
}

__kernel void hist(READ float *x, long n, float low, float high, WRITE int *counts, long bins)
{
    const double width = (double)(high - low) / bins;
    for (long i = GRID(0); i < n; i += GRIDSIZE) {
        double bin = floor((x[i] - low) / width);
        if (bin >= 0 && bin < bins)
            atomic_inc(&counts[(long)bin]);
    }
}

__kernel void hist2d(READ float *x, long n, READ float *y, long yn, float low, float high,
                     WRITE int *counts, long rows, long cols)
{
    for (long i = GRID(0); i < n; i += GRIDSIZE) {
        double row = floor((double)((x[i] - low) / (high - low)) * rows);
        double col = floor((double)((y[i] - low) / (high - low)) * cols);
        if (0 <= row && row < rows && 0 <= col && col < cols)
            atomic_inc(&counts[(long)row * cols + (long)col]);
    }
}

__kernel void byte_counts(READ uchar *data, long n, WRITE int *counts, long cn)
{
    long i = GRID(0);
    if (i >= n)
        return;
    atomic_inc(&counts[data[i]]);
}

__kernel void group_sums(READ int *group, long n, READ float *weight, long wn, WRITE float *sums,
                         long groups)
{
    for (long i = GRID(0); i < n; i += GRIDSIZE) {
        volatile WRITE int *place = (volatile WRITE int *)&sums[group[i]];
        int old = *place, seen;
        while ((seen = atomic_cmpxchg(place, old, as_int(as_float(old) + weight[i]))) != old)
            old = seen;
    }
}

__kernel void group_most(READ ushort *group, long n, READ int *value, long vn, WRITE int *most,
                         long groups)
{
    long i = GRID(0);
    if (i < n)
        atomic_max(&most[group[i]], value[i]);
}

__kernel void count_above(READ float *x, long n, float limit, WRITE int *count, long cn)
{
    long i = GRID(0);
    if (i >= n || x[i] <= limit)
        return;
    atomic_inc(count);
}

__kernel void conv3(READ float *restrict x, long xn, WRITE float *restrict mean, long n)
{
    long i = GRID(0);
    if (i < n)
        mean[i] = (x[i] + x[i + 1] + x[i + 2]) / 3.;
}

__kernel void stencil5(READ float *restrict now, long rows, long cols, WRITE float *restrict later,
                       long lr, long lc)
{
    long i = GRID(0), j = GRID(1);
    if (i < 1 || j < 1 || i >= rows - 1 || j >= cols - 1)
        return;
    READ float *at = &now[i * cols + j];
    float around = at[-cols] + at[cols] + at[-1] + at[1];
    later[i * cols + j] = *at + 0.2f * (around - 4.0f * *at);
}

__kernel void stencil7(READ double *restrict now, long n, long m, long l, double rate,
                       WRITE double *restrict later, long ln, long lm, long ll)
{
    long i = GRID(0), j = GRID(1), k = GRID(2);
    if (0 < i && i < n - 1 && 0 < j && j < m - 1 && 0 < k && k < l - 1) {
        READ double *at = &now[(i * m + j) * l + k];
        double total = at[-m * l] + at[m * l];
        total += at[-l] + at[l];
        total += at[-1] + at[1];
        later[(i * m + j) * l + k] = *at + rate * (total - 6. * *at);
    }
}

static void add_float(volatile WRITE float *sum, float value)
{
    volatile WRITE int *place = (volatile WRITE int *)sum;
    int old = *place, seen;
    while ((seen = atomic_cmpxchg(place, old, as_int(as_float(old) + value))) != old)
        old = seen;
}

__kernel void tree_sum(READ float *x, long n, WRITE float *total, long tn)
{
    __local float part[256];
    int t = get_local_id(0);
    float mine = 0;
    for (long i = GRID(0); i < n; i += GRIDSIZE)
        mine += x[i];
    part[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int fold = 128; fold > 0; fold /= 2) {
        if (t < fold)
            part[t] += part[t + fold];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        add_float(total, part[0]);
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
/* Not "dot", which is a function of OpenCL's. */
__kernel void dot_(READ float *x, long n, READ float *y, long yn, WRITE double *total, long tn)
{
    double mine = 0.0;
    for (long i = GRID(0); i < n; i += GRIDSIZE)
        mine += x[i] * y[i];
    volatile WRITE long *place = (volatile WRITE long *)total;
    long old = *place, seen;
    while ((seen = atom_cmpxchg(place, old, as_long(as_double(old) + mine))) != old)
        old = seen;
}

__kernel void row_sums(READ float *restrict a, long n, long m, WRITE float *restrict sums, long sn)
{
    long i = GRID(0);
    if (i < n)
        for (long k = 0; k < m; k++)
            sums[i] += a[i * m + k];
}

__kernel void row_sums_F(READ float *restrict a, long n, long m, WRITE float *restrict sums,
                         long sn)
{
    long i = GRID(0);
    if (i < n)
        for (long k = 0; k < m; k++)
            sums[i] += a[k * n + i];
}

__kernel void running_sums(READ float *restrict a, long n, long m, WRITE float *restrict sums,
                           long sn, long sm)
{
    long i = GRID(0);
    if (i < n) {
        float so_far = 0;
        for (long k = 0; k < m; k++) {
            so_far += a[i * m + k];
            sums[i * m + k] = so_far;
        }
    }
}

__kernel void banded(READ float *restrict p, long m, READ float *restrict q, long n,
                     WRITE float *restrict r, long rn)
{
    long i = GRID(0);
    if (i < rn) {
        float sum = 0;
        for (long j = 0; j < n; j++)
            if (0 <= i - j && i - j < m)
                sum += p[i - j] * q[j];
        r[i] = sum;
    }
}

__kernel void matmul_memory(READ float *restrict a, long n, long depth, READ float *restrict b,
                            long bn, long m, WRITE float *restrict out, long on, long om)
{
    long i = GRID(0), j = GRID(1);
    if (i < n && j < m)
        for (long k = 0; k < depth; k++)
            out[i * m + j] += a[i * depth + k] * b[k * m + j];
}

__kernel void matmul_naive(READ float *restrict a, long n, long depth, READ float *restrict b,
                           long bn, long m, WRITE float *restrict c, long cn, long cm)
{
    long i = GRID(0), j = GRID(1);
    if (i < n && j < m) {
        double sum = 0.;
        for (long k = 0; k < depth; k++)
            sum += a[i * depth + k] * b[k * m + j];
        c[i * m + j] = sum;
    }
}

__kernel void matmul_naive_double(READ double *restrict a, long n, long depth,
                                  READ double *restrict b, long bn, long m,
                                  WRITE double *restrict c, long cn, long cm)
{
    long i = GRID(0), j = GRID(1);
    if (i < n && j < m) {
        double sum = 0.;
        for (long k = 0; k < depth; k++)
            sum += a[i * depth + k] * b[k * m + j];
        c[i * m + j] = sum;
    }
}

__kernel void matmul_shared(READ float *restrict a, long n, long depth, READ float *restrict b,
                            long bn, long m, WRITE float *restrict c, long cn, long cm)
{
    __local float near_a[16][16], near_b[16][16];
    long col = GRID(0), row = GRID(1);
    int x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    for (long step = 0; step < (depth + 15) / 16; step++) {
        near_a[y][x] = row < n && x + step * 16 < depth ? a[row * depth + x + step * 16] : 0;
        near_b[y][x] = col < m && y + step * 16 < depth ? b[(y + step * 16) * m + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum += near_a[y][k] * near_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && col < m)
        c[row * m + col] = sum;
}

__kernel void transpose_naive(READ float *restrict a, long n, long m, WRITE float *restrict turned,
                              long tn, long tm)
{
    long col = GRID(0), row = GRID(1);
    if (row < n && col < m)
        turned[col * n + row] = a[row * m + col];
}

__kernel void transpose_indexed(READ float *restrict a, long n, long m,
                                WRITE float *restrict turned, long tn, long tm)
{
    long i = GRID(0), j = GRID(1);
    if (i < n && j < m)
        turned[j * n + i] = a[i * m + j];
}

__kernel void transpose_shared(READ float *restrict a, long n, long m,
                               WRITE float *restrict turned, long tn, long tm)
{
    __local float tile[32][33];
    int x = get_local_id(0), y = get_local_id(1);
    long left = get_group_id(0) * 32, top = get_group_id(1) * 32;
    if (top + y < n && left + x < m)
        tile[y][x] = a[(top + y) * m + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (left + y < m && top + x < n)
        turned[(left + y) * n + top + x] = tile[x][y];
}

__kernel void matvec(READ float *restrict a, long n, long m, READ float *restrict x, long xn,
                     WRITE float *restrict y, long yn)
{
    long i = GRID(0);
    if (i < n) {
        float sum = 0;
        for (long k = 0; k < m; k++)
            sum += a[i * m + k] * x[k];
        y[i] = sum;
    }
}

__kernel void matmul_batched(READ float *restrict a, long s, long n, long depth,
                             READ float *restrict b, long bs, long bn, long m,
                             WRITE float *restrict c, long cs, long cn, long cm)
{
    long l = GRID(0), i = GRID(1), j = GRID(2);
    if (l < s && i < n && j < m) {
        float sum = 0;
        for (long k = 0; k < depth; k++)
            sum += a[(l * n + i) * depth + k] * b[(l * depth + k) * m + j];
        c[(l * n + i) * m + j] = sum;
    }
}

__kernel void distances(READ float *restrict a, long rows, long depth, READ float *restrict b,
                        long cols, long bd, WRITE float *restrict apart, long ar, long ac)
{
    long i = GRID(0), j = GRID(1);
    if (i >= rows || j >= cols)
        return;
    float sum = 0;
    for (long k = 0; k < depth; k++) {
        float step = a[i * depth + k] - b[j * depth + k];
        sum += step * step;
    }
    apart[i * cols + j] = sqrt(sum);
}

__kernel void add_transposed(READ double *restrict a, long n, long m, READ double *restrict b,
                             long rows, long cols, WRITE double *restrict out, long on, long om)
{
    long i = GRID(0), j = GRID(1);
    if (i < rows && j < cols)
        out[i * cols + j] = a[j * rows + i] + b[i * cols + j];
}

__kernel void permute(READ ushort *restrict a, long n, long m, long l, WRITE ushort *restrict out,
                      long on, long om, long ol)
{
    long i = GRID(0), j = GRID(1), k = GRID(2);
    if (i < n && j < m && k < l)
        out[(k * m + j) * n + i] = a[(i * m + j) * l + k];
}
