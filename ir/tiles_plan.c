/* The plan of a tile: which statements stand in loops over its threads, and what around these. */
#include "ir/tiles.h"

typedef struct Builder {
    Tiles *tiles;
    TilePart **end;
    TilePart *open; /* the nest being collected; NULL: none is */
    int loops;      /* around here */
    int strides;    /* of these, by the grid's stride along axes 1 << axis */
    bool again;     /* a branch was found that all enter who are left: plan once more */
} Builder;

static void build_region(Builder *b, const IrRegion *region);

static TilePart *add_part(Builder *b, TilePartKind kind, const IrStmt *stmt)
{
    TilePart *part = arena_new(b->tiles->unit->arena, TilePart);
    part->kind = kind;
    part->stmt = stmt;
    part->repeated = b->loops > 0;
    *b->end = part;
    b->end = &part->next;
    return part;
}

static void add_to_nest(Builder *b, const IrStmt *stmt)
{
    Tiles *tiles = b->tiles;
    if (!b->open) {
        b->open = add_part(b, TILE_NEST, NULL);
        array_push(tiles->unit->arena, tiles->nests, tiles->nest_count, tiles->nest_capacity) =
            b->open;
        tiles->heavy |= b->loops > 0;
    }
    array_push(tiles->unit->arena, b->open->stmts, b->open->count, b->open->capacity) = stmt;
}

static TilePart *build_inside(Builder *b, const IrRegion *region, int loops)
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

/* ---- values ------------------------------------------------------------------------------- */

static int bits_of(const Tiles *tiles, const IrValue *value)
{
    return ir_vary_value(&tiles->affine.vary, value);
}

/* Whether an operation costs next to nothing, and harms nobody who would not come to it. */
static bool is_cheap_op(const IrValue *value)
{
    switch ((int)value->op) {
    case OP_constant:
    case OP_zero:
    case OP_var:
    case OP_extent:
    case OP_stride:
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_neg:
    case OP_cast:
    case OP_lt:
    case OP_le:
    case OP_gt:
    case OP_ge:
    case OP_eq:
    case OP_ne:
    case OP_not:
    case OP_and_then:
    case OP_or_else:
    case OP_select:
        return true;
    case OP_div:
        return type_is_float(value->type);
    case OP_floordiv:
    case OP_mod:
        return ir_is_constant(value->operands[1]) && type_is_integer(value->type);
    case OP_intrinsic:
        return value->intrinsic == INTR_grid || value->intrinsic == INTR_gridsize ||
               value->intrinsic == INTR_min || value->intrinsic == INTR_max;
    default:
        return false;
    }
}

/* Whether a value is made of what there is outside of a thread, or can be had again: parameters
** and variables of the kinds that the flags allow. */
static bool is_made_of(const Tiles *tiles, const IrValue *value, bool again)
{
    if (!is_cheap_op(value))
        return false;
    if (value->op == OP_var && value->var->kind == VAR_LOCAL) {
        TileVar kind = tiles->vars[value->var->id];
        return kind == TILE_VAR_ONCE || (again && kind == TILE_VAR_AGAIN);
    }
    if (value->op == OP_var && value->var->kind != VAR_PARAM && value->var->kind != VAR_CONSTANT)
        return false;
    for (int i = 0; i < value->count; i++)
        if (!is_made_of(tiles, value->operands[i], again))
            return false;
    return true;
}

bool tiles_outside(const Tiles *tiles, const IrValue *value)
{
    return !bits_of(tiles, value) && is_made_of(tiles, value, false);
}

typedef struct Resolve {
    const Tiles *tiles;
    int axis;
} Resolve;

static IrValue *resolve_value(const IrClone *clone, const IrValue *value)
{
    const Resolve *r = clone->context;
    if (value->op == OP_intrinsic && value->intrinsic == INTR_grid && value->index == r->axis)
        return ir_integer(clone->arena, value->type, 0, value->span);
    if (value->op == OP_var && value->var->kind == VAR_LOCAL &&
        r->tiles->vars[value->var->id] == TILE_VAR_AGAIN && r->tiles->affine.sets[value->var->id])
        return ir_clone_value(clone, r->tiles->affine.sets[value->var->id]);
    return NULL;
}

