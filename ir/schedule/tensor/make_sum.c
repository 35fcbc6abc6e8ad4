/* A lane's sums: what they begin with, and what becomes of them. */
#include "ir/schedule/tensor/make.h"

/* A loop of so many iterations, `unroll` of which are laid side by side; gives its body. */
static IrRegion *append_loop(const TensorBuild *m, IrVar *var, int64_t count, int unroll,
                             IrRegion *out)
{
    IrStmt *loop = build_for(m->b, var, 0, count, 1, unroll);
    ir_append(out, loop);
    return &loop->for_.body;
}

/* Indices of a lane's sums, counters of three loops. */
typedef struct SumIndex {
    IrVar *m, *n, *e;
} SumIndex;

static int sums_along(const TensorBuild *m, int f)
{
    return m->tile->size[f] / m->tile->warps[f] / (f == FACTOR_ROWS ? SUM_ROWS : SUM_COLUMNS);
}

/* Whether behind its sums a lane has those of the last products alone. */
static bool has_parts(const TensorBuild *m)
{
    return m->tile->form == TILE_TF32X3_GROUP;
}

void new_sums(TensorBuild *m)
{
    const int64_t shape[] = { sums_along(m, FACTOR_ROWS) + has_parts(m),
                              sums_along(m, FACTOR_COLUMNS), SUMS };
    m->sums =
        ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_sums", m->p->sum->name),
                     ir_tile_sums(m->p->form), VAR_PRIVATE, shape, 3, m->b->span);
    if (!ir_tile_works_ahead(m->p->form))
        return;
    const int64_t held[] = { ir_tile_held(shape[0], shape[1]) };
    m->held =
        ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_held", m->p->sum->name),
                     ir_tile_type(m->p->form), VAR_PRIVATE, held, 1, m->b->span);
}

static IrRegion *append_sums_by(const TensorBuild *m, SumIndex *at, int unroll, IrRegion *out)
{
    at->m = build_counter(m->b, "_m");
    at->n = build_counter(m->b, "_n");
    at->e = build_counter(m->b, "_e");
    out = append_loop(m, at->m, sums_along(m, FACTOR_ROWS), unroll, out);
    out = append_loop(m, at->n, sums_along(m, FACTOR_COLUMNS), unroll, out);
    return append_loop(m, at->e, SUMS, unroll, out);
}

static IrRegion *append_each_sum(const TensorBuild *m, SumIndex *at, IrRegion *out)
{
    return append_sums_by(m, at, UNROLL_ALL, out);
}

static void sum_indices(const TensorBuild *m, const SumIndex *at, IrValue *indices[3])
{
    indices[0] = build_var(m->b, at->m);
    indices[1] = build_var(m->b, at->n);
    indices[2] = build_var(m->b, at->e);
}

/* Whether a lane has columns side by side: ir.h. */
static bool is_side_by_side(const TensorBuild *m, int f)
{
    return m->form == TILE_I8 && f == FACTOR_COLUMNS && !m->p->factor[f].deep;
}

/* Of which row of its first ones a lane's sum is, or which column. */
static IrValue *place_of_lane(const TensorBuild *m, int f, const SumIndex *at)
{
    IrValue *lane = build_var(m->b, m->lane), *e = build_var(m->b, at->e);
    if (f == FACTOR_ROWS)
        return build_op(m->b, OP_add, build_op(m->b, OP_floordiv, lane, 4),
                        build_times(m->b, build_op(m->b, OP_floordiv, e, 2), 8));
    IrValue *place = build_op(m->b, OP_add, build_times(m->b, build_op(m->b, OP_mod, lane, 4), 2),
                              build_op(m->b, OP_mod, e, 2));
    return is_side_by_side(m, f) ? build_times(m->b, place, sums_along(m, f)) : place;
}

/* Of which row and which column of the result a sum is; gives the branch for those there are. */
static IrRegion *append_place(TensorBuild *m, const SumIndex *at, IrRegion *out)
{
    IrValue *all = NULL;
    for (int f = 0; f < FACTORS; f++) {
        IrVar *index, *count = f == FACTOR_ROWS ? at->m : at->n;
        int apart = f == FACTOR_ROWS ? SUM_ROWS : is_side_by_side(m, f) ? 1 : SUM_COLUMNS;
        IrValue *base = sum_of(m, m->first[f], build_var(m->b, m->warp[f]));
        IrValue *more = build_times(m->b, count, apart);
        base = build_op(m->b, OP_add, base, place_of_lane(m, f, at));
        index = build_let(m->b, f == FACTOR_ROWS ? "_i" : "_j", build_op(m->b, OP_add, base, more),
                          out);
        put_index(m, f, index, out);
        all = ir_both(m->b->arena, all, below(m, index, m->end[f]));
        if (m->part && m->p->factor[f].axis == m->p->part_axis)
            all = ir_both(m->b->arena, all, is_in_part(m, index));
    }
    if (m->p->slant)
        all = ir_both(m->b->arena, all, put(m, m->p->slant));
    return build_if(m->b, ir_both(m->b->arena, all, axes_have(m)), out);
}

/* A value as one of another type, or as it is. */
static IrValue *as_type(const TensorBuild *m, const Type *type, IrValue *value)
{
    return value->type == type ? value : build_cast(m->b, type, value);
}

static IrValue *no_sum(const TensorBuild *m)
{
    return ir_zero(m->b->arena, ir_tile_sums(m->p->form), m->b->span);
}

