/* When a store that happens under known guards reaches every element of its array.
**
** Every element needs a witness: a thread and iterations of the loops around the store that compute
** just its indices and pass all guards. An index is read as digits, each what differs within a
** launch (a thread's index in its block, a block's in the grid, an iteration) times a weight.
** Digits of growing weight, none more than the numbers below it leave room for, reach every number
** up to the sum of what each can be; two indices have no digit in common, so each is chosen by
** itself. What is no digit of an index is 0 in the witness: the first thread, the first iteration.
**
** A guard then compares what is known of the witness: an index, which lies in its axis; a digit,
** which lies in its range; or what is settled once the rest is 0. An iteration's range is what its
** loop's guard says; it may have no end where that guard is of the index itself, or of nothing
** used. Guards are monotonous in iterations, so earlier iterations of the witness's loops pass
** where it does.
**
** A part of an array is asked for in the same way: what a store reaches whose conditions on its own
** index leave out the first elements, or the last ones. Its index may begin at a number that is the
** same for all threads, and what its conditions let through is all that it is to reach.
**
** Several digits are one where a guard bounds their sum, as `x < w` of `dst[y * w + x]` does, with
** x = blockDim.x * blockIdx.x + threadIdx.x: in the index the sum has a weight of its own, it is
** less than the guard's limit, and its own digits, in weights of their own, are to reach that
** limit. So every number below it is the sum of digits that are in their ranges.
**
** An index that counts down is read from the axis's end.
**
** All this is in exact numbers, and the machine's are of 64 bits: indices and digits of the witness
** fit, and a limit is only trusted where its exact value fits, which is checked at evaluation. */
#include "ir/predict/cover_parts.h"

enum { DIGITS = 16, NEEDS = 16, WAYS = 4, AXES = 8 };

typedef struct Digit {
    IrFact fact; /* FACT_NONE: it is the sum of others */
    int axis;    /* of the array, whose index it belongs to */
    const IrSum *weight;
    const IrSum *range; /* it is less than that; NULL: it has no end */
    const IrSum *sum;   /* of others; else NULL */
    int part_of;        /* the digit that is a sum of this one and others; -1: none */
    const IrSum *share; /* and its weight there */
    bool done;
} Digit;

typedef struct Solver {
    Arena *arena;
    const Write *write;
    Digit digits[DIGITS];
    int digit_count;
    const IrSum *left[NEEDS], *right[NEEDS];
    int need_count;
    bool part;
    const IrSum *start[AXES]; /* of a part: where the index of an axis begins */
    const IrSum *end[AXES];   /* and where a condition ends it; NULL: none does */
    bool failed;
} Solver;

/* ---- what must hold ------------------------------------------------------------------------- */

/* A number that a sum never falls below, being an extent or a small number of threads or blocks
** that fits 64 bits however large the launch; INT64_MIN if none is known. */
static int64_t least(const IrSum *sum)
{
    const IrTerm *term = &sum->terms[0];
    if (sum->count != 1 || term->factor < 1 || term->facts[2].kind)
        return INT64_MIN;
    if (term->facts[0].kind == FACT_EXTENT && !term->facts[1].kind && term->factor == 1)
        return 0;
    for (int i = 0; i < 2; i++) {
        IrFactKind kind = term->facts[i].kind;
        if (kind != FACT_BLOCK && kind != FACT_GRID && kind != FACT_NONE)
            return INT64_MIN;
    }
    bool small = term->facts[0].kind != FACT_GRID || !term->facts[1].kind;
    return term->factor == 1 || (small && term->factor <= 65536) ? term->factor : INT64_MIN;
}

/* Whether left >= right is certain already. */
static bool is_certain(Solver *s, const IrSum *left, const IrSum *right)
{
    int64_t more, number;
    if (sum_is_constant(right, &number) && number <= least(left))
        return true;
    if (!sum_is_constant(sum_add(s->arena, left, -1, right), &more))
        return false;
    if (more < 0)
        s->failed = true;
    return more == 0 || (more > 0 && sum_is_constant(left, &number));
}

static void need(Solver *s, const IrSum *left, const IrSum *right)
{
    if (!left || !right || s->need_count == NEEDS) {
        s->failed = true;
        return;
    }
    if (is_certain(s, left, right))
        return;
    for (int i = 0; i < s->need_count; i++) {
        if (sum_equal(s->left[i], left) && sum_equal(s->right[i], right))
            return;
    }
    s->left[s->need_count] = left;
    s->right[s->need_count++] = right;
}

