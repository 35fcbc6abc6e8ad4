"""Gamma, beta, counts and others: the numbers that NumPy draws, of both kinds of generators."""
import numpy as np
for make in (np.random.default_rng, np.random.RandomState):
    r = make(12)
    print(r.poisson(3, 8), r.poisson(25.5, 8), r.poisson(1000, 3), r.poisson([0, 1, 50]), r.poisson(), type(r.poisson(2)).__name__ in ("int", "int64"))
    print(r.binomial(10, 0.3, 8), r.binomial(100, 0.4, 8), r.binomial(1000, 0.7, 8), r.binomial(5, [0, 1, .5]), r.binomial(10 ** 6, 0.5, 4), r.binomial(n=3, p=.5), r.binomial(4000, .01, 5), r.binomial(50000, .3, 6))
    print(r.geometric(0.5, 5), r.geometric(0.1, 5), r.geometric(1 / 3, 3))
    print(r.gamma(2.0, 3.0, 4), r.gamma(0.5), r.standard_gamma(1.0), r.standard_gamma(7.5, size=2), r.gamma([1, 2, .3]), r.gamma(0))
    print(r.beta(2, 3, 3), r.beta(.5, .5, 3), r.chisquare(3, 2), r.laplace(1, 2, 3), r.laplace(), r.weibull(1.5, 3))
    print(r.poisson(7, size=(2, 3)).dtype, r.poisson(4, 2000).mean(), r.binomial(60, .9, 2000).sum(), r.gamma(3, size=500).sum(), r.poisson(80, 2000).sum(), r.binomial(300, .45, 3000).sum())
    for f in (lambda: r.poisson(-1), lambda: r.binomial(3, 1.5), lambda: r.binomial(-1, .5), lambda: r.gamma(-1), lambda: r.beta(0, 1)):
        try: f()
        except ValueError as e: print(e)
np.random.seed(8); print(np.random.poisson(5, 4), np.random.binomial(20, .5, 4), np.random.gamma(2), np.random.beta(1, 2), np.random.geometric(.2), np.random.chisquare(2), np.random.weibull(2), np.random.laplace())
