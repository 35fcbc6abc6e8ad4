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
** indices; of the third axis of the grid, too, which blocks have one index of. Loops in one another
** are one, in which k counts (make_loops.c): a convolution is a product of w[f, k] and of
** x[c, i + h, j + l], where k says which c, h and l.
**
** Both factors may vary along an axis z, if one of them does so by floordiv(z, m) alone: as where
** an axis of the grid stands for pictures and filters. Blocks do one such part after the other, of
** those that they have indices of: sums of other parts are not used.
**
** Where one factor varies along two axes that the other does not, and its elements are loaded by
** their places in memory (make_gather.c), the indices of both are counted as one: rows of a picture
** are no tiles' borders then.
**
** Threads may do several sums, in loops, or have their index in one axis: the kernel gets the axes
** that it lacks (unfold.c), and blocks share the tiles of these out among them.
**
** Legal if
** - threads are independent (coarsen/independent.c): it is unobservable which computes which sum;
** - the loop does nothing but to add products to one sum, under conditions perhaps (guards.c),
**   counts by ones, and all threads of a
**   block, or of a part of it, make the same iterations of it, whichever iteration of a loop around
**   it, in which is nothing else, that is;
** - the left factor varies along one axis of the two, the right one along the other, and both are
**   made of arrays that nothing writes and that overlap no other argument: so whichever thread
**   reads them, and when, they are what the thread would have read. Rows and columns beyond the
**   last stand for the last: nothing is read that no thread reads, and their sums are not used;
** - conditions around all are bounds of the indices, or hold for all threads of a block or none:
**   then each row that there is has its sum with each column;
** - what stands in front of the loop can be had again, that too which only those read who make an
**   iteration (unroll/registers.c), and no loop follows.
** By name, IrOptions.matmul, sums of float32 and of 16 bits go there, too, which round in their own
** way then: that is asked for, and where the loop does not allow it, an error. Sums of products of
** bytes are exact where an int32 holds them: the loop has few iterations, or the sum wraps as that
** does.
**
** A tensor core adds products to a float64 one after the other, in the order of k, each by fma: as
** threads do where product and sum may be joined. That was measured of m16n8k16 on sm_90, and holds
** with infinities, NaN, numbers near 0 and zeros of either sign; of other GPUs it is not known, and
** they are left alone. Where the loop ends within 16 iterations, products of -0.0 and 0.0 fill them
** up: x + -0.0 is x, whatever x is.
**
** Pays if there are rows and columns enough for tiles, and the loop is not known to be short. */
#include "ir/schedule/schedule.h"
#include "ir/schedule/tensor/tensor.h"

enum {
    ARCH = 80,                 /* GPUs with mma of these forms, from here on, */
    ARCH_F64 = 90,             /* with one of float64 that is known to be fma in order, */
    ARCH_GROUPS = 90,          /* and with wgmma */
    LEAST_DEPTH = 8,           /* iterations of a product's loop */
    MOST_SUMS_WIDE = 128 * 64, /* of a block, of float64, which take two registers each */
    STAGES_LITTLE = 3          /* tiles on their way where shared memory is scarce */
};

/* How the products of a form are shared out where there are many sums, and where there are few;
** which instruction multiplies, and what is known of a sum of n products: how far it may be from
** the true one, in terms of the sum of their magnitudes. */
typedef struct TileSize {
    int size[FACTORS], blocks, stages; /* as TensorTile has them */
} TileSize;

typedef struct FormInfo {
    TileSize large, small;
    const char *instruction, *bound;
} FormInfo;

