#line 1 "kjit prelude"
typedef struct KjitFault {
    unsigned int code, block[3], thread[3];
    long long integers[6];
    double floats[6];
} KjitFault;

/* a // b, rounded down; 0 where C has no answer. */
static __device__ inline long long floor_div_i64(long long a, long long b)
{
    long long quotient;

    if (b == 0)
        return 0;
    if (b == -1) {
        quotient = (long long)(0 - (unsigned long long)a);
        return quotient == a ? 0 : quotient;
    }
    quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/* What follows i in a count by `step`: never beyond `stop`, so that nothing overflows. */
static __device__ inline long long range_next_i64(long long i, long long stop, long long step)
{
    unsigned long long left = step > 0 ? (unsigned long long)stop - (unsigned long long)i : (unsigned long long)i - (unsigned long long)stop;
    unsigned long long stride = step > 0 ? (unsigned long long)step : 0 - (unsigned long long)step;

    return left <= stride ? stop : (long long)(i + step);
}

/* Whether a count by `step` that is at i goes on. */
static __device__ inline bool range_short_i64(long long i, long long stop, long long step)
{
    return step > 0 ? i < stop : step < 0 && i > stop;
}

/* Writes down what happened where, unless another thread was first: then it gives false. */
static __device__ inline bool report_fault(KjitFault *fault, unsigned int code, uint3 block, uint3 thread)
{
    if (atomicCAS(&fault->code, 0u, code) != 0)
        return false;
    fault->block[0] = block.x;
    fault->block[1] = block.y;
    fault->block[2] = block.z;
    fault->thread[0] = thread.x;
    fault->thread[1] = thread.y;
    fault->thread[2] = thread.z;
    return true;
}

/* a % b, with the sign of b; 0 where C has no answer. As far_div_i64() does it. */
static __device__ __noinline__ long long far_mod_i64(long long a, long long b)
{
    const bool below = b < 0, turns = below ? a > 0 : a < 0;
    const unsigned long long by = below ? 0 - (unsigned long long)b : b;
    const unsigned long long size = below ? 0 - (unsigned long long)a : a;
    const unsigned long long of = turns ? ~size : size;

    if (b == 0)
        return 0;
    unsigned long long rest = (of | by) >> 32 ? of % by : (unsigned int)of % (unsigned int)by;
    rest = turns ? by - 1 - rest : rest;
    return (long long)(below ? 0 - rest : rest);
}

/* The same, of what goes around once, as an index of a ring does, without a division. */
static __device__ inline long long wide_mod_i64(long long a, long long b)
{
    const unsigned long long near = (unsigned long long)a - (a < 0 ? 0 - (unsigned long long)b : b);
    const bool within = (unsigned long long)a < (unsigned long long)b;

    if (b > 0 && (within || near < (unsigned long long)b))
        return within ? a : (long long)near;
    return far_mod_i64(a, b);
}

/* Index i of an axis of n elements: negative ones count from the end. */
static __device__ inline long long wrap(long long i, long long n)
{
    return i < 0 ? i + n : i;
}

typedef struct tuple_i64_i64_i64_i64 {
    long long _0;
    long long _1;
    long long _2;
    long long _3;
} tuple_i64_i64_i64_i64;

static __device__ inline tuple_i64_i64_i64_i64 make_tuple_i64_i64_i64_i64(long long _0,
        long long _1, long long _2, long long _3)
{
    tuple_i64_i64_i64_i64 made = { _0, _1, _2, _3 };

    return made;
}

static __device__ inline long long item_of_tuple_i64_i64_i64_i64(tuple_i64_i64_i64_i64 tuple,
        long long i)
{
    if (i == 0)
        return tuple._0;
    if (i == 1)
        return tuple._1;
    if (i == 2)
        return tuple._2;
    return tuple._3;
}

#line 3 "debug_finds_what_python_raises.k"
extern "C" __global__ void k(double *out, long long out_0, long long n, KjitFault *fault)
{
    tuple_i64_i64_i64_i64 t = make_tuple_i64_i64_i64_i64(1, 2, 3, 4);
    long long _step = (long long)((unsigned long long)n - 5);
#line 5 "debug_finds_what_python_raises.k"
    if (_step == 0) {
#line 5 "debug_finds_what_python_raises.k"
        report_fault(fault, 1, blockIdx, threadIdx);
        return;
    }
#line 5 "debug_finds_what_python_raises.k"
    for (long long i = n; range_short_i64(i, -1, _step); i = range_next_i64(i, -1, _step)) {
        long long _index = i;
        if (_index < -4 || _index >= 4) {
#line 6 "debug_finds_what_python_raises.k"
            if (report_fault(fault, 2, blockIdx, threadIdx)) {
                fault->integers[0] = _index;
                fault->integers[1] = 4;
            }
            return;
        }
#line 6 "debug_finds_what_python_raises.k"
        double _divisor = n;
        if (!(_divisor != 0)) {
#line 6 "debug_finds_what_python_raises.k"
            report_fault(fault, 3, blockIdx, threadIdx);
            return;
        }
#line 6 "debug_finds_what_python_raises.k"
        long long _divisor_2 = (long long)((unsigned long long)i + 1);
        if (!(_divisor_2 != 0)) {
#line 6 "debug_finds_what_python_raises.k"
            report_fault(fault, 4, blockIdx, threadIdx);
            return;
        }
#line 6 "debug_finds_what_python_raises.k"
        long long _index_2 = i;
        if (_index_2 < -out_0 || _index_2 >= out_0) {
#line 6 "debug_finds_what_python_raises.k"
            if (report_fault(fault, 5, blockIdx, threadIdx)) {
                fault->integers[0] = _index_2;
                fault->integers[1] = out_0;
            }
            return;
        }
#line 6 "debug_finds_what_python_raises.k"
        out[wrap(_index_2, out_0)] = item_of_tuple_i64_i64_i64_i64(t, _index < 0 ?
                (long long)((unsigned long long)_index + 4) : _index) / _divisor +
                wide_mod_i64(7, _divisor_2) + floor_div_i64(n, 2);
    }
}

