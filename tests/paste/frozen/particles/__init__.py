from particles.kernels import push, deposit
from particles import config as cfg