static const IrSum *number(const Solver *s, int64_t value)
{
    return sum_constant(s->arena, value);
}

static const IrSum *one_more(const Solver *s, const IrSum *sum)
{
    return sum_add(s->arena, sum, 1, number(s, 1));
}

static const IrSum *extent(const Solver *s, int axis)
{
    return write_extent(s->arena, s->write, axis);
}

/* ---- digits --------------------------------------------------------------------------------- */

static bool same_fact(const IrFact *a, const IrFact *b)
{
    return a->kind == b->kind && a->axis == b->axis && a->index == b->index;
}

static Digit *find_digit(Solver *s, const IrFact *fact)
{
    for (int i = 0; i < s->digit_count; i++) {
        if (!s->digits[i].sum && same_fact(&s->digits[i].fact, fact))
            return &s->digits[i];
    }
    return NULL;
}

/* A digit that the index of an axis has with weight 0, so far; NULL if another axis has it. */
static Digit *digit_of(Solver *s, const IrFact *fact, int axis)
{
    Digit *digit = find_digit(s, fact);
    if (digit || s->digit_count == DIGITS)
        return digit && digit->axis == axis ? digit : NULL;
    const IrSum *range = NULL;
    if (fact->kind == FACT_THREAD_AT)
        range = sum_fact(s->arena, FACT_BLOCK, fact->axis, 0);
    else if (fact->kind == FACT_BLOCK_AT)
        range = sum_fact(s->arena, FACT_GRID, fact->axis, 0);
    digit = &s->digits[s->digit_count++];
    *digit = (Digit){
        .fact = *fact, .axis = axis, .weight = number(s, 0), .range = range, .part_of = -1
    };
    return digit;
}

/* Reads an index as digits. */
static void read_index(Solver *s, int axis)
{
    const IrSum *index = s->write->index[axis];
    s->start[axis] = sum_settled(s->arena, index);
    for (int i = 0; i < index->count && !s->failed; i++) {
        int place = term_varying(&index->terms[i]);
        if (place == -1 && s->part)
            continue;
        Digit *digit = place < 0 ? NULL : digit_of(s, &index->terms[i].facts[place], axis);
        if (digit)
            digit->weight = sum_add(s->arena, digit->weight, 1,
                                    term_without(s->arena, &index->terms[i], place));
        s->failed |= !digit || !digit->weight;
    }
}

/* ---- digits that are sums ------------------------------------------------------------------- */

static Digit *find_sum(Solver *s, const IrSum *sum)
{
    for (int i = 0; i < s->digit_count; i++) {
        if (s->digits[i].sum && sum_equal(s->digits[i].sum, sum))
            return &s->digits[i];
    }
    return NULL;
}

/* The digit that a term of a sum has, and its weight there; NULL where one has no such digit, or
** one that is a part of another sum. */
static Digit *digit_in_term(Solver *s, const IrTerm *term, const IrSum **share)
{
    int place = term_varying(term);
    Digit *digit = place < 0 ? NULL : find_digit(s, &term->facts[place]);
    *share = digit ? term_without(s->arena, term, place) : NULL;
    return *share && digit->part_of < 0 ? digit : NULL;
}

/* The weight of a sum in the index that has its terms' digits: each digit's there is that times its
** own in the sum. NULL if there is none. */
static const IrSum *weight_of_sum(Solver *s, const IrSum *sum, int *axis)
{
    const IrSum *weight = NULL;
    for (int i = 0; i < sum->count; i++) {
        const IrSum *share;
        const Digit *digit = digit_in_term(s, &sum->terms[i], &share);
        if (!digit || (i && digit->axis != *axis))
            return NULL;
        if (!i)
            weight = sum_divide(s->arena, digit->weight, share);
        const IrSum *whole = weight ? sum_mul(s->arena, weight, share) : NULL;
        if (!whole || !sum_equal(whole, digit->weight))
            return NULL;
        *axis = digit->axis;
    }
    return weight;
}

/* Whether each term of a sum has a digit of its own. */
static bool has_each_once(Solver *s, const IrSum *sum)
{
    const IrSum *share;
    for (int i = 0; i < sum->count; i++) {
        for (int k = 0; k < i; k++) {
            if (digit_in_term(s, &sum->terms[i], &share) ==
                digit_in_term(s, &sum->terms[k], &share))
                return false;
        }
    }
    return true;
}

