/* Kernels in programs: what a definition is, and launches. */
#include "runtime/array/array.h"
#include "runtime/check/findings.h"
#include "runtime/program/fuse.h"
#include "runtime/program/kernels.h"
#include "runtime/program/ufunc.h"

/* ---- definitions ---------------------------------------------------------------------------- */

/* Its name, with its line where others have that name, too: the one that was defined is meant,
** whichever the text says of other branches. */
static const char *path_of(Program *p, const kjit_module *module, const KernelInfo *info)
{
    size_t length = strcspn(info->name, "@");
    for (int i = 0; i < module->kernel_count + module->made_count; i++) {
        const KernelInfo *other = module->kernels[i].info;
        if (other->ast != info->ast && strcspn(other->name, "@") == length &&
            strncmp(other->name, info->name, length) == 0)
            return arena_printf(
                p->arena, "%.*s@%u", (int)length, info->name,
                source_place(info->ast->name_span.source, info->ast->name_span.begin).line);
    }
    return info->name;
}

bool kernel_define(Program *p, const AstFunction *ast, HostValue *out)
{
    const kjit_module *module = env_module(p->frame->env)->module;
    const KernelInfo *known = module ? module_kernel_of(module->main->module, ast) : NULL;
    if (!known)
        return false;
    HostKernel *kernel = host_new(p, HOST_KERNEL, sizeof *kernel);
    kernel->ast = ast;
    kernel->path = path_of(p, module, known);
    kernel->closure = p->frame->env;
    *out = host_object(kernel);
    return host_function(p, ast, &kernel->function);
}

/* ---- with constants ------------------------------------------------------------------------- */

static const char *defines_key(Program *p, const kjit_module *module, const Defines *defines)
{
    Buf text = buf_in(&p->scratch);
    buf_puts(&text, module->main->path);
    for (size_t i = 0; i < defines->count; i++)
        buf_printf(&text, "\n%s = %s", defines->list[i].name, defines->list[i].value);
    return buf_text(&text);
}

/* The module with the constants that the program has computed in place of its own. */
static bool load_with(Program *p, const kjit_module *module, const Defines *defines,
                      kjit_module **out)
{
    const char *key = defines_key(p, module, defines);
    *out = table_get(&p->kernels, key);
    if (*out)
        return true;
    kjit_load_options options = { .size = sizeof options,
                                  .defines = defines->list,
                                  .define_count = defines->count,
                                  .debug = p->module->debug,
                                  .fastmath = p->module->fastmath,
                                  .matmul = module_matmul(p->module) };
    kjit_status status = module_load_again(module, &options, out);
    if (status != KJIT_OK)
        return host_failed(p, status);
    context_add(p->context, *out);
    host_module(p, *out);
    table_put(&p->kernels, arena_strdup(p->arena, key), *out);
    return true;
}

bool kernel_of_text(Program *p, const KernelText *wanted, kjit_kernel **out)
{
    const HostFunction *reader = wanted->reader;
    Defines defines = { .count = 0 };
    const AstFunction *ast = reader->code->ast;
    const HostKernel like = { .ast = ast, .path = ast->name, .closure = reader->closure };
    const kjit_module *around = env_module(reader->closure)->module;
    kjit_module *module;
    if (wanted->frozen)
        defines = *wanted->frozen;
    else if (!constants_all(p, &like, &defines, NULL))
        return false;
    const char *key = arena_printf(&p->scratch, "%p%d %s\n%s", (const void *)wanted->context,
                                   wanted->debug, defines_key(p, around, &defines), wanted->text);
    *out = table_get(&p->kernels, key);
    if (*out)
        return true;
    kjit_load_options options = { .size = sizeof options,
                                  .defines = defines.list,
                                  .define_count = defines.count,
                                  .debug = wanted->debug,
                                  .fastmath = p->module->fastmath,
                                  .matmul = module_matmul(p->module) };
    kjit_status status =
        kjit_load_source(wanted->context, wanted->text, around->main->path, &options, &module);
    if (status == KJIT_OK)
        host_module(p, module);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, wanted->name, out);
    if (status != KJIT_OK)
        return host_failed(p, status);
    table_put(&p->kernels, arena_strdup(p->arena, key), *out);
    return true;
}

