/* `kjit run --plot`: which arrays are drawn into which files, in which style, at the end or step by
** step. */
#include <argp.h>

#include "cli/run/run.h"

/* ---- options -------------------------------------------------------------------------------- */

enum { OPTION_PLOT = 512, OPTION_LOG, OPTION_MAP, OPTION_AXES, OPTION_STEPS };

#define PLOT_FORM "NAME[,NAME...][=FILE]"

#define SETS(field) OPTION_SETS(RunOptions, field)

static const struct argp_option options[] = {
    { "plot", SETS(plots), PLOT_FORM, OPTION_REPEATS,
      "draw arrays to a .svg or .png (NAME.svg), or how one changes to a .gif or .mp4", 0 },
    { "plot-log", OPTION_LOG, "AXES", 0, "logarithmic axes: x, y, c for the colours, or xy", 0 },
    { "plot-map", OPTION_MAP, "MAP", 0, "colours: " COLOR_MAPS " (viridis)", 0 },
    { "plot-axes", OPTION_AXES, "X,Y", 0, "what the axes are called", 0 },
    { "plot-steps", OPTION_STEPS, "N", 0, "draw N steps of a run beside each other", 0 },
    { 0 }
};

static int parse_log(PlotStyle *style, const char *text)
{
    for (const char *at = text; *at; at++) {
        bool *which = *at == 'x'   ? &style->log_x
                      : *at == 'y' ? &style->log_y
                      : *at == 'c' ? &style->log_color
                                   : NULL;
        if (!which)
            return bad_usage("--plot-log wants x, y, c, or several of these, as in xy, not '%s'",
                             text);
        *which = true;
    }
    return EXIT_DONE;
}

static int parse_map(PlotStyle *style, const char *text)
{
    style->map = color_map_find(text);
    if (style->map >= 0)
        return EXIT_DONE;
    return bad_usage("--plot-map wants " COLOR_MAPS ", not '%s'", text);
}

/* Either may be empty: "time, s," names the first. */
static int parse_axes(PlotStyle *style, char *text)
{
    char *comma = strrchr(text, ',');
    if (!comma)
        return bad_usage(
            "--plot-axes wants two names with a comma between, as in 'bin,samples', not '%s'",
            text);
    *comma = '\0';
    style->x = *text ? text : NULL;
    style->y = comma[1] ? comma + 1 : NULL;
    return EXIT_DONE;
}

static bool is_styled(const PlotStyle *style)
{
    return style->log_x || style->log_y || style->log_color || style->map || style->x || style->y ||
           style->steps;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    RunOptions *run = state->input;
    int status = EXIT_DONE;

    switch (key) {
    case OPTION_LOG:
        status = parse_log(&run->style, text);
        break;
    case OPTION_MAP:
        status = parse_map(&run->style, text);
        break;
    case OPTION_AXES:
        status = parse_axes(&run->style, text);
        break;
    case OPTION_STEPS:
        status = count_parse("--plot-steps", text, 1, 60, &run->style.steps);
        break;
    case ARGP_KEY_END:
        if (is_styled(&run->style) && !run->plots.count)
            usage_error("--plot-log, --plot-map, --plot-axes and --plot-steps say how --plot "
                        "draws: what is to be drawn?");
        break;
    default:
        return option_set(options, key, text, run);
    }
    return option_result(status);
}

const struct argp pictures_parser = { .options = options, .parser = parse_option };

void pictures_free(RunOptions *run)
{
    for (size_t i = 0; run->movies && i < run->plots.count; i++)
        movie_free(run->movies[i]);
    free(run->movies);
    run->movies = NULL;
}

/* ---- what is asked for ---------------------------------------------------------------------- */

/* The file that is drawn to: to be free()d. */
static char *path_of(const Pair *pair)
{
    size_t length = strcspn(pair->name, ",");
    char *path = must_alloc(length + sizeof ".svg");
    snprintf(path, length + sizeof ".svg", "%.*s.svg", (int)length, pair->name);
    if (!pair->value)
        return path;
    free(path);
    return must_strndup(pair->value, strlen(pair->value));
}

/* The arrays of "a,b": names and list are to be free()d. */
typedef struct Items {
    char *names;
    PlotItem *list;
    size_t count;
} Items;

static void items_free(Items *items)
{
    free(items->names);
    free(items->list);
}

