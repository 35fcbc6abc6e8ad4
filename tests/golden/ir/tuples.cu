#line 1 "kjit prelude"
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

#line 3 "tuples.k"
extern "C" __global__ void k(const float *x, long long x_0, float *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    tuple_i64_i64_i64_i64 u = make_tuple_i64_i64_i64_i64(3, 5, 7, 9);
    long long _index = i % 4;
#line 7 "tuples.k"
    out[i] = (float)(3.5 + i + item_of_tuple_i64_i64_i64_i64(u, _index < 0 ? _index + 4 : _index) +
            4.0);
    if (i == 1 || i == 3)
#line 9 "tuples.k"
        out[i] = 0.0f;
    for (long long _i = 0; _i < 4; _i++) {
        long long v = item_of_tuple_i64_i64_i64_i64(u, _i);
#line 11 "tuples.k"
        out[i] = (float)((double)out[i] + (long long)((unsigned long long)v * 1000));
    }
}

