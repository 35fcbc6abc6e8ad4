"""np.fft, mgrid and its like, einsum, sets and places, and what lists and texts have."""
import numpy as np
rng = np.random.default_rng(1)
for n in (1, 2, 7, 8, 12, 64):
    x = rng.standard_normal(n); z = x + 1j * rng.standard_normal(n)
    f = np.fft.fft(z)
    print(n, f.shape, np.abs(np.fft.ifft(f) - z).max() < 1e-12, np.allclose(np.fft.irfft(np.fft.rfft(x), n), x) if n > 1 else True, np.round(f[0], 8), np.round(np.abs(np.fft.rfft(x)).sum(), 8))
a = rng.random((4, 6))
F = np.fft.fft2(a)
print(np.round(F[1, 2], 8), np.allclose(np.fft.ifft2(F).real, a), np.fft.fft(a, axis=0).shape, np.fft.fft(a, n=8).shape)
print(np.fft.fftfreq(5, 0.1), np.fft.rfftfreq(4), np.fft.fftshift(np.arange(5)), np.fft.ifftshift(np.fft.fftshift(np.arange(5))))
yy, xx = np.mgrid[0:3, 0:2]; print(yy, xx, np.mgrid[0:1:5j], [g.shape for g in np.ogrid[0:3, 0:4]])
print(np.c_[[1, 2], [3, 4]], np.r_[1, [2, 3], 0:2], np.einsum("ij,jk->ik", a[:2], a[:2].T).round(6), np.einsum("ii", np.eye(3)), np.einsum("ij->j", a).round(6), np.einsum("i,j->ij", [1, 2], [3, 4]))
print(np.digitize([1, 5, 9], [2, 6]), np.unravel_index(7, (2, 5)), np.ravel_multi_index((1, 2), (2, 5)), np.intersect1d([1, 2, 3], [3, 2, 7]), np.union1d([1, 2], [2, 5]), np.setdiff1d([1, 2, 3], [2]))
print(np.apply_along_axis(np.sum, 1, np.arange(6).reshape(2, 3)), np.tensordot(np.ones((2, 3)), np.ones((3, 4)), axes=1).shape, np.corrcoef([1., 2, 3], [1., 2, 4]).round(6))
l = [1]; l.extend(np.array([2, 3])); print(l, (5).bit_length(), (-8).bit_length(), (2.0).is_integer(), "a\nb\r\nc\n".splitlines())
print(slice(1, 5).start, slice(4).stop)
