/* The plan of a tile: which statements stand in loops over its threads, and what around these. */
#include "ir/schedule/tile/tiles.h"

#include "ir/analysis/flow/flow.h"

typedef struct PlanBuilder {
    Tiles *tiles;
    TilePart **end;
    TilePart *open; /* the nest being collected; NULL: none is */
    int loops;      /* around here */
    int clips;
    unsigned strides; /* of these, by the grid's stride along axes 1 << axis */
    bool whole;       /* a loop around that the block's threads go through at once */
    const bool *left; /* by IrVar.id: read outside of the loop that sets it */
    bool again;       /* a branch was found that all enter who are left: plan once more */
} PlanBuilder;

static void build_region(PlanBuilder *b, const IrRegion *region);

static TilePart *add_part(PlanBuilder *b, TilePartKind kind, const IrStmt *stmt)
{
    TilePart *part = arena_new(b->tiles->unit->arena, TilePart);
    part->kind = kind;
    part->stmt = stmt;
    part->repeated = b->loops > 0;
    part->in_whole = b->whole;
    *b->end = part;
    b->end = &part->next;
    return part;
}

static void refuse(Tiles *tiles, const char *why, Span where)
{
    if (tiles->why)
        return;
    tiles->why = why;
    tiles->where = where;
}

/* A variable was taken for one that is set for the whole block each time, and is not. */
static void demote(PlanBuilder *b, const IrVar *var)
{
    b->again |= b->tiles->common[var->id];
    b->tiles->common[var->id] = false;
}

static void demote_set(void *context, IrStmt *stmt)
{
    if (ir_set_var(stmt))
        demote(context, ir_set_var(stmt));
}

/* What a statement has of work for vectors, and of atomics on elements of each thread's own. */
typedef struct NestLook {
    const Tiles *tiles;
    bool vectors, atomics;
} NestLook;

static void look_at_node(void *context, IrValue *value)
{
    NestLook *look = context;
    bool math = value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].operands == 1;
    look->vectors |=
        type_is_float(value->type) && (math || value->op == OP_div || value->op == OP_pow);
    if (!ir_is_atomic(value))
        return;
    for (int i = 1; i <= value->operands[0]->type->array.rank; i++)
        look->atomics |= tiles_bits(look->tiles, value->operands[i]) != 0;
}

/* Whether a statement begins a nest of its own: no vector does atomics of several elements, but the
** computing in front of them, of an element's bin for one. */
static bool begins_atomics(const PlanBuilder *b, const IrStmt *stmt)
{
    NestLook before = { .tiles = b->tiles }, now = before;
    if (!b->open || !(ir_stmt_effects(stmt) & EFFECT_ATOMIC))
        return false;
    for (int i = 0; i < b->open->count; i++) {
        IrStmt *set = (IrStmt *)b->open->stmts[i];
        if (set->kind != IR_SET || !type_is_scalar(set->set.var->type) ||
            ir_stmt_effects(set) & ~EFFECT_READ)
            return false;
        ir_each_own_node(set, look_at_node, &before);
    }
    ir_each_node_of((IrStmt *)stmt, look_at_node, &now);
    return before.vectors && now.atomics;
}

static void add_to_nest(PlanBuilder *b, const IrStmt *stmt)
{
    Tiles *tiles = b->tiles;
    if (begins_atomics(b, stmt))
        b->open = NULL;
    ir_each_stmt_of(stmt, demote_set, b);
    if (ir_stmt_effects(stmt) & EFFECT_BLOCK_SYNC)
        refuse(tiles, "they meet where only some may come, or not equally often", stmt->span);
    if (!b->open) {
        b->open = add_part(b, TILE_NEST, NULL);
        array_push(tiles->unit->arena, tiles->nests, tiles->nest_count, tiles->nest_capacity) =
            b->open;
        tiles->heavy |= b->loops > 0;
    }
    array_push(tiles->unit->arena, b->open->stmts, b->open->count, b->open->capacity) = stmt;
}

