#line 1 "kjit prelude"
typedef struct tuple_i64_i64_i64 {
    long long _0;
    long long _1;
    long long _2;
} tuple_i64_i64_i64;

static __device__ inline tuple_i64_i64_i64 make_tuple_i64_i64_i64(long long _0, long long _1,
        long long _2)
{
    tuple_i64_i64_i64 made = { _0, _1, _2 };

    return made;
}

static __device__ inline long long item_of_tuple_i64_i64_i64(tuple_i64_i64_i64 tuple, long long i)
{
    if (i == 0)
        return tuple._0;
    if (i == 1)
        return tuple._1;
    return tuple._2;
}

#line 1 "star_arguments.k"
static __device__ long long total(tuple_i64_i64_i64 args)
{
    long long s = 0;
    for (long long _i = 0; _i < 3; _i++) {
#line 3 "star_arguments.k"
        long long a = item_of_tuple_i64_i64_i64(args, _i);
        s = (long long)((unsigned long long)s + a);
    }
    return s;
}


extern "C" __global__ void k(double *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 12 "star_arguments.k"
    out[i] = total(make_tuple_i64_i64_i64(1, 2, i));
}

