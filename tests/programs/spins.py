"""What the kernels of spins.k must leave."""
import numpy as np


def _ints(*values):
    return np.array(values, np.int32)


def lock_by_cas():
    return {"count": _ints(384, 384), "lock": _ints(0)}


def lock_tried_in_a_branch():
    return {"count": _ints(384, 0), "lock": _ints(0)}


def ticket_lock():
    return {"count": _ints(300), "order": np.arange(300, dtype=np.int32), "turns": _ints(300, 300)}


def lock_of_a_block():
    sums = np.zeros(64, np.int32)
    for _ in range(12):
        sums += sums[::-1] + 1
    return {"sums": sums}


def two_locks_in_order():
    return {"meals": np.full(5, 10, np.int32), "forks": np.zeros(5, np.int32)}


def lock_beside_a_histogram():
    return {"counts": _ints(*np.bincount(np.arange(512) % 3), 0), "most": _ints(453)}


def lower_waits_for_higher():
    return {"out": _ints(8, 5, 7)}


higher_waits_for_lower = lower_waits_for_higher


def chain_through_shared_memory():
    return {"out": np.tile(np.arange(128, 0, -1, dtype=np.int32), 2)}


def tries_are_counted():
    return {"x": _ints(9), "out": _ints(*[9] * 7, 0), "tries": _ints(*[1] * 7, 0)}


def two_in_turns():
    return {"out": _ints(40, 39), "steps": _ints(40)}


def the_last_block_produces():
    return {"out": _ints(*[11] * 39, 1)}


def the_first_block_produces():
    return {"out": _ints(1, *[11] * 39)}


def a_block_looks_together():
    return {"out": _ints(*[6] * 32, *[0] * 32)}


def barrier_of_all_blocks():
    return {"out": np.arange(280, dtype=np.int32)[::-1]}


def from_the_last_to_the_first():
    return {"out": np.arange(500)[::-1].cumsum()[::-1]}


def look_back_scan():
    return {"out": np.arange(1600).cumsum()}


def flag_between_grid_barriers():
    return {"out": np.arange(128, dtype=np.int32)[::-1] + 3}


def free_of_locks():
    return {"x": np.array([256.0])}


def hash_table():
    return {"found": np.arange(1, 257, dtype=np.int32)}
