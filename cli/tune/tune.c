/* `kjit tune`: searches the configurations of a kernel for the best. Search and results are in
** cli/search/; kernels are compiled and measured by a child process (child.c), another instance of
** this command. */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "cli/measure/text.h"
#include "cli/tune/tune.h"

/* ---- the command line ------------------------------------------------------------------------ */

enum {
    OPTION_SEED = 256,
    OPTION_BUDGET,
    OPTION_TIMEOUT,
    OPTION_MAXIMIZE,
    OPTION_MINIMIZE,
    OPTION_TOLERANCE,
    OPTION_REPEAT
};

static const double TIMEOUT = 60; /* seconds, by default */

#define SETS(field) OPTION_SETS(TuneCommand, field)

static const struct argp_option options[] = {
    { "tune", 'T', "NAME=[VALUES]", OPTION_REPEATS,
      "a parameter and its values, or block, problem, grid_div_x, grid_div_y, grid_div_z, "
      "restrict: as @tune takes them, which it goes before",
      0 },
    { "schedules", SETS(schedules), NULL, 0,
      "search schedules too, around the one that passes choose: tiles, staging, unrolling", 0 },
    { "strategy", SETS(strategy), "NAME", 0,
      "exhaustive, random, greedy, genetic or model; else exhaustive where the budget allows all, "
      "and model where it does not",
      0 },
    { "budget", OPTION_BUDGET, "50|30s|25%", 0,
      "so many configurations, so much time (s, m, h), or such a part of the space", 0 },
    { "seed", OPTION_SEED, "N", 0, "of the search's random numbers (1)", 0 },
    { "timeout", OPTION_TIMEOUT, "SECONDS", 0, "for one configuration (60)", 0 },
    { "objective", SETS(objective), "EXPRESSION", 0,
      "time, gflops, gbs, energy, registers, or an expression over them (time)", 0 },
    { "minimize", OPTION_MINIMIZE, NULL, 0,
      "search for the least, as is usual where less is better", 0 },
    { "maximize", OPTION_MAXIMIZE, NULL, 0,
      "search for the most, as is usual where more is better, of rates and 1/time", 0 },
    { "cold", SETS(cold), NULL, 0, "empty the device's caches before each launch", 0 },
    { "reference", SETS(references), "NAME=FILE.npy", OPTION_REPEATS,
      "what an array is to hold, instead of what the untuned kernel leaves", 1 },
    { "tolerance", OPTION_TOLERANCE, "R", 0, "what floats may differ by, of 1 or their size", 1 },
    { "no-verify", SETS(unverified), NULL, 0, "do not look at what configurations compute", 1 },
    { "log", SETS(run.log_path), "FILE", 0, "keep the run there (NAME.KERNEL.tune.jsonl)", 2 },
    { "replay", SETS(replay), "FILE", 0,
      "search in the log of a finished run instead of on a device", 2 },
    { "repeat", OPTION_REPEAT, "N", 0,
      "with --replay: search with N seeds and say how near to the best that comes", 2 },
    { "plot", SETS(plot), "FILE.svg", 0, "draw the objective over each parameter", 3 },
    { "report", SETS(report), "FILE.html", 0, "write a page with all of it", 3 },
    { "csv", SETS(csv), "FILE.csv", 0, "write a row a configuration", 3 },
    { "t4", SETS(t4), "FILE.json", 0, "write the results in the format T4", 3 },
    { "json", SETS(json), NULL, 0, "print the results as JSON", 3 },
    { "no-wisdom", SETS(no_wisdom), NULL, 0, "do not note the best in NAME.wisdom", 3 },
    { "quiet", 'q', NULL, 0, "no progress", 3 },
    { "device", SETS(launch.session.device), "DEVICE", 0, "auto, cuda, cuda:N or cpu", 4 },
    { "passes", SETS(launch.session.passes), "LIST", 0,
      "which passes optimise: none, -PASS, PASS, all", 4 },
    { "measuring-child", SETS(child), NULL, OPTION_HIDDEN, NULL, 4 },
    { 0 }
};

