/* Divides float64 by what is always the same without a division each time, which costs a GPU a
** good dozen of instructions and a call:
**
**     for i in ...
**         bin = floor(div(cast<float64>(load(x, i)), width))
** becomes
**     _reciprocal = reciprocal(width)
**     _rest = reciprocal_rest(width, _reciprocal)
**     for i in ...
**         bin = floor(div_by(cast<float64>(load(x, i)), width, _reciprocal, _rest))
**
** What div_by gives is the quotient as a division rounds it, to the last bit. By a theorem of
** Markstein's ("Computation of elementary functions on the IBM RISC System/6000 processor", 1990;
** the Handbook of Floating-Point Arithmetic has it, too): if r is 1 / b correctly rounded, q is
** less than an ulp from a / b, and no exponent leaves its range, then e = fma(-b, q, a) is exact
** and fma(e, r, q) is a / b correctly rounded. a * r may be 1.5 ulps off, so q takes in what r
** lacks of 1 / b. Zeros, infinities and NaN come out right of a * r.
**
** Legal for a whose exponent is bounded: made of integers and narrower floats by few sums and
** products. So is then everything on the way, if that of b is, too; reciprocal() looks at it once,
** and tells div_by to divide if it is not.
**
** Remainders of uint64, as hashes and generators of numbers have them, are found so, too:
**
**     mod(h, n)  =>  mod_by(h, n, _reciprocal), with the greatest uint64 over n for _reciprocal
**
** as the high half of their product is the quotient or one less.
**
** It pays if the divisor is a constant, or the same at each iteration of a loop. By powers of two
** compilers multiply anyway; and they know integers that are constants. */
#include "ir/analysis/accesses.h"
#include "ir/clone.h"
#include "ir/optimise.h"

#include <math.h>

/* Loops in one another; of 2 in a dividend, so that no product or quotient leaves its range. */
enum { MOST_LOOPS = 16, MOST_EXPONENT = 250 };

/* What a number is known to be: a multiple of 2^-low that is less than 2^high, if it is finite. */
typedef struct Bounds {
    int low, high;
} Bounds;

/* A loop that we are in. */
typedef struct LoopLevel {
    IrRegion *region;
    IrStmt *loop;
    Accesses accesses;
    IrStmt *first; /* of those that were put in front of it; NULL: none */
} LoopLevel;

typedef struct LoopNest {
    IrUnit *unit;
    const IrPointsTo *points_to;
    LoopLevel levels[MOST_LOOPS]; /* outer ones first */
    int depth;
    IrSets sets;
    Bounds *vars; /* by IrVar.id */
} LoopNest;

/* ---- bounds ---------------------------------------------------------------------------------- */

static const Bounds unbounded = { 2 * MOST_EXPONENT, 2 * MOST_EXPONENT };

static Bounds wider(Bounds a, Bounds b)
{
    return (Bounds){ a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high };
}

static Bounds type_bounds(const Type *type)
{
    if (type_is_integer(type) || type->kind == TY_BOOL)
        return (Bounds){ 0, 65 };
    bool narrow = type->kind == TY_FLOAT16 || type->kind == TY_FLOAT32 || type->kind == TY_BFLOAT16;
    return narrow ? (Bounds){ 149, 129 } : unbounded;
}

static Bounds constant_bounds(double number)
{
    int exponent;
    if (!isfinite(number) || number == 0)
        return (Bounds){ 0, 0 };
    frexp(number, &exponent); /* its last bit is worth no less than 2^(exponent - 53) */
    return (Bounds){ exponent < 53 ? 53 - exponent : 0, exponent > 0 ? exponent : 0 };
}

static Bounds bounds(const LoopNest *n, const IrValue *value);

static Bounds intrinsic_bounds(const LoopNest *n, const IrValue *value)
{
    switch ((int)value->intrinsic) {
    case INTR_floor:
    case INTR_ceil:
    case INTR_trunc:
    case INTR_fabs:
    case INTR_abs:
        return wider(bounds(n, value->operands[0]), (Bounds){ 0, 1 });
    case INTR_min:
    case INTR_max:
        return wider(bounds(n, value->operands[0]), bounds(n, value->operands[1]));
    default:
        return unbounded;
    }
}

