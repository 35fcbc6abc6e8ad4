/* Options and values of launches, shared by the subcommands that launch. */
#include <argp.h>
#include <ctype.h>

#include "cli/cli.h"

/* ---- options -------------------------------------------------------------------------------- */

enum { OPTION_GRID = 512, OPTION_FORALL, OPTION_SHARED };

#define SETS(field) OPTION_SETS(LaunchOptions, field)

static const struct argp_option options[] = {
    { "grid", OPTION_GRID, "GxB", 0, "G blocks of B threads: 64x256, 16,16x32,8", 0 },
    { "forall", OPTION_FORALL, "N", 0, "a grid and a block for N threads", 0 },
    { "shared", OPTION_SHARED, "BYTES", 0, "dynamic shared memory", 0 },
    { "define", 'D', "NAME=VALUE", OPTION_REPEATS, "override a constant of the file", 0 },
    { "debug", SETS(session.debug), NULL, 0, "check assert, raise and indices", 0 },
    { "fastmath", SETS(session.fastmath), NULL, 0, "as @cuda.jit(fastmath=True)", 0 },
    { "matmul", SETS(session.matmul), "NAME", 0,
      "products by tensor cores, rounded: tf32, tf32x3, f16, bf16, bf16x9", 0 },
    { "schedule", SETS(session.schedule), "FILE", 0,
      "how work is moved: as --emit schedule prints it", 0 },
    { 0 }
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    LaunchOptions *launch = state->input;
    int status = EXIT_DONE;

    switch (key) {
    case OPTION_GRID:
        launch->has_grid = true;
        status = grid_parse(text, &launch->config);
        break;
    case OPTION_FORALL:
        status = count_parse("--forall", text, 1, INT64_MAX, &launch->forall);
        break;
    case OPTION_SHARED:
        status = count_parse("--shared", text, 0, INT32_MAX, &launch->shared);
        break;
    case 'D':
        status = pairs_add(&launch->defines, text, "-D", "NAME=VALUE");
        break;
    case ARGP_KEY_END:
        if (launch->has_grid && launch->forall)
            usage_error("--grid and --forall say the same thing twice");
        break;
    default:
        return option_set(options, key, text, launch);
    }
    return option_result(status);
}

const struct argp launching_parser = { .options = options, .parser = parse_option };

void launching_free(LaunchOptions *launch)
{
    pairs_free(&launch->values);
    pairs_free(&launch->defines);
}

/* ---- values --------------------------------------------------------------------------------- */

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c & 0x80;
}

/* Does a value after the one at `index` use `name`? */
static bool used_later(const Pairs *values, size_t index, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = index + 1; i < values->count; i++) {
        const char *value = values->list[i].value;
        for (const char *at = value; (at = strstr(at, name)) != NULL; at += length)
            if ((at == value || !in_name(at[-1])) && !in_name(at[length]))
                return true;
    }
    return false;
}

static int unknown_name(const LaunchOptions *launch, kjit_kernel *kernel, const Pair *pair)
{
    const char *name = pair->name;
    size_t count = kjit_param_count(kernel);
    const char **names = must_alloc(count * sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = kjit_param_name(kernel, i);

    const char *meant = nearest_name(name, names, count);
    if (session_constant(launch->file, name))
        complain("%s has no parameter '%s'; a constant of the file is set by -D '%s=%s'",
                 kjit_kernel_name(kernel), name, name, pair->value);
    else if (meant)
        complain("%s has no parameter '%s'; did you mean '%s'?", kjit_kernel_name(kernel), name,
                 meant);
    else
        complain("%s has no parameter '%s', and no later value uses it", kjit_kernel_name(kernel),
                 name);
    free(names);
    return EXIT_COMMAND;
}

bool launching_has_param(kjit_kernel *kernel, const char *name)
{
    for (size_t i = 0; i < kjit_param_count(kernel); i++)
        if (!strcmp(kjit_param_name(kernel, i), name))
            return true;
    return false;
}

int launching_values(const LaunchOptions *launch, kjit_module *module, kjit_kernel *kernel,
                     kjit_values *values)
{
    kjit_values_constants(values, module);
    for (size_t i = 0; i < launch->values.count; i++) {
        const Pair *pair = &launch->values.list[i];
        if (!launching_has_param(kernel, pair->name) && !used_later(&launch->values, i, pair->name))
            return unknown_name(launch, kernel, pair);
        doing_say("making %s", pair->name);
        kjit_status status = kjit_values_set(values, pair->name, pair->value, NULL);
        doing_say(NULL);
        if (status != KJIT_OK)
            return complain_status(status);
    }
    bool has;
    if (!launch->replay)
        return session_example(kernel, values, &has);
    doing_say("reading what was captured");
    kjit_status status = kjit_replay_values(launch->replay, 0, values);
    doing_say(NULL);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

/* ---- the shape of the launch ---------------------------------------------------------------- */

/* The dynamic shared memory of the kernel's @example. */
static size_t example_shared(kjit_kernel *kernel)
{
    kjit_launch_config config = { .size = sizeof config };

    return kjit_example_config(kernel, &config) == KJIT_OK ? config.shared_bytes : 0;
}

kjit_status launching_shape(const LaunchOptions *launch, kjit_kernel *kernel, const kjit_arg *args,
                            kjit_launch_config *config, bool *chosen)
{
    const kjit_launch_config *captured = launch->captured;

    *config = captured && !launch->has_grid ? *captured : launch->config;
    config->size = sizeof *config;
    config->shared_bytes = launch->shared ? launch->shared
                           : captured     ? captured->shared_bytes
                                          : example_shared(kernel);
    if (launch->forall)
        return kjit_forall(kernel, args, kjit_param_count(kernel), launch->forall, config);
    return shape_choose(kernel, args, config, chosen);
}

/* ---- arrays that change places --------------------------------------------------------------- */

int swap_check(const char *text)
{
    const char *comma = strchr(text, ',');
    if (comma && comma != text && comma[1] && !strchr(comma + 1, ','))
        return EXIT_DONE;
    return bad_usage("--swap %s: it takes the names of two arrays, as in u,v", text);
}

/* The parameter of that name, of `length` letters; one behind the last if there is none. */
static size_t param_named(const kjit_kernel *kernel, const char *name, size_t length)
{
    size_t count = kjit_param_count(kernel), i = 0;
    while (i < count && (strlen(kjit_param_name(kernel, i)) != length ||
                         strncmp(kjit_param_name(kernel, i), name, length) != 0))
        i++;
    return i;
}

int swap_find(const char *text, const kjit_kernel *kernel, const kjit_arg *args, size_t places[2])
{
    const char *name = text;
    places[0] = places[1] = 0;
    for (int i = 0; name && i < 2; i++) {
        size_t length = strcspn(name, ",");
        places[i] = param_named(kernel, name, length);
        if (places[i] == kjit_param_count(kernel) || args[places[i]].kind != KJIT_ARG_ARRAY)
            return bad_usage("--swap %s: %s has no array '%.*s'", text, kjit_kernel_name(kernel),
                             (int)length, name);
        name += length + 1;
    }
    return EXIT_DONE;
}

void swap_args(kjit_arg *args, const size_t places[2])
{
    const kjit_arg first = args[places[0]];
    args[places[0]] = args[places[1]];
    args[places[1]] = first;
}
