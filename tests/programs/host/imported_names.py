"""Names of other files, and of functions around a kernel, are what they are when it is compiled."""
import numpy as np
from numba import cuda

from parts import settings
from parts.settings import BASE as B
from parts.settings import N, more, set_n

y = np.zeros(6)
A = 4
(C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17, C18, C19, C20,
 C21, C22, C23, C24, C25, C26, C27, C28, C29, C30, C31, C32, C33, C34, C35, C36, C37, C38, C39,
 C40, C41, C42, C43, C44, C45, C46, C47, C48, C49, C50, C51, C52, C53, C54, C55, C56, C57, C58,
 C59, C60, C61, C62, C63, C64, C65, C66, C67, C68, C69) = [2 * i for i in range(70)]


@cuda.jit
def early(y):
    y[0] = settings.BASE
    y[1] = settings.N
    y[2] = more(100)
    y[3] = N
    y[4] = B
    y[5] = settings.more(1000)


@cuda.jit
def later(y):
    y[0] = settings.N
    y[1] = more(100)
    y[2] = N


@cuda.jit(device=True)
def plus(x):
    return x + A


def make(A, N=2):
    @cuda.jit
    def inner(y):
        y[0] = more(N)
        y[1] = settings.N
        y[2] = plus(A)
        y[3] = A

    return inner


@cuda.jit
def own(y):
    y[0] = N


@cuda.jit
def many(y):
    y[0] = (C0 + C1 + C2 + C3 + C4 + C5 + C6 + C7 + C8 + C9 + C10 + C11 + C12 + C13 + C14 + C15
              + C16 + C17 + C18 + C19 + C20 + C21 + C22 + C23 + C24 + C25 + C26 +
              C27 + C28 + C29 + C30 + C31 + C32 + C33 + C34 + C35 + C36 + C37 + C38
              + C39 + C40 + C41 + C42 + C43 + C44 + C45 + C46 + C47 + C48 + C49 +
              C50 + C51 + C52 + C53 + C54 + C55 + C56 + C57 + C58 + C59 + C60 + C61
              + C62 + C63 + C64 + C65 + C66 + C67 + C68 + C69)


set_n(7)
early[1, 1](y)
print(y)
set_n(9)
later[1, 1](y)
print(y)
one, two = make(1), make(5, 6)
two[1, 1](y)
print(y)
one[1, 1](y)
print(y)
N = 5
own[1, 1](y)
print(y)
many[1, 1](y)
print(y)
for step in (1, 2):
    if step == 1:
        from parts.settings import BASE as K
    else:
        K = step

    @cuda.jit
    def again(y):
        y[0] = K

    again[1, 1](y)
    print(y)
