/* The launch shape where the command line gives none: that of @tune, of the example, or by the
** amount of work. */
#include "cli/cli.h"

kjit_status shape_choose(kjit_kernel *kernel, const kjit_arg *args, kjit_launch_config *config,
                         bool *chosen)
{
    if (config->grid[0])
        return KJIT_OK;
    kjit_status tuned =
        kjit_kernel_tunes(kernel) ? tuned_own_shape(kernel, args, config) : KJIT_ARGUMENT;
    if (tuned != KJIT_ARGUMENT)
        return tuned;
    kjit_status status = kjit_example_config(kernel, config);
    *chosen = !config->grid[0] || !config->block[0];
    if ((status == KJIT_OK || status == KJIT_ARGUMENT) && *chosen)
        status = kjit_auto_config(kernel, args, kjit_param_count(kernel), config);
    return status;
}

static void print_sizes(FILE *out, const uint32_t sizes[3])
{
    fprintf(out, "%u", sizes[0]);
    if (sizes[1] > 1 || sizes[2] > 1)
        fprintf(out, ",%u", sizes[1]);
    if (sizes[2] > 1)
        fprintf(out, ",%u", sizes[2]);
}

void shape_print(FILE *out, const kjit_launch_config *config, const char *remark)
{
    fputs("--grid ", out);
    print_sizes(out, config->grid);
    fputc('x', out);
    print_sizes(out, config->block);
    fprintf(out, " %s\n", remark);
}

void shape_tell_misfit(kjit_kernel *kernel, const kjit_launch_config *config, const kjit_arg *args)
{
    kjit_launch_config suits = { .size = sizeof suits, .shared_bytes = config->shared_bytes };
    size_t count = kjit_param_count(kernel);
    char *misfit;

    if (kjit_misfit(kernel, config, args, count, &misfit) != KJIT_OK || !misfit)
        return;
    fprintf(stderr, "remark: %s", misfit);
    if (kjit_auto_config(kernel, args, count, &suits) == KJIT_OK) {
        fputs("; ", stderr);
        shape_print(stderr, &suits, "suits");
    } else {
        fputc('\n', stderr);
    }
    kjit_free(misfit);
}

void shape_tell_left_over(kjit_kernel *kernel, const kjit_launch_config *config,
                          const kjit_arg *args, uint32_t besides)
{
    size_t count = kjit_param_count(kernel);
    kjit_launch_config covering = *config;
    uint32_t *left = must_alloc(count * sizeof *left);

    kjit_status status = kjit_left_over(kernel, config, args, count, left, covering.grid);
    for (size_t i = 0; status == KJIT_OK && i < count; i++) {
        bool passed = args[i].kind == KJIT_ARG_ARRAY && args[i].as.array.flags & besides;
        if (!left[i] || passed)
            continue;
        fprintf(stderr,
                left[i] == 1 ? "remark: this launch writes only part of %s; "
                             : "remark: this launch leaves elements of %s as they were; ",
                kjit_param_name(kernel, i));
        shape_print(stderr, &covering,
                    left[i] == 1 ? "writes all of it" : "reaches all that the kernel writes");
        break;
    }
    free(left);
}
