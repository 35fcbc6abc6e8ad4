/* Functions of texts that are linked: how they are called, and where the texts go.
**
** In CUDA all is one text. What is linked stands in front, as its own file; then its macros are
** taken back, and kjit's text follows in a namespace, so that neither sees the other's names.
** Templates find out what types a function takes. In C the linked text is a file of its own, and
** what it takes is what it is declared with. */
#include "codegen/emit/emit.h"

/* ---- calls --------------------------------------------------------------------------------- */

void foreign_enter(Emitter *e)
{
    for (int i = 0; i < e->unit->count; i++)
        if (e->unit->functions[i]->foreign)
            name_unique(e, &e->globals, e->unit->functions[i]->foreign->name);
}

/* What a parameter is to the foreign function: a number or a pointer. */
static const char *argument_of(Emitter *e, IrVar *var)
{
    IrValue value = { .op = OP_var, .type = var->type, .var = var };

    return type_is_array(var->type) ? arena_printf(e->arena, "%s.data", e->vars[var->id].name)
                                    : value_exact(e, &value, PREC_ARGUMENT);
}

static void emit_cuda_call(Emitter *e, const IrFunc *fn)
{
    const IrForeign *foreign = fn->foreign;
    bool none = fn->result->kind == TY_NONE;
    Buf arguments = buf_in(e->arena);
    for (int i = 0; i < fn->param_count; i++)
        buf_printf(&arguments, ", %s", argument_of(e, fn->vars[i]));
    const char *piece = prelude(e,
                                foreign->c_abi ? "call_linked_c"
                                : none         ? "run_linked"
                                               : "call_linked",
                                NULL);
    const char *result =
        none && !foreign->c_abi ? "" : arena_printf(e->arena, "<%s>", type_text(e, fn->result));
    line(e, "%s%s%s(::%s%s);", none ? "" : "return ", piece, result, foreign->name,
         buf_text(&arguments));
}

/* Checked, the memory that is passed to the function counts as escaped. */
static void tell_given(Emitter *e, const IrFunc *fn)
{
    for (int i = 0; i < fn->param_count; i++) {
        const Type *type = fn->vars[i]->type;
        const char *name = e->vars[i].name;
        if (type_is_array(type))
            line(e, "%s->ops->escaped(%s, %s.data, %s.shape[0] * %dULL);", e->context_arg,
                 e->context_arg, name, name, (int)type_size(type->array.element));
    }
}

static void emit_c_call(Emitter *e, const IrFunc *fn)
{
    const IrForeign *foreign = fn->foreign;
    bool none = fn->result->kind == TY_NONE, numba = !foreign->c_abi;
    const char *type = type_text(e, fn->result), *comma = numba ? ", " : "";
    Buf types = buf_in(e->arena);
    Buf arguments = buf_in(e->arena);
    for (int i = 0; i < fn->param_count; i++) {
        const Type *param = fn->vars[i]->type;
        const Type *number = type_is_array(param) ? param->array.element : param;
        buf_printf(&types, "%s%s%s", comma, type_text(e, number), type_is_array(param) ? " *" : "");
        buf_printf(&arguments, "%s%s", comma, argument_of(e, fn->vars[i]));
        comma = ", ";
    }
    if (e->dialect == DIALECT_CHECK)
        tell_given(e, fn);
    line(e, "extern void %s(void);", foreign->name);
    if (numba)
        line(e, "%s kjit_result%s;", none ? "long long" : type,
             none ? " = 0" : zero_initializer(fn->result));
    line(e, "%s((%s (*)(%s%s))%s)(%s%s);", none || numba ? "" : "return ", numba ? "int" : type,
         numba ? "void *" : "", types.length || numba ? buf_text(&types) : "void", foreign->name,
         numba ? "&kjit_result" : "", buf_text(&arguments));
    if (numba && !none)
        line(e, "return kjit_result;");
}

