# For scripts of cli.sh: kernels and programs over several ranks against one device. Memory that a
# rank does not hold is poisoned.
export KJIT_CACHE=$KERNELS
WHOLE=${BUILD:-$ROOT/build}/tests/ranks/whole
case $WHOLE in /*) ;; *) WHOLE=$ROOT/$WHOLE ;; esac

# Kernels by blocks as they are written, so that small launches have parts for all.
cp "$ROOT/tests/ranks/kernels.k" more.k
E=$ROOT/examples
SET="more.k $(echo "$ROOT"/tests/golden/many/*.k) $E/life.k $E/matmul.k
    $E/convolution.k:smooth_shared $E/reduce.k:sum_all $E/hist_shared.k:histogram_shared
    $E/transpose.k:transpose_shared"
whole() # COMMAND...: it compares at least 25 kernels, each twice
{
    # shellcheck disable=SC2086 # words
    expect 0 env KJIT_MANY_POISON=1 timeout 300 "$@" -p none $SET
    says out '^([5-9][0-9]|[1-9][0-9]{2,}) passed, 0 failed'
}

PROGRAMS="heat life kmeans cg nbody pagerank lattice mandelbrot filter fourier bitonic oddeven
    regression options_prices bfs scan sieve pi bootstrap"
mkdir all
for program in $PROGRAMS; do
    sed 's/^if __name__ ==.*/if True:/' "$ROOT/tests/programs/host/$program.py" >all/$program.py
    echo "import $program"
    cat "$ROOT/tests/programs/host/$program.out" >&3
done >all/all.py 3>all/wanted
echo 'print("all")' >>all/all.py
echo all >>all/wanted
together() # COMMAND...: all programs print what one device does
{
    expect 0 env KJIT_MANY_POISON=1 timeout 300 "$@" all/all.py
    tr -d '\r' <out >got
    holds cmp got all/wanted
}

has_mpi() # Open MPI's launcher
{
    command -v mpirun >/dev/null && mpirun --version 2>/dev/null | grep -q 'Open MPI'
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=self,vader,tcp OMPI_MCA_hwloc_base_binding_policy=none

# mpirun may end before it has handed on what a rank said last: each says it to a file.
cat >speaks.sh <<'S'
#!/bin/sh
exec "$@" 2>said.$OMPI_COMM_WORLD_RANK
S
chmod +x speaks.sh
heard() # COMMAND...: one that has mpirun run ./speaks.sh, and then what ranks have said
{
    rm -f said.*
    "$@"
    status=$?
    cat said.* >&2
    return $status
}
