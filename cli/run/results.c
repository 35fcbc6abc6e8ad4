/* What `kjit run` shows of a launch: a report, or JSON; and the arrays of --print, --save and
** --plot. */
#include "cli/plot/plot.h"
#include "cli/run/run.h"

static void print_drawn(void *columns, const char *name, const kjit_array *array)
{
    report_array(stdout, name, array);
    draw_bars(stdout, array, *(int *)columns);
    draw_tiles(stdout, array, *(int *)columns);
}

static void print_times(const RunFacts *facts)
{
    const uint32_t *grid = facts->config.grid, *block = facts->config.block;
    const Timing *timing = facts->timing;
    double most = timing->ms[0];
    for (size_t i = 1; i < timing->count; i++)
        most = timing->ms[i] > most ? timing->ms[i] : most;
    printf("median %.4g ms of %zu launches, %.4g to %.4g ms, [%u, %u, %u] blocks of "
           "[%u, %u, %u] threads on %s\n",
           timing->median, timing->count, timing->least, most, grid[0], grid[1], grid[2], block[0],
           block[1], block[2], kjit_device_model(facts->context));
    if (*timing->disturbed)
        printf("these times are disturbed: %s; measured %d times\n", timing->disturbed,
               timing->tries);
}

static void print_report(const RunFacts *facts)
{
    int columns = terminal_columns(stdout);
    size_t count = kjit_param_count(facts->kernel);
    bool wrote = false;
    for (size_t i = 0; i < count; i++)
        wrote = wrote || facts->access[i] & KJIT_WRITES;
    each_written(facts->kernel, facts->args, facts->access, print_drawn, &columns);
    if (!wrote)
        printf("%s wrote no array\n", kjit_kernel_name(facts->kernel));
    if (facts->chosen)
        shape_print(stdout, &facts->config,
                    "was chosen: as many threads as have something to do, in whole blocks");
}

const kjit_arg *results_item(const kjit_arg *arg, const char *indices)
{
    for (const char *at = indices; arg && *at; at = strchr(at, ']') + 1) {
        unsigned long index = strtoul(at + 1, NULL, 10);
        bool item = arg->kind == KJIT_ARG_TUPLE && index < arg->as.tuple.count;
        arg = item ? &arg->as.tuple.items[index] : NULL;
    }
    return arg;
}

