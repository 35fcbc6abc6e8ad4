#line 1 "kjit prelude"
#line 3 "walrus_in_an_index.k"
extern "C" __global__ void k(long long *out, long long out_0)
{
    long long i = 1;
    long long _t = i;
#line 5 "walrus_in_an_index.k"
    i++;
#line 5 "walrus_in_an_index.k"
    out[i] = _t;
    i++;
#line 6 "walrus_in_an_index.k"
    long long _t_2 = out[i];
    long long _t_3 = i;
#line 6 "walrus_in_an_index.k"
    i = 6;
#line 6 "walrus_in_an_index.k"
    out[_t_3] = (long long)((unsigned long long)_t_2 + i);
    out[7] = i;
}

