/* The configuration that the source itself is. */
#include "runtime/tuning/space.h"

enum { TRIES_MOST = 100000 };

typedef struct OwnTask {
    const kjit_space *space;
    kjit_values scratch;
    uint32_t *config;
    bool *fixed;             /* by parameter: its value follows from the source */
    const SpaceParam *other; /* out: a parameter whose value in the source is not in the space */
} OwnTask;

/* A load option of the module, as the text of a value. */
static void put_own_option(Buf *out, const kjit_module *module, SpaceRole role)
{
    int number = role == ROLE_MAX_REGISTERS ? module->max_registers : module->unroll;

    if (role == ROLE_FASTMATH)
        buf_puts(out, module->fastmath ? "True" : "False");
    else if ((role == ROLE_MAX_REGISTERS || role == ROLE_UNROLL) && number)
        buf_printf(out, "%d", number);
    else
        buf_puts(out, "None");
}

bool space_own_text(Eval *eval, const kjit_module *module, const char *name, Buf *out)
{
    SpaceRole role = space_role(module, name);
    const AstExpr *constant = role == ROLE_CONSTANT ? value_constant(eval, name) : NULL;
    Value value;

    if (role != ROLE_CONSTANT) {
        put_own_option(out, module, role);
        return true;
    }
    return constant && value_eval(eval, constant, &value) && space_value_text(out, &value);
}

/* The value that a parameter has in the source; false if it has none. */
static bool find_own(Eval *eval, const kjit_module *module, const SpaceParam *param, size_t *value)
{
    Buf text = buf_in(eval->arena);
    if (!space_own_text(eval, module, param->name, &text))
        return false;
    *value = space_find_value(param, buf_text(&text));
    if (*value == param->count && strcmp(buf_text(&text), "None") == 0)
        *value = space_find_value(param, "''");
    return true;
}

static kjit_status fix_values(void *context, Arena *arena)
{
    OwnTask *task = context;
    const kjit_space *space = task->space;
    const kjit_module *module = space->kernel->module;
    Diags discarded;

    diags_init(&discarded, arena);
    Eval eval = { .arena = arena, .diags = &discarded, .values = &task->scratch, .module = module };
    for (size_t i = 0; i < space->count; i++) {
        const SpaceParam *param = &space->params[i];
        size_t value = 0;
        bool says = find_own(&eval, module, param, &value);
        task->fixed[i] = says && value < param->count;
        task->config[i] = task->fixed[i] ? (uint32_t)value : 0;
        if (says && value == param->count && param->role == ROLE_CONSTANT)
            task->other = param;
    }
    return KJIT_OK;
}

/* The next configuration of the parameters that are not fixed, the last varying fastest; false
** after the last. */
static bool next_config(const OwnTask *task)
{
    for (size_t i = task->space->count; i-- > 0;) {
        if (task->fixed[i])
            continue;
        if (++task->config[i] < task->space->params[i].count)
            return true;
        task->config[i] = 0;
    }
    return false;
}

static kjit_status find_allowed(kjit_space *space, const OwnTask *task, const kjit_arg *args,
                                size_t count)
{
    const char *why = NULL;
    char first[256] = "";
    int tries = 0;

    do {
        KJIT_TRY(kjit_space_allows(space, task->config, args, count, &why));
        if (why && !*first)
            snprintf(first, sizeof first, "%s", why);
    } while (why && ++tries < TRIES_MOST && next_config(task));
    if (!why)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: what is tuned of %s allows no configuration with the constants as "
                     "they stand: %s\n"
                     "note: loosen that, or load the module with constants that it allows",
                     space->kernel->info->name, first);
}

