#line 1 "kjit prelude"
typedef struct tuple_i64_f64 {
    long long _0;
    double _1;
} tuple_i64_f64;

typedef struct tuple_i64_tuple_i64_f64 {
    long long _0;
    tuple_i64_f64 _1;
} tuple_i64_tuple_i64_f64;

#line 3 "tuple_argument.k"
extern "C" __global__ void k(tuple_i64_tuple_i64_f64 t, double *out, long long out_0)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#line 5 "tuple_argument.k"
    out[i] = t._0 + t._1._1 * i;
}

