/* `kjit tune --schedules`: values of the parameter `schedule`, around the schedule that passes
** choose for the launch: with a number twice or half as large, without a line, and two such changes
** at once. */
#include "cli/build/around.h"
#include "cli/tune/child.h"

/* [None, 'jam x 2; ...', ...], to be free()d; None is what passes choose. */
static char *values_around(const char *schedule)
{
    enum { SCHEDULES_MOST = 96 };
    Around around = schedules_around(schedule, SCHEDULES_MOST);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fputs("[None", out);
    for (size_t i = 0; i < around.count; i++)
        fprintf(out, ", '%s'", around.list[i]);
    fputs("]", out);
    fclose(out);
    around_free(&around);
    return text;
}

int child_find_schedules(Child *child)
{
    kjit_launch_config config = { .size = sizeof config };
    bool processor = strncmp(kjit_device_name(child->context), "cuda", 4) != 0;
    char *chosen = NULL;
    size_t length;
    if (child->command->launch.has_grid)
        config = child->command->launch.config;
    else if (kjit_example_config(child->kernel, &config) != KJIT_OK)
        config = (kjit_launch_config){ .size = sizeof config };
    kjit_emit_options options = { .size = sizeof options,
                                  .stage = "schedule",
                                  .args = child->args,
                                  .arg_count = child->count,
                                  .arch = processor ? "cpu" : NULL,
                                  .facts = "launch",
                                  .config = config.block[0] ? &config : NULL };
    kjit_status status = kjit_emit(child->kernel, &options, &chosen, &length);
    if (status != KJIT_OK)
        return complain_status(status);
    child->schedules = values_around(chosen);
    bool empty = !*chosen;
    kjit_free(chosen);
    if (empty)
        return bad_usage("--schedules: passes do nothing to %s that could be done otherwise",
                         kjit_kernel_name(child->kernel));
    status = kjit_space_set(child->space, "schedule", child->schedules);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}
