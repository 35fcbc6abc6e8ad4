/* Options of `kjit tune` that exclude each other. */
#include <stdint.h>
#include <string.h>

#include "cli/tune/tune.h"

/* A replay launches nothing, and searches in the log alone. */
static int check_replay(const TuneCommand *command)
{
    const LaunchOptions *launch = &command->launch;
    const struct {
        const char *option;
        bool given;
    } others[] = {
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
    };
    for (size_t i = 0; command->replay && i < sizeof others / sizeof others[0]; i++) {
        if (!others[i].given)
            continue;
        complain("%s makes no sense with --replay, which launches nothing and searches in what "
                 "%s has",
                 others[i].option, command->replay);
        return EXIT_COMMAND;
    }
    return EXIT_DONE;
}

/* Repeated searches have no single table or winner. */
static int check_repeat(const TuneCommand *command)
{
    const struct {
        const char *option;
        bool given;
    } others[] = {
        { "--csv", command->csv != NULL },
        { "--t4", command->t4 != NULL },
        { "--report", command->report != NULL },
        { "--plot", command->plot != NULL },
        { "--json", command->json },
    };
    for (size_t i = 0; command->repeat && i < sizeof others / sizeof others[0]; i++) {
        if (!others[i].given)
            continue;
        complain("%s makes no sense with --repeat, which prints how near to the best %ju searches "
                 "come: leave --repeat out",
                 others[i].option, (uintmax_t)command->repeat);
        return EXIT_COMMAND;
    }
    return EXIT_DONE;
}

int options_check(const TuneCommand *command)
{
    if (command->strategy && !strcmp(command->strategy, "all") && !command->repeat) {
        complain("--strategy all compares them over a finished run: it goes with --replay FILE "
                 "--repeat N");
        return EXIT_COMMAND;
    }
    int done = check_replay(command);
    return done == EXIT_DONE ? check_repeat(command) : done;
}