static TilePart *build_inside(PlanBuilder *b, const IrRegion *region, int loops)
{
    TilePart *first = NULL, **end = b->end;
    b->end = &first;
    b->open = NULL;
    b->loops += loops;
    build_region(b, region);
    b->loops -= loops;
    b->open = NULL;
    b->end = end;
    return first;
}

/* ---- branches ------------------------------------------------------------------------------ */

static void note_joint(PlanBuilder *b, const IrRegion *region)
{
    Tiles *tiles = b->tiles;
    for (int i = 0; i < tiles->joint_count; i++)
        if (tiles->joint[i] == region)
            return;
    array_push(tiles->unit->arena, tiles->joint, tiles->joint_count, tiles->joint_capacity) =
        region;
    b->again = true;
}

/* What is left of a condition when its bounds are taken out, around the region. */
static IrStmt *rest_of(const Tiles *tiles, const IrStmt *stmt, const IrValue *rest,
                       const IrRegion *region)
{
    IrStmt *branch = ir_if(tiles->unit->arena, (IrValue *)rest, stmt->span);
    branch->if_.then = *region;
    return branch;
}

/* Whether all that a region does is to set a few variables. */
static bool only_sets(const IrRegion *region)
{
    enum { FEW = 3 };
    int count = 0;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        if (stmt->kind != IR_SET || ir_stmt_effects(stmt) & ~EFFECT_READ || ++count > FEW)
            return false;
    return true;
}

/* `if i < n: ...` becomes loops that end at n. Where a nest of a block is `open`, what only sets
** variables stays in it: they would be kept in arrays otherwise. */
static bool build_clip(PlanBuilder *b, const IrStmt *stmt, bool open)
{
    bool wanted = stmt->if_.then.first;
    const IrRegion *region = wanted ? &stmt->if_.then : &stmt->if_.otherwise;
    if ((wanted && stmt->if_.otherwise.first) || (b->tiles->block && open && only_sets(region)))
        return false;
    TilePart clip = { .kind = TILE_CLIP, .stmt = stmt };
    const IrValue *rest = tiles_clip(b->tiles, stmt->if_.condition, wanted, &clip);
    if (!clip.bound_count)
        return false;
    TilePart *part = add_part(b, TILE_CLIP, stmt);
    part->bounds = clip.bounds;
    part->bound_count = clip.bound_count;
    b->clips++;
    if (rest) {
        IrRegion only = { NULL, NULL };
        ir_append(&only, rest_of(b->tiles, stmt, rest, region));
        part->then = build_inside(b, &only, 0);
    } else {
        note_joint(b, region);
        part->then = build_inside(b, region, 0);
    }
    b->clips--;
    return true;
}

/* ---- loops --------------------------------------------------------------------------------- */

/* Whether a loop has so few iterations that they are best laid side by side: those of a block reach
** what lies in shared memory, where nothing is gained by another order. */
static bool is_short(const Tiles *tiles, const IrStmt *loop)
{
    const int64_t few = tiles->block ? 32 : 8;
    int64_t count = ir_trip_count(loop);
    return loop->for_.unroll == UNROLL_ALL || (count >= 0 && count <= few);
}

static const IrValue *behind(const Tiles *tiles, const IrValue *value)
{
    return sets_behind_casts(&tiles->affine.sets, value);
}

/* The axis along which a loop goes by the stride of the grid, or of the block; -1. */
static int stride_axis(const Tiles *tiles, const IrStmt *loop)
{
    const IrValue *start = behind(tiles, loop->for_.start), *step = behind(tiles, loop->for_.step);
    if (loop->for_.var->type != type_int64 || !tiles_outside(tiles, loop->for_.stop))
        return -1;
    if (!tiles->block || !ir_is_intrinsic(start, INTR_thread_idx))
        return ir_stride_axis(&tiles->affine.sets, loop);
    bool size = ir_is_intrinsic(step, INTR_block_dim) && step->index == start->index;
    return size || ir_is_integer(step, tiles->along[start->index]) ? start->index : -1;
}

