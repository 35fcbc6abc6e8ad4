/* What follows an early return, as a function of its own.
**
** Many kernels begin with `if i >= n: return`. Behind it every stretch must pass over the threads
** that ended, which keeps the C compiler from vectorising it, though in nearly all blocks none has.
** So the rest of such a block is a function with a constant argument, `ended`, that is called at
** two places and inlined at both: once with the tests, once without. In long kernels
** (split_apart.c) it is there once. */
#include "codegen/emit/threads/threads.h"

const Part *split_rest(const Threads *th)
{
    for (const Part *part = th->plan; part; part = part->next)
        if (part->kind == PART_THREADS && part->number == th->first_leaving)
            return part->next;
    return NULL;
}

/* ---- which variables of the block the rest needs --------------------------------------------- */

typedef struct VarSearch {
    const IrVar *var;
    bool found;
} VarSearch;

static void search_node(void *context, IrValue *value)
{
    VarSearch *search = context;
    search->found |= value->op == OP_var &&
                     (value->var == search->var || ir_has_length(value->var, search->var));
}

static void search_stmt(void *context, IrStmt *stmt)
{
    VarSearch *search = context;
    ir_each_own_node(stmt, search_node, search);
    search->found |= ir_set_var(stmt) == search->var;
}

static bool stretch_has(const Threads *th, const Part *part, const IrVar *var)
{
    if (part->uses[var->id])
        return true;
    VarSearch search = { var, false };
    const IrStmt **sets = arena_array(th->e->arena, const IrStmt *, th->fn->var_count + 1);
    for (int i = split_again(th, part, sets); i-- > 0;)
        search_stmt(&search, (IrStmt *)sets[i]);
    return search.found;
}

/* Whether a part, itself or in what it holds, has to do with a variable of the block. */
static bool part_has(const Threads *th, const Part *part, const IrVar *var)
{
    if (part->kind == PART_THREADS)
        return stretch_has(th, part, var);
    VarSearch search = { var, false };
    if (part->kind == PART_ONCE)
        ir_each_stmt_of(part->stmt, search_stmt, &search);
    else
        search_stmt(&search, (IrStmt *)part->stmt);
    return search.found;
}

bool split_parts_have(const Threads *th, const Part *part, const Part *end, const IrVar *var)
{
    for (; part && part != end; part = part->next)
        if (part_has(th, part, var) || split_parts_have(th, part->then, NULL, var) ||
            split_parts_have(th, part->otherwise, NULL, var))
            return true;
    return false;
}

/* ---- the function ------------------------------------------------------------------------ */

/* What the rest gets from the block's variables: `types` for the parameters, else the names. */
static const char *handed_on(const Threads *th, const Part *rest, bool types)
{
    Emitter *e = th->e;
    Buf out = buf_in(e->arena);
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (th->allocation[i] != ALLOC_BLOCK || !split_parts_have(th, rest, NULL, var) ||
            !split_parts_have(th, th->plan, rest, var))
            continue;
        const char *name = e->vars[i].name;
        buf_printf(&out, ", %s", types ? declarator_text(e, var, name) : name);
    }
    return buf_text(&out);
}

void emit_split_rest(Threads *th)
{
    Emitter *e = th->e;
    const Part *rest = split_rest(th);
    if (!rest)
        return;
    th->rest_name = name_unique(e, &e->globals, arena_printf(e->arena, "%s_rest", th->block_name));
    line(e, "/* What follows an early return; `%s`: some threads took it. */", th->ended);
    line(e, "%s int %s(%s, dim3 blockIdx, dim3 blockDim, dim3 gridDim%s%s, bool %s)",
         prelude(e, th->functions ? "NEVER_INLINE" : "ALWAYS_INLINE", NULL), th->rest_name,
         threads_worker(th, true), threads_parameters(th, NULL), handed_on(th, rest, true),
         th->ended);
    line(e, "{");
    e->depth++;
    line(e, "const int %s = blockDim.x * blockDim.y * blockDim.z;", th->threads);
    threads_dynamic_arrays(th);
    th->in_rest = true;
    emit_split_parts(th, rest, NULL);
    th->in_rest = false;
    line(e, "return 0;");
    close_block(e, "");
    line(e, "%s", "");
}

void emit_split_call_rest(Threads *th)
{
    Emitter *e = th->e;
    const char *arguments =
        arena_printf(e->arena, "%s, blockIdx, blockDim, gridDim%s%s", th->w,
                     threads_arguments(th, NULL), handed_on(th, split_rest(th), false));
    line(e, "if (memchr(%s->%s, 1, (size_t)%s))", th->w, th->done, th->threads);
    line(e, "    return %s(%s, true);", th->rest_name, arguments);
    line(e, "return %s(%s, false);", th->rest_name, arguments);
}
