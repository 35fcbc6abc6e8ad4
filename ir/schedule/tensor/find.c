/* Which loop adds up products of two factors, one of the result's row and k, the other of its
** column and k. tensor.c says what is legal. */
#include "ir/schedule/tensor/tensor.h"

bool product_refuse(Product *p, Span span, const char *why)
{
    if (!p->why) {
        p->why = why;
        p->span = span;
    }
    return false;
}

/* ---- values that can be had anywhere --------------------------------------------------------- */

static bool is_constant_array(const Product *p, const IrValue *array)
{
    return array->op == OP_var && ir_only_read(p->unit, array->var);
}

static bool is_known(const Product *p, const IrValue *value, bool counts);

int product_counts(const Product *p, const IrVar *var)
{
    for (int i = 0; i < p->nested; i++)
        if (p->nest[i]->for_.var == var)
            return i;
    return -1;
}

/* Variables that one statement sets stand for what that sets them to; with `counts`, the loops'
** counters and what the loops set may be read, too. */
static bool is_known_var(const Product *p, const IrVar *var, bool counts)
{
    if (var->kind != VAR_LOCAL)
        return var->kind == VAR_PARAM || var->kind == VAR_CONSTANT;
    if (var == p->sum || (sets_any(&p->inside, var) && !counts))
        return false;
    if (product_counts(p, var) >= 0)
        return true;
    const IrValue *set = sets_value(&p->affine.sets, var);
    return set && !sets_any(&p->behind, var) && is_known(p, set, counts);
}

/* Whether a value is the same wherever a thread's indices, and k, are: so others may compute it. */
static bool is_known(const Product *p, const IrValue *value, bool counts)
{
    if (value->op == OP_call || (value->op == OP_intrinsic && value->intrinsic > INTR_gridsize &&
                                 ir_intrinsics[value->intrinsic].effect != EFFECT_NONE))
        return false;
    if (value->op == OP_var && !is_known_var(p, value->var, counts))
        return false;
    if (value->op == OP_load && (value->index || !is_constant_array(p, value->operands[0])))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!is_known(p, value->operands[i], counts))
            return false;
    return true;
}

bool product_known(const Product *p, const IrValue *value)
{
    return is_known(p, value, false);
}

bool product_counted(const Product *p, const IrValue *value)
{
    return is_known(p, value, true);
}

/* ---- the sum ------------------------------------------------------------------------------- */

/* The product in what a statement adds to a variable: `left` and `right`, of which the first is to
** be negated if `less`. */
typedef struct Term {
    IrValue *left, *right;
    bool less;
} Term;

static bool is_narrow_float(const Type *type)
{
    return type == type_float32 || type == type_of(FLOAT16) || type == type_of(BFLOAT16);
}

/* What is behind casts that make no difference, or none where a form was requested by name: of
** integers to 32 bits or more, in which a product of bytes and what it is added to stay the same;
** of floats up to float32, whose rounding tensor cores leave out. */
static IrValue *behind_rounding(Product *p, IrValue *value)
{
    while (value->op == OP_cast) {
        const Type *to = value->type, *from = value->operands[0]->type;
        if (p->form == TILE_I8
                ? !type_is_integer(from) || type_size(from) < 4 || type_size(to) < 4
                : p->form == TILE_F64 || !is_narrow_float(from) || !is_narrow_float(to))
            break;
        p->rounded |= type_size(to) < type_size(from) && p->form != TILE_I8;
        value = value->operands[0];
    }
    return value;
}

static bool is_var(Product *p, IrValue *value, const IrVar *var)
{
    value = behind_rounding(p, value);
    return ir_is_var(value, var);
}

static bool take_product(Product *p, IrValue *value, Term *term)
{
    value = behind_rounding(p, value);
    if (value->op != OP_mul || (p->form == TILE_F64 && p->unit->kernel->options.unfused))
        return false;
    term->left = value->operands[0];
    term->right = value->operands[1];
    return p->form != TILE_I8 || type_size(value->type) >= 4;
}

