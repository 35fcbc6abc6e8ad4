/* Tuned kernels: the record of wisdom for a launch, and the shape of @tune. */
#include "cli/cli.h"

kjit_status tuned_own_shape(kjit_kernel *kernel, const kjit_arg *args, kjit_launch_config *config)
{
    kjit_launch_config shape = *config;
    kjit_status status = kjit_own_shape(kernel, args, kjit_param_count(kernel), &shape);
    if (status != KJIT_OK)
        return status;
    memcpy(config->grid, shape.grid, sizeof shape.grid);
    memcpy(config->block, shape.block, sizeof shape.block);
    return KJIT_OK;
}

/* Prints which record is used, for --remarks. */
static void tell(const kjit_tuned *tuned, bool taken)
{
    if (taken)
        complain("wisdom: %s%s(%s)", tuned->configuration, *tuned->configuration ? " " : "",
                 tuned->why);
    else if (tuned->why && *tuned->why)
        complain("wisdom: none is taken: %s", tuned->why);
}

static char *copy_text(const char *text)
{
    return must_strndup(text ? text : "", text ? strlen(text) : 0);
}

void taken_free(Taken *taken)
{
    free(taken->how);
    free(taken->why);
    free(taken->configuration);
    *taken = (Taken){ 0 };
}

int tuned_take(kjit_kernel **kernel, const kjit_arg *args, bool remarks, kjit_launch_config *config,
               Taken *out)
{
    kjit_tuned tuned = { .size = sizeof tuned };
    kjit_status status = kjit_tuned_find(*kernel, args, kjit_param_count(*kernel), &tuned);
    bool taken = status == KJIT_OK && strcmp(tuned.how, "constants") != 0;
    if (tuned.complaints) {
        size_t length = strlen(tuned.complaints);
        fputs(tuned.complaints, stderr);
        if (length && tuned.complaints[length - 1] != '\n')
            fputc('\n', stderr);
    }
    if (out)
        *out = (Taken){ copy_text(taken ? tuned.how : "constants"), copy_text(tuned.why),
                        copy_text(taken ? tuned.configuration : NULL) };
    if (remarks)
        tell(&tuned, taken);
    if (taken) {
        *kernel = tuned.kernel;
        memcpy(config->grid, tuned.shape.grid, sizeof config->grid);
        memcpy(config->block, tuned.shape.block, sizeof config->block);
    }
    /* Without a shape the launch gets the usual one. */
    bool shapeless = status == KJIT_ARGUMENT || status == KJIT_UNSUPPORTED;
    return status == KJIT_OK || shapeless ? EXIT_DONE : complain_status(status);
}
