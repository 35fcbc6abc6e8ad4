/* Which blocks a kernel's text is written for: what the accesses of arrays demand of the sizes of
** the block.
**
** An index is read as digits, each what differs within a launch times a weight, as in
** cover_solve.c. In `blockIdx.x * 32 + threadIdx.x` the block's digit weighs 32 times the
** thread's: if blocks have fewer threads elements are left out, if they have more two threads have
** the same. So the digits above a thread's say how many values it has: what it reaches, times what
** digits between them reach, is the weight of the next. Loops count as digits (`i * 32 +
** threadIdx.x`), and so do accesses that differ by a constant (`x[i]` and `x[i + 32]`). Stores and
** atomics demand just that size; loads demand no smaller one, since two threads may well load the
** same, as tiles with a halo do.
**
** Two more things are demanded. An index of a shared array, or one that no block and no unknown
** loop moves, lies in its axis: `tile[threadIdx.y, threadIdx.x]` has no room for more threads than
** the tile has elements. And what threads load from a shared array others have stored: a loop over
** 32 elements needs 32 threads, where each stores one.
**
** A condition on the thread's index alone bounds it, so that larger blocks do no harm; what happens
** under conditions that are not understood demands nothing firmly. */
#include "ir/predict/cover_parts.h"

enum { MOST_FITS = 48, DIGITS = 12, OFFSETS = 16 }; /* more are not worth the time */

typedef struct Block {
    Arena *arena;
    const CoverAccess *accesses;
    IrCovers *covers;
} Block;

typedef struct BlockDigit {
    IrFact fact;         /* FACT_NONE: accesses that differ by a constant */
    const IrSum *weight; /* in units of the thread's weight, once that is known */
    const IrSum *range;  /* it is less than that; NULL: not known */
    bool used;
} BlockDigit;

typedef struct Digits {
    BlockDigit of[DIGITS];
    int count;
} Digits;

static const IrSum *number(const Block *b, int64_t value)
{
    return sum_constant(b->arena, value);
}

static const IrSum *negated(const Block *b, const IrSum *sum)
{
    return sum_add(b->arena, number(b, 0), -1, sum);
}

static bool is_positive(const IrSum *sum)
{
    for (int i = 0; sum && i < sum->count; i++) {
        if (sum->terms[i].factor < 1)
            return false;
    }
    return sum && sum->count;
}

/* ---- what is demanded ----------------------------------------------------------------------- */

/* Whether a sum names a size of the block, and nothing that is not settled with it. */
static bool asks_block(const IrSum *sum)
{
    bool block = false;
    for (int i = 0; i < sum->count; i++) {
        for (int k = 0; k < TERM_FACTS; k++) {
            IrFactKind kind = sum->terms[i].facts[k].kind;
            block |= kind == FACT_BLOCK;
            if (kind == FACT_GRID || kind >= FACT_THREAD_AT)
                return false;
        }
    }
    return block;
}

/* Whether a demand can be met by some blocks and not by others. */
static bool is_demand(const IrSum *sum, IrFitKind kind)
{
    bool more = false, less = false;
    if (!asks_block(sum))
        return false;
    for (int i = 0; i < sum->count; i++) {
        more |= sum->terms[i].factor > 0;
        less |= sum->terms[i].factor < 0;
    }
    bool one = sum->count == 2 && !sum->terms[0].facts[1].kind && sum->terms[0].factor == 1 &&
               !sum->terms[1].facts[0].kind && sum->terms[1].factor == -1;
    return more && less && !(one && kind == FIT_LEAST);
}

static bool is_kept(const IrCovers *covers, const IrFit *fit, const IrSum *sum)
{
    const IrTerm *terms = &covers->terms[fit->first];
    bool same = fit->count == sum->count;
    for (int i = 0; same && i < sum->count; i++)
        same = terms[i].factor == sum->terms[i].factor &&
               !memcmp(terms[i].facts, sum->terms[i].facts, sizeof terms[i].facts);
    return same;
}

