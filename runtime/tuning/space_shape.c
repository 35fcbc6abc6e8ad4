/* The launch shape of a configuration, and whether it is allowed. */
#include "runtime/tuning/space.h"

static const char axis_names[] = "xyz";

/* Records that a parameter is read; false if it has no value yet. */
static bool trace_param(SpaceTrace *trace, size_t param)
{
    trace->grown = trace->grown || !trace->asked[param];
    trace->asked[param] = true;
    return trace->chosen[param];
}

/* Looks up a name: parameters first, then the kernel's arguments; the evaluator itself looks up the
** module's constants after both. */
static bool look(const void *context, const char *name, Value *out)
{
    const SpacePoint *point = context;
    const kjit_kernel *kernel = point->space->kernel;

    for (size_t i = 0; point->config && i < point->space->count; i++) {
        const SpaceParam *param = &point->space->params[i];
        if (strcmp(param->name, name) == 0) {
            if (point->trace && !trace_param(point->trace, i))
                return false;
            *out = param->values[point->config[i]].value;
            return true;
        }
    }
    for (size_t i = 0; i < point->count; i++) {
        if (strcmp(kernel->param_names[i], name) == 0) {
            *out = (Value){ .kind = VALUE_ARG, .arg = point->args[i] };
            if (point->reads && point->args[i].kind != KJIT_ARG_ARRAY)
                *point->reads |= i < READS_MOST ? UINT64_C(1) << i : ~UINT64_C(0);
            return true;
        }
    }
    return false;
}

Eval space_eval(Arena *arena, Diags *diags, const SpacePoint *point)
{
    diags_init(diags, arena);
    return (Eval){ .arena = arena,
                   .diags = diags,
                   .values = point->scratch,
                   .module = point->space->kernel->module,
                   .status = KJIT_INVALID,
                   .look = look,
                   .look_context = point };
}

/* Errors in texts of a call are errors of its arguments. */
kjit_status space_failure(const Eval *eval)
{
    const Source *source = eval->diags->count ? eval->diags->list[0].span.source : NULL;
    kjit_status status = source && *source->name == '<' ? KJIT_ARGUMENT : eval->status;

    error_diags(eval->diags);
    return status;
}

/* ---- sizes -------------------------------------------------------------------------------- */

static bool eval_size(Eval *eval, const AstExpr *expr, int64_t *size)
{
    Value value;

    if (!space_looks_at_shapes(eval, expr) || !value_eval(eval, expr, &value))
        return false;
    if (value.kind == VALUE_ARG && value.arg.kind == KJIT_ARG_SCALAR &&
        !dtype_is_float(value.arg.dtype) && !dtype_is_complex(value.arg.dtype)) {
        *size = value.arg.as.integer;
        return true;
    }
    Buf text = buf_in(eval->arena);
    bool said = space_value_text(&text, &value);
    return diag_error(eval->diags, expr->span, "a size is a whole number%s%s",
                      said ? ", and this is " : "", said ? buf_text(&text) : "");
}

int space_problem(Eval *eval, const kjit_space *space, int64_t problem[TUNE_AXES])
{
    const AstExprs *said = &space->said.problem;

    for (int i = 0; i < said->count; i++) {
        if (!eval_size(eval, said->items[i], &problem[i]))
            return -1;
    }
    return said->count;
}

int space_block_axis(const char *name)
{
    static const char begin[] = "block_size_";
    const char *axis = strncmp(name, begin, sizeof begin - 1) ? "" : name + sizeof begin - 1;

    return *axis && !axis[1] && strchr(axis_names, *axis) ? *axis - *axis_names : -1;
}

/* The parameter block_size_x, _y or _z; NULL if there is none. */
static const SpaceValue *block_parameter(const SpacePoint *point, int axis)
{
    for (size_t i = 0; i < point->space->count; i++) {
        if (space_block_axis(point->space->params[i].name) != axis)
            continue;
        if (point->trace)
            trace_param(point->trace, i);
        return &point->space->params[i].values[point->config[i]];
    }
    return NULL;
}

/* Threads along an axis; 0: unspecified. */
static bool block_along(Eval *eval, const SpacePoint *point, int axis, int64_t *threads)
{
    const AstExprs *said = &point->space->said.block;

    *threads = 0;
    if (axis < said->count)
        return eval_size(eval, said->items[axis], threads);
    const SpaceValue *value = said->count ? NULL : block_parameter(point, axis);
    return !value || value_integer(eval, &value->value, threads);
}