IrValue *tiles_resolve(const Tiles *tiles, const IrValue *value, int axis)
{
    Resolve r = { tiles, axis };
    IrClone clone = { .arena = tiles->unit->arena, .value = resolve_value, .context = &r };
    return ir_clone_value(&clone, value);
}

/* ---- branches ------------------------------------------------------------------------------ */

static IrValue *plus(Arena *arena, IrValue *a, IrValue *b)
{
    return ir_binary(arena, OP_add, a, b, a->span);
}

/* a - b. */
static IrValue *minus(Arena *arena, IrValue *a, IrValue *b)
{
    if (ir_is_constant(b) && b->constant.integer == 0)
        return a;
    bool negated =
        b->op == OP_sub && ir_is_constant(b->operands[0]) && b->operands[0]->constant.integer == 0;
    if (negated && ir_is_constant(a) && a->constant.integer == 0)
        return b->operands[1];
    return negated ? plus(arena, a, b->operands[1]) : ir_binary(arena, OP_sub, a, b, a->span);
}

static IrValue *wide(Arena *arena, IrValue *value)
{
    return value->type == type_int64 ? value : ir_cast(arena, type_int64, value, value->span);
}

/* Whether a difference of two values is far from the ends of 64 bits. */
static bool is_tame(const Tiles *tiles, const IrValue *value)
{
    return affine_most(&tiles->affine, tiles->unit->launch, value) < (double)(INT64_MAX / 4);
}

/* `left < right` (`or_equal`: <=) as a bound on the places along one axis. */
static bool find_bound(const Tiles *tiles, const IrValue *left, const IrValue *right, bool or_equal,
                       TileBound *bound)
{
    Arena *arena = tiles->unit->arena;
    int64_t slope = 0, a, b;
    bound->axis = -1;
    for (int axis = 0; axis < 3; axis++) {
        if (!affine_slope(&tiles->affine, left, axis, &a) ||
            !affine_slope(&tiles->affine, right, axis, &b))
            return false;
        if (a == b)
            continue;
        if (bound->axis >= 0 || __builtin_sub_overflow(a, b, &slope))
            return false;
        bound->axis = axis;
    }
    if (bound->axis < 0 || (slope != 1 && slope != -1) ||
        ((bits_of(tiles, left) | bits_of(tiles, right)) & VARY_OTHER) ||
        !is_made_of(tiles, left, true) || !is_made_of(tiles, right, true))
        return false;
    bool plain = ir_is_constant(right) || bits_of(tiles, right) == 0;
    IrValue *l = wide(arena, tiles_resolve(tiles, left, bound->axis));
    IrValue *r = wide(arena, tiles_resolve(tiles, right, bound->axis));
    if (!tiles_outside(tiles, l) || !tiles_outside(tiles, r))
        return false;
    bool whole = ir_is_constant(l) && l->constant.integer == 0 && plain && slope == 1 && !or_equal;
    if (!is_tame(tiles, left) || (!whole && !is_tame(tiles, right)))
        return false;
    bound->high = slope > 0;
    bound->end = bound->high ? minus(arena, r, l) : minus(arena, l, r);
    if (bound->high == or_equal)
        bound->end = plus(arena, bound->end, ir_integer(arena, type_int64, 1, l->span));
    return true;
}

static bool bound_of(const Tiles *tiles, const IrValue *term, TileBound *bound)
{
    if (term->count != 2 || !type_is_integer(term->operands[0]->type) ||
        !type_is_signed(term->operands[0]->type))
        return false;
    const IrValue *a = term->operands[0], *b = term->operands[1];
    switch ((int)term->op) {
    case OP_lt:
        return find_bound(tiles, a, b, false, bound);
    case OP_le:
        return find_bound(tiles, a, b, true, bound);
    case OP_gt:
        return find_bound(tiles, b, a, false, bound);
    case OP_ge:
        return find_bound(tiles, b, a, true, bound);
    default:
        return false;
    }
}

