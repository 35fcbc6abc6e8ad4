/* The shared memory that a configuration takes, as far as it follows from the source, and
** parameters that nothing reads. */
#include "runtime/tuning/space.h"

typedef struct SharedSum {
    Eval *eval;
    uint64_t bytes;
} SharedSum;

/* Adds an array if its size can be evaluated; the compiler counts the others. */
static void add_shared(void *context, const AstExpr *shape, const AstExpr *dtype)
{
    SharedSum *sum = context;
    Eval *eval = sum->eval;
    int64_t extents[KJIT_RANK_MAX];
    Value extent, type;
    int rank;

    if (!value_eval(eval, shape, &extent) || !value_shape(eval, &extent, extents, &rank) ||
        !value_eval(eval, dtype, &type) || type.kind != VALUE_DTYPE)
        return;
    const kjit_array one = { .dtype = type.dtype, .record = type.record };
    uint64_t bytes = array_item_bytes(&one);
    for (int i = 0; i < rank; i++) {
        if (extents[i] < 0 || __builtin_mul_overflow(bytes, (uint64_t)extents[i], &bytes))
            return;
    }
    if (__builtin_add_overflow(sum->bytes, bytes, &sum->bytes))
        sum->bytes = UINT64_MAX;
}

/* The branch taken, where it follows from constants and the configuration. */
static int decide(void *context, const AstExpr *condition)
{
    Eval *eval = ((SharedSum *)context)->eval;
    Value value;
    bool truth;

    bool known =
        value_eval(eval, condition, &value) && value_truth(eval, condition->span, &value, &truth);
    return known ? truth : -1;
}

/* Without the kernel's arguments: in callees a constant may have the name of one. */
uint64_t space_shared(const Eval *eval, const kjit_kernel *kernel)
{
    SpacePoint point = *(const SpacePoint *)eval->look_context;
    Eval own = *eval;
    SharedSum sum = { .eval = &own };
    const SharedQuery query = { add_shared, decide, &sum };
    Diags discarded;

    point.count = 0;
    diags_init(&discarded, eval->arena);
    own.diags = &discarded;
    own.look_context = &point;
    module_each_shared(eval->arena, kernel->module->main->module, kernel->info->name, &query);
    return sum.bytes;
}

/* ---- parameters that nothing reads -------------------------------------------------------- */

typedef struct NameSearch {
    const kjit_space *space;
    const char *name;
    bool found;
    int depth; /* of nested constants */
} NameSearch;

/* Follows constants of the module, which may read the parameter. */
static void search(void *context, const AstExpr *expr)
{
    enum { DEPTH_MOST = 16 };
    NameSearch *wanted = context;
    const Eval eval = { .module = wanted->space->kernel->module };

    if (expr->kind == AST_NAME) {
        const AstExpr *constant = value_constant(&eval, expr->name.name);
        wanted->found = wanted->found || strcmp(expr->name.name, wanted->name) == 0;
        if (constant && !wanted->found && wanted->depth < DEPTH_MOST) {
            wanted->depth++;
            search(wanted, constant);
            wanted->depth--;
        }
    }
    if (!wanted->found)
        ast_each_child(expr, search, wanted);
}

static void search_all(NameSearch *wanted, const AstExprs *list)
{
    for (int i = 0; i < list->count; i++)
        search(wanted, list->items[i]);
}

/* Searches what the @example says of the launch where @tune does not (space_shape.c). */
static void search_example(NameSearch *wanted)
{
    const TuneSpace *said = &wanted->space->said;
    const kjit_kernel *kernel = wanted->space->kernel;
    const AstExpr *texts[] = {
        said->problem.count ? NULL : example_config_text(kernel, "grid"),
        said->block.count ? NULL : example_config_text(kernel, "block"),
        example_config_text(kernel, "shared"),
    };
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
        if (texts[i])
            search(wanted, texts[i]);
}

static bool is_used(Arena *arena, const kjit_space *space, const SpaceParam *param,
                    const AstExprs *restrictions)
{
    const kjit_kernel *kernel = space->kernel;
    NameSearch wanted = { .space = space, .name = param->name };
    const TuneSpace *said = &space->said;

    if (param->role != ROLE_CONSTANT ||
        module_reads(arena, kernel->module->main->module, kernel->info->name, param->name))
        return true;
    if (!said->block.count && space_block_axis(param->name) >= 0)
        return true;
    search_all(&wanted, &said->block);
    search_all(&wanted, &said->problem);
    search_all(&wanted, restrictions);
    search_example(&wanted);
    for (int i = 0; i < TUNE_AXES; i++)
        search_all(&wanted, &said->divide[i]);
    return wanted.found;
}

bool space_affects_launch(Arena *arena, const kjit_space *space, const SpaceParam *param)
{
    static const AstExprs none;
    const kjit_kernel *kernel = space->kernel;
    const TuneSpace *tune = kernel->info->tune;

    return param->role != ROLE_CONSTANT ||
           module_has_constant(kernel->module->main->module, param->name) ||
           is_used(arena, space, param, tune ? &tune->restrictions : &none);
}

static kjit_status find_unread(void *context, Arena *arena)
{
    kjit_space *space = context;
    const char **list = arena_array(arena, const char *, space->count + 1);
    size_t count = 0;

    for (size_t i = 0; i < space->count; i++) {
        if (!is_used(arena, space, &space->params[i], &space->said.restrictions))
            list[count++] = space->params[i].name;
    }
    space->unread = list;
    return KJIT_OK;
}

const char *kjit_space_unread_at(kjit_space *space, size_t index)
{
    if (!HANDLE_IS(SPACE, space))
        return NULL;
    if (!space->unread && arena_catch(&space->arena, find_unread, space) != KJIT_OK)
        return NULL;
    for (size_t i = 0; space->unread[i]; i++) {
        if (i == index)
            return space->unread[i];
    }
    return NULL;
}
