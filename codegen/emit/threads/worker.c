/* What a worker keeps: the arrays that the threads of its block share, what a split or resumable
** kernel has from one stretch to the next, and the launch's dynamic shared memory. It lives as long
** as the entry. */
#include "codegen/emit/threads/threads.h"

#include "ir/analysis/points_to.h"

static bool is_shared(const IrVar *var)
{
    return var->kind == VAR_SHARED;
}

bool threads_are_dynamic(const Threads *th)
{
    return ir_has_kind(th->fn, VAR_SHARED_DYNAMIC);
}

enum { WORKER_ALIGN = 256 }; /* of its memory, which suits vectors */

/* The greatest alignment that the kernel's arrays of one kind ask for, or `least`. */
static int alignment_of(const Threads *th, IrVarKind kind, int least)
{
    for (int i = 0; i < th->fn->var_count; i++)
        if (th->fn->vars[i]->kind == kind && th->fn->vars[i]->alignment > least)
            least = th->fn->vars[i]->alignment;
    return least;
}

const char *threads_get_memory(Threads *th)
{
    Emitter *e = th->e;
    int align = alignment_of(th, VAR_PRIVATE, alignment_of(th, VAR_SHARED, WORKER_ALIGN));
    align = alignment_of(th, VAR_SHARED_DYNAMIC, align);
    const char *size =
        threads_are_dynamic(th) ? "sizeof(Worker) + launch->dynamic_shared" : "sizeof(Worker)";
    if (align > WORKER_ALIGN)
        return arena_printf(e->arena, "%s(%d, %s)", prelude(e, "worker_memory_at", NULL), align,
                            size);
    return arena_printf(e->arena, "%s(%s)", prelude(e, "worker_memory", NULL), size);
}

void emit_worker(Threads *th, Shape shape)
{
    Emitter *e = th->e;
    line(e, "/* What one worker needs to run a block. */");
    open_block(e, "typedef struct Worker");
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (!is_shared(var))
            continue;
        emit_count_shared(&e->static_shared, var);
        line(e, "%s%s;", var->alignment > 0 ? "" : "_Alignas(64) ",
             declarator_text(e, var, e->vars[i].name));
    }
    if (shape == SHAPE_SPLIT)
        emit_split_members(th);
    else if (shape == SHAPE_RESUME)
        emit_resume_members(th);
    line(e, "unsigned long long dynamic_size;");
    if (ir_has_kind(th->fn, VAR_SHARED_DYNAMIC))
        line(e, "_Alignas(%d) unsigned char dynamic[];",
             alignment_of(th, VAR_SHARED_DYNAMIC, WORKER_ALIGN));
    close_block(e, " Worker;");
    line(e, "%s", "");
}

void name_shared_arrays(Threads *th)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->fn->var_count; i++)
        if (is_shared(th->fn->vars[i]))
            e->vars[i].name = arena_printf(e->arena, "%s->%s", th->w, e->vars[i].name);
}

void threads_dynamic_arrays(Threads *th)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (var->kind != VAR_SHARED_DYNAMIC)
            continue;
        const char *type = type_text(e, var->type->array.element), *parts = e->vars[i].parts;
        line(e, "%s *const %s = (%s *)%s->dynamic;", type, parts, type, th->w);
        line(e, "const long long %s_0 = (long long)(%s->dynamic_size / sizeof(%s));", parts, th->w,
             type);
    }
}

/* ---- pointers into it ------------------------------------------------------------------ */

/* Whether a variable may point into the worker, which has the shared arrays and those of the
** threads. */
static bool points_into_worker(const Threads *th, const IrPointsTo *points_to, const IrVar *var)
{
    const uint64_t *set = points_to->sets[var->id];
    if (var->kind != VAR_LOCAL || !type_holds_arrays(var->type))
        return false;
    for (int i = 0; i < th->fn->var_count; i++) {
        IrVarKind kind = th->fn->vars[i]->kind;
        if (ir_pointees_have(set, i) && kind != VAR_PARAM && kind != VAR_CONSTANT)
            return true;
    }
    return ir_pointees_elsewhere(points_to, set);
}

const char *threads_worker(const Threads *th, bool earlier)
{
    const IrPointsTo points_to = ir_points_to(th->e->arena, th->fn);
    bool found = false;
    for (int i = 0; earlier && i < th->fn->var_count; i++)
        found |= points_into_worker(th, &points_to, th->fn->vars[i]);
    return arena_printf(th->e->arena, "Worker *%s%s", found ? "" : "restrict ", th->w);
}

static bool is_led_to(const Threads *th, const IrPointsTo *points_to, int param)
{
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (var->kind == VAR_LOCAL && type_holds_arrays(var->type) &&
            (ir_pointees_have(points_to->sets[i], param) ||
             ir_pointees_elsewhere(points_to, points_to->sets[i])))
            return true;
    }
    return false;
}

void threads_within(Threads *th, bool within)
{
    const IrPointsTo points_to = ir_points_to(th->e->arena, th->fn);
    for (int i = 0; i < th->fn->param_count; i++)
        th->e->vars[i].led_to = within && is_led_to(th, &points_to, i);
}
