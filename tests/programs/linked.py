import numpy as np


def results():
    return {"x": np.arange(8, dtype=np.float32) / 2}


def pointers():
    rows = np.zeros((4, 5), np.int32)
    for i in range(4):
        rows[i, :5 - i] = np.arange(5 - i)
    return {"rows": rows}


def as_c_calls():
    return {"x": np.arange(8, dtype=np.uint32) * np.uint32(2654435761) ^ np.uint32(5)}
