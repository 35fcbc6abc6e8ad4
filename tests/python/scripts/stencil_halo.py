"""A five-point stencil with a halo in shared memory, step by step with two arrays that change places; streams; a check by NumPy."""
import numpy as np
from numba import cuda, float32

TPB = 16
HALO = TPB + 2


@cuda.jit
def heat_step(current, following, k):
    tile = cuda.shared.array((HALO, HALO), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x + 1, cuda.threadIdx.y + 1
    rows, columns = current.shape
    inside = x < rows and y < columns
    if inside:
        tile[tx, ty] = current[x, y]
        if tx == 1 and x > 0:
            tile[0, ty] = current[x - 1, y]
        if tx == TPB and x < rows - 1:
            tile[TPB + 1, ty] = current[x + 1, y]
        if ty == 1 and y > 0:
            tile[tx, 0] = current[x, y - 1]
        if ty == TPB and y < columns - 1:
            tile[tx, TPB + 1] = current[x, y + 1]
    cuda.syncthreads()
    if not inside:
        return
    if x == 0 or y == 0 or x == rows - 1 or y == columns - 1:
        following[x, y] = tile[tx, ty]
        return
    middle = tile[tx, ty]
    around = tile[tx - 1, ty] + tile[tx + 1, ty] + tile[tx, ty - 1] + tile[tx, ty + 1]
    following[x, y] = middle + k * (around - float32(4) * middle)


class Simulation:
    def __init__(self, plate, k):
        self.stream = cuda.stream()
        self.k = np.float32(k)
        with self.stream.auto_synchronize():
            self.current = cuda.to_device(plate, stream=self.stream)
            self.following = cuda.device_array_like(plate, stream=self.stream)
        self.blocks = tuple((extent + TPB - 1) // TPB for extent in plate.shape)

    def run(self, steps):
        for _ in range(steps):
            heat_step[self.blocks, (TPB, TPB), self.stream](self.current, self.following, self.k)
            self.current, self.following = self.following, self.current
        return self

    def result(self):
        host = self.current.copy_to_host(stream=self.stream)
        self.stream.synchronize()
        return host


def by_numpy(plate, k, steps):
    u = plate.copy()
    for _ in range(steps):
        v = u.copy()
        v[1:-1, 1:-1] += np.float32(k) * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
        u = v
    return u


if __name__ == "__main__":
    plate = np.zeros((70, 45), np.float32)
    plate[0] = 100
    plate[30:40, 20:25] = 50
    simulation = Simulation(plate, 0.2)
    np.testing.assert_allclose(simulation.run(25).result(), by_numpy(plate, 0.2, 25), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(simulation.run(25).result(), by_numpy(plate, 0.2, 50), rtol=1e-5, atol=1e-5)
