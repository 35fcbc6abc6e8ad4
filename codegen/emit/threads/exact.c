/* Arrays whose sums are kept exactly (ir/schedule/privatise/exact.c), beside them.
**
** The kernel takes a pointer to the rows of each such array, behind all other parameters. In CUDA a
** second kernel of the same parameters rounds them; the rows come from the launch of both. In C the
** entry has them, and each worker has some of its own while these are few: integers can be added
** without a lock there, and are merged at the end. */
#include "codegen/emit/threads/threads.h"

/* Words that a worker has for itself at most: more is merged for longer than it helps. */
enum { OWN_WORDS = 1 << 15 };

static bool is_exact(const Emitter *e, int i)
{
    return e->fn->kernel && e->dialect != DIALECT_CHECK && i < e->fn->param_count &&
           e->fn->vars[i]->exact;
}

bool exact_any(const Emitter *e)
{
    for (int i = 0; i < e->fn->param_count; i++)
        if (is_exact(e, i))
            return true;
    return false;
}

void exact_enter(Emitter *e)
{
    e->alone_name = NULL;
    for (int i = 0; i < e->fn->param_count; i++)
        if (is_exact(e, i))
            e->vars[i].sums = local_name(e, arena_printf(e->arena, "%s_sums", e->vars[i].parts));
    if (exact_any(e) && e->dialect == DIALECT_C)
        e->alone_name = local_name(e, "alone");
}

static const char *list_text(Emitter *e, const char *pointer, const char *flag)
{
    const char *text = NULL;
    for (int i = 0; i < e->fn->param_count; i++)
        if (is_exact(e, i))
            text = arena_printf(e->arena, "%s%s%s%s", text ? text : "", text ? ", " : "", pointer,
                                e->vars[i].sums);
    return e->alone_name ? arena_printf(e->arena, "%s, %s%s", text, flag, e->alone_name) : text;
}

const char *exact_parameters(Emitter *e)
{
    return list_text(e, "unsigned long long *", "bool ");
}

const char *exact_arguments(Emitter *e)
{
    return list_text(e, "", "");
}

/* The parameter that an array value is, if its sums are kept exactly; or NULL. */
static const IrVar *exact_param(const Emitter *e, const IrValue *array)
{
    while (array->op == OP_cast)
        array = array->operands[0];
    bool param = array->op == OP_var && array->var->kind == VAR_PARAM;
    return param && is_exact(e, array->var->param) ? array->var : NULL;
}

bool exact_is_accumulator(const Emitter *e, const IrValue *array)
{
    return exact_param(e, array);
}

const char *exact_atomic_text(Emitter *e, const IrValue *value)
{
    const IrVar *param = exact_param(e, value->operands[0]);
    const Type *element = param->type->array.element;
    int indices = emit_atomic_indices(value);
    const VarInfo *info = &e->vars[param->id];
    const char *address =
        element_address_text(e, value->operands[0], value->operands + 1, indices, PREC_ADD);
    const IrValue *added = value->operands[1 + indices];
    const char *text = value_assigned(e, added, PREC_ARGUMENT);
    if (value->intrinsic == INTR_atomic_sub) { /* of a float: minus an unsigned int is none */
        text = value_exact(e, added, PREC_UNARY);
        text = arena_printf(e->arena, *text == '-' ? "-(%s)" : "-%s", text);
    }
    return arena_printf(e->arena, "%s(%s, %s - %s, %s, %s)", prelude(e, "exact_add", element),
                        info->sums, address, info->parts, text,
                        e->alone_name ? e->alone_name : "false");
}

/* ---- CUDA -------------------------------------------------------------------------------- */

static const char *extents_text(Emitter *e, const IrVar *param)
{
    const char *text = "1";
    for (int axis = 0; axis < param->type->array.rank; axis++)
        text = arena_printf(e->arena, "%s%s%s_%d", axis ? text : "", axis ? " * " : "",
                            e->vars[param->id].parts, axis);
    return text;
}

/* What is left in an array: `count` elements, of which each thread takes those of `by`. */
static void emit_rounding(Emitter *e, const IrVar *param, const char *head)
{
    const VarInfo *info = &e->vars[param->id];
    line(e, "%s", head);
    line(e, "    %s[i] = %s(%s, i, %s[i]);", info->parts,
         prelude(e, "exact_round", param->type->array.element), info->sums, info->parts);
}

void exact_cuda_round(Emitter *e, Emitted *out)
{
    if (!exact_any(e))
        return;
    out->rounding = name_unique(e, &e->globals, arena_printf(e->arena, "%s_round", out->entry));
    line(e, "extern \"C\" __global__ void %s(%s)", out->rounding, emit_parameters(e));
    line(e, "{");
    e->depth++;
    line(e, "const long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x;");
    line(e, "const long long all = gridDim.x * (long long)blockDim.x;");
    line(e, "%s", "");
    for (int i = 0; i < e->fn->param_count; i++)
        if (is_exact(e, i))
            emit_rounding(e, e->fn->vars[i],
                          arena_printf(e->arena, "for (long long i = first; i < %s; i += all)",
                                       extents_text(e, e->fn->vars[i])));
    close_block(e, "");
    line(e, "%s", "");
}

