/* Sums of products of facts, in a normal form: equal sums are equal term by term.
**
** They stand for 64-bit integers as the machine computes them. Adding and multiplying wraps there,
** so where a sum's exact value is one of 64 bits, that is what the machine has. */
#include "ir/predict/cover_parts.h"

typedef struct SumBuilder {
    IrTerm terms[SUM_TERMS];
    int count;
    bool loose;
    bool failed; /* too long, or too large a factor */
} SumBuilder;

static int compare_facts(const IrFact *a, const IrFact *b)
{
    if (a->kind != b->kind) /* what is empty comes last */
        return !a->kind ? 1 : !b->kind ? -1 : a->kind < b->kind ? -1 : 1;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return a->axis == b->axis ? 0 : a->axis < b->axis ? -1 : 1;
}

static int compare_terms(const IrTerm *a, const IrTerm *b)
{
    int order = 0;
    for (int i = 0; i < TERM_FACTS && !order; i++)
        order = compare_facts(&a->facts[i], &b->facts[i]);
    return order;
}

static void remove_term(SumBuilder *b, int at)
{
    b->count--;
    memmove(&b->terms[at], &b->terms[at + 1], sizeof b->terms[0] * (size_t)(b->count - at));
}

static void insert_term(SumBuilder *b, int at, const IrTerm *term)
{
    if (b->count == SUM_TERMS) {
        b->failed = true;
        return;
    }
    memmove(&b->terms[at + 1], &b->terms[at], sizeof b->terms[0] * (size_t)(b->count - at));
    b->terms[at] = *term;
    b->count++;
}

static void add_term(SumBuilder *b, const IrTerm *term)
{
    int at = 0;
    while (at < b->count && compare_terms(&b->terms[at], term) < 0)
        at++;
    if (at == b->count || compare_terms(&b->terms[at], term) != 0)
        insert_term(b, at, term);
    else if (__builtin_add_overflow(b->terms[at].factor, term->factor, &b->terms[at].factor))
        b->failed = true;
    if (!b->failed && b->terms[at].factor == 0)
        remove_term(b, at);
}

static const IrSum *finish(Arena *arena, const SumBuilder *b)
{
    if (b->failed)
        return NULL;
    size_t bytes = sizeof b->terms[0] * (size_t)b->count;
    IrSum *sum = arena_alloc(arena, sizeof *sum + bytes);
    sum->count = b->count;
    sum->loose = b->loose;
    if (bytes)
        memcpy(sum->terms, b->terms, bytes);
    return sum;
}

static const IrSum *single(Arena *arena, const IrTerm *term)
{
    SumBuilder b = { .count = 0 };
    add_term(&b, term);
    return finish(arena, &b);
}

const IrSum *sum_constant(Arena *arena, int64_t value)
{
    return single(arena, &(IrTerm){ .factor = value });
}

const IrSum *sum_fact(Arena *arena, IrFactKind kind, int axis, int index)
{
    IrFact fact = { (uint16_t)kind, (uint16_t)axis, index };
    return single(arena, &(IrTerm){ .factor = 1, .facts = { fact } });
}

const IrSum *sum_loose(Arena *arena, const IrSum *sum)
{
    if (!sum || sum->loose)
        return sum;
    size_t bytes = sizeof *sum + sizeof sum->terms[0] * (size_t)sum->count;
    IrSum *copy = arena_alloc(arena, bytes);
    memcpy(copy, sum, bytes);
    copy->loose = true;
    return copy;
}

const IrSum *sum_add(Arena *arena, const IrSum *a, int64_t scale, const IrSum *b)
{
    SumBuilder sum = { .count = 0 };
    if (!a || !b)
        return NULL;
    sum.loose = a->loose || b->loose;
    for (int i = 0; i < a->count; i++)
        add_term(&sum, &a->terms[i]);
    for (int i = 0; i < b->count && !sum.failed; i++) {
        IrTerm term = b->terms[i];
        sum.failed = __builtin_mul_overflow(term.factor, scale, &term.factor);
        if (!sum.failed)
            add_term(&sum, &term);
    }
    return finish(arena, &sum);
}

