/* The kernel of a configuration: its module loaded again with other constants and options. */
#include "runtime/tuning/space.h"

typedef struct KernelTask {
    const kjit_module *module;
    const kjit_space *space;
    const uint32_t *config;
    kjit_module *made; /* out */
} KernelTask;

static bool is_param(const kjit_space *space, const char *name)
{
    for (size_t i = 0; i < space->count; i++) {
        if (define_names(name, space->params[i].name))
            return true;
    }
    return false;
}

/* Sets the load option of a parameter; None leaves the module's own. */
static void set_option(kjit_load_options *options, const SpaceParam *param, const Value *value)
{
    bool none = value->kind == VALUE_NONE;

    switch (param->role) {
    case ROLE_MAX_REGISTERS:
        options->max_registers = none ? 0 : (int)value->arg.as.integer;
        break;
    case ROLE_UNROLL:
        options->unroll = none ? 0 : (int)value->arg.as.integer;
        break;
    case ROLE_FASTMATH:
        options->fastmath = none ? options->fastmath : value->arg.as.integer != 0;
        break;
    case ROLE_PASSES:
        options->passes = none || !*value->text ? NULL : value->text;
        break;
    case ROLE_OPTIONS:
        options->compiler_options = none ? NULL : value->text;
        break;
    case ROLE_SCHEDULE:
        options->schedule = none ? NULL : value->text;
        break;
    case ROLE_CONSTANT:
        break;
    }
}

/* Loads the module with all its options and constants but those of the configuration. */
static kjit_status load_configured(void *context, Arena *arena)
{
    KernelTask *task = context;
    const kjit_module *module = task->module;
    const kjit_space *space = task->space;
    size_t room = (size_t)module->define_count + space->count;
    kjit_define *defines = arena_array(arena, kjit_define, room + 1);
    kjit_load_options options = { .size = sizeof options,
                                  .defines = defines,
                                  .debug = module->debug,
                                  .fastmath = module->fastmath,
                                  .matmul = module_matmul(module),
                                  .max_registers = module->max_registers,
                                  .unroll = module->unroll,
                                  .compiler_options = module_options_text(arena, module) };

    for (int i = 0; i < module->define_count; i++) {
        const Define *define = &module->defines[i];
        if (!is_param(space, define->name))
            defines[options.define_count++] =
                (kjit_define){ define->name, ast_expr_text(arena, define->value) };
    }
    for (size_t i = 0; i < space->count; i++) {
        const SpaceParam *param = &space->params[i];
        const SpaceValue *value = &param->values[task->config[i]];
        bool constant = module_has_constant(module->main->module, param->name);
        if (param->role == ROLE_CONSTANT && constant)
            defines[options.define_count++] = (kjit_define){ param->name, value->text };
        else
            set_option(&options, param, &value->value);
    }
    return module_load_again(module, &options, &task->made);
}

kjit_status space_load(const kjit_space *space, const uint32_t *config, kjit_module **module)
{
    KernelTask task = { .module = space->kernel->module, .space = space, .config = config };

    *module = NULL;
    for (size_t i = 0; i < space->count; i++) {
        if (config[i] >= space->params[i].count)
            return error_set(KJIT_ARGUMENT, "error: '%s' has %zu values, and %u is none of them",
                             space->params[i].name, space->params[i].count, config[i]);
    }
    KJIT_TRY(arena_run(load_configured, &task));
    *module = task.made;
    return KJIT_OK;
}

kjit_status kjit_space_kernel(kjit_space *space, const uint32_t *config, kjit_module **module,
                              kjit_kernel **kernel)
{
    *module = NULL;
    *kernel = NULL;
    KJIT_TRY(HANDLE(SPACE, space));
    KJIT_TRY(space_load(space, config, module));
    context_add(space->kernel->module->context, *module);
    kjit_status status = kjit_get_kernel(*module, space->kernel->info->name, kernel);
    if (status != KJIT_OK) {
        kjit_close_module(*module);
        *module = NULL;
    }
    return status;
}
