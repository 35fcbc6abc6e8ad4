/* `kjit run`: one launch, and what it wrote. */
#include <argp.h>

#include "cli/run/run.h"

/* ---- the command line ----------------------------------------------------------------------- */

enum { OPTION_TIME = 256, OPTION_REPEAT, OPTION_SWAP, OPTION_CUDA, OPTION_C, OPTION_TOLERANCE };

#define SETS(field) OPTION_SETS(RunOptions, field)

static const struct argp_option options[] = {
    { "device", SETS(launch.session.device), "DEVICE", 0, "auto, cuda, cuda:N, cpu, or check", 0 },
    { "devices", SETS(devices), "LIST", 0,
      "split launches over GPUs, all or 0,1, or N ranks of the processor, cpu:N (docs/many.md)",
      0 },
    { "share", SETS(share), NULL, 0, "let several ranks of mpirun's have one GPU", 0 },
    { "remarks", SETS(remarks), NULL, 0,
      "say where types became 64 bits wide, what was optimised, and what prevents more", 0 },
    { "emit", SETS(stage), "STAGE", 0,
      "show this stage of a program's launches, array expressions among them: ir, cuda, c and "
      "what else kjit build --emit has; what the program prints goes to stderr",
      0 },
    { "passes", SETS(launch.session.passes), "LIST", 0,
      "which passes optimise: none, -PASS, PASS, all", 0 },
    { "no-wisdom", SETS(no_wisdom), NULL, 0, "do as if nothing had been tuned", 0 },
    { "cuda", OPTION_CUDA, "FILE.cu", OPTION_REPEATS, "run this, the text of --emit cuda edited",
      0 },
    { "c", OPTION_C, "FILE.c", OPTION_REPEATS, "run this, the text of --emit c edited", 0 },
    { "tolerance", OPTION_TOLERANCE, "R", 0,
      "what a replay's floats may differ by, of 1 or their size", 0 },
    { "save", SETS(saves), "NAME=FILE.npy", OPTION_REPEATS,
      "save an array after the launch; FILE - is the standard output", 0 },
    { "print", SETS(prints), "NAME", OPTION_REPEATS,
      "print all of an array (to stderr with --json)", 0 },
    { "time", OPTION_TIME, "N", 0, "launch N times more and time each", 0 },
    { "repeat", OPTION_REPEAT, "N", 0, "launch N times in all", 0 },
    { "swap", OPTION_SWAP, "A,B", 0, "let two arrays change places after each launch", 0 },
    { "profile", SETS(profile), NULL, 0,
      "say at the end of a program what its launches took, by kernel and line", 0 },
    { "json", SETS(json), NULL, 0, "print the results as JSON", 0 },
    { "quiet", 'q', NULL, 0, "print no line per array, draw no bars", 0 },
    { 0 }
};

static int tolerance_parse(const char *text, double *tolerance)
{
    char *end;
    *tolerance = strtod(text, &end);
    if (end != text && !*end && *tolerance >= 0)
        return EXIT_DONE;
    return bad_usage("--tolerance %s: it takes a number of at least 0, as in 1e-6", text);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    RunOptions *run = state->input;
    int status = EXIT_DONE;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &run->launch;
        state->child_inputs[1] = run;
        state->child_inputs[2] = &run->many;
        break;
    case OPTION_TIME:
        status = count_parse("--time", text, 1, 1000000, &run->times);
        break;
    case OPTION_CUDA:
        status = edited_option(&run->edited, "cuda", text);
        break;
    case OPTION_C:
        status = edited_option(&run->edited, "c", text);
        break;
    case OPTION_TOLERANCE:
        status = tolerance_parse(text, &run->tolerance);
        break;
    case OPTION_REPEAT:
        status = count_parse("--repeat", text, 1, 1000000000, &run->repeat);
        break;
    case OPTION_SWAP:
        status = swap_check(text);
        run->swap = text;
        break;
    case 'q':
        run->quiet = true;
        break;
    case ARGP_KEY_ARG:
        status = target_argument(&run->target, &run->launch.values, text);
        if (status != EXIT_DONE && ends_in(run->target.file, ".py"))
            complain("programs have no words in sys.argv here: python -m kjit %s %s gives them",
                     run->target.file, text);
        break;
    case ARGP_KEY_END:
        if (!run->target.file)
            usage_error("which FILE?");
        status = run->devices ? many_devices(run) : EXIT_DONE;
        break;
    default:
        return option_set(options, key, text, run);
    }
    return option_result(status);
}