/* The extent that a block covers along an axis: at least 1, else an error. */
static bool covered_along(Eval *eval, const SpacePoint *point, int axis, uint32_t block,
                          int64_t *covered)
{
    const AstExprs *said = &point->space->said.divide[axis];

    *covered = point->space->said.divides[axis] ? 1 : block;
    for (int i = 0; i < said->count; i++) {
        int64_t factor;
        if (!eval_size(eval, said->items[i], &factor))
            return false;
        if (factor < 1 || __builtin_mul_overflow(*covered, factor, covered))
            return diag_error(
                eval->diags, said->items[i]->span,
                "what a block covers is a product of numbers from 1, and this is %lld",
                (long long)factor);
    }
    return true;
}

/* Reports an invalid size. */
static bool wrong_size(Eval *eval, const AstExpr *expr, const char *what, int axis, int64_t size)
{
    return diag_error(eval->diags, expr ? expr->span : (Span){ 0 },
                      "the %s is %lld in %c: it takes 1 to %u there", what, (long long)size,
                      axis_names[axis], UINT32_MAX);
}

/* Computes the sizes that @tune specifies; the others are left alone. */
static bool eval_shape(Eval *eval, const SpacePoint *point, kjit_launch_config *shape)
{
    const TuneSpace *said = &point->space->said;
    int64_t problem[TUNE_AXES], size, covered;
    int axes = space_problem(eval, point->space, problem);

    for (int i = 0; i < TUNE_AXES; i++) {
        if (!block_along(eval, point, i, &size))
            return false;
        if (size < 0 || size > UINT32_MAX || (!size && i < said->block.count))
            return wrong_size(eval, i < said->block.count ? said->block.items[i] : NULL, "block", i,
                              size);
        shape->block[i] = size ? (uint32_t)size : shape->block[i];
    }
    for (int i = 0; i < axes; i++) {
        uint32_t block = shape->block[i] ? shape->block[i] : 1;
        if (!covered_along(eval, point, i, block, &covered))
            return false;
        size = problem[i] / covered + (problem[i] % covered > 0);
        if (problem[i] < 0 || size > UINT32_MAX)
            return wrong_size(eval, said->problem.items[i], "grid", i, size);
        shape->grid[i] = size ? (uint32_t)size : 1; /* for an empty problem one block, which
                                                       finds nothing to do */
    }
    return axes >= 0;
}

/* A query at a point. */
typedef struct ShapeTask {
    SpacePoint point;
    kjit_launch_config shape;
    char *why; /* out: memory_alloc()ed */
} ShapeTask;

/* Whether it is of a kernel's arguments alone, as x.shape[0], x.size and n are. */
static bool is_limit(const AstFunction *kernel, const AstExpr *expr)
{
    const AstExpr *root = ast_root(expr);
    if (expr->kind != AST_NAME && expr->kind != AST_ATTRIBUTE && expr->kind != AST_INDEX)
        return false;
    for (int i = 0; root && root->kind == AST_NAME && i < kernel->params.count; i++)
        if (strcmp(kernel->params.items[i].name, root->name.name) == 0)
            return true;
    return false;
}

/* What the first `if` of a kernel compares with, as `i < x.shape[0]` does; NULL: there is none. */
static const AstExpr *guard_of(const AstFunction *kernel)
{
    const AstExpr *condition = NULL;
    for (int i = 0; i < kernel->body.count && !condition; i++)
        if (kernel->body.items[i]->kind == AST_IF)
            condition = kernel->body.items[i]->if_.condition;
    if (!condition || condition->kind != AST_COMPARE || condition->compare.count != 1 ||
        condition->compare.ops[0] < AST_LT || condition->compare.ops[0] > AST_GE)
        return NULL;
    const AstExpr *limit = condition->compare.rest[0];
    return is_limit(kernel, limit) ? limit : NULL;
}

/* What @tune would say of the grid, in the kernel's own names. */
static const char *problem_of(Arena *arena, const AstFunction *kernel)
{
    const AstExpr *limit = guard_of(kernel);
    if (!limit)
        return "problem=\"N\", N being how many threads have something to do,";
    return arena_printf(arena, "problem=\"%.*s\"", (int)(limit->span.end - limit->span.begin),
                        limit->span.source->text + limit->span.begin);
}

