/* The checker's findings as text. */
#include "cli/cli.h"

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_locations(const kjit_check_place *a, const kjit_check_place *b)
{
    int order = compare_text(a->file, b->file);
    if (!order)
        order = compare_numbers(a->line, b->line);
    return order ? order : compare_numbers(a->column, b->column);
}

/* Threads that wait for ever may do so for what another finding kept from happening. */
static int is_deadlock(const kjit_check_finding *found)
{
    return compare_text(found->rule, "deadlock") == 0;
}

static int compare_findings(const void *a, const void *b)
{
    const kjit_check_finding *x = a, *y = b;
    int order = x->advice - y->advice;
    if (!order)
        order = is_deadlock(x) - is_deadlock(y);
    if (!order)
        order = compare_locations(&x->at, &y->at);
    if (!order)
        order = compare_text(x->rule, y->rule);
    return order ? order : compare_locations(&x->other, &y->other);
}

kjit_check_finding *findings_sorted(kjit_context *context, size_t *count)
{
    *count = kjit_check_count(context);
    kjit_check_finding *list = must_alloc(*count * sizeof *list);
    for (size_t i = 0; i < *count; i++) {
        list[i].size = sizeof *list;
        kjit_check_finding_at(context, i, &list[i]);
    }
    if (*count)
        qsort(list, *count, sizeof *list, compare_findings);
    return list;
}

void findings_print(FILE *out, const kjit_check_finding *list, size_t count, const char *heading)
{
    if (heading && count)
        fprintf(out, "== %s ==\n", heading);
    for (size_t i = 0; i < count; i++)
        fputs(list[i].text, out);
}

/* Counts findings that are advice, or are not, and their kernels. */
static size_t tally(const CheckedList *checked, bool advice, size_t *kernels)
{
    size_t total = 0;
    *kernels = 0;
    for (size_t i = 0; i < checked->count; i++) {
        const Checked *one = &checked->list[i];
        size_t before = total;
        for (size_t k = 0; k < one->count; k++)
            total += (one->list[k].advice != 0) == advice;
        *kernels += total > before;
    }
    return total;
}

static const char *ending(size_t count)
{
    return count == 1 ? "" : "s";
}

void findings_summary(FILE *out, const CheckedList *checked)
{
    size_t kernels, advised;
    size_t findings = tally(checked, false, &kernels), advice = tally(checked, true, &advised);

    if (findings && kernels < checked->count)
        fprintf(out, "%zu finding%s in %zu of %zu kernels", findings, ending(findings), kernels,
                checked->count);
    else if (findings)
        fprintf(out, "%zu finding%s in %zu kernel%s", findings, ending(findings), kernels,
                ending(kernels));
    else
        fprintf(out, "no findings in %zu kernel%s", checked->count, ending(checked->count));
    if (advice)
        fprintf(out, ", %zu piece%s of advice", advice, ending(advice));
    if (checked->passed_over)
        fprintf(out, "; %zu kernel%s without an @example passed over", checked->passed_over,
                ending(checked->passed_over));
    if (checked->cut)
        fputs("; the last one was interrupted", out);
    fputc('\n', out);
}

bool findings_have_defect(const CheckedList *checked)
{
    size_t kernels;

    return tally(checked, false, &kernels) > 0;
}