static const FormInfo infos[TILE_FORMS] = {
    [TILE_F64] = { { { 128, 64 }, 2, 3 },
                   { { 64, 64 }, 4, 3 },
                   "mma.m16n8k8 of float64",
                   "each sum is that of fma in the order of the loop, bit for bit" },
    [TILE_TF32] = { { { 256, 128 }, 1, 4 },
                    { { 64, 64 }, 4, 4 },
                    "mma.m16n8k8 of tf32",
                    "a sum of n products is off by at most 2^-10 + n * 2^-23 of what they are in "
                    "magnitude, all together" },
    [TILE_TF32X3] = { { { 256, 128 }, 1, 4 },
                      { { 64, 64 }, 4, 4 },
                      "three mma.m16n8k8 of tf32",
                      "a sum of n products is off by at most 2^-20 + n * 2^-27 of what they are in "
                      "magnitude, all together" },
    [TILE_F16] = { { { 256, 128 }, 1, 4 },
                   { { 64, 64 }, 4, 4 },
                   "mma.m16n8k16 of float16, sums of float32",
                   "a sum of n products is off by at most n * 2^-23 of what they are in magnitude, "
                   "all together" },
    [TILE_BF16] = { { { 256, 128 }, 1, 4 },
                    { { 64, 64 }, 4, 4 },
                    "mma.m16n8k16 of bfloat16, sums of float32",
                    "a sum of n products is off by at most n * 2^-23 of what they are in "
                    "magnitude, all together" },
    [TILE_BF16X9] = { { { 128, 64 }, 2, 4 },
                      { { 64, 64 }, 4, 4 },
                      "nine mma.m16n8k16 of bfloat16",
                      "a sum of n products is off by at most 2^-20 + n * 2^-28 of what they are in "
                      "magnitude, all together" },
    [TILE_I8] = { { { 256, 128 }, 1, 4 },
                  { { 64, 64 }, 4, 4 },
                  "mma.m16n8k32 of bytes",
                  "each sum is exact" },
    [TILE_TF32_GROUP] = { { { 128, 256 }, 1, 4 },
                          { { 64, 64 }, 3, 4 },
                          "wgmma of tf32",
                          "a sum of n products is off by at most 3 * 2^-11 + n * 2^-23 of what "
                          "they are in magnitude, all together" },
    [TILE_TF32X3_GROUP] = { { { 128, 128 }, 1, 4 },
                            { { 64, 64 }, 2, 4 },
                            "three wgmma of tf32",
                            "a sum of n products is off by at most 2^-19 + n * 2^-28 of what they "
                            "are in magnitude, all together" },
    [TILE_F16_GROUP] = { { { 128, 256 }, 1, 4 },
                         { { 64, 64 }, 3, 4 },
                         "wgmma of float16, sums of float32",
                         "a sum of n products is off by at most n * 2^-23 of what they are in "
                         "magnitude, all together" },
    [TILE_BF16_GROUP] = { { { 128, 256 }, 1, 4 },
                          { { 64, 64 }, 3, 4 },
                          "wgmma of bfloat16, sums of float32",
                          "a sum of n products is off by at most n * 2^-23 of what they are in "
                          "magnitude, all together" },
};

/* Whether four warps multiply together by one instruction, which computes the same. */
static bool has_groups(const Product *p)
{
    const Factor *factor = p->factor;
    bool half = p->form == TILE_F16 || p->form == TILE_BF16;
    bool tf32 = p->form == TILE_TF32 || p->form == TILE_TF32X3;
    return (p->unit->processor || p->unit->arch == ARCH_GROUPS) &&
           (half || (tf32 && (factor[FACTOR_ROWS].deep || factor[FACTOR_COLUMNS].deep)));
}

/* Whether a GPU's tensor cores compute what the loop does. The processor does it in their stead. */
static bool has_tensor_cores(const IrUnit *unit, TileForm form)
{
    return unit->processor || (form == TILE_F64 ? unit->arch == ARCH_F64 : unit->arch >= ARCH);
}

/* The form that multiplies likewise by groups of warps. */
static TileForm grouped(TileForm form)
{
    static const TileForm forms[TILE_FORMS] = {
        [TILE_F16] = TILE_F16_GROUP,
        [TILE_BF16] = TILE_BF16_GROUP,
        [TILE_TF32] = TILE_TF32_GROUP,
        [TILE_TF32X3] = TILE_TF32X3_GROUP,
    };
    return forms[form];
}

/* Whether more rows of the result make the columns' factor cheaper, which is split once for all of
** them, and there are as many as two axes have. */
static bool is_tall(const Product *p)
{
    return p->form == TILE_TF32X3 && has_groups(p) && p->joined >= 0 &&
           p->joined_to == p->factor[FACTOR_ROWS].axis;
}

/* Tiles as large as leave a block for each multiprocessor, so far as it is known how many sums
** there are: of a triangle half as many. */
static const TileSize *best_size(const Product *p, const FormInfo *info)
{
    static const TileSize tiny = { { 32, 32 }, 4, 4 }, tall = { { 128, 64 }, 1, 4 };
    IrLaunch *launch = p->unit->launch;
    bool loops = p->axes.made && (!p->axes.levels || p->axes.flat),
         broad = loops || launch_large_grid(launch, GRID_BROAD),
         plenty = loops || launch_large_grid(launch, GRID_COARSENS_64);
    int64_t sums = info->large.size[FACTOR_ROWS] * info->large.size[FACTOR_COLUMNS];
    if (broad && sums <= MOST_SUMS_WIDE && (plenty || !p->slant))
        return &info->large;
    if (plenty)
        return broad ? &info->large : is_tall(p) ? &tall : &info->small;
    return broad ? &info->small : &tiny;
}

