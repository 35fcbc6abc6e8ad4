#line 1 "kjit prelude"
#line 3 "loops_share_a_counter.k"
extern "C" __global__ void k(long long *out, long long out_0)
{
    for (long long _i = 0; _i < 3; _i++) {
#line 4 "loops_share_a_counter.k"
        long long i = _i;
        for (long long _i_2 = 0, _i_2_stop = i + 2; _i_2 < _i_2_stop; _i_2++) {
            i = _i_2;
#line 6 "loops_share_a_counter.k"
            out[0] = (long long)((unsigned long long)out[0] + i);
        }
#line 7 "loops_share_a_counter.k"
        out[1] = (long long)((unsigned long long)out[1] + i);
    }
}

