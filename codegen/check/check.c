/* DIALECT_CHECK: a kernel as C code of one thread that calls the checker.
**
** Statements are emitted as for CUDA, without splitting loops over threads at barriers: the checker
** runs each thread on a fiber of its own, which can wait anywhere. Device functions take the thread
** as their first parameter. */
#include "codegen/check/check.h"

#include "codegen/emit/threads/threads.h"

/* ---- sites -------------------------------------------------------------------------------- */

int check_site(Emitter *e, Span span, const char *array, const char *what, size_t alignment)
{
    CheckState *check = e->check;
    array_push(e->arena, check->sites, check->site_count, check->site_capacity) =
        (EmitSite){ .span = span,
                    .array = array,
                    .what = what,
                    .alignment = (uint32_t)alignment,
                    .inner = !e->fn->kernel };
    return check->site_count - 1;
}

const char *check_site_args(Emitter *e, Span span, const char *what)
{
    return arena_printf(e->arena, "%s, %d", e->context_arg, check_site(e, span, NULL, what, 1));
}

/* ---- synchronisation
** --------------------------------------------------------------------------- */

/* `c->ops->NAME(c, site`. */
static const char *checker_call(Emitter *e, const char *op, const IrValue *value)
{
    const char *name = ir_intrinsics[value->intrinsic].name;
    return arena_printf(e->arena, "%s->ops->%s(%s", e->context_arg, op,
                        check_site_args(e, value->span, name));
}

static const char *barrier_text(Emitter *e, const IrValue *value, int kind)
{
    const char *call = checker_call(e, "barrier", value);
    if (!value->count)
        return arena_printf(e->arena, "%s, %d, 0)", call, kind);
    return arena_printf(e->arena, "(int)%s, %d, %s)", call, kind,
                        value_text(e, value->operands[0], PREC_ARGUMENT));
}

static const char *warp_call(Emitter *e, const IrValue *value, int kind, const char *voted,
                             const char *argument)
{
    const char *mask = value->count ? value_text(e, value->operands[0], PREC_ARGUMENT) : "0";
    return arena_printf(e->arena, "%s, %d, %s, %s, %s, 32)", checker_call(e, "warp", value), kind,
                        mask, voted, argument);
}

static const char *bits_of(Emitter *e, const IrValue *value)
{
    return arena_printf(e->arena, "%s(%s)", prelude(e, "to_bits", value->type),
                        value_text(e, value, PREC_ARGUMENT));
}

static const char *shuffle_text(Emitter *e, const IrValue *value, int kind)
{
    const char *lane = value_text(e, value->operands[2], PREC_ARGUMENT);
    return arena_printf(e->arena, "%s(%s)", prelude(e, "from_bits", value->type),
                        warp_call(e, value, kind, bits_of(e, value->operands[1]), lane));
}

static const char *vote_text(Emitter *e, const IrValue *value, int kind)
{
    const IrValue *voted = value->operands[1];
    const char *truth = value_text(e, voted, PREC_EQUALITY);
    if (voted->type != type_bool)
        truth = arena_printf(e->arena, "%s != 0", truth);
    return warp_call(e, value, kind, truth, "0");
}

static const char *fence_text(Emitter *e, const IrValue *value, int scope)
{
    return arena_printf(e->arena, "%s, %d)", checker_call(e, "fence", value), scope);
}

/* An integer of 32 bits that a warp operation gives. */
static const char *as_int(Emitter *e, const char *call, Prec prec)
{
    return parenthesize(e, arena_printf(e->arena, "(int)%s", call), PREC_UNARY, prec);
}

static const char *as_bool(Emitter *e, const char *call, Prec prec)
{
    return parenthesize(e, arena_printf(e->arena, "%s != 0", call), PREC_EQUALITY, prec);
}