/* Makes one digit of those of a sum that a guard bounds; false if they are not alone in an
** index. */
static bool joins_digits(Solver *s, GuardKind kind, const IrSum *sum, const IrSum *limit)
{
    int axis = -1;
    if ((kind != GUARD_LT && kind != GUARD_LE) || sum->count < 2 || find_sum(s, sum) ||
        s->digit_count == DIGITS || !has_each_once(s, sum))
        return false;
    const IrSum *weight = weight_of_sum(s, sum, &axis), *share;
    if (!weight || !weight->count)
        return false;
    for (int i = 0; i < sum->count; i++) {
        Digit *digit = digit_in_term(s, &sum->terms[i], &share);
        digit->part_of = s->digit_count;
        digit->share = share;
    }
    Digit *joined = &s->digits[s->digit_count++];
    *joined = (Digit){ .axis = axis, .weight = weight, .sum = sum, .part_of = -1 };
    joined->range = kind == GUARD_LT ? limit : one_more(s, limit);
    need(s, joined->range, number(s, 1));
    return true;
}

/* ---- guards --------------------------------------------------------------------------------- */

static bool is_zero(Solver *s, const IrTerm *term)
{
    for (int i = 0; i < TERM_FACTS; i++) {
        if (term->facts[i].kind >= FACT_THREAD_AT && !find_digit(s, &term->facts[i]))
            return true;
    }
    return false;
}

/* A sum in the witness, where what is no digit is 0. */
static const IrSum *in_witness(Solver *s, const IrSum *sum)
{
    for (int i = 0; i < sum->count; i++) {
        if (is_zero(s, &sum->terms[i])) {
            IrSum *term = arena_alloc(s->arena, sizeof *term + sizeof term->terms[0]);
            term->count = 1;
            term->terms[0] = sum->terms[i];
            return in_witness(s, sum_add(s->arena, sum, -1, term));
        }
    }
    return sum;
}

static bool is_settled(Solver *s, const IrSum *sum)
{
    return sum_equal(sum, sum_settled(s->arena, sum));
}

/* The digit that a sum is, and nothing else. */
static Digit *as_digit(Solver *s, const IrSum *sum)
{
    bool plain = sum->count == 1 && sum->terms[0].factor == 1 && !sum->terms[0].facts[1].kind;
    return plain ? find_digit(s, &sum->terms[0].facts[0]) : NULL;
}

/* Sets *begin and *end to what a sum lies between in every witness; false if that is not known. */
static bool find_range(Solver *s, const IrSum *sum, const IrSum **begin, const IrSum **end)
{
    *begin = number(s, 0);
    for (int axis = 0; axis < s->write->rank; axis++) {
        *end = extent(s, axis);
        if (sum_equal(sum, s->write->index[axis]))
            return true;
    }
    const Digit *digit = as_digit(s, sum);
    digit = digit ? digit : find_sum(s, sum);
    if (digit)
        return (*end = digit->range) != NULL;
    *begin = sum;
    *end = one_more(s, sum);
    return is_settled(s, sum);
}

/* Takes a loop's guard for the range of its iterations, if they are a digit that has none yet. */
static bool sets_range(Solver *s, GuardKind kind, const IrSum *sum, const IrSum *limit)
{
    Digit *digit = as_digit(s, sum);
    if (!digit || digit->range || (kind != GUARD_LT && kind != GUARD_LE))
        return false;
    digit->range = kind == GUARD_LT ? limit : one_more(s, limit);
    need(s, digit->range, number(s, 1));
    return true;
}

static bool is_index(const Solver *s, const IrSum *sum)
{
    for (int axis = 0; axis < s->write->rank; axis++) {
        if (sum_equal(sum, s->write->index[axis]))
            return true;
    }
    return false;
}

/* Takes a guard for one end of the part that is asked for, if it is of an index. */
static bool sets_end(Solver *s, GuardKind kind, const IrSum *sum, const IrSum *limit)
{
    for (int axis = 0; axis < s->write->rank; axis++) {
        const IrSum *ahead = sum_add(s->arena, sum, -1, s->write->index[axis]);
        if (!ahead || !is_settled(s, ahead))
            continue;
        if (kind == GUARD_GT || kind == GUARD_GE || kind == GUARD_NE)
            return true;
        limit = sum_add(s->arena, kind == GUARD_LT ? limit : one_more(s, limit), -1, ahead);
        s->failed |= kind == GUARD_EQ || (s->end[axis] && !sum_equal(s->end[axis], limit));
        s->end[axis] = limit;
        return true;
    }
    return false;
}