static void build_stride(PlanBuilder *b, const IrStmt *stmt, int axis, unsigned whole)
{
    Tiles *tiles = b->tiles;
    TilePart *part = add_part(b, TILE_STRIDE, stmt);
    bool heavy = tiles->heavy;
    part->axis = axis;
    part->whole = whole;
    part->of_block = behind(tiles, stmt->for_.start)->intrinsic == INTR_thread_idx;
    tiles->vars[stmt->for_.var->id] = TILE_VAR_AGAIN;
    tiles->stride_axes[stmt->for_.var->id] = axis;
    array_push(tiles->unit->arena, tiles->again, tiles->again_count, tiles->again_capacity) = stmt;
    unsigned axes = whole | 1u << axis;
    bool around = b->whole;
    b->strides |= axes;
    b->whole |= whole != 0;
    part->then = build_inside(b, &stmt->for_.body, 1);
    b->whole = around;
    b->strides &= ~axes;
    tiles->heavy = heavy;
}

static bool meets(const IrRegion *region)
{
    return ir_region_effects(region) & EFFECT_BLOCK_SYNC;
}

static bool build_for(PlanBuilder *b, const IrStmt *stmt)
{
    Tiles *tiles = b->tiles;
    IrVar *var = stmt->for_.var;
    if (flow_jumps(&stmt->for_.body) || sets_loop(&tiles->affine.sets, var) != stmt)
        return false;
    bool together = meets(&stmt->for_.body);
    unsigned whole =
        b->clips || together || tiles->by_threads ? 0 : tiles_whole(tiles, stmt, b->left);
    int axis = whole ? __builtin_ctz(whole) : stride_axis(tiles, stmt);
    if (axis >= 0 && !(b->strides & (whole | 1u << axis)) && !together) {
        build_stride(b, stmt, axis, whole);
        return true;
    }
    if ((!together && is_short(tiles, stmt)) || (together && b->clips) ||
        !tiles_outside(tiles, stmt->for_.start) || !tiles_outside(tiles, stmt->for_.stop) ||
        !tiles_outside(tiles, stmt->for_.step) ||
        tiles_bits(tiles, ir_var(tiles->unit->arena, var, stmt->span)))
        return false;
    if (!together && tiles_along(tiles, stmt)) {
        tiles->inside = true;
        return false;
    }
    TilePart *part = add_part(b, TILE_LOOP, stmt);
    tiles->vars[var->id] = TILE_VAR_ONCE;
    part->then = build_inside(b, &stmt->for_.body, 1);
    return true;
}

/* A loop in whose iterations the whole block meets. */
static bool build_while(PlanBuilder *b, const IrStmt *stmt)
{
    if (!meets(&stmt->while_.body) || flow_jumps(&stmt->while_.body) || b->clips || b->strides ||
        !tiles_outside(b->tiles, stmt->while_.condition))
        return false;
    TilePart *part = add_part(b, TILE_WHILE, stmt);
    part->then = build_inside(b, &stmt->while_.body, 1);
    return true;
}

/* ---- statements ----------------------------------------------------------------------------- */

static bool has_loop(const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        if (stmt->kind == IR_FOR ||
            (stmt->kind == IR_IF && (has_loop(&stmt->if_.then) || has_loop(&stmt->if_.otherwise))))
            return true;
    return false;
}

static bool sets_common(const Tiles *tiles, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (ir_set_var(stmt) && tiles->common[ir_set_var(stmt)->id])
            return true;
        for_each_region (inner, stmt)
            if (sets_common(tiles, inner))
                return true;
    }
    return false;
}

/* Whether a branch is best taken around the loops over the threads. */
static bool is_around(const Tiles *tiles, const IrStmt *stmt)
{
    const IrRegion *then = &stmt->if_.then, *otherwise = &stmt->if_.otherwise;
    return has_loop(then) || has_loop(otherwise) || sets_common(tiles, then) ||
           sets_common(tiles, otherwise);
}