void emit_foreign(Emitter *e, const IrFunc *fn)
{
    if (e->dialect == DIALECT_CUDA)
        emit_cuda_call(e, fn);
    else
        emit_c_call(e, fn);
}

/* ---- texts --------------------------------------------------------------------------------- */

/* Behind `#define NAME` at the start of a line, NAME; else NULL. */
static const char *defined(Emitter *e, const char *at)
{
    at += strspn(at, " \t");
    if (*at++ != '#')
        return NULL;
    at += strspn(at, " \t");
    if (strncmp(at, "define", 6) != 0 || !strchr(" \t", at[6]))
        return NULL;
    at += 6 + strspn(at + 6, " \t");
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return length ? arena_strndup(e->arena, at, length) : NULL;
}

static void put_undefs(Emitter *e, Buf *out, const char *text)
{
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *name = defined(e, at);
        if (name)
            buf_printf(out, "#undef %s\n", name);
    }
}

static bool is_foreign(const IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        if (unit->functions[i]->foreign)
            return true;
    return false;
}

void foreign_link(Emitter *e, Emitted *out)
{
    bool cuda = e->dialect == DIALECT_CUDA;

    if (!is_foreign(e->unit))
        return;
    Buf linked = buf_in(e->arena);
    for (int i = 0; i < e->unit->linked_count; i++) {
        const IrLinked *one = &e->unit->linked[i];
        if (one->kind == (cuda ? LINKED_CUDA : LINKED_C))
            buf_printf(&linked, "%s\n", one->source->text);
    }
    if (!cuda) {
        out->linked = buf_text(&linked);
        return;
    }
    const char *texts = arena_strndup(e->arena, buf_text(&linked), linked.length);
    put_undefs(e, &linked, texts);
    buf_printf(&linked, "namespace kjit_code {\n%s}\n", out->text);
    out->text = buf_text(&linked);
    out->length = linked.length;
    out->foreign = true;
}

/* ---- what is missing ------------------------------------------------------------------------ */

/* The first text of a kind; NULL: there is none. */
static const IrLinked *linked_of(const IrUnit *unit, int kind)
{
    for (int i = 0; i < unit->linked_count; i++)
        if ((int)unit->linked[i].kind == kind)
            return &unit->linked[i];
    return NULL;
}

static void complain(const IrUnit *unit, const IrFunc *fn, Dialect dialect, Diags *diags)
{
    const IrLinked *other = linked_of(unit, LINKED_OTHER), *cuda = linked_of(unit, LINKED_CUDA);

    if (dialect != DIALECT_CUDA && cuda)
        diag_error(diags, fn->span,
                   "'%s' is CUDA C, in %s, which the processor cannot run: give a C file with the "
                   "same function beside it, link=[\"f.cu\", \"f.c\"]",
                   fn->foreign->name, cuda->name);
    else if (other)
        diag_error(diags, other->span,
                   "kjit links CUDA C and C as source, .cu and .c, and %s is neither: give the "
                   "source of '%s'",
                   other->name, fn->foreign->name);
    else
        diag_error(diags, fn->span,
                   "'%s' is declared, and nothing is linked that could define it: give its source, "
                   "@cuda.jit(link=[\"f.%s\"])",
                   fn->foreign->name, dialect == DIALECT_CUDA ? "cu" : "c");
}

bool foreign_fits(const IrUnit *unit, Dialect dialect, Diags *diags)
{
    const IrLinked *there = linked_of(unit, dialect == DIALECT_CUDA ? LINKED_CUDA : LINKED_C);

    for (int i = 0; i < unit->count; i++) {
        const IrFunc *fn = unit->functions[i];
        if (fn->foreign && !there) {
            complain(unit, fn, dialect, diags);
            return false;
        }
        if (fn->foreign && fn->foreign->cooperative && dialect != DIALECT_CUDA)
            return diag_error(
                diags, fn->span,
                "'%s' may wait for other threads, use_cooperative=True, which a C function "
                "cannot do: run it on the device cuda",
                fn->foreign->name);
    }
    return true;
}