/* What makes `sum` compare with a limit as the guard requires, in every witness. */
static void compare(Solver *s, GuardKind kind, bool is_unsigned, const IrSum *sum,
                    const IrSum *limit)
{
    const IrSum *begin, *end;
    if (s->part && sets_end(s, kind, sum, limit))
        return;
    if (!is_index(s, sum) && (sets_range(s, kind, sum, limit) || joins_digits(s, kind, sum, limit)))
        return;
    if (kind == GUARD_NE || !find_range(s, sum, &begin, &end)) {
        s->failed = true;
        return;
    }
    if (is_unsigned) { /* what is not negative compares alike */
        need(s, begin, number(s, 0));
        need(s, limit, number(s, 0));
    }
    if (kind == GUARD_LT)
        need(s, limit, end);
    if (kind == GUARD_LE || kind == GUARD_EQ)
        need(s, one_more(s, limit), end);
    if (kind == GUARD_GE || kind == GUARD_EQ)
        need(s, begin, limit);
    if (kind == GUARD_GT)
        need(s, begin, one_more(s, limit));
}

static void pass_guard(Solver *s, const Guard *guard)
{
    static const GuardKind mirrored[] = {
        [GUARD_LT] = GUARD_GT, [GUARD_LE] = GUARD_GE, [GUARD_GT] = GUARD_LT,
        [GUARD_GE] = GUARD_LE, [GUARD_EQ] = GUARD_EQ, [GUARD_NE] = GUARD_NE
    };
    const IrSum *a = in_witness(s, guard->a), *b = in_witness(s, guard->b);
    if (is_settled(s, b))
        compare(s, guard->kind, guard->is_unsigned, a, b);
    else if (is_settled(s, a))
        compare(s, mirrored[guard->kind], guard->is_unsigned, b, a);
    else
        s->failed = true;
}

/* ---- how far the digits reach --------------------------------------------------------------- */

/* Its weight in the index, or in the sum that it is a part of. */
static const IrSum *weight_of_digit(const Digit *digit)
{
    return digit->part_of < 0 ? digit->weight : digit->share;
}

/* The next digit of an index, or of a sum, to put on top of those that reach up to `reach`: one
** that continues them, else the lightest whose weight is a number, else any; NULL if none is
** left. */
static Digit *next_digit(Solver *s, int axis, int part_of, const IrSum *reach)
{
    Digit *best = NULL;
    int64_t lightest = INT64_MAX, weight;
    for (int i = 0; i < s->digit_count; i++) {
        Digit *digit = &s->digits[i];
        if (digit->axis != axis || digit->part_of != part_of || digit->done)
            continue;
        if (sum_equal(weight_of_digit(digit), reach))
            return digit;
        bool constant = sum_is_constant(weight_of_digit(digit), &weight);
        if (!best || (constant && weight < lightest)) {
            best = digit;
            lightest = constant ? weight : INT64_MAX;
        }
    }
    return best;
}

/* Up to where the digits of an index reach, or of a sum, and what makes them reach every number
** below that; NULL if there is no end, or it failed. */
static const IrSum *reach_of(Solver *s, int axis, int part_of)
{
    const IrSum *reach = number(s, 1);
    for (Digit *digit; !s->failed && (digit = next_digit(s, axis, part_of, reach));) {
        const IrSum *weight = weight_of_digit(digit);
        bool continues = sum_equal(weight, reach);
        digit->done = true;
        need(s, weight, number(s, 1));
        need(s, reach, weight);
        if (!digit->range)
            return NULL;
        const IrSum *most = sum_add(s->arena, digit->range, -1, number(s, 1));
        reach = continues ? sum_mul(s->arena, reach, digit->range)
                          : sum_add(s->arena, reach, 1, sum_mul(s->arena, weight, most));
        s->failed |= !reach;
    }
    return reach;
}

/* What makes the digits of each sum reach what bounds it. */
static void reach_sums(Solver *s)
{
    for (int i = 0; i < s->digit_count && !s->failed; i++) {
        const IrSum *reach = s->digits[i].sum ? reach_of(s, s->digits[i].axis, i) : NULL;
        if (reach)
            need(s, reach, s->digits[i].range);
    }
}

/* What makes an index reach all of its axis. */
static void reach_axis(Solver *s, int axis)
{
    const IrSum *reach = reach_of(s, axis, -1);
    if (!reach)
        return;
    if (s->part)
        reach = sum_add(s->arena, reach, 1, s->start[axis]);
    need(s, reach, s->end[axis] ? s->end[axis] : extent(s, axis));
}

