/* The spaces of the measuring child: that of @tune and -T, and the source's own configuration. */
#include <math.h>

#include "cli/tune/child.h"

static json_t *value_of(const kjit_space *space, size_t param, size_t value)
{
    const char *text = kjit_space_value_text(space, param, value);
    double number;
    if (!strcmp(text, "True") || !strcmp(text, "False"))
        return json_boolean(!strcmp(text, "True"));
    if (!kjit_space_value_number(space, param, value, &number))
        return json_string(text);
    return strpbrk(text, ".en") ? json_real(number) : json_integer((json_int_t)number);
}

json_t *child_params(const kjit_space *space)
{
    json_t *list = json_array();
    for (size_t i = 0; i < kjit_space_param_count(space); i++) {
        json_t *values = json_array();
        for (size_t v = 0; v < kjit_space_value_count(space, i); v++)
            json_array_append_new(values, value_of(space, i, v));
        json_array_append_new(list, json_pack("{s:s,s:o}", "name", kjit_space_param_name(space, i),
                                              "values", values));
    }
    return list;
}

/* Translates --grid to keywords of @tune: a block, and a problem that just so many blocks cover. */
static kjit_status set_grid(const LaunchOptions *launch, kjit_space *space)
{
    static const char *const axes[] = { "grid_div_x", "grid_div_y", "grid_div_z" };
    const uint32_t *grid = launch->config.grid, *block = launch->config.block;
    unsigned long long threads[3], blocks[3];
    char text[128];
    for (int i = 0; i < 3; i++) {
        blocks[i] = block[i] ? block[i] : 1;
        threads[i] = blocks[i] * (grid[i] ? grid[i] : 1);
    }
    snprintf(text, sizeof text, "(%llu, %llu, %llu)", blocks[0], blocks[1], blocks[2]);
    kjit_status status = kjit_space_set(space, "block", text);
    snprintf(text, sizeof text, "(%llu, %llu, %llu)", threads[0], threads[1], threads[2]);
    if (status == KJIT_OK)
        status = kjit_space_set(space, "problem", text);
    for (int i = 0; i < 3 && status == KJIT_OK; i++) {
        snprintf(text, sizeof text, "%llu", blocks[i]);
        status = kjit_space_set(space, axes[i], text);
    }
    return status;
}

/* -T and --grid override @tune. */
static kjit_status set_said(const TuneCommand *command, kjit_space *space)
{
    const Pairs *tunes = &command->tunes;
    kjit_status status = KJIT_OK;
    for (size_t i = 0; status == KJIT_OK && i < tunes->count; i++)
        status = kjit_space_set(space, tunes->list[i].name, tunes->list[i].value);
    if (status == KJIT_OK && command->launch.has_grid)
        status = set_grid(&command->launch, space);
    return status;
}

/* Opens the space of @tune and -T. */
int child_open_space(Child *child)
{
    kjit_status status = kjit_space_new(child->kernel, &child->space);
    if (status == KJIT_OK)
        status = set_said(child->command, child->space);
    if (status != KJIT_OK)
        return complain_status(status);
    if (!kjit_space_param_count(child->space) && !child->command->schedules)
        return bad_usage("there is nothing to tune: %s has no @tune with values to try, as "
                         "@tune(block_size_x=[64, 128, 256]) has, nor does -T give any, as "
                         "-T 'block_size_x=[64, 128, 256]' does",
                         kjit_kernel_name(child->kernel));
    return EXIT_DONE;
}

static bool is_unread(kjit_space *space, const char *name)
{
    const char *unread;
    for (size_t i = 0; (unread = kjit_space_unread_at(space, i)) != NULL; i++)
        if (!strcmp(unread, name))
            return true;
    return false;
}

/* The most similar name of a parameter or keyword of @tune. */
static const char *meant_name(const Child *child, const char *name)
{
    enum { NAMES_MOST = 32 };
    const char *names[NAMES_MOST] = { "block_size_x", "block_size_y", "block_size_z" }, *known;
    size_t count = 3;
    for (size_t i = 0; count < NAMES_MOST && (known = kjit_space_name_at(i)) != NULL; i++)
        names[count++] = known;
    size_t length = strlen(name), axis = length ? (size_t)name[length - 1] - 'x' : 3;
    if (!strncmp(name, "block", 5) && axis < 3)
        return names[axis]; /* rather than `block`, which is more similar, but no parameter */
    const char *near = nearest_name(name, names, count);
    for (size_t i = 0; i < kjit_space_param_count(child->space) && !near; i++) {
        const char *other = kjit_space_param_name(child->space, i);
        near = strcmp(other, name) != 0 ? nearest_name(name, &other, 1) : NULL;
    }
    return near;
}

/* Whether it is a parameter that block= overrides. */
static bool is_block_size(const char *name)
{
    return !strcmp(name, "block_size_x") || !strcmp(name, "block_size_y") ||
           !strcmp(name, "block_size_z");
}

