/* The space of a record: @tune's, with the record's one configuration.
**
** The source specifies how block and grid are computed. A record does as well, for tuning with
** options on the command line of a source that does not. Where both do and differ, @tune was edited
** since, and the record is of another launch. */
#include "runtime/tuning/tuned.h"

static const char *const shape_parts[] = { "block", "problem", "grid_div_x", "grid_div_y",
                                           "grid_div_z" };

static kjit_status set_value(kjit_space *space, const WisdomItem *item)
{
    size_t length = strlen(item->text) + sizeof "[]";
    char *list = memory_alloc(length);

    if (!list)
        return error_memory();
    snprintf(list, length, "[%s]", item->text);
    kjit_status status = kjit_space_set(space, item->name, list);
    memory_free(list);
    return status;
}

static kjit_status set_shape(kjit_space *space, const WisdomItem *item)
{
    if (TEXT_IS_AMONG(item->name, shape_parts))
        return kjit_space_set(space, item->name, item->text);
    return error_set(KJIT_ARGUMENT,
                     "error: shape= has no '%s': it takes block, problem, grid_div_x, grid_div_y "
                     "and grid_div_z",
                     item->name);
}

kjit_status tuned_open_record(kjit_kernel *kernel, TunedCandidate *candidate)
{
    const WisdomRecord *record = candidate->record;
    kjit_space *space;

    KJIT_TRY(kjit_space_new(kernel, &space));
    candidate->space = space;
    candidate->tune = space->params;
    candidate->tune_count = space->count;
    space->params = NULL;
    space->count = space->capacity = 0;
    space->said.block.count = space->said.problem.count = 0;
    memset(space->said.divides, 0, sizeof space->said.divides);
    for (int i = 0; i < record->configuration.count; i++)
        KJIT_TRY(set_value(space, &record->configuration.list[i]));
    for (int i = 0; i < record->shape.count; i++)
        KJIT_TRY(set_shape(space, &record->shape.list[i]));
    return KJIT_OK;
}

/* ---- shapes ------------------------------------------------------------------------------- */

static const char *item_text(const WisdomItems *items, const char *name)
{
    for (int i = 0; i < items->count; i++) {
        if (strcmp(items->list[i].name, name) == 0)
            return items->list[i].text;
    }
    return NULL;
}

/* Whether @tune has parameters that set the block's sizes by their names. */
static bool names_block(const TuneSpace *source)
{
    for (int i = 0; i < source->param_count; i++) {
        if (space_block_axis(source->params[i].name) >= 0)
            return true;
    }
    return false;
}

/* Whether the source specifies a part of the shape, explicitly or by default. */
static bool decides(const TuneSpace *source, const char *part)
{
    if (strcmp(part, "block") == 0)
        return source->block.count || names_block(source);
    if (strcmp(part, "problem") == 0)
        return source->problem.count;
    return source->problem.count || source->divides[part[strlen(part) - 1] - 'x'];
}

const char *tuned_other_shape(Arena *arena, const kjit_space *space)
{
    const TuneSpace *source = space->kernel->info->tune;
    WisdomItems own = { 0 }, other = { 0 };

    if (!source)
        return NULL;
    wisdom_shape(arena, source, &own);
    wisdom_shape(arena, &space->said, &other);
    for (size_t i = 0; i < ARRAY_COUNT(shape_parts); i++) {
        const char *part = shape_parts[i];
        const char *ours = item_text(&own, part), *theirs = item_text(&other, part);
        bool same = ours && theirs ? strcmp(ours, theirs) == 0 : !ours && !theirs;
        if (same || !decides(source, part))
            continue;
        const char *with = theirs ? arena_printf(arena, "%s=%s", part, theirs)
                                  : arena_printf(arena, "no %s=", part);
        return ours ? arena_printf(arena, "%s, and @tune says %s=%s", with, part, ours)
                    : arena_printf(arena, "%s, and @tune says none", with);
    }
    return NULL;
}

void tuned_take_shape(kjit_space *space)
{
    const TuneSpace *source = space->kernel->info->tune;

    if (source && source->block.count)
        space->said.block = source->block;
    if (source && source->problem.count)
        space->said.problem = source->problem;
    for (int i = 0; source && i < TUNE_AXES; i++) {
        if (source->divides[i])
            space->said.divide[i] = source->divide[i];
    }
}

/* ---- fixed grids -------------------------------------------------------------------------- */

typedef struct ArgumentSearch {
    const kjit_kernel *kernel;
    bool found;
} ArgumentSearch;

static void search_argument(void *context, const AstExpr *expr)
{
    ArgumentSearch *wanted = context;

    for (int i = 0; expr->kind == AST_NAME && i < wanted->kernel->param_count; i++)
        wanted->found =
            wanted->found || strcmp(wanted->kernel->param_names[i], expr->name.name) == 0;
    if (!wanted->found)
        ast_each_child(expr, search_argument, wanted);
}

bool tuned_grid_is_fixed(const kjit_space *space)
{
    ArgumentSearch wanted = { .kernel = space->kernel };
    const TuneSpace *source = space->kernel->info->tune;
    const AstExprs *problem = &space->said.problem;

    for (int i = 0; i < problem->count; i++)
        search_argument(&wanted, problem->items[i]);
    return problem->count && !(source && source->problem.count) && !wanted.found;
}