static kjit_status no_shape(const kjit_kernel *kernel, const char *what, const char *remedy)
{
    return error_set(KJIT_ARGUMENT,
                     "error: nothing says the %s of %s\nnote: say %s in @tune above it, or %s= in "
                     "its @example",
                     what, kernel->info->name, remedy, what);
}

/* What the @example says of the launch and @tune does not, for the configuration; as in a file
** without @tune it names constants of the module and no arguments. */
static kjit_status example_shape(Arena *arena, const SpacePoint *point, kjit_launch_config *shape)
{
    const TuneSpace *said = &point->space->said;
    bool own_block = said->block.count || block_parameter(point, 0);
    unsigned parts =
        EXAMPLE_SHARED | (own_block ? 0 : EXAMPLE_BLOCK) | (said->problem.count ? 0 : EXAMPLE_GRID);
    SpacePoint bare = *point;
    Diags diags;

    bare.count = 0;
    Eval eval = space_eval(arena, &diags, &bare);
    kjit_status status = example_config(&eval, point->space->kernel, parts, shape);
    return status == KJIT_ARGUMENT ? KJIT_OK : status; /* it has none of them */
}

/* The shape of @tune, completed by that of the @example. */
static kjit_status find_shape(Arena *arena, const SpacePoint *point, kjit_launch_config *shape)
{
    kjit_kernel *kernel = point->space->kernel;
    Diags diags;
    Eval eval = space_eval(arena, &diags, point);

    *shape = (kjit_launch_config){ .size = sizeof *shape };
    KJIT_TRY(example_shape(arena, point, shape));
    if (!eval_shape(&eval, point, shape))
        return space_failure(&eval);
    if (!shape->block[0])
        return no_shape(kernel, "block", "block_size_x=[64, 128, 256]");
    if (!shape->grid[0])
        return no_shape(kernel, "grid", problem_of(arena, kernel->info->ast));
    for (int i = 0; i < TUNE_AXES; i++) {
        shape->block[i] = shape->block[i] ? shape->block[i] : 1;
        shape->grid[i] = shape->grid[i] ? shape->grid[i] : 1;
    }
    return KJIT_OK;
}

kjit_status space_check_point(const SpacePoint *point)
{
    const kjit_space *space = point->space;

    for (size_t i = 0; i < space->count; i++) {
        if (point->config[i] >= space->params[i].count)
            return error_set(KJIT_ARGUMENT, "error: '%s' has %zu values, and %u is none of them",
                             space->params[i].name, space->params[i].count, point->config[i]);
    }
    return check_count(space->kernel, point->count);
}

static kjit_status shape_task(void *context, Arena *arena)
{
    ShapeTask *task = context;

    return find_shape(arena, &task->point, &task->shape);
}

kjit_status kjit_space_shape(kjit_space *space, const uint32_t *config, const kjit_arg *args,
                             size_t count, kjit_launch_config *shape)
{
    KJIT_TRY(HANDLE(SPACE, space));
    kjit_values scratch = { 0 };
    ShapeTask task = { .point = { space, config, args, count, &scratch, &space->reads, NULL } };

    KJIT_TRY(space_check_point(&task.point));
    kjit_status status = arena_run(shape_task, &task);
    values_clear(&scratch);
    KJIT_TRY(status);
    memcpy(shape->grid, task.shape.grid, sizeof shape->grid);
    memcpy(shape->block, task.shape.block, sizeof shape->block);
    shape->shared_bytes = task.shape.shared_bytes;
    return KJIT_OK;
}

/* ---- what is allowed ---------------------------------------------------------------------- */

static kjit_status set_reason(ShapeTask *task, const char *text)
{
    task->why = memory_strdup(text);
    return task->why ? KJIT_OK : error_memory();
}

const char *space_broken_text(Arena *arena, const AstExpr *expr)
{
    const Source *source = expr->span.source;
    const char *text = ast_expr_text(arena, expr);

    if (!source || *source->name == '<')
        return arena_printf(arena, "%s does not hold (restrict as given)", text);
    return arena_printf(arena, "%s does not hold (restrict at %s:%u)", text, source->name,
                        source_place(source, expr->span.begin).line);
}

