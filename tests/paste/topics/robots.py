"""Model predictive path integral control, signed distance fusion, point matching, RRT collision checks."""
import copy
import heapq
import math
import queue
import threading

import numpy as np
from numba import cuda, float32
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_normal_float32 as randn
import yaml

GPU_SPEC = dict(max_threads_per_block=1024, max_square_block_dim=(32, 32), max_blocks=65535)
MAX_T = 32
DEFAULT_UNKNOWN_COST = 1e2
DEFAULT_OBS_COST = 1e3


class Config:
    """Values that are fixed throughout"""
    T = 2.0
    dt = 0.1
    num_steps = int(T / dt)
    num_control_rollouts = 32
    seed = 1
    lambda_weight: float = 1.0
    u_std = (0.2, 0.3)
    vrange = np.array([0.0, 2.0], dtype=np.float32)
    wrange = np.array([-np.pi, np.pi], dtype=np.float32)

    def __init__(self, **kwargs):
        for k, v in kwargs.items():
            setattr(self, k, v)
        assert self.T > 0, f"T must be positive, got {self.T!r}"


class MPPI_Numba(object):
    cfg = Config

    def __init__(self, cfg=None):
        self.cfg = cfg or Config()
        self.lock = threading.Lock()
        self.q = queue.PriorityQueue()

    @staticmethod
    @cuda.jit(fastmath=True)
    def rollout_numba(vrange_d, wrange_d, xgoal_d, v_post_rollout_weight, goal_tolerance_d,
                      lambda_weight_d, u_std_d, x0_d, dt_d, noise_samples_d, u_cur_d, obs_pos_d,
                      obs_r_d, costs_d):
        tid = cuda.grid(1)
        if tid >= costs_d.size:
            return
        costs_d[tid] = 0.0
        x_curr = cuda.local.array(3, float32)
        for i in range(3):
            x_curr[i] = x0_d[i]
        timesteps = noise_samples_d.shape[1]
        goal_reached = False
        goal_tolerance_d2 = goal_tolerance_d * goal_tolerance_d
        dist_to_goal2 = 1e9
        gain = lambda_weight_d
        for t in range(timesteps):
            v_nom = u_cur_d[t, 0] + noise_samples_d[tid, t, 0]
            w_nom = u_cur_d[t, 1] + noise_samples_d[tid, t, 1]
            v = max(vrange_d[0], min(vrange_d[1], v_nom))
            w = max(wrange_d[0], min(wrange_d[1], w_nom))
            x_curr[0] += dt_d * v * math.cos(x_curr[2])
            x_curr[1] += dt_d * v * math.sin(x_curr[2])
            x_curr[2] += dt_d * w
            dist_to_goal2 = (xgoal_d[0] - x_curr[0]) ** 2 + (xgoal_d[1] - x_curr[1]) ** 2
            costs_d[tid] += math.sqrt(dist_to_goal2)
            for obs_i in range(len(obs_pos_d)):
                op = obs_pos_d[obs_i]
                dist_diff = (x_curr[0] - op[0]) ** 2 + (x_curr[1] - op[1]) ** 2 - obs_r_d[obs_i] ** 2
                costs_d[tid] += (1 - (1 if dist_diff > 0 else 0)) * DEFAULT_OBS_COST
            if dist_to_goal2 <= goal_tolerance_d2:
                goal_reached = True
                break
        costs_d[tid] += (not goal_reached) * math.sqrt(dist_to_goal2) / v_post_rollout_weight
        for t in range(timesteps):
            costs_d[tid] += gain * (
                u_cur_d[t, 0] / (u_std_d[0] ** 2) * noise_samples_d[tid, t, 0]
                + u_cur_d[t, 1] / (u_std_d[1] ** 2) * noise_samples_d[tid, t, 1])

    @staticmethod
    @cuda.jit
    def update_useq_numba(lambda_weight_d, costs_d, noise_samples_d, weights_d, u_cur_d):
        tid = cuda.threadIdx.x
        num_threads = cuda.blockDim.x
        beta = costs_d[0]
        for i in range(1, costs_d.size):
            beta = min(beta, costs_d[i])
        for i in range(tid, costs_d.size, num_threads):
            weights_d[i] = math.exp(-1.0 / lambda_weight_d * (costs_d[i] - beta))
        cuda.syncthreads()
        total = 0.0
        for i in range(costs_d.size):
            total += weights_d[i]
        for t in range(tid, u_cur_d.shape[0], num_threads):
            for i in range(costs_d.size):
                for c in range(2):
                    u_cur_d[t, c] += weights_d[i] / total * noise_samples_d[i, t, c]

    @staticmethod
    @cuda.jit
    def sample_noise_numba(rng_states, u_std_d, noise_samples_d):
        block_id = cuda.blockIdx.x
        thread_id = cuda.threadIdx.x
        abs_thread_id = cuda.grid(1)
        noise_samples_d[block_id, thread_id, 0] = u_std_d[0] * randn(rng_states, abs_thread_id)
        noise_samples_d[block_id, thread_id, 1] = u_std_d[1] * randn(rng_states, abs_thread_id)


