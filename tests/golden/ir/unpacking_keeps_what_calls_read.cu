#line 1 "kjit prelude"
typedef struct array_i64_1 {
    long long *data;
    long long shape[1], strides[1];
} array_i64_1;

static __device__ inline array_i64_1 make_array_i64_1(const void *data, long long n0, long long s0)
{
    array_i64_1 made = { (long long *)data, { n0 }, { s0 } };

    return made;
}

#line 1 "unpacking_keeps_what_calls_read.k"
static __device__ long long first(array_i64_1 a)
{
#line 2 "unpacking_keeps_what_calls_read.k"
    return a.data[0];
}



extern "C" __global__ void k(long long *out, long long out_0)
{
#line 8 "unpacking_keeps_what_calls_read.k"
    long long _item = first(make_array_i64_1(out, out_0, 8));
#line 8 "unpacking_keeps_what_calls_read.k"
    out[0] = 5;
    long long y = _item;
#line 9 "unpacking_keeps_what_calls_read.k"
    out[1] = y;
}