/* Whether there are many indices along an axis that the kernel's text does not have. */
static bool is_long(const Product *p, int axis)
{
    IrLaunch *launch = p->unit->launch;
    const IrValue *count = p->axes.count[axis];
    if (!count)
        return p->axes.flat || (p->axes.levels ? launch_large_grid(launch, GRID_COARSENS_4)
                                               : launch_along_64(launch, axis));
    if (count->op == OP_extent)
        return is_long_axis(launch, count);
    if (count->op == OP_var)
        return launch_axes_from_128(launch, count->var->param);
    return !ir_is_constant(count) || count->constant.integer >= GRID_ALONG;
}

/* What pays for the launch, and whether anything does: what was asked for by name always. */
static TensorTile best_tile(const Product *p, bool *pays)
{
    const FormInfo *info = &infos[has_groups(p) ? grouped(p->form) : p->form];
    IrLaunch *launch = p->unit->launch;
    int64_t trips = product_trips(p);
    bool all_long = true;
    for (int f = 0; f < FACTORS; f++) {
        bool joined = p->joined >= 0 && p->factor[f].axis == p->joined_to;
        if (p->axes.made)
            all_long = all_long && is_long(p, p->factor[f].axis);
        else
            all_long = all_long && (launch_along_64(launch, p->factor[f].axis) ||
                                    (joined && launch_along_64(launch, p->joined)));
    }
    *pays = p->unit->kernel->options.matmul || (all_long && (trips < 0 || trips >= LEAST_DEPTH));
    const TileSize *best = *pays ? best_size(p, info) : &info->small;
    return (TensorTile){ .size = { best->size[FACTOR_ROWS], best->size[FACTOR_COLUMNS] },
                         .blocks = best->blocks,
                         .stages = best->stages };
}

/* Whether blocks can have tiles of that size. */
static bool is_tile(const Product *p, const Directive *given)
{
    const int64_t *size = given->numbers, rows = size[FACTOR_ROWS], columns = size[FACTOR_COLUMNS];
    if (size[FACTORS])
        return false;
    if (p->form != TILE_F64 && rows == 256 && columns == 128)
        return true;
    if (has_groups(p) && columns == 256 && (rows == 64 || rows == 128) && p->form != TILE_TF32X3)
        return true;
    for (int f = 0; f < FACTORS; f++)
        if (size[f] != 32 && size[f] != 64 && size[f] != 128)
            return false;
    return p->form != TILE_F64 || rows * columns <= MOST_SUMS_WIDE;
}

/* Whether a block has less than 100 KB of shared memory: three steps of the largest tiles. */
static bool has_little_shared(const IrUnit *unit)
{
    return unit->arch == 86 || unit->arch == 89 || unit->arch >= 120;
}

/* Which warps have which of the sums. */
static void share_out(const Product *p, TensorTile *tile)
{
    const int *size = tile->size;
    bool small = size[FACTOR_ROWS] < TILE_GROUP_ROWS || size[FACTOR_COLUMNS] < TILE_GROUP_ROWS;
    tile->form = has_groups(p) && !small ? grouped(p->form) : p->form;
    for (int f = 0; f < FACTORS; f++)
        tile->warps[f] = size[f] > 128 ? 4 : 2;
    if (ir_tile_grouped(tile->form)) {
        tile->warps[FACTOR_ROWS] = size[FACTOR_ROWS] / SUM_ROWS;
        tile->warps[FACTOR_COLUMNS] = 1;
    }
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
    if (directive && !is_tile(p, directive)) {
        schedule_refuse(p->unit, own, p->loop->span,
                        p->form == TILE_F64
                            ? "blocks have 32, 64 or 128 rows and columns, not more than 128x64"
                            : "blocks have 32, 64 or 128 rows and columns, or 256x128, or "
                              "with groups of warps 64x256 or 128x256");
        return NULL;
    }
    for (int f = 0; f < FACTORS && directive; f++)
        tile->size[f] = (int)directive->numbers[f];
    share_out(p, tile);
    bool rests = tile->form == TILE_TF32X3_GROUP && tile->size[FACTOR_ROWS] > 128;
    if ((rests || has_little_shared(p->unit)) && tile->stages > STAGES_LITTLE)
        tile->stages = STAGES_LITTLE;
    return directive;
}

