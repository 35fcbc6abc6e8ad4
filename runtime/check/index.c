/* Indices that are in range although arithmetic they were computed from has wrapped.
**
** Arithmetic that must not wrap is reported when it does; the use of the index only completes that
** finding. Narrowing to an unsigned type may be intended, which the axis decides: it is if the axis
** has as many elements as the type has values or, where the number goes into the index through more
** arithmetic and was computed from data, like a digit of a sort key, a multiple of that. */
#include "runtime/check/run.h"

/* An operation that has wrapped, by its bit. */
typedef struct Wrap {
    CheckEvent at;
    int64_t a;
    int bits;
    bool cut;  /* it may be intended; else it was reported */
    bool data; /* it was computed from elements of arrays */
} Wrap;

static Wrap *open_wraps(Wrap **wraps)
{
    if (!*wraps)
        *wraps = memory_zeroed(CHECK_WRAPS, sizeof **wraps);
    return *wraps;
}

void index_cut(KjitCheck *c, int site, int number, bool stored, bool data, int64_t a, int bits)
{
    Thread *t = (Thread *)c;
    CheckRun *run = t->run;

    if (stored && run->stored_wraps >> number & 1)
        return;
    Wrap *wraps = open_wraps(stored ? &run->wraps : &t->wraps);
    if (!wraps)
        return;
    wraps[number] =
        (Wrap){ .at = find_event(t, site, 0), .a = a, .bits = bits, .cut = true, .data = data };
    if (stored)
        run->stored_wraps |= 1u << number;
}

void index_wrapped(Thread *t, int site)
{
    int number = t->run->request->sites[site].wraps - 1;

    if (number < 0 || !open_wraps(&t->wraps))
        return;
    t->wraps[number] = (Wrap){ .at = find_event(t, site, 0) };
    t->front.wraps |= 1u << number;
}

static bool is_meant(const Wrap *wrap, bool whole, int64_t extent)
{
    int64_t numbers = wrap->bits < 63 ? (int64_t)1 << wrap->bits : INT64_MAX;

    return extent == numbers || (!whole && wrap->data && extent % numbers == 0);
}

static void report(Thread *t, int site, const Wrap *wrap)
{
    CheckFinding *found = find_add(t->run, FOUND_INDEX_OVERFLOW, wrap->at.site, -1);
    CheckEvent used = find_event(t, site, 0);

    if (!found) {
        found = find_known(t->run, FOUND_INDEX_OVERFLOW, wrap->at.site, -1);
        if (found && found->other.site < 0 && used.site != wrap->at.site)
            found->other = used;
        return;
    }
    const char *name = t->run->request->sites[site].array;
    found->at = wrap->at;
    found->other = used;
    snprintf(found->element, sizeof found->element, "%.40s", name ? name : "");
    snprintf(found->message, sizeof found->message,
             "%lld is cut to %d bits, and what is left is used as an index, in range again",
             (long long)wrap->a, wrap->bits);
    snprintf(found->note, sizeof found->note,
             "leave it as wide as it is, or say that it is to wrap: %% of the axis's size, or &");
}

static void use(Thread *t, int site, const Wrap *wraps, uint32_t bits, uint32_t whole,
                int64_t extent)
{
    for (; wraps && bits; bits &= bits - 1) {
        int number = __builtin_ctz(bits);
        const Wrap *wrap = &wraps[number];
        if (!wrap->cut || !is_meant(wrap, whole >> number & 1, extent))
            report(t, site, wrap);
    }
}

void index_used(KjitCheck *c, int site, uint32_t whole, uint32_t part, int64_t extent)
{
    Thread *t = (Thread *)c;

    use(t, site, t->wraps, (whole | part) & c->wraps, whole, extent);
    use(t, site, t->run->wraps, (whole | part) & t->run->stored_wraps, whole, extent);
}