static HostVersion *version_new(Program *p, HostKernel *kernel, const char *types,
                                const Captures *captures)
{
    HostVersion *made = arena_new(p->arena, HostVersion);
    *made = (HostVersion){ .next = kernel->versions,
                           .types = arena_strdup(p->arena, types),
                           .captured = arena_array(p->arena, HostValue, captures->count + 1),
                           .captured_count = (size_t)captures->count };
    for (int i = 0; i < captures->count; i++)
        made->captured[i] = captures->list[i];
    kernel->versions = made;
    return made;
}

bool kernel_put_type(Buf *text, HostValue value)
{
    wide_natural(value, &value);
    if (host_is_number(value)) {
        buf_printf(text, " %s", kjit_dtype_name(host_dtype_of(value)));
        return true;
    }
    if (value.kind == HOST_ARRAY) {
        const kjit_array *view = &value.array->view;
        buf_printf(text, " %s%p/%d/%d", kjit_dtype_name(view->dtype), (const void *)view->record,
                   view->rank, (int)array_layout(view));
        return true;
    }
    if (value.kind != HOST_TUPLE)
        return false;
    buf_puts(text, " (");
    for (size_t i = 0; i < value.list->count; i++)
        if (!kernel_put_type(text, value.list->items[i]))
            return false;
    buf_putc(text, ')');
    return true;
}

/* The types of a launch's arguments as a text; "" where they are none of a kernel's, which is
** complained of when they are packed. */
static const char *types_text(Program *p, const HostArgs *args)
{
    Buf text = buf_in(&p->scratch);
    for (size_t i = 0; i < args->count; i++)
        if (!kernel_put_type(&text, args->values[i]))
            return "";
    return buf_text(&text);
}

/* The kernel for arguments of these types. What the program has computed is looked at for each list
** of types that is new, as numba compiles anew for it; a kernel that reads nothing of that is one
** for all. */
static bool resolve(Program *p, HostKernel *kernel, const HostArgs *args, HostVersion **out)
{
    Defines defines = { .count = 0 };
    Captures captures;
    kjit_module *module = env_module(kernel->closure)->module;
    if (kernel->versions && !kernel->reads_computed) {
        *out = kernel->versions;
        return true;
    }
    const char *types = types_text(p, args);
    for (*out = kernel->versions; *out; *out = (*out)->next)
        if (strcmp((*out)->types, types) == 0)
            return true;
    captures.count = 0; /* its lists are large, and need not be cleared */
    if (!constants_all(p, kernel, &defines, &captures))
        return false;
    kernel->reads_computed = defines.count > 0;
    if (defines.count && !load_with(p, module, &defines, &module))
        return false;
    kjit_kernel *found;
    kjit_status status = kjit_get_kernel(module, kernel->path, &found);
    if (status == KJIT_OK && captures.count)
        status = kernel_capture(found, captures.names, captures.count);
    if (status != KJIT_OK)
        return host_failed(p, status);
    *out = version_new(p, kernel, types, &captures);
    (*out)->kernel = found;
    return true;
}

/* ---- launches ------------------------------------------------------------------------------- */

/* Whether it is a float, or a tuple with one. */
static bool is_float(HostValue value)
{
    for (size_t i = 0; value.kind == HOST_TUPLE && i < value.list->count; i++)
        if (is_float(value.list->items[i]))
            return true;
    return value.kind == HOST_FLOAT;
}

static bool read_sizes(Program *p, HostValue value, const char *what, uint32_t sizes[3])
{
    int64_t shape[KJIT_RANK_MAX];
    int rank;
    for (int i = 0; i < 3; i++)
        sizes[i] = 1;
    if (is_float(value))
        return host_fail(p, "TypeError",
                         "%s must be integers, and a float is given: // divides into "
                         "whole numbers",
                         what);
    if (!shape_from(p, value, shape, &rank))
        return false;
    if (rank < 1 || rank > 3)
        return host_fail(p, "ValueError", "%s must be an int or a tuple of 1 to 3 ints", what);
    for (int i = 0; i < rank; i++) {
        if (shape[i] < 1 || shape[i] > UINT32_MAX)
            return host_fail(p, "ValueError", "%s must have sizes of at least 1, not %lld", what,
                             (long long)shape[i]);
        sizes[i] = (uint32_t)shape[i];
    }
    return true;
}

