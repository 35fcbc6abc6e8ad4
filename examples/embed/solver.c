/* solver.c: a plate that warms up, by one call of a function that loops, launches and adds up */
#include <kjit.h>
#include <stdio.h>

enum { ROWS = 40, COLUMNS = 60 };

static const char text[] =
    "import numpy as np\n"
    "\n"
    "@cuda.jit\n"
    "def step(u, v, r):\n"
    "    i, j = cuda.grid(2)\n"
    "    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:\n"
    "        v[i, j] = u[i, j] + r * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]\n"
    "                                 - 4 * u[i, j])\n"
    "\n"
    "def solve(plate, r, most):\n"
    "    u, v = plate.copy(), plate.copy()\n"
    "    for steps in range(0, most, 50):\n"
    "        for _ in range(25):\n"
    "            step[(4, 4), (16, 16)](u, v, r)\n"
    "            step[(4, 4), (16, 16)](v, u, r)\n"
    "        change = np.abs(u - v).max()\n"
    "        if change < 1e-3:\n"
    "            break\n"
    "    plate[:] = u\n"
    "    return steps + 50, change, u.mean(axis=0)\n";

int main(int argc, char **argv)
{
    kjit_open_options options = { sizeof options, argc > 1 ? argv[1] : "auto", 0, 0, 0 };
    static double plate[ROWS * COLUMNS];
    static const int64_t shape[] = { ROWS, COLUMNS };
    kjit_context *context;
    kjit_module *module;
    kjit_program *program = NULL;
    kjit_arg args[3], result;

    for (int i = 0; i < ROWS; i++)
        plate[i * COLUMNS] = 100; /* the edge on the left is hot */
    args[0] = kjit_arg_array(kjit_host_array(plate, KJIT_DTYPE_FLOAT64, 2, shape));
    args[1] = kjit_arg_float64(0.2);
    args[2] = kjit_arg_int64(5000);
    if (kjit_open(&options, &context) != KJIT_OK ||
        kjit_load_source(context, text, "solver.py", NULL, &module) != KJIT_OK ||
        kjit_program_open(module, NULL, &program) != KJIT_OK ||
        kjit_program_call(program, "solve", args, 3, &result) != KJIT_OK) {
        fprintf(stderr, "%s\n", kjit_error_message());
        kjit_program_close(program);
        kjit_close(context);
        return 1;
    }
    /* It returned a tuple: two numbers, and an array of the program's. */
    const kjit_arg *items = result.as.tuple.items;
    const double *means = (const double *)items[2].as.array.data;
    printf("%d steps, the last changed %.1e; in the middle %.3f, of its column %.3f\n",
           (int)items[0].as.integer, items[1].as.number, plate[(ROWS / 2) * COLUMNS + COLUMNS / 2],
           means[COLUMNS / 2]);
    kjit_program_close(program);
    kjit_close(context);
    return 0;
}
