/* A kernel in a file, and records of wisdom beside it. */
#ifndef KJIT_TESTS_WISDOMS_H
#define KJIT_TESTS_WISDOMS_H

#include "tests/unit/library.h"
#include "runtime/tuning/wisdom.h"

static const char scale_text[] =
    "TILE = 2\n"
    "threads = 4\n"
    "other = 7\n"
    "@tune(TILE=[1, 2, 4], threads=[4, 8, 32], unroll=[None, 3], block='threads',\n"
    "      problem='x.shape[0]', grid_div_x=['threads', 'TILE'],\n"
    "      restrict='TILE * threads <= 64 and x.shape[0] % TILE == 0')\n"
    "@cuda.jit\n"
    "def scale(x, y):\n"
    "    base = (cuda.blockIdx.x * threads + cuda.threadIdx.x) * TILE\n"
    "    for t in range(TILE):\n"
    "        if base + t < x.shape[0]:\n"
    "            y[base + t] = x[base + t] * 2 + cuda.blockDim.x * 1000 + other * 100000\n";

enum { MOST = 4096 };

static float x[MOST], y[MOST];
static char source_path[128], wisdom_file[128];

/* A kernel of a file of the folder, with its wisdom not there. */
static kjit_kernel *scale_of(const char *text, const kjit_load_options *options)
{
    kjit_module *module;
    kjit_kernel *kernel;

    write_file("scale.k", text);
    snprintf(source_path, sizeof source_path, "%s/scale.k", folder);
    snprintf(wisdom_file, sizeof wisdom_file, "%s/scale.wisdom", folder);
    expect_ok(kjit_load_file(context, source_path, options, &module));
    expect_ok(kjit_get_kernel(module, "scale", &kernel));
    return kernel;
}

static void fill_args(kjit_arg args[2], int64_t count)
{
    args[0] = kjit_arg_array(kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, &count));
    args[1] = kjit_arg_array(kjit_host_array(y, KJIT_DTYPE_FLOAT32, 1, &count));
}

static kjit_status add(kjit_kernel *kernel, const uint32_t *config, int64_t count,
                       const char *objective, double value)
{
    kjit_space *space;
    kjit_arg args[2];

    fill_args(args, count);
    expect_ok(kjit_space_new(kernel, &space));
    kjit_status status = kjit_wisdom_add(space, config, args, 2, objective, value, NULL);
    kjit_space_close(space);
    return status;
}

static kjit_tuned find(kjit_kernel *kernel, int64_t count)
{
    kjit_tuned tuned = { .size = sizeof tuned };
    kjit_arg args[2];

    fill_args(args, count);
    expect_ok(kjit_tuned_find(kernel, args, 2, &tuned));
    return tuned;
}

static void expect_tuned(kjit_tuned tuned, const char *how, const char *why,
                         const char *configuration)
{
    if (strcmp(tuned.how, how) != 0 || !strstr(tuned.why, why) ||
        strcmp(tuned.configuration, configuration) != 0)
        fail_msg("%s: %s: %s", tuned.how, tuned.why, tuned.configuration);
}

static char *wisdom_text(void)
{
    static char text[1 << 16];
    FILE *file = fopen(wisdom_file, "r");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Puts `to` where `from` stands first in the file. */
static void edit(const char *from, const char *to)
{
    static char edited[1 << 16];
    const char *text = wisdom_text(), *at = strstr(text, from);

    assert_non_null(at);
    snprintf(edited, sizeof edited, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    write_file("scale.wisdom", edited);
}

static int forget_wisdom(void **state)
{
    (void)state;
    unlink(wisdom_file);
    return 0;
}

/* ---- what is taken ------------------------------------------------------------------------ */

#endif
