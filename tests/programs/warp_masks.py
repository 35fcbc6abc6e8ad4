import numpy as np

LANES = np.arange(32)


def _int32(bits):
    return np.asarray(bits, np.int64).astype(np.uint32).astype(np.int32)


def _ballot(yes):
    return int(sum(1 << int(lane) for lane in np.flatnonzero(yes)))


def two_and_one():
    return {"out": _int32(31 - LANES)}


def each_operation():
    even, odd = 0x55555555, 0xaaaaaaaa
    out = np.zeros((4, 32), np.int64)
    for lane in range(32):
        if lane % 2 == 0:
            eight = [other for other in range(0, 32, 2) if other // 8 == lane // 8]
            out[:, lane] = (_ballot(LANES > 7) & even, sum(1 << other for other in eight), 1,
                            lane - 4 if lane >= 4 else lane)
        else:
            out[:, lane] = odd, lane ^ 6, 0, lane + 2 if lane + 2 < 32 else lane
    return {"out": _int32(out)}


def turns_of_their_own():
    v = LANES.astype(np.int64)
    for lane in range(8, 32):
        first, turns = lane // 8 * 8, lane // 8
        near = lane >> turns << turns
        v[lane] = sum(range(near, near + (1 << turns)))
        assert first <= near
    return {"out": np.tile(1000 * v + v[::-1], 2)}


def while_some_turn():
    turns = np.where(LANES % 2 == 1, 5, _ballot(LANES > 15) & 0x55555555)
    return {"out": _int32([turns, np.full(32, 0xaaaaaaaa)])}


def in_functions():
    x = np.arange(96)
    out = []
    for t in x:
        first, width = (t // 16 * 16, 16) if t % 32 < 16 else (t // 8 * 8, 8) if t % 32 < 24 else (t // 2 * 2, 2)
        out.append(sum(range(first, first + width)) + 32)
    return {"out": np.array(out, np.float32)}


def rows_of_a_block():
    x = np.arange(16)
    even, odd = x ^ 3, 15 - x
    return {"out": np.array([100 + odd, even, 300 + odd, 200 + even], np.int32)}


def planes_and_a_part():
    out = []
    for lanes in (32, 28):
        v = [0] * lanes
        for lane in range(lanes):
            v[lane] = (4 * (lane + (lane ^ 1)) if lane & 4 else
                       sum(1 for other in range(lanes) if not other & 4))
        out += [v[27 - lane % 28] for lane in range(lanes)]
    return {"out": np.array(out, np.int32).reshape(3, 4, 5)}


def in_another_turn():
    return {"out": _int32(31 - LANES)}


def masks_by_turns():
    # each half: once with itself, one apart, and once with the other half, crosswise
    all_first, all_then = LANES < 16, LANES >= 16
    alone = np.where(all_then, 2 * LANES + (LANES ^ 1), 0)
    # the lower half waits in its first turn for the upper half's second
    shared = np.where(all_first, LANES, alone)
    met = 2 * shared + shared[31 - LANES]
    return {"out": np.where(all_first, 2 * met + met[LANES ^ 1], met).astype(np.int32)}


def some_have_ended():
    out = []
    for lane in range(32):
        same = sum(1 << other for other in range(32) if other % 5 == lane % 5)
        if lane % 5 == 0:
            out.append(0)
        elif lane % 5 < 3:
            out.append(same + 1 + 1)
        else:
            out.append(bin(same).count("1") + 1)
    return {"out": _int32(out * 2)}


def part_at_one_place():
    same = np.where(LANES % 2 == 1, 0xaaaaaaaa, 0x55555555) & np.where(LANES < 16, 0xffff, 0xffff0000)
    return {"out": _int32(LANES + (LANES & 16) + same)}


def only_waits():
    return {"out": _int32((LANES + np.where(LANES < 16, 0, 100))[::-1])}


def only_votes():
    lower = _ballot((LANES < 16) & (LANES % 2 == 0)) + _ballot((LANES < 16) & (LANES % 3 == 0))
    upper = _ballot((LANES >= 16) & (LANES % 5 == 0))
    return {"out": _int32([np.where(LANES < 16, lower, upper), np.full(32, _ballot(LANES % 7 == 0))])}


def ends_behind_a_meeting():
    v = np.concatenate([31 - LANES, 63 - LANES])
    return {"out": _int32(np.where(v % 3 == 0, 0, 100 + v))}
