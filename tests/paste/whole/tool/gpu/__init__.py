from . import poisson, reduce_