static bool build_if(PlanBuilder *b, const IrStmt *stmt, bool open)
{
    bool together = meets(&stmt->if_.then) || meets(&stmt->if_.otherwise);
    if (!together && !(ir_value_effects(stmt->if_.condition) & ~EFFECT_READ) &&
        build_clip(b, stmt, open))
        return true;
    if (!tiles_outside(b->tiles, stmt->if_.condition) || flow_jumps(&stmt->if_.then) ||
        flow_jumps(&stmt->if_.otherwise) || (together && b->clips) ||
        (!together && !is_around(b->tiles, stmt)))
        return false;
    TilePart *part = add_part(b, TILE_IF, stmt);
    part->then = build_inside(b, &stmt->if_.then, 0);
    part->otherwise = build_inside(b, &stmt->if_.otherwise, 0);
    return true;
}

/* Whether a value reads memory at indices that the whole block has alike, and is cheap beside. */
static bool loads_outside(const Tiles *tiles, const IrValue *value, bool *written)
{
    if (value->op != OP_load)
        return value->op == OP_cast ? loads_outside(tiles, value->operands[0], written)
               : value->count == 2 && (value->op == OP_add || value->op == OP_sub)
                   ? loads_outside(tiles, value->operands[0], written) &&
                         loads_outside(tiles, value->operands[1], written)
                   : tiles_outside(tiles, value);
    *written |= !tiles_read_only(tiles->unit, value->operands[0]);
    for (int i = 1; i < value->count; i++)
        if (!tiles_outside(tiles, value->operands[i]))
            return false;
    return value->operands[0]->op == OP_var && !tiles_bits(tiles, value);
}

/* Whether all threads of a block, of which there is one at least, come to a set of what they all
** read alike. What is written may only be read where they have just met: it ends no nest. */
static bool is_read_once(const PlanBuilder *b, const IrStmt *stmt)
{
    bool written = false;
    return b->tiles->block && !b->clips && !b->strides &&
           loads_outside(b->tiles, stmt->set.value, &written) &&
           (!b->open || (!written && type_is_integer(stmt->set.var->type)));
}

/* A set of what needs no thread, or no memory of one. */
static bool build_set(PlanBuilder *b, const IrStmt *stmt)
{
    Tiles *tiles = b->tiles;
    IrVar *var = stmt->set.var;
    if (tiles->common[var->id]) {
        if (b->clips || b->strides || !tiles_outside(tiles, stmt->set.value)) {
            demote(b, var);
            return false;
        }
        add_part(b, TILE_ONCE, stmt);
        b->open = NULL;
        return true;
    }
    if (!sets_value(&tiles->affine.sets, var) || !type_is_scalar(var->type))
        return false;
    if (tiles_outside(tiles, stmt->set.value) || is_read_once(b, stmt)) {
        tiles->vars[var->id] = TILE_VAR_ONCE;
        add_part(b, TILE_ONCE, stmt);
        b->open = NULL;
        return true;
    }
    bool plain = type_is_integer(var->type) || var->type == type_bool;
    bool stays = b->loops && (b->strides || b->left[var->id]);
    if (stays || !plain || !tiles_made_of(tiles, stmt->set.value, MADE_AGAIN | MADE_STABLE))
        return false;
    tiles->vars[var->id] = TILE_VAR_AGAIN;
    array_push(tiles->unit->arena, tiles->again, tiles->again_count, tiles->again_capacity) = stmt;
    return true;
}

static void build_stmt(PlanBuilder *b, const IrStmt *stmt)
{
    TilePart *open = b->open;
    bool built = stmt->kind == IR_EVAL && ir_is_intrinsic(stmt->eval.value, INTR_syncthreads) &&
                 !b->clips && !b->strides;
    b->open = NULL;
    if (stmt->kind == IR_IF)
        built = build_if(b, stmt, open);
    else if (stmt->kind == IR_FOR)
        built = build_for(b, stmt);
    else if (stmt->kind == IR_WHILE)
        built = build_while(b, stmt);
    if (built) {
        b->open = NULL;
        return;
    }
    b->open = open;
    if (stmt->kind != IR_SET || !build_set(b, stmt))
        add_to_nest(b, stmt);
}

static void build_region(PlanBuilder *b, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        build_stmt(b, stmt);
}

/* ---- variables ------------------------------------------------------------------------------ */