/* ---- the answer ----------------------------------------------------------------------------- */

void cover_keep_sum(Arena *arena, IrCovers *covers, const IrSum *sum, int *first, int *count)
{
    *first = covers->term_count;
    *count = sum->count;
    for (int i = 0; i < sum->count; i++)
        array_push(arena, covers->terms, covers->term_count, covers->term_capacity) = sum->terms[i];
}

static void keep_way(const Solver *s, IrCovers *covers)
{
    IrCover way = { s->write->param, covers->need_count, s->need_count, false, s->part };
    for (int i = 0; i < s->need_count; i++) {
        IrNeed kept;
        cover_keep_sum(s->arena, covers, s->left[i], &kept.left, &kept.left_count);
        cover_keep_sum(s->arena, covers, s->right[i], &kept.right, &kept.right_count);
        array_push(s->arena, covers->needs, covers->need_count, covers->need_capacity) = kept;
    }
    array_push(s->arena, covers->ways, covers->way_count, covers->way_capacity) = way;
}

static bool is_kept_sum(const IrCovers *covers, int first, int count, const IrSum *sum)
{
    if (count != sum->count)
        return false;
    for (int i = 0; i < count; i++) {
        const IrTerm *a = &covers->terms[first + i], *b = &sum->terms[i];
        if (a->factor != b->factor)
            return false;
        for (int k = 0; k < TERM_FACTS; k++) {
            if (!same_fact(&a->facts[k], &b->facts[k]))
                return false;
        }
    }
    return true;
}

static bool needs_too(const Solver *s, const IrCovers *covers, const IrNeed *kept)
{
    for (int i = 0; i < s->need_count; i++) {
        if (is_kept_sum(covers, kept->left, kept->left_count, s->left[i]) &&
            is_kept_sum(covers, kept->right, kept->right_count, s->right[i]))
            return true;
    }
    return false;
}

/* Whether a way that is kept needs nothing that this one does not, or there are enough. */
static bool is_superfluous(const Solver *s, const IrCovers *covers)
{
    int same = 0;
    for (int i = 0; i < covers->way_count; i++) {
        const IrCover *way = &covers->ways[i];
        int shared = 0;
        if (way->param != s->write->param)
            continue;
        for (int k = 0; k < way->count; k++)
            shared += needs_too(s, covers, &covers->needs[way->first + k]);
        if (shared == way->count || ++same == WAYS)
            return true;
    }
    return false;
}

/* Whether an index only becomes less along whatever differs within a launch. */
static bool counts_down(const IrSum *index)
{
    bool any = false;
    for (int i = 0; i < index->count; i++) {
        bool varies = term_varying(&index->terms[i]) != -1;
        if (varies && index->terms[i].factor > 0)
            return false;
        any |= varies;
    }
    return any;
}

/* A store that reaches every element where `write` does: axes are numbered from their ends along
** which it counts down, as in `out[out.size - 1 - i]`. */
static const Write *mirrored(Arena *arena, const Write *write)
{
    const IrSum **index = arena_array(arena, const IrSum *, write->rank + 1);
    Write *turned = arena_new(arena, Write);
    *turned = *write;
    turned->index = index;
    for (int axis = 0; axis < write->rank; axis++) {
        const IrSum *extent = write_extent(arena, write, axis),
                    *last = sum_add(arena, extent, -1, sum_constant(arena, 1));
        index[axis] = counts_down(write->index[axis]) ? sum_add(arena, last, -1, write->index[axis])
                                                      : write->index[axis];
        if (!index[axis])
            return write;
    }
    return turned;
}

static void solve(Arena *arena, const Write *write, bool part, IrCovers *covers)
{
    Solver s = {
        .arena = arena, .write = mirrored(arena, write), .part = part, .failed = write->rank > AXES
    };
    for (int axis = 0; axis < write->rank && !s.failed; axis++)
        read_index(&s, axis);
    for (const Guard *guard = write->guards; guard && !s.failed; guard = guard->next)
        pass_guard(&s, guard);
    reach_sums(&s);
    for (int axis = 0; axis < write->rank && !s.failed; axis++)
        reach_axis(&s, axis);
    if (!s.failed && !is_superfluous(&s, covers))
        keep_way(&s, covers);
}

void cover_solve(Arena *arena, const Write *write, IrCovers *covers)
{
    solve(arena, write, false, covers);
}

void cover_solve_part(Arena *arena, const Write *write, IrCovers *covers)
{
    solve(arena, write, true, covers);
}