static const struct argp_child shared_options[] = { { &launching_parser, 0, "What to launch:", 1 },
                                                    { &pictures_parser, 0, "Pictures:", 2 },
                                                    { &many_parser, 0,
                                                      "Of arrays, over several ranks:", 3 },
                                                    { 0 } };

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .children = shared_options,
    .args_doc = "FILE[:KERNEL] [NAME=VALUE...]",
    .doc =
        "Launches a kernel once and shows what it wrote, or runs a FILE that has host code.\v"
        "A VALUE is an expression: 4, float32(-4), (1, 2), zeros(150, dtype=int32), "
        "normal(1000, seed=1), load(\"a.npy\"), a.csv, 2 * x.T + 1. It may use names given before "
        "it: "
        "n=1000 x=zeros(n), and constants of the module; docs/values.md lists what it may call. "
        "What is not given comes from the kernel's @example, the grid too.\n"
        "A FILE that has host code, calls or loops outside of functions, is a program, and run "
        "from "
        "its first line to its last; NAME=VALUE then replaces what it first assigns to NAME, and "
        "--print, --save and --plot show what a name holds at the end. FILE:KERNEL launches the "
        "one "
        "kernel.\n"
        "If FILE's kernel was tuned, and nothing says its grid, it is launched as FILE's wisdom "
        "has "
        "it: NAME.wisdom beside NAME.k (kjit tune). -D goes before that.\n"
        "An array in a tuple is called t[0], t[1][2] where an option wants its NAME.\n"
        "With neither, each axis of the grid gets as many threads as the kernel's conditions and "
        "indices leave something to do for, rounded up to whole blocks: of 256 threads (a GPU may "
        "choose others), of 16x16 for a kernel that asks for two axes, as cuda.grid(2) does, of "
        "8x8x4 for three. An axis that nothing is known of gets the extents of the arrays; along "
        "one "
        "that the kernel does not look at there is one thread. The report says what was chosen. "
        "Where the kernel's text is written for blocks of one size, "
        "those are taken: cuda.blockIdx.x * 32 + cuda.threadIdx.x wants 32 threads, and so does a "
        "shared array of 32 that holds an element a thread. A grid that is given and leaves "
        "elements of a result unwritten gets a remark, and so does a block that does not suit "
        "the text.\n"
        "--cuda and --c launch the kernel from its own text after you edited it: kjit build --emit "
        "writes it, for the same types (--sig, if they are not the example's).\n"
        "FILE may be a folder that KJIT_CAPTURE=FOLDER made of a launch: it is launched again, on "
        "what it began with, and what it leaves is compared with what it left; exit status 4 says "
        "that they differ. NAME=VALUE, --grid, -D and the rest change what is launched. Integers "
        "are compared exactly, floats within 1.3e-6 of their size (float64: 1e-7, float16: 1e-3, "
        "bfloat16: 1.6e-2, float8: a step) and 1e-5 (float64: 1e-7), since sums in another order "
        "round "
        "otherwise.\n"
        "Under mpirun, or with --devices, launches are split over ranks, each of which has "
        "its "
        "parts of the arrays: docs/many.md, and kjit build --emit plan.\n"
        "FILE may be std:NAME, a module of the standard library, whose kernels need no values to "
        "be tried; std: alone lists them.",
};

/* ---- the launch ----------------------------------------------------------------------------- */

/* What has been compiled is launched; where it may crash, `run` says so. */
static kjit_status launch(const RunOptions *run, RunFacts *facts, uint32_t *access)
{
    size_t count = kjit_param_count(facts->kernel);
    kjit_status status = kjit_access(facts->kernel, facts->args, count, access);
    bool here = strcmp(kjit_device_name(facts->context), "cpu") == 0;
    if (status == KJIT_OK && run->target.file && here)
        crash_guard(kjit_kernel_name(facts->kernel), run->launch.session.debug);
    if (status == KJIT_OK && many_ranks() && run->target.file)
        return many_launch(run, facts);
    if (status == KJIT_OK)
        status = kjit_launch(facts->kernel, &facts->config, facts->args, count);
    if (status == KJIT_OK)
        status = kjit_synchronize(facts->context);
    return status;
}

static void print_line(void *out, const char *name, const kjit_array *array)
{
    report_array(out, name, array);
}

static int launch_example(RunFacts *facts, const kjit_values *values, uint32_t *access)
{
    static const RunOptions plain;
    kjit_arg *args;
    int status = session_args(facts->kernel, values, &args);
    facts->args = args;
    facts->access = access;
    if (status == EXIT_DONE) {
        kjit_status ran =
            launching_shape(&plain.launch, facts->kernel, args, &facts->config, &facts->chosen);
        if (ran == KJIT_OK)
            ran = launch(&plain, facts, access);
        if (ran == KJIT_OK)
            each_written(facts->kernel, args, access, print_line, stdout);
        else
            status = complain_status(ran);
    }
    free(args);
    return status;
}

