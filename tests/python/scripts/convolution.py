import numpy as np
from numba import cuda


@cuda.jit
def convolve(result, mask, image):
    i, j = cuda.grid(2)
    image_rows, image_cols = image.shape
    if i >= image_rows or j >= image_cols:
        return
    delta_rows = mask.shape[0] // 2
    delta_cols = mask.shape[1] // 2
    s = 0
    for k in range(mask.shape[0]):
        for l in range(mask.shape[1]):
            i_k = i - k + delta_rows
            j_l = j - l + delta_cols
            if (i_k >= 0) and (i_k < image_rows) and (j_l >= 0) and (j_l < image_cols):
                s += mask[k, l] * image[i_k, j_l]
    result[i, j] = s


rng = np.random.default_rng(13)
image = rng.random((60, 45)).astype(np.float32)
mask = rng.random((5, 3)).astype(np.float32)
result = np.empty_like(image)
blockdim = (32, 32)
griddim = (image.shape[0] // blockdim[0] + 1, image.shape[1] // blockdim[1] + 1)
convolve[griddim, blockdim](result, mask, image)
padded = np.pad(image, ((2, 2), (1, 1))).astype(float)
expected = sum(mask[k, l] * padded[4 - k:4 - k + 60, 2 - l:2 - l + 45] for k in range(5) for l in range(3))
np.testing.assert_allclose(result, expected, rtol=1e-5)