static void note_joint(Builder *b, const IrRegion *region)
{
    Tiles *tiles = b->tiles;
    for (int i = 0; i < tiles->joint_count; i++)
        if (tiles->joint[i] == region)
            return;
    array_push(tiles->unit->arena, tiles->joint, tiles->joint_count, tiles->joint_capacity) =
        region;
    b->again = true;
}

/* A condition with the variables that it was set aside in resolved. */
static IrValue *spelled_out(const Tiles *tiles, IrValue *condition)
{
    Arena *arena = tiles->unit->arena;
    const IrVar *var = condition->op == OP_var ? condition->var : NULL;
    IrValue *set = var && var->kind == VAR_LOCAL ? tiles->affine.sets[var->id] : NULL;
    if (set && is_made_of(tiles, set, true))
        return spelled_out(tiles, set);
    if (condition->op == OP_and_then || condition->op == OP_or_else)
        return ir_binary(arena, condition->op, spelled_out(tiles, condition->operands[0]),
                         spelled_out(tiles, condition->operands[1]), condition->span);
    return condition;
}

/* What is left of a condition when its bounds are taken out, around the region. */
static IrStmt *rest_of(const Tiles *tiles, const IrStmt *stmt, const IrValue *rest,
                       const IrRegion *region)
{
    IrStmt *branch = ir_stmt(tiles->unit->arena, IR_IF, stmt->span);
    branch->if_.condition = (IrValue *)rest;
    branch->if_.then = *region;
    return branch;
}

/* `if i < n: ...` becomes loops that end at n. */
static bool build_clip(Builder *b, const IrStmt *stmt)
{
    Tiles *tiles = b->tiles;
    Arena *arena = tiles->unit->arena;
    bool wanted = stmt->if_.then.first;
    const IrRegion *region = wanted ? &stmt->if_.then : &stmt->if_.otherwise;
    if (wanted && stmt->if_.otherwise.first)
        return false;
    Terms terms = { 0 };
    guard_terms(arena, &terms, spelled_out(tiles, stmt->if_.condition), wanted);
    TilePart clip = { .kind = TILE_CLIP, .stmt = stmt };
    IrValue *rest = NULL;
    for (int i = 0; i < terms.count; i++) {
        TileBound bound;
        IrValue *term = (IrValue *)terms.list[i];
        if (bound_of(tiles, term, &bound))
            array_push(arena, clip.bounds, clip.bound_count, clip.bound_capacity) = bound;
        else
            rest = rest ? ir_binary(arena, OP_and_then, rest, term, term->span) : term;
    }
    if (!clip.bound_count)
        return false;
    TilePart *part = add_part(b, TILE_CLIP, stmt);
    part->bounds = clip.bounds;
    part->bound_count = clip.bound_count;
    if (rest) {
        IrRegion only = { NULL, NULL };
        ir_append(&only, rest_of(tiles, stmt, rest, region));
        part->then = build_inside(b, &only, 0);
    } else {
        note_joint(b, region);
        part->then = build_inside(b, region, 0);
    }
    return true;
}

/* ---- loops --------------------------------------------------------------------------------- */

/* Whether a loop is left, or its turn, by a statement of its body. */
static bool jumps(const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        if (stmt->kind == IR_BREAK || stmt->kind == IR_CONTINUE ||
            (stmt->kind == IR_IF && (jumps(&stmt->if_.then) || jumps(&stmt->if_.otherwise))))
            return true;
    return false;
}

/* Whether a loop has so few turns that they are best laid side by side. */
static bool is_short(const IrStmt *loop)
{
    enum { FEW = 8 };
    const IrValue *start = loop->for_.start, *stop = loop->for_.stop, *step = loop->for_.step;
    return loop->for_.unroll == UNROLL_ALL ||
           (ir_is_constant(start) && ir_is_constant(stop) && ir_is_constant(step) &&
            start->op == OP_constant && stop->op == OP_constant && step->op == OP_constant &&
            stop->constant.integer - start->constant.integer <= FEW * step->constant.integer);
}