/* `sum + a * b`, `a * b + sum`, `sum - a * b` or `fma(a, b, sum)`: one and the same to a GPU, which
** joins product and sum. */
static bool take_term(Product *p, const IrStmt *stmt, Term *term)
{
    const IrVar *var = stmt->set.var;
    IrValue *value = behind_rounding(p, stmt->set.value), **at = value->operands;
    *term = (Term){ .less = value->op == OP_sub };
    if (ir_is_intrinsic(value, INTR_fma) && is_var(p, at[2], var)) {
        term->left = at[0];
        term->right = at[1];
        return true;
    }
    if (value->op != OP_add && value->op != OP_sub)
        return false;
    if (is_var(p, at[0], var))
        return take_product(p, at[1], term);
    return value->op == OP_add && is_var(p, at[1], var) && take_product(p, at[0], term);
}

bool product_take(Product *p, const IrStmt *adds)
{
    Term term;
    if (!take_term(p, adds, &term))
        return false;
    p->adds = adds;
    p->left = term.left;
    p->right = term.right;
    p->takes_off = term.less;
    return true;
}

/* What can add up to a sum of that type; false: nothing. */
static bool choose_form(Product *p, const Type *type)
{
    TileForm named = (TileForm)p->unit->kernel->options.matmul;
    bool bytes = type == type_int32 || type == type_int64 || type == type_of(UINT32) ||
                 type == type_of(UINT64);
    if (named == MATMUL_FLOAT64)
        named = TILE_TF32X3; /* as any of them */
    p->form = bytes ? TILE_I8 : is_narrow_float(type) ? named : TILE_F64;
    p->unnamed |= !named && is_narrow_float(type);
    return bytes || type == type_float64 || (named && is_narrow_float(type));
}

/* The loops from the outermost inward. */
static bool find_nest(Product *p)
{
    for (const IrStmt *loop = p->loop; loop; loop = product_inner(&loop->for_.body)) {
        if (p->nested == NEST_MOST)
            return product_refuse(p, loop->span, "there are too many loops in one another");
        p->nest[p->nested++] = loop;
    }
    return true;
}

/* Of a second sum, or a second product for one. */
static bool refuse_second(Product *p, const IrStmt *stmt)
{
    int axes[FACTORS];
    return product_axes(p, p->left, p->right, axes) &&
           product_refuse(p, stmt->span, "the loop adds up more than one product");
}

bool product_adds(Product *p, const IrStmt *stmt)
{
    if (p->adds)
        return refuse_second(p, stmt);
    if (!choose_form(p, stmt->set.var->type) || !product_take(p, stmt))
        return false;
    p->sum = stmt->set.var;
    return true;
}

/* All that the loops do: nothing but to set names, and to add in the innermost. */
static bool find_sum(Product *p)
{
    for (int i = 0; i < p->nested; i++)
        if (!product_walk(p, &p->nest[i]->for_.body, i + 1 < p->nested ? p->nest[i + 1] : NULL))
            return false;
    return p->adds != NULL;
}

/* ---- the factors ----------------------------------------------------------------------------- */

/* Whether neighbours in memory lie along k: the load says. */
static bool is_deep(const Product *p, const IrValue *load, int axis)
{
    return !load || !moves_by_one(&p->affine, load->operands[0], load->operands + 1, axis);
}

static const IrValue *behind_names(const Product *p, const IrValue *value)
{
    const IrValue *set = value->op == OP_var ? sets_value(&p->affine.sets, value->var) : NULL;
    return set ? behind_names(p, set) : value;
}

/* An element that only goes from memory to memory. */
static bool is_copy(const Factor *factor)
{
    const IrValue *array = factor->load ? factor->load->operands[0] : NULL;
    return array && array->op == OP_var && array->var->kind == VAR_PARAM &&
           !array->type->array.unaligned && factor->load->type == factor->type;
}

/* Whether a value is just the only loop's counter, or just an index in the grid: with `dense`, that
** along which neighbours lie, else the other one. */
static bool is_index(const Product *p, const IrValue *value, const Factor *factor, bool dense)
{
    value = sets_behind_casts(&p->affine.sets, value);
    if (factor->deep == dense)
        return ir_is_var(value, p->loop->for_.var) && p->nested == 1;
    return ir_is_intrinsic(value, INTR_grid) && value->index == factor->axis;
}

int factor_width(const Factor *factor)
{
    return WIDE_BYTES / (int)type_size(factor->type);
}

