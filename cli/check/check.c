/* `kjit check`: launches kernels under the checker, and prints its findings. */
#include <argp.h>
#include <ctype.h>

#include "cli/cli.h"
#include "cli/measure/clock.h"

typedef struct CheckOptions {
    LaunchOptions launch;
    Target *targets;
    size_t target_count;
    kjit_check_options wanted;
    uint64_t orders;
    bool json, quiet;
    const char *sarif; /* a file, or NULL */
    Session *sessions; /* one per opened target: findings are valid as long */
    size_t session_count;
    CheckedList checked;
    const struct CheckedLaunch *launching; /* or NULL */
} CheckOptions;

/* ---- the command line ----------------------------------------------------------------------- */

enum { OPTION_ORDERS = 256, OPTION_SEED };

#define SETS(field) OPTION_SETS(CheckOptions, field)

static const struct argp_option options[] = {
    { "orders", OPTION_ORDERS, "N", 0, "in how many orders threads run, a launch each (3)", 0 },
    { "seed", OPTION_SEED, "N", 0, "of the first order (0: one after the other)", 0 },
    { "nan", SETS(wanted.nan), NULL, 0, "tell where NaN and infinities are born", 0 },
    { "advise", SETS(wanted.advise), NULL, 0, "tell what is slow on a GPU, too", 0 },
    { "sarif", SETS(sarif), "FILE", 0, "write the findings as SARIF 2.1.0, too", 0 },
    { "json", SETS(json), NULL, 0, "print the findings as JSON", 0 },
    { "quiet", 'q', NULL, 0, "print no summary", 0 },
    { 0 }
};

/* NAME=VALUE, and no file. */
static bool is_value(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' || text[length] & 0x80)
        length++;
    return length && !isdigit((unsigned char)*text) && text[length] == '=';
}

static int parse_argument(CheckOptions *check, const char *text)
{
    if (is_value(text))
        return pairs_add(&check->launch.values, text, "an argument", "NAME=VALUE");
    must_push(check->targets, check->target_count) = target_parse(text);
    return EXIT_DONE;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    CheckOptions *check = state->input;
    int status = EXIT_DONE;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &check->launch;
        break;
    case OPTION_ORDERS:
        status = count_parse("--orders", text, 1, 1000000, &check->orders);
        break;
    case OPTION_SEED:
        status = count_parse("--seed", text, 0, INT64_MAX, &check->wanted.seed);
        break;
    case 'q':
        check->quiet = true;
        break;
    case ARGP_KEY_ARG:
        status = parse_argument(check, text);
        break;
    case ARGP_KEY_END:
        if (!check->target_count)
            usage_error("which FILE?");
        break;
    default:
        return option_set(options, key, text, check);
    }
    return option_result(status);
}

static const struct argp_child shared_options[] = { { &launching_parser, 0, "What to launch:", 1 },
                                                    { 0 } };

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .children = shared_options,
    .args_doc = "FILE[:KERNEL]... [NAME=VALUE...]",
    .doc =
        "Runs kernels under a checker, which names the lines that race, reach out of bounds, read "
        "what was never written, miss a barrier or wait for ever.\v"
        "Without a KERNEL, every kernel of the FILE that has an @example is checked. NAME=VALUE, "
        "for a single kernel, --grid and the rest say what to launch, as kjit run has them. It "
        "needs a C compiler, and no GPU.\n"
        "A kernel is launched --orders times, on the same data, with its threads in another order "
        "each time: those that the seeds S, S + 1, ... stand for, S being that of --seed. Seed 0 "
        "runs one thread after the other, as far as they need not wait; others draw who goes next "
        "and for how long. A finding is reported once for its lines. The same seed gives the same "
        "order, on any machine.\n"
        "Exit status 4 says that there are findings; advice (--advise) is none. docs/checking.md "
        "says what each of them means.",
};

/* ---- one kernel ----------------------------------------------------------------------------- */

/* A kernel that is launched in several orders of threads. */
typedef struct CheckedLaunch {
    const CheckOptions *check;
    const Session *session;
    kjit_kernel *kernel;
    double since; /* by clock_seconds() */
} CheckedLaunch;