static Bounds bounds(const LoopNest *n, const IrValue *value)
{
    Bounds a, b;
    switch ((int)value->op) {
    case OP_constant:
        return constant_bounds(value->constant.number);
    case OP_var:
        return n->vars[value->var->id];
    case OP_cast:
        return type_bounds(value->operands[0]->type);
    case OP_neg:
        return bounds(n, value->operands[0]);
    case OP_add:
    case OP_sub:
        a = wider(bounds(n, value->operands[0]), bounds(n, value->operands[1]));
        return (Bounds){ a.low, a.high + 1 };
    case OP_mul:
        a = bounds(n, value->operands[0]);
        b = bounds(n, value->operands[1]);
        return (Bounds){ a.low + b.low, a.high + b.high };
    case OP_select:
        return wider(bounds(n, value->operands[1]), bounds(n, value->operands[2]));
    case OP_intrinsic:
        return intrinsic_bounds(n, value);
    default:
        return unbounded;
    }
}

static bool is_bounded(const LoopNest *n, const IrValue *value)
{
    Bounds b = bounds(n, value);
    return b.low <= MOST_EXPONENT && b.high <= MOST_EXPONENT;
}

/* A variable that is set once is what it is set to, of which the variables come before. */
static void note_set(void *context, IrStmt *stmt)
{
    const LoopNest *n = context;
    const IrVar *var = stmt->kind == IR_SET ? stmt->set.var : NULL;
    if (!var || var->type != type_float64 || var->kind != VAR_LOCAL)
        return;
    if (sets_value(&n->sets, var))
        n->vars[var->id] = bounds(n, stmt->set.value);
}

/* ---- divisors -------------------------------------------------------------------------------- */

/* A divisor's reciprocal, and what that lacks. */
typedef struct Reciprocal {
    IrValue *r, *rest;
} Reciprocal;

static bool constant_reciprocal(const LoopNest *n, const IrValue *divisor, Reciprocal *reciprocal)
{
    int exponent;
    double b = divisor->constant.number, r = 1 / b;
    if (!(fabs(b) > 0x1p-700 && fabs(b) < 0x1p700) || fabs(frexp(b, &exponent)) == 0.5)
        return false;
    reciprocal->r = ir_number(n->unit->arena, type_float64, r, divisor->span);
    reciprocal->rest = ir_number(n->unit->arena, type_float64, fma(-b, r, 1) * r, divisor->span);
    return true;
}

/* The statement in front of a loop that sets the divisor's reciprocal; NULL if there is none. */
static IrStmt *find_reciprocal(const LoopLevel *level, const IrValue *divisor)
{
    for (IrStmt *stmt = level->first; stmt && stmt != level->loop; stmt = stmt->next)
        if (stmt->kind == IR_SET && ir_is_intrinsic(stmt->set.value, INTR_reciprocal) &&
            ir_same_value(stmt->set.value->operands[0], divisor))
            return stmt;
    return NULL;
}

/* Sets a new variable in front of a loop. */
static IrStmt *set_before(const LoopNest *n, LoopLevel *level, const char *name,
                          IrIntrinsic intrinsic, const IrValue *divisor, IrValue *more)
{
    Arena *arena = n->unit->arena;
    Span span = divisor->span;
    IrVar *var = ir_temporary(arena, n->unit->kernel, name, divisor->type, span);
    IrValue *copy = ir_clone_value(&(IrClone){ .arena = arena }, divisor);
    IrStmt *set = ir_set(
        arena, var, ir_intrinsic(arena, intrinsic, divisor->type, span, copy, more, NULL), span);
    ir_insert_before(level->region, level->loop, set);
    return set;
}

static IrStmt *make_reciprocal(const LoopNest *n, LoopLevel *level, const IrValue *divisor)
{
    IrStmt *set = set_before(n, level, "_reciprocal", INTR_reciprocal, divisor, NULL);
    if (divisor->type == type_float64)
        set_before(n, level, "_rest", INTR_reciprocal_rest, divisor,
                   ir_var(n->unit->arena, set->set.var, divisor->span));
    level->first = level->first ? level->first : set;
    return set;
}

/* The statement in front of the outermost loop that leaves the divisor as it is which sets its
** reciprocal; NULL if there is no such loop. */
static const IrStmt *reciprocal_before(LoopNest *n, const IrValue *divisor)
{
    for (int i = 0; i < n->depth; i++) {
        LoopLevel *level = &n->levels[i];
        if (!sets_invariant(&level->accesses.sets, divisor, NULL))
            continue;
        const IrStmt *set = find_reciprocal(level, divisor);
        return set ? set : make_reciprocal(n, level, divisor);
    }
    return NULL;
}

