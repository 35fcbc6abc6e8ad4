#line 1 "kjit prelude"
#line 3 "walrus_in_a_loop_condition.k"
extern "C" __global__ void k(long long n, long long *out, long long out_0)
{
    long long n_2 = n;
#line 4 "walrus_in_a_loop_condition.k"
    while (true) {
        n_2 = (long long)((unsigned long long)n_2 - 1);
#line 4 "walrus_in_a_loop_condition.k"
        if (n_2 <= 0)
            break;
#line 5 "walrus_in_a_loop_condition.k"
        out[0] = (long long)((unsigned long long)out[0] + n_2);
    }
#line 6 "walrus_in_a_loop_condition.k"
    out[1] = n_2;
    for (long long _i = 0; _i < 4; _i++) {
        long long i = _i;
        i = (long long)((unsigned long long)i * 2);
#line 8 "walrus_in_a_loop_condition.k"
        out[2] = (long long)((unsigned long long)out[2] + i);
    }
}