static kjit_status launch_in_order(const CheckedLaunch *launch, uint64_t order,
                                   const kjit_arg *args)
{
    kjit_launch_config config;
    kjit_check_options wanted = launch->check->wanted;
    bool chosen = false;

    wanted.size = sizeof wanted;
    wanted.seed += order;
    kjit_status status = kjit_check_set(launch->session->context, &wanted);
    if (status == KJIT_OK)
        status = launching_shape(&launch->check->launch, launch->kernel, args, &config, &chosen);
    if (status == KJIT_OK && !order && !chosen && !launch->check->json && !launch->check->quiet) {
        shape_tell_misfit(launch->kernel, &config, args);
        /* Of what has no values yet the checker has a finding. */
        shape_tell_left_over(launch->kernel, &config, args, KJIT_UNWRITTEN);
    }
    if (status == KJIT_OK)
        status = kjit_launch(launch->kernel, &config, args, kjit_param_count(launch->kernel));
    return status;
}

/* With fresh values: the previous launch may have overwritten its own. */
static int check_order(const CheckedLaunch *launch, uint64_t order, int *rehearsed)
{
    kjit_report report = { .size = sizeof report };
    kjit_values *values = NULL;
    kjit_arg *args = NULL;
    kjit_status made = kjit_values_new(&values);
    int status = made == KJIT_OK ? EXIT_DONE : complain_status(made);

    if (status == EXIT_DONE)
        status = launching_values(&launch->check->launch, launch->session->module, launch->kernel,
                                  values);
    if (status == EXIT_DONE)
        status = session_args(launch->kernel, values, &args);
    if (status == EXIT_DONE) {
        doing_say("checking %s", kjit_kernel_name(launch->kernel));
        doing_since(launch->since);
        doing_count(order, launch->check->orders, "orders");
        kjit_status launched = launch_in_order(launch, order, args);
        status = launched == KJIT_OK ? EXIT_DONE : complain_status(launched);
        kjit_last_report(&report);
        *rehearsed += report.rehearsed;
    }
    free(args);
    kjit_values_close(values);
    return status;
}

/* The findings of the kernel. */
static Checked collect(const CheckedLaunch *launch, const char *file)
{
    Checked checked = { .file = file, .kernel = launch->kernel };
    size_t count = 0;
    kjit_check_finding *all = findings_sorted(launch->session->context, &count);
    const char *name = kjit_kernel_name(launch->kernel);

    for (size_t i = 0; i < count; i++)
        if (!strcmp(all[i].kernel, name))
            all[checked.count++] = all[i];
    checked.list = all;
    return checked;
}

