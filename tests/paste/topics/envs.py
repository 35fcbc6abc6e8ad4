"""Vectorised environments for reinforcement learning, in the manner of WarpDrive."""
import abc
import copy
from types import SimpleNamespace
from typing import Dict, List, Tuple

import gym
import numba.cuda as numba_driver
import numpy as np
from gym import spaces
from gym.utils import seeding

GRAVITY = 9.8
MASSCART = 1.0
MASSPOLE = 0.1
TOTAL_MASS = MASSPOLE + MASSCART
LENGTH = 0.5
POLEMASS_LENGTH = MASSPOLE * LENGTH
FORCE_MAG = 10.0
TAU = 0.02
THETA_LIMIT = 12 * 2 * np.pi / 360

kNumAgents = 5
ACTIONS = np.array([[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0]], dtype=np.int32)
_OBSERVATIONS = "observations"
_REWARDS = "rewards"


@numba_driver.jit(device=True)
def clip(value, lo, hi):
    if value < lo:
        return lo
    if value > hi:
        return hi
    return value


@numba_driver.jit
def NumbaClassicControlCartPoleEnvStep(
        state_arr, action_arr, done_arr, reward_arr, observation_arr, env_timestep_arr,
        episode_length):
    kEnvId = numba_driver.blockIdx.x
    kThisAgentId = numba_driver.threadIdx.x
    if kThisAgentId == 0:
        env_timestep_arr[kEnvId] += 1
    numba_driver.syncthreads()
    action = action_arr[kEnvId, kThisAgentId, 0]
    force = FORCE_MAG if action > 0.5 else -FORCE_MAG
    x = state_arr[kEnvId, kThisAgentId, 0]
    x_dot = state_arr[kEnvId, kThisAgentId, 1]
    theta = state_arr[kEnvId, kThisAgentId, 2]
    theta_dot = state_arr[kEnvId, kThisAgentId, 3]
    costheta = np.cos(theta)
    sintheta = np.sin(theta)
    temp = (force + POLEMASS_LENGTH * theta_dot ** 2 * sintheta) / TOTAL_MASS
    thetaacc = (GRAVITY * sintheta - costheta * temp) / (
        LENGTH * (4.0 / 3.0 - MASSPOLE * costheta ** 2 / TOTAL_MASS))
    xacc = temp - POLEMASS_LENGTH * thetaacc * costheta / TOTAL_MASS
    new = (x + TAU * x_dot, x_dot + TAU * xacc, theta + TAU * theta_dot, theta_dot + TAU * thetaacc)
    for k, value in enumerate(new):
        state_arr[kEnvId, kThisAgentId, k] = value
        observation_arr[kEnvId, kThisAgentId, k] = value
    terminated = new[0] < -2.4 or new[0] > 2.4 or new[2] < -THETA_LIMIT or new[2] > THETA_LIMIT
    reward_arr[kEnvId, kThisAgentId] = 0.0 if terminated else 1.0
    numba_driver.syncthreads()
    if kThisAgentId == 0:
        if env_timestep_arr[kEnvId] == episode_length or terminated:
            done_arr[kEnvId] = 1


@numba_driver.jit
def tag_step(loc_x, loc_y, action, speed, rewards, tagged, done, t, grid_length):
    env, agent = numba_driver.blockIdx.x, numba_driver.threadIdx.x
    caught = numba_driver.shared.array(1, np.int32)
    if agent == 0:
        caught[0] = 0
        t[env] += 1
    numba_driver.syncthreads()
    if agent < kNumAgents:
        a = action[env, agent]
        loc_x[env, agent] = clip(loc_x[env, agent] + ACTIONS[a, 0] * speed, 0, grid_length)
        loc_y[env, agent] = clip(loc_y[env, agent] + ACTIONS[a, 1] * speed, 0, grid_length)
    numba_driver.syncthreads()
    if 0 < agent < kNumAgents:
        if loc_x[env, agent] == loc_x[env, 0] and loc_y[env, agent] == loc_y[env, 0]:
            rewards[env, agent] += 1.0
            numba_driver.atomic.add(caught, 0, 1)
        else:
            rewards[env, agent] -= 0.01
    numba_driver.syncthreads()
    if not agent:
        rewards[env, 0] -= caught[0]
        tagged[env] += caught[0]
        done[env] = caught[0] > 0 or t[env] >= 20


@numba_driver.jit
def reset_when_done_2d(data, ref, done, force_reset):
    env_id = numba_driver.blockIdx.x
    tid = numba_driver.threadIdx.x
    if force_reset > 0.5 or done[env_id] > 0.5:
        if tid < data.shape[1]:
            data[env_id, tid] = ref[env_id, tid]


@numba_driver.jit
def sample_actions(distr, action_indices, cum_distr, u):
    env_id = numba_driver.blockIdx.x
    agent = numba_driver.threadIdx.x
    n = distr.shape[2]
    cum_distr[env_id, agent, 0] = distr[env_id, agent, 0]
    for i in range(1, n):
        cum_distr[env_id, agent, i] = distr[env_id, agent, i] + cum_distr[env_id, agent, i - 1]
    p = u[env_id, agent]
    ind = -1
    left, right = 0, n - 1
    while left <= right:
        mid = left + int((right - left) / 2)
        if cum_distr[env_id, agent, mid] < p:
            left = mid + 1
        else:
            ind = mid
            right = mid - 1
    action_indices[env_id, agent] = ind


class CUDAEnvironmentContext(metaclass=abc.ABCMeta):
    _registry: Dict[str, type] = {}

    def __init_subclass__(cls, /, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._registry[cls.__name__] = cls

    @abc.abstractmethod
    def step(self, actions=None): ...


class CartPole(CUDAEnvironmentContext):
    name = "CartPole"

    def __init__(self, episode_length=500, seed=None):
        self.np_random, seed = seeding.np_random(seed)
        self.action_space = spaces.Discrete(2)
        self.timestep = None

    def step(self, actions=None):
        args = [_OBSERVATIONS, _REWARDS, *map(str.upper, ("a", "b"))]
        NumbaClassicControlCartPoleEnvStep[1, 1](*args)


if __name__ == "__main__":
    env = gym.make("CartPole-v1")
    print({**{"a": 1}, 'b': [*range(3)]})