/* What rounding the factors of a form brings with it, beside the bound. */
static const char *rounding_of(const Product *p)
{
    bool rounds = false;
    for (int f = 0; f < FACTORS; f++)
        rounds |= p->factor[f].value->op == OP_cast;
    if (!rounds || (p->form != TILE_F16 && p->form != TILE_BF16))
        return "";
    return p->form == TILE_F16
               ? "; factors are rounded to float16 before, 2^-10 more, and must be within its range"
               : "; factors are rounded to bfloat16 before, 2^-7 more";
}

/* The axes along which a factor's indices go. */
static const char *axes_of(const Product *p, int f)
{
    int axis = p->factor[f].axis;
    if (p->joined >= 0 && axis == p->joined_to)
        return arena_printf(p->unit->arena, "%c with %c", "xyz"[axis], "xyz"[p->joined]);
    return arena_printf(p->unit->arena, "%c", "xyz"[axis]);
}

/* How a factor's elements come to shared memory. */
static const char *loads_of(const Product *p, const TensorTile *tile, int f)
{
    const Factor *factor = &p->factor[f];
    Arena *arena = p->unit->arena;
    if (!factor->load)
        return arena_printf(arena, "what varies along %s is computed for each", axes_of(p, f));
    return arena_printf(arena, "%s comes %s%s", factor->load->operands[0]->var->name,
                        tile->map[f]     ? "as boxes that one thread asks for (TMA)"
                        : factor->wide   ? "16 bytes at once"
                        : factor->placed ? "by places in memory that are computed once for a step"
                                         : "one by one",
                        factor->unaligned
                            ? ", since its rows are not known to begin at multiples of 16 bytes"
                            : "");
}

static void say(const Product *p, const TensorTile *tile)
{
    const FormInfo *info = &infos[tile->form];
    ir_remark(p->unit, p->loop->span,
              "tensor cores multiply: blocks of %d x %d sums along %s and %s of the grid, by %s; "
              "%s%s",
              tile->size[FACTOR_ROWS], tile->size[FACTOR_COLUMNS], axes_of(p, FACTOR_ROWS),
              axes_of(p, FACTOR_COLUMNS), info->instruction, info->bound, rounding_of(p));
    ir_remark(p->unit, p->loop->span, "what tensor cores multiply: %s; %s",
              loads_of(p, tile, FACTOR_ROWS), loads_of(p, tile, FACTOR_COLUMNS));
    if (p->form == TILE_BF16X9)
        ir_remark(p->unit, p->loop->span,
                  "bf16x9 multiplies nine times where tf32x3 does three times, with a bound like "
                  "its own: it may take longer than the plain loop");
    if (p->rounded)
        ir_remark(p->unit, p->adds->span,
                  "it rounds to 16 bits here what tensor cores keep: they add up in float32, and "
                  "what is less wide is rounded once, behind the loop");
}

/* A group of warps finds the columns of numbers of 32 bits in memory as they lie along k. */
static void turn(Product *p)
{
    Factor rows = p->factor[FACTOR_ROWS], columns = p->factor[FACTOR_COLUMNS];
    if (has_groups(p) && (p->form == TILE_TF32 || p->form == TILE_TF32X3) && !columns.deep) {
        p->factor[FACTOR_ROWS] = columns;
        p->factor[FACTOR_COLUMNS] = rows;
    }
}

static bool find(IrUnit *unit, Product *p)
{
    *p = (Product){ .unit = unit,
                    .axes = p->axes,
                    .guarded = guard_find(unit->arena, unit->kernel),
                    .joined = -1 };
    p->affine = product_affine(p, &(Steady){ 0 });
    bool found = product_find(p);
    if (found)
        turn(p);
    return found;
}

/* What was asked for by name and cannot be done is an error, unless it was asked for all kernels
** and nothing says that this one multiplies. */
static void refuse(IrUnit *unit, Span loop, Span by, bool multiplies, const char *why)
{
    const IrOptions *options = &unit->kernel->options;
    schedule_refuse_all(unit, DO_TENSOR, by, why);
    if (!options->matmul)
        return;
    if (options->matmul_all && !multiplies) {
        ir_remark(unit, by, "matmul changes nothing here: %s", why);
        return;
    }
    unit->unmet = why;
    unit->unmet_at = loop;
    unit->unmet_by = by;
}

