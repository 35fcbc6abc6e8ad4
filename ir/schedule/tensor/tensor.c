/* Products of matrices go to tensor cores.
**
**     i, j = grid(0), grid(1)                     rows, columns = how many there are of either
**     if i < n and j < m                          a block has 128 x 64 of the sums, a warp 64 x 32:
**         total = begin                               for each of a lane's sums
**         for k in 0 to depth by 1                        sums[..] = begin
**             total = total + a[i, k] * b[k, j]       for step in 0 to depth by 16
**         store c[i, j] = f(total)                        eval async_wait(n), syncthreads()
**                                                         eval async_copy(a_near, .., a, ..), ..
** becomes                                                 of the next step
**                                                         eval tile_product(sums, a_near, b_near)
**                                                     for each of a lane's sums whose row and
**                                                     column there are
**                                                         total = sums[..]
**                                                         store c[i, j] = f(total)
**
** a[i, k] and b[k, j] stand for any value made of what no thread writes, and of one of the two
** indices; of the third axis of the grid, too, which blocks have one index of.
**
** Legal if
** - threads are on their own (coarsen/independent.c): who computes which sum shows nowhere;
** - the loop does nothing but to add products to one sum, counts by ones, and all threads of a
**   block make the same iterations of it;
** - the left factor varies along one axis of the two, the right one along the other, and both are
**   made of arrays that nothing writes and that overlap no other argument: so whoever reads them,
**   and when, they are what the thread would have read. Rows and columns beyond the last stand for
**   the last: nothing is read that no thread reads, and their sums are not used;
** - conditions around all are bounds of the indices, or hold for all threads of a block or none:
**   then each row that there is has its sum with each column;
** - what stands in front of the loop can be had again, and no loop follows.
** A tensor core adds products to a float64 one after the other, in the order of k, each by fma: as
** threads do where product and sum may be joined. That was measured of m16n8k16 on sm_90, and holds
** with infinities, NaN, numbers near 0 and zeros of either sign; of other GPUs it is not known, and
** they are left alone. Where the loop ends within 16 iterations, products of -0.0 and 0.0 fill them
** up: x + -0.0 is x, whatever x is.
**
** Pays if there are rows and columns enough for tiles, and the loop is not known to be short. */
#include "ir/schedule/schedule.h"
#include "ir/schedule/tensor/tensor.h"

enum { ARCH = 90, LEAST_DEPTH = 8, MOST_SUMS = 128 * 64, STAGES = 2, STAGES_WIDE = 3 };

/* Blocks for many sums, and for few. */
static const TensorTile large = { .size = { 128, 64 }, .warps = { 2, 2 }, .blocks = 2 };
static const TensorTile small = { .size = { 64, 64 }, .warps = { 2, 2 }, .blocks = 4 };

/* Whether a GPU's tensor cores compute what the loop does. The processor does it in their stead. */
static bool has_tensor_cores(const IrUnit *unit)
{
    return unit->processor || unit->arch == ARCH;
}

/* What pays for the launch, and whether anything does. */
static TensorTile best_tile(const Product *p, bool *pays)
{
    static const unsigned bits[] = { GRID_X, GRID_Y, GRID_Z };
    IrLaunch *launch = p->unit->launch;
    int64_t trips = ir_trip_count(p->loop);
    *pays = trips < 0 || trips >= LEAST_DEPTH;
    for (int f = 0; f < FACTORS; f++)
        *pays = *pays && launch_large_grid(launch, bits[p->factor[f].axis]);
    return *pays && launch_large_grid(launch, GRID_BROAD) ? large : small;
}

/* Whether blocks can have tiles of that size. */
static bool is_tile(const Directive *given)
{
    const int64_t *size = given->numbers;
    for (int f = 0; f < FACTORS; f++)
        if (size[f] != 32 && size[f] != 64 && size[f] != 128)
            return false;
    return size[FACTOR_ROWS] * size[FACTOR_COLUMNS] <= MOST_SUMS && !size[FACTORS];
}

/* The directive that is to be carried out, and its tile; NULL: none. */
static Directive *take(const Product *p, TensorTile *tile)
{
    bool pays;
    *tile = best_tile(p, &pays);
    Directive own = { DO_TENSOR, .loop = schedule_loop(p->loop), .site = p->loop,
                      .span = p->loop->span,
                      .numbers = { tile->size[FACTOR_ROWS], tile->size[FACTOR_COLUMNS] } };
    Directive *directive = schedule_take(p->unit, own, pays);
    if (directive && !is_tile(directive)) {
        schedule_refuse(p->unit, own, p->loop->span,
                        "blocks have 32, 64 or 128 rows and columns, not more than 128x64");
        return NULL;
    }
    for (int f = 0; f < FACTORS && directive; f++)
        tile->size[f] = (int)directive->numbers[f];
    return directive;
}

static void say(const Product *p, const TensorTile *tile)
{
    ir_remark(
        p->unit, p->loop->span,
        "tensor cores multiply: blocks of %d x %d sums along %c and %c of the grid, by "
        "mma.m16n8k16 of float64; each sum is that of fma in the order of the loop, bit for bit",
        tile->size[FACTOR_ROWS], tile->size[FACTOR_COLUMNS], "xyz"[p->factor[FACTOR_ROWS].axis],
        "xyz"[p->factor[FACTOR_COLUMNS].axis]);
}

static bool find(IrUnit *unit, Product *p)
{
    *p = (Product){ .unit = unit, .guarded = guard_find(unit->arena, unit->kernel) };
    p->affine = ir_affine(unit, p->guarded.within);
    return product_find(p);
}

/* Puts it in the kernel's place; false if it is none, or is best left alone. */
static bool try_product(IrUnit *unit)
{
    IrVar *threads[3];
    Product p;
    bool found = find(unit, &p);
    TensorTile tile;
    if (!found && p.why) {
        schedule_refuse_all(unit, DO_TENSOR, p.span, p.why);
        ir_remark(unit, p.span, "tensor cores could multiply here, but %s", p.why);
    }
    Directive *directive = found ? take(&p, &tile) : NULL;
    if (!directive)
        return false;
    for (int axis = 0; axis < 3; axis++) /* which makes variables new numbers */
        threads[axis] = ir_hidden(unit, HIDDEN_THREADS, axis);
    find(unit, &p);
    bool wide = p.factor[FACTOR_ROWS].wide && p.factor[FACTOR_COLUMNS].wide;
    tile.stages = wide ? STAGES_WIDE : STAGES;
    product_make(&p, &tile, threads);
    schedule_done(directive);
    say(&p, &tile);
    return true;
}

void ir_tensor(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Span span;
    if (!has_tensor_cores(unit))
        schedule_refuse_all(unit, DO_TENSOR, fn->span,
                            "this GPU's tensor cores are not known to add up as the loop does");
    if (!has_tensor_cores(unit) || unit->shape.changed || !fn->body.first ||
        ir_is_bound(&fn->options))
        return;
    ir_effects(unit);
    if (ir_shows_order(fn))
        return;
    IrLaunch before = *unit->launch;
    ir_grid_indices(unit);
    ir_range(unit);
    const char *why = ir_dependent(unit, &span);
    if (why)
        schedule_refuse_all(unit, DO_TENSOR, span, why);
    if (why || !try_product(unit))
        unit->launch->asked = before.asked; /* the code depends on none of that */
}
