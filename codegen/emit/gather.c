/* DIALECT_C: indices that gcc would gather by a mask.
**
** Where gcc 12 makes vectors of a loop over threads and an index is a bool that was made an
** integer, `a[q]` or `a[2 * q + 1]`, it looks through the conversion and takes the mask that the
** bool is in vectors for the offsets of a gather: elements of 4 bytes are read from the wrong
** place, and with AVX-512 it ends with an internal error. It makes such conversions itself of
** branches, choices, minima and bitwise operations, through names, stored elements and inlined
** functions.
**
** So where an index may depend on a condition of a thread, or an iteration, the element's offset is
** hidden from the compiler's analysis, once for all axes (hidden() of the prelude). That costs a
** gather one operation; contiguous accesses of neighbouring threads have no such index. Where loops
** over threads begin at such a number, it is hidden in front of them, as their counter then counts
** from one that is not known. */
#include "codegen/emit/emit.h"

enum {
    VARIES = 1,  /* threads of a block, or iterations of a loop, may have different ones */
    DECIDES = 2, /* and a comparison, a branch or what acts like one may be in it */
    UNKNOWN = 4, /* it is hidden from the compiler: equal to no other number */
    COUNTED = 8  /* a loop of known length counts in it: numbers, once that is unrolled */
};

/* By function of the unit, the kernel last: what its variables and its result are, found when
** nothing changes any more. */
struct Gathers {
    const IrUnit *unit;
    unsigned char **vars, *results;
    unsigned char **sets; /* how many statements set a variable, 2 if more do */
    bool counts, changed;
    bool one_thread; /* in each block, so that what varies are iterations alone */
};

typedef struct Seen {
    struct Gathers *all;
    int at;       /* in which function */
    bool divides; /* threads or iterations may come here one without the other */
    bool chooses; /* in such a branch */
    bool loops;   /* in a loop that is not the one over threads */
} Seen;

static const IrFunc *function_at(const IrUnit *unit, int i)
{
    return i < unit->count ? unit->functions[i] : unit->kernel;
}

static bool varies(unsigned made)
{
    return made & (VARIES | DECIDES);
}

static unsigned made_of(const struct Gathers *all, int at, const IrValue *value);

static unsigned made_of_operands(const struct Gathers *all, int at, const IrValue *value)
{
    unsigned made = 0;

    for (int i = 0; i < value->count; i++)
        made |= made_of(all, at, value->operands[i]);
    return made;
}

/* What a kernel stored it may read again, as the value that it was. */
static bool reads_what_it_stores(const struct Gathers *all, int at, const IrValue *load)
{
    const IrVar *var = ir_array_base(load->operands[0]);
    const IrFunc *fn = function_at(all->unit, at);

    if (var && var->kind == VAR_CONSTANT)
        return false;
    return !var || var->kind != VAR_PARAM || !fn->access || ir_writes(fn, var->param);
}

static unsigned made_of_intrinsic(const struct Gathers *all, int at, const IrValue *value)
{
    unsigned made = made_of_operands(all, at, value);

    switch ((int)value->intrinsic) {
    case INTR_block_idx:
    case INTR_block_dim:
    case INTR_grid_dim:
    case INTR_gridsize:
        return UNKNOWN;
    case INTR_thread_idx:
    case INTR_grid:
    case INTR_laneid:
        return all->one_thread ? UNKNOWN : VARIES;
    case INTR_min:
    case INTR_max:
        if (made_of(all, at, value->operands[0]) && made_of(all, at, value->operands[1]) &&
            !(made & COUNTED))
            return made; /* one with a number, as min(x, 1), may be a comparison */
        return varies(made) ? VARIES | DECIDES : 0;
    default: /* votes, whatever else may come to one of two numbers */
        return varies(made) || ir_value_effects(value) != EFFECT_NONE ? VARIES | DECIDES : 0;
    }
}

static unsigned made_of(const struct Gathers *all, int at, const IrValue *value)
{
    unsigned made;

    switch ((int)value->op) {
    case OP_var:
        return all->vars[at][value->var->id];
    case OP_intrinsic:
        return made_of_intrinsic(all, at, value);
    case OP_call:
        return made_of_operands(all, at, value) |
               all->results[ir_function_number(all->unit, value->callee)];
    case OP_extent: /* where a part of an array lies may differ, and how long it is not */
    case OP_stride:
        made = made_of_operands(all, at, value);
        return made & DECIDES ? made : 0;
    case OP_load:
        made = made_of_operands(all, at, value);
        if (reads_what_it_stores(all, at, value))
            return value->operands[0]->op == OP_var && !varies(made) &&
                           value->operands[0]->var->uniform
                       ? 0
                       : VARIES | DECIDES;
        return varies(made) ? VARIES | (value->type == type_bool ? DECIDES : 0) : 0;
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_neg:
    case OP_invert:
    case OP_shl:
    case OP_shr:
    case OP_floordiv:
    case OP_mod:
    case OP_cast:
    case OP_tuple:
    case OP_item:
    case OP_view:
    case OP_field:
    case OP_recast:
    case OP_transpose:
        made = made_of_operands(all, at, value);
        return made | (varies(made) && value->type == type_bool ? DECIDES : 0);
    default:
        return varies(made_of_operands(all, at, value)) ? VARIES | DECIDES : 0;
    }
}

