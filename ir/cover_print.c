/* Ways to overwrite a parameter whole, and what accesses demand of blocks, as text. */
#include "ir/cover.h"

static void put_fact(Buf *out, const IrFact *fact, const char *const *names)
{
    switch ((IrFactKind)fact->kind) {
    case FACT_BLOCK:
        buf_printf(out, "block_dim(%d)", fact->axis);
        return;
    case FACT_GRID:
        buf_printf(out, "grid_dim(%d)", fact->axis);
        return;
    case FACT_EXTENT:
        buf_printf(out, "extent(%s, %d)", names[fact->index], fact->axis);
        return;
    case FACT_SCALAR:
        buf_puts(out, names[fact->index]);
        return;
    case FACT_NONE:
    case FACT_THREAD_AT:
    case FACT_BLOCK_AT:
    case FACT_ITERATION:
        return;
    }
}

static void put_term(Buf *out, const IrTerm *term, bool first, const char *const *names)
{
    bool number = !term->facts[0].kind || (term->factor != 1 && term->factor != -1);
    uint64_t size = term->factor < 0 ? -(uint64_t)term->factor : (uint64_t)term->factor;

    if (!first)
        buf_puts(out, term->factor < 0 ? " - " : " + ");
    else if (term->factor < 0)
        buf_putc(out, '-');
    if (number)
        buf_printf(out, "%llu", (unsigned long long)size);
    for (int i = 0; i < TERM_FACTS && term->facts[i].kind; i++) {
        buf_puts(out, i || number ? " * " : "");
        put_fact(out, &term->facts[i], names);
    }
}

static void put_sum(Buf *out, const IrTerm *terms, int count, const char *const *names)
{
    for (int i = 0; i < count; i++)
        put_term(out, &terms[i], i == 0, names);
    if (!count)
        buf_putc(out, '0');
}

void cover_print(Buf *out, const IrCovers *covers, const IrCover *way, const char *const *names)
{
    for (int i = 0; i < way->count; i++) {
        const IrNeed *need = &covers->needs[way->first + i];
        buf_puts(out, i ? ", " : "");
        put_sum(out, &covers->terms[need->left], need->left_count, names);
        buf_puts(out, " >= ");
        put_sum(out, &covers->terms[need->right], need->right_count, names);
    }
}

/* The terms of one sign, as if they were positive; 0 if there are none. */
static void put_signed(Buf *out, const IrTerm *terms, int count, bool negative,
                       const char *const *names)
{
    bool first = true;
    for (int i = 0; i < count; i++) {
        IrTerm term = terms[i];
        if ((term.factor < 0) != negative)
            continue;
        term.factor = negative ? -term.factor : term.factor;
        put_term(out, &term, first, names);
        first = false;
    }
    if (first)
        buf_putc(out, '0');
}

void cover_print_fit(Buf *out, const IrCovers *covers, const IrFit *fit, const char *const *names)
{
    static const char *const signs[] = {
        [FIT_EQUAL] = " == ", [FIT_MOST] = " <= ", [FIT_LEAST] = " >= "
    };
    put_signed(out, &covers->terms[fit->first], fit->count, false, names);
    buf_puts(out, signs[fit->kind]);
    put_signed(out, &covers->terms[fit->first], fit->count, true, names);
}
