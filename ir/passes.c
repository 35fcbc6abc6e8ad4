/* What happens to a unit between lowering and code generation, in order. */
#include "ir/optimise.h"

typedef enum PassKind {
    ALWAYS,
    OPTIMISES, /* only if there are facts of launches */
    TIDIES     /* the same, and cannot be left out */
} PassKind;

typedef struct Pass {
    const char *name;
    void (*run)(IrUnit *unit);
    PassKind kind;
    bool processor; /* also for the processor */
} Pass;

static const Pass passes[] = {
    { "handed_out", ir_handed_out, ALWAYS, true }, /* functions that return arrays of their own  */
    { "forward", ir_forward, ALWAYS, true }, /* variables that name a value give way to it       */
    { "dce", ir_dce, ALWAYS, true },     /* sets that are never read disappear                 */
    { "exact", ir_exact, ALWAYS, true }, /* sums of floats in which no order shows         */
    { "effects", ir_effects, ALWAYS, true }, /* what functions read, write and wait for          */
    { "cover", ir_cover, ALWAYS, true },     /* arrays that are overwritten whole                */
    { "range", ir_range, ALWAYS, true },     /* integers that are never negative                 */
    { "uniform", ir_uniform, ALWAYS, true }, /* values that all threads of a block share         */
#define PASS(name, processor) { #name, ir_##name, OPTIMISES, processor },
    OPTIMISING_PASSES(PASS)
#undef PASS
    /* once more, for what has changed */
    { "forward", ir_forward, TIDIES, true },
    { "dce", ir_dce, TIDIES, true },
    { "effects", ir_effects, TIDIES, true },
    { "range", ir_range, TIDIES, true },
    { "uniform", ir_uniform, TIDIES, true },
    { "unroll_ask", ir_unroll_ask, TIDIES, true }, /* loops that the user wants unrolled */
};

const char *ir_pass_name(int index)
{
    for (size_t i = 0; i < ARRAY_COUNT(passes); i++)
        if (passes[i].kind == OPTIMISES && index-- == 0)
            return passes[i].name;
    return NULL;
}

void ir_pass_wrong(char says[PASS_WRONG], const char *wrong)
{
    const char *names[ARRAY_COUNT(passes)];
    char name[PASS_WRONG / 4];
    size_t count = 0;
    while ((names[count] = ir_pass_name((int)count)))
        count++;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(wrong, ","), wrong);
    const char *near = diag_nearest(name, names, count);
    snprintf(says, PASS_WRONG, "there is no pass '%s'%s%s%s", name, near ? "; did you mean '" : "",
             near ? near : "", near ? "'?" : "");
}

void ir_pass_names(char names[PASS_NAMES])
{
    size_t used = 0;
    const char *name;
    names[0] = 0;
    for (int i = 0; (name = ir_pass_name(i)) && used < PASS_NAMES; i++)
        used += (size_t)snprintf(names + used, PASS_NAMES - used, "%s%s", i ? ", " : "", name);
}

static bool has_name(const Pass *pass, const char *name, size_t length)
{
    return strlen(pass->name) == length && strncmp(pass->name, name, length) == 0;
}

static bool is_all(const char *name, size_t length)
{
    return length == 3 && strncmp(name, "all", 3) == 0;
}

/* The bits of the optimising passes of that name, or of all. */
static uint64_t passes_named(const char *name, size_t length)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < ARRAY_COUNT(passes); i++)
        if (passes[i].kind == OPTIMISES &&
            (is_all(name, length) || has_name(&passes[i], name, length)))
            bits |= UINT64_C(1) << i;
    return bits;
}

/* ---- lists --------------------------------------------------------------------------------- */

static const Pass *find_pass(const char *name, size_t length)
{
    for (size_t i = 0; i < ARRAY_COUNT(passes); i++)
        if (has_name(&passes[i], name, length))
            return &passes[i];
    return NULL;
}

const char *ir_list_wrong(const char *names)
{
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        if (!find_pass(at, length) && !is_all(at, length))
            return at;
        at += length;
        if (!*at)
            return NULL;
    }
}

static const char *run_all(IrUnit *unit)
{
    const IrFacts facts = unit->launch ? unit->launch->facts : (IrFacts){ 0 };
    const IrPlan plan = { .facts = &facts,
                          .processor = unit->processor,
                          .set.with = passes_named("all", 3),
                          .arch = unit->arch,
                          .unroll = unit->unroll,
                          .remarks = unit->remarks };
    return ir_run_passes(unit, &plan);
}