/* ---- C ----------------------------------------------------------------------------------- */

static const char *count_name(Threads *th, const IrVar *param)
{
    return arena_printf(th->e->arena, "count_%d", param->param);
}

/* Each exact parameter with the number of the first value that stands for it. */
typedef void Visit(Threads *th, const IrVar *param, int first);

static void each(Threads *th, Visit *visit)
{
    for (int i = 0, first = 0; i < th->fn->param_count; first += values_of(th->fn->vars[i++]))
        if (is_exact(th->e, i))
            visit(th, th->fn->vars[i], first);
}

static void count_rows(Threads *th, const IrVar *param, int first)
{
    const char *count = count_name(th, param);
    line(th->e, "const long long %s = %s;", count, elements_text(th->e, param, first));
    line(th->e, "const size_t at_%d = words;", param->param);
    line(th->e, "words += (size_t)%s * %d;", count, ir_exact_words(param->type->array.element));
}

static void add_rows(Threads *th, const IrVar *param, int first)
{
    const char *count = elements_text(th->e, param, first);
    line(th->e, "elements += %s;", count);
    line(th->e, "words += (size_t)%s * %d;", count, ir_exact_words(param->type->array.element));
}

/* How many words of sums there are, and where each parameter's begin. */
static void emit_sizes(Threads *th)
{
    line(th->e, "size_t words = 1;");
    each(th, count_rows);
    line(th->e, "const bool alone = words <= %d;", OWN_WORDS);
}

void exact_begin(Threads *th)
{
    Emitter *e = th->e;
    if (!exact_any(e))
        return;
    line(e, "size_t words = 1;");
    line(e, "long long elements = 0;");
    each(th, add_rows);
    line(e, "unsigned long long *const sums = calloc(words, sizeof *sums);");
    line(e, "if (!sums)");
    line(e, "    return 1;");
}

void exact_begin_work(Threads *th)
{
    if (!exact_any(th->e))
        return;
    line(th->e, "unsigned long long *const sums = shared;");
    emit_sizes(th);
}

void exact_begin_worker(Threads *th)
{
    if (exact_any(th->e))
        line(th->e, "unsigned long long *const own = alone ? calloc(words, sizeof *own) : sums;");
}

static void put_rows(Threads *th, const IrVar *param, int first)
{
    (void)first;
    buf_printf(th->e->out, ", own + at_%d", param->param);
}

const char *exact_entry_arguments(Threads *th)
{
    Emitter *e = th->e;
    Buf text, *out = e->out;
    if (!exact_any(e))
        return "";
    text = buf_in(e->arena);
    e->out = &text;
    each(th, put_rows);
    e->out = out;
    return arena_printf(e->arena, "%s, alone", buf_text(&text));
}

static void merge_rows(Threads *th, const IrVar *param, int first)
{
    (void)first;
    line(th->e, "%s(sums + at_%d, own + at_%d, %s, %d);", prelude(th->e, "exact_merge", NULL),
         param->param, param->param, count_name(th, param),
         ir_exact_words(param->type->array.element));
}

void exact_end_worker(Threads *th)
{
    Emitter *e = th->e;
    if (!exact_any(e))
        return;
    open_block(e, "if (alone && own)");
    each(th, merge_rows);
    line(e, "free(own);");
    close_block(e, "");
}

static void round_row(Threads *th, const IrVar *param, int first)
{
    Emitter *e = th->e;
    const Type *element = param->type->array.element;
    const char *count = count_name(th, param), *type = type_text(e, element);
    open_block(e, "if (i >= 0 && i < %s)", count);
    line(e, "%s *const x = *(%s *const *)params[%d];", type, type, first);
    line(e, "x[i] = %s(sums + at_%d, i, x[i]);", prelude(e, "exact_round", element), param->param);
    close_block(e, "");
    line(e, "i -= %s;", count);
}

static void add_count(Threads *th, const IrVar *param, int first)
{
    (void)first;
    line(th->e, "count += %s;", count_name(th, param));
}

/* Elements of all exact parameters one behind the other. */
void exact_round_work(Threads *th)
{
    Emitter *e = th->e;
    exact_begin_work(th);
    line(e, "long long count = 0, at, end;");
    line(e, "(void)alone;");
    each(th, add_count);
    open_block(e, "while ((at = __atomic_fetch_add(next, chunk, __ATOMIC_RELAXED)) < count)");
    line(e, "end = at + chunk < count ? at + chunk : count;");
    open_block(e, "for (; at < end; at++)");
    line(e, "long long i = at;");
    each(th, round_row);
    close_block(e, "");
    close_block(e, "");
}

void exact_end(Threads *th)
{
    if (!exact_any(th->e))
        return;
    line(th->e, "if (!failed)");
    line(th->e, "    launch->share(%s_round, params, launch, elements, sums);", th->block_name);
    line(th->e, "free(sums);");
}
