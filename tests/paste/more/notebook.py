# ---
# jupyter:
#   kernelspec: {name: python3}
# ---
# %% [markdown]
# # Convolution
# %%
import numpy as np
import matplotlib.pyplot as plt
from numba import cuda
from IPython.display import display, HTML
get_ipython().run_line_magic('matplotlib', 'inline')
# %%
D = 3
MASK = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], dtype=np.float32)
image = plt.imread("camera.png"); image = image[..., 0] if image.ndim == 3 else image
# %%
@cuda.jit
def convolve(result, mask, image):
    i, j = cuda.grid(2)
    image_rows, image_cols = image.shape
    if (i >= image_rows) or (j >= image_cols):
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
# %%
@cuda.jit
def laplace(result, image):
    i, j = cuda.grid(2)
    if 0 < i < image.shape[0] - 1 and 0 < j < image.shape[1] - 1:
        s = 0.
        for k in range(D):
            for l in range(D):
                s += MASK[k, l] * image[i + k - 1, j + l - 1]
        result[i, j] = s
# %%
blockdim = (32, 32)
griddim = (image.shape[0] // blockdim[0] + 1, image.shape[1] // blockdim[1] + 1)
out = np.empty_like(image)
convolve[griddim, blockdim](out, MASK, image)
fig, (a, b) = plt.subplots(1, 2, figsize=(10, 5), **{"sharex": True})
a.imshow(image); b.imshow(out); _ = [x.axis('off') for x in (a, b)]
display(HTML(f"<b>{out.max()}</b>"))