/* Reports a parameter that affects nothing: a misspelling. */
static int refuse_unknown(Child *child, const char *name)
{
    const char *file = child->command->target.file, *near = meant_name(child, name);
    const Pairs *said = &child->command->tunes;
    int status = pairs_find(said, name) ? EXIT_COMMAND : EXIT_PROGRAM;
    const uint32_t first[PARAMS_MOST] = { 0 };
    kjit_launch_config shape;
    kjit_status shaped = pairs_find(said, "block") || pairs_find(said, "problem")
                             ? child_shape(child, child->space, first, &shape)
                             : KJIT_OK;
    if (shaped != KJIT_OK) /* a size misspells the name, perhaps */
        return complain_status(shaped);
    if (is_block_size(name) && child->command->launch.has_grid)
        complain("--grid says how large blocks are, so nothing asks for '%s', and %s has no such "
                 "constant: leave --grid out, or the parameter",
                 name, file);
    else if (is_block_size(name))
        complain("block= says how large blocks are, so nothing asks for '%s', and %s has no such "
                 "constant: say block=%s, or leave block= out",
                 name, file, name);
    else
        complain("there is nothing called '%s' to tune: %s has no such constant, and no size or "
                 "condition asks for it%s%s%s",
                 name, file, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return status;
}

/* Sets sizes of the block that are no constants to those of the source's own launch, since what
** that leaves is what configurations must leave, too. */
static kjit_status set_own_block(Child *child, const char *name)
{
    const LaunchOptions *launch = &child->command->launch;
    kjit_launch_config shape = { .size = sizeof shape };
    char value[32];
    if (!is_block_size(name) || launch->has_grid || pairs_find(&child->command->tunes, "block") ||
        kjit_own_shape(child->kernel, child->args, child->count, &shape) != KJIT_OK)
        return KJIT_OK;
    snprintf(value, sizeof value, "[%u]", shape.block[name[strlen(name) - 1] - 'x']);
    return kjit_space_set(child->own, name, value);
}

/* The same keywords with the source's own value of each parameter: None for kjit's own, the block
** of the @example for sizes of it, and the first value for those that only sizes and restrictions
** read. */
int child_open_own_space(Child *child)
{
    int done = EXIT_DONE;
    kjit_status status = kjit_space_new(child->kernel, &child->own);
    if (status == KJIT_OK)
        status = set_said(child->command, child->own);
    if (status == KJIT_OK && child->schedules)
        status = kjit_space_set(child->own, "schedule", child->schedules);
    for (size_t i = 0;
         status == KJIT_OK && done == EXIT_DONE && i < kjit_space_param_count(child->own); i++) {
        const char *name = kjit_space_param_name(child->own, i);
        size_t room = strlen(name) + 3;
        char *value = must_alloc(room);
        snprintf(value, room, "[%s]", name);
        bool constant = kjit_space_set(child->own, name, value) == KJIT_OK;
        if (!constant && kjit_space_param_is_own(child->own, i))
            status = kjit_space_set(child->own, name, "[None]");
        else if (!constant && is_unread(child->space, name))
            done = refuse_unknown(child, name);
        else if (!constant)
            status = set_own_block(child, name);
        free(value);
    }
    return status != KJIT_OK ? complain_status(status) : done;
}

kjit_status child_shape(Child *child, kjit_space *space, const uint32_t *config,
                        kjit_launch_config *shape)
{
    *shape = (kjit_launch_config){ .size = sizeof *shape };
    kjit_status status = kjit_space_shape(space, config, child->args, child->count, shape);
    if (child->command->launch.shared)
        shape->shared_bytes = child->command->launch.shared;
    return status;
}

/* The text of a configuration's kernel, to be kjit_free()d, or NULL. */
static char *text_of(Child *child, const uint32_t *config)
{
    kjit_module *module = NULL;
    kjit_kernel *kernel;
    kjit_launch_config shape;
    const kjit_emit_options options = { .size = sizeof options,
                                        .stage = child->quiet ? "c" : "cuda",
                                        .args = child->args,
                                        .arg_count = child->count,
                                        .facts = "launch",
                                        .config = &shape };
    char *text = NULL;
    size_t length;
    if (child_shape(child, child->space, config, &shape) == KJIT_OK &&
        kjit_space_kernel(child->space, config, &module, &kernel) == KJIT_OK &&
        kjit_emit(kernel, &options, &text, &length) != KJIT_OK)
        text = NULL;
    kjit_close_module(module);
    return text;
}

bool child_unrolls(Child *child, size_t param)
{
    uint32_t config[PARAMS_MOST] = { 0 };
    size_t count = kjit_space_value_count(child->space, param);
    char *first = count > 1 ? text_of(child, config) : NULL;
    bool same = first != NULL;
    for (size_t i = 1; i < count && same; i++) {
        config[param] = (uint32_t)i;
        char *text = text_of(child, config);
        same = text && !strcmp(text, first);
        kjit_free(text);
    }
    kjit_free(first);
    return !same;
}