/* Whether the form that was named, if any was, is the one that the loop allows; what is exact may
** stay so where it was named for all kernels. */
static bool is_named(const Product *p)
{
    const IrOptions *options = &p->unit->kernel->options;
    return !options->matmul || options->matmul == (int)p->form || options->matmul_all;
}

/* Looks for a product in the kernel with other axes; leaves it as it was if there is none. */
static bool find_unfolded(IrUnit *unit, Product *p)
{
    for (int way = 0; way < AXES_WAYS; way++) {
        Product other = { 0 };
        if (!axes_unfold(unit, &other.axes, way))
            continue;
        if (find(unit, &other)) {
            *p = other;
            return true;
        }
        axes_fold(unit, &other.axes);
    }
    return false;
}

static const char unlike[] = "this GPU's tensor cores are not known to add up as the loop does";

/* Looks for a product; false if there is none that may be made. */
static bool find_allowed(IrUnit *unit, Product *p)
{
    bool found = find(unit, p) || find_unfolded(unit, p);
    Span loop = p->loop ? p->loop->span : unit->kernel->span;
    if (found && is_named(p)) {
        if (!has_tensor_cores(unit, p->form))
            schedule_refuse_all(unit, DO_TENSOR, loop, unlike);
        return has_tensor_cores(unit, p->form);
    }
    if (found)
        refuse(unit, loop, loop, true, "its sums are neither float32 nor of 16 bits");
    else if (p->why)
        refuse(unit, loop, p->span, p->adds, p->why);
    else if (unit->kernel->options.matmul)
        refuse(unit, loop, loop, p->adds,
               "it is for a loop that adds up products of a value of one axis of the grid and a "
               "value of another, in float32 or in 16 bits");
    else if (p->unnamed)
        schedule_refuse_all(unit, DO_TENSOR, loop,
                            "float32 and 16 bits go to tensor cores by name, as matmul=\"tf32x3\"");
    if (!found && p->why && has_tensor_cores(unit, p->form))
        ir_remark(unit, p->span, "tensor cores could multiply here, but %s", p->why);
    return false;
}

/* Puts it in the kernel's place; false if it is none, or is best left alone. */
static bool try_product(IrUnit *unit)
{
    IrVar *threads[3];
    Product p = { 0 };
    TensorTile tile;
    bool found = find_allowed(unit, &p);
    if (found && unit->kernel->options.matmul == MATMUL_FLOAT64) {
        product_widen(&p);
        return true;
    }
    Directive *directive = found ? take(&p, &tile) : NULL;
    if (found && !directive && !schedule_has(unit, DO_TENSOR))
        refuse(unit, p.loop->span, p.loop->span, true, "the schedule given has no 'bind tensor'");
    if (!directive) {
        if (p.axes.made)
            axes_fold(unit, &p.axes);
        return false;
    }
    for (int axis = 0; axis < 3; axis++) /* which makes variables new numbers */
        threads[axis] = ir_hidden(unit, HIDDEN_THREADS, axis);
    boxes_find(&p, &tile);
    find(unit, &p);
    product_make(&p, &tile, threads);
    schedule_done(directive);
    say(&p, &tile);
    return true;
}

/* What of the whole kernel keeps its products from tensor cores; NULL: nothing. Its indices are
** written anew whatever comes of it: `before` is what was asked until then. */
static const char *kept_from(IrUnit *unit, IrFacts *before, Span *span)
{
    IrFunc *fn = unit->kernel;
    *before = unit->launch->asked;
    *span = fn->span;
    if (unit->shape.changed || !fn->body.first)
        return "nothing is left to do for it";
    if (ir_is_bound(&fn->options))
        return "the kernel says what blocks or registers it is to have";
    ir_effects(unit);
    if (ir_shows_order(fn))
        return "its threads wait for one another";
    ir_grid_indices(unit);
    *before = unit->launch->asked;
    ir_range(unit);
    return ir_dependent(unit, span);
}

void ir_tensor(IrUnit *unit)
{
    Span span;
    if (!has_tensor_cores(unit, TILE_F16)) {
        schedule_refuse_all(unit, DO_TENSOR, unit->kernel->span, unlike);
        if (unit->kernel->options.matmul)
            ir_remark(unit, unit->kernel->span,
                      "this GPU's tensor cores are none that products go to: matmul changes "
                      "nothing");
        return;
    }
    IrFacts before;
    const char *why = kept_from(unit, &before, &span);
    if (why)
        refuse(unit, unit->kernel->span, span, false, why);
    if (why || !try_product(unit))
        unit->launch->asked = before; /* the code depends on nothing else */
}