static const char *meeting_text(Emitter *e, const IrValue *value, Prec prec)
{
    switch ((int)value->intrinsic) {
    case INTR_syncthreads:
        return barrier_text(e, value, CHECK_BARRIER);
    case INTR_syncthreads_count:
        return parenthesize(e, barrier_text(e, value, CHECK_BARRIER_COUNT), PREC_UNARY, prec);
    case INTR_syncthreads_and:
        return parenthesize(e, barrier_text(e, value, CHECK_BARRIER_AND), PREC_UNARY, prec);
    case INTR_syncthreads_or:
        return parenthesize(e, barrier_text(e, value, CHECK_BARRIER_OR), PREC_UNARY, prec);
    case INTR_grid_sync:
        return arena_printf(e->arena, "%s(%s)", prelude(e, "meet_grid", NULL),
                            check_site_args(e, value->span, "grid_sync"));
    case INTR_syncwarp:
        return warp_call(e, value, CHECK_WARP_SYNC, "0", "0");
    case INTR_shfl_sync:
        return shuffle_text(e, value, CHECK_WARP_SHUFFLE);
    case INTR_shfl_up_sync:
        return shuffle_text(e, value, CHECK_WARP_SHUFFLE_UP);
    case INTR_shfl_down_sync:
        return shuffle_text(e, value, CHECK_WARP_SHUFFLE_DOWN);
    case INTR_shfl_xor_sync:
        return shuffle_text(e, value, CHECK_WARP_SHUFFLE_XOR);
    case INTR_all_sync:
        return as_bool(e, vote_text(e, value, CHECK_WARP_ALL), prec);
    case INTR_any_sync:
        return as_bool(e, vote_text(e, value, CHECK_WARP_ANY), prec);
    case INTR_eq_sync:
        return as_bool(e, vote_text(e, value, CHECK_WARP_EQUAL), prec);
    case INTR_ballot_sync:
        return as_int(e, vote_text(e, value, CHECK_WARP_BALLOT), prec);
    case INTR_match_any_sync:
        return as_int(e, warp_call(e, value, CHECK_WARP_MATCH, bits_of(e, value->operands[1]), "0"),
                      prec);
    case INTR_activemask:
        return parenthesize(e,
                            arena_printf(e->arena, "(unsigned int)%s, %d, 0, 1, 0, 32)",
                                         checker_call(e, "warp", value), CHECK_WARP_ACTIVE),
                            PREC_UNARY, prec);
    case INTR_threadfence_block:
        return fence_text(e, value, CHECK_FENCE_BLOCK);
    case INTR_threadfence:
        return fence_text(e, value, CHECK_FENCE_DEVICE);
    case INTR_threadfence_system:
        return fence_text(e, value, CHECK_FENCE_SYSTEM);
    default:
        return NULL;
    }
}

/* ---- indices of threads -------------------------------------------------------------------- */

static const char *address_text(Emitter *e, const IrValue *value, Prec prec)
{
    const char *c = e->context_arg;
    char axis = "xyz"[value->index % 3];

    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        return arena_printf(e->arena, "%s->thread.%c", c, axis);
    case INTR_block_idx:
        return arena_printf(e->arena, "%s->block.%c", c, axis);
    case INTR_block_dim:
        return arena_printf(e->arena, "%s->block_dim.%c", c, axis);
    case INTR_grid_dim:
        return arena_printf(e->arena, "%s->grid_dim.%c", c, axis);
    case INTR_grid:
        return parenthesize(e,
                            arena_printf(e->arena,
                                         "(long long)%s->block.%c * %s->block_dim.%c + "
                                         "%s->thread.%c",
                                         c, axis, c, axis, c, axis),
                            PREC_ADD, prec);
    case INTR_gridsize:
        return parenthesize(e,
                            arena_printf(e->arena, "(long long)%s->grid_dim.%c * %s->block_dim.%c",
                                         c, axis, c, axis),
                            PREC_MULTIPLY, prec);
    case INTR_laneid:
        return arena_printf(e->arena, "%s(%s->thread, %s->block_dim)", prelude(e, "lane_id", NULL),
                            c, c);
    default:
        return NULL;
    }
}

const char *check_intrinsic_text(Emitter *e, const IrValue *value, Prec prec)
{
    const char *text = address_text(e, value, prec);

    if (!text)
        text = meeting_text(e, value, prec);
    if (!text && value->intrinsic == INTR_round && type_is_integer(value->type)) {
        const IrValue *x = value->operands[0];
        const Type *from = type_size(x->type) == 2 ? type_float32 : x->type;
        text = arena_printf(
            e->arena, "%s(%s)", prelude(e, "round", from),
            check_cast_argument(e, value->type, cast_text(e, from, x, PREC_ARGUMENT), value->span));
    }
    return text;
}

/* ---- branches ------------------------------------------------------------------------------ */

const char *check_branch_text(Emitter *e, Span span, const char *condition)
{
    return arena_printf(e->arena, "%s(%s, %s)", prelude(e, "branch", NULL),
                        check_site_args(e, span, "branch"), condition);
}

/* ---- how threads end ----------------------------------------------------------------------- */

/* The values of a fault's message: the floats, or the others; 0 stands for those left out. */
static const char *fault_values(Emitter *e, const IrStmt *stmt, bool floats)
{
    Buf out = buf_in(e->arena);
    buf_printf(&out, "(const %s[]){ ", floats ? "double" : "long long");
    for (int i = 0; i < stmt->fault.count; i++) {
        const IrValue *value = stmt->fault.values[i];
        buf_printf(&out, "%s%s", i ? ", " : "",
                   type_is_float(value->type) == floats ? value_text(e, value, PREC_ARGUMENT)
                                                        : "0");
    }
    buf_puts(&out, " }");
    return buf_text(&out);
}