static void add(struct Gathers *all, unsigned char *to, unsigned made)
{
    all->changed |= (*to | made) != *to;
    *to |= made;
}

static void see_call(void *context, IrValue *value)
{
    const Seen *seen = context;

    if (value->op != OP_call)
        return;
    int callee = ir_function_number(seen->all->unit, value->callee);
    for (int i = 0; i < value->count; i++)
        add(seen->all, &seen->all->vars[callee][i],
            made_of(seen->all, seen->at, value->operands[i]));
}

static void see_region(Seen *seen, const IrRegion *region);

static void see_loop(const Seen *seen, const IrRegion *body, bool divides)
{
    Seen inside = *seen;

    inside.divides |= divides;
    inside.loops = true;
    see_region(&inside, body);
}

static void see_branches(const Seen *seen, const IrStmt *branch)
{
    Seen inside = *seen;
    bool chooses = varies(made_of(seen->all, seen->at, branch->if_.condition));

    inside.divides |= chooses;
    inside.chooses |= chooses;
    see_region(&inside, &branch->if_.then);
    see_region(&inside, &branch->if_.otherwise);
}

/* A variable that several statements set, one where only some threads or iterations come, is like
** a choice, unless the analysis of uniform variables finds that it is one for all threads that read
** it, and no loop makes others of it. */
static void see_set(const Seen *seen, const IrVar *var, unsigned made)
{
    unsigned char *sets = &seen->all->sets[seen->at][var->id];

    if (seen->all->counts && *sets < 2)
        ++*sets;
    if (*sets > 1 &&
        ((seen->chooses && seen->loops) || (seen->divides && !var->uniform && !varies(made))))
        made = VARIES | DECIDES;
    if (*sets > 1 && seen->loops)
        made |= VARIES;
    add(seen->all, &seen->all->vars[seen->at][var->id], made);
}

static void see_stmt(Seen *seen, const IrStmt *stmt)
{
    struct Gathers *all = seen->all;
    unsigned made;

    switch (stmt->kind) {
    case IR_SET:
        see_set(seen, stmt->set.var, made_of(all, seen->at, stmt->set.value));
        return;
    case IR_FOR:
        made = made_of(all, seen->at, stmt->for_.start) | made_of(all, seen->at, stmt->for_.step);
        if (stmt->for_.any_order) /* whose start is hidden, once */
            made &= ~(unsigned)DECIDES;
        add(all, &all->vars[seen->at][stmt->for_.var->id],
            made | VARIES | (ir_trip_count(stmt) >= 0 ? COUNTED : 0));
        made |= made_of(all, seen->at, stmt->for_.stop);
        see_loop(seen, &stmt->for_.body, varies(made) || !ir_uniform_loop(stmt));
        return;
    case IR_WHILE:
        see_loop(seen, &stmt->while_.body,
                 varies(made_of(all, seen->at, stmt->while_.condition)) || !ir_uniform_loop(stmt));
        return;
    case IR_IF:
        see_branches(seen, stmt);
        return;
    case IR_RETURN:
        if (stmt->return_.value)
            add(all, &all->results[seen->at],
                made_of(all, seen->at, stmt->return_.value) |
                    (seen->divides ? VARIES | DECIDES : 0));
        return;
    default:
        return;
    }
}

static void see_region(Seen *seen, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        see_stmt(seen, stmt);
}

static void see_function(struct Gathers *all, int at)
{
    const IrFunc *fn = function_at(all->unit, at);
    Seen seen = { .all = all, .at = at };

    see_region(&seen, &fn->body);
    ir_each_node_in(&fn->body, see_call, &seen);
}

void emit_gathers(Emitter *e)
{
    struct Gathers *all = arena_new(e->arena, struct Gathers);
    int count = e->unit->count + 1;

    *all = (struct Gathers){ .unit = e->unit,
                             .vars = arena_array(e->arena, unsigned char *, count),
                             .sets = arena_array(e->arena, unsigned char *, count),
                             .results = arena_array(e->arena, unsigned char, count),
                             .one_thread = emit_threads_are_one(e->unit) };
    for (int i = 0; i < count; i++) {
        int vars = function_at(e->unit, i)->var_count + 1;
        all->vars[i] = arena_array(e->arena, unsigned char, vars);
        all->sets[i] = arena_array(e->arena, unsigned char, vars);
    }
    for (int i = 0; i < e->unit->kernel->var_count; i++)
        if (e->unit->kernel->vars[i]->kind == VAR_PARAM)
            all->vars[e->unit->count][i] = UNKNOWN;
    all->counts = true;
    for (int i = 0; i < count; i++)
        see_function(all, i);
    all->counts = false;
    do {
        all->changed = false;
        for (int i = 0; i < count; i++)
            see_function(all, i);
    } while (all->changed);
    e->gathers = all;
}

bool index_decides(const Emitter *e, const IrValue *index)
{
    return e->gathers && (made_of(e->gathers, ir_function_number(e->unit, e->fn), index) & DECIDES);
}