/* Whether a variable holds something from one nest to the next, or from one iteration to the
** next, which one that is set once does not (flow/sets.h). */
static bool is_carried(const Tiles *tiles, const IrVar *var)
{
    int nests = 0;
    bool repeated = false, incoming = false;
    for (int i = 0; i < tiles->nest_count; i++) {
        int uses = tiles->nests[i]->uses[var->id];
        nests += (uses & USE_MENTIONED) != 0;
        incoming |= (uses & USE_INCOMING) != 0;
        repeated |= tiles->nests[i]->repeated && (uses & USE_SET);
    }
    bool again = repeated && !sets_value(&tiles->affine.sets, var);
    return incoming && (nests > 1 || again);
}

/* Whether a variable is had in a loop that the block's threads go through at once. */
static bool is_in_whole(const Tiles *tiles, const IrVar *var)
{
    bool found = false;
    for (int i = 0; i < tiles->nest_count; i++)
        found |= tiles->nests[i]->in_whole && (tiles->nests[i]->uses[var->id] & USE_MENTIONED);
    return found;
}

/* A variable that is set where it may be in a branch, and read there only, is one nest's own. What
** is kept has an element for each thread: a loop that has more iterations is then gone through by
** threads, and false is the answer: plan once more. */
static bool place_vars(Tiles *tiles)
{
    const IrFunc *fn = tiles->unit->kernel;
    for (int i = 0; i < tiles->nest_count; i++) {
        TilePart *nest = tiles->nests[i];
        nest->uses = arena_array(tiles->unit->arena, unsigned char, fn->var_count + 1);
        for (int k = 0; k < nest->count; k++)
            uses_of_stmt(nest->uses, nest->stmts[k], true);
    }
    for (int i = fn->param_count; i < fn->var_count; i++) {
        IrVar *var = fn->vars[i];
        if (var->kind != VAR_LOCAL || tiles->vars[i] != TILE_VAR_OWN || !is_carried(tiles, var))
            continue;
        if (is_in_whole(tiles, var)) {
            tiles->by_threads = true;
            return false;
        }
        if (type_is_scalar(var->type))
            tiles->vars[i] = TILE_VAR_KEPT;
        else
            refuse(tiles, "arrays and tuples are carried on", var->span);
    }
    return true;
}

/* Variables of a block that are set more than once, which may be set for all of it each time. */
static void find_common(Tiles *tiles)
{
    const IrFunc *fn = tiles->unit->kernel;
    Arena *arena = tiles->unit->arena;
    for (int i = fn->param_count; i < fn->var_count && tiles->block; i++) {
        IrVar *var = fn->vars[i];
        tiles->common[i] &= var->kind == VAR_LOCAL && type_is_scalar(var->type) &&
                            !sets_only(&tiles->affine.sets, var) &&
                            !tiles_bits(tiles, ir_var(arena, var, var->span));
        if (tiles->common[i])
            tiles->vars[i] = TILE_VAR_ONCE;
    }
}

bool tiles_plan(Tiles *tiles)
{
    const IrUnit *unit = tiles->unit;
    size_t count = (size_t)unit->kernel->var_count + 1;
    PlanBuilder b = { .left = ir_left_by_loops(unit->arena, unit->kernel, &unit->kernel->body) };
    tiles->joint_count = 0;
    tiles->affine = ir_affine(unit, NULL);
    tiles->affine.in_block = tiles->block;
    tiles->common = arena_array(unit->arena, bool, count);
    for (size_t i = 0; i < count; i++)
        tiles->common[i] = tiles->block;
    do {
        IrDivergenceRules rules = { .joint = tiles->joint, .joint_count = tiles->joint_count };
        tiles->affine.divergence = ir_divergence_by(unit, &rules);
        tiles->vars = arena_array(unit->arena, TileVar, count);
        tiles->stride_axes = arena_array(unit->arena, int, count);
        tiles->nest_count = tiles->again_count = 0;
        tiles->heavy = false;
        tiles->why = NULL;
        find_common(tiles);
        b = (PlanBuilder){ .tiles = tiles, .end = &tiles->plan, .left = b.left };
        tiles->plan = NULL;
        build_region(&b, &unit->kernel->body);
    } while (b.again || !place_vars(tiles));
    return !tiles->why;
}