static int timeout_parse(const char *text, double *seconds)
{
    int done = number_parse("--timeout", text, INFINITY, seconds);
    if (done != EXIT_DONE || *seconds > 0)
        return done;
    return bad_usage(
        "--timeout %s: nothing is done in no time: it takes a number of seconds above 0", text);
}

/* 50, 30s, 5m, 1h, 25%. */
static int budget_parse(TuneOptions *run, const char *text)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = { { "s", 1 }, { "m", 60 }, { "h", 3600 } };
    char *end;
    double number = strtod(text, &end);
    bool right = end != text && number > 0 && isfinite(number);
    if (right && !strcmp(end, "%") && number <= 100) {
        run->fraction = number / 100;
        return EXIT_DONE;
    }
    for (size_t i = 0; right && i < sizeof units / sizeof units[0]; i++) {
        if (!strcmp(end, units[i].unit)) {
            run->seconds = number * units[i].seconds;
            return EXIT_DONE;
        }
    }
    if (right && !*end && number == floor(number) && number < 1e15) {
        run->count = (size_t)number;
        return EXIT_DONE;
    }
    return bad_usage(
        "--budget %s: it takes a count (50), a time (30s, 5m, 1h) or a part of the space "
        "(25%%)",
        text);
}

static int parse_sense(TuneCommand *command, int sense)
{
    bool both = command->sense != SENSE_BY_NAME && command->sense != sense;
    if (both)
        complain("--maximize and --minimize contradict each other: say one of them");
    command->sense = sense;
    return both ? EXIT_COMMAND : EXIT_DONE;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    TuneCommand *command = state->input;
    int status = EXIT_DONE;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->launch;
        break;
    case 'T':
        status = pairs_add(&command->tunes, text, "-T", "NAME=[VALUES]");
        break;
    case OPTION_SEED:
        status = count_parse("--seed", text, 0, INT64_MAX, &command->run.seed);
        break;
    case OPTION_BUDGET:
        status = budget_parse(&command->run, text);
        break;
    case OPTION_TIMEOUT:
        status = timeout_parse(text, &command->run.timeout);
        break;
    case OPTION_MAXIMIZE:
    case OPTION_MINIMIZE:
        status = parse_sense(command, key == OPTION_MAXIMIZE ? SENSE_MOST : SENSE_LEAST);
        break;
    case OPTION_TOLERANCE:
        status = number_parse("--tolerance", text, INFINITY, &command->tolerance);
        break;
    case OPTION_REPEAT:
        status = count_parse("--repeat", text, 1, 100000, &command->repeat);
        break;
    case 'q':
        command->run.quiet = true;
        break;
    case ARGP_KEY_ARG:
        status = target_argument(&command->target, &command->launch.values, text);
        break;
    case ARGP_KEY_END:
        if (!command->target.file && !command->replay)
            usage_error("which FILE?");
        if (command->target.file && command->replay)
            usage_error("--replay FILE needs no other file");
        if (command->launch.forall)
            usage_error("--forall leaves the block to the device, and that is tuned: say "
                        "block and problem");
        if (command->references.count && command->unverified)
            usage_error("--reference says what is right, and --no-verify looks at nothing");
        if (command->repeat && !command->replay)
            usage_error("--repeat goes with --replay");
        break;
    default:
        return option_set(options, key, text, command);
    }
    return option_result(status);
}

