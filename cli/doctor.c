/* `kjit doctor`: what was found on this machine, and what to do about what wasn't. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

typedef struct Findings {
    kjit_finding *list;
    size_t count;
} Findings;

static char *copy(const char *text)
{
    return text ? must_strndup(text, strlen(text)) : NULL;
}

static void keep_finding(void *context, const kjit_finding *finding)
{
    Findings *all = context;
    all->list = must_grow(all->list, (all->count + 1) * sizeof *all->list);
    all->list[all->count++] = (kjit_finding){
        .what = copy(finding->what),
        .found = finding->found,
        .detail = copy(finding->detail),
        .advice = copy(finding->advice),
    };
}

static void free_findings(Findings *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free((char *)all->list[i].what);
        free((char *)all->list[i].detail);
        free((char *)all->list[i].advice);
    }
    free(all->list);
}

static void print_findings(const Findings *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const kjit_finding *finding = &all->list[i];
        printf("%-8s %-20s %s\n", finding->found ? "found" : "missing", finding->what,
               finding->detail ? finding->detail : "");
        if (!finding->found && finding->advice)
            printf("%-8s %-20s %s\n", "", "", finding->advice);
    }
}

enum { OPTION_JSON = 256 };

static const struct argp_option options[] = { { "json", OPTION_JSON, NULL, 0, "print JSON", 0 },
                                              { 0 } };

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    (void)text;
    switch (key) {
    case OPTION_JSON:
        *(bool *)state->input = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "there is nothing to name");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .doc = "Says what was found on this machine (driver, devices, NVRTC, C compiler, cache) and "
           "what to do about what was not.",
};

int doctor_command(int argc, char **argv)
{
    bool json = false;
    Findings all = { 0 };
    argp_parse(&parser, argc, argv, 0, NULL, &json);

    int status = EXIT_DONE;
    kjit_status asked = kjit_doctor(keep_finding, &all);
    if (asked != KJIT_OK)
        status = complain_status(asked);
    else if (json)
        status = json_findings(stdout, all.list, all.count);
    else
        print_findings(&all);
    free_findings(&all);
    return status;
}
