# Programs over several ranks print what they print on one device, however many ranks there are.
# Memory that a rank does not hold is poisoned.
export KJIT_CACHE=$KERNELS
P=$ROOT/tests/programs/host
beside() # RANKS PROGRAM...
{
    ranks=$1
    shift
    for program; do
        for n in $ranks; do
            expect 0 env KJIT_MANY_POISON=1 "$KJIT" run "$P/$program.py" --devices cpu:"$n"
            cp out got
            holds cmp got "$P/$program.out"
        done
    done
}
beside '2 4 7' heat life kmeans cg nbody pagerank lattice
beside '2 7' mandelbrot filter fourier bitonic oddeven regression options_prices
