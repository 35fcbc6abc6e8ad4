/* `kjit doctor`: what was found on this machine, and remedies for what was not. */
#include <argp.h>

#include "cli/cli.h"

typedef struct DoctorFindings {
    kjit_finding *list;
    size_t count;
} DoctorFindings;

static char *copy(const char *text)
{
    return text ? must_strndup(text, strlen(text)) : NULL;
}

static void keep_finding(void *context, const kjit_finding *finding)
{
    DoctorFindings *all = context;
    must_push(all->list, all->count) = (kjit_finding){
        .what = copy(finding->what),
        .found = finding->found,
        .detail = copy(finding->detail),
        .advice = copy(finding->advice),
    };
}

static void free_findings(DoctorFindings *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free((char *)all->list[i].what);
        free((char *)all->list[i].detail);
        free((char *)all->list[i].advice);
    }
    free(all->list);
}

static void print_findings(const DoctorFindings *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const kjit_finding *finding = &all->list[i];
        printf("%-8s %-20s %s\n", finding->found ? "found" : "missing", finding->what,
               finding->detail ? finding->detail : "");
        if (!finding->found && finding->advice)
            printf("%-8s %-20s %s\n", "", "", finding->advice);
    }
}

typedef struct DoctorOptions {
    bool json, try;
} DoctorOptions;

#define SETS(field) OPTION_SETS(DoctorOptions, field)

static const struct argp_option options[] = { { "json", SETS(json), NULL, 0, "print JSON", 0 },
                                              { "try", SETS(try), NULL, 0,
                                                "compile and launch a kernel on each device", 0 },
                                              { 0 } };

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    if (key == ARGP_KEY_ARG)
        usage_error("doctor takes no argument, such as '%s'", text);
    return option_set(options, key, text, state->input);
}

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .doc = "Says what was found on this machine (driver, devices, NVRTC, C compiler, cache) and "
           "what to do about what was not.",
};

/* Runs a trial kernel on the processor and on every GPU, and adds the results. */
static int try_devices(DoctorFindings *all, Trial **trials)
{
    int count = 1 + kjit_gpu_count();
    *trials = must_alloc((size_t)count * sizeof **trials);
    for (int i = 0; i < count; i++) {
        char device[32] = "cpu";
        if (i)
            snprintf(device, sizeof device, "cuda:%d", i - 1);
        trial_run(&(*trials)[i], device);
        keep_finding(all, &(*trials)[i].finding);
    }
    return count;
}

int doctor_command(int argc, char **argv)
{
    DoctorOptions wanted = { false };
    DoctorFindings all = { 0 };
    Trial *trials = NULL;
    int tried = 0;
    options_parse(&parser, argc, argv, &wanted);

    int status = EXIT_DONE;
    kjit_status asked = kjit_doctor(keep_finding, &all);
    if (asked == KJIT_OK && wanted.try)
        tried = try_devices(&all, &trials);
    if (asked != KJIT_OK)
        status = complain_status(asked);
    else if (wanted.json)
        status = json_findings(stdout, all.list, all.count, trials, (size_t)tried);
    else
        print_findings(&all);
    for (int i = 0; i < tried && status == EXIT_DONE; i++)
        status = trials[i].finding.found ? EXIT_DONE : EXIT_FAILED;
    free(trials);
    free_findings(&all);
    return status;
}
