# The kernels and programs of tests/cli/ranks.sh and ranks_programs.sh on more numbers of ranks.
. "$ROOT/tests/ranks/compare.sh"
if ! has_mpi; then
    skips 6 'there is no mpirun of Open MPI'
    return 0
fi
for ranks in 3 4 7; do
    KJIT_PASSES=none whole mpirun -n $ranks "$WHOLE"
    together mpirun -n $ranks "$KJIT" run --device cpu
done
