// The kernels of lookups.k as plain CUDA C, as plain.cu has those of the first two sets.

extern "C" {

#define X (threadIdx.x + blockIdx.x * blockDim.x)

__global__ void bin_of(const int *__restrict__ x, const int *__restrict__ edges, int *bin, int n,
                       int count)
{
    int i = X;
    if (i < n) {
        int low = 0, high = count;
        while (low < high) {
            int middle = (low + high) / 2;
            if (edges[middle] <= x[i])
                low = middle + 1;
            else
                high = middle;
        }
        bin[i] = low;
    }
}

__global__ void interpolate(const double *__restrict__ x, const double *__restrict__ table,
                            double first, double step, double *y, int n, int size)
{
    for (int i = X; i < n; i += blockDim.x * gridDim.x) {
        double place = (x[i] - first) / step;
        int k = min(max((int)place, 0), size - 2);
        y[i] = table[k] + (place - k) * (table[k + 1] - table[k]);
    }
}

__global__ void palette(const unsigned char *__restrict__ pixels,
                        const unsigned char *__restrict__ colours, unsigned char *index, int count,
                        int shades)
{
    int i = X;
    if (i >= count)
        return;
    int best = 0, least = 200000;
    for (int k = 0; k < shades; k++) {
        int apart = 0;
        for (int c = 0; c < 3; c++) {
            int step = pixels[3 * i + c] - colours[3 * k + c];
            apart += step * step;
        }
        if (apart < least) {
            least = apart;
            best = k;
        }
    }
    index[i] = best;
}

__global__ void hamming(const unsigned long long *__restrict__ codes,
                        const unsigned long long *__restrict__ query, int *apart, int count,
                        int words)
{
    int i = X;
    if (i < count) {
        int total = 0;
        for (int k = 0; k < words; k++) {
            unsigned long long bits = codes[i * words + k] ^ query[k];
            while (bits != 0) {
                bits &= bits - 1;
                total++;
            }
        }
        apart[i] = total;
    }
}

__global__ void group_stats(const int *__restrict__ group, const float *__restrict__ value,
                            double *stats, int n)
{
    for (int i = X; i < n; i += blockDim.x * gridDim.x) {
        int at = 3 * group[i];
        atomicAdd(&stats[at], 1.0);
        atomicAdd(&stats[at + 1], (double)value[i]);
        atomicAdd(&stats[at + 2], (double)(value[i] * value[i]));
    }
}

__global__ void cluster_sums(const float *__restrict__ points,
                             const unsigned short *__restrict__ cluster, float *sums, int *members,
                             int n, int width)
{
    int i = X;
    if (i < n) {
        int c = cluster[i];
        atomicAdd(&members[c], 1);
        for (int k = 0; k < width; k++)
            atomicAdd(&sums[c * width + k], points[i * width + k]);
    }
}

__global__ void pick(const float *__restrict__ x, float limit, int *kept, int *count, int n)
{
    for (int i = X; i < n; i += blockDim.x * gridDim.x)
        if (x[i] > limit) {
            int place = atomicAdd(count, 1);
            kept[place] = i;
        }
}

__global__ void distinct(const int *__restrict__ key, int *seen, int *count, int n)
{
    int i = X;
    if (i >= n)
        return;
    int before = atomicAdd(&seen[key[i]], 1);
    if (before == 0)
        atomicAdd(count, 1);
}

} // extern "C"