static const struct argp_child shared_options[] = { { &launching_parser, 0, "What to launch:", 5 },
                                                    { 0 } };

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .children = shared_options,
    .args_doc = "FILE[:KERNEL] [NAME=VALUE...]\n--replay RUN.tune.jsonl",
    .doc =
        "Searches the configurations of a kernel for the fastest.\v"
        "What may be chosen stands in an @tune above the kernel, or behind -T: constants of the "
        "module and the values to try, how blocks and the grid follow from them (block, problem, "
        "grid_div_x), and which go together (restrict). docs/tuning.md has it all. VALUEs are "
        "those of 'kjit run'.\n"
        "Each configuration is compiled, launched on what the arrays hold at first, compared with "
        "what the untuned kernel leaves (the tolerances are those of 'kjit run' for captured "
        "launches), and timed, in a process of its own: one that crashes or hangs costs itself "
        "alone. The best few are measured again before one is declared.\n"
        "What was measured is kept in a log, a line a configuration. The same command goes on "
        "where it was ended; another text, type, extent, compiler, driver or device begins anew, "
        "and the old log is kept under another name.\n"
        "Exit status 3 says that the run did not come to its end (Ctrl-C, a device that is gone), "
        "or found no configuration that works.",
};

/* ---- the child's argument vector ------------------------------------------------------------- */

static char **child_arguments(int argc, char **argv)
{
    static char name[] = "kjit", command[] = "tune", option[] = "--measuring-child";
    char **list = must_alloc(((size_t)argc + 4) * sizeof *list);
    list[0] = name;
    list[1] = command;
    list[2] = option;
    for (int i = 1; i < argc; i++)
        list[2 + i] = argv[i];
    return list;
}

/* ---- the strategy and the objective ---------------------------------------------------------- */

/* The name here of a strategy of Kernel Tuner; or NULL. */
static const char *elsewhere_name(const char *name)
{
    static const struct {
        const char *theirs, *ours;
    } names[] = {
        { "brute_force", "exhaustive" }, { "random_sample", "random" },
        { "bayes_opt", "model" },        { "genetic_algorithm", "genetic" },
        { "greedy_mls", "greedy" },      { "greedy_ils", "greedy" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(names[i].theirs, name))
            return names[i].ours;
    return NULL;
}

static int choose_strategy(TuneCommand *command)
{
    const TuneOptions *run = &command->run;
    bool whole = run->count == SIZE_MAX && !(run->seconds > 0) && !(run->fraction > 0);
    const char *name = command->strategy ? command->strategy : whole ? "exhaustive" : "model";
    const char *names[16];
    size_t count = 0;
    command->run.strategy = strategy_find(name);
    if (command->run.strategy || !strcmp(name, "all"))
        return EXIT_DONE;
    for (; count < 16 && strategy_at(count); count++)
        names[count] = strategy_at(count)->name;
    const char *meant = elsewhere_name(name);
    meant = meant ? meant : nearest_name(name, names, count);
    complain("--strategy %s: there is none; %s%s%sthere are:", name, meant ? "did you mean '" : "",
             meant ? meant : "", meant ? "'? " : "");
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "    %-10s  %s\n", names[i], strategy_at(i)->about);
    return EXIT_COMMAND;
}

/* Before another run's log is renamed for a run that cannot begin. */
static int check_references(const Pairs *references)
{
    for (size_t i = 0; i < references->count; i++) {
        const Pair *pair = &references->list[i];
        if (access(pair->value, R_OK) == 0)
            continue;
        return complain_failed("--reference %s=%s: it cannot be read: %s", pair->name, pair->value,
                               strerror(errno));
    }
    return EXIT_DONE;
}

/* Checks beforehand what would fail after a long run. */
static int check_command_line(TuneCommand *command)
{
    if (options_check(command) != EXIT_DONE)
        return EXIT_COMMAND;
    if (command->target.file && !text_is_utf8(command->target.file))
        return bad_usage(
            "%s: the log and what comes of it are UTF-8, and the file's name is not: rename it",
            command->target.file);
    if (command->plot && !ends_in(command->plot, ".svg"))
        return bad_usage("--plot %s: it draws .svg, so give it a name that ends so", command->plot);
    command->run.objective = objective_new(command->objective, command->sense);
    if (!command->run.objective)
        return EXIT_COMMAND;
    if (command->target.file && replay_named(command->target.file))
        return bad_usage(
            "%s: captured launches are not tuned; 'kjit run' launches them again, and 'kjit "
            "bench' times them: tune the kernel's own FILE, with NAME=VALUE for what it was "
            "launched on",
            command->target.file);
    int outputs = command->child ? EXIT_DONE : check_references(&command->references);
    if (outputs == EXIT_DONE && !command->child)
        outputs = outputs_check(command);
    if (outputs != EXIT_DONE)
        return outputs;
    command->energy = objective_needs(command->run.objective, "energy");
    command->rates = objective_needs(command->run.objective, "gflops") ||
                     objective_needs(command->run.objective, "gbs");
    return choose_strategy(command);
}

