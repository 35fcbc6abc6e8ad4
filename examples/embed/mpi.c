/* The 1-D heat equation with MPI: each rank has a part of the rod in its device's memory, and shows
** its neighbours the cells at its ends before every step.
**
**     mpicc mpi.c -lkjit -o mpi && mpirun -n 4 ./mpi
**
** Rank k of a machine takes GPU k modulo their number, or the processor where there is none. MPI is
** given device pointers if it can read them; else, or with the argument "staged", the cells pass
** through page-locked memory of the host. At the end rank 0 computes the whole rod by itself and
** compares: the exit status says what came of it. */
#include <kjit.h>
#include <math.h>
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 1200, STEPS = 100, LEFT = 0, RIGHT = 1 };

static const char text[] = "@cuda.jit\n"
                           "def step(old, new, r):\n"
                           "    i = cuda.grid(1) + 1\n"
                           "    if i < old.size - 1:\n"
                           "        new[i] = old[i] + r * (old[i - 1] - 2 * old[i] + old[i + 1])\n";
static const double r = 0.25;

/* A part of the rod, with a cell of each neighbour's at its ends. */
typedef struct Part {
    int rank, ranks, cells, first;
    int direct; /* MPI gets device pointers */
    kjit_context *context;
    kjit_kernel *step;
    kjit_array old, new; /* on the device */
    kjit_array staged;   /* page-locked: the cell to send and the one that comes, left and right */
} Part;

/* No rank can go on without the others. */
static void must(kjit_status status)
{
    if (status == KJIT_OK)
        return;
    fprintf(stderr, "%s\n", kjit_error_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double initial(int cell)
{
    return sin(0.01 * cell) + (cell % 97 == 0);
}

static int mpi_reads_devices(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    return MPIX_Query_cuda_support();
#else
    return 0;
#endif
}

static void open_device(Part *part)
{
    char name[24] = "cpu";
    kjit_open_options options = { .size = sizeof options, .device = name };
    kjit_module *module;
    MPI_Comm machine;
    int local, gpus = kjit_gpu_count();

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local);
    MPI_Comm_free(&machine);
    if (gpus)
        snprintf(name, sizeof name, "cuda:%d", local % gpus);
    must(kjit_open(&options, &part->context));
    must(kjit_load_source(part->context, text, "heat.k", NULL, &module));
    must(kjit_get_kernel(module, "step", &part->step));
    part->direct = !gpus || mpi_reads_devices(); /* the processor's arrays are plain memory */
}

static void set_up(Part *part)
{
    kjit_array_options locked = { .size = sizeof locked, .memory = KJIT_MEMORY_PINNED };

    part->first = (int)((long)CELLS * part->rank / part->ranks);
    part->cells = (int)((long)CELLS * (part->rank + 1) / part->ranks) - part->first;
    int64_t length = part->cells + 2, four = 4;
    double *values = calloc((size_t)length, sizeof *values);
    if (!values)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < part->cells; i++)
        values[i + 1] = initial(part->first + i);
    kjit_array host = kjit_host_array(values, KJIT_DTYPE_FLOAT64, 1, &length);
    must(kjit_to_device(part->context, &host, &part->old));
    must(kjit_to_device(part->context, &host, &part->new));
    must(kjit_array_new(part->context, KJIT_DTYPE_FLOAT64, 1, &four, &locked, &part->staged));
    free(values);
}

static kjit_array cell(const kjit_array *array, int64_t index)
{
    const kjit_slice where = KJIT_SPAN(index, index + 1);
    kjit_array view;

    must(kjit_array_slice(array, &where, 1, &view));
    return view;
}

/* Sends the end of the part to the neighbour on one side, and gets that of the other's side. */
static void exchange(Part *part, int side)
{
    int left = part->rank > 0 ? part->rank - 1 : MPI_PROC_NULL;
    int right = part->rank + 1 < part->ranks ? part->rank + 1 : MPI_PROC_NULL;
    int to = side == LEFT ? left : right, source = side == LEFT ? right : left;
    kjit_array end = cell(&part->old, side == LEFT ? 1 : part->cells);
    kjit_array halo = cell(&part->old, side == LEFT ? part->cells + 1 : 0);
    kjit_array out = cell(&part->staged, 2 * side), in = cell(&part->staged, 2 * side + 1);

    if (part->direct) { /* MPI does not wait for kernels */
        must(kjit_synchronize(part->context));
        MPI_Sendrecv(end.data, 1, MPI_DOUBLE, to, 0, halo.data, 1, MPI_DOUBLE, source, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    must(kjit_copy(part->context, &out, &end));
    MPI_Sendrecv(out.data, 1, MPI_DOUBLE, to, 0, in.data, 1, MPI_DOUBLE, source, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (source != MPI_PROC_NULL)
        must(kjit_copy(part->context, &halo, &in));
}

static void run(Part *part)
{
    for (int i = 0; i < STEPS; i++) {
        exchange(part, LEFT);
        exchange(part, RIGHT);
        must(KJIT_CALL(part->step, KJIT_GRID((uint32_t)(part->cells + 127) / 128), KJIT_BLOCK(128),
                       part->old, part->new, r));
        kjit_array was = part->old;
        part->old = part->new;
        part->new = was;
    }
}

/* The whole rod on rank 0, as the ranks have it and as it should be; 1 if they differ. */
static int check(Part *part)
{
    static double whole[CELLS], old[CELLS + 2], new[CELLS + 2];
    int counts[part->ranks], firsts[part->ranks], wrong = 0;
    double *mine = malloc((size_t)part->cells * sizeof *mine);
    int64_t length = part->cells;
    kjit_array host = kjit_host_array(mine, KJIT_DTYPE_FLOAT64, 1, &length), inside;
    const kjit_slice where = KJIT_SPAN(1, -1);

    must(kjit_array_slice(&part->old, &where, 1, &inside));
    must(kjit_copy(part->context, &host, &inside));
    MPI_Gather(&part->cells, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(&part->first, 1, MPI_INT, firsts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(mine, part->cells, MPI_DOUBLE, whole, counts, firsts, MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
    free(mine);
    for (int i = 0; i < CELLS; i++)
        old[i + 1] = initial(i);
    for (int k = 0; k < STEPS; k++) {
        for (int i = 1; i <= CELLS; i++)
            new[i] = old[i] + r *(old[i - 1] - 2 * old[i] + old[i + 1]);
        memcpy(old, new, sizeof old);
    }
    for (int i = 0; i < CELLS && part->rank == 0; i++)
        wrong += !(fabs(whole[i] - old[i + 1]) < 1e-12);
    MPI_Bcast(&wrong, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (part->rank == 0)
        printf("%d ranks, %d cells: %d differ from the serial result\n", part->ranks, CELLS, wrong);
    return wrong != 0;
}

int main(int argc, char **argv)
{
    Part part = { 0 };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &part.ranks);
    open_device(&part);
    if (argc > 1 && strcmp(argv[1], "staged") == 0)
        part.direct = 0;
    set_up(&part);
    printf("rank %d: cells %d to %d on %s (%s), %s\n", part.rank, part.first,
           part.first + part.cells - 1, kjit_device_name(part.context),
           kjit_device_model(part.context),
           part.direct ? "device pointers to MPI" : "through page-locked memory");
    run(&part);
    int wrong = check(&part);
    kjit_close(part.context);
    MPI_Finalize();
    return wrong;
}
