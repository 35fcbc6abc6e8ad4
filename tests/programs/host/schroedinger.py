"""A wave packet that meets a barrier: split steps with Fourier transforms."""
import numpy as np

n, width = 512, 200.0
dx = width / n
x = (np.arange(n) - n // 2) * dx
k = 2 * np.pi * np.fft.fftfreq(n, dx)
barrier = np.where(np.abs(x) < 1.0, 0.6, 0.0)
dt = 0.05
half = np.exp(-0.5j * barrier * dt)
kinetic = np.exp(-0.5j * k ** 2 * dt)

psi = np.exp(-((x + 30) / 8) ** 2 / 2 + 1j * x)
psi /= np.sqrt(np.sum(np.abs(psi) ** 2) * dx)


def expectation(psi, of):
    return float(np.sum(np.abs(psi) ** 2 * of) * dx)


for step in range(1001):
    if step % 250 == 0:
        density = np.abs(psi) ** 2
        norm = density.sum() * dx
        left, right = density[x < -1].sum() * dx, density[x > 1].sum() * dx
        print("t=%5.1f norm %.6f <x>=%8.3f reflected %.4f transmitted %.4f"
              % (step * dt, norm, expectation(psi, x), left, right))
    psi = half * np.fft.ifft(kinetic * np.fft.fft(half * psi))

momentum = np.fft.fftshift(np.abs(np.fft.fft(psi)) ** 2)
momentum /= momentum.sum()
ks = np.fft.fftshift(k)
print("momentum to the right %.4f" % momentum[ks > 0].sum())
peak = ks[np.argmax(momentum)]
print("peak near 1:", abs(peak - 1) < 0.15)
