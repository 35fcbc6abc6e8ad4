# The embedded programs that share a process or a machine with others: several devices, MPI.
case $BUILD in /*) library=$BUILD ;; *) library=$ROOT/$BUILD ;; esac
flags="-Wall -Wextra -Werror -I$ROOT/include -L$library -Wl,-rpath,$library"
embed=$ROOT/examples/embed
# mpirun keeps its sockets below TMPDIR, whose name must be short, and refuses root unless told.
mpi()
{
    env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 TMPDIR=/tmp \
        timeout -k 9 600 mpirun --oversubscribe "$@"
}
# Sanitizers want to be loaded before programs that lack them.
case $BUILD in
    *asan* | *tsan*) ;;
    *)
        holds ${CC:-cc} "$embed/devices.c" $flags -lkjit -lpthread -o devices
        expect 0 ./devices
        says out '^[0-9]+ devices: ([0-9]+), and it should be \1$'
        if command -v mpicc >/dev/null && command -v mpirun >/dev/null; then
            holds mpicc "$embed/mpi.c" $flags -lkjit -lm -o mpi
            for ranks in 1 2 4; do
                for way in direct staged; do
                    expect 0 mpi -n $ranks ./mpi $way
                    says out "^$ranks ranks, 1200 cells: 0 differ from the serial result$"
                done
            done
        else
            echo '13 skipped: mpicc and mpirun are not installed (libopenmpi-dev, openmpi-bin)'
        fi
        ;;
esac
# What needs a GPU to run can be compiled without.
if command -v nvcc >/dev/null; then
    holds nvcc -c "-I$ROOT/include" "$embed/cuda_runtime.cu" -o cuda_runtime.o
else
    echo '1 skipped: nvcc is not installed'
fi
