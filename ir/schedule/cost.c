#include "ir/schedule/cost_value.h"

#include <math.h>

/* What multiprocessors of compute capability 8.0 and 9.0 have: CUDA C++ Programming Guide,
** "Technical Specifications per Compute Capability", and its chapters on memory accesses. */
enum {
    WARPS_MOST = 64, /* of a multiprocessor */
    BLOCKS_MOST = 32,
    REGISTERS = 65536
};

/* Set so that estimates of bench/kernels come in the order of earlier times of the same rows
** (docs/optimisation.md). */
enum {
    OFTEN = 6,           /* times that a byte comes, from where on a cache is taken to have it */
    REGISTERS_LEAST = 28 /* that addresses and counters take */
};

/* ---- what an access costs -------------------------------------------------------------------- */

static double warps_of(const CostWalk *w)
{
    double threads = (double)w->block[0] * w->block[1] * w->block[2];
    return w->weight * w->cost.blocks * ceil(threads / WARP_LANES);
}

/* The bytes that the second cache is asked for. What a warp collects from far apart is there for
** the next iterations as well, which go on along the rows; what it spreads is not held back. */
static double cached_bytes(const CostWalk *w, double units, int64_t bytes, bool store)
{
    bool far = units >= WARP_LANES && bytes < SECTOR_BYTES;
    if (store || !far)
        return store ? units * SECTOR_BYTES : 0;
    return units * (w->loops ? (double)bytes : SECTOR_BYTES);
}

/* `count` elements side by side. */
static void cost_access(CostWalk *w, const IrValue *array, IrValue *const *indices, int64_t count,
                        bool store)
{
    const IrVar *var = ir_array_base(array);
    if (var && (var->kind == VAR_PRIVATE || var->kind == VAR_CONSTANT))
        return;
    IrMoves moves = ir_moves(&w->steps, array, indices);
    int64_t bytes = count * (int64_t)type_size(array->type->array.element);
    int64_t units = var && var->kind != VAR_LOCAL
                        ? ir_warp_units(w->block, &moves, bytes)
                        : (bytes * WARP_LANES + SECTOR_BYTES - 1) / SECTOR_BYTES; /* a view */
    if (moves.shared) {
        w->cost.words += warps_of(w) * (double)units;
        return;
    }
    w->cost.accesses += warps_of(w);
    w->cost.sectors += warps_of(w) * (double)units;
    w->cost.cached += warps_of(w) * cached_bytes(w, (double)units, bytes, store);
    if (var && var->kind == VAR_PARAM)
        w->accessed[var->param] += warps_of(w) * (double)units * SECTOR_BYTES;
    w->waits = true;
    w->far |= !var || var->kind != VAR_PARAM || w->again[var->param] < OFTEN;
}

bool cost_is_special(const IrValue *value)
{
    static const IrIntrinsic plain[] = { INTR_fma,    INTR_min,        INTR_max,
                                         INTR_floor,  INTR_ceil,       INTR_fabs,
                                         INTR_div_by, INTR_reciprocal, INTR_reciprocal_rest };
    if (value->op == OP_pow)
        return true;
    if (value->op != OP_intrinsic || !value->count || !type_is_float(value->type) ||
        ir_intrinsics[value->intrinsic].effect)
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(plain); i++)
        if (value->intrinsic == plain[i])
            return false;
    return true;
}

enum { WIDE_DIVISION = 40 }; /* instructions, about */

double cost_instructions(const IrValue *value)
{
    enum { DIVISION = 12, FUNCTION = 16 };
    bool divides = value->op == OP_div || value->op == OP_floordiv || value->op == OP_mod;
    bool wide = type_is_scalar(value->type) && type_size(value->type) >= 8;
    if (value->op == OP_constant || value->op == OP_var || value->op == OP_zero)
        return 0;
    if (cost_is_special(value))
        return FUNCTION;
    return !divides ? 1 : ir_is_constant(value->operands[1]) ? 4 : wide ? WIDE_DIVISION : DIVISION;
}

static void cost_arithmetic(CostWalk *w, const IrValue *value)
{
    double times = cost_instructions(value);
    bool special = cost_is_special(value);
    if (type_is_float(value->type) && type_size(value->type) == 8)
        w->cost.doubles += warps_of(w) * (special ? WIDE_DIVISION : times);
    else if (special)
        w->cost.special += warps_of(w) * 2;
    w->cost.instructions += warps_of(w) * times;
}

