/* Threads of one axis that take their index apart, and go along memory with one part of it in one
** array and with another part in another, do so in tiles of both parts, by way of shared memory:
**
**     i = grid(0)                          for tile in block_idx(0) to tiles by grid_dim(0)
**     if i < n * m                             for 4 of the tile's threads, those of a warp side by
**         x = i % m                            side in a:    near[y, x] = a[i]
**         y = i / m                  =>        barrier
**         b[x * n + y] = a[i]                  for 4 of them, those of a warp side by side in b:
**                                                  b[x * n + y] = near[y, x]
**                                              barrier
**
** Legal where it is unobservable which thread does what (independent.c), and where a thread's index
** says all of what it comes to: it reads no array that the kernel writes, which overlaps no other
** argument. So two can do one thread's work: what the one loads or computes the other stores, under
** the same conditions. The store that goes across is its array's only access; a load that does
** is no part of what is evaluated only sometimes.
**
** Tiles hold every index, whatever the parts are: what a part counts is not asked to be right.
** Where parts are too short for tiles, the kernel is as it was, but for threads that stand for
** several.
**
** Pays if the index of one access has, along the axis in which memory lies, the quotient of the
** thread's index by a number, and perhaps the remainder of that, and elsewhere what threads of the
** same quotient differ in, while another access goes by one with the thread's index or a remainder
** of it. */
#include "ir/schedule/stage/transpose.h"

#include "ir/analysis/accesses.h"

/* ---- parts of the index ---------------------------------------------------------------------- */

typedef struct TransposeParts {
    const Transpose *t;
    int low, high; /* how many terms are the index or a remainder of it; a quotient */
    IrValue *line, *lines;
} TransposeParts;

IrValue *transpose_argument(const Transpose *t, const IrValue *value)
{
    return guard_in_arguments(t->unit->arena, &t->affine, value);
}

IrValue *transpose_divisors(const Transpose *t, const IrValue *value, bool *self)
{
    Arena *arena = t->unit->arena;
    value = sets_behind_casts(&t->affine.sets, value);
    *self = ir_is_intrinsic(value, INTR_grid);
    if (value->op != OP_floordiv || value->type != type_int64)
        return NULL;
    IrValue *by = transpose_argument(t, value->operands[1]);
    IrValue *before = transpose_divisors(t, value->operands[0], self);
    bool first = *self;
    *self = false;
    if (!by || (!before && !first))
        return NULL;
    return before ? ir_binary(arena, OP_mul, before, by, value->span) : by;
}

/* Notes a term of a sum that is a part of the index. */
static void note_part(TransposeParts *p, const IrValue *value)
{
    bool self, rest = value->op == OP_mod;
    IrValue *lines = rest ? transpose_argument(p->t, value->operands[1]) : NULL;
    IrValue *line =
        rest && !lines ? NULL : transpose_divisors(p->t, rest ? value->operands[0] : value, &self);
    if (rest && !lines)
        return;
    p->low += self;
    if (!line)
        return;
    p->high++;
    p->line = line;
    p->lines = lines;
}

static void note_terms(TransposeParts *p, const IrValue *value)
{
    value = sets_behind_casts(&p->t->affine.sets, value);
    if (value->op != OP_add && value->op != OP_sub) {
        note_part(p, value);
        return;
    }
    note_terms(p, value->operands[0]);
    note_terms(p, value->operands[1]);
}

/* Of the index along the axis in which an array's memory lies. */
static TransposeParts parts_of(const Transpose *t, const IrValue *array, IrValue *const *indices)
{
    TransposeParts p = { .t = t };
    int dense = ir_array_param(array) < 0 ? -1 : dense_axis(array->type);
    if (dense >= 0)
        note_terms(&p, indices[dense]);
    return p;
}

/* Whether a value differs between threads that have the same quotients. */
static bool varies_within(const Transpose *t, const IrValue *value)
{
    value = sets_behind_casts(&t->affine.sets, value);
    if (value->op == OP_floordiv)
        return false;
    bool varies = ir_is_intrinsic(value, INTR_grid);
    for (int i = 0; i < value->count && !varies; i++)
        varies = varies_within(t, value->operands[i]);
    return varies;
}

static bool any_varies_within(const Transpose *t, IrValue *const *indices, int count)
{
    for (int i = 0; i < count; i++)
        if (varies_within(t, indices[i]))
            return true;
    return false;
}

/* ---- the access ------------------------------------------------------------------------------ */

typedef struct TransposeSearch {
    Transpose *t;
    IrStmt *stmt;
    bool sometimes, along;
} TransposeSearch;

/* Notes the first access that goes across, and that there is one that goes along. */
static void note_access(TransposeSearch *s, const IrValue *array, IrValue *const *indices,
                        int count, IrValue *load)
{
    Transpose *t = s->t;
    for (int i = 0; i < count; i++)
        if (!sets_is_short(&t->affine.sets, indices[i]))
            return;
    const TransposeParts parts = parts_of(t, array, indices);
    s->along |= parts.low == 1 && !parts.high;
    bool found = parts.high == 1 && !parts.low && !t->stmt && !s->sometimes &&
                 type_is_scalar(array->type->array.element) && any_varies_within(t, indices, count);
    if (!found || (load && s->stmt->kind != IR_SET && s->stmt->kind != IR_STORE))
        return;
    t->stmt = s->stmt;
    t->load = load;
    t->element = array->type->array.element;
    t->line = parts.line;
    t->lines = parts.lines;
}

