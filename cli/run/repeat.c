/* `kjit run --repeat N --swap a,b`: a kernel launched N times, two of its arrays in each other's
** place every second time, as a program's loop swaps them. The names stay with the arrays. */
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

int repeat_parse_swap(RunOptions *run, const char *text)
{
    const char *comma = strchr(text, ',');
    if (!comma || comma == text || !comma[1] || strchr(comma + 1, ',')) {
        complain("--swap %s: it takes the names of two arrays, as in u,v", text);
        return EXIT_COMMAND;
    }
    run->swap = text;
    return EXIT_DONE;
}

/* The parameter of that name, of `length` letters; one behind the last if there is none. */
static size_t param_named(const kjit_kernel *kernel, const char *name, size_t length)
{
    size_t count = kjit_param_count(kernel), i = 0;
    while (i < count && (strlen(kjit_param_name(kernel, i)) != length ||
                         strncmp(kjit_param_name(kernel, i), name, length) != 0))
        i++;
    return i;
}

int repeat_find(const RunOptions *run, const kjit_kernel *kernel, const kjit_arg *args,
                size_t places[2])
{
    const char *name = run->swap;
    places[0] = places[1] = 0;
    for (int i = 0; name && i < 2; i++) {
        size_t length = strcspn(name, ",");
        places[i] = param_named(kernel, name, length);
        if (places[i] == kjit_param_count(kernel) || args[places[i]].kind != KJIT_ARG_ARRAY) {
            complain("--swap %s: %s has no array '%.*s'", run->swap, kjit_kernel_name(kernel),
                     (int)length, name);
            return EXIT_COMMAND;
        }
        name += length + 1;
    }
    return EXIT_DONE;
}

kjit_status repeat_launches(const RunOptions *run, const RunFacts *facts, const size_t places[2],
                            uint32_t *access)
{
    size_t count = kjit_param_count(facts->kernel);
    kjit_arg *args = must_alloc(count * sizeof *args);
    kjit_status status = KJIT_OK;
    memcpy(args, facts->args, count * sizeof *args);
    for (uint64_t i = 1; i < run->repeat && status == KJIT_OK; i++) {
        const kjit_arg first = args[places[0]];
        args[places[0]] = args[places[1]];
        args[places[1]] = first;
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