/* The value whose name is the most similar to one that there is not; NULL: none is. */
static const char *near_value(const kjit_values *values, const char *name)
{
    size_t count = 0;
    while (kjit_values_name_at(values, count))
        count++;
    const char **names = must_alloc((count + 1) * sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = kjit_values_name_at(values, i);
    const char *near = nearest_name(name, names, count);
    free(names);
    return near;
}

int results_array(const kjit_values *values, const char *option, const char *name,
                  const kjit_array **array)
{
    size_t length = strcspn(name, "[");
    char *tuple = must_strndup(name, length);
    const kjit_arg *arg = results_item(kjit_values_get(values, tuple), name + length);
    const char *near = arg ? NULL : near_value(values, tuple);
    free(tuple);
    if (arg && arg->kind == KJIT_ARG_ARRAY) {
        *array = &arg->as.array;
        return EXIT_DONE;
    }
    if (arg && arg->kind == KJIT_ARG_TUPLE)
        complain("%s %s: '%s' is a tuple; its items are called %s[0] and so on", option, name, name,
                 name);
    else if (arg)
        complain("%s %s: '%s' is a number, and only arrays can be shown and saved", option, name,
                 name);
    else
        complain("%s %s: there is no array or number called '%s'%s%s%s", option, name, name,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return EXIT_COMMAND;
}

static int check_save(const Pair *pair, const kjit_array *array)
{
    static const char *const endings[] = { ".npy", ".png", ".pgm", ".ppm", NULL };
    size_t length = strlen(pair->value);
    bool known = false;
    (void)array;
    if (!strcmp(pair->value, "-"))
        return EXIT_DONE;
    for (const char *const *ending = endings; *ending; ending++)
        known |= length > 4 && !strcmp(pair->value + length - 4, *ending);
    if (known)
        return draft_check("--save", pair->value) ? EXIT_DONE : EXIT_FAILED;
    return bad_usage("--save %s=%s: it saves .npy, and pictures as .png, .pgm and .ppm, so "
                     "give it a name that ends so",
                     pair->name, pair->value);
}

static int save_array(const Pair *pair, const kjit_array *array)
{
    const bool standard = !strcmp(pair->value, "-");
    doing_say("saving %s", pair->value);
    fflush(stdout);
    kjit_status status = kjit_save_array(standard ? "/dev/stdout" : pair->value, array);
    doing_say(NULL);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

static int show_array(const Pair *pair, const kjit_array *array)
{
    print_array(stdout, pair->name, array);
    return EXIT_DONE;
}

/* Beside JSON, which has the standard output for itself. */
static int show_aside(const Pair *pair, const kjit_array *array)
{
    print_array(stderr, pair->name, array);
    return EXIT_DONE;
}

static int each_asked(const Pairs *asked, const kjit_values *values, const char *option,
                      int (*action)(const Pair *pair, const kjit_array *array))
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < asked->count && status == EXIT_DONE; i++) {
        const kjit_array *array = NULL;
        status = results_array(values, option, asked->list[i].name, &array);
        if (status == EXIT_DONE && action)
            status = action(&asked->list[i], array);
    }
    return status;
}

bool results_own_stdout(const RunOptions *run)
{
    for (size_t i = 0; i < run->saves.count; i++)
        if (!strcmp(run->saves.list[i].value, "-"))
            return true;
    return false;
}

int results_check(const RunOptions *run, const kjit_values *values)
{
    int status = each_asked(&run->saves, values, "--save", check_save);
    if (status == EXIT_DONE)
        status = each_asked(&run->prints, values, "--print", NULL);
    if (status == EXIT_DONE)
        status = pictures_check(run, values);
    return status;
}

/* Whether a program leaves what is asked for, names with commas between, as far as its text says;
** one function's run leaves what it returns. */
static int check_bound(bool function, const kjit_module *module, const char *option,
                       const Pairs *asked)
{
    for (size_t i = 0; i < asked->count && !function; i++)
        for (const char *at = asked->list[i].name; *at; at += *at == ',') {
            size_t length = strcspn(at, ",");
            char *name = must_strndup(at, length), *whole = must_strndup(at, strcspn(at, "[,"));
            const bool bound = kjit_module_binds(module, whole);
            int status = bound ? EXIT_DONE
                               : bad_usage("%s %s: there is no value called '%s'", option,
                                           asked->list[i].name, name);
            free(name);
            free(whole);
            if (status != EXIT_DONE)
                return status;
            at += length;
        }
    return EXIT_DONE;
}

int results_check_program(const RunOptions *run, const Session *session)
{
    const bool function = run_function(run, session);
    int status = check_bound(function, session->module, "--save", &run->saves);
    if (status == EXIT_DONE)
        status = check_bound(function, session->module, "--print", &run->prints);
    for (size_t i = 0; i < run->saves.count && status == EXIT_DONE; i++)
        status = check_save(&run->saves.list[i], NULL);
    if (status == EXIT_DONE)
        status = pictures_check(run, NULL);
    if (status != EXIT_DONE || pictures_want_steps(run)) /* which functions' arguments have, too */
        return status;
    return check_bound(function, session->module, "--plot", &run->plots);
}

/* What a number of this dtype is kept as in an argument. */
static kjit_dtype kept_as(kjit_dtype dtype)
{
    switch (dtype) {
    case KJIT_DTYPE_COMPLEX64:
    case KJIT_DTYPE_COMPLEX128:
        return KJIT_DTYPE_COMPLEX128;
    case KJIT_DTYPE_FLOAT16:
    case KJIT_DTYPE_BFLOAT16:
    case KJIT_DTYPE_FLOAT32:
    case KJIT_DTYPE_FLOAT64:
        return KJIT_DTYPE_FLOAT64;
    default:
        return dtype == KJIT_DTYPE_UINT64 ? dtype : KJIT_DTYPE_INT64;
    }
}

static void report_value(const char *name, const kjit_arg *value)
{
    if (value->kind == KJIT_ARG_ARRAY) {
        int columns = terminal_columns(stdout);
        print_drawn(&columns, name, &value->as.array);
        return;
    }
    for (size_t i = 0; value->kind == KJIT_ARG_TUPLE && i < value->as.tuple.count; i++) {
        char item[64];
        snprintf(item, sizeof item, "%s[%zu]", name, i);
        report_value(item, &value->as.tuple.items[i]);
    }
    if (value->kind != KJIT_ARG_TUPLE) { /* a number, shown as an array without axes is */
        const kjit_array number = { .data = (void *)(uintptr_t)&value->as,
                                    .dtype = kept_as(value->dtype) };
        report_array(stdout, name, &number);
    }
}

void results_show_function(const kjit_values *values)
{
    const kjit_arg *out = kjit_values_get(values, "out");
    if (out)
        report_value("out", out);
}

int results_show_program(const RunOptions *run, const kjit_values *values)
{
    int status = each_asked(&run->prints, values, "--print", run->json ? show_aside : show_array);
    if (status == EXIT_DONE)
        status = each_asked(&run->saves, values, "--save", save_array);
    return status == EXIT_DONE ? pictures_draw(run, values) : status;
}

int results_show(const RunOptions *run, const RunFacts *facts, const kjit_values *values)
{
    int status = EXIT_DONE;
    doing_say("looking at what %s wrote", kjit_kernel_name(facts->kernel));
    if (run->json)
        status = json_run(stdout, facts);
    else if (!run->quiet)
        print_report(facts);
    if (!run->json && !run->quiet && !facts->chosen)
        shape_tell_left_over(facts->kernel, &facts->config, facts->args, 0);
    const Comparison *comparison = facts->comparison;
    if (comparison && !run->json && !(run->quiet && comparison->within))
        comparison_print(stdout, comparison);
    if (!run->json && facts->timing)
        print_times(facts);
    if (status == EXIT_DONE)
        status = each_asked(&run->prints, values, "--print", run->json ? show_aside : show_array);
    fflush(stdout); /* closing a GPU takes longer than most kernels */
    if (status == EXIT_DONE)
        status = each_asked(&run->saves, values, "--save", save_array);
    if (status == EXIT_DONE)
        status = pictures_draw(run, values);
    bool differs = comparison && comparison->count && !comparison->within;
    return status == EXIT_DONE && differs ? EXIT_DEFECT : status;
}
