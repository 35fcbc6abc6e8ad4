/* Options of launches that are split over ranks: what is said of their arrays. */
#include <argp.h>

#include "cli/cli.h"

enum { OPTION_SPLIT = 768, OPTION_HALO, OPTION_REDUCE, OPTION_COPY };

static const struct argp_option options[] = {
    { "split", OPTION_SPLIT, "NAME=AXIS", OPTION_REPEATS, "each rank has a part of an array", 0 },
    { "halo", OPTION_HALO, "NAME=N", OPTION_REPEATS, "and reads N rows beside it", 0 },
    { "reduce", OPTION_REDUCE, "NAME=OPERATION", OPTION_REPEATS,
      "put an array together with sum, sum:ordered, max, min, and, or, xor", 0 },
    { "copy", OPTION_COPY, "NAME", OPTION_REPEATS, "each rank has all of an array", 0 },
    { 0 }
};

static int add(ManyOptions *many, const char *option, char *text)
{
    char *equals = strchr(text, '=');
    bool copy = !strcmp(option, "copy");

    if (copy ? equals != NULL || !*text : !equals || equals == text || !equals[1])
        return bad_usage("--%s %s: it takes %s", option, text,
                         copy                       ? "the NAME of an array"
                         : !strcmp(option, "split") ? "NAME=AXIS, as in x=0"
                         : !strcmp(option, "halo")  ? "NAME=N, as in x=1"
                                                    : "NAME=OPERATION, as in counts=sum");
    kjit_wish *wish = &must_push(many->list, many->count);
    wish->option = option;
    wish->name = must_strndup(text, copy ? strlen(text) : (size_t)(equals - text));
    wish->value = copy ? "" : equals + 1;
    return EXIT_DONE;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    static const char *const names[] = { "split", "halo", "reduce", "copy" };

    if (key < OPTION_SPLIT || key > OPTION_COPY)
        return ARGP_ERR_UNKNOWN;
    return option_result(add(state->input, names[key - OPTION_SPLIT], text));
}

const struct argp many_parser = { .options = options, .parser = parse_option };

void many_free(ManyOptions *many)
{
    for (size_t i = 0; i < many->count; i++)
        free((char *)many->list[i].name);
    free(many->list);
}