static int items_find(const Pair *pair, const kjit_values *values, Items *items)
{
    char *rest = NULL;
    int status = EXIT_DONE;
    items->names = must_strndup(pair->name, strlen(pair->name));
    items->list = must_alloc(strlen(pair->name) * sizeof *items->list);
    items->count = 0;
    for (char *name = strtok_r(items->names, ",", &rest); name && status == EXIT_DONE;
         name = strtok_r(NULL, ",", &rest)) {
        PlotItem *item = &items->list[items->count++];
        item->name = name;
        status = results_array(values, "--plot", name, &item->array);
    }
    return status;
}

bool pictures_want_steps(const RunOptions *run)
{
    for (size_t i = 0; run->movies && i < run->plots.count; i++)
        if (run->movies[i])
            return true;
    return false;
}

/* ---- before --------------------------------------------------------------------------------- */

static int check_movie(const Pair *pair, bool program, const RunOptions *run)
{
    if (strchr(pair->name, ','))
        return bad_usage("--plot %s: the steps of one array are drawn, not of several", pair->name);
    if (program || run->repeat > 1)
        return EXIT_DONE;
    return bad_usage(
        "--plot %s: one launch has one step: --repeat N makes N of them, and --swap lets two "
        "arrays change places",
        pair->name);
}

static int check_one(const RunOptions *run, size_t index, const kjit_values *values)
{
    const Pair *pair = &run->plots.list[index];
    char *path = path_of(pair);
    Items items = { 0 };
    bool steps = movie_named(path) || run->style.steps;
    int status = steps ? check_movie(pair, !values, run) : EXIT_DONE;

    if (status == EXIT_DONE && values)
        status = items_find(pair, values, &items);
    if (status == EXIT_DONE)
        status = plot_check(path, items.list, items.count);
    if (status == EXIT_DONE && !draft_check("--plot", path))
        status = EXIT_FAILED;
    if (status == EXIT_DONE && steps)
        run->movies[index] = movie_new(pair->name);
    items_free(&items);
    free(path);
    return status;
}

int pictures_check(const RunOptions *run, const kjit_values *values)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < run->plots.count && status == EXIT_DONE; i++)
        status = check_one(run, i, values);
    return status;
}

/* ---- meanwhile ------------------------------------------------------------------------------ */

/* What stands in the parameter's place, also where --swap has changed it. */
static const kjit_arg *argument_of(const kjit_kernel *kernel, const kjit_arg *args,
                                   const char *name)
{
    size_t length = strcspn(name, "[");
    for (size_t i = 0; i < kjit_param_count(kernel); i++) {
        const char *param = kjit_param_name(kernel, i);
        if (strlen(param) == length && !strncmp(param, name, length))
            return results_item(&args[i], name + length);
    }
    return NULL;
}

void pictures_step(const RunOptions *run, const kjit_kernel *kernel, const kjit_arg *args)
{
    for (size_t i = 0; run->movies && i < run->plots.count; i++) {
        Movie *movie = run->movies[i];
        if (!movie || !movie_wants(movie))
            continue;
        const kjit_arg *arg = argument_of(kernel, args, run->plots.list[i].name);
        if (arg && arg->kind == KJIT_ARG_ARRAY)
            movie_add(movie, &arg->as.array);
    }
}

void pictures_program_step(void *context, kjit_program_state *state)
{
    const RunOptions *run = context;
    for (size_t i = 0; run->movies && i < run->plots.count; i++) {
        const char *name = run->plots.list[i].name;
        size_t length = strcspn(name, "[");
        kjit_arg whole;
        Movie *movie = run->movies[i];
        if (!movie || !movie_wants(movie))
            continue;
        char *tuple = must_strndup(name, length);
        kjit_status status = kjit_program_value(state, tuple, &whole);
        free(tuple);
        const kjit_arg *arg = status == KJIT_OK ? results_item(&whole, name + length) : NULL;
        if (arg && arg->kind == KJIT_ARG_ARRAY)
            movie_add(movie, &arg->as.array);
    }
}

/* ---- at the end ----------------------------------------------------------------------------- */

static int draw_one(const RunOptions *run, size_t index, const kjit_values *values)
{
    const Pair *pair = &run->plots.list[index];
    const Movie *movie = run->movies[index];
    char *path = path_of(pair);
    Items items = { 0 };
    int status = movie ? movie_write(movie, path, &run->style) : items_find(pair, values, &items);

    if (status == EXIT_DONE && !movie) /* of a program they are not known before */
        status = plot_check(path, items.list, items.count);
    if (status == EXIT_DONE && !movie)
        status = plot_arrays(path, items.list, items.count, &run->style);
    items_free(&items);
    free(path);
    return status;
}

int pictures_draw(const RunOptions *run, const kjit_values *values)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < run->plots.count && status == EXIT_DONE; i++)
        status = draw_one(run, i, values);
    return status;
}
