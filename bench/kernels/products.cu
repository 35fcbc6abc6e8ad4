// The kernels of products.k as plain CUDA C, as plain.cu has those of the first two sets.

extern "C" {

#define X (threadIdx.x + blockIdx.x * blockDim.x)
#define Y (threadIdx.y + blockIdx.y * blockDim.y)
#define Z (threadIdx.z + blockIdx.z * blockDim.z)

__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *c,
                        int rows, int depth, int cols)
{
    int x = X, y = Y;
    if (x < cols && y < rows) {
        float total = 0;
        for (int k = 0; k < depth; k++)
            total += a[y * depth + k] * b[k * cols + x];
        c[y * cols + x] = total;
    }
}

__global__ void dense_relu(const float *__restrict__ x, const float *__restrict__ weights,
                           const float *__restrict__ bias, float *out, int rows, int depth,
                           int cols)
{
    int i = X, j = Y;
    if (i < rows && j < cols) {
        float total = 0;
        for (int k = 0; k < depth; k++)
            total += x[i * depth + k] * weights[k * cols + j];
        out[i * cols + j] = fmaxf(total + bias[j], 0.0f);
    }
}

__global__ void gram(const double *__restrict__ a, double *c, int rows, int depth)
{
    int i = X, j = Y;
    if (i < rows && j < rows) {
        double total = 0;
        for (int k = 0; k < depth; k++)
            total += a[i * depth + k] * a[j * depth + k];
        c[i * rows + j] = total;
    }
}

__global__ void covariance(const float *__restrict__ a, float *c, int rows, int cols)
{
    int x = X, y = Y;
    if (x >= cols || y >= cols)
        return;
    float total = 0;
    for (int k = 0; k < rows; k++)
        total += a[k * cols + y] * a[k * cols + x];
    c[y * cols + x] = total;
}

__global__ void products(const float *__restrict__ a, const float *__restrict__ b, float *c,
                         int rows, int depth, int cols)
{
    int x = X, y = Y, n = Z;
    if (x < cols && y < rows) {
        float total = 0;
        for (int k = 0; k < depth; k++)
            total += a[(n * rows + y) * depth + k] * b[(n * depth + k) * cols + x];
        c[(n * rows + y) * cols + x] = total;
    }
}

__global__ void transpose(const double *__restrict__ a, double *turned, int height, int width)
{
    int x = X, y = Y;
    if (x < width && y < height)
        turned[x * height + y] = a[y * width + x];
}

__global__ void swap_axes(const unsigned short *__restrict__ x, unsigned short *out, int length,
                          int heads, int width, int n)
{
    int i = X;
    if (i < n) {
        int d = i % width, h = i / width % heads, s = i / (width * heads) % length;
        int b = i / (width * heads * length);
        out[((b * heads + h) * length + s) * width + d] = x[i];
    }
}

__global__ void convolution(const float *__restrict__ images, const float *__restrict__ filters,
                            float *out, int pictures, int channels, int height, int width,
                            int count, int side)
{
    int x = X, y = Y, z = Z, n = z / count, f = z % count;
    int rows = height - side + 1, cols = width - side + 1;
    if (n < pictures && y < rows && x < cols) {
        float total = 0;
        for (int c = 0; c < channels; c++)
            for (int i = 0; i < side; i++)
                for (int j = 0; j < side; j++)
                    total += images[((n * channels + c) * height + y + i) * width + x + j] *
                             filters[((f * channels + c) * side + i) * side + j];
        out[((n * count + f) * rows + y) * cols + x] = total;
    }
}

__global__ void convolution_same(const float *__restrict__ images,
                                 const float *__restrict__ filters, float *out, int channels,
                                 int count, int height, int width, int size)
{
    int at = X;
    if (at >= size)
        return;
    int x = at % width, y = at / width % height, f = at / (width * height) % count;
    int n = at / (width * height * count);
    float total = 0;
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int row = y + i - 1, col = x + j - 1;
                if (0 <= row && row < height && 0 <= col && col < width)
                    total += images[((n * channels + c) * height + row) * width + col] *
                             filters[((f * channels + c) * 3 + i) * 3 + j];
            }
    out[at] = total;
}

__global__ void bodies(const float *__restrict__ body, float *pull, int count, float softening)
{
    int i = X;
    if (i >= count)
        return;
    float x = body[4 * i], y = body[4 * i + 1], z = body[4 * i + 2], ax = 0, ay = 0, az = 0;
    for (int j = 0; j < count; j++) {
        float dx = body[4 * j] - x, dy = body[4 * j + 1] - y, dz = body[4 * j + 2] - z;
        float apart = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
        float force = body[4 * j + 3] * apart * apart * apart;
        ax += dx * force;
        ay += dy * force;
        az += dz * force;
    }
    pull[3 * i] = ax;
    pull[3 * i + 1] = ay;
    pull[3 * i + 2] = az;
}

__global__ void nearest(const float *__restrict__ points, const float *__restrict__ others,
                        float *apart, int count, int among)
{
    int i = X;
    if (i < count) {
        float least = 1e30f;
        for (int j = 0; j < among; j++) {
            float dx = points[3 * i] - others[3 * j], dy = points[3 * i + 1] - others[3 * j + 1];
            float dz = points[3 * i + 2] - others[3 * j + 2];
            least = fminf(least, dx * dx + dy * dy + dz * dz);
        }
        apart[i] = least;
    }
}

} // extern "C"