/* Whether a load is not one that the device's compiler finds done: it stands there once more. */
static bool is_new(CostWalk *w, const IrValue *load)
{
    enum { LOOKED_AT = 64 }; /* loads before it */
    for (int i = w->seen_count; i-- > 0 && i >= w->seen_count - LOOKED_AT;)
        if (ir_same_value(w->seen[i], load))
            return false;
    array_push(w->unit->arena, w->seen, w->seen_count, w->seen_capacity) = load;
    return true;
}

/* The ns that an atomic takes: on few elements they wait for one another, on one the warp's are
** joined. */
static double queue_of(const CostWalk *w, const IrVar *array)
{
    const double alone = 0.2, least = 0.016, many = 1000;
    double elements = cost_array_bytes(w, array) / (double)type_size(array->type->array.element);
    if (isnan(elements))
        elements = many;
    return elements <= 1 ? least : fmax(least, alone / (1 + elements / many));
}

static void cost_atomic(CostWalk *w, const IrValue *value)
{
    const IrVar *var = ir_array_base(value->operands[0]);
    bool waits = w->waits, far = w->far;
    cost_access(w, value->operands[0], value->operands + 1, 1, false);
    w->waits = waits;
    w->far = far;
    if (var && var->kind == VAR_PARAM)
        w->cost.atomics += warps_of(w) * WARP_LANES * queue_of(w, var);
}

/* A copy is waited for by no thread: it is begun far ahead. */
static void cost_copy(CostWalk *w, const IrValue *copy)
{
    int source = ir_async_source(copy);
    bool waits = w->waits, far = w->far;
    int64_t count = copy->operands[copy->count - 1]->constant.integer;
    cost_access(w, copy->operands[source], copy->operands + source + 1, count, false);
    cost_access(w, copy->operands[0], copy->operands + 1, count, true);
    w->waits = waits;
    w->far = far;
}

/* A box comes once for a block, past its threads. */
static void cost_box(CostWalk *w, const IrValue *load)
{
    const IrHidden *map = ir_hidden_of(w->unit, load->operands[TILE_LOAD_MAP]->var);
    double sectors = w->weight * w->cost.blocks * map->rows * TILE_ROW_BYTES / SECTOR_BYTES;
    w->cost.sectors += sectors;
    w->accessed[map->axis] += sectors * SECTOR_BYTES;
}

/* How long a tensor core takes for a product, beside one of float16. Instructions of single warps
** reach less of what newer ones can do. Those that come once more where sums are not finite are
** left out. */
static double weight_of(const CostWalk *w, TileForm form)
{
    static const double weights[TILE_FORMS] = {
        [TILE_TF32] = 2,       [TILE_TF32X3] = 6,       [TILE_F16] = 1,       [TILE_BF16] = 1,
        [TILE_BF16X9] = 9,     [TILE_I8] = 0.5,         [TILE_F16_GROUP] = 1, [TILE_BF16_GROUP] = 1,
        [TILE_TF32_GROUP] = 2, [TILE_TF32X3_GROUP] = 6,
    };
    bool alone = w->unit->arch >= 90 && !ir_tile_overlaps(form);
    return weights[form] * (alone ? 1.6 : 1);
}

/* A tensor core takes twice as many products of float64 as the units for single ones. What a group
** of warps finds in shared memory itself it reads once. */
static void cost_product(CostWalk *w, const IrValue *product)
{
    const IrVar *sums = product->operands[0]->var;
    TileForm form = (TileForm)product->operands[TILE_PRODUCT_FORM]->constant.integer;
    bool parts = form == TILE_TF32X3_GROUP;
    double rows = (double)sums->shape[0] - parts, cols = (double)sums->shape[1];
    double depth = ir_tile_depth(form), bytes = (double)type_size(ir_tile_type(form));
    double shares = ir_tile_overlaps(form) ? 4 : 1;
    w->cost.instructions += warps_of(w) * rows * cols / shares;
    if (sums->type->array.element == type_float64)
        w->cost.doubles += warps_of(w) * rows * cols * 4 * depth / 2;
    w->cost.products += warps_of(w) * rows * 16 * cols * 8 * depth * weight_of(w, form);
    w->cost.words += warps_of(w) * (rows * 16 + cols * 8 * (1 + parts) / shares) * depth * bytes /
                     (BANKS * BANK_BYTES);
}

static void cost_intrinsic(CostWalk *w, const IrValue *value)
{
    bool load = value->intrinsic == INTR_wide_load;
    if (load || value->intrinsic == INTR_wide_store) {
        const IrVar *here = value->operands[load ? 0 : value->count - 1]->var;
        cost_access(w, value->operands[load], value->operands + 1 + load, here->shape[0], !load);
    } else if (value->intrinsic == INTR_async_copy) {
        cost_copy(w, value);
    } else if (value->intrinsic == INTR_tile_load) {
        cost_box(w, value);
    } else if (value->intrinsic == INTR_tile_product) {
        cost_product(w, value);
    } else if (ir_intrinsics[value->intrinsic].effect & EFFECT_ATOMIC) {
        cost_atomic(w, value);
    }
}