/* Adds what an access demands, or strengthens what another one does. */
static void demand(const Block *b, const CoverAccess *by, IrFit fit, const IrSum *sum)
{
    IrCovers *covers = b->covers;
    if (!sum || !is_demand(sum, (IrFitKind)fit.kind))
        return;
    for (int i = 0; i < covers->fit_count; i++) {
        IrFit *kept = &covers->fits[i];
        if (kept->kind != fit.kind || !is_kept(covers, kept, sum))
            continue;
        if (fit.force > kept->force)
            kept->line = (int)source_place(by->span.source, by->span.begin).line;
        kept->force = fit.force > kept->force ? fit.force : kept->force;
        kept->tight = fit.tight > kept->tight ? fit.tight : kept->tight;
        return;
    }
    if (covers->fit_count == MOST_FITS)
        return;
    fit.line = (int)source_place(by->span.source, by->span.begin).line;
    cover_keep_sum(b->arena, covers, sum, &fit.first, &fit.count);
    array_push(b->arena, covers->fits, covers->fit_count, covers->fit_capacity) = fit;
}

/* ---- conditions on threads ------------------------------------------------------------------ */

/* What the conditions of an access say of a thread's index along an axis. */
typedef struct ThreadBound {
    bool bounded, exact;
    const IrSum *most; /* NULL: not known */
} ThreadBound;

/* What `sum < 0` says, if it is of threads' indices alone. */
static void bound_thread(const Block *b, const IrSum *sum, int axis, ThreadBound *bound)
{
    const IrTerm *own = NULL;
    int64_t old, limit;
    bool alone = true;
    for (int i = 0; sum && i < sum->count; i++) {
        int place = term_varying(&sum->terms[i]);
        if (place == -1)
            continue;
        if (place == -2 || sum->terms[i].facts[place].kind != FACT_THREAD_AT)
            return;
        if (sum->terms[i].facts[place].axis == axis)
            own = &sum->terms[i];
        else
            alone = false;
    }
    if (!own || own->factor < 1 || bound->exact)
        return;
    bound->bounded = true;
    bool plain = alone && own->factor == 1 && !own->facts[1].kind;
    const IrSum *most =
        plain ? sum_add(b->arena, number(b, -1), -1, sum_settled(b->arena, sum)) : NULL;
    bool larger =
        sum_is_constant(bound->most, &old) && (!sum_is_constant(most, &limit) || limit >= old);
    bound->most = larger ? bound->most : most;
}

static ThreadBound find_bound(const Block *b, const CoverAccess *access, int axis)
{
    ThreadBound bound = { false, false, NULL };
    for (const Guard *guard = access->guards; guard; guard = guard->next) {
        bool less = guard->kind == GUARD_LT || guard->kind == GUARD_LE;
        bool closed = guard->kind == GUARD_LE || guard->kind == GUARD_GE;
        const IrSum *sum = sum_add(b->arena, guard->a, -1, guard->b);
        if (guard->kind == GUARD_NE)
            continue;
        if (guard->kind == GUARD_EQ) {
            const IrSum *below = sum_add(b->arena, sum, -1, number(b, 1));
            ThreadBound exact = { false, false, NULL };
            bound_thread(b, below, axis, &exact);
            bound_thread(b, negated(b, sum), axis, &exact);
            if (exact.bounded)
                bound = (ThreadBound){ true, exact.most != NULL, exact.most };
            continue;
        }
        sum = sum && !less ? negated(b, sum) : sum;
        bound_thread(b, sum && closed ? sum_add(b->arena, sum, -1, number(b, 1)) : sum, axis,
                     &bound);
    }
    return bound;
}

