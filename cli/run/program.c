/* `kjit run` of a file that has host code: a program. */
#include "cli/measure/measure.h"
#include "cli/run/run.h"

/* What the program has printed, where JSON has the standard output for itself. */
typedef struct Output {
    char *text;
    size_t length;
} Output;

static void keep_output(void *context, const char *text, size_t length)
{
    Output *output = context;
    output->text = must_grow(output->text, output->length + length + 1);
    memcpy(output->text + output->length, text, length);
    output->length += length;
    output->text[output->length] = '\0';
}

static void to_stderr(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stderr);
}

/* A stage of a launch's kernel, for its arguments. */
static int emit_stage(const kjit_program_launch *launch, const Session *session, const char *stage,
                      char **text)
{
    const bool is_for_both =
        !strncmp(stage, "ir", 2) || !strcmp(stage, "remarks") || !strcmp(stage, "schedule");
    const kjit_emit_options wanted = {
        .size = sizeof wanted,
        .stage = stage,
        .args = launch->args,
        .arg_count = launch->count,
        .arch =
            is_for_both && strcmp(kjit_device_name(session->context), "cpu") == 0 ? "cpu" : NULL,
        .facts = "launch",
        .config = launch->config,
        .without_lines = 1,
    };
    size_t length;
    kjit_status status = kjit_emit(launch->kernel, &wanted, text, &length);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

typedef struct Telling {
    const RunOptions *run;
    const Session *session;
    int status; /* of the first that failed */
} Telling;

/* What was asked for of a launch: remarks, to stderr, a stage, to stdout. */
static void tell_launch(void *context, const kjit_program_launch *launch)
{
    Telling *telling = context;
    const char *stage = telling->run->stage;
    char *text;
    if (telling->status != EXIT_DONE)
        return;
    if (telling->run->remarks)
        fputs(launch->remark, stderr);
    if (!launch->kernel)
        return;
    if (telling->run->remarks) {
        telling->status = emit_stage(launch, telling->session, "remarks", &text);
        if (telling->status != EXIT_DONE)
            return;
        fputs(text, stderr);
        kjit_free(text);
    }
    if (!stage)
        return;
    telling->status = emit_stage(launch, telling->session, stage, &text);
    if (telling->status != EXIT_DONE)
        return;
    const bool is_c = !strcmp(stage, "cuda") || !strcmp(stage, "c") || !strcmp(stage, "ptx");
    const size_t length = strlen(text);
    printf("%s %s:%u: %s\n%s%s", is_c ? "//" : "#", launch->file, launch->line, launch->statement,
           text, length && text[length - 1] != '\n' ? "\n" : "");
    kjit_free(text);
}

const char *run_function(const RunOptions *run, const Session *session)
{
    const char *name = run->target.kernel;
    if (!name && !strncmp(run->target.file, "std:", 4))
        name = run->target.file + 4;
    return name && kjit_module_has_function(session->module, name) ? name : NULL;
}

int run_lacks_function(const RunOptions *run, const Session *session)
{
    const kjit_module *module = session->module;
    const char *file = run->target.file, *name = kjit_module_function_at(module, 0, NULL);
    bool unnamed = !run->target.kernel && name;

    for (size_t i = 0; unnamed && i < kjit_kernel_count(module); i++)
        unnamed = *kjit_kernel_name_at(module, i) == '_';
    if (!unnamed)
        return EXIT_DONE;
    complain("%s is called by its functions; name one:", file);
    for (size_t i = 0; (name = kjit_module_function_at(module, i, NULL)) != NULL; i++)
        fprintf(stderr, "    %s:%s\n", file, name);
    return EXIT_COMMAND;
}

/* An option that only a launch has, of those that were given; NULL: there is none. */
static const char *launch_option(const RunOptions *run)
{
    const LaunchOptions *launch = &run->launch;
    if (run->edited.file)
        return strcmp(run->edited.stage, "c") == 0 ? "--c" : "--cuda";
    return launch->has_grid ? "--grid"
           : launch->forall ? "--forall"
           : launch->shared ? "--shared"
           : run->times     ? "--time"
           : run->repeat    ? "--repeat"
           : run->swap      ? "--swap"
                            : NULL;
}

bool run_is_launch(const RunOptions *run)
{
    return run->target.kernel || run->launch.replay || launch_option(run);
}

void run_hint_program(const RunOptions *run, const Session *session)
{
    const char *option = launch_option(run);
    if (option && !run->target.kernel && !run->launch.replay &&
        kjit_module_is_program(session->module))
        complain("%s launches a kernel by itself; without it %s runs as the program that it is",
                 option, run->target.file);
}

/* What the checker found in all launches, if that was the device. */
static int tell_findings(Session *session, const char *file)
{
    if (strcmp(kjit_device_name(session->context), "check") != 0)
        return EXIT_DONE;
    Checked checked = { .file = file };
    checked.list = findings_sorted(session->context, &checked.count);
    const CheckedList list = { .list = &checked, .count = 1 };
    fflush(stdout);
    findings_print(stderr, checked.list, checked.count, NULL);
    if (checked.count)
        fprintf(stderr, "%zu finding%s in %s\n", checked.count, checked.count == 1 ? "" : "s",
                file);
    else
        fprintf(stderr, "no findings in %s\n", file);
    bool defect = findings_have_defect(&list);
    free(checked.list);
    return defect ? EXIT_DEFECT : EXIT_DONE;
}

/* What the device can do, for a profile; nothing where it cannot be measured. The checker's times
** tell nothing. */
static const kjit_peaks *peaks_for(const RunOptions *run, Session *session, kjit_peaks *peaks)
{
    Peaks found = { 0 };
    if (!run->profile || strcmp(kjit_device_name(session->context), "check") == 0)
        return NULL;
    doing_say("measuring the device");
    kjit_status status = measure_peaks(session->context, &found);
    doing_say(NULL);
    *peaks = measure_peaks_found(&found);
    return status == KJIT_OK ? peaks : NULL;
}

static int run_with(const RunOptions *run, Session *session, kjit_values *values, int *exited)
{
    const Pairs *given = &run->launch.values;
    kjit_define *defines = must_alloc(given->count * sizeof *defines);
    Output output = { 0 };
    for (size_t i = 0; i < given->count; i++)
        defines[i] = (kjit_define){ given->list[i].name, given->list[i].value };
    const bool observed = run->remarks || run->stage;
    const bool aside = run->stage || results_own_stdout(run);
    Telling telling = { run, session, EXIT_DONE };
    kjit_peaks peaks;
    const kjit_program_options options = { .size = sizeof options,
                                           .print = run->json ? keep_output
                                                    : aside   ? to_stderr
                                                              : NULL,
                                           .launched = observed ? tell_launch : NULL,
                                           .launched_context = &telling,
                                           .context = &output,
                                           .values = defines,
                                           .value_count = given->count,
                                           .results = values,
                                           .profile = run->profile,
                                           .step = pictures_want_steps(run) ? pictures_program_step
                                                                            : NULL,
                                           .step_context = (void *)run,
                                           .function = run_function(run, session),
                                           .group = many_group(),
                                           .exit_status = exited,
                                           .peaks = peaks_for(run, session, &peaks) };
    crash_guard(NULL, run->launch.session.debug);
    kjit_status ran = kjit_program_run(session->module, &options);
    if (ran == KJIT_OK && many_group()) /* what others have failed at is reported here */
        ran = kjit_group_synchronize(many_group());
    int status = ran == KJIT_OK ? telling.status : complain_status(ran);
    if (status == EXIT_DONE && run->json)
        status = json_program(stdout, run->target.file, session->context,
                              output.text ? output.text : "", values);
    if (status == EXIT_DONE && options.function && !run->json && !run->quiet)
        results_show_function(values);
    if (status == EXIT_DONE && many_speaks())
        status = results_show_program(run, values);
    many_ran(ran == KJIT_OK);
    free(defines);
    free(output.text);
    return status;
}

static int check_stage(const char *stage)
{
    if (!stage || (strcmp(stage, "cubin") != 0 && strcmp(stage, "so") != 0))
        return EXIT_DONE;
    return bad_usage("--emit %s: that is no text", stage);
}

int run_program(const RunOptions *run, Session *session)
{
    kjit_values *values = NULL;
    int exited = 0;
    int status = many_speaks() ? results_check_program(run, session) : EXIT_DONE;
    if (status == EXIT_DONE)
        status = check_stage(run->stage);
    if (status == EXIT_DONE) {
        kjit_status made = kjit_values_new(&values);
        status = made == KJIT_OK ? run_with(run, session, values, &exited) : complain_status(made);
    }
    kjit_values_close(values);
    if (status == EXIT_DONE)
        status = tell_findings(session, run->target.file);
    return status == EXIT_DONE ? exited : status;
}