static void cost_value(CostWalk *w, const IrValue *value)
{
    for (int i = 0; i < value->count; i++)
        cost_value(w, value->operands[i]);
    cost_arithmetic(w, value);
    if (value->op == OP_intrinsic)
        cost_intrinsic(w, value);
    if (value->op == OP_load && is_new(w, value))
        cost_access(w, value->operands[0], value->operands + 1, 1, false);
}

/* ---- statements ------------------------------------------------------------------------------ */

static void cost_region(CostWalk *w, const IrRegion *region, double times, double together);

/* Which part of the threads takes a branch's first part. */
static double part_of(const CostWalk *w, const IrStmt *stmt)
{
    if (w->unit->shape.changed && stmt == w->unit->kernel->body.last)
        return 1; /* whole tiles, whole blocks */
    return stmt->if_.otherwise.first ? 0.5 : 1;
}

/* Iterations whose loads are under way together: those that are unrolled, by the device's compiler
** if nothing else is said. */
static double together_of(const IrStmt *loop)
{
    enum { BY_COMPILER = 4 }; /* what NVRTC unrolls loops of unknown length by */
    return !loop->for_.unroll ? BY_COMPILER : loop->for_.unroll;
}

static void cost_stmt(CostWalk *w, IrStmt *stmt)
{
    for_each_value (value, stmt)
        cost_value(w, value);
    if (stmt->kind == IR_SET) {
        w->last = true;
        w->held[stmt->set.var->id] = cost_number(w, stmt->set.value);
        w->last = false;
    }
    if (stmt->kind == IR_STORE) {
        bool waits = w->waits;
        cost_access(w, stmt->store.array, stmt->store.indices, 1, true);
        w->waits = waits; /* no thread waits for a store */
    } else if (stmt->kind == IR_IF) {
        double part = part_of(w, stmt);
        cost_region(w, &stmt->if_.then, part, 1);
        cost_region(w, &stmt->if_.otherwise, 1 - part, 1);
    } else if (stmt->kind == IR_FOR) {
        double times = cost_iterations(w, stmt);
        cost_region(w, &stmt->for_.body, times, fmin(times, together_of(stmt)));
    } else if (stmt->kind == IR_WHILE) {
        cost_region(w, &stmt->while_.body, cost_iterations(w, stmt), 1);
    }
}

/* The loads of a region's statements are under way together. */
static void cost_region(CostWalk *w, const IrRegion *region, double times, double together)
{
    double outer = w->weight;
    bool waits = w->waits, far = w->far, loops = w->loops;
    int seen = w->seen_count;
    if (times <= 0)
        return;
    w->weight *= times;
    w->loops |= times > 1;
    w->waits = w->far = false;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        cost_stmt(w, stmt);
    if (w->waits)
        *(w->far ? &w->cost.steps : &w->cost.cached_steps) += w->weight / together;
    w->seen_count = seen;
    w->weight = outer;
    w->loops = loops;
    w->waits = waits;
    w->far = far;
}

/* ---- the launch ------------------------------------------------------------------------------ */

static double over(double all, double each)
{
    return ceil(all / (each > 0 ? each : 1));
}

/* What a launch counts; `asked` where that is not known. */
static double counted(const CostWalk *w, const ShapeCount *count, double asked)
{
    double more = 0;
    if (count->param >= 0)
        more = cost_launched(w, w->unit->kernel->vars[count->param], count->axis);
    else if (count->axis >= 0)
        more = w->launch->grid[count->axis];
    return isnan(more) ? asked : floor((more + (double)count->plus) / (double)count->over);
}

/* How many blocks of how many threads are launched. */
static void find_shape(CostWalk *w, const Machine *machine)
{
    const IrShape *shape = &w->unit->shape;
    for (int k = 0; k < 3; k++) {
        int axis = launch_axis(shape, k);
        double grid = w->launch->grid[axis], block = w->launch->block[axis], all = grid * block;
        if (shape->raised[axis].any)
            grid = over(all = counted(w, &shape->raised[axis], all), block);
        if (shape->changed && shape->free && k == 0 && shape->iterations.any)
            all = counted(w, &shape->iterations, all);
        if (shape->changed && shape->free) {
            grid = over(all, (double)launch_together(shape, k));
            grid *= k == 0 && shape->share ? shape->share : 1;
            block = shape->block[k];
        } else if (shape->changed) {
            grid = over(grid, shape->merge[k]);
            block = over(block, shape->divide[k]);
        }
        w->grid[k] = (uint32_t)grid;
        w->block[k] = (uint32_t)block;
    }
    double most = machine->multiprocessors * shape->stay;
    if (shape->changed && shape->least > w->grid[0])
        w->grid[0] = shape->least;
    if (shape->changed && shape->stay && w->grid[0] > most)
        w->grid[0] = (uint32_t)most;
    w->cost.blocks = (double)w->grid[0] * w->grid[1] * w->grid[2];
    w->cost.threads = (double)w->block[0] * w->block[1] * w->block[2];
}