/* How many iterations a loop makes as far as its own condition says; NULL if that is no number. */
static const IrSum *find_trips(const Block *b, const CoverAccess *access, const IrFact *turn)
{
    for (const Guard *guard = access->guards; guard; guard = guard->next) {
        if (guard->kind != GUARD_LT && guard->kind != GUARD_LE)
            continue;
        const IrSum *sum = sum_add(b->arena, guard->a, -1, guard->b);
        const IrSum *loop = sum_fact(b->arena, FACT_ITERATION, turn->axis, turn->index);
        int64_t step = 0, rest;
        for (int i = 0; sum && i < sum->count; i++) {
            if (sum->terms[i].facts[0].kind == FACT_ITERATION && !sum->terms[i].facts[1].kind &&
                sum->terms[i].facts[0].index == turn->index)
                step = sum->terms[i].factor;
        }
        sum = step > 0 ? sum_add(b->arena, sum, -step, loop) : NULL;
        if (sum_is_constant(sum, &rest) && rest <= 0)
            return number(b, -rest / step + (guard->kind == GUARD_LE || -rest % step != 0));
    }
    return NULL;
}

/* Conditions that no smaller block serves. */
static void demand_threads(const Block *b, const CoverAccess *access)
{
    for (int axis = 0; axis < 3; axis++) {
        const ThreadBound bound = find_bound(b, access, axis);
        int64_t most;
        if (!sum_is_constant(bound.most, &most) || most < 1)
            continue;
        const IrSum *sum =
            sum_add(b->arena, sum_fact(b->arena, FACT_BLOCK, axis, 0), -1, number(b, most + 1));
        bool exact = bound.exact && access->sure && access->stores;
        demand(b, access, (IrFit){ FIT_LEAST, exact ? FIT_WARN : FIT_WISH, FIT_LOOSE, 0, 0, 0 },
               sum);
    }
}

/* ---- indices in their axes ------------------------------------------------------------------ */

/* The largest that a term of an index becomes; NULL if that is not known. */
static const IrSum *most_of_term(const Block *b, const CoverAccess *access, const IrTerm *term)
{
    int place = term_varying(term);
    if (place == -2)
        return NULL;
    if (place == -1)
        return sum_add(b->arena, number(b, 0), 1, term_without(b->arena, term, TERM_FACTS - 1));
    const IrSum *weight = term_without(b->arena, term, place), *most = NULL;
    const IrFact *fact = &term->facts[place];
    if (fact->kind == FACT_THREAD_AT) {
        const ThreadBound bound = find_bound(b, access, fact->axis);
        most = sum_add(b->arena, sum_fact(b->arena, FACT_BLOCK, fact->axis, 0), -1, number(b, 1));
        most = bound.bounded ? bound.most : most;
    } else if (fact->kind == FACT_ITERATION) {
        most = find_trips(b, access, fact);
        most = most ? sum_add(b->arena, most, -1, number(b, 1)) : NULL;
    }
    return term->factor < 0 ? number(b, 0) : sum_mul(b->arena, weight, most);
}

static const IrSum *most_of_index(const Block *b, const CoverAccess *access, int axis)
{
    const IrSum *index = access->index[axis], *most = number(b, 0);
    for (int i = 0; index && most && i < index->count; i++)
        most = sum_add(b->arena, most, 1, most_of_term(b, access, &index->terms[i]));
    return index ? most : NULL;
}

static const IrSum *extent_of(const Block *b, const IrVar *array, int axis)
{
    return array->kind == VAR_SHARED ? number(b, array->shape[axis])
                                     : sum_fact(b->arena, FACT_EXTENT, axis, array->param);
}

/* Threads do not reach beyond an axis. */
static void demand_room(const Block *b, const CoverAccess *access, int axis)
{
    const IrSum *most = most_of_index(b, access, axis);
    bool shared = access->array->kind == VAR_SHARED;
    if (!access->sure || !most)
        return;
    const IrSum *sum = sum_add(b->arena, most, -1, extent_of(b, access->array, axis));
    demand(b, access, (IrFit){ FIT_MOST, shared ? FIT_MUST : FIT_WISH, FIT_LOOSE, 0, 0, 0 },
           sum_add(b->arena, sum, 1, number(b, 1)));
}

