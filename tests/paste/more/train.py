#!/usr/bin/env python
"""A perceptron, trained on the device."""
from __future__ import annotations
import argparse, json, logging, os, pickle, time
from contextlib import nullcontext, suppress
from functools import lru_cache, wraps
from pathlib import Path
import numpy as np
import torch
import torch.nn as nn
import yaml
from numba import cuda, float32
from torch.utils.data import DataLoader, Dataset
import wandb

log = logging.getLogger(__name__)
HIDDEN = 64
IN, OUT = 28 * 28, 10
LR = float(os.getenv("LR", "0.01"))
RATE = 0.01
config = yaml.safe_load(open("config.yml")) if Path("config.yml").exists() else {}
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def timed(f):
    @wraps(f)
    def inner(*a, **k):
        t = time.time()
        try:
            return f(*a, **k)
        finally:
            log.info("%s: %.3f s", f.__name__, time.time() - t)
    return inner


@cuda.jit
def forward(x, w, b, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        s = b[j]
        for k in range(x.shape[1]):
            s += x[i, k] * w[k, j]
        out[i, j] = s if s > 0 else float32(0.01) * s


@cuda.jit
def backward(x, delta, w, b):
    k, j = cuda.grid(2)
    if k < w.shape[0] and j < w.shape[1]:
        g = float32(0)
        for i in range(x.shape[0]):
            g += x[i, k] * delta[i, j]
        w[k, j] -= RATE * g
        if k == 0:
            for i in range(x.shape[0]):
                b[j] -= RATE * delta[i, j]


@cuda.jit
def softmax(x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        top = x[i, 0]
        for j in range(1, OUT):
            top = max(top, x[i, j])
        total = float32(0)
        for j in range(OUT):
            x[i, j] = np.exp(x[i, j] - top)
            total += x[i, j]
        for j in range(OUT):
            x[i, j] /= total


class Digits(Dataset):
    def __init__(self, root, train=True):
        super().__init__()
        with open(Path(root) / f"{'train' if train else 'test'}.pkl", "rb") as f:
            self.x, self.y = pickle.load(f)

    def __len__(self): return len(self.x)
    def __getitem__(self, i): return self.x[i], self.y[i]


class Net(nn.Module):
    def forward(self, x):
        return nn.functional.relu(self.fc(x) @ self.w + self.b)


@timed
@torch.inference_mode()
def evaluate(net, loader):
    with suppress(StopIteration), torch.autocast("cuda") if DEVICE.type == "cuda" else nullcontext():
        return sum(((net(x).argmax(1) == y).float().mean() for x, y in loader), start=0.) / len(loader)


if __name__ == "__main__":
    p = argparse.ArgumentParser(); p.add_argument("--epochs", type=int, default=3)
    a = p.parse_args()
    run = wandb.init(project="digits", config=vars(a) | config)
    for epoch in (bar := range(a.epochs)):
        run.log({"epoch": epoch, **{f"lr/{k}": v for k, v in config.items()}})
        print(f"{epoch:>3d}/{len(bar)} {json.dumps({'lr': LR})}")