/* The launch that was configured last, if it is the same again: loops launch one kernel on. */
static HostLaunch *same_again(HostKernel *kernel, HostLaunch *launch)
{
    const HostLaunch *last = kernel->last;
    bool same = last && last->stream.kind == launch->stream.kind &&
                last->stream.object == launch->stream.object &&
                memcmp(last->config.grid, launch->config.grid, sizeof last->config.grid) == 0 &&
                memcmp(last->config.block, launch->config.block, sizeof last->config.block) == 0 &&
                last->config.shared_bytes == launch->config.shared_bytes;
    return same ? kernel->last : NULL;
}

static HostLaunch *launch_new(Program *p, HostValue kernel)
{
    HostLaunch *launch = host_new(p, HOST_LAUNCH, sizeof *launch);
    launch->kernel = kernel;
    launch->config.size = sizeof launch->config;
    return launch;
}

bool kernel_index(Program *p, HostValue kernel, HostValue index, HostValue *out)
{
    HostLaunch wanted = { .kernel = kernel, .config = { .size = sizeof wanted.config } };
    int64_t shared = 0;
    if (index.kind != HOST_TUPLE || index.list->count < 2 || index.list->count > 4)
        return host_fail(p, "ValueError", "must specify at least the griddim and blockdim");
    const HostList *list = index.list;
    if (!read_sizes(p, list->items[0], "griddim", wanted.config.grid) ||
        !read_sizes(p, list->items[1], "blockdim", wanted.config.block))
        return false;
    const HostValue stream = list->count > 2 ? list->items[2] : host_none();
    if (stream.kind == HOST_STREAM)
        wanted.stream = stream;
    else if (stream.kind == HOST_STRING || stream.kind == HOST_FLOAT || is_arrays(stream))
        return host_fail(p, "TypeError", "'%s' object is no stream", host_type_name(p, stream));
    if (list->count > 3 && !host_integer(p, list->items[3], &shared))
        return false;
    if (shared < 0)
        return host_fail(p, "ValueError", "%lld bytes of shared memory: these are 0 or more",
                         (long long)shared);
    wanted.config.shared_bytes = (size_t)shared;
    HostLaunch *launch = same_again(kernel.kernel, &wanted);
    if (!launch) {
        launch = launch_new(p, kernel);
        launch->stream = wanted.stream;
        launch->config = wanted.config;
        kernel.kernel->last = launch;
    }
    return host_give(out, host_object(launch));
}

bool kernel_forall(Program *p, HostArgs *args, HostValue *out)
{
    int64_t threads;
    HostLaunch *launch = launch_new(p, args->self);
    *out = host_object(launch);
    if (!host_integer(p, args->values[0], &threads))
        return false;
    if (threads < 0)
        return host_fail(p, "ValueError", "Can't create ForAll with negative task count: %lld",
                         (long long)threads);
    launch->threads = (uint64_t)threads;
    launch->config.grid[0] = 0;
    return true;
}

/* What a launch is given, array by array, as they lie in the arguments. */
typedef struct Given {
    HostArray *arrays[256];
    int args[256]; /* the argument that each is in */
    int count;
} Given;

static bool pack(Program *p, HostValue value, int index, Given *given, kjit_arg *out)
{
    kjit_array view;
    HostArray *array;
    if (value.kind == HOST_FOREIGN)
        return foreign_needed(p, value);
    wide_natural(value, &value);
    if (value.kind == HOST_WIDE)
        return host_lacks(p, "OverflowError", "a kernel takes integers of 64 bits");
    if (host_is_number(value)) {
        *out = host_scalar(value);
        return true;
    }
    if (is_arrays(value)) {
        if (!host_array_from(p, value, KJIT_DTYPE_NONE, &array) ||
            !host_array_launch(p, array, &view))
            return false;
        if (given->count == (int)ARRAY_COUNT(given->arrays))
            return host_fail(p, "ValueError", "a kernel takes 256 arrays at the most");
        given->args[given->count] = index;
        given->arrays[given->count++] = array;
        *out = kjit_arg_array(view);
        return true;
    }
    if (value.kind == HOST_TUPLE) {
        kjit_arg *items = arena_array(&p->scratch, kjit_arg, value.list->count + 1);
        for (size_t i = 0; i < value.list->count; i++)
            if (!pack(p, value.list->items[i], index, given, &items[i]))
                return false;
        *out = kjit_arg_tuple(items, value.list->count);
        return true;
    }
    return host_fail(p, "TypeError",
                     "argument %d is of '%s', and a kernel takes numbers, arrays and tuples of "
                     "them%s",
                     index + 1, host_type_name(p, value),
                     value.kind == HOST_MEMBER ? ": pass its value, or make it an IntEnum"
                     : value.kind == HOST_LIST ? ": make it an array, by np.array()"
                                               : "");
}

