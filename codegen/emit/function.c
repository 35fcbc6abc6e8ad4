/* The function at hand: how its variables are written, and its parameters. */
#include "ir/analysis/flow/sets.h"
#include "ir/analysis/mingled.h"
#include "codegen/emit/emit.h"

/* ---- variables ------------------------------------------------------------------------- */

/* Whether an array's parts can all have this name. */
static bool parts_free(const Emitter *e, const IrVar *var, const char *name)
{
    char part[160];

    for (int axis = 0; axis < var->type->array.rank; axis++)
        for (int strides = 0; strides < 2; strides++) {
            snprintf(part, sizeof part, strides ? "%s_s%d" : "%s_%d", name, axis);
            if (name_taken(&e->locals, part))
                return false;
        }
    return true;
}

/* A name for a variable of which there are also NAME_0, NAME_s0 and so on. */
static const char *parts_name(Emitter *e, const IrVar *var)
{
    const char *name = local_name(e, var->name);

    while (!parts_free(e, var, name))
        name = local_name(e, arena_printf(e->arena, "%s_", name));
    for (int axis = 0; axis < var->type->array.rank; axis++) {
        local_name(e, arena_printf(e->arena, "%s_%d", name, axis));
        local_name(e, arena_printf(e->arena, "%s_s%d", name, axis));
    }
    return name;
}

/* Decides how one variable is written, and names it. */
static void enter_variable(Emitter *e, const IrVar *var)
{
    VarInfo *info = &e->vars[var->id];
    bool array = type_is_array(var->type);

    if (ir_is_shared(var))
        info->storage = STORAGE_BLOCK;
    if (var->kind == VAR_CONSTANT) {
        info->form = FORM_FIXED;
        info->name = emit_table_name(e, var->table);
        return;
    }
    if (var->kind == VAR_SHARED || var->kind == VAR_PRIVATE)
        info->form = FORM_FIXED;
    else if (var->kind == VAR_SHARED_DYNAMIC || (array && var->kind == VAR_PARAM && e->fn->kernel))
        info->form = FORM_PARTS;
    if (!array || info->form != FORM_PARTS) {
        info->name = local_name(e, var->name);
        return;
    }
    info->name = info->parts = parts_name(e, var);
}

void emit_enter_function(Emitter *e, const IrFunc *fn)
{
    e->fn = fn;
    e->vars = arena_array(e->arena, VarInfo, fn->var_count + 1);
    e->locals = (NameSet){ 0 };
    e->thread_index = "t";
    e->frame = "f";
    e->magnitude = ir_magnitude(e->arena, fn, NULL);
    e->magnitude->steps_count = true;
    IrSets sets = ir_sets(e->arena, fn, &fn->body);
    for (int i = 0; i < fn->var_count; i++) {
        e->vars[i].only = sets.value[i];
        e->vars[i].sets = sets.count[i];
        enter_variable(e, fn->vars[i]);
    }
    e->mingles =
        e->dialect == DIALECT_CUDA && fn->kernel && fn->access && ir_mingles_reads(e->arena, fn);
    e->fault_name = emit_function_faults(e, fn) ? local_name(e, "fault") : NULL;
    exact_enter(e);
    if (e->dialect == DIALECT_CHECK)
        check_enter_function(e);
    emit_place_variables(e);
}

/* ---- parameters ------------------------------------------------------------------------ */

/* Puts ", " before all but the first. */
static void separate(Buf *out)
{
    if (out->length)
        buf_puts(out, ", ");
}

static bool is_written(const Emitter *e, const IrVar *var)
{
    return !e->fn->access || ir_writes(e->fn, var->param);
}

/* Whether the function also reads what it writes to some array, or tuple of arrays. */
static bool reads_what_it_writes(const Emitter *e)
{
    for (int i = 0; i < e->fn->param_count; i++)
        if (is_written(e, e->fn->vars[i]) && (!e->fn->access || (e->fn->access[i] & ACCESS_READ)))
            return true;
    return false;
}

/* That no other pointer leads to its elements. NVRTC 13.0 makes one load of `c ? written[i] :
** read[i]`, whose address it selects, and if `read` is alone a load of what nothing writes: it
** gives what was there before. Such a kernel says it only of the arrays that it writes, which says
** as much: NVRTC still finds what is only read. It finds too much where `read` is loaded first, and
** then perhaps `written`: where such loads meet, nothing is said. */
static bool is_alone(const Emitter *e, const IrVar *var)
{
    return var->restricted && !e->vars[var->id].led_to && !e->mingles &&
           (e->dialect != DIALECT_CUDA || is_written(e, var) || !reads_what_it_writes(e));
}

static void put_array_parts(Emitter *e, Buf *out, const IrVar *var)
{
    const VarInfo *info = &e->vars[var->id];
    const char *alone = e->dialect == DIALECT_CUDA ? "__restrict__ " : "restrict ";

    buf_printf(out, "%s%s *%s%s", is_written(e, var) ? "" : "const ",
               type_text(e, var->type->array.element), is_alone(e, var) ? alone : "", info->parts);
    for (int i = 0; i < ir_given_axes(var); i++)
        buf_printf(out, ", %s %s_%d", emit_extents_are_int(e) ? "int" : "long long", info->parts,
                   i);
    for (int i = 0; i < var->type->array.rank && var->type->array.layout == LAYOUT_A; i++)
        buf_printf(out, ", long long %s_s%d", info->parts, i);
}

const char *emit_parameters_of(Emitter *e, const bool *wanted)
{
    Buf out = buf_in(e->arena);
    if ((!e->fn->kernel || e->dialect == DIALECT_CHECK) && e->context_param)
        buf_puts(&out, e->context_param);
    for (int i = 0; i < e->fn->param_count; i++) {
        const IrVar *var = e->fn->vars[i];
        if (wanted && !wanted[i])
            continue;
        separate(&out);
        const IrHidden *hidden = e->fn == e->unit->kernel ? ir_hidden_of(e->unit, var) : NULL;
        if (e->vars[i].parts)
            put_array_parts(e, &out, var);
        else if (hidden && hidden->kind == HIDDEN_MAP && e->dialect == DIALECT_CUDA)
            buf_printf(&out, "const __grid_constant__ %s %s", prelude(e, "tile_map", NULL),
                       e->vars[i].name);
        else
            buf_puts(&out, declarator_text(e, var, e->vars[i].name));
    }
    if (e->fault_name) {
        separate(&out);
        buf_printf(&out, "%s *%s", prelude(e, "KjitFault", NULL), e->fault_name);
    }
    if (exact_any(e)) {
        separate(&out);
        buf_puts(&out, exact_parameters(e));
    }
    return out.length ? buf_text(&out) : e->dialect == DIALECT_C ? "void" : "";
}

const char *emit_parameters(Emitter *e)
{
    return emit_parameters_of(e, NULL);
}

void emit_alignments(Emitter *e)
{
    for (int i = 0; i < e->fn->param_count && e->dialect == DIALECT_CUDA; i++) {
        const IrVar *var = e->fn->vars[i];
        const char *parts = e->vars[i].parts;
        if (var->alignment && parts)
            line(e, "%s = (%s%s *)__builtin_assume_aligned(%s, %d);", parts,
                 is_written(e, var) ? "" : "const ", type_text(e, var->type->array.element), parts,
                 var->alignment);
    }
}

void emit_signature(Emitter *e, const char *head, const char *parameters)
{
    line(e, "%s(%s)", head, parameters);
}
