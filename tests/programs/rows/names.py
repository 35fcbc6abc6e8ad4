import numpy as np

integers = [0, 1, 2, 3, 7, 5, 100, 1]
others = [3, 1, 5, 2, 2, 7, 0, 100]
v_bool, w_bool = np.array([True, False] * 4), np.array([True, True, False, False] * 2)
v_int8 = np.array([0, 1, -1, 3, -7, 5, 127, -128], dtype=np.int8)
v_int16 = np.array([0, 1, -1, 3, -7, 5, 32767, -32768], dtype=np.int16)
v_int32 = np.array([0, 1, -1, 3, -7, 5, 2147483647, -2147483648], dtype=np.int32)
v_int64 = np.array([0, 1, -1, 3, -7, 5, 9223372036854775807, -9223372036854775808])
v_uint8 = np.array([0, 1, 255, 3, 7, 5, 127, 128], dtype=np.uint8)
v_uint16 = np.array([0, 1, 65535, 3, 7, 5, 32767, 32768], dtype=np.uint16)
v_uint32 = np.array([0, 1, 4294967295, 3, 7, 5, 2147483647, 2147483648], dtype=np.uint32)
v_uint64 = v_int64.astype(np.uint64)
w_int8, w_int16, w_int32, w_int64 = [np.array([3, 2, -1, -2, 2, 0, 5, -1], dtype=d)
                                     for d in (np.int8, np.int16, np.int32, np.int64)]
w_uint8, w_uint16, w_uint32, w_uint64 = [np.array([3, 2, 1, 5, 2, 0, 7, 1], dtype=d)
                                         for d in (np.uint8, np.uint16, np.uint32, np.uint64)]
v_float64 = np.array([0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 1e-3])
w_float64 = np.array([1.0, 2.0, -0.5, 0.75, 3.0, 0.0, 1.0, -0.25])
v_float32, w_float32 = v_float64.astype(np.float32), w_float64.astype(np.float32)
v_float16, w_float16 = v_float64.astype(np.float16), w_float64.astype(np.float16)
small = np.array([[3, 1, 2], [6, 5, 0]])
m_bool, m_int8, m_int16, m_int32, m_int64, m_uint8, m_uint16, m_uint32, m_uint64 = [
    small.astype(d) for d in (bool, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16,
                              np.uint32, np.uint64)]
m_float16, m_float32, m_float64 = [(small / 2).astype(d)
                                   for d in (np.float16, np.float32, np.float64)]
cube = np.arange(24).reshape(2, 3, 4)
c_bool, c_int8, c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64 = [
    (cube % 5).astype(d) for d in (bool, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16,
                                   np.uint32, np.uint64)]
c_float16, c_float32, c_float64 = [(cube / 4).astype(d)
                                   for d in (np.float16, np.float32, np.float64)]
p_uint8, p_int32, p_int64 = [np.array([1, 2, 3, 4, 9], dtype=d)
                             for d in (np.uint8, np.int32, np.int64)]
p_float64 = np.array([0.25, 0.5, 1.0, 2.0, 3.5])
p_float32 = p_float64.astype(np.float32)
q_bool = np.array([True, False, True])
q_int8, q_int16, q_int32, q_int64 = [np.array([1, 100, 7], dtype=d)
                                     for d in (np.int8, np.int16, np.int32, np.int64)]
q_uint8, q_uint16, q_uint32, q_uint64 = [np.array([0, 100, 7], dtype=d)
                                         for d in (np.uint8, np.uint16, np.uint32, np.uint64)]
q_float16, q_float32, q_float64 = [np.array([1.5, 100.25, 0], dtype=d)
                                   for d in (np.float16, np.float32, np.float64)]
s_bool, s_int8, s_int16, s_int32, s_int64 = v_bool[0], v_int8[3], v_int16[3], v_int32[3], v_int64[3]
s_uint8, s_uint16, s_uint32, s_uint64 = v_uint8[3], v_uint16[3], v_uint32[3], v_uint64[3]
s_float16, s_float32, s_float64 = v_float16[2], v_float32[2], v_float64[2]
t_bool, t_int8, t_int16, t_int32, t_int64 = w_bool[2], w_int8[1], w_int16[1], w_int32[1], w_int64[1]
t_uint8, t_uint16, t_uint32, t_uint64 = w_uint8[1], w_uint16[1], w_uint32[1], w_uint64[1]
t_float16, t_float32, t_float64 = w_float16[3], w_float32[3], w_float64[3]
e_bool, e_int8, e_int16, e_int32, e_int64 = [v[:0] for v in (v_bool, v_int8, v_int16, v_int32, v_int64)]
e_uint8, e_uint16, e_uint32, e_uint64 = [v[:0] for v in (v_uint8, v_uint16, v_uint32, v_uint64)]
e_float16, e_float32, e_float64 = v_float16[:0], v_float32[:0], v_float64[:0]


def tenth(dtype, count):
    return ((np.arange(count) * 7919 % 1000) * 0.1).astype(dtype)


def near(x):
    """With fewer digits than functions may differ in."""
    if isinstance(x, np.ndarray) and x.ndim:
        return str(x.dtype) + str(x.shape) + " ".join(["%.5g" % y for y in x.ravel().tolist()])
    return type(x).__name__ + "%.5g" % x


def show(x):
    if isinstance(x, (list, tuple)):
        return type(x).__name__ + "[" + ", ".join([show(y) for y in x]) + "]"
    if isinstance(x, np.ndarray):
        return "array " + str(x.dtype) + str(x.shape) + " " + " ".join([str(y) for y in x.ravel()])
    if isinstance(x, np.generic):
        return repr(x)
    return repr(x)
