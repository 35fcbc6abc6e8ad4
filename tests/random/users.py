"""Random kernels as different people write them, of one family a seed.

    made = program(seed); made.text, made.outputs

nests.py has loops in loops of any bounds; folds.py phases along rows; stretches.py
loops over all that lies in one stretch; borders.py windows; tallies.py elements that data choose; meets.py blocks
that share memory; warps.py warps that exchange values; wholes.py integers beside each other;
axes.py arrays of three to five axes; corners.py loops from the thread's index, gathers of every
s-th element, while loops, warps and what else these lack; arms.py branches that set what both arms go by; far.py
integers at the ends of their types; glued.py several of these kernels in one. Where floats are rounded the order shows:
those kernels are compiled without fma, or their products are exact."""
import arms
import axes
import borders
import corners
import far
import folds
import glued
import meets
import nests
import stretches
import tallies
import warps
import wholes

FAMILIES = (folds, nests, stretches, borders, tallies, folds, meets, wholes, axes, axes, corners, corners,
            warps, arms, far, glued)


def program(seed, options="", without=()):
    return FAMILIES[seed % len(FAMILIES)].program(seed, options, without)