@cuda.jit
def tsdf_integrate(tsdf, weight, depth, K, pose, voxel, trunc=float32(0.2)):
    x, y, z = cuda.grid(3)
    nx, ny, nz = tsdf.shape
    if x >= nx or y >= ny or z >= nz:
        return
    p = cuda.local.array(4, float32)
    q = cuda.local.array((3,), float32)
    p[0], p[1], p[2], p[3] = x * voxel, y * voxel, z * voxel, 1
    for r in range(3):
        q[r] = 0
        for c in range(4):
            q[r] += pose[r, c] * p[c]
    if q[2] <= 0:
        return
    u = int(K[0, 0] * q[0] / q[2] + K[0, 2] + .5)
    v = int(K[1, 1] * q[1] / q[2] + K[1, 2] + .5)
    h, w = depth.shape
    if u < 0 or u >= w or v < 0 or v >= h:
        return
    d = depth[v, u]
    sdf = d - q[2]
    if d == 0 or sdf < -trunc:
        return
    new = min(float32(1), sdf / trunc)
    old_w = weight[x, y, z]
    tsdf[x, y, z] = (tsdf[x, y, z] * old_w + new) / (old_w + 1)
    weight[x, y, z] = min(old_w + 1, 64)


@cuda.jit
def collides(edges, circles, hit):
    e = cuda.grid(1)
    if e >= edges.shape[0]:
        return
    (ax, ay), (bx, by) = edges[e]
    hit[e] = False
    for k in range(circles.shape[0]):
        cx, cy, r = circles[k]
        dx, dy = bx - ax, by - ay
        t = ((cx - ax) * dx + (cy - ay) * dy) / (dx * dx + dy * dy)
        t = min(1., max(0., t))
        if (ax + t * dx - cx) ** 2 + (ay + t * dy - cy) ** 2 < r * r:
            hit[e] |= True
            return


def main():
    rng = np.random.default_rng(2)
    n, T = 16, Config.num_steps
    noise = rng.normal(0, .3, (n, T, 2)).astype("f4")
    u = np.zeros((T, 2), "f4")
    costs = np.zeros(n, "f4"); weights = np.zeros(n, "f4")
    for _ in range(3):
        MPPI_Numba.rollout_numba[1, 32](Config.vrange, Config.wrange, np.array([1, 1], "f4"), np.float32(.5),
                                        np.float32(.3), np.float32(1), np.array([.2, .3], "f4"), np.zeros(3, "f4"), np.float32(.1),
                                        noise, u, np.array([[.5, .5]], "f4"), np.array([.2], "f4"), costs)
        MPPI_Numba.update_useq_numba[1, 8](1.0, costs, noise, weights, u)
    print(f"{costs.mean():.2f} {u[:, 0].sum():.3f}")
    tsdf = np.ones((8, 8, 8), "f4"); wgt = np.zeros((8, 8, 8), "f4")
    pose = np.eye(4, dtype="f4")[:3].copy(); pose[2, 3] = 1
    K = np.array([[20, 0, 8], [0, 20, 8], [0, 0, 1]], "f4")
    tsdf_integrate[(2, 2, 2), (4, 4, 4)](tsdf, wgt, np.full((16, 16), 1.4, "f4"), K, pose, np.float32(.1), np.float32(.2))
    print(f"{tsdf.sum():.3f} {int(wgt.sum())}")
    edges = rng.uniform(0, 1, (12, 2, 2))
    hit = np.zeros(12, np.bool_)
    collides[1, 12](edges, np.array([[.5, .5, .2], [.1, .8, .1]]), hit)
    print(hit.astype(int).tolist())


if __name__ == '__main__':
    main()