int run_example(kjit_context *context, kjit_kernel *kernel, bool heading, size_t *ran)
{
    bool has = false;
    kjit_values *values = NULL;
    RunFacts facts = { .context = context, .kernel = kernel };
    uint32_t *access = must_alloc(kjit_param_count(kernel) * sizeof *access);

    kjit_status made = kjit_values_new(&values);
    int status = made == KJIT_OK ? session_example(kernel, values, &has) : complain_status(made);
    if (status == EXIT_DONE && has) {
        ++*ran;
        if (heading)
            printf("== %s ==\n", kjit_kernel_name(kernel));
        status = launch_example(&facts, values, access);
    }
    free(access);
    kjit_values_close(values);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Puts the edited text, if there is one, in place of the emitted one. */
static int replace_text(const RunOptions *run, kjit_kernel *kernel, const kjit_arg *args)
{
    const EditedText *edited = &run->edited;
    if (!edited->file)
        return EXIT_DONE;
    kjit_status status = kjit_replace_text(kernel, args, kjit_param_count(kernel), edited->stage,
                                           edited->text, edited->file);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

/* What a replay left against what was captured, unless it began with something else. */
static int compare_results(RunOptions *run, const RunFacts *facts)
{
    for (size_t i = 0; i < run->launch.values.count; i++) {
        if (launching_has_param(facts->kernel, run->launch.values.list[i].name))
            run->comparison.given = run->launch.values.list[i].name;
    }
    if (run->comparison.given || run->comparison.captured.failure)
        return EXIT_DONE;
    return replay_compare(run->launch.replay, facts->kernel, facts->args, run->tolerance,
                          &run->comparison);
}

/* What the checker found, if that was the device. */
static int tell_findings(const RunFacts *facts)
{
    Checked checked = { .file = facts->file, .kernel = facts->kernel };
    if (strcmp(kjit_device_name(facts->context), "check") != 0)
        return EXIT_DONE;
    checked.list = findings_sorted(facts->context, &checked.count);
    const CheckedList list = { .list = &checked, .count = 1 };
    findings_print(stderr, checked.list, checked.count, NULL);
    findings_summary(stderr, &list);
    bool defect = findings_have_defect(&list);
    free(checked.list);
    return defect ? EXIT_DEFECT : EXIT_DONE;
}

/* Whether nothing says how the kernel is to be launched, or that it is to be looked into. */
static bool takes_wisdom(const RunOptions *run, const kjit_context *context)
{
    const LaunchOptions *launch = &run->launch;
    return !run->no_wisdom && !many_ranks() && !launch->has_grid && !launch->forall &&
           !launch->replay && !run->edited.file && strcmp(kjit_device_name(context), "check") != 0;
}

static int run_with_values(RunOptions *run, Session *session, kjit_kernel *kernel,
                           kjit_values *values)
{
    RunFacts facts = { .file = run->target.file, .context = session->context };
    uint32_t *access = must_alloc(kjit_param_count(kernel) * sizeof *access);
    Timing timing = { 0 };
    Taken taken = { 0 };
    kjit_arg *args = NULL;
    size_t swapped[2];
    bool rounds = false;

    int status = many_check(run);
    if (status == EXIT_DONE)
        status = launching_values(&run->launch, session->module, kernel, values);
    if (status == EXIT_DONE)
        status = session_args(kernel, values, &args);
    if (status == EXIT_COMMAND)
        run_hint_program(run, session);
    if (status == EXIT_DONE && many_speaks())
        status = results_check(run, values);
    if (status == EXIT_DONE && takes_wisdom(run, session->context))
        status = tuned_take(&kernel, args, run->remarks, &run->launch.config, &taken);
    if (status == EXIT_DONE)
        status = swap_find(run->swap, kernel, args, swapped);
    facts.taken = taken.how ? &taken : NULL;
    facts.kernel = kernel;
    if (status == EXIT_DONE)
        status = replace_text(run, kernel, args);
    facts.args = args;
    facts.access = access;
    if (status == EXIT_DONE) {
        kjit_status ran = launching_shape(&run->launch, kernel, args, &facts.config, &facts.chosen);
        if (ran == KJIT_OK && run->remarks)
            status = measured_remarks(stderr, facts.context, facts.kernel, facts.args,
                                      &facts.config, &rounds);
        if (ran == KJIT_OK && !run->json && !run->quiet && !facts.chosen)
            shape_tell_misfit(kernel, &facts.config, args); /* which may be why the launch fails */
        if (ran == KJIT_OK)
            ran = launch(run, &facts, access);
        if (ran == KJIT_OK)
            pictures_step(run, kernel, args);
        if (ran == KJIT_OK && run->repeat > 1)
            ran = repeat_launches(run, &facts, swapped, access);
        if (ran == KJIT_OK && run->times)
            ran = time_launches(&facts, run->times, &timing);
        crash_launched();
        facts.timing = ran == KJIT_OK && run->times ? &timing : NULL;
        if (ran == KJIT_OK && run->launch.replay) {
            status = compare_results(run, &facts);
            facts.comparison = &run->comparison;
        }
        if (status == EXIT_DONE)
            status = ran != KJIT_OK  ? complain_status(ran)
                     : many_speaks() ? results_show(run, &facts, values)
                                     : EXIT_DONE;
        if (status == EXIT_DONE && rounds && run->repeat < 2 && !many_ranks())
            status = measured_tell(stderr, &run->target, &run->launch);
        if (status == EXIT_DONE)
            status = tell_findings(&facts);
    }
    free(args);
    timing_free(&timing);
    taken_free(&taken);
    free(access);
    return status;
}

/* What KJIT_CAPTURE made of the run. */
static void tell_captures(kjit_context *context)
{
    kjit_counters done = { .size = sizeof done };
    const char *folder = getenv("KJIT_CAPTURE");

    if (!context || !folder || !*folder)
        return;
    kjit_count(context, &done);
    if (done.captures)
        complain("captured %llu launch%s in %s", (unsigned long long)done.captures,
                 done.captures == 1 ? "" : "es", folder);
    if (done.capture_failures)
        complain("a launch was not captured: %s/not-captured.txt says why", folder);
}

static int run_target(RunOptions *run)
{
    Session session = { 0 };
    kjit_kernel *kernel = NULL;
    kjit_values *values = NULL;
    int status = EXIT_DONE;

    if (replay_named(run->target.file))
        status = replay_take(&run->target, &run->launch, &run->comparison.captured);
    run->launch.session.defines = &run->launch.defines;
    run->launch.file = run->target.file;
    if (status == EXIT_DONE)
        status = session_open(&session, run->target.file, &run->launch.session);
    if (status == EXIT_DONE && (run_function(run, &session) ||
                                (!run_is_launch(run) && kjit_module_is_program(session.module)))) {
        status = many_check_program(run);
        status = status == EXIT_DONE ? run_program(run, &session) : status;
        many_leave();
        session_close(&session);
        return status;
    }
    if (status == EXIT_DONE && run->stage) {
        complain("--emit is for programs here: kjit build %s --emit %s", run->target.file,
                 run->stage);
        status = EXIT_COMMAND;
    }
    if (status == EXIT_DONE)
        status = run_lacks_function(run, &session);
    if (status == EXIT_DONE)
        status = session_kernel(&session, &run->target, &kernel);
    if (status == EXIT_DONE) {
        kjit_status made = kjit_values_new(&values);
        status = made == KJIT_OK ? run_with_values(run, &session, kernel, values)
                                 : complain_status(made);
    }
    kjit_values_close(values);
    tell_captures(session.context);
    many_leave();
    session_close(&session);
    comparison_free(&run->comparison);
    kjit_replay_close(run->launch.replay);
    return status;
}

int run_command(int argc, char **argv)
{
    RunOptions run = { .tolerance = -1 };
    int begun = many_begin();
    if (begun != EXIT_DONE)
        return begun;
    options_parse(&parser, argc, argv, &run);
    run.quiet |= results_own_stdout(&run);
    /* What a program has printed is not lost; a launch leaves nothing while it is under way. */
    interrupt_open(NULL, NULL);
    mapped_watch();
    doing_open(run.quiet, run.json);
    run.movies = must_alloc(run.plots.count * sizeof *run.movies);
    int status = edited_read(&run.edited);
    if (status == EXIT_DONE)
        status = many_place(&run);
    if (status == EXIT_DONE)
        status = strcmp(run.target.file, "std:") ? run_target(&run) : session_list_standard();
    edited_free(&run.edited);
    target_free(&run.target);
    launching_free(&run.launch);
    pictures_free(&run);
    many_free(&run.many);
    many_end();
    Pairs *const pairs[] = { &run.saves, &run.prints, &run.plots };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        pairs_free(pairs[i]);
    if (interrupted())
        complain("interrupted");
    return interrupt_end(status);
}