void check_fault(Emitter *e, const IrStmt *stmt)
{
    EmitFault fault = { stmt->fault.message, stmt->span, !e->fn->kernel };
    int number = e->fault_count;

    array_push(e->arena, e->faults, e->fault_count, e->fault_capacity) = fault;
    if (!stmt->fault.count)
        line(e, "%s->ops->fault(%s, %d, 0, 0);", e->context_arg, e->context_arg, number);
    else
        line(e, "%s->ops->fault(%s, %d, %s, %s);", e->context_arg, e->context_arg, number,
             fault_values(e, stmt, false), fault_values(e, stmt, true));
}

void check_leave(Emitter *e, const IrStmt *stmt)
{
    if (e->dialect == DIALECT_CHECK)
        line(e, "%s->left = %d;", e->context_arg, check_site(e, stmt->span, NULL, "its end", 1));
}

void check_end(Emitter *e)
{
    line(e, "%s->ops->end(%s);", e->context_arg, e->context_arg);
}

/* ---- arrays of the block and of the thread ------------------------------------------------- */

static void note_shared(Emitter *e, const IrVar *var, uint64_t offset)
{
    CheckState *check = e->check;
    array_push(e->arena, check->shared, check->shared_count, check->shared_capacity) = (EmitShared){
        var->name, var->type, var->shape, offset, e->static_shared - offset, var->span
    };
}

/* A private array, as a C array of one axis. */
static void emit_private(Emitter *e, const IrVar *var)
{
    const char *name = e->vars[var->id].name;
    int64_t count = 1;

    for (int i = 0; i < var->type->array.rank; i++)
        count *= var->shape[i] > 0 ? var->shape[i] : 1;
    if (var->alignment > 0)
        line(e, "_Alignas(%d) %s %s[%lld];", var->alignment, type_text(e, var->type->array.element),
             name, (long long)count);
    else
        line(e, "%s %s[%lld];", type_text(e, var->type->array.element), name, (long long)count);
    line(e, "%s->ops->local(%s, %d, %s, sizeof %s);", e->context_arg, e->context_arg,
         check_site(e, var->span, var->name, "local array", 1), name, name);
}

void check_fixed_array(Emitter *e, const IrVar *var)
{
    const char *name = e->vars[var->id].name, *c = e->context_arg, *element;
    uint64_t at;

    if (var->kind != VAR_SHARED && var->kind != VAR_SHARED_DYNAMIC && var->kind != VAR_PRIVATE)
        return;
    element = type_text(e, var->type->array.element);
    switch ((int)var->kind) {
    case VAR_SHARED:
        at = emit_count_shared(&e->static_shared, var);
        note_shared(e, var, at);
        line(e, "%s *const %s = (%s *)(%s->shared + %llu);", element, name, element, c,
             (unsigned long long)at);
        return;
    case VAR_SHARED_DYNAMIC:
        if (var->alignment > e->dynamic_align)
            e->dynamic_align = var->alignment;
        line(e, "%s *const %s = (%s *)%s->dynamic;", element, name, element, c);
        line(e, "const long long %s_0 = (long long)(%s->dynamic_shared / sizeof(%s));", name, c,
             element);
        return;
    case VAR_PRIVATE:
        emit_private(e, var);
        return;
    default:
        return;
    }
}

/* ---- the unit ------------------------------------------------------------------------------ */

void check_begin(Emitter *e)
{
    e->check = arena_new(e->arena, CheckState);
    *e->check = (CheckState){ 0 };
    prelude(e, "KjitCheck", NULL);
    check_find_indices(e);
}

void check_enter_function(Emitter *e)
{
    e->context_arg = local_name(e, "c");
    e->context_param = arena_printf(e->arena, "KjitCheck *%s", e->context_arg);
    check_find_undefined(e);
}

void check_entry(Emitter *e, const IrFunc *fn, const char *name)
{
    Threads th = { .e = e, .fn = fn };
    const char *arguments = threads_entry_arguments(&th);
    const char *c = strcmp(name, "c") ? "c" : "kjit_c"; /* unless the kernel has that name */

    emit_place_none(e, "kjit");
    line(e, "void kjit_check_thread(KjitCheck *%s, void *const *params)", c);
    line(e, "{");
    e->depth++;
    line(e, "%s(%s%s);", name, c, arguments);
    close_block(e, "");
}

void check_finish(Emitter *e, Emitted *out)
{
    const uint64_t align = e->dynamic_align > 0 ? (uint64_t)e->dynamic_align : 1;

    e->static_shared = (e->static_shared + align - 1) / align * align; /* dynamic shared memory
                                                                          follows */
    out->entry = "kjit_check_thread";
    out->sites = e->check->sites;
    out->site_count = e->check->site_count;
    out->shared = e->check->shared;
    out->shared_count = e->check->shared_count;
}