/* Whether neighbours lie where 16 bytes may be read, if rows begin there: so do tiles, and so does
** the loop; and all of them in one part. */
static bool may_be_wide(const Product *p, const Factor *factor)
{
    const IrValue *start = p->loop->for_.start;
    const Type *type = factor->load ? factor->load->operands[0]->type : NULL;
    int dense = type ? dense_axis(type) : -1;
    bool parts = p->part && factor->axis == p->part_axis && !factor->deep;
    return is_copy(factor) && type->array.rank > 1 && dense >= 0 && !parts &&
           is_index(p, factor->load->operands[1 + dense], factor, true) &&
           (!factor->deep ||
            (ir_is_constant(start) && start->constant.integer % factor_width(factor) == 0));
}

/* The axis of an array along which rows of a box lie: one index says which, the others are the same
** for all of a block. -1: there are no boxes. */
static int boxes_along(const Product *p, const Factor *factor)
{
    const IrValue *load = factor->load, *start = p->loop->for_.start;
    int rank = load ? load->count - 1 : 0, along = -1;
    if (!factor->wide || p->part || p->axes.made || rank < 2 || rank > 3 ||
        load->operands[0]->type->array.layout != LAYOUT_C || !ir_is_integer(start, 0))
        return -1;
    for (int axis = 0; axis < rank - 1; axis++) {
        const IrValue *index = load->operands[1 + axis];
        bool same = !affine_varies(&p->affine, index, factor->axis) && product_known(p, index) &&
                    ir_nonnegative(index);
        if (along < 0 && is_index(p, index, factor, false))
            along = axis;
        else if (!same)
            return -1;
    }
    return along;
}

/* The byte behind a factor's casts and names, which all keep it; NULL: it is none. */
static const IrValue *byte_behind(const Product *p, const IrValue *value)
{
    value = sets_behind_casts(&p->affine.sets, value);
    return value->type == type_of(INT8) || value->type == type_of(UINT8) ? value : NULL;
}

/* The number behind a factor's casts to a wider float, if it is of the type that is multiplied. */
static const IrValue *half_behind(const Product *p, const IrValue *value, const Type *type)
{
    const IrValue *at = behind_names(p, value);
    while (at->op == OP_cast && at->type != type && is_narrow_float(at->operands[0]->type) &&
           type_size(at->operands[0]->type) < type_size(at->type))
        at = behind_names(p, at->operands[0]);
    return at->type == type ? at : value;
}

/* What is multiplied: the factor, or a cast of it. NULL: there is no such product. */
static const IrValue *multiplied(const Product *p, IrValue *value)
{
    const Type *type = ir_tile_type(p->form);
    if (p->form == TILE_I8)
        return byte_behind(p, value);
    if (p->form == TILE_F64)
        return type_is_float(value->type) ? value : NULL;
    if (!is_narrow_float(value->type))
        return NULL;
    const IrValue *half = half_behind(p, value, type);
    return half->type == type ? half : ir_cast(p->unit->arena, type, value, value->span);
}

static bool take_factor(Product *p, IrValue *value, bool less, int axis, Factor *factor)
{
    const IrValue *own = multiplied(p, value);
    if (!own)
        return false;
    if (!is_known(p, value, true))
        return product_refuse(p, value->span, "a factor may change while the loop runs");
    const IrValue *behind = behind_names(p, own);
    *factor = (Factor){ .value = own, .axis = axis, .type = own->type };
    factor->load = behind->op == OP_load ? behind : NULL;
    factor->deep = is_deep(p, factor->load, axis);
    if (less) {
        factor->value = ir_unary(p->unit->arena, OP_neg, (IrValue *)own, value->span);
        factor->load = NULL;
    }
    if (!is_copy(factor))
        factor->load = NULL;
    bool wide = may_be_wide(p, factor);
    factor->wide = wide && ir_rows_aligned(p->unit, factor->load->operands[0]->var);
    factor->unaligned = wide && !factor->wide;
    factor->along = boxes_along(p, factor);
    return true;
}