static const char *run_one(IrUnit *unit, const char *name, size_t length)
{
    const Pass *pass = find_pass(name, length);
    if (!pass)
        return run_all(unit);
    IrLaunch *launch = unit->launch;
    if (!launch && pass->kind == OPTIMISES) /* these ask one, of which nothing is known then */
        unit->launch = arena_new(unit->arena, IrLaunch);
    pass->run(unit);
    unit->launch = launch;
    const char *broken = ir_verify(unit, pass->name);
    if (broken)
        return broken;
    ir_effects(unit);
    ir_range(unit);
    ir_uniform(unit);
    return NULL;
}

const char *ir_run_listed(IrUnit *unit, const char *names, Diags *remarks)
{
    unit->remarks = remarks;
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        const char *broken = run_one(unit, at, length);
        at += length;
        if (broken || !*at)
            return broken;
    }
}

/* ---- sets ---------------------------------------------------------------------------------- */

static bool read_pass(const char *name, size_t length, IrPassSet *set)
{
    bool minus = length && *name == '-', none = length == 4 && strncmp(name, "none", 4) == 0;
    uint64_t bits = none ? passes_named("all", 3) : passes_named(name + minus, length - minus);
    set->without = minus || none ? set->without | bits : set->without & ~bits;
    set->with = minus || none ? set->with & ~bits : set->with | bits;
    return bits != 0;
}

const char *ir_read_passes(const char *text, IrPassSet *set)
{
    *set = (IrPassSet){ 0 };
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (!read_pass(at, length, set))
            return at;
        at += length;
        if (!*at)
            return NULL;
    }
}

void ir_write_passes(Buf *out, const IrPassSet *set)
{
    const char *before = "";
    for (size_t i = 0; i < ARRAY_COUNT(passes); i++) {
        if (passes[i].kind != OPTIMISES)
            continue;
        bool without = set->without >> i & 1, with = set->with >> i & 1;
        if (without || with) {
            buf_printf(out, "%s%s%s", before, without ? "-" : "", passes[i].name);
            before = ",";
        }
    }
}

/* What precedes all passes is none of them, but can be looked at. */
static bool is_lowering(const char *name)
{
    return strcmp(name, "lower") == 0;
}

bool ir_is_pass(const char *name)
{
    return is_lowering(name) || find_pass(name, strlen(name));
}

static bool is_in(const IrPassSet *set, size_t i, bool processor)
{
    if (set->without >> i & 1)
        return false;
    return passes[i].processor || !processor || set->with >> i & 1;
}

bool ir_pass_runs(const IrPassSet *set, const char *name, bool processor)
{
    for (size_t i = 0; i < ARRAY_COUNT(passes); i++)
        if (passes[i].kind == OPTIMISES && strcmp(passes[i].name, name) == 0)
            return is_in(set, i, processor);
    return false;
}

static bool is_planned(const IrPlan *plan, size_t i)
{
    bool optimises = plan && plan->facts;
    if (passes[i].kind != OPTIMISES)
        return passes[i].kind == ALWAYS || optimises;
    return optimises && is_in(&plan->set, i, plan->processor);
}

static void prepare(IrUnit *unit, const IrPlan *plan)
{
    if (!plan || !plan->facts)
        return;
    unit->launch = arena_new(unit->arena, IrLaunch);
    *unit->launch = (IrLaunch){ .facts = *plan->facts };
    unit->processor = plan->processor;
    unit->remarks = plan->remarks;
    unit->unroll = plan->unroll;
    unit->schedule = plan->schedule;
    unit->arch = plan->arch;
}

/* Whether the IR is looked at after each pass, so that the first that breaks it is found. */
#ifdef KJIT_DEBUG
static const bool verifies_each = true;
#else
static const bool verifies_each = false;
#endif

const char *ir_run_passes(IrUnit *unit, const IrPlan *plan)
{
    const char *last = "lower", *broken = NULL;
    prepare(unit, plan);
    if (verifies_each)
        broken = ir_verify(unit, last);
    if (plan && plan->after && is_lowering(plan->after))
        return broken;
    for (size_t i = 0; i < ARRAY_COUNT(passes) && !broken; i++) {
        if (is_planned(plan, i)) {
            passes[i].run(unit);
            last = passes[i].name;
            broken = verifies_each ? ir_verify(unit, last) : NULL;
        }
        if (plan && plan->after && strcmp(passes[i].name, plan->after) == 0)
            break;
    }
    return broken || verifies_each ? broken : ir_verify(unit, last);
}
