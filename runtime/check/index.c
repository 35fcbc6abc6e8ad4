/* Indices that are made of arithmetic that has wrapped, and are in range again.
**
** Where it must not wrap, that is told at once, and the index only adds where it is used. Where it
** is cut to an unsigned type, the axis tells whether that is meant: it is if the axis has as many
** elements as the type has numbers, or, where the number is only a part of the index and computed
** of data, as a digit of a key is, a multiple of that. */
#include "runtime/check/run.h"

#include <stdio.h>

/* What has wrapped, by the bit of the arithmetic. */
typedef struct Wrap {
    CheckPlace at;
    int64_t a;
    int bits;
    bool cut;  /* it may be meant to; else it was told */
    bool data; /* it was computed of what arrays hold */
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
    Run *run = t->run;

    if (stored && run->stored_wraps >> number & 1)
        return;
    Wrap *wraps = open_wraps(stored ? &run->wraps : &t->wraps);
    if (!wraps)
        return;
    wraps[number] =
        (Wrap){ .at = find_place(t, site, 0), .a = a, .bits = bits, .cut = true, .data = data };
    if (stored)
        run->stored_wraps |= 1u << number;
}

void index_wrapped(Thread *t, int site)
{
    int number = t->run->request->sites[site].wraps - 1;

    if (number < 0 || !open_wraps(&t->wraps))
        return;
    t->wraps[number] = (Wrap){ .at = find_place(t, site, 0) };
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
    CheckPlace used = find_place(t, site, 0);

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