static bool find_factors(Product *p)
{
    int axes[2];
    if (!product_axes(p, p->left, p->right, axes))
        return false;
    bool turned = product_stores_along(p, axes[0]);
    Factor *rows = &p->factor[FACTOR_ROWS], *columns = &p->factor[FACTOR_COLUMNS];
    p->layer = 3 - axes[0] - axes[1];
    p->less = p->takes_off && p->form == TILE_I8;
    return take_factor(p, p->left, p->takes_off && !p->less, axes[0], turned ? columns : rows) &&
           take_factor(p, p->right, false, axes[1], turned ? rows : columns);
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Whether a value is one for all threads of a block: which differ along the two axes alone. */
static bool is_shared(const Product *p, const IrValue *value)
{
    return is_known(p, value, false) && !affine_varies(&p->affine, value, p->factor[0].axis) &&
           !affine_varies(&p->affine, value, p->factor[1].axis);
}

static bool check_counter(Product *p, const IrStmt *loop)
{
    bool counts = loop->for_.var->type == type_int64 && ir_is_integer(loop->for_.step, 1) &&
                  ir_nonnegative(loop->for_.start);
    if (!counts || !is_shared(p, loop->for_.start) || !is_shared(p, loop->for_.stop))
        return product_refuse(
            p, loop->span,
            "it does not count by ones from where all threads of a block begin to where they end");
    return true;
}

static bool check_counters(Product *p)
{
    for (int i = 0; i < p->nested; i++)
        if (!check_counter(p, p->nest[i]))
            return false;
    return true;
}

/* Whether an argument, or an array's extent, says that the loop has few iterations. */
static bool is_short(const Product *p, const IrValue *stop)
{
    stop = sets_behind_casts(&p->affine.sets, stop);
    if (ir_is_constant(stop))
        return stop->constant.integer <= SHORT_AXIS;
    if (stop->op == OP_extent)
        return launch_axes_to_32768(p->unit->launch, ir_array_param(stop->operands[0]));
    return stop->op == OP_var && stop->var->kind == VAR_PARAM &&
           launch_axes_to_32768(p->unit->launch, stop->var->param);
}

int64_t product_trips(const Product *p)
{
    int64_t all = 1;
    for (int i = 0; i < p->nested; i++) {
        int64_t trips = ir_trip_count(p->nest[i]);
        if (trips < 0 || __builtin_mul_overflow(all, trips, &all))
            return -1;
    }
    return all;
}

/* Whether all the loops together have few. */
static bool are_short(const Product *p)
{
    int64_t trips = product_trips(p);
    return p->nested == 1 ? is_short(p, p->loop->for_.stop) : trips >= 0 && trips <= SHORT_AXIS;
}

/* An int32 wraps as the sum does, or holds what is added to a wider one: 255 * 255 each. */
static bool check_bound(Product *p)
{
    if (p->form != TILE_I8 || type_size(p->sum->type) == 4 || are_short(p))
        return true;
    return product_refuse(p, p->loop->span, "it may add up more than an int32 holds");
}

/* What stands in front of the loop may be had anywhere, but for what the sum is to begin with. */
static bool check_front(Product *p)
{
    for (int i = 0; i < p->guarded.set_count; i++)
        if (p->guarded.sets[i]->set.var == p->sum)
            p->begin = p->guarded.sets[i]->set.value;
    for (const IrStmt *stmt = p->guarded.rest; stmt != p->around; stmt = stmt->next) {
        if (stmt->kind != IR_SET || ir_stmt_effects(stmt) & ~EFFECT_READ)
            return product_refuse(p, stmt->span, "more than sets stand in front of the loop");
        if (stmt->set.var != p->sum)
            continue;
        if (p->begin)
            return product_refuse(p, stmt->span, "the sum is set twice in front of the loop");
        p->begin = stmt->set.value;
    }
    return p->begin != NULL;
}

typedef struct ProductReads {
    Product *p;
    bool known;
} ProductReads;

static void read_behind(void *context, IrValue *value)
{
    ProductReads *reads = context;
    const IrVar *var = value->op == OP_var ? value->var : NULL;
    if (var && var->kind == VAR_LOCAL && var != reads->p->sum && !sets_any(&reads->p->behind, var))
        reads->known &= is_known_var(reads->p, var, false);
}

/* Behind it stands no loop, and what is read there that the front set may be had again. */
static bool check_behind(Product *p, const IrRegion *behind)
{
    ProductReads reads = { p, true };
    if (ir_has_loop(behind))
        return product_refuse(p, behind->first->span, "another loop follows it");
    ir_each_node_in(behind, read_behind, &reads);
    ProductReads begin = { p, true };
    ir_each_node((IrValue *)p->begin, read_behind, &begin);
    if (!reads.known)
        return product_refuse(p, behind->first->span,
                              "what follows the loop is more than is done again");
    return begin.known ||
           product_refuse(p, p->begin->span, "what the sum begins with is not known again");
}

/* ---- conditions ------------------------------------------------------------------------------ */

static bool take_end(Product *p, const IrValue *term)
{
    for (int i = 0; i < FACTORS; i++) {
        int axis = p->factor[i].axis;
        IrValue *end = product_end(p, term, axis);
        if (!end)
            continue;
        p->end[axis] = p->end[axis] ? ir_min(p->unit->arena, p->end[axis], end, term->span) : end;
        return true;
    }
    return false;
}

/* Notes a condition that bounds the index that is split, rather than rows or columns. */
static bool take_flat_end(Product *p, const IrValue *term)
{
    const IrValue *place;
    IrValue *end = p->axes.levels ? guard_bound(p->unit->arena, &p->affine, term, &place) : NULL;
    if (!end || !ir_same_value(sets_behind_casts(&p->affine.sets, place), p->axes.index))
        return false;
    p->flat_end = p->flat_end ? ir_min(p->unit->arena, p->flat_end, end, term->span) : end;
    return true;
}

/* Conditions around all are bounds of rows and columns, or the same for all threads of a block. */
static bool check_terms(Product *p)
{
    for (int i = 0; i < p->guarded.term_count; i++)
        if (!take_end(p, p->guarded.terms[i]) && !take_flat_end(p, p->guarded.terms[i]) &&
            !product_slants(p, p->guarded.terms[i]) && !is_shared(p, p->guarded.terms[i]))
            return product_refuse(
                p, p->guarded.terms[i]->span,
                "not all threads of a block that are within bounds come to the loop");
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

static IrRegion region_behind(const Product *p)
{
    const IrStmt *next = p->around->next;
    return (IrRegion){ (IrStmt *)next, next ? p->guarded.within->last : NULL };
}

/* The loop at the end of a branch that only those enter who make an iteration of it, as what reads
** before the loop what every iteration would (unroll/registers.c); NULL: there is none. */
static const IrStmt *loop_entered(const IrStmt *branch)
{
    const IrStmt *loop = branch->kind == IR_IF ? branch->if_.then.last : NULL;
    if (!loop || loop->kind != IR_FOR || branch->if_.otherwise.first)
        return NULL;
    const IrValue *asks = branch->if_.condition;
    bool entered = asks->op == OP_lt && ir_same_value(asks->operands[0], loop->for_.start) &&
                   ir_same_value(asks->operands[1], loop->for_.stop);
    for (const IrStmt *stmt = branch->if_.then.first; stmt != loop; stmt = stmt->next)
        entered &= stmt->kind == IR_SET && stmt->set.var->temporary &&
                   !(ir_stmt_effects(stmt) & ~EFFECT_READ);
    return entered ? loop : NULL;
}

static bool take_loop(Product *p, const IrStmt *around, const IrStmt *loop)
{
    Arena *arena = p->unit->arena;
    IrFunc *fn = p->unit->kernel;
    p->loop = loop;
    p->around = around;
    IrRegion behind = region_behind(p);
    p->inside = ir_sets_of_loop(arena, fn, loop);
    p->behind = ir_sets(arena, fn, &behind);
    bool found = behind.first && find_nest(p) && find_sum(p) && check_front(p) && find_factors(p) &&
                 check_counters(p) && check_bound(p) && check_terms(p) && check_behind(p, &behind);
    if (found)
        product_join(p);
    return found && product_guard(p);
}

bool product_find(Product *p)
{
    const IrFunc *fn = p->unit->kernel;
    for (int i = fn->param_count; i < fn->var_count; i++)
        if (fn->vars[i]->kind == VAR_PRIVATE)
            return false;
    for (const IrStmt *stmt = p->guarded.rest; stmt; stmt = stmt->next) {
        const IrStmt *loop = stmt->kind == IR_FOR ? stmt : loop_entered(stmt);
        if (loop)
            return take_loop(p, stmt, loop);
    }
    return false;
}