/* Findings are printed even if a later order fails. */
static int check_kernel(CheckOptions *check, const Session *session, kjit_kernel *kernel,
                        const char *file, bool heading)
{
    const CheckedLaunch launch = { check, session, kernel, clock_seconds() };
    int status = EXIT_DONE, rehearsed = 0;

    check->launching = &launch;
    for (uint64_t order = 0; order < check->orders && status == EXIT_DONE && !interrupted();
         order++)
        status = check_order(&launch, order, &rehearsed);
    interrupted(); /* no other thread looks at what follows */
    check->launching = NULL;
    doing_say(NULL);
    Checked checked = collect(&launch, file);
    checked.rehearsed = rehearsed;
    CheckedList *list = &check->checked;
    must_push(list->list, list->count) = checked;
    if (!check->json)
        findings_print(stdout, checked.list, checked.count,
                       heading ? kjit_kernel_name(kernel) : NULL);
    fflush(stdout);
    return status;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static int check_each(CheckOptions *check, const Session *session, const char *file)
{
    size_t count = kjit_kernel_count(session->module);
    int status = EXIT_DONE;

    for (size_t i = 0; i < count && status == EXIT_DONE && !interrupted(); i++) {
        kjit_kernel *kernel;
        bool has = false;
        kjit_status got =
            kjit_get_kernel(session->module, kjit_kernel_name_at(session->module, i), &kernel);
        status = got == KJIT_OK ? session_has_example(kernel, &has) : complain_status(got);
        if (status == EXIT_DONE && has)
            status = check_kernel(check, session, kernel, file, true);
        check->checked.passed_over += status == EXIT_DONE && !has;
    }
    return status;
}

/* A file with host code, whose launches say what its kernels are given: that is for `kjit run`. */
static int refuse_program(const Session *session, const char *file, bool *refused)
{
    size_t count = kjit_kernel_count(session->module);
    bool has = false;
    int status = EXIT_DONE;

    for (size_t i = 0; i < count && !has && status == EXIT_DONE; i++) {
        kjit_kernel *kernel;
        kjit_status got =
            kjit_get_kernel(session->module, kjit_kernel_name_at(session->module, i), &kernel);
        status = got == KJIT_OK ? session_has_example(kernel, &has) : complain_status(got);
    }
    *refused = !has && status == EXIT_DONE && kjit_module_is_program(session->module);
    if (*refused)
        complain("%s is a program: 'kjit run --device check %s' checks what it launches", file,
                 file);
    return status;
}

static int check_target(CheckOptions *check, const Target *target)
{
    size_t sessions = check->session_count++;
    kjit_kernel *kernel;

    check->sessions = must_grow(check->sessions, check->session_count * sizeof *check->sessions);
    Session *session = &check->sessions[sessions];
    check->launch.file = target->file;
    int status = session_open(session, target->file, &check->launch.session);
    if (status != EXIT_DONE)
        return status;
    bool program = false;
    if (!target->kernel && !check->launch.values.count)
        status = refuse_program(session, target->file, &program);
    if (program || status != EXIT_DONE)
        return program ? EXIT_COMMAND : status;
    if (!target->kernel && (kjit_kernel_count(session->module) != 1 || check->target_count > 1)) {
        if (!check->launch.values.count)
            return check_each(check, session, target->file);
        return bad_usage("NAME=VALUE goes with one kernel: name it, as in %s:NAME", target->file);
    }
    status = session_kernel(session, target, &kernel);
    return status == EXIT_DONE ? check_kernel(check, session, kernel, target->file, false) : status;
}

/* Continues after a file that cannot be checked; returns the first failure. */
static int check_all(CheckOptions *check)
{
    int status = EXIT_DONE;

    if (check->launch.values.count && check->target_count > 1)
        return bad_usage("NAME=VALUE goes with one kernel, and there are %zu FILEs",
                         check->target_count);
    for (size_t i = 0; i < check->target_count && !interrupted(); i++) {
        int one = check_target(check, &check->targets[i]);
        status = status == EXIT_DONE ? one : status;
    }
    if (status == EXIT_DONE && !check->checked.count && !interrupted())
        return bad_usage(
            "there is nothing to check: put an @example(NAME=VALUE, ...) above a kernel, or "
            "name one and give its values");
    return status;
}

static int tell(const CheckOptions *check, int status)
{
    int written = EXIT_DONE;

    if (check->json)
        written = json_checked(stdout, &check->checked);
    else if (!check->quiet && status == EXIT_DONE)
        findings_summary(stdout, &check->checked);
    if (check->sarif && written == EXIT_DONE)
        written = sarif_checked(check->sarif, &check->checked);
    if (status != EXIT_DONE || written != EXIT_DONE)
        return status != EXIT_DONE ? status : written;
    return findings_have_defect(&check->checked) ? EXIT_DEFECT : EXIT_DONE;
}

/* What was found until an interrupt, while a kernel is still launched. */
static void tell_interrupted(void *context)
{
    CheckOptions *check = context;
    if (check->launching) {
        Checked found = collect(check->launching, check->launch.file);
        if (!check->json)
            findings_print(stdout, found.list, found.count, NULL);
        must_push(check->checked.list, check->checked.count) = found;
        check->checked.cut = true;
    }
    check->checked.interrupted = true;
    tell(check, EXIT_DONE);
    complain("interrupted");
}

static void check_free(CheckOptions *check)
{
    for (size_t i = 0; i < check->checked.count; i++)
        free(check->checked.list[i].list);
    free(check->checked.list);
    for (size_t i = 0; i < check->session_count; i++)
        session_close(&check->sessions[i]);
    free(check->sessions);
    for (size_t i = 0; i < check->target_count; i++)
        target_free(&check->targets[i]);
    free(check->targets);
    launching_free(&check->launch);
}

int check_command(int argc, char **argv)
{
    CheckOptions check = { .orders = 3, .launch.session.device = "check" };

    options_parse(&parser, argc, argv, &check);
    interrupt_open(tell_interrupted, &check);
    doing_open(check.quiet, check.json);
    check.launch.session.defines = &check.launch.defines;
    bool fine = !check.sarif || draft_check(NULL, check.sarif);
    int status = fine ? check_all(&check) : EXIT_FAILED;
    const bool stopped = check.checked.interrupted = interrupted();
    if (check.checked.count || status == EXIT_DONE || (stopped && check.json))
        status = tell(&check, stopped ? EXIT_DONE : status);
    if (stopped)
        complain("interrupted");
    check_free(&check);
    return interrupt_end(status);
}