/* False if the divisor's reciprocal is neither a constant nor can be evaluated before a loop. */
static bool find(LoopNest *n, const IrValue *divisor, Reciprocal *reciprocal)
{
    if (ir_is_constant(divisor))
        return constant_reciprocal(n, divisor, reciprocal);
    const IrStmt *set = reciprocal_before(n, divisor);
    if (!set)
        return false;
    reciprocal->r = ir_var(n->unit->arena, set->set.var, divisor->span);
    reciprocal->rest = ir_var(n->unit->arena, set->next->set.var, divisor->span);
    return true;
}

/* ---- divisions ------------------------------------------------------------------------------- */

/* Whether a float64 is a float32, as compilers see it. */
static bool is_single(const IrValue *value)
{
    if (ir_is_constant(value))
        return (double)(float)value->constant.number == value->constant.number;
    return value->op == OP_cast && type_is_float(value->operands[0]->type);
}

static void remark(const LoopNest *n, const IrValue *value)
{
    ir_remark(n->unit, value->span, "instead of dividing, this multiplies by the reciprocal%s",
              ir_is_constant(value->operands[1]) ? "" : ", which is computed once before the loop");
}

static void visit_remainder(LoopNest *n, IrValue **slot)
{
    IrValue *value = *slot, *by = value->operands[1];
    const IrStmt *set = ir_is_constant(by) ? NULL : reciprocal_before(n, by);
    if (!set)
        return;
    remark(n, value);
    *slot = ir_value(n->unit->arena, OP_intrinsic, type_uint64, value->span, 3);
    (*slot)->intrinsic = INTR_mod_by;
    (*slot)->operands[0] = value->operands[0];
    (*slot)->operands[1] = by;
    (*slot)->operands[2] = ir_var(n->unit->arena, set->set.var, value->span);
}

static bool is_remainder(const IrValue *value)
{
    return value->op == OP_mod && value->type == type_uint64;
}

static void visit(LoopNest *n, IrValue **slot, bool to_single)
{
    IrValue *value = *slot;
    bool single = value->op == OP_cast && value->type == type_float32;
    for (int i = 0; i < value->count; i++)
        visit(n, &value->operands[i], single);
    if (is_remainder(value))
        visit_remainder(n, slot);
    if (value->op != OP_div || value->type != type_float64)
        return;
    IrValue *a = value->operands[0], *b = value->operands[1];
    if (to_single && is_single(a) && is_single(b)) /* compilers make a division of floats of it */
        return;
    Reciprocal by;
    if (ir_is_constant(a) || !is_bounded(n, a) || !find(n, b, &by))
        return;
    remark(n, value);
    *slot = ir_value(n->unit->arena, OP_intrinsic, type_float64, value->span, 4);
    (*slot)->intrinsic = INTR_div_by;
    (*slot)->operands[0] = a;
    (*slot)->operands[1] = b;
    (*slot)->operands[2] = by.r;
    (*slot)->operands[3] = by.rest;
}

static void visit_region(LoopNest *n, IrRegion *region);

static void visit_loop(LoopNest *n, IrRegion *region, IrStmt *loop)
{
    bool deeper = n->depth < MOST_LOOPS;
    if (deeper)
        n->levels[n->depth++] =
            (LoopLevel){ region, loop, accesses_of(n->unit, n->points_to, loop), NULL };
    if (loop->kind == IR_WHILE)
        visit(n, &loop->while_.condition, false);
    visit_region(n, ir_loop_body(loop));
    n->depth -= deeper;
}

static void visit_region(LoopNest *n, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind != IR_WHILE)
            for_each_slot (slot, stmt)
                visit(n, slot, false);
        if (ir_is_loop(stmt)) {
            visit_loop(n, region, stmt);
        } else if (stmt->kind == IR_IF) {
            visit_region(n, &stmt->if_.then);
            visit_region(n, &stmt->if_.otherwise);
        }
    }
}

static bool is_division(const IrValue *value)
{
    return is_remainder(value) || (value->op == OP_div && value->type == type_float64);
}

void ir_reciprocal(IrUnit *unit)
{
    if (!ir_region_has_node(&unit->kernel->body, is_division))
        return;
    IrPointsTo points_to = ir_points_to(unit->arena, unit->kernel);
    LoopNest *n = arena_new(unit->arena, LoopNest);
    *n = (LoopNest){ .unit = unit,
                     .points_to = &points_to,
                     .sets = ir_sets(unit->arena, unit->kernel, &unit->kernel->body) };
    n->vars = arena_array(unit->arena, Bounds, unit->kernel->var_count + 1);
    for (int i = 0; i < unit->kernel->var_count; i++)
        n->vars[i] = unbounded;
    ir_each_stmt(&unit->kernel->body, note_set, n);
    visit_region(n, &unit->kernel->body);
}
