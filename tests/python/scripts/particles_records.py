import numpy as np
from numba import cuda, from_dtype

particle = np.dtype([("position", np.float64, (3,)), ("velocity", np.float64, (3,)), ("mass", np.float32),
                     ("alive", np.bool_)], align=True)
PARTICLE = from_dtype(particle)


@cuda.jit
def push(particles, dt):
    i = cuda.grid(1)
    if i < particles.size and particles[i].alive:
        for axis in range(3):
            particles[i].position[axis] += dt * particles[i].velocity[axis]
        particles[i].mass *= 0.5


rng = np.random.default_rng(7)
host = np.zeros(100, particle)
host["velocity"] = rng.normal(size=(100, 3))
host["mass"], host["alive"] = 2, rng.random(100) < 0.5
expected = host.copy()
on_device = cuda.to_device(host)
push[2, 64](on_device, 0.25)
result = on_device.copy_to_host()
alive = host["alive"]
expected["position"][alive] += 0.25 * expected["velocity"][alive]
expected["mass"][alive] = 1
for name in particle.names:
    np.testing.assert_array_equal(result[name], expected[name])