static void search_value(TransposeSearch *s, IrValue *value)
{
    bool before = s->sometimes;
    if (value->op == OP_load)
        note_access(s, value->operands[0], value->operands + 1, value->count - 1, value);
    for (int i = 0; i < value->count; i++) {
        s->sometimes |=
            i && (value->op == OP_and_then || value->op == OP_or_else || value->op == OP_select);
        search_value(s, value->operands[i]);
    }
    s->sometimes = before;
}

static void search_stmt(void *context, IrStmt *stmt)
{
    TransposeSearch *s = context;
    s->stmt = stmt;
    if (stmt->kind == IR_STORE)
        note_access(s, stmt->store.array, stmt->store.indices, stmt->store.count, NULL);
    for_each_value (value, stmt)
        search_value(s, value);
}

bool transpose_find(Transpose *t, bool *pays)
{
    TransposeSearch s = { .t = t };
    t->stmt = NULL;
    t->affine = ir_affine(t->unit, NULL);
    ir_each_stmt(&t->unit->kernel->body, search_stmt, &s);
    *pays = s.along;
    return t->stmt;
}

/* ---- what forbids it ------------------------------------------------------------------------- */

typedef struct TransposeCheck {
    IrUnit *unit;
    const IrVar *stored; /* the array of the store that goes across; NULL: a load does */
    int accesses;        /* to it */
    Refusal refusal;
} TransposeCheck;

static void check_node(void *context, IrValue *value)
{
    TransposeCheck *c = context;
    const IrValue *array = value->op == OP_load ? value->operands[0] : NULL;
    if (!array || (array->op == OP_var && array->var->kind == VAR_CONSTANT))
        return;
    if (ir_array_param(array) < 0 || ir_writes(c->unit->kernel, ir_array_param(array)))
        refuse_for(&c->refusal, value->span, "threads read what the kernel writes");
}

static void check_stmt(void *context, IrStmt *stmt)
{
    TransposeCheck *c = context;
    bool stores = stmt->kind == IR_STORE && ir_array_param(stmt->store.array) >= 0;
    if (!stores && stmt->kind != IR_SET && stmt->kind != IR_IF)
        refuse_for(&c->refusal, stmt->span, "threads do more than load, compute and store");
    c->accesses += stores && stmt->store.array->var == c->stored;
    ir_each_own_node(stmt, check_node, c);
}

/* NULL: nothing does. */
static const char *forbids(const Transpose *t, Span *where)
{
    IrUnit *unit = t->unit;
    const IrFunc *fn = unit->kernel;
    TransposeCheck c = { .unit = unit,
                         .refusal.where = fn->span,
                         .stored = t->load ? NULL : t->stmt->store.array->var };
    const char *why = ir_dependent(unit, where);
    if (why)
        return why;
    ir_each_stmt(&fn->body, check_stmt, &c);
    if (c.accesses > 1)
        refuse_for(&c.refusal, t->stmt->span, "the array is stored to elsewhere, too");
    if (ir_holds_arrays(fn))
        refuse_for(&c.refusal, fn->span, "an array has a name of its own");
    if (!ir_goes_along(fn, 1, false) || launch_in_parts(unit->launch))
        refuse_for(&c.refusal, fn->span, "threads ask for more than their index along x");
    if (!c.refusal.why && !ir_writes_alone(unit))
        refuse_for(&c.refusal, fn->span, "an array that is written may overlap another argument");
    *where = c.refusal.where;
    return c.refusal.why;
}

/* ---- the pass -------------------------------------------------------------------------------- */

void ir_transpose(IrUnit *unit)
{
    Transpose t = { .unit = unit };
    Span where;
    bool pays;
    if (!guard_begin(unit))
        return;
    IrLaunch before = *unit->launch;
    if (!transpose_find(&t, &pays)) {
        schedule_refuse_all(unit, DO_TRANSPOSE, unit->kernel->span,
                            "no access goes along memory with a quotient of the thread's index");
        return;
    }
    const IrValue *array = t.load ? t.load->operands[0] : t.stmt->store.array;
    const Directive own = { DO_TRANSPOSE, .array = array->var->name, .site = t.stmt,
                            .span = t.stmt->span };
    const char *why = forbids(&t, &where);
    if (why)
        schedule_refuse_all(unit, DO_TRANSPOSE, where, why);
    Directive *taken = why ? NULL : schedule_take(unit, own, pays);
    if (!taken) {
        *unit->launch = before; /* the code depends on none of what was asked */
        return;
    }
    ir_remark(unit, own.span, "'%s' is turned in shared memory: threads are taken in tiles",
              own.array);
    transpose_make(&t);
    schedule_done(taken);
}