static void find_room(CostWalk *w, const Machine *machine)
{
    const IrFunc *fn = w->unit->kernel;
    Cost *c = &w->cost;
    c->registers = REGISTERS_LEAST;
    for (int i = 0; i < fn->var_count; i++) {
        const IrVar *var = fn->vars[i];
        double bytes = var->kind == VAR_SHARED || var->kind == VAR_PRIVATE
                           ? (double)type_size(var->type->array.element)
                           : 0;
        for (int k = 0; bytes > 0 && k < var->type->array.rank; k++)
            bytes *= (double)var->shape[k];
        *(var->kind == VAR_SHARED ? &c->shared : &c->registers) +=
            var->kind == VAR_SHARED ? bytes : bytes / 4;
    }
    c->registers = c->registers > 255 ? 255 : c->registers;
    double warps = over(c->threads, WARP_LANES), by_warps = floor(WARPS_MOST / warps),
           by_registers = floor(REGISTERS / (c->registers * warps * WARP_LANES)),
           by_shared = c->shared > 0 ? floor(machine->shared * 1024 / c->shared) : BLOCKS_MOST;
    c->fit = fmax(1, fmin(fmin(by_warps, by_registers), fmin(by_shared, BLOCKS_MOST)));
    c->waves = c->blocks / (c->fit * machine->multiprocessors);
}

/* Each array comes once at least, and no more of it than is accessed. */
static void find_bytes(CostWalk *w)
{
    const IrFunc *fn = w->unit->kernel;
    for (int i = 0; i < fn->param_count - w->unit->hidden_count; i++) {
        if (fn->vars[i]->type->kind != TY_ARRAY || w->accessed[i] <= 0)
            continue;
        int access = fn->access[i];
        double ways = access & ACCESS_READ && access & ACCESS_WRITE ? 2 : 1;
        double bytes = fmin(cost_array_bytes(w, fn->vars[i]) * ways, w->accessed[i]);
        w->cost.bytes += bytes;
        w->again[i] = w->accessed[i] / bytes;
    }
}

/* Where the numbers of each parameter begin. */
static void find_values(CostWalk *w)
{
    const IrFunc *fn = w->unit->kernel;
    int at = 0;
    for (int i = 0; i < fn->param_count - w->unit->hidden_count; i++) {
        const Type *type = fn->vars[i]->type;
        bool known = at >= 0 && (type->kind == TY_ARRAY || type_is_scalar(type));
        w->first_value[i] = known ? at : -1;
        at = !known ? -1 : at + (type->kind == TY_ARRAY ? ir_given_axes(fn->vars[i]) : 1);
    }
}

static void walk(CostWalk *w)
{
    double blocks = w->cost.blocks, threads = w->cost.threads;
    w->cost = (Cost){ .blocks = blocks, .threads = threads };
    memset(w->accessed, 0, sizeof *w->accessed * (size_t)w->unit->kernel->param_count);
    for (int i = 0; i < w->unit->kernel->var_count; i++)
        w->held[i] = NAN;
    cost_region(w, &w->unit->kernel->body, 1, 1);
    find_bytes(w);
}

Cost cost_of(IrUnit *unit, const Machine *machine, const CostLaunch *launch)
{
    int params = unit->kernel->param_count + 1;
    CostWalk w = { .unit = unit,
                   .launch = launch,
                   .steps = ir_steps(unit),
                   .sets = ir_sets(unit->arena, unit->kernel, &unit->kernel->body),
                   .accessed = arena_array(unit->arena, double, params),
                   .again = arena_array(unit->arena, double, params),
                   .first_value = arena_array(unit->arena, int, params),
                   .held = arena_array(unit->arena, double, unit->kernel->var_count + 1),
                   .weight = 1 };
    find_values(&w);
    find_shape(&w, machine);
    walk(&w);
    walk(&w); /* once more, knowing what comes again */
    find_room(&w, machine);
    cost_find_time(&w.cost, machine);
    return w.cost;
}
