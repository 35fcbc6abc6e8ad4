#line 1 "kjit prelude"
#line 6 "star_import_of_a_namespace.k"
extern "C" __global__ void k(double *out, long long out_0)
{
#line 7 "star_import_of_a_namespace.k"
    out[0] = floor(sqrt(17.0)) + 3.141592653589793;
    out[1] = pow(2.0, 3.0);
}