/* ---- digits --------------------------------------------------------------------------------- */

static BlockDigit *digit_of(Digits *digits, const Block *b, const IrFact *fact)
{
    for (int i = 0; i < digits->count; i++) {
        const IrFact *own = &digits->of[i].fact;
        if (own->kind == fact->kind && own->axis == fact->axis && own->index == fact->index)
            return &digits->of[i];
    }
    if (digits->count == DIGITS)
        return NULL;
    BlockDigit *digit = &digits->of[digits->count++];
    *digit = (BlockDigit){ .fact = *fact, .weight = number(b, 0) };
    return digit;
}

/* Reads an index as digits; false if it has other parts. */
static bool read_digits(const Block *b, const CoverAccess *access, const IrSum *index,
                        Digits *digits)
{
    digits->count = 0;
    for (int i = 0; i < index->count; i++) {
        int place = term_varying(&index->terms[i]);
        if (place == -1)
            continue;
        BlockDigit *digit = place < 0 ? NULL : digit_of(digits, b, &index->terms[i].facts[place]);
        if (!digit)
            return false;
        digit->weight =
            sum_add(b->arena, digit->weight, 1, term_without(b->arena, &index->terms[i], place));
    }
    for (int i = 0; i < digits->count; i++) {
        BlockDigit *digit = &digits->of[i];
        if (!digit->weight)
            return false;
        if (digit->fact.kind == FACT_ITERATION && is_positive(negated(b, digit->weight)))
            digit->weight = negated(b, digit->weight); /* it goes the other way */
        if (digit->fact.kind == FACT_THREAD_AT)
            digit->range = sum_fact(b->arena, FACT_BLOCK, digit->fact.axis, 0);
        else if (digit->fact.kind == FACT_ITERATION)
            digit->range = find_trips(b, access, &digit->fact);
    }
    return true;
}

static bool is_end(const BlockDigit *digit)
{
    return digit->fact.kind == FACT_BLOCK_AT || !digit->range;
}

/* The digit that continues what others reach; NULL if none does. */
static BlockDigit *find_next(Digits *digits, const IrSum *reach)
{
    for (int i = 0; i < digits->count; i++) {
        if (!digits->of[i].used && sum_equal(digits->of[i].weight, reach))
            return &digits->of[i];
    }
    return NULL;
}

/* Goes from `reach` on over the digits that continue it, up to one without an end: true, and else
** what is reached. */
static bool go_on(const Block *b, Digits *digits, const IrSum **reach)
{
    for (BlockDigit *next; *reach && (next = find_next(digits, *reach)); next->used = true) {
        if (is_end(next))
            return true;
        *reach = sum_mul(b->arena, *reach, next->range);
    }
    return !*reach;
}

/* Whether a digit may be the next one above a thread's: the digits above it leave no gap, as far as
** numbers show. Sizes of the block are demanded by themselves. */
static bool may_follow(const Block *b, const Digits *digits, const BlockDigit *next)
{
    Digits rest = *digits;
    BlockDigit *own = &rest.of[next - digits->of];
    if (is_end(own))
        return true;
    own->used = true;
    const IrSum *reach = sum_mul(b->arena, own->weight, own->range);
    int64_t value;
    if (go_on(b, &rest, &reach) || !sum_is_constant(reach, &value))
        return true;
    for (int i = 0; i < rest.count; i++) {
        if (!rest.of[i].used && rest.of[i].weight && rest.of[i].fact.kind == FACT_BLOCK_AT)
            return false;
    }
    return true;
}