/* The first restriction that does not hold; NULL if all do. */
static bool check_restrictions(Eval *eval, const TuneSpace *said, const AstExpr **broken)
{
    *broken = NULL;
    for (int i = 0; i < said->restrictions.count && !*broken; i++) {
        const AstExpr *expr = said->restrictions.items[i];
        Value value;
        bool holds;
        if (!space_looks_at_shapes(eval, expr) || !value_eval(eval, expr, &value) ||
            !value_truth(eval, expr->span, &value, &holds))
            return false;
        *broken = holds ? NULL : expr;
    }
    return true;
}

/* Which limit of the device the shape exceeds, as a text; NULL: none. */
static const char *beyond_device(Arena *arena, const Device *device,
                                 const kjit_launch_config *shape)
{
    const DeviceLimits *limits = &device->limits;
    uint64_t threads = 1;

    for (int i = 0; i < TUNE_AXES; i++) {
        threads *= shape->block[i] > limits->block[i] ? 1 : shape->block[i];
        if (shape->block[i] > limits->block[i])
            return arena_printf(arena, "the block is %u in %c, and %s allows %u there",
                                shape->block[i], axis_names[i], device->name, limits->block[i]);
        if (shape->grid[i] > limits->grid[i])
            return arena_printf(arena, "the grid is %u in %c, and %s allows %u there",
                                shape->grid[i], axis_names[i], device->name, limits->grid[i]);
    }
    if (threads > limits->threads)
        return arena_printf(arena, "a block has %llu threads, and %s allows %u",
                            (unsigned long long)threads, device->name, limits->threads);
    return NULL;
}

kjit_status space_fits(Arena *arena, const SpacePoint *point, kjit_launch_config *shape,
                       const char **why)
{
    const Device *device = point->space->kernel->module->context->device;
    Diags diags;
    Eval eval = space_eval(arena, &diags, point);

    KJIT_TRY(find_shape(arena, point, shape));
    *why = beyond_device(arena, device, shape);
    uint64_t shared = *why ? 0 : space_shared(&eval, point->space->kernel) + shape->shared_bytes;
    if (!*why && shared > device->limits.shared)
        *why = arena_printf(arena, "a block takes %llu bytes of shared memory, and %s allows %zu",
                            (unsigned long long)shared, device->name, device->limits.shared);
    return KJIT_OK;
}

/* The error of an evaluation, with the values for which it failed. */
static kjit_status no_answer(const Eval *eval, const SpacePoint *point)
{
    const kjit_space *space = point->space;

    Buf values = buf_in(eval->arena);
    for (size_t i = 0; i < space->count; i++)
        buf_printf(&values, "%s%s=%s", i ? ", " : "", space->params[i].name,
                   space->params[i].values[point->config[i]].text);
    if (space->count && eval->diags->count)
        diag_note(eval->diags, (Span){ 0 }, "that is for %s", buf_text(&values));
    return space_failure(eval);
}

static kjit_status allows_task(void *context, Arena *arena)
{
    ShapeTask *task = context;
    Diags diags;
    Eval eval = space_eval(arena, &diags, &task->point);
    const AstExpr *broken;
    const char *beyond;

    if (!check_restrictions(&eval, &task->point.space->said, &broken))
        return no_answer(&eval, &task->point);
    if (broken)
        return set_reason(task, space_broken_text(arena, broken));
    KJIT_TRY(space_fits(arena, &task->point, &task->shape, &beyond));
    return beyond ? set_reason(task, beyond) : KJIT_OK;
}

kjit_status kjit_space_allows(kjit_space *space, const uint32_t *config, const kjit_arg *args,
                              size_t count, const char **why)
{
    KJIT_TRY(HANDLE(SPACE, space));
    kjit_values scratch = { 0 };
    ShapeTask task = { .point = { space, config, args, count, &scratch, &space->reads, NULL } };

    *why = NULL;
    KJIT_TRY(space_check_point(&task.point));
    kjit_status status = arena_run(allows_task, &task);
    values_clear(&scratch);
    memory_free(space->why);
    space->why = status == KJIT_OK ? task.why : NULL;
    if (status != KJIT_OK)
        memory_free(task.why);
    *why = space->why;
    return status;
}