kjit_status kjit_space_own(kjit_space *space, const kjit_arg *args, size_t count, uint32_t *config)
{
    KJIT_TRY(HANDLE(SPACE, space));
    OwnTask task = { .space = space, .config = config };

    task.fixed = memory_zeroed(space->count + 1, sizeof *task.fixed);
    if (!task.fixed)
        return error_memory();
    kjit_status status = arena_run(fix_values, &task);
    values_clear(&task.scratch);
    if (status == KJIT_OK && task.other)
        status =
            error_set(KJIT_ARGUMENT,
                      "error: the value that '%s' has in the module is none of the %zu to try\n"
                      "note: add it to these, or load the module with one of them",
                      task.other->name, task.other->count);
    if (status == KJIT_OK)
        status = find_allowed(space, &task, args, count);
    memory_free(task.fixed);
    return status;
}

/* ---- the shape of the source itself ------------------------------------------------------- */

typedef struct HoldTask {
    kjit_space *space;
    kjit_values scratch;
} HoldTask;

/* A value without a literal is represented by its constant's name. */
static const char *held_text(Arena *arena, const SpaceParam *param, const Value *value)
{
    Buf text = buf_in(arena);
    return space_value_text(&text, value) ? buf_text(&text) : param->name;
}

/* The threads that the @example's block has along the axis which a parameter is called for, if no
** block= of @tune says otherwise; 0: it does not say. */
static int64_t example_threads(Eval eval, const kjit_space *space, const SpaceParam *param)
{
    int axis = space_block_axis(param->name);
    kjit_launch_config shape = { .size = sizeof shape };
    Diags discarded;

    diags_init(&discarded, eval.arena);
    eval.diags = &discarded;
    if (axis < 0 || space->said.block.count ||
        example_config(&eval, space->kernel, EXAMPLE_BLOCK, &shape) != KJIT_OK || !shape.block[0])
        return 0;
    return shape.block[axis] ? shape.block[axis] : 1;
}

/* Reduces each parameter that is a constant of the module to its value there, and each that is a
** size of the block and no constant to that of the @example. */
static kjit_status hold_values(void *context, Arena *arena)
{
    HoldTask *task = context;
    kjit_space *space = task->space;
    Diags diags;

    diags_init(&diags, arena);
    Eval eval = { .arena = arena,
                  .diags = &diags,
                  .values = &task->scratch,
                  .module = space->kernel->module,
                  .status = KJIT_INVALID };
    for (size_t i = 0; i < space->count; i++) {
        SpaceParam *param = &space->params[i];
        bool constant = param->role == ROLE_CONSTANT;
        const AstExpr *expr = constant ? value_constant(&eval, param->name) : NULL;
        int64_t threads = constant && !expr ? example_threads(eval, space, param) : 0;
        Value value = { .kind = VALUE_ARG, .arg = kjit_arg_int64(threads) };
        if (!expr && !threads)
            continue;
        if (expr && !value_eval(&eval, expr, &value))
            return space_failure(&eval);
        param->values = arena_new(arena, SpaceValue);
        param->values[0] = (SpaceValue){ value, held_text(arena, param, &value) };
        param->count = 1;
    }
    return KJIT_OK;
}

kjit_status space_own_shape(kjit_space *space, const kjit_arg *args, size_t count, uint32_t *config,
                            kjit_launch_config *shape)
{
    HoldTask task = { .space = space };

    kjit_status status = arena_catch(&space->arena, hold_values, &task);
    values_clear(&task.scratch);
    KJIT_TRY(status);
    status = kjit_space_own(space, args, count, config);
    if (status == KJIT_ARGUMENT) /* restrictions do not apply to the source itself */
        memset(config, 0, space->count * sizeof *config);
    else
        KJIT_TRY(status);
    return kjit_space_shape(space, config, args, count, shape);
}

kjit_status kjit_own_shape(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                           kjit_launch_config *shape)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    kjit_space *space;

    KJIT_TRY(kjit_space_new(kernel, &space));
    uint32_t *config = memory_zeroed(space->count + 1, sizeof *config);
    kjit_status status =
        config ? space_own_shape(space, args, count, config, shape) : error_memory();
    memory_free(config);
    kjit_space_close(space);
    return status;
}