/* The lightest digit that is heavier than a thread's, and may follow it; NULL if there is none. */
static const BlockDigit *find_follower(const Block *b, const Digits *digits)
{
    const BlockDigit *best = NULL;
    int64_t lightest = INT64_MAX, weight;
    for (int i = 0; i < digits->count; i++) {
        const BlockDigit *digit = &digits->of[i];
        if (digit->used || !is_positive(digit->weight))
            continue;
        bool constant = sum_is_constant(digit->weight, &weight);
        if ((constant && (weight < 2 || weight >= lightest)) || (!constant && best) ||
            !may_follow(b, digits, digit))
            continue;
        best = digit;
        lightest = constant ? weight : INT64_MAX;
    }
    return best;
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

/* By how much an access of the same kind is ahead of another along an axis; NULL if they are not
** alike otherwise. */
static const IrSum *find_offset(const Block *b, const CoverAccess *one, const CoverAccess *other,
                                int axis)
{
    if (one->array != other->array || one->stores != other->stores)
        return NULL;
    for (int i = 0; i < one->rank; i++) {
        bool same = sum_equal(one->index[i], other->index[i]);
        if (i != axis && !same && (one->index[i] || other->index[i]))
            return NULL;
    }
    const IrSum *offset = sum_add(b->arena, other->index[axis], -1, one->index[axis]);
    return offset && sum_equal(offset, sum_settled(b->arena, offset)) ? offset : NULL;
}

/* The distance between offsets that lie evenly, one of which is 0; NULL if they do not. */
static const IrSum *find_distance(const Block *b, const IrSum *const *offsets, int count)
{
    int64_t numbers[OFFSETS + 1] = { 0 };
    if (count == 1 && !sum_is_constant(offsets[0], &numbers[1]))
        return is_positive(offsets[0]) ? offsets[0] : negated(b, offsets[0]);
    for (int i = 0; i < count; i++) {
        if (!sum_is_constant(offsets[i], &numbers[i + 1]))
            return NULL;
    }
    qsort(numbers, (size_t)count + 1, sizeof numbers[0], compare_numbers);
    for (int i = 2; i <= count; i++) {
        if (numbers[i] - numbers[i - 1] != numbers[1] - numbers[0])
            return NULL;
    }
    return number(b, numbers[1] - numbers[0]);
}

/* Makes a digit of the accesses that differ from this one by a constant. */
static void add_offsets(const Block *b, const CoverAccess *access, int axis, Digits *digits)
{
    const IrSum *offsets[OFFSETS];
    int count = 0;
    for (const CoverAccess *other = b->accesses; other; other = other->next) {
        const IrSum *offset = find_offset(b, access, other, axis);
        bool known = !offset || !offset->count;
        for (int i = 0; !known && i < count; i++)
            known = sum_equal(offsets[i], offset);
        if (known)
            continue;
        if (count == OFFSETS)
            return;
        offsets[count++] = offset;
    }
    const IrSum *distance = count ? find_distance(b, offsets, count) : NULL;
    if (distance && is_positive(distance) && digits->count < DIGITS)
        digits->of[digits->count++] =
            (BlockDigit){ .weight = distance, .range = number(b, count + 1) };
}

/* ---- how many threads there are room for ---------------------------------------------------- */

/* How firmly an access demands that a digit follows a thread's. */
static IrFit fit_of(const CoverAccess *access, const BlockDigit *next)
{
    int64_t weight;
    bool constant = sum_is_constant(next->weight, &weight);
    bool block = next->fact.kind == FACT_BLOCK_AT, thread = next->fact.kind == FACT_THREAD_AT;
    IrFit fit = { .kind = access->stores ? FIT_EQUAL : FIT_LEAST, .force = FIT_WISH };
    if (access->array->kind == VAR_SHARED) {
        fit.kind = FIT_MOST;
        return fit;
    }
    if (access->sure && (block || (constant && (thread || access->stores))))
        fit.force =
            access->stores && constant && !next->used && (block || thread) ? FIT_MUST : FIT_WARN;
    fit.tight = block || (thread && constant) ? FIT_TIGHT : constant ? FIT_CLOSE : FIT_LOOSE;
    return fit;
}

/* What the digits above a thread's demand. */
static void demand_digit(const Block *b, const CoverAccess *access, const Digits *all, int own)
{
    Digits digits = *all;
    const IrSum *unit = all->of[own].weight;
    const IrSum *reach = digits.of[own].range;
    digits.of[own].used = true;
    for (int i = 0; i < digits.count; i++)
        digits.of[i].weight = sum_divide(b->arena, digits.of[i].weight, unit);
    if (go_on(b, &digits, &reach))
        return;
    const BlockDigit *next = find_follower(b, &digits);
    if (next)
        demand(b, access, fit_of(access, next), sum_add(b->arena, reach, -1, next->weight));
}

static void demand_digits(const Block *b, const CoverAccess *access, int axis)
{
    Digits digits;
    const IrSum *index = access->index[axis];
    bool shared = access->array->kind == VAR_SHARED;
    if (!index || (shared && (!access->stores || access->atomic)) ||
        !read_digits(b, access, index, &digits))
        return;
    bool falls = false;
    for (int i = 0; i < digits.count; i++)
        falls |= digits.of[i].fact.kind == FACT_THREAD_AT && !is_positive(digits.of[i].weight);
    if (falls && !read_digits(b, access, negated(b, index), &digits))
        return;
    if (!shared)
        add_offsets(b, access, axis, &digits);
    for (int i = 0; i < digits.count; i++) {
        const BlockDigit *digit = &digits.of[i];
        if (digit->fact.kind == FACT_THREAD_AT && is_positive(digit->weight) &&
            !find_bound(b, access, digit->fact.axis).bounded)
            demand_digit(b, access, &digits, i);
    }
}

/* ---- what is loaded from shared arrays is stored -------------------------------------------- */

/* How far stores reach along an axis of a shared array; NULL if that is not known. */
static const IrSum *find_stored(const Block *b, const IrVar *array, int axis)
{
    const CoverAccess *store = NULL;
    Digits digits;
    for (const CoverAccess *access = b->accesses; access; access = access->next) {
        if (access->array != array || !access->stores || access->atomic)
            continue;
        if (!access->index[axis] || (store && !sum_equal(access->index[axis], store->index[axis])))
            return NULL;
        store = access;
        for (int k = 0; k < 3; k++) {
            if (find_bound(b, access, k).bounded)
                return NULL;
        }
    }
    if (!store || !read_digits(b, store, store->index[axis], &digits))
        return NULL;
    const IrSum *reach = number(b, 1);
    if (go_on(b, &digits, &reach))
        return NULL;
    for (int i = 0; i < digits.count; i++) {
        if (!digits.of[i].used)
            return NULL;
    }
    return sum_add(b->arena, reach, 1, sum_settled(b->arena, store->index[axis]));
}

static void demand_stored(const Block *b, const CoverAccess *load, int axis)
{
    const IrSum *stored = find_stored(b, load->array, axis);
    const IrSum *most = stored ? most_of_index(b, load, axis) : NULL;
    const IrSum *sum = most ? sum_add(b->arena, stored, -1, most) : NULL;
    demand(b, load, (IrFit){ FIT_LEAST, load->sure ? FIT_WARN : FIT_WISH, FIT_TIGHT, 0, 0, 0 },
           sum ? sum_add(b->arena, sum, -1, number(b, 1)) : NULL);
}

void cover_block(Arena *arena, const CoverAccess *accesses, IrCovers *covers)
{
    const Block block = { arena, accesses, covers };
    for (const CoverAccess *access = accesses; access; access = access->next) {
        if (access->stores)
            demand_threads(&block, access);
        for (int axis = 0; axis < access->rank; axis++) {
            demand_room(&block, access, axis);
            demand_digits(&block, access, axis);
            if (!access->stores && access->array->kind == VAR_SHARED)
                demand_stored(&block, access, axis);
        }
    }
}
