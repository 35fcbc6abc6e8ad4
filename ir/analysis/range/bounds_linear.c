#include "ir/analysis/range/bounds_state.h"

Linear linear_unknown(void)
{
    return (Linear){ .count = -1 };
}

Linear linear_number(int64_t number)
{
    return (Linear){ .count = 0, .rest = number };
}

Linear linear_of_atom(int atom)
{
    return (Linear){ .count = 1, .term = { { atom, 1 } } };
}

int linear_atom(const Linear *form)
{
    return form->count == 1 && form->rest == 0 && form->term[0].factor == 1 ? form->term[0].atom
                                                                            : -1;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void drop_term(Linear *form, int i)
{
    for (form->count--; i < form->count; i++)
        form->term[i] = form->term[i + 1];
}

/* Adds a term; false if there is no room or a number overflows. */
static bool add_term(Linear *form, int atom, int64_t factor)
{
    for (int i = 0; i < form->count; i++) {
        if (form->term[i].atom != atom)
            continue;
        if (__builtin_add_overflow(form->term[i].factor, factor, &form->term[i].factor))
            return false;
        if (form->term[i].factor == 0)
            drop_term(form, i);
        return true;
    }
    if (form->count == TERMS)
        return false;
    form->term[form->count].atom = atom;
    form->term[form->count].factor = factor;
    form->count++;
    return true;
}

static int find_term(const Linear *form, int atom, int64_t factor)
{
    for (int i = 0; i < form->count; i++)
        if (form->term[i].atom == atom && form->term[i].factor == factor)
            return i;
    return -1;
}

static bool is_thread_index(const Atom *atom, IrIntrinsic intrinsic)
{
    return atom->key.kind == KEY_THREAD_INDEX && atom->key.a == (int64_t)intrinsic;
}

/* The axis along which a product is of a block's number and its threads, or -1. */
static int block_axis(const IrBounds *b, const Atom *product)
{
    if (product->key.kind != KEY_PRODUCT)
        return -1;
    const Atom *x = &b->atoms[product->key.a], *y = &b->atoms[product->key.b];
    bool both = (is_thread_index(x, INTR_block_idx) && is_thread_index(y, INTR_block_dim)) ||
                (is_thread_index(x, INTR_block_dim) && is_thread_index(y, INTR_block_idx));
    return both && x->key.b == y->key.b ? (int)x->key.b : -1;
}

/* Writes a thread's index in the grid for that in its block and the block's. */
static void join_thread_index(IrBounds *b, Linear *form)
{
    for (int i = 0; i < form->count && b->joins; i++) {
        int axis = block_axis(b, &b->atoms[form->term[i].atom]);
        if (axis < 0)
            continue;
        int thread = bounds_thread_index(b, INTR_thread_idx, axis);
        int64_t factor = form->term[i].factor;
        int other = find_term(form, thread, factor);
        if (other < 0)
            continue;
        drop_term(form, i > other ? i : other);
        drop_term(form, i > other ? other : i);
        add_term(form, bounds_thread_index(b, INTR_grid, axis), factor);
        return;
    }
}

Linear linear_add(IrBounds *b, const Linear *x, const Linear *y, int64_t factor)
{
    Linear sum = *x;
    int64_t part;

    if (x->count < 0 || y->count < 0 || __builtin_mul_overflow(y->rest, factor, &part) ||
        __builtin_add_overflow(sum.rest, part, &sum.rest))
        return linear_unknown();
    for (int i = 0; i < y->count; i++)
        if (__builtin_mul_overflow(y->term[i].factor, factor, &part) ||
            !add_term(&sum, y->term[i].atom, part))
            return linear_unknown();
    join_thread_index(b, &sum);
    return sum;
}

Linear linear_scale(const Linear *x, int64_t factor)
{
    Linear product = *x;

    if (x->count < 0 || factor == 0)
        return factor == 0 ? linear_number(0) : *x;
    if (__builtin_mul_overflow(x->rest, factor, &product.rest))
        return linear_unknown();
    for (int i = 0; i < x->count; i++)
        if (__builtin_mul_overflow(x->term[i].factor, factor, &product.term[i].factor))
            return linear_unknown();
    return product;
}

static Interval scaled_atom(const IrBounds *b, int atom, int64_t factor)
{
    return interval_scale(b->atoms[atom].range, factor);
}

/* By the ranges of its atoms alone, without term `but`. */
static Interval range_without(const IrBounds *b, const Linear *form, int but)
{
    Interval range = interval_from(form->rest, form->rest);

    for (int i = 0; i < form->count; i++)
        if (i != but)
            range = interval_add(range, scaled_atom(b, form->term[i].atom, form->term[i].factor));
    return range;
}

static uint64_t atoms_of(const Linear *form)
{
    uint64_t atoms = 0;
    for (int i = 0; i < form->count; i++)
        atoms |= UINT64_C(1) << form->term[i].atom % 64;
    return atoms;
}

/* The term of an atom, or -1. */
static int find_atom(const Linear *form, int atom)
{
    for (int i = 0; i < form->count; i++)
        if (form->term[i].atom == atom)
            return i;
    return -1;
}

static bool shares_atom(const Linear *x, const Linear *y)
{
    for (int i = 0; i < x->count; i++)
        if (find_atom(y, x->term[i].atom) >= 0)
            return true;
    return false;
}

/* What x + factor * y is by the ranges of its atoms alone; false if linear_add() makes no sum of
** them, which this comes to without making it. */
static bool range_of_sum(IrBounds *b, const Linear *x, const Linear *y, int64_t factor,
                         Interval *range)
{
    int64_t part[TERMS], added[TERMS], rest;
    bool shared[TERMS];
    int count = x->count;

    if (b->joins) {
        Linear sum = linear_add(b, x, y, factor);
        *range = range_without(b, &sum, -1);
        return sum.count >= 0;
    }
    if (__builtin_mul_overflow(y->rest, factor, &rest) ||
        __builtin_add_overflow(x->rest, rest, &rest))
        return false;
    for (int i = 0; i < x->count; i++)
        part[i] = x->term[i].factor;
    for (int i = 0; i < y->count; i++) {
        int k = find_atom(x, y->term[i].atom);
        shared[i] = k >= 0;
        if (__builtin_mul_overflow(y->term[i].factor, factor, &added[i]) ||
            (shared[i] && __builtin_add_overflow(part[k], added[i], &part[k])) ||
            (!shared[i] && count == TERMS))
            return false;
        count += !shared[i] ? 1 : part[k] ? 0 : -1;
    }
    *range = interval_from(rest, rest);
    for (int i = 0; i < x->count; i++)
        if (part[i])
            *range = interval_add(*range, scaled_atom(b, x->term[i].atom, part[i]));
    for (int i = 0; i < y->count; i++)
        if (!shared[i])
            *range = interval_add(*range, scaled_atom(b, y->term[i].atom, added[i]));
    return true;
}

/* A fact is at least 0: the form is no less than without it, and no more than with it. */
static void use_fact(IrBounds *b, const Linear *form, const Linear *fact, Interval *range)
{
    Interval low, high;

    if (range_of_sum(b, form, fact, -1, &low) && !interval_empty(low) && low.low > range->low)
        range->low = low.low;
    if (range_of_sum(b, form, fact, 1, &high)) {
        high.low = range->low;
        *range = interval_meet(*range, high);
    }
}

/* Whether a fact tells of nothing but a form's own atoms. */
static bool is_about(const Linear *fact, const Linear *form)
{
    for (int i = 0; i < fact->count; i++)
        if (find_atom(form, fact->term[i].atom) < 0)
            return false;
    return true;
}

/* By the last facts; and by those before them, of which there may be many, that are of its own
** atoms alone, as conditions around are. */
static Interval range_by_facts(IrBounds *b, const Linear *form)
{
    Interval range = range_without(b, form, -1);
    int count = b->fact_count, last = count > FACTS_SEEN ? count - FACTS_SEEN : 0;
    int first = count > FACTS_ABOUT ? count - FACTS_ABOUT : 0;
    const uint64_t atoms = atoms_of(form);
    for (int i = count; i-- > first && !interval_empty(range);) {
        const Fact *fact = &b->facts[i];
        bool tells = i < last ? !(fact->atoms & ~atoms) && is_about(&fact->form, form)
                              : fact->atoms & atoms && shares_atom(form, &fact->form);
        if (tells)
            use_fact(b, form, &fact->form, &range);
    }
    return range;
}

static bool has_negative(const Linear *form)
{
    for (int i = 0; i < form->count; i++)
        if (form->term[i].factor < 0)
            return true;
    return false;
}

/* By two facts together, where one alone says not enough: from `x >= r` and `d >= -r` that x + d is
** not negative, and from `x < n - r` and `d <= r` that it is less than n. */
static void use_two_facts(IrBounds *b, const Linear *form, Interval *range)
{
    int count = b->fact_count, first = count > FACTS_SEEN ? count - FACTS_SEEN : 0;
    bool differs = has_negative(form);
    for (int i = count; i-- > first && !interval_empty(*range) && form->count > 1;) {
        const Linear *fact = &b->facts[i].form;
        bool below = range->low < 0, above = differs && range->high >= 0;
        if (!below && !above)
            return;
        if (fact->count > form->count || !shares_atom(form, fact))
            continue;
        Linear less = below ? linear_add(b, form, fact, -1) : linear_unknown();
        if (less.count >= 0 && less.count <= form->count) {
            Interval low = range_by_facts(b, &less);
            range->low = !interval_empty(low) && low.low > range->low ? low.low : range->low;
        }
        Linear more = above ? linear_add(b, form, fact, 1) : linear_unknown();
        if (more.count >= 0 && more.count <= form->count) {
            Interval high = range_by_facts(b, &more);
            high.low = range->low;
            *range = interval_meet(*range, high);
        }
    }
}

static bool same_form(const Linear *x, const Linear *y)
{
    bool same = x->count == y->count && x->rest == y->rest;
    for (int i = 0; i < x->count && same; i++)
        same = x->term[i].atom == y->term[i].atom && x->term[i].factor == y->term[i].factor;
    return same;
}

static uint64_t hash_form(const Linear *form)
{
    uint64_t hash = (uint64_t)form->rest;
    for (int i = 0; i < form->count; i++)
        hash = hash * 31 + (uint64_t)form->term[i].atom * 7 + (uint64_t)form->term[i].factor;
    return hash;
}

/* Where something of a sum is kept. */
static KeptRange *kept_range(KeptRange *kept, const Linear *form)
{
    return &kept[hash_form(form) % SUMS_KEPT];
}

/* Whether some fact may tell of a form's atoms. */
static bool has_facts(const IrBounds *b, const Linear *form)
{
    return b->fact_count && b->facts[b->fact_count - 1].all & atoms_of(form);
}

Interval linear_range(IrBounds *b, const Linear *form)
{
    if (form->count < 0)
        return interval_everything();
    if (!has_facts(b, form))
        return range_without(b, form, -1);
    KeptRange *kept = kept_range(b->kept, form);
    if (kept->state == b->state && same_form(&kept->form, form))
        return kept->range;
    Interval range = range_by_facts(b, form);
    use_two_facts(b, form, &range);
    *kept = (KeptRange){ b->state, *form, range };
    return range;
}

/* ---- atoms ----------------------------------------------------------------------------------- */

int bounds_new_atom(IrBounds *b, Interval range)
{
    array_push(b->arena, b->atoms, b->atom_count, b->atom_capacity) =
        (Atom){ .range = range, .next = -1 };
    return b->atom_count - 1;
}

int bounds_atom(IrBounds *b, Key key, Interval range)
{
    int *bucket = &b->buckets[(uint64_t)(key.kind * 7 + key.a * 31 + key.b * 17) % BUCKETS];

    for (int i = *bucket; i >= 0; i = b->atoms[i].next)
        if (b->atoms[i].key.kind == key.kind && b->atoms[i].key.a == key.a &&
            b->atoms[i].key.b == key.b)
            return i;
    int atom = bounds_new_atom(b, range);
    b->atoms[atom].key = key;
    b->atoms[atom].next = *bucket;
    *bucket = atom;
    b->joins |= block_axis(b, &b->atoms[atom]) >= 0;
    return atom;
}

static bool same_step(const StateStep *x, const StateStep *y)
{
    return x->from == y->from && x->atom == y->atom && x->number == y->number &&
           x->range.low == y->range.low && x->range.high == y->range.high &&
           x->range.reach == y->range.reach && x->range.beyond == y->range.beyond &&
           same_form(&x->fact, &y->fact);
}

/* Goes on to the state that a step leads to, and notes what undoes it. */
static void take_step(IrBounds *b, StateStep step, Undo undo)
{
    uint64_t hash = (uint64_t)step.from * 5 + (uint64_t)step.atom + hash_form(&step.fact);
    StateStep *kept = &b->steps[hash % STEPS_KEPT];

    array_push(b->arena, b->trail, b->trail_count, b->trail_capacity) = undo;
    if (!same_step(kept, &step)) {
        *kept = step;
        kept->to = ++b->states;
    }
    b->state = kept->to;
}

void bounds_refine(IrBounds *b, int atom, Interval range, bool number)
{
    Atom *at = &b->atoms[atom];
    Interval both = interval_meet(at->range, range);
    const Key key = at->key;

    if (interval_same(both, at->range) && number <= at->number)
        return;
    take_step(b,
              (StateStep){
                  .from = b->state, .atom = atom, .number = number || at->number, .range = both },
              (Undo){ b->state, atom, at->range, at->number });
    at->range = both;
    at->number |= number;
    if (key.kind == KEY_PRODUCT && both.low >= 1 && b->atoms[key.a].range.low >= 0 &&
        b->atoms[key.b].range.low >= 0) { /* so that neither factor is 0 */
        const Interval some = interval_from(1, interval_everything().high);
        bounds_refine(b, (int)key.a, some, false);
        bounds_refine(b, (int)key.b, some, false);
    }
}

/* What something is that `factor` times lies in `range`: whole numbers only. */
static Interval divided(Interval range, int64_t factor)
{
    if (factor == 1)
        return range;
    Interval low =
        interval_binary(OP_floordiv, interval_negate(range), interval_from(factor, factor));
    range = interval_binary(OP_floordiv, range, interval_from(factor, factor));
    range.low = -low.high;
    return range;
}

/* Whether a range says nothing new of a sum: it is known to lie there, and no upper end becomes
** relative to what a launch has. */
static bool is_known(const IrBounds *b, const Linear *form, Interval range)
{
    const Interval all = range_without(b, form, -1);
    bool reaches = false;
    for (int i = 0; i < form->count; i++)
        reaches |= b->atoms[form->term[i].atom].range.reach != 0;
    return !range.reach && !(reaches && has_negative(form)) && !interval_empty(all) &&
           interval_tame(all) && interval_within(all, range);
}

static void tighten(IrBounds *b, const Linear *form, Interval range)
{
    if (is_known(b, form, range))
        return;
    for (int i = 0; i < form->count; i++) {
        Interval others = range_without(b, form, i);
        if (interval_empty(others) || form->term[i].factor == INT64_MIN)
            return;
        int64_t factor = form->term[i].factor;
        Interval own = factor > 0 ? interval_add(range, interval_negate(others))
                                  : interval_add(others, interval_negate(range));
        bounds_refine(b, form->term[i].atom, divided(own, factor > 0 ? factor : -factor), false);
    }
}

/* What many accesses say at one place is known after the first. */
void bounds_tighten(IrBounds *b, const Linear *form, Interval range)
{
    KeptRange *kept = kept_range(b->tightened, form);
    if (form->count < 1 || (kept->state == b->state && same_form(&kept->form, form) &&
                            interval_same(kept->range, range)))
        return;
    tighten(b, form, range);
    *kept = (KeptRange){ b->state, *form, range };
}

void bounds_add_fact(IrBounds *b, const Linear *form)
{
    if (form->count < 2) /* the atom's range says it */
        return;
    const uint64_t atoms = atoms_of(form);
    uint64_t before = b->fact_count ? b->facts[b->fact_count - 1].all : 0;
    array_push(b->arena, b->facts, b->fact_count, b->fact_capacity) =
        (Fact){ *form, atoms, before | atoms };
    take_step(b, (StateStep){ .from = b->state, .atom = -1, .fact = *form },
              (Undo){ .state = b->state, .atom = -1 });
}

int bounds_mark(const IrBounds *b)
{
    return b->trail_count;
}

void bounds_forget(IrBounds *b, int mark)
{
    while (b->trail_count > mark) {
        const Undo *undo = &b->trail[--b->trail_count];
        b->state = undo->state;
        if (undo->atom < 0) {
            b->fact_count--;
            continue;
        }
        b->atoms[undo->atom].range = undo->range;
        b->atoms[undo->atom].number = undo->number;
    }
}

void bounds_undo_all(IrBounds *b)
{
    b->state = ++b->states;
    b->trail_count = b->fact_count = b->atom_count = 0;
    b->joins = false;
    for (int i = 0; i < BUCKETS; i++)
        b->buckets[i] = -1;
}
