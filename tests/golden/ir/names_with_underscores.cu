#line 1 "kjit prelude"
#line 3 "names_with_underscores.k"
extern "C" __global__ void k(long long *out, long long out_0)
{
#line 4 "names_with_underscores.k"
    long long _a = (long long)((unsigned long long)out[0] + 3);
    long long b = _a;
    out[1] = _a;
    out[2] = b;
    long long _b = (long long)((unsigned long long)out[1] + 4);
    long long _item = _a;
    _a = _b;
#line 9 "names_with_underscores.k"
    _b = _item;
    out[3] = _a;
    out[4] = _b;
}