static const IrValue *behind(const Tiles *tiles, const IrValue *value)
{
    while ((value->op == OP_var && value->var->kind == VAR_LOCAL &&
            tiles->affine.sets[value->var->id]) ||
           (value->op == OP_cast && value->type == type_int64))
        value = value->op == OP_var ? tiles->affine.sets[value->var->id] : value->operands[0];
    return value;
}

static int stride_axis(const Tiles *tiles, const IrStmt *loop)
{
    const IrValue *start = behind(tiles, loop->for_.start), *step = behind(tiles, loop->for_.step);
    if (loop->for_.var->type != type_int64 || start->op != OP_intrinsic ||
        start->intrinsic != INTR_grid || step->op != OP_intrinsic ||
        step->intrinsic != INTR_gridsize || start->index != step->index ||
        !tiles_outside(tiles, loop->for_.stop))
        return -1;
    return start->index;
}

static bool build_for(Builder *b, const IrStmt *stmt)
{
    Tiles *tiles = b->tiles;
    IrVar *var = stmt->for_.var;
    if (jumps(&stmt->for_.body) || tiles->affine.fors[var->id] != stmt)
        return false;
    int axis = stride_axis(tiles, stmt);
    if (axis >= 0 && !(b->strides >> axis & 1)) {
        TilePart *part = add_part(b, TILE_STRIDE, stmt);
        part->axis = axis;
        tiles->vars[var->id] = TILE_VAR_AGAIN;
        array_push(tiles->unit->arena, tiles->again, tiles->again_count, tiles->again_capacity) =
            stmt;
        bool heavy = tiles->heavy;
        b->strides |= 1 << axis;
        part->then = build_inside(b, &stmt->for_.body, 1);
        b->strides &= ~(1 << axis);
        tiles->heavy = heavy;
        return true;
    }
    if (is_short(stmt) || !tiles_outside(tiles, stmt->for_.start) ||
        !tiles_outside(tiles, stmt->for_.stop) || !tiles_outside(tiles, stmt->for_.step) ||
        bits_of(tiles, ir_var(tiles->unit->arena, var, stmt->span)))
        return false;
    TilePart *part = add_part(b, TILE_LOOP, stmt);
    tiles->vars[var->id] = TILE_VAR_ONCE;
    part->then = build_inside(b, &stmt->for_.body, 1);
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

static bool build_if(Builder *b, const IrStmt *stmt)
{
    if (!(ir_value_effects(stmt->if_.condition) & ~EFFECT_READ) && build_clip(b, stmt))
        return true;
    if (!tiles_outside(b->tiles, stmt->if_.condition) || jumps(&stmt->if_.then) ||
        jumps(&stmt->if_.otherwise) ||
        (!has_loop(&stmt->if_.then) && !has_loop(&stmt->if_.otherwise)))
        return false;
    TilePart *part = add_part(b, TILE_IF, stmt);
    part->then = build_inside(b, &stmt->if_.then, 0);
    part->otherwise = build_inside(b, &stmt->if_.otherwise, 0);
    return true;
}

/* A set of what needs no thread, or no memory of one. */
static bool build_set(Builder *b, const IrStmt *stmt)
{
    Tiles *tiles = b->tiles;
    IrVar *var = stmt->set.var;
    if (!tiles->affine.sets[var->id] || var->kind != VAR_LOCAL || !type_is_scalar(var->type))
        return false;
    if (tiles_outside(tiles, stmt->set.value)) {
        tiles->vars[var->id] = TILE_VAR_ONCE;
        add_part(b, TILE_ONCE, stmt);
        b->open = NULL;
        return true;
    }
    bool plain = type_is_integer(var->type) || var->type == type_bool;
    if (b->loops || !plain || !is_made_of(tiles, stmt->set.value, true))
        return false;
    tiles->vars[var->id] = TILE_VAR_AGAIN;
    array_push(tiles->unit->arena, tiles->again, tiles->again_count, tiles->again_capacity) = stmt;
    return true;
}

static void build_stmt(Builder *b, const IrStmt *stmt)
{
    TilePart *open = b->open;
    bool built = false;
    b->open = NULL;
    if (stmt->kind == IR_IF)
        built = build_if(b, stmt);
    else if (stmt->kind == IR_FOR)
        built = build_for(b, stmt);
    if (built) {
        b->open = NULL;
        return;
    }
    b->open = open;
    if (stmt->kind != IR_SET || !build_set(b, stmt))
        add_to_nest(b, stmt);
}

static void build_region(Builder *b, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        build_stmt(b, stmt);
}

/* ---- variables ------------------------------------------------------------------------------ */

static void mention_node(void *context, IrValue *value)
{
    unsigned char *uses = context;
    if (value->op == OP_var && !(uses[value->var->id] & TILE_MENTIONED))
        uses[value->var->id] |= TILE_MENTIONED | TILE_INCOMING;
}

static void mention_root(void *context, IrValue *value)
{
    ir_each_node(value, mention_node, context);
}

static void use_stmt(unsigned char *uses, const IrStmt *stmt, bool surely)
{
    ir_each_value(stmt, mention_root, uses);
    IrVar *var = stmt->kind == IR_SET   ? stmt->set.var
                 : stmt->kind == IR_FOR ? stmt->for_.var
                                        : NULL;
    if (var && !(uses[var->id] & TILE_MENTIONED))
        uses[var->id] |=
            surely || stmt->kind == IR_FOR ? TILE_MENTIONED : TILE_MENTIONED | TILE_INCOMING;
    if (var)
        uses[var->id] |= TILE_SET;
    IrRegion *regions[2];
    int count = ir_regions((IrStmt *)stmt, regions);
    for (int i = 0; i < count; i++)
        for (const IrStmt *inner = regions[i]->first; inner; inner = inner->next)
            use_stmt(uses, inner, false);
}

/* Whether a variable holds something from one nest to the next, or from one turn to the next. */
static bool is_carried(const Tiles *tiles, const IrVar *var)
{
    int nests = 0;
    bool repeated = false;
    for (int i = 0; i < tiles->nest_count; i++) {
        int uses = tiles->nests[i]->uses[var->id];
        nests += (uses & TILE_MENTIONED) != 0;
        repeated |= tiles->nests[i]->repeated && (uses & TILE_SET) && (uses & TILE_INCOMING);
    }
    return nests > 1 || repeated;
}

/* A variable that is set where it may be in a branch, and read there only, is one nest's own. */
static void place_vars(Tiles *tiles)
{
    const IrFunc *fn = tiles->unit->kernel;
    for (int i = 0; i < tiles->nest_count; i++) {
        TilePart *nest = tiles->nests[i];
        nest->uses = arena_array(tiles->unit->arena, unsigned char, fn->var_count + 1);
        for (int k = 0; k < nest->count; k++)
            use_stmt(nest->uses, nest->stmts[k], true);
    }
    for (int i = fn->param_count; i < fn->var_count; i++) {
        IrVar *var = fn->vars[i];
        if (var->kind != VAR_LOCAL || tiles->vars[i] != TILE_VAR_OWN || !is_carried(tiles, var))
            continue;
        if (type_is_scalar(var->type))
            tiles->vars[i] = TILE_VAR_KEPT;
        else
            tiles->why = "arrays and tuples are carried on";
    }
}

bool tiles_plan(Tiles *tiles)
{
    const IrUnit *unit = tiles->unit;
    Builder b = { .tiles = tiles };
    tiles->joint_count = 0;
    tiles->affine = ir_affine(unit, NULL);
    do {
        IrVaryRules rules = { .joint = tiles->joint, .joint_count = tiles->joint_count };
        tiles->affine.vary = ir_vary_by(unit, &rules);
        tiles->vars = arena_array(unit->arena, TileVar, unit->kernel->var_count + 1);
        tiles->nest_count = tiles->again_count = 0;
        tiles->heavy = false;
        b = (Builder){ .tiles = tiles, .end = &tiles->plan };
        tiles->plan = NULL;
        build_region(&b, &unit->kernel->body);
    } while (b.again);
    place_vars(tiles);
    return !tiles->why;
}
