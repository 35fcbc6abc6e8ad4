/* A plan as text. */
#include "ir/predict/split.h"

static int rank_of(const SplitPlan *plan, int param)
{
    const Type *type = plan->request->unit->kernel->vars[param]->type;
    return type_is_array(type) ? type->array.rank : 0;
}

static void print_deeds(Buf *out, const SplitArray *array)
{
    const char *before = "";
    if (array->reads) {
        buf_printf(out, "read");
        before = ", ";
    }
    if (array->writes) {
        buf_printf(out, "%swritten", before);
        before = ", ";
    }
    if (array->atomics)
        buf_printf(out, "%schanged by atomics", before);
}

static bool changes(const SplitArray *array)
{
    return array->writes || array->atomics;
}

static bool is_periodic(const SplitPlan *plan, const SplitArray *array)
{
    for (int r = 0; r < plan->ranks; r++)
        if (array->held[r].period)
            return true;
    return false;
}

static void print_role(Buf *out, const SplitPlan *plan, int param)
{
    const SplitArray *array = &plan->arrays[param];
    switch (array->role) {
    case SPLIT_UNUSED:
        return;
    case SPLIT_COPIED:
        buf_printf(out, ": copied to all ranks");
        return;
    case SPLIT_PARTS:
        buf_printf(out, ": split along axis %d", array->axis);
        if (is_periodic(plan, array))
            buf_printf(out, ", by turns");
        else if (array->shared)
            buf_printf(out, ", neighbours share %lld", (long long)array->shared);
        return;
    case SPLIT_REDUCED:
        buf_printf(out, ": reduced with %s", split_combine_name(array->combine));
        return;
    case SPLIT_MERGED:
        buf_printf(out, ": what ranks change is put together");
        return;
    }
}

static void print_stretch(Buf *out, SplitStretch stretch)
{
    if (stretch.low > stretch.high)
        buf_printf(out, "nothing");
    else
        buf_printf(out, "%lld to %lld", (long long)stretch.low, (long long)stretch.high);
    if (stretch.low <= stretch.high && stretch.period)
        buf_printf(out, " of each %lld", (long long)stretch.period);
}

static uint64_t whole_bytes(const SplitPlan *plan, int param)
{
    const SplitArg *arg = &plan->request->args[param];
    SplitStretch all = { 0, arg->shape[0] - 1, 0 };
    return rank_of(plan, param) ? split_bytes(arg, rank_of(plan, param), 0, all) : 0;
}

static uint64_t part_bytes(const SplitPlan *plan, int param, SplitStretch stretch)
{
    return split_bytes(&plan->request->args[param], rank_of(plan, param), plan->arrays[param].axis,
                       stretch);
}

/* What a rank has of an array while it computes, and what it sends to rank 0 behind that. */
static uint64_t held_by(const SplitPlan *plan, int param, int rank)
{
    const SplitArray *array = &plan->arrays[param];
    if (array->role == SPLIT_UNUSED || plan->first[rank] == plan->first[rank + 1])
        return 0;
    return array->role == SPLIT_PARTS ? part_bytes(plan, param, array->held[rank])
                                      : whole_bytes(plan, param);
}

static uint64_t sent_by(const SplitPlan *plan, int param, int rank)
{
    const SplitArray *array = &plan->arrays[param];
    if (!changes(array) || rank == 0 || plan->first[rank] == plan->first[rank + 1])
        return 0;
    return array->role == SPLIT_PARTS ? part_bytes(plan, param, array->own[rank])
                                      : whole_bytes(plan, param);
}

static void print_array(Buf *out, const SplitPlan *plan, int param)
{
    const SplitArray *array = &plan->arrays[param];
    buf_printf(out, "%s: ", plan->names[param]);
    print_deeds(out, array);
    print_role(out, plan, param);
    buf_printf(out, "\n");
    for (int r = 0; array->role == SPLIT_PARTS && r < plan->ranks; r++) {
        buf_printf(out, "    rank %d holds ", r);
        print_stretch(out, array->held[r]);
        if (changes(array)) {
            buf_printf(out, ", writes ");
            print_stretch(out, array->own[r]);
        }
        buf_printf(out, "\n");
    }
}

/* Whether ranks have whole blocks. */
static bool in_blocks(const SplitPlan *plan)
{
    for (int r = 0; r <= plan->ranks; r++)
        if (plan->first[r] % plan->request->block[plan->axis] != 0)
            return false;
    return true;
}

static void print_rank(Buf *out, const SplitPlan *plan, int rank, int params)
{
    uint64_t held = 0, sent = 0, received = 0, block = plan->request->block[plan->axis];
    for (int i = 0; i < params; i++) {
        held += held_by(plan, i, rank);
        sent += sent_by(plan, i, rank);
        for (int r = 1; rank == 0 && r < plan->ranks; r++)
            received += sent_by(plan, i, r);
    }
    buf_printf(out, "rank %d: ", rank);
    if (plan->first[rank] == plan->first[rank + 1])
        buf_printf(out, "nothing to do");
    else if (in_blocks(plan))
        buf_printf(out, "blocks %llu to %llu", (unsigned long long)(plan->first[rank] / block),
                   (unsigned long long)(plan->first[rank + 1] / block - 1));
    else
        buf_printf(out, "threads %llu to %llu", (unsigned long long)plan->first[rank],
                   (unsigned long long)(plan->first[rank + 1] - 1));
    buf_printf(out, ", holds %llu bytes", (unsigned long long)held);
    if (rank == 0)
        buf_printf(out, ", receives %llu\n", (unsigned long long)received);
    else
        buf_printf(out, ", sends %llu\n", (unsigned long long)sent);
}

void split_print(Buf *out, const SplitPlan *plan)
{
    const IrFunc *fn = plan->request->unit->kernel;
    buf_printf(out, "%s over %d rank%s, blocks split along %c\n", fn->name, plan->ranks,
               plan->ranks == 1 ? "" : "s", "xyz"[plan->axis]);
    for (int i = 0; i < fn->param_count; i++)
        if (plan->arrays[i].role != SPLIT_UNUSED)
            print_array(out, plan, i);
    for (int r = 0; r < plan->ranks; r++)
        print_rank(out, plan, r, fn->param_count);
}