static bool launch(Program *p, HostLaunch *configured, kjit_kernel *kernel, const kjit_arg *args,
                   size_t count, const Given *given, Span from)
{
    kjit_launch_config config = configured->config;
    kjit_status status = KJIT_OK;
    uint32_t *access = arena_array(&p->scratch, uint32_t, count + 1);
    if (configured->stream.kind == HOST_STREAM)
        config.stream = configured->stream.stream->stream;
    if (configured->threads)
        status = kjit_forall(kernel, args, count, configured->threads, &config);
    for (int axis = 1; configured->threads && axis < 3; axis++) /* along x alone, as numba's */
        config.grid[axis] = config.block[axis] = 1;
    if (status == KJIT_OK && !host_shares(p))
        status = kjit_access(kernel, args, count, access);
    findings_launched_at(p->context->device->findings, from);
    const char *name = configured->kernel.kernel->ast->name;
    const HostWork work = { name, kernel, &config, args, count, 0, 0, false };
    if (status == KJIT_OK)
        status = program_launch(p, &work);
    findings_launched_at(p->context->device->findings, (Span){ 0 });
    for (int i = 0; i < given->count; i++)
        host_array_launched(p, given->arrays[i],
                            host_shares(p) || (access[given->args[i]] & KJIT_WRITES));
    return status == KJIT_OK || host_failed(p, status);
}

/* Puts arguments that are named, or left out because they have defaults, where the kernel has
** them. */
static bool complete(Program *p, const HostKernel *kernel, HostArgs *args)
{
    const AstParams *params = &kernel->ast->params;
    bool all = args->count >= (size_t)params->count || !params->items[args->count].default_value;
    return (all && !args->named_count) || host_complete(p, kernel->function.function, args);
}

static bool wrong_count(Program *p, const AstFunction *kernel, size_t count)
{
    const AstParams *params = &kernel->params;
    Buf names = buf_in(&p->scratch);
    for (int i = 0; i < params->count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", params->items[i].name);
    return host_fail(p, "TypeError", "%s(%s) takes %d argument%s, and %zu %s given", kernel->name,
                     buf_text(&names), params->count, params->count == 1 ? "" : "s", count,
                     count == 1 ? "was" : "were");
}

bool kernel_call(Program *p, HostValue value, HostArgs *args, HostValue *out)
{
    *out = host_none();
    if (value.kind == HOST_KERNEL)
        return host_fail(p, "ValueError",
                         "Kernel launch configuration was not specified. Use the syntax: "
                         "%s[blocks, threads](...)",
                         value.kernel->ast->name);
    HostKernel *kernel = value.launch->kernel.kernel;
    const AstParams *params = &kernel->ast->params;
    Given given;
    given.count = 0; /* its arrays are large, and need not be cleared */
    if (!complete(p, kernel, args))
        return false;
    if (value.launch->config.grid[0] == 0 && !value.launch->threads)
        return true; /* forall(0) */
    if (args->count != (size_t)params->count)
        return wrong_count(p, kernel->ast, args->count);
    HostVersion *version;
    if (!host_settle_all(p, args->values, args->count) || !resolve(p, kernel, args, &version))
        return false;
    const size_t count = args->count + version->captured_count;
    kjit_arg *packed = arena_array(&p->scratch, kjit_arg, count + 1);
    for (size_t i = 0; i < count; i++) {
        const bool captured = i >= args->count;
        HostValue arg = captured ? version->captured[i - args->count] : args->values[i];
        if (!pack(p, arg, (int)i, &given, &packed[i]))
            return false;
    }
    const Span from = args->call ? args->call->span : (Span){ 0 };
    return launch(p, value.launch, version->kernel, packed, count, &given, from);
}
