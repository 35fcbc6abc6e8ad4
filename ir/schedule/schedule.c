/* What passes take from a schedule, and what they leave in it. */
#include "ir/schedule/schedule.h"

static const struct {
    const char *pass, *form, *purpose;
} primitives[] = {
#define DIRECTIVE(NAME, pass, form, purpose) { #pass, form, purpose },
#include "ir/schedule/schedule.def"
#undef DIRECTIVE
};

Schedule *schedule_new(Arena *arena)
{
    Schedule *schedule = arena_new(arena, Schedule);
    schedule->arena = arena;
    return schedule;
}

const char *schedule_form(Primitive primitive)
{
    return primitives[primitive].form;
}

const char *schedule_loop(const IrStmt *loop)
{
    return loop->kind == IR_FOR ? loop->for_.var->name : "while";
}

bool schedule_is_given(const IrUnit *unit)
{
    return unit->schedule && unit->schedule->is_given;
}

bool schedule_has(const IrUnit *unit, Primitive primitive)
{
    const Schedule *s = unit->schedule;
    for (int i = 0; s && i < s->given_count; i++)
        if (s->given[i]->says.primitive == primitive)
            return true;
    return false;
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool same_name(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether one directive is for what another is called. Those of one axis are of that axis. */
static bool is_called(const Directive *a, const Directive *b)
{
    bool one_axis = a->primitive == DO_JAM || a->primitive == DO_DIVIDE || a->primitive == DO_MERGE;
    return a->primitive == b->primitive && same_name(a->array, b->array) &&
           same_name(a->loop, b->loop) && (!one_axis || a->axes[0] == b->axes[0]);
}

int schedule_namesakes(const Schedule *schedule, const Directive *own)
{
    int count = 0;
    for (int i = 0; i < schedule->place_count; i++)
        count += is_called(&schedule->places[i].own, own);
    return count;
}

static SchedulePlace *place_of(Schedule *s, const Directive *own)
{
    for (int i = 0; i < s->place_count; i++)
        if (s->places[i].own.site == own->site && is_called(&s->places[i].own, own))
            return &s->places[i];
    int number = schedule_namesakes(s, own) + 1;
    array_push(s->arena, s->places, s->place_count, s->place_capacity) =
        (SchedulePlace){ .own = *own, .number = number };
    return &s->places[s->place_count - 1];
}

static bool is_at_line(const Given *given, const Directive *own)
{
    return !given->line ||
           (own->span.source &&
            source_place(own->span.source, own->span.begin).line == (uint32_t)given->line);
}

static Given *given_for(const Schedule *s, const SchedulePlace *place)
{
    for (int i = 0; i < s->given_count; i++) {
        Given *given = s->given[i];
        if (is_called(&given->says, &place->own) && is_at_line(given, &place->own) &&
            (!given->which || given->which == place->number))
            return given;
    }
    return NULL;
}

Directive *schedule_take(IrUnit *unit, Directive own, bool pays)
{
    Schedule *s = unit->schedule;
    if (!s)
        s = unit->schedule = schedule_new(unit->arena);
    SchedulePlace *place = place_of(s, &own);
    Given *given = s->is_given ? given_for(s, place) : NULL;
    if (s->is_given ? !given : !pays)
        return NULL;
    Directive *taken = place->taken ? place->taken : arena_new(unit->arena, Directive);
    *taken = own;
    if (given) {
        memcpy(taken->axes, given->says.axes, sizeof taken->axes);
        memcpy(taken->numbers, given->says.numbers, sizeof taken->numbers);
        taken->axis_count = given->says.axis_count;
        taken->vector = given->says.vector;
        taken->given = given;
    }
    place->taken = taken;
    return taken;
}

void schedule_done(Directive *directive)
{
    directive->done = true;
    if (directive->given)
        directive->given->done = true;
}

void schedule_refuse(IrUnit *unit, Directive own, Span where, const char *why)
{
    const Schedule *s = unit->schedule;
    for (int i = 0; s && i < s->given_count; i++)
        if (is_called(&s->given[i]->says, &own))
            refuse_for(&s->given[i]->refusal, where, why);
}

void schedule_refuse_all(IrUnit *unit, Primitive primitive, Span where, const char *why)
{
    const Schedule *s = unit->schedule;
    for (int i = 0; s && i < s->given_count; i++)
        if (s->given[i]->says.primitive == primitive)
            refuse_for(&s->given[i]->refusal, where, why);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void add_name(Schedule *s, ScheduleNames *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->list[i], name) == 0)
            return;
    array_push(s->arena, names->list, names->count, names->capacity) = name;
}

static void note_loop(void *context, IrStmt *stmt)
{
    Schedule *s = context;
    if (ir_is_loop(stmt))
        add_name(s, &s->loops, schedule_loop(stmt));
}

static void note_function(Schedule *s, IrFunc *fn)
{
    ir_each_stmt(&fn->body, note_loop, s);
    for (int i = 0; i < fn->var_count; i++)
        if (type_holds_arrays(fn->vars[i]->type))
            add_name(s, &s->arrays, fn->vars[i]->name);
}

void schedule_begin(Schedule *schedule, const IrUnit *unit)
{
    if (!schedule->is_given)
        return;
    note_function(schedule, unit->kernel);
    for (int i = 0; i < unit->count; i++)
        note_function(schedule, unit->functions[i]);
}

/* ---- complaints ------------------------------------------------------------------------------ */

/* Complains of a name that nothing has. */
static bool judge_name(const ScheduleNames *names, const char *what, const char *name, Span span,
                       Diags *diags)
{
    for (int i = 0; !name || i < names->count; i++)
        if (!name || strcmp(names->list[i], name) == 0)
            return true;
    const char *near = diag_nearest(name, names->list, (size_t)names->count);
    return diag_error(diags, span, "the kernel has no %s '%s'%s%s%s", what, name,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void complain(const Schedule *s, const Given *given, const IrPlan *plan, Diags *diags)
{
    const Directive *says = &given->says;
    const char *pass = primitives[says->primitive].pass;
    int places = schedule_namesakes(s, says);
    if (given->refusal.why) {
        diag_error(diags, says->span, "this cannot be carried out: %s", given->refusal.why);
        if (given->refusal.where.source)
            diag_note(diags, given->refusal.where, "it is this that forbids it");
    } else if (!ir_pass_runs(&plan->set, pass, plan->processor)) {
        diag_error(diags, says->span,
                   "this is of the pass '%s', which does not run %s here: write 'for %s' above it "
                   "if it is for %s",
                   pass, plan->processor ? "on the processor" : "on GPUs",
                   plan->processor ? "cuda" : "cpu", plan->processor ? "GPUs" : "the processor");
    } else if (!places && (!judge_name(&s->arrays, "array", says->array, says->span, diags) ||
                           !judge_name(&s->loops, "loop", says->loop, says->span, diags))) {
        return;
    } else if (places && given->which) {
        diag_error(diags, says->span, "there %s %d of that name", places > 1 ? "are" : "is",
                   places);
    } else {
        diag_error(diags, says->span, "there is nothing here to do this to: it is for %s",
                   primitives[says->primitive].purpose);
    }
}

void schedule_judge(const Schedule *schedule, const IrPlan *plan, Diags *diags)
{
    for (int i = 0; i < schedule->given_count; i++)
        if (!schedule->given[i]->done)
            complain(schedule, schedule->given[i], plan, diags);
}
