/* What launchers say of a process: Open MPI's mpirun; that of MPICH and its relatives, and srun
** --mpi=pmi2; MVAPICH2's; torchrun, and others that set its variables. */
#include "runtime/many/engine.h"

/* The number in the first variable that is set; -1: none is. */
static int number_of(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = getenv(names[i]);
        char *end = NULL;
        long number = text ? strtol(text, &end, 10) : -1;
        if (text && end != text && !*end && number >= 0 && number < 1 << 20)
            return (int)number;
    }
    return -1;
}

static int ranks_of_mpi(void)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                         "MV2_COMM_WORLD_SIZE" };
    return number_of(names, ARRAY_COUNT(names));
}

int launcher_rank(void)
{
    static const char *const name = "RANK";
    return number_of(&name, 1);
}

/* Without the others a variable of this name may mean anything. */
static int ranks_of_torch(void)
{
    static const char *const name = "WORLD_SIZE";
    int ranks = getenv("MASTER_ADDR") ? number_of(&name, 1) : -1;

    return launcher_rank() < ranks && launcher_rank() >= 0 ? ranks : -1;
}

bool launcher_is_of_mpi(void)
{
    return ranks_of_mpi() > 0;
}

int launcher_ranks(void)
{
    int ranks = launcher_is_of_mpi() ? ranks_of_mpi() : ranks_of_torch();

    return ranks > 0 ? ranks : 0;
}

int launcher_local_rank(void)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                         "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID",
                                         "LOCAL_RANK" };
    int rank = number_of(names, ARRAY_COUNT(names));

    return rank < 0 ? 0 : rank;
}

int launcher_local_ranks(void)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                         "MV2_COMM_WORLD_LOCAL_SIZE", "LOCAL_WORLD_SIZE" };
    int size = number_of(names, ARRAY_COUNT(names));

    return size < 1 ? 1 : size;
}
