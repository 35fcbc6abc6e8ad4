== either ==
#line 1 "kjit prelude"
/* a % b, with the sign of b; 0 where C has no answer. */
static __device__ inline long long floor_mod_i64(long long a, long long b)
{
    long long rest;

    if (b == 0 || b == -1)
        return 0;
    rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* The same number, of which the compiler then knows nothing. */
static __device__ inline long long hidden_i64(long long number)
{
    asm("" : "+l"(number));
    return number;
}

/* The same address, of which the compiler then knows nothing. */
static __device__ inline void *hidden_address(void *address)
{
    asm("" : "+l"(address));
    return address;
}

typedef struct array_i32_1 {
    int *data;
    long long shape[1], strides[1];
} array_i32_1;

static __device__ inline array_i32_1 make_array_i32_1(const void *data, long long n0, long long s0)
{
    array_i32_1 made = { (int *)data, { n0 }, { s0 } };

    return made;
}

#line 7 "own_among_others.k"
extern "C" __global__ void either(int *rows, long long rows_0, long long rows_1, const int *keys,
        long long keys_0)
{
    int own_at[4];
    int (&own)[4] = *(int (*)[4])hidden_address(own_at);
    int only[4];
#line 8 "own_among_others.k"
    int t = threadIdx.x;


    only[0] = keys[t];
    array_i32_1 h = ((long long)keys[t] & 1) != 0 ?
            make_array_i32_1(&rows[t * rows_1], rows_1, 4) : make_array_i32_1(own, 4, 4);
#line 13 "own_among_others.k"
    h.data[hidden_i64(floor_mod_i64(only[0], 4))] = (int)((long long)t + 1);
}

== turns ==
#line 1 "kjit prelude"
/* The same address, of which the compiler then knows nothing. */
static __device__ inline void *hidden_address(void *address)
{
    asm("" : "+l"(address));
    return address;
}

typedef struct array_i32_1 {
    int *data;
    long long shape[1], strides[1];
} array_i32_1;

static __device__ inline array_i32_1 make_array_i32_1(const void *data, long long n0, long long s0)
{
    array_i32_1 made = { (int *)data, { n0 }, { s0 } };

    return made;
}

#line 19 "own_among_others.k"
extern "C" __global__ void turns(int *rows, long long rows_0, long long rows_1, long long n)
{
    int own_at[4];
    int (&own)[4] = *(int (*)[4])hidden_address(own_at);
#line 20 "own_among_others.k"
    int t = threadIdx.x;

    array_i32_1 g = make_array_i32_1(&rows[t * rows_1], rows_1, 4);
    array_i32_1 h = make_array_i32_1(own, 4, 4);
    for (long long i = 0; i < n; i++) {
        array_i32_1 _item = h;
#line 24 "own_among_others.k"
        h = g;
        g = _item;
#line 25 "own_among_others.k"
        h.data[i % 4] = (int)(t + i);
    }
}

== own_ones ==
#line 1 "kjit prelude"
typedef struct array_i32_1 {
    int *data;
    long long shape[1], strides[1];
} array_i32_1;

static __device__ inline array_i32_1 make_array_i32_1(const void *data, long long n0, long long s0)
{
    array_i32_1 made = { (int *)data, { n0 }, { s0 } };

    return made;
}

#line 31 "own_among_others.k"
extern "C" __global__ void own_ones(int *out, long long out_0, long long n)
{
    int a[4];
    int b[4];
#line 32 "own_among_others.k"
    int t = threadIdx.x;


    for (long long i = 0; i < 4; i++) {
        long long _value = t + i;
#line 36 "own_among_others.k"
        a[i] = (int)_value;
#line 36 "own_among_others.k"
        b[i] = (int)_value;
    }
    array_i32_1 h = make_array_i32_1(a, 4, 4);
    array_i32_1 g = make_array_i32_1(b, 4, 4);
#line 38 "own_among_others.k"
    for (long long i_2 = 0; i_2 < n; i_2++) {
        array_i32_1 _item = h;
        h = g;
#line 39 "own_among_others.k"
        g = _item;
        h.data[i_2 % 4] = (int)((long long)h.data[i_2 % 4] + g.data[(i_2 + 1) % 4]);
    }
#line 41 "own_among_others.k"
    out[t] = (int)((long long)a[1] + b[2]);
}

