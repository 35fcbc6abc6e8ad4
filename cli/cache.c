/* `kjit cache`: the compiled kernels on disk. */
#include <argp.h>
#include <time.h>

#include "cli/cli.h"

static void print_entry(void *count, const kjit_cache_entry *entry)
{
    char when[32] = "";
    struct tm local;
    time_t used = (time_t)entry->used;
    if (localtime_r(&used, &local))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local);
    printf("%9llu  %-7s  %s  %s\n", (unsigned long long)entry->bytes, entry->target, when,
           entry->kernel);
    ++*(size_t *)count;
}

static int list_entries(void)
{
    size_t count = 0;
    kjit_status status = kjit_cache_list(print_entry, &count);
    if (status != KJIT_OK)
        return complain_status(status);
    if (!count)
        printf("nothing in %s\n", kjit_cache_directory());
    return EXIT_DONE;
}

typedef struct Totals {
    size_t entries;
    unsigned long long bytes;
} Totals;

static void add_entry(void *context, const kjit_cache_entry *entry)
{
    Totals *totals = context;
    totals->entries++;
    totals->bytes += entry->bytes;
}

static int print_stats(void)
{
    Totals totals = { 0 };
    kjit_status status = kjit_cache_list(add_entry, &totals);
    if (status != KJIT_OK)
        return complain_status(status);
    printf("directory  %s\nkernels    %zu\nbytes      %llu\n", kjit_cache_directory(),
           totals.entries, totals.bytes);
    return EXIT_DONE;
}

static int clear(void)
{
    size_t removed = 0;
    kjit_status status = kjit_cache_clear(&removed);
    if (status != KJIT_OK)
        return complain_status(status);
    printf("removed %zu from %s\n", removed, kjit_cache_directory());
    return EXIT_DONE;
}

static const struct {
    const char *name;
    int (*act)(void);
} actions[] = { { "ls", list_entries }, { "stats", print_stats }, { "clear", clear } };
enum { ACTIONS = sizeof actions / sizeof actions[0] };

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    int *action = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (*action >= 0)
            usage_error("one of ls, stats and clear at a time");
        for (int i = 0; i < ACTIONS; i++)
            if (!strcmp(text, actions[i].name))
                *action = i;
        if (*action < 0)
            usage_error("ls, stats or clear, not '%s'", text);
        return 0;
    case ARGP_KEY_NO_ARGS:
        usage_error("ls, stats or clear?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .parser = parse_option,
    .args_doc = "ls|stats|clear",
    .doc = "Lists, counts or clears the compiled kernels on disk.",
};

int cache_command(int argc, char **argv)
{
    int action = -1;
    options_parse(&parser, argc, argv, &action);
    return actions[action].act();
}
