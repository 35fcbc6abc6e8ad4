// The kernels of windows.k as plain CUDA C, as plain.cu has those of the first two sets.

extern "C" {

#define X (threadIdx.x + blockIdx.x * blockDim.x)
#define Y (threadIdx.y + blockIdx.y * blockDim.y)
#define Z (threadIdx.z + blockIdx.z * blockDim.z)

__global__ void filter7(const float *__restrict__ image, const float *__restrict__ weights,
                        float *out, int rows, int cols)
{
    int i = X, j = Y;
    if (3 <= i && i < rows - 3 && 3 <= j && j < cols - 3) {
        float total = 0;
        for (int di = 0; di < 7; di++)
            for (int dj = 0; dj < 7; dj++)
                total += image[(i + di - 3) * cols + j + dj - 3] * weights[di * 7 + dj];
        out[i * cols + j] = total;
    }
}

__global__ void sobel(const unsigned char *__restrict__ image, unsigned char *edges, int height,
                      int width)
{
    int x = X, y = Y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    int above = (y - 1) * width + x, here = y * width + x, below = (y + 1) * width + x;
    int left = image[above - 1] + 2 * image[here - 1] + image[below - 1];
    int right = image[above + 1] + 2 * image[here + 1] + image[below + 1];
    int top = image[above - 1] + 2 * image[above] + image[above + 1];
    int bottom = image[below - 1] + 2 * image[below] + image[below + 1];
    edges[here] = min(abs(right - left) + abs(bottom - top), 255);
}

__global__ void blur3(const float *__restrict__ a, float *b, int height, int width)
{
    int x = X, y = Y;
    if (x < width && y < height) {
        float total = 0;
        for (int dy = -1; dy < 2; dy++)
            for (int dx = -1; dx < 2; dx++)
                if (0 <= y + dy && y + dy < height && 0 <= x + dx && x + dx < width)
                    total += a[(y + dy) * width + x + dx];
        b[y * width + x] = total / 9.0f;
    }
}

__global__ void life(const unsigned char *__restrict__ cells, unsigned char *later, int rows,
                     int cols)
{
    int i = X, j = Y;
    if (i < rows && j < cols) {
        int alive = 0;
        for (int di = -1; di < 2; di++)
            for (int dj = -1; dj < 2; dj++)
                if (di != 0 || dj != 0)
                    alive += cells[(i + di + rows) % rows * cols + (j + dj + cols) % cols];
        if (alive == 3 || (alive == 2 && cells[i * cols + j] == 1))
            later[i * cols + j] = 1;
        else
            later[i * cols + j] = 0;
    }
}

__global__ void wave(const double *__restrict__ now, const double *__restrict__ before,
                     double *later, double speed, int height, int width)
{
    int x = X, y = Y;
    if (x >= width || y >= height)
        return;
    int at = y * width + x;
    int up = (y + height - 1) % height * width + x, down = (y + 1) % height * width + x;
    int left = y * width + (x + width - 1) % width, right = y * width + (x + 1) % width;
    double around = now[up] + now[down] + now[left] + now[right] - 4.0 * now[at];
    later[at] = 2.0 * now[at] - before[at] + speed * around;
}

__global__ void heat3d(const float *__restrict__ now, float *later, float rate, int depth,
                       int height, int width)
{
    int x = X, y = Y, z = Z;
    if (0 < x && x < width - 1 && 0 < y && y < height - 1 && 0 < z && z < depth - 1) {
        int plane = height * width, at = (z * height + y) * width + x;
        float around = now[at - 1] + now[at + 1] + now[at - width] + now[at + width];
        around += now[at - plane] + now[at + plane];
        later[at] = now[at] + rate * (around - 6.0f * now[at]);
    }
}

__global__ void smooth3d(const float *__restrict__ volume, const float *__restrict__ weights,
                         float *out, int planes, int rows, int cols)
{
    int i = X, j = Y, k = Z;
    if (i < 1 || j < 1 || k < 1 || i >= planes - 1 || j >= rows - 1 || k >= cols - 1)
        return;
    float total = 0;
    for (int di = -1; di < 2; di++)
        for (int dj = -1; dj < 2; dj++)
            for (int dk = -1; dk < 2; dk++)
                total += weights[((di + 1) * 3 + dj + 1) * 3 + dk + 1] *
                         volume[((i + di) * rows + j + dj) * cols + k + dk];
    out[(i * rows + j) * cols + k] = total;
}

__global__ void fir(const float *__restrict__ signal, const float *__restrict__ taps, float *out,
                    int n, int count)
{
    int i = X;
    if (i < n) {
        float total = 0;
        for (int k = 0; k < count; k++)
            total += signal[i + k] * taps[k];
        out[i] = total;
    }
}

static __device__ float contrast(const float *window, int cols)
{
    float low = window[0], high = window[0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            low = fminf(low, window[i * cols + j]);
            high = fmaxf(high, window[i * cols + j]);
        }
    return high - low;
}

__global__ void local_contrast(const float *__restrict__ image, float *out, int rows, int cols)
{
    int i = X, j = Y;
    if (0 < i && i < rows - 1 && 0 < j && j < cols - 1)
        out[i * cols + j] = contrast(&image[(i - 1) * cols + j - 1], cols);
}

__global__ void median3(const unsigned short *__restrict__ image, unsigned short *out, int height,
                        int width)
{
    int x = X, y = Y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    unsigned short near[9];
    int count = 0;
    for (int dy = -1; dy < 2; dy++)
        for (int dx = -1; dx < 2; dx++) {
            unsigned short value = image[(y + dy) * width + x + dx];
            int k = count;
            while (k > 0 && near[k - 1] > value) {
                near[k] = near[k - 1];
                k--;
            }
            near[k] = value;
            count++;
        }
    out[y * width + x] = near[4];
}

__global__ void grey(const unsigned char *__restrict__ picture, unsigned char *out, int rows,
                     int cols)
{
    int i = X, j = Y;
    if (i < rows && j < cols) {
        const unsigned char *at = &picture[(i * cols + j) * 3];
        out[i * cols + j] = (77 * at[0] + 150 * at[1] + 29 * at[2]) >> 8;
    }
}

__global__ void planes(const unsigned char *__restrict__ picture, const float *__restrict__ mean,
                       const float *__restrict__ scale, float *out, int pixels)
{
    int i = X;
    if (i >= pixels)
        return;
    for (int c = 0; c < 3; c++)
        out[c * pixels + i] = (picture[3 * i + c] - mean[c]) * scale[c];
}

__global__ void rotate(const float *__restrict__ source, float *out, double cosine, double sine,
                       int height, int width)
{
    int x = X, y = Y;
    if (x >= width || y >= height)
        return;
    double dx = x - width / 2., dy = y - height / 2.;
    double sx = fmin(fmax(cosine * dx - sine * dy + width / 2., 0.0), width - 1.5);
    double sy = fmin(fmax(sine * dx + cosine * dy + height / 2., 0.0), height - 1.5);
    int left = sx, top = sy, at = top * width + left;
    double fx = sx - left, fy = sy - top;
    double above = source[at] + fx * (source[at + 1] - source[at]);
    double below = source[at + width] + fx * (source[at + width + 1] - source[at + width]);
    out[y * width + x] = above + fy * (below - above);
}

__global__ void two_tone(const float *__restrict__ image, int pitch, float limit, float *out,
                         int out_pitch, int height, int width)
{
    int x = X, y = Y;
    if (x < width && y < height) {
        float value = image[y * pitch + x];
        if (value > limit)
            out[y * out_pitch + x] = limit + (value - limit) * 0.25f;
        else
            out[y * out_pitch + x] = value * 1.5f;
    }
}

__global__ void leaky(const float *__restrict__ x, float slope, float *y, int n)
{
    int start = X, step = blockDim.x * gridDim.x;
    for (int i = start; i < n; i += step)
        if (x[i] > 0)
            y[i] = x[i];
        else
            y[i] = slope * x[i];
}

} // extern "C"
