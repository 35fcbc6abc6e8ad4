/* Options of `kjit tune` that exclude each other. */
#include "cli/tune/tune.h"

typedef struct GivenOption {
    const char *option; /* NULL: behind the last */
    bool given;
} GivenOption;

/* The first that is given; NULL: none is. */
static const char *first_given(const GivenOption *options)
{
    while (options->option && !options->given)
        options++;
    return options->option;
}

/* A replay launches nothing, and searches in the log alone. */
static int check_replay(const TuneCommand *command)
{
    const LaunchOptions *launch = &command->launch;
    const char *given = first_given((const GivenOption[]){
        { "-T", command->tunes.count > 0 },
        { "-D", launch->defines.count > 0 },
        { "--grid", launch->has_grid },
        { "--shared", launch->shared > 0 },
        { "--debug", launch->session.debug },
        { "--fastmath", launch->session.fastmath },
        { "--matmul", launch->session.matmul != NULL },
        { "--device", launch->session.device != NULL },
        { "--passes", launch->session.passes != NULL },
        { "--schedule", launch->session.schedule != NULL },
        { "--cold", command->cold },
        { "--schedules", command->schedules },
        { "--reference", command->references.count > 0 },
        { "--tolerance", command->tolerance >= 0 },
        { "--no-verify", command->unverified },
        { "--log", command->run.log_path != NULL },
        { "--timeout", command->run.timeout > 0 },
        { NULL, false },
    });
    if (!command->replay || !given)
        return EXIT_DONE;
    return bad_usage(
        "%s makes no sense with --replay, which launches nothing and searches in what %s has",
        given, command->replay);
}

/* Repeated searches have no single table or winner. */
static int check_repeat(const TuneCommand *command)
{
    const char *given = first_given((const GivenOption[]){
        { "--csv", command->csv != NULL },
        { "--t4", command->t4 != NULL },
        { "--report", command->report != NULL },
        { "--plot", command->plot != NULL },
        { "--json", command->json },
        { NULL, false },
    });
    if (!command->repeat || !given)
        return EXIT_DONE;
    return bad_usage(
        "%s makes no sense with --repeat, which prints how near to the best %ju searches "
        "come: leave --repeat out",
        given, (uintmax_t)command->repeat);
}

int options_check(const TuneCommand *command)
{
    if (command->strategy && !strcmp(command->strategy, "all") && !command->repeat)
        return bad_usage(
            "--strategy all compares them over a finished run: it goes with --replay FILE "
            "--repeat N");
    int done = check_replay(command);
    return done == EXIT_DONE ? check_repeat(command) : done;
}
