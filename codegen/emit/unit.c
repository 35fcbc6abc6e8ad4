/* The unit: the prelude's pieces, the structs, device functions with callees first, the kernel.
**
** Functions are written first, since only they tell which pieces and structs the unit needs; the
** text is put together at the end. */
#include "codegen/emit/emit.h"

/* ---- functions ------------------------------------------------------------------------- */

static int function_index(const Emitter *e, const IrFunc *fn)
{
    for (int i = 0; i < e->unit->count; i++)
        if (e->unit->functions[i] == fn)
            return i;
    return -1;
}

const char *emit_function_name(Emitter *e, const IrFunc *fn)
{
    return e->function_names[function_index(e, fn)];
}

bool emit_function_faults(Emitter *e, const IrFunc *fn)
{
    return fn->kernel ? fn->options.debug : e->faulting[function_index(e, fn)];
}

static bool value_faults(Emitter *e, const IrValue *value)
{
    bool faults = value->op == OP_call && emit_function_faults(e, value->callee);
    for (int i = 0; i < value->count && !faults; i++)
        faults = value_faults(e, value->operands[i]);
    return faults;
}

static bool region_faults(Emitter *e, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_FAULT)
            return true;
        for_each_value (value, stmt)
            if (value_faults(e, value))
                return true;
        for_each_region (inner, stmt)
            if (region_faults(e, inner))
                return true;
    }
    return false;
}

static void search_mask(void *context, IrValue *value)
{
    Emitter *e = context;

    if (value->op != OP_intrinsic || !value->count)
        return;
    if (ir_intrinsics[value->intrinsic].effect & EFFECT_WARP_SYNC)
        e->parts_warps |= !(value->operands[0]->op == OP_constant &&
                            (uint32_t)value->operands[0]->constant.integer == UINT32_MAX);
    e->parts_warps |= value->intrinsic == INTR_atomic_add_each;
}

static void search_masks(Emitter *e, const IrFunc *fn)
{
    e->parts_warps |= fn->foreign != NULL; /* its effects are unknown */
    ir_each_node_in(&fn->body, search_mask, e);
}

/* CUDA: whether an operation of warps may leave lanes out. ptxas 13.0, for sm_90 on, parts a warp
** for a vote or match that it then drops as unused, and does not unite it: the lanes' registers of
** the warp (UR) change while others still need them, and an aligned barrier lets the block go on
** before all lanes have come. Then no vote is dropped, of all lanes neither: some may meet in one
** whose mask others computed. */
static void plan_parting(Emitter *e)
{
    for (int i = 0; i < e->unit->count; i++)
        search_masks(e, e->unit->functions[i]);
    search_masks(e, e->unit->kernel);
}

/* Names the device functions, and finds which take the KjitFault: callees come first. */
static void enter_functions(Emitter *e)
{
    e->function_names = arena_array(e->arena, const char *, e->unit->count + 1);
    e->faulting = arena_array(e->arena, bool, e->unit->count + 1);
    for (int i = 0; i < e->unit->count; i++) {
        e->function_names[i] = name_unique(e, &e->globals, e->unit->functions[i]->name);
        e->faulting[i] =
            e->unit->kernel->options.debug && region_faults(e, &e->unit->functions[i]->body);
    }
}

static const char *device_head(Emitter *e, const IrFunc *fn)
{
    const char *words = e->dialect == DIALECT_CUDA ? "static __device__" : "static";
    bool inlined = fn->options.inline_always && !fn->recursive;

    return arena_printf(e->arena, "%s%s %s %s", words,
                        !inlined                     ? ""
                        : e->dialect == DIALECT_CUDA ? " __forceinline__"
                                                     : " inline",
                        type_text(e, fn->result), emit_function_name(e, fn));
}

/* The body of a function in braces, as the plain walk writes it. */
static void emit_body(Emitter *e)
{
    line(e, "{");
    e->depth++;
    emit_alignments(e);
    emit_fixed_arrays(e, STORAGE_BLOCK);
    emit_fixed_arrays(e, STORAGE_PLAIN);
    check_declare_undefined(e);
    check_recursion(e);
    if (e->fn->foreign)
        emit_foreign(e, e->fn);
    else
        emit_region(e, &e->fn->body);
    close_block(e, "");
    line(e, "%s", "");
}

static void emit_device_function(Emitter *e, const IrFunc *fn)
{
    const char *head = device_head(e, fn), *parameters;

    emit_enter_function(e, fn);
    parameters = emit_parameters(e);
    if (fn->recursive)
        line(e, "%s(%s);", head, parameters);
    emit_location(e, fn->span);
    emit_signature(e, head, parameters);
    emit_body(e);
}

