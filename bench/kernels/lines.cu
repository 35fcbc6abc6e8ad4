// The kernels of lines.k as plain CUDA C, as plain.cu has those of the first two sets.

extern "C" {

#define X (threadIdx.x + blockIdx.x * blockDim.x)

__global__ void softmax(const float *__restrict__ x, float *out, int rows, int n)
{
    int i = X;
    if (i >= rows)
        return;
    float most = x[i * n], total = 0;
    for (int k = 1; k < n; k++)
        most = fmaxf(most, x[i * n + k]);
    for (int k = 0; k < n; k++)
        total += expf(x[i * n + k] - most);
    for (int k = 0; k < n; k++)
        out[i * n + k] = expf(x[i * n + k] - most) / total;
}

__global__ void layer_norm(const float *__restrict__ x, const float *__restrict__ gain,
                           const float *__restrict__ offset, float *out, int rows, int n,
                           float small)
{
    int row = X;
    if (row >= rows)
        return;
    int base = row * n;
    float total = 0;
    for (int k = 0; k < n; k++)
        total += x[base + k];
    float mean = total / n;
    total = 0;
    for (int k = 0; k < n; k++)
        total += (x[base + k] - mean) * (x[base + k] - mean);
    float scale = 1.0f / sqrtf(total / n + small);
    for (int k = 0; k < n; k++)
        out[base + k] = (x[base + k] - mean) * scale * gain[k] + offset[k];
}

__global__ void row_variance(const float *__restrict__ a, double *variance, int rows, int cols)
{
    int i = X;
    if (i < rows) {
        double mean = 0, total = 0;
        for (int k = 0; k < cols; k++)
            mean += a[i * cols + k];
        mean /= cols;
        for (int k = 0; k < cols; k++)
            total += (a[i * cols + k] - mean) * (a[i * cols + k] - mean);
        variance[i] = total / (cols - 1);
    }
}

__global__ void row_norms(const float *__restrict__ a, double *norms, int rows, int cols)
{
    int i = X;
    if (i >= rows)
        return;
    double total = 0;
    for (int k = 0; k < cols; k++)
        total += a[i * cols + k] * a[i * cols + k];
    norms[i] = sqrt(total);
}

__global__ void prefix_rows(int *a, int rows, int cols)
{
    int i = X;
    if (i < rows)
        for (int k = 1; k < cols; k++)
            a[i * cols + k] += a[i * cols + k - 1];
}

__global__ void prefix_columns(float *a, int rows, int cols)
{
    int x = X;
    if (x < cols)
        for (int y = 1; y < rows; y++)
            a[y * cols + x] += a[(y - 1) * cols + x];
}

__global__ void csr_product(const int *__restrict__ start, const int *__restrict__ column,
                            const float *__restrict__ value, const float *__restrict__ x, float *y,
                            int rows)
{
    int i = X;
    if (i < rows) {
        float total = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            total += value[k] * x[column[k]];
        y[i] = total;
    }
}

__global__ void csr_normalise(const int *__restrict__ start, float *value, int rows)
{
    int i = X;
    if (i >= rows)
        return;
    int first = start[i], end = start[i + 1];
    double total = 0;
    for (int k = first; k < end; k++)
        total += value[k];
    if (total > 0)
        for (int k = first; k < end; k++)
            value[k] /= total;
}

__global__ void column_stats(const float *__restrict__ a, double *mean, double *deviation, int n,
                             int cols)
{
    int j = X;
    if (j < cols) {
        double total = 0, squares = 0;
        for (int i = 0; i < n; i++) {
            total += a[i * cols + j];
            squares += a[i * cols + j] * a[i * cols + j];
        }
        mean[j] = total / n;
        deviation[j] = sqrt(squares / n - (total / n) * (total / n));
    }
}

__global__ void column_extremes(const int *__restrict__ a, int *least, int *most, int rows,
                                int cols)
{
    int x = X;
    if (x >= cols)
        return;
    int low = a[x], high = a[x];
    for (int y = 0; y < rows; y++) {
        low = min(low, a[y * cols + x]);
        high = max(high, a[y * cols + x]);
    }
    least[x] = low;
    most[x] = high;
}

__global__ void vector_matrix(const float *__restrict__ x, const float *__restrict__ a, float *y,
                              int rows, int cols)
{
    int j = X;
    if (j < cols) {
        float total = 0;
        for (int k = 0; k < rows; k++)
            total += x[k] * a[k * cols + j];
        y[j] = total;
    }
}

__global__ void row_mode(const unsigned char *__restrict__ a, unsigned char *mode, int rows,
                         int cols)
{
    int i = X;
    if (i >= rows)
        return;
    int counts[16], best = 0;
    for (int v = 0; v < 16; v++)
        counts[v] = 0;
    for (int k = 0; k < cols; k++)
        counts[a[i * cols + k]]++;
    for (int v = 1; v < 16; v++)
        if (counts[v] > counts[best])
            best = v;
    mode[i] = best;
}

} // extern "C"