/* Both terms' facts, in order; false if they are too many. */
static bool multiply(const IrTerm *a, const IrTerm *b, IrTerm *out)
{
    int i = 0, k = 0;
    for (int at = 0; at < TERM_FACTS; at++) {
        bool first =
            k == TERM_FACTS || (i < TERM_FACTS && compare_facts(&a->facts[i], &b->facts[k]) <= 0);
        out->facts[at] = first ? a->facts[i++] : b->facts[k++];
    }
    bool rest = (i < TERM_FACTS && a->facts[i].kind) || (k < TERM_FACTS && b->facts[k].kind);
    return !rest && !__builtin_mul_overflow(a->factor, b->factor, &out->factor);
}

const IrSum *sum_mul(Arena *arena, const IrSum *a, const IrSum *b)
{
    SumBuilder sum = { .count = 0 };
    if (!a || !b)
        return NULL;
    sum.loose = a->loose || b->loose;
    for (int i = 0; i < a->count * b->count && !sum.failed; i++) {
        IrTerm term;
        sum.failed = !multiply(&a->terms[i / b->count], &b->terms[i % b->count], &term);
        if (!sum.failed)
            add_term(&sum, &term);
    }
    return finish(arena, &sum);
}

/* One term by another; false if that does not divide it. */
static bool divide_term(const IrTerm *a, const IrTerm *b, IrTerm *out)
{
    int at = 0, k = 0;
    *out = (IrTerm){ .factor = a->factor / b->factor };
    if (b->factor < 1 || a->factor % b->factor)
        return false;
    for (int i = 0; i < TERM_FACTS && a->facts[i].kind; i++) {
        if (k < TERM_FACTS && b->facts[k].kind && !compare_facts(&a->facts[i], &b->facts[k]))
            k++;
        else
            out->facts[at++] = a->facts[i];
    }
    return k == TERM_FACTS || !b->facts[k].kind;
}

const IrSum *sum_divide(Arena *arena, const IrSum *a, const IrSum *b)
{
    SumBuilder quotient = { .count = 0 };
    if (!a || !b || b->count != 1)
        return NULL;
    for (int i = 0; i < a->count; i++) {
        IrTerm term;
        if (!divide_term(&a->terms[i], &b->terms[0], &term))
            return NULL;
        add_term(&quotient, &term);
    }
    return finish(arena, &quotient);
}

bool sum_equal(const IrSum *a, const IrSum *b)
{
    if (!a || !b || a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++) {
        if (a->terms[i].factor != b->terms[i].factor || compare_terms(&a->terms[i], &b->terms[i]))
            return false;
    }
    return true;
}

bool sum_is_constant(const IrSum *sum, int64_t *value)
{
    if (!sum || sum->count > 1 || (sum->count && sum->terms[0].facts[0].kind))
        return false;
    *value = sum->count ? sum->terms[0].factor : 0;
    return true;
}

int term_varying(const IrTerm *term)
{
    int found = -1;
    for (int i = 0; i < TERM_FACTS; i++) {
        if (term->facts[i].kind >= FACT_THREAD_AT)
            found = found == -1 ? i : -2;
    }
    return found;
}

const IrSum *term_without(Arena *arena, const IrTerm *term, int place)
{
    IrTerm rest = *term;
    for (int i = place; i < TERM_FACTS; i++)
        rest.facts[i] = i + 1 < TERM_FACTS ? term->facts[i + 1] : (IrFact){ 0 };
    return single(arena, &rest);
}

const IrSum *sum_settled(Arena *arena, const IrSum *sum)
{
    SumBuilder b = { .count = 0 };
    for (int i = 0; i < sum->count; i++) {
        if (term_varying(&sum->terms[i]) == -1)
            add_term(&b, &sum->terms[i]);
    }
    return finish(arena, &b);
}
