from numba import cuda
import numpy as np
from tqdm import tqdm, trange
import h5py
import click

GRID = 512
MAXIMUM = 4
OFFSETS = ((0, 1), (1, 0), (0, -1), (-1, 0))
N_NEIGHBOURS = len(OFFSETS)


@cuda.jit
def topple(pile, out, changed):
    x, y = cuda.grid(2)
    if x < pile.shape[0] and y < pile.shape[1]:
        n = pile[x, y]
        new = n % MAXIMUM
        for o in OFFSETS:
            i = x + o[0]
            j = y + o[1]
            if 0 <= i < pile.shape[0] and 0 <= j < pile.shape[1]:
                new += pile[i, j] // N_NEIGHBOURS
        out[x, y] = new
        if new >= MAXIMUM:
            changed[0] = 1


@cuda.jit
def drop(pile, xs, ys, grains):
    k = cuda.grid(1)
    if k < len(xs):
        cuda.atomic.add(pile, (xs[k], ys[k]), grains)


@click.command(context_settings=dict(help_option_names=["-h", "--help"]))
@click.option("--grains", default=1 << 16, show_default=True, help="How many.")
@click.argument('output', type=click.Path(dir_okay=False))
@click.pass_context
def cli(ctx, grains, output):
    pile = np.zeros((GRID,) * 2, dtype=np.int32)
    pile[GRID // 2, GRID // 2] = grains
    changed = np.ones(1, np.int32)
    with tqdm(total=None) as bar, \
            h5py.File(output, 'w') as f:
        while changed[0]:
            changed[0] = 0
            out = np.empty_like(pile)
            topple[(32, 32), (16, 16)](pile, out, changed)
            pile, out = out, pile
            bar.update()
        f.create_dataset("pile", data=pile, compression="gzip")


if __name__ == "__main__":
    cli()