/* ---- results --------------------------------------------------------------------------------- */

static int write_files(const TuneCommand *command, TuneRun *run)
{
    bool asks =
        command->report && run->flight && run->best != SIZE_MAX && !run->interrupted && !run->lost;
    json_t *source = asks ? note_ask(run, "source") : NULL;
    bool wrote = (!command->csv || export_csv(run, command->csv)) &&
                 (!command->t4 || export_t4(run, command->t4)) &&
                 (!command->report || report_write(run, source, command->report)) &&
                 (!command->plot || landscape_plot(run, command->plot));
    json_decref(source);
    return wrote ? EXIT_DONE : EXIT_FAILED;
}

static bool has_timed(const TuneRun *run)
{
    for (size_t i = 0; i < run->done; i++)
        if (record_is_good(run->records[run->order[i]]))
            return true;
    return false;
}

static int show(const TuneCommand *command, TuneRun *run, int status)
{
    if (!run->records || (status != EXIT_DONE && !run->done))
        return status;
    int done = note_best(command, run);
    if (command->json && json_print(stdout, export_summary(run)) != EXIT_DONE)
        done = EXIT_FAILED;
    if (!command->json)
        table_print(stdout, run);
    fflush(stdout);
    int wrote = write_files(command, run);
    if (run->undecided)
        complain("no winner is named, and nothing noted: %s; %s again what could not be timed",
                 run->undecided,
                 command->replay ? "kjit tune --log measures" : "the same command measures");
    else if (status == EXIT_DONE && run->best == SIZE_MAX && !tune_untuned_is_best(run)) {
        complain("no configuration %s: the table says what became of them",
                 has_timed(run) ? "has a value of the objective" : "works");
        status = EXIT_FAILED;
    }
    return status != EXIT_DONE ? status : done != EXIT_DONE ? done : wrote;
}

static int replay(TuneCommand *command)
{
    const Strategy *list[16] = { command->run.strategy };
    for (size_t i = 0; !command->run.strategy && i < 15; i++)
        list[i] = strategy_at(i);
    if (command->repeat)
        return replay_compare_strategies(stdout, &command->run, command->replay, command->repeat,
                                         list);
    TuneRun run;
    int status = replay_log(&run, &command->run, command->replay);
    status = show(command, &run, status);
    tune_free(&run);
    return status;
}

static int search(TuneCommand *command, int argc, char **argv)
{
    TuneRun run;
    char **child = child_arguments(argc, argv);
    command->run.child = child;
    int status = show(command, &run, tune_run(&run, &command->run));
    tune_free(&run);
    free(child);
    return status;
}

int tune_command(int argc, char **argv)
{
    TuneCommand command = { .tolerance = -1,
                            .objective = "time",
                            .run = { .seed = 1, .count = SIZE_MAX } };
    char **given = must_alloc(((size_t)argc + 1) * sizeof *given);
    memcpy(given, argv, (size_t)argc * sizeof *given);
    options_parse(&parser, argc, argv, &command);
    int status = check_command_line(&command);
    if (!(command.run.timeout > 0))
        command.run.timeout = TIMEOUT;
    if (status == EXIT_DONE)
        status = command.child    ? tune_child(&command)
                 : command.replay ? replay(&command)
                                  : search(&command, argc, given);
    objective_free(command.run.objective);
    target_free(&command.target);
    launching_free(&command.launch);
    pairs_free(&command.tunes);
    pairs_free(&command.references);
    free(given);
    return status;
}
