/* The stretches of a long kernel, each as a function of its own.
**
** before:  int kernel_block(...) { EACH_THREAD(x, y, z) {...}  ...  EACH_THREAD(x, y, z) {...} }
** after:   void kernel_part(...) { EACH_THREAD(x, y, z) {...} }   and so on
**          int kernel_block(...) { kernel_part(...);  ...  kernel_part_2(...); }
** legal:   always; a stretch sets no variable of the block, and gets those it reads
** pays:    in kernels with many stretches. What C compilers find out of a whole function, such as
**          which values live where, takes them a time that grows by more than its length: 12 s for
**          one of 63 loops over the threads, a tenth of that for 63 of one. In short kernels it
**          saves nothing, and compilers know more of a loop that stands among the others. */
#include "codegen/emit/threads/threads.h"

enum { MANY_STRETCHES = 8 };

bool split_is_apart(const Threads *th)
{
    return th->part_count >= MANY_STRETCHES;
}

/* Which of the kernel's parameters a stretch has to do with, by number. */
static const bool *wanted(const Threads *th, const Part *part)
{
    bool *list = arena_array(th->e->arena, bool, th->fn->param_count + 1);
    for (int i = 0; i < th->fn->param_count; i++)
        list[i] = split_parts_have(th, part, part->next, th->fn->vars[i]);
    return list;
}

/* Appends what a stretch gets beside the kernel's parameters: the variables of the block, whether
** threads ended, and what was counted in front of it. `types`: as parameters, else as arguments. */
static void put_handed(const Threads *th, const Part *part, bool types, Buf *out)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (th->allocation[i] != ALLOC_BLOCK || !split_parts_have(th, part, part->next, var))
            continue;
        const char *name = e->vars[i].name;
        buf_printf(out, ", %s", types ? declarator_text(e, var, name) : name);
    }
    if (th->in_rest)
        buf_printf(out, ", %s%s", types ? "bool " : "", th->ended);
    for (int i = 0; i < part->count; i++) {
        const Step *step = &part->steps[i];
        if (step->role == STEP_RECEIVE && meet_is_count(meet_value(step->stmt)))
            buf_printf(out, ", %s%s", types ? "int " : "", th->totals[step->slot]);
    }
}

static const char *handed(const Threads *th, const Part *part, bool types)
{
    Buf out = buf_in(th->e->arena);
    put_handed(th, part, types, &out);
    return buf_text(&out);
}

static void emit_function(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    const char *name =
        name_unique(e, &e->globals, arena_printf(e->arena, "%s_part", th->block_name));
    th->functions[part->number] = name;
    line(e, "%s void %s(%s, dim3 blockIdx, dim3 blockDim, dim3 gridDim%s%s)",
         prelude(e, "NEVER_INLINE", NULL), name, threads_worker(th, true),
         threads_parameters(th, wanted(th, part)), handed(th, part, true));
    line(e, "{");
    e->depth++;
    line(e, "const int %s = blockDim.x * blockDim.y * blockDim.z;", th->threads);
    threads_dynamic_arrays(th);
    emit_split_stretch(th, part);
    close_block(e, "");
    line(e, "%s", "");
}

static void emit_functions(Threads *th, const Part *part, const Part *end)
{
    for (; part && part != end; part = part->next) {
        if (part->kind == PART_THREADS && !split_is_empty(th, part))
            emit_function(th, part);
        emit_functions(th, part->then, NULL);
        emit_functions(th, part->otherwise, NULL);
    }
}

void emit_split_apart(Threads *th)
{
    const Part *rest = split_rest(th);
    th->functions = arena_array(th->e->arena, const char *, th->part_count);
    emit_functions(th, th->plan, rest);
    th->in_rest = true;
    emit_functions(th, rest, NULL);
    th->in_rest = false;
}

void emit_split_call(Threads *th, const Part *part)
{
    line(th->e, "%s(%s, blockIdx, blockDim, gridDim%s%s);", th->functions[part->number], th->w,
         threads_arguments(th, wanted(th, part)), handed(th, part, false));
}
