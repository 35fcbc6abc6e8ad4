/* `kjit run --repeat N --swap a,b`: a kernel launched N times, two of its arrays in each other's
** place every second time, as a program's loop swaps them. The names stay with the arrays. */
#include "cli/run/run.h"

kjit_status repeat_launches(const RunOptions *run, const RunFacts *facts, const size_t places[2],
                            uint32_t *access)
{
    size_t count = kjit_param_count(facts->kernel);
    kjit_arg *args = must_alloc(count * sizeof *args);
    kjit_status status = KJIT_OK;
    memcpy(args, facts->args, count * sizeof *args);
    for (uint64_t i = 1; i < run->repeat && status == KJIT_OK; i++) {
        swap_args(args, places);
        status = many_ranks() ? many_launch_again(run, facts, args)
                              : kjit_launch(facts->kernel, &facts->config, args, count);
        if (status == KJIT_OK && pictures_want_steps(run)) {
            status = kjit_synchronize(facts->context);
            pictures_step(run, facts->kernel, args);
        }
    }
    if (run->repeat > 1) /* each of the two stood where the other does */
        access[places[0]] = access[places[1]] = access[places[0]] | access[places[1]];
    free(args);
    if (status == KJIT_OK && many_ranks())
        return many_launched();
    return status == KJIT_OK ? kjit_synchronize(facts->context) : status;
}