static const char *kernel_head(Emitter *e, const IrFunc *fn, const char *name)
{
    const char *bounds = "";

    if (fn->options.launch_threads > 0 && fn->options.launch_cluster > 0)
        bounds = arena_printf(e->arena, "%s(%d, %d, %d) ", prelude(e, "CLUSTER_BOUNDS", NULL),
                              fn->options.launch_threads, fn->options.launch_blocks,
                              fn->options.launch_cluster);
    else if (fn->options.launch_threads > 0 && fn->options.launch_blocks > 0)
        bounds = arena_printf(e->arena, "__launch_bounds__(%d, %d) ", fn->options.launch_threads,
                              fn->options.launch_blocks);
    else if (fn->options.launch_threads > 0)
        bounds = arena_printf(e->arena, "__launch_bounds__(%d) ", fn->options.launch_threads);
    return arena_printf(e->arena, "extern \"C\" __global__ void %s%s", bounds, name);
}

static void emit_cuda_kernel(Emitter *e, const IrFunc *fn, const char *name)
{
    emit_enter_function(e, fn);
    const char *parameters = emit_parameters(e);
    emit_location(e, fn->span);
    emit_signature(e, kernel_head(e, fn, name), parameters);
    emit_body(e);
}

static void emit_checked_kernel(Emitter *e, const IrFunc *fn, const char *name)
{
    emit_enter_function(e, fn);
    const char *parameters = emit_parameters(e);
    emit_location(e, fn->span);
    emit_signature(e, arena_printf(e->arena, "static void %s", name), parameters);
    emit_body(e);
    check_entry(e, fn, name);
}

/* ---- the unit -------------------------------------------------------------------------- */

static void name_records(Emitter *e, const Type *type)
{
    if (type_is_array(type))
        name_records(e, type->array.element);
    else if (type_is_record(type))
        type_text(e, type);
    else if (type_has_items(type))
        for (int i = 0; i < type->tuple.count; i++)
            name_records(e, type->tuple.items[i]);
}

/* The functions, in order, into the emitter's text. First come the names of the records that the
** kernel's parameters have, so that these are the same whatever passes made of the body: by them
** an edited text is known to be the kernel's. */
static void emit_functions(Emitter *e, Emitted *out)
{
    foreign_enter(e);
    const char *name = name_unique(e, &e->globals, e->unit->kernel->name);

    for (int i = 0; i < e->unit->kernel->param_count; i++)
        name_records(e, e->unit->kernel->vars[i]->type);
    enter_functions(e);
    emit_enter_tables(e);
    if (e->dialect == DIALECT_CUDA) {
        plan_shared(e);
        plan_parting(e);
    }
    if (e->dialect == DIALECT_C) {
        emit_threads_begin(e);
        emit_gathers(e);
    }
    if (e->dialect == DIALECT_CHECK)
        check_begin(e);
    for (int i = 0; i < e->unit->count; i++)
        emit_device_function(e, e->unit->functions[i]);
    if (e->dialect == DIALECT_CUDA) {
        out->entry = name;
        emit_cuda_kernel(e, e->unit->kernel, name);
        exact_cuda_round(e, out);
    } else if (e->dialect == DIALECT_CHECK) {
        emit_checked_kernel(e, e->unit->kernel, name);
        check_finish(e, out);
    } else {
        out->entry = "kjit_entry";
        emit_threads_kernel(e, e->unit->kernel);
    }
}

bool emit_unit(Arena *arena, const IrUnit *unit, Dialect dialect, Diags *diags, Emitted *out)
{
    Emitter e = { .arena = arena, .dialect = dialect, .diags = diags };

    if (!emit_fits(unit, dialect, diags))
        return false;

    e.unit = dialect == DIALECT_C ? emit_threads_unit(arena, unit) : unit;
    Buf text = buf_in(arena);
    Buf tables = buf_in(arena);
    Buf functions = buf_in(arena);
    e.out = &functions;
    emit_functions(&e, out);
    e.out = &tables;
    emit_tables(&e);
    e.out = &text;
    emit_place_none(&e, "kjit prelude");
    emit_prelude(&e);
    emit_structs(&e);
    buf_put(&text, buf_text(&tables), tables.length);
    buf_put(&text, buf_text(&functions), functions.length);
    out->text = buf_text(&text);
    out->length = text.length;
    foreign_link(&e, out);
    out->faults = e.faults;
    out->fault_count = e.fault_count;
    out->ordered_sums = prelude_wrote(&e, "HAS_FMA");
    out->static_shared = e.static_shared;
    out->moved_shared = e.moved_shared;
    out->cooperative = e.unit->kernel->effects & EFFECT_GRID_SYNC;
    for (int i = 0; i < e.unit->count; i++)
        out->recursive |= e.unit->functions[i]->recursive;
    if (out->cooperative && dialect == DIALECT_CUDA)
        out->static_shared += GRID_SYNC_SHARED;
    return !e.lacks_piece;
}