/* Sums of no products: -0.0, which changes no sum. */
static void append_parts(TensorBuild *m, IrRegion *out)
{
    SumIndex at;
    IrValue *indices[3];
    IrRegion *body = append_each_sum(m, &at, out);
    sum_indices(m, &at, indices);
    indices[0] = build_plus(m->b, indices[0], 1);
    IrValue *none = ir_number(m->b->arena, ir_tile_sums(m->form), -0.0, m->b->span);
    ir_append(body, ir_store(m->b->arena, build_var(m->b, m->sums), indices, 3, none, m->b->span));
}

/* What is added up in int32 begins with 0, whatever the sum does. */
void append_begin(TensorBuild *m, IrRegion *out)
{
    bool bytes = m->p->form == TILE_I8;
    if (has_parts(m))
        append_parts(m, out);
    bool constant = bytes || ir_is_constant(m->p->begin);
    SumIndex at;
    IrValue *indices[3];
    IrRegion *body = append_each_sum(m, &at, out), *set = body;
    if (!constant) {
        sum_indices(m, &at, indices);
        ir_append(body, ir_store(m->b->arena, build_var(m->b, m->sums), indices, 3, no_sum(m),
                                 m->b->span));
        set = append_place(m, &at, body);
    }
    sum_indices(m, &at, indices);
    IrValue *begin = bytes ? no_sum(m) : as_type(m, ir_tile_sums(m->p->form), put(m, m->p->begin));
    ir_append(set, ir_store(m->b->arena, build_var(m->b, m->sums), indices, 3, begin, m->b->span));
}

/* What the kernel's sum is then. */
static IrValue *whole_sum(const TensorBuild *m, IrValue *sum)
{
    const Product *p = m->p;
    IrValue *own = as_type(m, p->sum->type, sum);
    if (p->form != TILE_I8)
        return own;
    return build_op(m->b, p->less ? OP_sub : OP_add, put(m, p->begin), own);
}

static void append_behind(const TensorBuild *m, IrRegion *out)
{
    IrClone clone = clone_of(m);
    for (const IrStmt *stmt = m->p->around->next; stmt; stmt = stmt->next)
        ir_append(out, ir_clone_stmt(&clone, stmt));
}

static IrValue *sum_at(const TensorBuild *m, const SumIndex *at)
{
    IrValue *indices[3];
    sum_indices(m, at, indices);
    return ir_load(m->b->arena, build_var(m->b, m->sums), indices, 3, m->b->span);
}

/* ---- sums that are not to be had by tiles ---------------------------------------------------- */

/* Whether a sum is infinite or NaN; or, of those that are to be the loop's bit for bit, 0. */
static IrValue *is_odd(const TensorBuild *m, const SumIndex *at)
{
    IrValue *finite =
        ir_intrinsic(m->b->arena, INTR_isfinite, type_bool, m->b->span, sum_at(m, at), NULL, NULL);
    IrValue *odd = ir_unary(m->b->arena, OP_not, finite, m->b->span);
    if (m->form != TILE_F64)
        return odd;
    IrValue *zero = build_op(m->b, OP_eq, sum_at(m, at), no_sum(m));
    return ir_binary(m->b->arena, OP_or_else, odd, zero, m->b->span);
}

IrVar *append_odd(TensorBuild *m, IrRegion *out)
{
    SumIndex at;
    IrVar *odd = build_temporary(m->b, "_odd", type_int32);
    build_set(m->b, odd, build_integer(m->b, type_int32, 0), out);
    IrRegion *body = append_each_sum(m, &at, out);
    build_set(m->b, odd, build_integer(m->b, type_int32, 1), build_if(m->b, is_odd(m, &at), body));
    return odd;
}

/* The loops as they were, for the sum of one row and one column. */
static void append_plain(TensorBuild *m, IrRegion *out)
{
    const Product *p = m->p;
    for (int i = 0; i < p->nested; i++) {
        const IrStmt *loop = p->nest[i];
        m->counter[i] = build_counter(m->b, loop->for_.var->name);
        IrStmt *own =
            build_for(m->b, m->counter[i], put(m, loop->for_.start), put(m, loop->for_.stop), 1, 1);
        ir_append(out, own);
        out = &own->for_.body;
    }
    IrClone clone = clone_of(m);
    ir_append(build_if(m->b, hold(m, &p->guards, NULL), out), ir_clone_stmt(&clone, p->adds));
}

/* All of a lane's sums by these loops, where some are odd; gives the region for where none is. */
static IrRegion *append_plain_sums(TensorBuild *m, IrRegion *out)
{
    SumIndex at;
    IrValue *odd = build_op(m->b, OP_ne, append_odd(m, out), build_integer(m->b, type_int32, 0));
    IrStmt *branch = ir_if(m->b->arena, odd, m->b->span);
    ir_append(out, branch);
    IrRegion *body = append_place(m, &at, append_sums_by(m, &at, 1, &branch->if_.then));
    build_set(m->b, m->p->sum, put(m, m->p->begin), body);
    append_plain(m, body);
    append_behind(m, body);
    return &branch->if_.otherwise;
}

void append_end(TensorBuild *m, IrRegion *out)
{
    SumIndex at;
    if (m->p->guards.count && m->p->form != TILE_I8)
        out = append_plain_sums(m, out);
    IrRegion *body = append_place(m, &at, append_each_sum(m, &at, out));
    build_set(m->b, m->p->sum, whole_sum(m, sum_at(m, &at)), body);
    append_behind(m, body);
}
